// SPDX-License-Identifier: Apache-2.0
// Workers as processes of this machine, which end with the one that started them.
#pragma once

#include <sys/types.h>

#include <map>

#include "grader/class/engine.h"
#include "grader/class/worker.h"

namespace warpgrade::grader {

class LocalEngine : public Engine {
 public:
  /// `options.name` and `local` are set for each worker.
  LocalEngine(WorkerOptions options, std::size_t workers)
      : options_(std::move(options)), workers_(workers) {}
  ~LocalEngine() override;
  LocalEngine(const LocalEngine&) = delete;
  LocalEngine& operator=(const LocalEngine&) = delete;

  void keep_working() override;
  std::vector<std::string> ended() override;
  bool is_busy() const override { return !running_.empty(); }
  std::string name() const override { return "local"; }

 private:
  void start();

  WorkerOptions options_;
  std::size_t workers_;
  std::size_t started_ = 0;
  std::size_t failed_ = 0;
  std::map<pid_t, std::string> running_;
};

}  // namespace warpgrade::grader

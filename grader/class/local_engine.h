// SPDX-License-Identifier: Apache-2.0
// Workers as processes of this machine, which end with the one that started them.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "grader/class/engine.h"
#include "grader/class/worker.h"

namespace warpgrade::grader::class_book {

class LocalEngine : public Engine {
 public:
  /// `options.name` and `local` are set for each worker. With `cards`, each worker gets one of
  /// these exclusively, by its number, and there are at most as many workers as cards.
  LocalEngine(WorkerOptions options, std::size_t workers, std::vector<std::string> cards = {})
      : options_(std::move(options)),
        workers_(cards.empty() ? workers : std::min(workers, cards.size())),
        cards_(std::move(cards)) {}
  ~LocalEngine() override;
  LocalEngine(const LocalEngine&) = delete;
  LocalEngine& operator=(const LocalEngine&) = delete;

  void keep_working() override;
  std::vector<std::string> ended() override;
  bool is_busy() const override { return !running_.empty(); }

 private:
  void start();

  WorkerOptions options_;
  std::size_t workers_;
  std::size_t started_ = 0;
  std::size_t failed_ = 0;
  struct Running {
    std::string name;
    std::size_t place = 0;  ///< Number among the workers, and of its card if it has one.
  };
  std::vector<std::string> cards_;
  std::map<pid_t, Running> running_;
};

}  // namespace warpgrade::grader::class_book

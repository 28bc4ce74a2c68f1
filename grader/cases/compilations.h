// SPDX-License-Identifier: Apache-2.0
// Compilations running ahead on a small pool of threads, each file once per architecture.
//
// A compilation is a child process of a few tenths of a second. Grading begins all of them at the
// start, so most are done when it needs them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/compile/compiler.h"

namespace warpgrade::grader::cases {

class Compilations {
 public:
  using Compile = std::function<compile::Result(const compile::CompileRequest&)>;

  /// At most `threads` compilations at a time (at least 1).
  Compilations(Compile compile, unsigned threads);
  /// Drops compilations that have not begun and waits for the others.
  ~Compilations();
  Compilations(const Compilations&) = delete;
  Compilations& operator=(const Compilations&) = delete;

  /// Begins a compilation unless the same one was begun before.
  void begin(const compile::CompileRequest& request);
  /// Waits for the result of a compilation, and begins it if necessary. Rethrows exceptions of
  /// compile(). The reference is valid as long as this object.
  const compile::Result& get(const compile::CompileRequest& request);
  /// Ends the threads once the current compilations are done; they start again on demand. The
  /// process may fork in between.
  void rest();

 private:
  using Task = std::packaged_task<compile::Result()>;
  const std::shared_future<compile::Result>& entry(const compile::CompileRequest& request);
  void work();

  Compile compile_;
  unsigned threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> queue_;
  std::map<std::string, std::shared_future<compile::Result>> results_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace warpgrade::grader::cases

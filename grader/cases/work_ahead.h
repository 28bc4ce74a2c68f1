// SPDX-License-Identifier: Apache-2.0
// Work that runs ahead of its consumer on a small pool of threads. It is either compilations,
// each file once per architecture, or results that are consumed in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/compile/compiler.h"

namespace warpgrade::grader::cases {

// Results that are computed concurrently and consumed in order.
//
// A few threads begin them in that order. The consumer may stop at any time: tasks that have not
// begun by then never run.

template <typename Result>
class OrderedPrefetch {
 public:
  using Make = std::function<Result(std::size_t number)>;

  /// Makes `count` results with `make`. Several threads call it if `at_once` exceeds 1; otherwise
  /// each result is made when the consumer calls take().
  OrderedPrefetch(std::size_t count, unsigned at_once, Make make)
      : make_(std::move(make)), results_(at_once > 1 ? count : 0) {
    for (std::size_t i = 0; i < at_once && i < results_.size(); ++i) {
      workers_.emplace_back([this] { work(); });
    }
  }
  /// Waits for the tasks that have begun.
  ~OrderedPrefetch() { next_ = results_.size(); }
  OrderedPrefetch(const OrderedPrefetch&) = delete;
  OrderedPrefetch& operator=(const OrderedPrefetch&) = delete;

  /// Waits for the result, which can be taken once; rethrows exceptions of make().
  Result take(std::size_t number) {
    return results_.empty() ? make_(number) : results_[number].get_future().get();
  }

 private:
  void work() {
    for (auto i = next_++; i < results_.size(); i = next_++) {
      try {
        results_[i].set_value(make_(i));
      } catch (...) {
        results_[i].set_exception(std::current_exception());
      }
    }
  }

  Make make_;
  std::vector<std::promise<Result>> results_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::jthread> workers_;  // Joined first: last.
};

// Compilations running ahead on a small pool of threads, each file once per architecture.

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

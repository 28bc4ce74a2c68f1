// SPDX-License-Identifier: Apache-2.0
// Results that are computed concurrently and consumed in order.
//
// A few threads begin them in that order. The consumer may stop at any time: tasks that have not
// begun by then never run.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

namespace warpgrade::grader::cases {

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

}  // namespace warpgrade::grader::cases

// SPDX-License-Identifier: Apache-2.0
// How long a child process may still keep its parent waiting.
//
// Only waits count, each for a turn at most: a longer one was a suspension of the parent or a
// machine out of breath, and no fault of the child. The clock is injected.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace warpgrade::compile {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

class Patience {
 public:
  /// The most that one wait counts for, and the longest that one should be.
  static constexpr std::chrono::milliseconds kTurn{100};

  Patience(std::chrono::milliseconds time, Clock clock) : left_(time), clock_(std::move(clock)) {}

  /// Calls wait(most) for a wait of at most `most`, counts it, and returns what wait() does.
  template <typename Wait>
  auto wait(const Wait& wait) {
    const auto begin = clock_();
    const auto result = wait(std::clamp(left_, std::chrono::milliseconds(0), kTurn));
    // Rounded up, so that many short waits count as well.
    const auto waited = std::chrono::ceil<std::chrono::milliseconds>(clock_() - begin);
    left_ -= std::min(kTurn, waited);
    return result;
  }
  /// Whether all of the time has been waited.
  bool is_over() const { return left_.count() <= 0; }

 private:
  std::chrono::milliseconds left_;
  Clock clock_;
};

}  // namespace warpgrade::compile

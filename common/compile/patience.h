// SPDX-License-Identifier: Apache-2.0
// The time that a parent still waits for a child process.
//
// Only waits count, and each at most for one turn: a longer wait was a suspension of the parent or
// an overloaded machine, and not the child's fault. The clock is injected.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace warpgrade::compile {

using Clock = std::function<std::chrono::steady_clock::time_point()>;

class Patience {
 public:
  /// The most that one wait counts, and the longest that one should be.
  static constexpr std::chrono::milliseconds kTurn{100};

  Patience(std::chrono::milliseconds time, Clock clock) : left_(time), clock_(std::move(clock)) {}

  /// Calls wait(most) for a wait of at most `most`, counts it, and returns its result.
  template <typename Wait>
  auto wait(const Wait& wait) {
    const auto begin = clock_();
    const auto result = wait(std::clamp(left_, std::chrono::milliseconds(0), kTurn));
    // Rounded up, so that many short waits count, too.
    const auto waited = std::chrono::ceil<std::chrono::milliseconds>(clock_() - begin);
    left_ -= std::min(kTurn, waited);
    return result;
  }
  /// Whether the time is used up.
  bool is_over() const { return left_.count() <= 0; }

 private:
  std::chrono::milliseconds left_;
  Clock clock_;
};

}  // namespace warpgrade::compile

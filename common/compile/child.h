// SPDX-License-Identifier: Apache-2.0
// Runs a program with bytes on its standard input, and reads its output within a time limit.
//
// The program leads its own process group, which is killed as a whole when time is up or the
// output exceeds its limit. Only waits of this process count as time, and each at most for one
// turn. A longer wait was a suspension or an overloaded machine.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade::compile {

// The time that a parent still waits for a child process.
//
// Only waits count, and each at most for one turn: a longer wait was a suspension of the parent or
// an overloaded machine, and not the child's fault. The clock is injected.

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

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  /// If false, only LD_LIBRARY_PATH and PATH are passed on, so nothing else affects the
  /// compilation.
  bool whole_environment = false;
};

/// PTX and machine code of the largest lab kernels are under 1 MB.
constexpr std::size_t kMaxOutputBytes = std::size_t{256} << 20;

struct ChildResult {
  bool timed_out = false;        ///< Killed because time was up.
  bool wrote_too_much = false;   ///< Killed at kMaxOutputBytes, or by `on_output`.
  int signal = 0;                ///< Signal that ended it; 0 if it exited.
  int exit_code = 0;             ///< Valid if signal is 0.
  std::uint64_t peak_bytes = 0;  ///< Largest resident set.
  std::chrono::milliseconds cpu_time{0};
  std::string output;
};

/// Runs `command` to its end or for `time`; throws base::ToolError if it cannot be started.
ChildResult run_child(const Command& command, std::string_view input,
                      std::chrono::milliseconds time,
                      const Clock& clock = std::chrono::steady_clock::now);

/// Input and output of a child that are too large for memory.
struct Streams {
  int input = -1;  ///< An open file, read from its present place.
  /// Receives the output in pieces; false kills the child.
  std::function<bool(std::string_view piece)> on_output;
};

/// The same; `output` of the result stays empty.
ChildResult stream_child(const Command& command, const Streams& streams,
                         std::chrono::milliseconds time,
                         const Clock& clock = std::chrono::steady_clock::now);

}  // namespace warpgrade::compile

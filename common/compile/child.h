// SPDX-License-Identifier: Apache-2.0
// Runs a program with bytes on its standard input, and reads its standard output for some time.
//
// The input is an anonymous file, so that nobody blocks on a full pipe. The program leads its own
// process group, which is killed as a whole when time is up or the output grows past its limit.
// Time is what this process waits (patience.h): while it is suspended itself, and the program maybe
// with it, none passes; and what lies in the pipe is read before it is said that time is up.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/patience.h"

namespace warpgrade::compile {

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  /// Else only LD_LIBRARY_PATH and PATH are handed on: nothing more may change what is compiled.
  bool whole_environment = false;
};

/// PTX and machine code of the largest lab kernels are under 1 MB.
constexpr std::size_t kMaxOutputBytes = std::size_t{256} << 20;

struct ChildResult {
  bool timed_out = false;        ///< Killed when time was up.
  bool wrote_too_much = false;   ///< Killed at kMaxOutputBytes.
  int signal = 0;                ///< Signal that ended it, 0 where it exited by itself.
  int exit_code = 0;             ///< Only where signal is 0.
  std::uint64_t peak_bytes = 0;  ///< Largest resident set.
  std::chrono::milliseconds cpu_time{0};
  std::string output;
};

/// Runs `command` to its end or for `time`; throws base::ToolError where it cannot be started.
ChildResult run_child(const Command& command, std::string_view input,
                      std::chrono::milliseconds time,
                      const Clock& clock = std::chrono::steady_clock::now);

}  // namespace warpgrade::compile

// SPDX-License-Identifier: Apache-2.0
// Runs a program with bytes on its standard input, and reads its standard output within a time
// limit.
//
// The input is an anonymous file, so no process blocks on a full pipe. The program leads its own
// process group, which is killed as a whole when time is up or the output exceeds its limit. Only
// waits of this process count as time (patience.h): none passes while it is suspended, perhaps
// together with the program. The pipe is emptied before a timeout is reported.
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
  /// If false, only LD_LIBRARY_PATH and PATH are passed on, so nothing else affects the
  /// compilation.
  bool whole_environment = false;
};

/// PTX and machine code of the largest lab kernels are under 1 MB.
constexpr std::size_t kMaxOutputBytes = std::size_t{256} << 20;

struct ChildResult {
  bool timed_out = false;        ///< Killed because time was up.
  bool wrote_too_much = false;   ///< Killed at kMaxOutputBytes.
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

}  // namespace warpgrade::compile

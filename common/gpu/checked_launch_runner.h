// SPDX-License-Identifier: Apache-2.0
// Timed launches of a few programs, in a process of their own that ends with them.
//
// The process is forked for one submission, so one that takes the device away from it costs itself
// only. It inherits the programs' code and what makes their contents, which need not be sent.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/gpu/checked_launch.h"
#include "common/gpu/platform.h"

namespace warpgrade::gpu {

class CheckedLaunchRunner {
 public:
  /// Starts the process, which keeps what it is given, and opens the device. Throws base::ToolError
  /// where there is no process or no usable device.
  CheckedLaunchRunner(const Platform& platform, double time_limit,
                      const std::vector<TimedProgram>& programs,
                      const compile::Program& fingerprint, const FingerprintKey& key);
  ~CheckedLaunchRunner();

  /// Sends contents and makes what is right of them; before all that follows. Throws
  /// base::UsageError where launch and device do not fit, base::ToolError where something of ours
  /// fails.
  void begin();

  /// See CheckedLaunches. Throws base::ToolError where the device fails. After a CheckedLaunch with
  /// device_lost there can be no other.
  CheckedLaunch run(std::size_t program, std::size_t content);
  bool renew(bool new_context, std::uint64_t pages);
  std::vector<run::Buffer> expected(std::size_t program, std::size_t content);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::gpu

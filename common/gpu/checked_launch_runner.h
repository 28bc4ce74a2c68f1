// SPDX-License-Identifier: Apache-2.0
// Timed launches of a few programs in a process of their own, which ends with this object.
//
// The process is forked for one submission, so a submission that breaks the device only harms
// itself. The process inherits the programs' code and the means to create their contents; neither
// is sent.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/gpu/checked_launch.h"
#include "common/gpu/platform.h"

namespace warpgrade::gpu {

class CheckedLaunchRunner {
 public:
  /// Starts the process, which keeps the arguments, and opens the device. Throws base::ToolError if
  /// no process can be started or no device is usable.
  CheckedLaunchRunner(const Platform& platform, double time_limit,
                      const std::vector<TimedProgram>& programs,
                      const compile::Program& fingerprint, const FingerprintKey& key);
  ~CheckedLaunchRunner();

  /// Creates the contents and the expected results; must be called first. Throws
  /// base::UsageError if launch and device do not match, and base::ToolError if one of our own
  /// steps fails.
  void begin();

  /// See CheckedLaunches. Throws base::ToolError if the device fails. A CheckedLaunch with
  /// device_lost must be the last one.
  CheckedLaunch run(std::size_t program, std::size_t content);
  bool renew(bool new_context, std::uint64_t pages);
  std::vector<run::Buffer> expected(std::size_t program, std::size_t content);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::gpu

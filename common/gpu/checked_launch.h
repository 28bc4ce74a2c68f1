// SPDX-License-Identifier: Apache-2.0
// Timed launches, each from clean memory to a checked result, in a process of their own.
//
// The first part runs in the process that owns the device. It loads the module anew, flushes L2
// outside the timed window, and compares guards, inputs and outputs after each launch. The second
// part forks that process for one submission. A submission that breaks the device only harms
// itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/gpu/platform.h"
#include "common/gpu/session.h"
#include "common/gpu/timed_memory.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {

/// Computes the expected results with the course's own kernel, given its machine code. Throws
/// base::ToolError if that fails.
MakeExpected made_by(const std::vector<char>& machine_code, run::Sequence sequence);

/// Computes the expected results of a copy: the driver copies the second buffer to the first.
MakeExpected made_by_copy();

/// Whether a later launch in the same context may find data that a kernel with this PTX left in the
/// heap or in the local memory of its threads.
bool can_keep_state(std::string_view ptx);

struct CheckedLaunch {
  std::vector<base::Diagnostic> diagnostics;
  Timing timing;
  /// Every buffer equals the expected bits, or is as near to them as TimedProgram::nearness allows.
  bool matches = false;
  std::vector<run::Buffer> buffers;  ///< If not: their content; inputs are empty.
  std::string printed;
  Conditions conditions;     ///< State of the card right after the launch.
  bool device_lost = false;  ///< The process can no longer use the device.
};

struct CheckedLaunchTools {
  const std::vector<char>* fingerprint_code = nullptr;
  FingerprintKey key;
  const Monitor* monitor = nullptr;
};

class CheckedLaunches {
 public:
  /// Copies the contents to the device and computes the expected results. All arguments must
  /// outlive this.
  CheckedLaunches(Session& session, const std::vector<TimedProgram>& programs,
                  const CheckedLaunchTools& tools);

  /// Moves the buffers (see TimedMemory::move()). `new_context` also creates a new context, in
  /// which no data of earlier launches survives; returns false if the driver does not support that.
  bool renew(bool new_context, std::uint64_t pages);

  /// Launches `program` once on its content. Throws base::UsageError if launch and kernel do not
  /// match.
  CheckedLaunch run(std::size_t program, std::size_t content);

  /// The expected buffers for that content; inputs are empty.
  std::vector<run::Buffer> expected(std::size_t program, std::size_t content);

 private:
  /// `ours`: the module of our kernels, loaded after a submission's module was unloaded.
  Fingerprint fingerprint_of(const Module& ours, const GuardedMemory& memory);
  std::vector<Fingerprint> fingerprints_of(const Module& ours, const DeviceBuffers& memory);
  void check(std::size_t program, std::size_t content, const Module& ours,
             const DeviceBuffers& memory, CheckedLaunch& launch);
  bool is_near(const TimedProgram& program, const Module& ours, const DeviceBuffers& memory,
               const std::vector<std::size_t>& differing);
  std::vector<run::Buffer> outputs(const TimedProgram& program, const DeviceBuffers& memory) const;
  void wipe(const Module& ours);

  Session& session_;
  const std::vector<TimedProgram>& programs_;
  const CheckedLaunchTools& tools_;
  std::unique_ptr<TimedMemory> memory_;
  /// Right results by program, content and buffer: the reference's, or others that are near enough.
  std::vector<std::vector<std::vector<Fingerprint>>> right_;
};

/// Explains why the two times of `timing` contradict each other: the device cannot be busy for
/// longer than the host waited for it. Empty if they do not.
std::string contradiction(const Timing& timing);

/// Whether the host waited so much longer than the device was busy that another process must have
/// run in between.
bool is_disturbed(const Timing& timing);

// Timed launches of a few programs in a process of their own, which ends with this object.
//
// The process is forked for one submission, so a submission that breaks the device only harms
// itself. The process inherits the programs' code and the means to create their contents; neither
// is sent.

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

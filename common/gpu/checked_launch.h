// SPDX-License-Identifier: Apache-2.0
// Timed launches, each from memory that holds nothing of another one to a checked result; in the
// process that has the device.
//
// The kernel's module is loaded for each launch alone. L2 is flushed outside of the timed window.
// The launch that is timed is the launch that is checked: after the launch, guards, inputs and
// outputs of that launch are compared, the latter two by fingerprints that a kernel of ours takes,
// whose module is loaded when the timed one is gone, so that it cannot have been tampered with. The
// right results are made on the device before a submission is loaded and overwritten as soon as its
// fingerprint is taken; of that no expected value can be made. After each launch all that its
// kernel could have written is overwritten, shared memory included; what a kernel can keep
// elsewhere only a new context takes away (see can_keep_state()).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/gpu/fingerprint.h"
#include "common/gpu/nvml.h"
#include "common/gpu/session.h"
#include "common/gpu/timed_memory.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {

/// Makes the right results by a launch of the course's own kernel, given its machine code. If it
/// fails, base::ToolError is thrown.
MakeExpected made_by(const std::vector<char>& machine_code, run::Sequence sequence);

/// Makes the right results of a copy: the driver copies the second buffer to the first.
MakeExpected made_by_copy();

/// Whether a later launch in the same context may find something that a kernel of this PTX has
/// left: in the heap, or in the local memory of its threads.
bool can_keep_state(std::string_view ptx);

struct CheckedLaunch {
  std::vector<base::Diagnostic> diagnostics;
  Timing timing;
  bool matches = false;              ///< Every buffer is as it must be, bit by bit.
  std::vector<run::Buffer> buffers;  ///< If not: their content; inputs are left empty.
  std::string printed;
  Conditions conditions;     ///< Right after the launch.
  bool device_lost = false;  ///< The process can use the device no more.
};

struct CheckedLaunchTools {
  const std::vector<char>* fingerprint_code = nullptr;
  FingerprintKey key;
  const Monitor* monitor = nullptr;
};

class CheckedLaunches {
 public:
  /// Sends the contents to the device and makes what is right of each. All three outlive this.
  CheckedLaunches(Session& session, const std::vector<TimedProgram>& programs,
                  const CheckedLaunchTools& tools);

  /// Buffers lie elsewhere from now on (see TimedMemory::move()), where `new_context` in a new
  /// context, in which nothing is left of earlier launches. False where the driver has none.
  bool renew(bool new_context, std::uint64_t pages);

  /// Launches `program` once on its content. Throws base::UsageError where launch and kernel do not
  /// fit.
  CheckedLaunch run(std::size_t program, std::size_t content);

  /// The right buffers for that content; inputs are left empty.
  std::vector<run::Buffer> expected(std::size_t program, std::size_t content);

 private:
  /// `ours`: the module of our kernels, loaded since a submission's was unloaded.
  Fingerprint fingerprint_of(const Module& ours, const GuardedMemory& memory);
  std::vector<Fingerprint> fingerprints_of(const Module& ours, const DeviceBuffers& memory);
  void check(std::size_t program, std::size_t content, const Module& ours,
             const DeviceBuffers& memory, CheckedLaunch& launch);
  std::vector<run::Buffer> outputs(const TimedProgram& program, const DeviceBuffers& memory) const;
  void wipe(const Module& ours);

  Session& session_;
  const std::vector<TimedProgram>& programs_;
  const CheckedLaunchTools& tools_;
  std::unique_ptr<TimedMemory> memory_;
  std::vector<std::vector<std::vector<Fingerprint>>> right_;  ///< A program, a content, a buffer.
};

/// Why the two clocks of `timing` cannot both be right, in words; empty where they can: the device
/// cannot have been busy for longer than the host waited for it.
std::string contradiction(const Timing& timing);

/// Whether the host waited for so much longer than the device was busy that something else has run
/// in between.
bool is_disturbed(const Timing& timing);

}  // namespace warpgrade::gpu

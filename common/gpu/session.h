// SPDX-License-Identifier: Apache-2.0
// One GPU used by one process: load a program, launch, time, copy.
//
// Each sequence of launches loads the module anew, so that a program's variables are reset.
// After a kernel faults or runs away, the process has no usable device. The LaunchOutcome
// reports that, and the owner of the process ends it (see worker.h). Buffers are between
// guards, which are checked after a launch; inputs are compared with their old content. Reads
// past a buffer, reads of uninitialised bytes and races go unnoticed here; the simulator finds
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/gpu/device_info.h"
#include "common/gpu/device_memory.h"
#include "common/gpu/driver.h"
#include "common/gpu/launchable.h"
#include "common/run/runner.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {

struct LaunchOutcome {
  std::vector<base::Diagnostic> diagnostics;
  std::vector<double> seconds;         ///< By finished sample.
  std::vector<double> launch_seconds;  ///< By launch, each run separately, if there are several.
  bool device_lost = false;            ///< This process can no longer use the device.
};

/// How long the device was busy, by its own events and by the host's clock around them.
struct Timing {
  double seconds = 0;
  double host_seconds = 0;
};

class Session {
 public:
  /// Opens the device with this number. A kernel that runs longer than `limit` seconds by the clock
  /// `now` is a runaway. Throws DriverError or base::ToolError if no device is usable, and
  /// base::UsageError if only other devices exist.
  Session(const Driver& driver, double limit, std::function<double()> now, int ordinal = 0);
  ~Session();

  const DeviceInfo& device() const { return device_; }
  const Driver& driver() const { return driver_; }
  double limit() const { return limit_; }

  /// Stores a cubin; the next launch reports an error if it does not match the device.
  void load(std::vector<char> machine_code) { machine_code_ = std::move(machine_code); }

  /// Runs `sequence` `samples` times, each from the same content of `buffers`, and flushes L2
  /// before each if `flush`; `buffers` then contain the last result. Several launches first run
  /// once more, separately, so that a fault names its launch. Throws base::UsageError if geometry
  /// or arguments do not match.
  LaunchOutcome run(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                    std::uint32_t samples, bool flush);

  /// Seconds of the driver's device-to-device copies of `bytes` bytes, L2 flushed before each.
  std::vector<double> copy(std::uint64_t bytes, std::uint32_t samples);

  /// Runs launches of kernels of `module` back to back and waits for the last; returns nullopt if
  /// they exceed the limit, and then the device is lost. Throws base::UsageError if the device
  /// rejects one of them.
  std::optional<Timing> launch(const Module& module, const run::Sequence& sequence,
                               const DeviceBuffers& memory);

  /// Throws base::UsageError if the device does not support the grid or block of a launch.
  void check_geometry(const run::Sequence& sequence) const;

  int attribute(int which) const;

  /// Overwrites the contents of L2 and resets the lines that a kernel marked as persisting.
  void flush_l2();

  /// Creates a new context, in which no data of earlier kernels survives (heap, shared memory,
  /// freed buffers). All memory must have been freed. Returns false if the driver does not support
  /// this.
  bool renew();

 private:
  void open_context();
  std::optional<Timing> timed(const std::function<void()>& work);
  void prepare(Handle function, const run::Launch& launch, const Arguments& arguments);
  bool launch_apart(const run::Sequence& sequence, const DeviceBuffers& memory,
                    LaunchOutcome& outcome);
  void abandon();

  Driver driver_;  // a copy, because abandon() changes it
  double limit_;
  std::function<double()> now_;
  int handle_ = 0;  // The driver's handle of the device.
  DeviceInfo device_;
  std::vector<char> machine_code_;
  std::unique_ptr<Allocation> flush_;
  unsigned char flush_value_ = 0;
};

/// The diagnostic for a forbidden write by `kernel`: past a buffer, or to an input.
base::Diagnostic damage_diagnostic(const std::string& kernel, const std::string& damage);
base::Diagnostic input_diagnostic(const std::string& kernel, const run::Buffer& input,
                                  std::span<const std::byte> found);

}  // namespace warpgrade::gpu

// SPDX-License-Identifier: Apache-2.0
// The use of one GPU within one process: load a program, launch, time, copy.
//
// The module is loaded anew for every sequence of launches, so that a program's variables start
// afresh. A kernel
// that faults or runs away leaves the process without a usable device: the LaunchOutcome says so,
// and whoever owns the process ends it (see worker.h). Buffers lie between guards that are checked
// after a launch; inputs are compared with what they were. Reads past a buffer, reads of bytes
// that were never written and races are not seen here; the simulator sees them.
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
  std::vector<double> seconds;         ///< One a sample that came to its end.
  std::vector<double> launch_seconds;  ///< One a launch, each run for itself, if there are several.
  bool device_lost = false;            ///< This process can use the device no more.
};

/// How long the device was at something, by its own events and by the host's clock around them.
struct Timing {
  double seconds = 0;
  double host_seconds = 0;
};

class Session {
 public:
  /// Opens the device of this number. A kernel that runs for longer than `limit` seconds by the
  /// clock `now` is a runaway. Throws DriverError or base::ToolError where there is no usable
  /// device, base::UsageError where there are others only.
  Session(const Driver& driver, double limit, std::function<double()> now, int ordinal = 0);
  ~Session();

  const DeviceInfo& device() const { return device_; }
  const Driver& driver() const { return driver_; }
  double limit() const { return limit_; }

  /// Takes a cubin; reports at the launch if it does not fit the device.
  void load(std::vector<char> machine_code) { machine_code_ = std::move(machine_code); }

  /// Runs `sequence` `samples` times, each from the same content of `buffers`, with L2 flushed
  /// before each where `flush`; `buffers` hold the last result. Several launches are run once more
  /// before that, each waited for, so that a fault names its launch. Throws base::UsageError where
  /// geometry or arguments do not fit.
  LaunchOutcome run(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                    std::uint32_t samples, bool flush);

  /// Seconds of device-to-device copies of `bytes` bytes by the driver, L2 flushed before each.
  std::vector<double> copy(std::uint64_t bytes, std::uint32_t samples);

  /// Runs launches of kernels of `module` one after the other without a pause and waits for the
  /// last; nothing where they outlast the limit, after which the device is lost. Throws
  /// base::UsageError where the device does not take one of them.
  std::optional<Timing> launch(const Module& module, const run::Sequence& sequence,
                               const DeviceBuffers& memory);

  /// Throws base::UsageError where the device does not take grid or block of a launch.
  void check_geometry(const run::Sequence& sequence) const;

  int attribute(int which) const;

  /// Overwrites what L2 holds, and takes back what a kernel has asked it to keep.
  void flush_l2();

  /// A new context: nothing that a kernel has left anywhere on the device (heap, shared memory,
  /// buffers that were freed) is there any more. All memory must have been freed. False where the
  /// driver cannot.
  bool renew();

 private:
  void open_context();
  std::optional<Timing> timed(const std::function<void()>& work);
  void prepare(Handle function, const run::Launch& launch, const Arguments& arguments);
  bool launch_apart(const run::Sequence& sequence, const DeviceBuffers& memory,
                    LaunchOutcome& outcome);
  void abandon();

  Driver driver_;  // A copy: abandon() changes it.
  double limit_;
  std::function<double()> now_;
  int handle_ = 0;  // The driver's, of the device.
  DeviceInfo device_;
  std::vector<char> machine_code_;
  std::unique_ptr<Allocation> flush_;
  unsigned char flush_value_ = 0;
};

/// Tells of a write by `kernel` where it must not write: past a buffer, or to an input.
base::Diagnostic damage_diagnostic(const std::string& kernel, const std::string& damage);
base::Diagnostic input_diagnostic(const std::string& kernel, const run::Buffer& input,
                                  std::span<const std::byte> found);

}  // namespace warpgrade::gpu

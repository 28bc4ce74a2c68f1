// SPDX-License-Identifier: Apache-2.0
// The use of one GPU within one process: load a program, launch, time, copy.
//
// The module is loaded anew for every launch, so that a program's variables start afresh. A kernel
// that faults or runs away leaves the process without a usable device: the Outcome says so, and
// whoever owns the process ends it (see worker.h). Buffers lie between guards that are checked
// after a launch; inputs are compared with what they were. Reads past a buffer, reads of bytes
// that were never written and races are not seen here; the simulator sees them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/gpu/device_memory.h"
#include "common/gpu/driver.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {

struct DeviceInfo {
  std::string name;          ///< "NVIDIA H200".
  std::string architecture;  ///< "sm_90".
  std::uint64_t l2_bytes = 0;
};

struct Outcome {
  std::vector<base::Diagnostic> diagnostics;
  std::vector<double> seconds;  ///< One a sample that came to its end.
  bool device_lost = false;     ///< This process can use the device no more.
};

class Session {
 public:
  /// Opens device 0. A kernel that runs for longer than `limit` seconds by the clock `now` is a
  /// runaway. Throws DriverError or base::ToolError where there is no usable device.
  Session(const Driver& driver, double limit, std::function<double()> now);
  ~Session();

  const DeviceInfo& device() const { return device_; }

  /// Takes a cubin; reports at the launch if it does not fit the device.
  void load(std::vector<char> machine_code) { machine_code_ = std::move(machine_code); }

  /// Runs `launch` `samples` times, each from the same content of `buffers`, with L2 flushed before
  /// each where `flush`; `buffers` hold the last result. Throws base::UsageError where geometry or
  /// arguments do not fit.
  Outcome run(const run::Launch& launch, std::vector<run::Buffer>& buffers, std::uint32_t samples,
              bool flush);

  /// Seconds of device-to-device copies of `bytes` bytes by the driver, L2 flushed before each.
  std::vector<double> copy(std::uint64_t bytes, std::uint32_t samples);

 private:
  /// Seconds of `work` between two events, or nothing where it outlasts the limit.
  std::optional<double> timed(const std::function<void()>& work);
  void abandon();
  void check_geometry(const run::Launch& launch) const;
  void flush_l2();
  int attribute(int which) const;

  Driver driver_;  // A copy: abandon() changes it.
  double limit_;
  std::function<double()> now_;
  int ordinal_ = 0;
  DeviceInfo device_;
  std::vector<char> machine_code_;
  std::unique_ptr<Allocation> flush_;
  unsigned char flush_value_ = 0;
};

}  // namespace warpgrade::gpu

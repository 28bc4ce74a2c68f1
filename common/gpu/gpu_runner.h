// SPDX-License-Identifier: Apache-2.0
// The Runner on a GPU, through the CUDA driver API, which is loaded at run time.
//
// The device is used by a worker process (worker.h, session.h), because a kernel that faults takes
// the device away from its process and one that never ends can only be killed with it. A fault, an
// endless loop, a write outside of a buffer and a write to an input come back as diagnostics, and
// the next launch finds a fresh worker.
#pragma once

#include <memory>
#include <string>

#include "common/run/runner.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {

struct DeviceInfo;
class Driver;  // The driver's table of functions; see driver.h.
struct Platform;

/// Whether there is a driver and a device; if not, why, in words for the user.
struct Availability {
  bool available = false;
  std::string reason;        ///< If it is not available.
  std::string device;        ///< "NVIDIA H200".
  std::string architecture;  ///< "sm_90".
};
Availability availability();

struct LaunchTimes {
  std::vector<double> seconds;   ///< Each sample's.
  std::vector<double> launches;  ///< Each launch's own, if there are several.
};

class GpuRunner final : public run::Runner {
 public:
  /// Seconds that one launch may take before it is stopped as a runaway.
  static constexpr double kTimeLimit = 10;

  /// Takes the device that WARPGRADE_GPU names, else the first. Throws base::ToolError where there
  /// is none, base::UsageError where there are others only.
  GpuRunner();
  /// The same with the functions of `driver`; for tests, and for another time limit.
  GpuRunner(const Driver& driver, double time_limit);
  GpuRunner(const Platform& platform, double time_limit);
  ~GpuRunner() override;

  void load(const compile::Program& program) override;
  run::Result launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override;

  const Platform& platform() const;
  double time_limit() const;                ///< Seconds, of one launch.
  const std::string& device() const;        ///< "NVIDIA H200".
  const std::string& architecture() const;  ///< "sm_90".
  const DeviceInfo& info() const;           ///< All that is known of it.
  std::uint64_t l2_bytes() const;
  const std::string& bus() const;  ///< PCI address; empty where it is not known.
  /// Seconds that cudaMemcpy's device-to-device copy takes for `bytes`; median of `samples`.
  double memcpy_seconds(std::uint64_t bytes, std::uint32_t samples);
  /// Runs `sequence` `samples` times, each from the content that the buffers have now, with L2
  /// flushed before each outside the timed window. The buffers hold the last result. Where `result`
  /// gets diagnostics there may be fewer seconds.
  LaunchTimes time(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                   std::uint32_t samples, run::Result& result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Takes the device as GpuRunner() does. Throws base::ToolError "OTHERWISE: why" where there is
/// none.
std::unique_ptr<GpuRunner> open_gpu(const std::string& otherwise);

}  // namespace warpgrade::gpu

// SPDX-License-Identifier: Apache-2.0
// The Runner on a GPU, through the CUDA driver API, which is loaded at run time.
//
// A worker process uses the device (worker.h, session.h), because a faulting kernel makes the
// device unusable for its process, and an endless kernel can only be killed with its process. A
// fault, an endless loop, a write outside a buffer and a write to an input become diagnostics, and
// the next launch gets a new worker.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/run/runner.h"

namespace warpgrade::gpu {

struct DeviceInfo;
class Driver;  // table of the driver's functions; see platform.h
struct Platform;

/// Whether a driver and a device are available; if not, the reason for the user.
struct Availability {
  bool available = false;
  std::string reason;        ///< Why it is not available.
  std::string device;        ///< "NVIDIA H200".
  std::string architecture;  ///< "sm_90".
};
Availability availability();

struct LaunchTimes {
  std::vector<double> seconds;   ///< By sample.
  std::vector<double> launches;  ///< By launch, if there are several.
};

class GpuRunner final : public run::Runner {
 public:
  /// Seconds after which a launch is stopped as a runaway.
  static constexpr double kTimeLimit = 10;

  /// Opens the device of load_platform(gpu). Throws base::ToolError without a device, and
  /// base::UsageError if only other devices exist.
  explicit GpuRunner(std::optional<int> gpu = {});
  /// The same with the functions of `driver`, for tests, or with another time limit.
  GpuRunner(const Driver& driver, double time_limit);
  GpuRunner(const Platform& platform, double time_limit);
  ~GpuRunner() override;

  /// Another runner of the same device, whose process starts with its first launch.
  std::unique_ptr<GpuRunner> twin() const;
  /// Ends the process; the next launch starts one. Call it before a fork, since two processes must
  /// not send requests to the same one.
  void rest();

  void load(const compile::Program& program) override;
  run::Result launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override;

  const Platform& platform() const;
  double time_limit() const;                ///< Seconds per launch.
  const std::string& device() const;        ///< "NVIDIA H200".
  const std::string& architecture() const;  ///< "sm_90".
  const DeviceInfo& info() const;           ///< All known facts about it, when it was opened first.
  std::uint64_t l2_bytes() const;
  const std::string& bus() const;  ///< PCI address; empty if unknown.
  /// Seconds of cudaMemcpy's device-to-device copy of `bytes`; median of `samples`.
  double memcpy_seconds(std::uint64_t bytes, std::uint32_t samples);
  /// Runs `sequence` `samples` times, each from the current content of the buffers, and flushes L2
  /// before each, outside the timed window. The buffers then contain the last result. If `result`
  /// gets diagnostics, fewer seconds may be returned.
  LaunchTimes time(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                   std::uint32_t samples, run::Result& result);

 private:
  struct State;
  explicit GpuRunner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Opens the device like GpuRunner(gpu). Throws base::ToolError "OTHERWISE: reason" if that
/// fails.
std::unique_ptr<GpuRunner> open_gpu(const std::string& otherwise, std::optional<int> gpu = {});

}  // namespace warpgrade::gpu

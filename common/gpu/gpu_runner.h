// SPDX-License-Identifier: Apache-2.0
// The Runner on a GPU, through the CUDA driver API, which is loaded at run time.
#pragma once

#include <memory>
#include <string>

#include "common/run/runner.h"

namespace warpgrade::gpu {

class Driver;  // The driver's table of functions; see driver.h.

/// Whether there is a driver and a device; if not, why, in words for the user.
struct Availability {
  bool available = false;
  std::string reason;   ///< Where not available.
  std::string device;   ///< "NVIDIA H200".
  std::string architecture;  ///< "sm_90".
};
Availability availability();

class GpuRunner final : public run::Runner {
 public:
  /// Takes device 0. Throws base::ToolError where there is none.
  GpuRunner();
  ~GpuRunner() override;

  void load(const compile::Program& program) override;
  run::Result launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override;

  std::uint64_t l2_bytes() const;
  /// Seconds that cudaMemcpy's device-to-device copy takes for `bytes`; median of `samples`.
  double memcpy_seconds(std::uint64_t bytes, std::uint32_t samples);
  /// Runs `launch` `samples` times on the buffers as they are, L2 flushed before each outside the
  /// timed window; seconds of each. Buffers are read back after the last.
  std::vector<double> time(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                           std::uint32_t samples, run::Result& result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::gpu

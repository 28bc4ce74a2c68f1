// SPDX-License-Identifier: Apache-2.0
// A card that runs probes.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"

namespace warpgrade::probe {

/// A launch of one of the probes (probe_kernels.h).
struct Probe {
  std::string kernel;
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;  ///< Threads per block.
  std::array<std::uint32_t, 3> numbers{};
  std::uint64_t in_bytes = 128;  ///< Zeros.
  std::uint64_t out_bytes = 128;
};

/// All functions throw base::ToolError if the card fails.
class Card {
 public:
  virtual ~Card() = default;
  virtual const gpu::DeviceInfo& info() const = 0;
  /// The first two words of a launch's output.
  virtual std::array<std::uint32_t, 2> words(const Probe& probe) = 0;
  /// Times a launch by the device's events with a cold L2; returns the median of several.
  virtual double seconds(const Probe& probe) = 0;
  /// Times this many launches in sequence; returns the median of several runs.
  virtual double seconds_of_many(const Probe& probe, std::uint32_t launches) = 0;
  /// Times the driver's own copy within the device.
  virtual double copy_seconds(std::uint64_t bytes) = 0;
};

/// This machine's GPU.
class GpuCard final : public Card {
 public:
  explicit GpuCard(gpu::GpuRunner& runner);
  const gpu::DeviceInfo& info() const override { return runner_.info(); }
  std::array<std::uint32_t, 2> words(const Probe& probe) override;
  double seconds(const Probe& probe) override { return seconds_of_many(probe, 1); }
  double seconds_of_many(const Probe& probe, std::uint32_t launches) override;
  double copy_seconds(std::uint64_t bytes) override;

 private:
  gpu::GpuRunner& runner_;
};

}  // namespace warpgrade::probe

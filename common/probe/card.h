// SPDX-License-Identifier: Apache-2.0
// Measures the numbers of a profile with probes, as far as no profiler's counters are needed.
//
// In: a card. Out: lines of a profile's file with key, value and how it was found. The numbers
// that the driver knows come first, then the measured ones.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"

namespace warpgrade::probe {

/// A launch of one of the probes (card.h).
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

// The results of the probes: the numbers of a profile that can be measured without a profiler's
// counters.

/// A line of a profile's file (device/profile_reader.h).
struct Number {
  std::string key;
  std::string value;  ///< As written in the file: `"145 ns"`, `4`.
  std::string how;    ///< The comment after it: how it was found.
};

/// Receives the key before each measurement.
using Progress = std::function<void(const std::string& key)>;

/// The numbers that the driver knows, then the measured ones. Throws base::ToolError if the card
/// fails or matches none of the rules.
std::vector<Number> card_numbers(Card& card, const Progress& progress);

/// The file: `numbers`, everything else from the profile `like`, and a header with source and date.
std::string profile_text(const gpu::DeviceInfo& info, const device::Profile& like,
                         const std::vector<Number>& numbers, const std::string& date);

}  // namespace warpgrade::probe

// SPDX-License-Identifier: Apache-2.0
// Measurements of one machine's GPU, so that gates are decided by its own noise.
//
// `warpgrade calibrate` measures it and stores it as JSON in the user's cache folder, one file per
// card and driver. Grading on that machine then adds the card's own spread between processes to its
// intervals instead of a guess. It waives a speed gate (everyone passes it) if the course's own
// solution does not clear it with room to spare on this calibration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/plan/waiver.h"

namespace warpgrade::grader::grade {

/// A reference solution's result at one speed gate.
struct SolutionOnGpu {
  std::string exercise;  ///< "coalescing/copy".
  std::string gate;
  std::string case_name;
  double value = 0;
  double low = 0;
  double high = 0;
  std::optional<double> min;
  std::optional<double> max;
};

struct GpuCalibration {
  std::string device;                     ///< "NVIDIA H200".
  std::string driver;                     ///< "580.159.04".
  std::string date;                       ///< "2026-11-21".
  std::uint64_t copy_bytes = 0;           ///< Size of each buffer.
  double copy_bytes_per_second = 0;       ///< Read and written, by the copy baseline ...
  double memcpy_bytes_per_second = 0;     ///< ... by the driver's own copy ...
  double datasheet_bytes_per_second = 0;  ///< ... and by the memory's data sheet.
  double within = 0;   ///< Spread (standard deviation) of a sample of the copy against itself.
  double between = 0;  ///< Spread of the medians of processes, beyond the effect of `within`.
  double launch_seconds = 0;  ///< Time of an almost empty launch.
  std::vector<SolutionOnGpu> solutions;
};

std::string to_json(const GpuCalibration& calibration);
/// Returns nullopt if `text` is not a calibration.
std::optional<GpuCalibration> calibration_from_json(std::string_view text);

/// The file of this device and driver under $XDG_CACHE_HOME or ~/.cache.
std::filesystem::path calibration_file(const std::string& device, const std::string& driver);
/// Returns nullopt if the file is missing or cannot be read.
std::optional<GpuCalibration> read_calibration(const std::filesystem::path& file);

/// How much to widen intervals for differences between processes (see StoppingOptions::floor).
double noise_floor(const std::optional<GpuCalibration>& calibration);

/// Why the solution does not clear the gate `gate` of `exercise` on this card with room to spare.
/// Nullopt if it does, or if the calibration has no value for the gate.
std::optional<NearBound> waiver_of(const GpuCalibration& calibration, const std::string& exercise,
                                   const std::string& gate);

}  // namespace warpgrade::grader::grade

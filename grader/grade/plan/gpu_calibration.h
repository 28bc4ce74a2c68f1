// SPDX-License-Identifier: Apache-2.0
// Facts about one machine's GPU before a grade: its noise, the speed of the course's own files,
// and the reasons to waive a gate.
// In: measurements of `warpgrade calibrate`, as JSON in the user's cache, one file per card and
// driver. Out: wider intervals for the card's own noise, and waivers.
// A speed gate is waived (everyone passes it) if the course's own solution does not clear it with
// room to spare on this calibration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Values that the course's own files of an exercise reach on this machine's GPU, as fractions of
// copy.

/// By measured case; a case is missing if the file is wrong there or could not be measured.
using CaseFractions = std::map<std::string, report::MeasuredInterval>;

struct CourseValues {
  CaseFractions solution;
  CaseFractions skeleton;
  std::string trouble;  ///< Why the solution has no value; empty if it has one.
};

/// "gate speed is waived on this card: ...".
std::string waiver_text(const report::Waiver& waiver, const std::string& gate);

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
std::optional<report::NearBound> waiver_of(const GpuCalibration& calibration,
                                           const std::string& exercise, const std::string& gate);

}  // namespace warpgrade::grader::grade

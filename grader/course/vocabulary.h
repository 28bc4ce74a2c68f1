// SPDX-License-Identifier: Apache-2.0
// The names that a manifest may use: metrics, devices, presets of gates; and the metrics that the
// compiler or the launch determines before anything runs.
// The program fills a Vocabulary from the course and the profiles (course.h). Tests make their
// own, so reading a manifest needs no simulator.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"

namespace warpgrade::grader::course {

class GatePresets;

struct Vocabulary {
  std::vector<std::string> metrics;
  std::vector<std::string> devices;
  std::map<std::string, std::string> cards = {};         ///< "h200" -> "the H200": for texts.
  std::shared_ptr<const GatePresets> presets = nullptr;  ///< The course's.
  /// By device: the metrics that no gate on it can use.
  std::map<std::string, std::vector<std::string>> missing = {};
};

// Metrics that the compiler or the launch determines before anything runs: registers, static shared
// memory, waves. Their names are Nsight Compute's. Only gates use them.

/// The facts that determine these metrics.
struct LaunchFigures {
  const std::vector<const compile::Kernel*>& kernels;  ///< All kernels of the exercise.
  const run::Launch& launch;                           ///< The first one.
  const timing::Occupancy& occupancy;                  ///< At the first launch.
  const device::Profile& profile;
};

struct LaunchMetric {
  std::string_view name;
  /// nullopt: not measured.
  std::optional<double> (*value)(const LaunchFigures& figures);
};

constexpr std::string_view kStaticSharedBytes = "launch__shared_mem_per_block_static";
/// Blocks of the grid, divided by the blocks that all multiprocessors hold at a time.
constexpr std::string_view kWaves = "launch__waves_per_multiprocessor";

/// All launch metrics. A new metric needs only a row in this list.
std::span<const LaunchMetric> launch_metrics();

// Names that a gate may use for its metric.
//
// The grader adds two fractions that compare a time with baselines, and the metrics of
// vocabulary.h.

/// The speed: time of the copy baseline over the kernel's.
constexpr std::string_view kFractionOfCopy = "fraction_of_copy";
/// The speed: time of the slower baseline over the kernel's (measure::Roofline). Equals
/// kFractionOfCopy for an exercise without operations.
constexpr std::string_view kFractionOfRoofline = "fraction_of_roofline";

/// Whether the metric is a speed; every other one describes the mechanism.
constexpr bool is_speed(std::string_view metric) {
  return metric == kFractionOfCopy || metric == kFractionOfRoofline;
}

/// Whether the metric needs the time of a launch: the speeds, and the Speed of Light of the time
/// model (common/timing/speed_of_light.h).
bool needs_time(std::string_view metric);

/// Whether the metric says how well a launch uses its time: the speeds, throughputs, occupancy and
/// stalls. Hit rates and the traffic of local memory describe the mechanism.
bool judges_time(std::string_view metric);

/// Every name that a gate may use, sorted.
std::vector<std::string> metric_names();

/// Those of metric_names() that the card lacks: counts of units that it does not have, and metrics
/// that the time model does not have for it.
std::vector<std::string> missing_metrics(const device::Profile& profile);

}  // namespace warpgrade::grader::course

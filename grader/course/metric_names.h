// SPDX-License-Identifier: Apache-2.0
// Names that a gate may use for its metric.
//
// Counters have the names of memory::metric_names(). The grader adds two fractions that compare a
// time with baselines, and the metrics of launch_metrics.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::course {

/// The speed: time of the copy baseline over the kernel's.
constexpr std::string_view kFractionOfCopy = "fraction_of_copy";
/// The speed: time of the slower baseline over the kernel's (measure::Roofline). Equals
/// kFractionOfCopy for an exercise without operations.
constexpr std::string_view kFractionOfRoofline = "fraction_of_roofline";

/// Whether the metric is a speed; every other one describes the mechanism.
constexpr bool is_speed(std::string_view metric) {
  return metric == kFractionOfCopy || metric == kFractionOfRoofline;
}

/// Every name that a gate may use, sorted.
std::vector<std::string> metric_names();

}  // namespace warpgrade::grader::course

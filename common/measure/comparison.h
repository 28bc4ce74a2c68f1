// SPDX-License-Identifier: Apache-2.0
// Compares a kernel with the copy baseline: takes samples until the stopping rule is satisfied.
//
// The caller supplies the function that takes a sample, so tests need no device. A sample is
// repeated if the card was slowed down or something else ran on the host, because it reveals
// nothing about the kernel. With too many such samples the comparison ends undecided and reports
// the reason.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/stopping_rule.h"

namespace warpgrade::measure {

struct AbbaTaken {
  std::optional<AbbaSample> sample;  ///< nullopt if the sample must not count.
  std::string disturbance;           ///< The reason: "the card was slowed down: it is too hot".
  bool stop = false;                 ///< The kernel is wrong or lost: stop measuring.
};

struct Fraction {
  std::optional<FractionEstimate> estimate;  ///< nullopt without a good sample.
  bool decided = false;
  std::vector<AbbaSample> samples;
  std::string warning;  ///< Message: disturbances, or why the result is undecided.
};

/// Returns nullopt if `take` requests a stop. `now` is a clock in seconds.
std::optional<Fraction> compare_with_copy(const StoppingOptions& options,
                                          const std::function<AbbaTaken()>& take,
                                          const std::function<double()>& now);

/// Least time to move `bytes` bytes through a memory of `bytes_per_second`, if `cache_bytes` of
/// them may stay in an initially empty cache.
double least_seconds(double bytes, double cache_bytes, double bytes_per_second);

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// A kernel beside the copy baseline: samples are taken until the rule has enough.
//
// How a sample is taken is handed in, so that this is tested without a device. A sample during
// which the card was slowed down, or something else ran on the host, says nothing about the kernel:
// it is measured again, and where too many are like that, the comparison ends undecided and says
// why.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/stopping_rule.h"

namespace warpgrade::measure {

struct AbbaTaken {
  std::optional<AbbaSample> sample;  ///< Nothing where it is not to be counted.
  std::string disturbance;  ///< Then why, in words: "the card was slowed down: it is too hot".
  bool stop = false;        ///< The kernel is wrong or gone: measure no more.
};

struct Fraction {
  std::optional<FractionEstimate> estimate;  ///< Nothing without a good sample.
  bool decided = false;
  std::vector<AbbaSample> samples;
  std::string warning;  ///< For the reader: disturbances, or why it is not decided.
};

/// Nothing where `take` has said stop. `now` is a clock in seconds.
std::optional<Fraction> compare_with_copy(const StoppingOptions& options,
                                          const std::function<AbbaTaken()>& take,
                                          const std::function<double()>& now);

/// Seconds below which no kernel can move `bytes` bytes, of which `cache_bytes` may stay in a cache
/// that is empty at first, through a memory of `bytes_per_second`.
double least_seconds(double bytes, double cache_bytes, double bytes_per_second);

}  // namespace warpgrade::measure

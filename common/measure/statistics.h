// SPDX-License-Identifier: Apache-2.0
// Statistics of samples, fed with plain numbers, so that they are tested without a device.
#pragma once

#include <optional>
#include <span>

namespace warpgrade::measure {

/// The middle value, or the mean of the two middle ones; throws base::UsageError on no samples.
double median(std::span<const double> samples);

struct Interval {
  double low = 0;
  double high = 0;
};

/// The interval between two of the samples that holds the median of what they are drawn from, wrong
/// with probability `risk` at most (both sides together). It follows from the sign test alone, so
/// it holds for every distribution; nothing where the samples are too few for it (14 for 0.0002).
std::optional<Interval> median_interval(std::span<const double> samples, double risk);

/// Standard deviation of the population that the samples are drawn from; 0 for fewer than two.
double standard_deviation(std::span<const double> samples);

}  // namespace warpgrade::measure

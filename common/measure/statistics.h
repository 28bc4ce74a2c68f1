// SPDX-License-Identifier: Apache-2.0
// Statistics of samples as plain numbers, so tests need no device.
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

/// The interval between two samples that contains the median of their distribution, wrong with
/// probability `risk` at most (both sides together). It relies only on the sign test, so it is
/// valid for every distribution. Returns nullopt for too few samples (fewer than 14 for a risk of
/// 0.0002).
std::optional<Interval> median_interval(std::span<const double> samples, double risk);

/// Sample standard deviation; 0 for fewer than two samples.
double standard_deviation(std::span<const double> samples);

}  // namespace warpgrade::measure

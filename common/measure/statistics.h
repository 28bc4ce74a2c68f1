// SPDX-License-Identifier: Apache-2.0
// Statistics of samples, fed with plain numbers.
#pragma once

#include <span>

namespace warpgrade::measure {

/// The middle value, or the mean of the two middle ones; throws base::UsageError on no samples.
double median(std::span<const double> samples);

/// How far samples lie from their median, as a fraction of it: the median of |sample - median|
/// over the median. 0 where all are equal; throws base::UsageError on no samples.
double relative_spread(std::span<const double> samples);

}  // namespace warpgrade::measure

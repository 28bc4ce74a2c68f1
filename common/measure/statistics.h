// SPDX-License-Identifier: Apache-2.0
// Statistics of samples, fed with plain numbers, so that they are tested without a device.
#pragma once

#include <span>

namespace warpgrade::measure {

/// The middle value, or the mean of the two middle ones; throws base::UsageError on no samples.
double median(std::span<const double> samples);

}  // namespace warpgrade::measure

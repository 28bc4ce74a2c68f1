// SPDX-License-Identifier: Apache-2.0
// The distance of two floats in units in the last place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/verify/element.h"

namespace warpgrade::verify {

/// Greater than any distance: one value is a NaN, or only one of them is infinite.
inline constexpr auto kNoUlps = std::numeric_limits<std::uint64_t>::max();

/// The number of steps between adjacent representable numbers from `a` to `b`, elements
/// of the float type `type`; the two zeros are equal. kNoUlps if no number of steps
/// suffices.
std::uint64_t ulps_between(ElementType type, const std::byte* a, const std::byte* b);

}  // namespace warpgrade::verify

// SPDX-License-Identifier: Apache-2.0
// How far apart two floats are, in units in the last place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/verify/element.h"

namespace warpgrade::verify {

/// Farther apart than any two numbers are: one is a NaN, or they are not both infinite.
inline constexpr auto kNoUlps = std::numeric_limits<std::uint64_t>::max();

/// How many steps from one representable number to the next lead from `a` to `b`, elements of the
/// float type `type`; the two zeros are the same. kNoUlps where no number of steps makes them
/// alike.
std::uint64_t ulps_between(ElementType type, const std::byte* a, const std::byte* b);

}  // namespace warpgrade::verify

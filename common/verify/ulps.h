// SPDX-License-Identifier: Apache-2.0
// The distance of two floats in units in the last place, and how large it may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/verify/element.h"

namespace warpgrade::verify {

/// Greater than any distance: one value is a NaN, or only one of them is infinite.
inline constexpr auto kNoUlps = std::numeric_limits<std::uint64_t>::max();

/// How an element may differ from the expected one.
struct Tolerance {
  std::uint64_t ulps = 0;  ///< Units in the last place; 0: not at all.
  /// The units are those of a number of at least this size, the sum of the magnitudes of the terms.
  /// A sum whose terms cancel may then be off by as much as one whose terms do not.
  double magnitude = 0;
  bool moves_bits = false;  ///< The expected NaN is right. Otherwise no NaN is.
};

/// The largest difference of finite elements of `type` that `tolerance` permits in any case.
double free_difference(ElementType type, const Tolerance& tolerance);

/// Whether `got` is a right element of the float type `type`.
bool is_within(ElementType type, const std::byte* expected, const std::byte* got,
               const Tolerance& tolerance);

/// The number of steps between adjacent representable numbers from `a` to `b`, elements
/// of the float type `type`; the two zeros are equal. kNoUlps if no number of steps
/// suffices.
std::uint64_t ulps_between(ElementType type, const std::byte* a, const std::byte* b);

}  // namespace warpgrade::verify

// SPDX-License-Identifier: Apache-2.0
// Contents of buffers: inputs in which every element has its own value, and poison for outputs.
//
// Every element is a function of (type, seed, index) alone: a longer buffer starts with the same
// elements as a shorter one, and the same seed gives the same bytes everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/verify/element.h"

namespace warpgrade::verify {

/// How an input is filled. For integer types kOddEighths are the numerators.
enum class Fill {
  kDistinct,    ///< Every element its own value (see below), in seeded order.
  kSmallWhole,  ///< Whole numbers from 0 to 7, so that sums are exact in any order; seeded.
  kOddEighths,  ///< Floats: odd multiples of 1/8 between -32 and 32, seeded (see below).
  kIota,        ///< 0, 1, 2, ...: integers wrap around, floats round to the nearest.
  kZeros,
  kRandom,  ///< Uniform bits for integers, uniform in [0, 1) for floats; seeded.
};

/// Whether the seed decides the order of the elements.
constexpr bool is_seeded(Fill how) { return how != Fill::kIota && how != Fill::kZeros; }

/// `count` elements. kDistinct repeats itself only after 2^31 elements of f32, 2^56 of f64, 61440
/// of f16, and 15/16 of all values of an integer type; floats are normal numbers, f32 and f64
/// between 1 and 256 in magnitude for the first 2^27 elements.
///
/// Sums of kOddEighths are exact in f32 in whatever order a kernel adds: a multiple of 1/8 is below
/// 2^21, and a sum of n has a standard deviation of 18.5 sqrt(n), a tenth of that for 2^27. None is
/// whole, half are negative, and a sum of 512 takes more bits than f16 or bf16 have, so that sums
/// in a narrower type, or of magnitudes, are wrong.
std::vector<std::byte> fill(ElementType type, std::uint64_t count, Fill how, std::uint64_t seed);
/// The same elements from `first` on: as many as `to` has room for.
void fill(ElementType type, std::uint64_t first, std::span<std::byte> to, Fill how,
          std::uint64_t seed);

/// Bytes that no right result holds, so that an element that was never written is told apart from a
/// wrong one: for floats a NaN with a seeded payload (never a payload that arithmetic makes), for
/// integers a value from the sixteenth of the range that kDistinct leaves out (the most negative
/// ones, the largest of unsigned types). With kRandom integers a chance hit is possible.
std::vector<std::byte> poison(ElementType type, std::uint64_t count, std::uint64_t seed);
void poison(ElementType type, std::uint64_t first, std::span<std::byte> to, std::uint64_t seed);

}  // namespace warpgrade::verify

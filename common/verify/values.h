// SPDX-License-Identifier: Apache-2.0
// Contents of buffers: inputs in which every element has a distinct value, and poison for outputs.
//
// Every element is a function of only (type, seed, index): a longer buffer starts with the elements
// of a shorter one, and the same seed gives the same bytes everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/verify/element.h"

namespace warpgrade::verify {

/// The content of an input. For integer types kOddEighths are the numerators.
enum class Fill {
  kDistinct,    ///< Distinct elements (see below), in seeded order.
  kSmallWhole,  ///< Whole numbers from 0 to 7, so that sums are exact in any order; seeded.
  kOddEighths,  ///< Floats: odd multiples of 1/8 between -32 and 32, seeded (see below).
  kIota,        ///< 0, 1, 2, ...: integers wrap, floats round to the nearest.
  kZeros,
  kRandom,        ///< Uniform bits for integers, uniform in [0, 1) for floats; seeded.
  kSignedRandom,  ///< The same, but floats are uniform in (-1, 1).
  kSignedWhole,   ///< Whole numbers from -8 to 7 (modulo 2^bits for unsigned types); seeded.
  kAnyBits,       ///< kDistinct with some of the floats that only a move of their bits keeps.
};

/// Whether the seed affects the elements.
constexpr bool is_seeded(Fill how) { return how != Fill::kIota && how != Fill::kZeros; }

/// `count` elements. kDistinct repeats only after 2^31 elements of f32, 2^56 of f64, 61,440 of f16,
/// and 15/16 of all values of an integer type; floats are normal numbers, and f32 and f64 have
/// magnitudes between 1 and 256 for the first 2^27 elements.
///
/// Sums of kOddEighths are exact in f32 in every order: multiples of 1/8 are exact below 2^21, and
/// a sum of n has a standard deviation of 18.5 sqrt(n), a tenth of that for 2^27. No value is
/// whole, half are negative, and a sum of 512 needs more bits than f16 or bf16 have, so sums in a
/// narrower type, or of magnitudes, are wrong.
///
/// kAnyBits replaces one float of 64 or more: by NaNs with a payload (quiet and signalling), by
/// denormals, and, rarer and not distinct, by zeros and infinities of both signs.
std::vector<std::byte> fill(ElementType type, std::uint64_t count, Fill how, std::uint64_t seed);
/// The same elements from `first` on, as many as `to` has room for.
void fill(ElementType type, std::uint64_t first, std::span<std::byte> to, Fill how,
          std::uint64_t seed);

/// Bytes that no right result contains, to distinguish elements that were never written from wrong
/// ones. For floats: a NaN with a seeded payload (never one that arithmetic produces). For
/// integers: a value from the sixteenth of the range that kDistinct leaves out (the most negative
/// values, or the largest of unsigned types). Random integers (kRandom) may match by chance.
std::vector<std::byte> poison(ElementType type, std::uint64_t count, std::uint64_t seed);
void poison(ElementType type, std::uint64_t first, std::span<std::byte> to, std::uint64_t seed);

}  // namespace warpgrade::verify

// SPDX-License-Identifier: Apache-2.0
// Contents of buffers: inputs in which every element has a distinct value, poison for outputs,
// and integers that depend on a number.
//
// Every element is a function of only (contents, seed, index): a longer buffer starts with the
// elements of a shorter one. The same seed gives the same bytes everywhere. The integers are
// random indices into other buffers, the first elements of CSR rows, and mostly equal elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/verify/element.h"

namespace warpgrade::verify {

// Seeded bit mixing, the source of every pseudo-random value of this stage.
//
// mix() hashes (seed, stream, index) to 64 unrelated bits. Permutation is a bijection on numbers of
// a given width: every input has its own output, and neighbours are far apart. Both are stateless
// arithmetic, so any element can be computed alone and in any order.

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection on 64 bits.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// 64 bits for element `index`; different seeds and different streams are unrelated.
class Mixer {
 public:
  constexpr Mixer(std::uint64_t seed, std::uint64_t stream)
      : start_(scramble(scramble(seed + kGolden) + stream * kGolden)) {}
  constexpr std::uint64_t operator()(std::uint64_t index) const {
    return scramble(start_ + index * kGolden);
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;
  std::uint64_t start_;
};

/// A seeded bijection on [0, 2^bits), computed in Word (32 or 64 bits wide, at least `bits`). Each
/// step (xor or add a key, multiply by an odd number, fold the high half onto the low one) is a
/// bijection modulo 2^bits, so their composition is one, too.
template <class Word>
class Permutation {
 public:
  constexpr Permutation(unsigned bits, std::uint64_t seed)
      : fold_((bits + 1) / 2), mask_(static_cast<Word>(~Word{0} >> (8 * sizeof(Word) - bits))) {
    const Mixer key(seed, 1);
    for (unsigned i = 0; i < 3; ++i) key_[i] = static_cast<Word>(key(i));
  }

  constexpr Word operator()(Word x) const {
    x = ((x ^ key_[0]) * static_cast<Word>(kFactors[0])) & mask_;
    x = ((x ^ (x >> fold_)) * static_cast<Word>(kFactors[1]) + key_[1]) & mask_;
    x = ((x ^ (x >> fold_)) * static_cast<Word>(kFactors[2]) + key_[2]) & mask_;
    return x ^ (x >> fold_);
  }

 private:
  // Odd in the low 32 bits and in all 64 bits, because they are used modulo 2^bits of any width.
  static constexpr std::uint64_t kFactors[3] = {0xbf58476d7feb352dU, 0x94d049bb846ca68bU,
                                                0xd6e8feb8c2b2ae35U};
  unsigned fold_;
  Word mask_;
  Word key_[3] = {};
};

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

// Contents of integer buffers that depend on a number: random indices into other buffers, the first
// elements of the rows of a sparse matrix in CSR form, and elements that are mostly equal.
//
// Every element is a function of only (contents, seed, index), so any part of a buffer can be made
// alone.

enum class IndexKind {
  kBelow,         ///< Uniform from 0 to bound - 1.
  kStarts,        ///< Ascends from 0 to bound: row lengths are random, from 0 to twice their mean.
  kSkewedStarts,  ///< The same, but one row in every kSkewedRows has half of their elements.
  kMostlyEqual,   ///< `bound` percent have one random value, which depends on the seed; the others
                  ///< have random bits.
  kShuffled,  ///< Each number from 0 to bound - 1 once, in seeded order, and again from there on.
  /// Row lengths run through kEdgeLengths, from a seeded one on, until `bound` elements are used
  /// up; the last row has the rest.
  kEdgeStarts
};

/// Lengths at which a kernel may change its way: nothing, and powers of two and their neighbours.
inline constexpr std::array<std::uint32_t, 20> kEdgeLengths = {
    33, 512, 0, 1023, 64, 1, 257, 32, 1025, 127, 31, 511, 65, 256, 1024, 63, 128, 513, 255, 129};

/// The largest bound of kMostlyEqual.
inline constexpr std::uint64_t kAllEqual = 100;

struct IndexFill {
  IndexKind kind{};
  std::uint64_t bound = 0;  ///< At most 2^32; of kMostlyEqual a percentage.
  std::uint64_t count = 0;  ///< Elements of the whole buffer: for starts one more than rows.
};

/// Fills `to` with the elements from `first` on. `type` is an integer of 4 or 8 bytes, for
/// kMostlyEqual of any size.
void fill_indices(ElementType type, std::uint64_t first, std::span<std::byte> to,
                  const IndexFill& how, std::uint64_t seed);

}  // namespace warpgrade::verify

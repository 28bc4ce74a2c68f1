// SPDX-License-Identifier: Apache-2.0
// Seeded bit mixing, the source of every pseudo-random value of this stage.
//
// mix() hashes (seed, stream, index) to 64 unrelated bits. Permutation is a bijection on numbers of
// a given width: every input has its own output, and neighbours are far apart. Both are stateless
// arithmetic, so any element can be computed alone and in any order.
#pragma once

#include <cstdint>

namespace warpgrade::verify {

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

}  // namespace warpgrade::verify

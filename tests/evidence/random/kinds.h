// SPDX-License-Identifier: Apache-2.0
// The types of values in random programs, and a random number generator with fixed behaviour.
//
// kPred is a condition: an expression, but never a variable. The name of a kind is also the name of
// its C++ type in the programs (see prelude.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::programs {

enum class Kind : std::uint8_t {
  kU8,
  kS8,
  kU16,
  kS16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF32,
  kF64,
  kF16,
  kBf16,
  kF16x2,
  kBf16x2,
  kPred,
};
constexpr std::size_t kKinds = 15;

/// Name of the C++ type, and of the PTX type if there is one ("u32").
std::string_view name(Kind kind);
std::uint32_t bits(Kind kind);
bool is_integer(Kind kind);
bool is_signed(Kind kind);

/// SplitMix64. A seed must give the same programs everywhere, so no standard distribution is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// 0 to `count` - 1.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((next() >> 32) * count >> 32);
  }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }

 private:
  std::uint64_t state_;
};

/// Bits of a value of `width` bits, with frequent edge values: NaNs, infinities, subnormals, zeros
/// of both signs, the limits of the integer ranges, small numbers.
std::uint64_t edge_bits(Random& random, std::uint32_t width);

}  // namespace warpgrade::programs

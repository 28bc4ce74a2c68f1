// SPDX-License-Identifier: Apache-2.0
// One element of a matrix product as computed by tensor cores.
//
// Products are exact. A step aligns the sum so far and up to 16 products to the largest exponent
// among them. It truncates each to a number of fraction bits, adds them, and converts the sum.
// Sources: outputs of an H200 (tests/evidence/golden/h200_mma); MMA-Sim (arXiv 2511.10909), after
// Fasi et al., "Numerical behavior of NVIDIA tensor cores" (PeerJ Computer Science, 2021).
#pragma once

#include <cstdint>
#include <string_view>

#include "common/sim/micro_op.h"

namespace warpgrade::sim {

// A step aligns the sum so far and up to 16 products to the largest exponent among them, truncates
// each to a number of fraction bits (towards zero), adds them, and converts the sum to the result's
// format: truncated for f32, rounded to nearest even for f16. The exponent of a product is the sum
// of its factors' exponents, for any significand; zeros have none. Summands are never aligned to
// less than 2^-133. A sum of zero is +0, including sums of negative zeros and sums that round to
// zero. A NaN is 0x7fffffff, in f16 0x7fff.
//
// Sources: for sm_90, outputs of an H200 (tests/evidence/golden/h200_mma), which this matches bit
// by bit; for others, Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix
// Cores" (arXiv 2511.10909), after Fasi et al., "Numerical behavior of NVIDIA tensor cores" (PeerJ
// Computer Science, 2021).

/// A source or a sum: significand * 2^(exponent - fraction); the fraction has kSourceFraction bits
/// for sources and kSumFraction bits for sums.
struct TensorNumber {
  enum class Kind : std::uint8_t { kFinite, kInfinite, kNan };
  std::int32_t significand = 0;  ///< Signed; for an infinity, 1 or -1.
  std::int16_t exponent = 0;     ///< kNoExponent for zeros.
  Kind kind{};
};

/// The rule of the generation that `target` ("sm_90") belongs to.
TensorRule tensor_rule(std::string_view target);

/// `bits` of an element (f16, bf16, tf32) as a source.
TensorNumber tensor_source(Element element, std::uint32_t bits);
/// `bits` of an addend (f16, f32) as the first sum.
TensorNumber tensor_addend(Element element, std::uint32_t bits);

/// addend + a[0] * b[0] + ... + a[count - 1] * b[count - 1] in one step, as bits of `result` (f16
/// or f32).
std::uint32_t tensor_step(const TensorNumber* a, const TensorNumber* b, std::uint32_t count,
                          const TensorNumber& addend, const TensorRule& rule, Element result);

/// The f16 nearest to the f32 with these bits, ties to even.
std::uint32_t round_to_f16(std::uint32_t f32_bits);
/// The f32 of an f16.
std::uint32_t widen_f16(std::uint32_t f16_bits);

}  // namespace warpgrade::sim

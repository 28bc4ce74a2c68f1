// SPDX-License-Identifier: Apache-2.0
// Subnormals and rounding use float arithmetic, which is exact for them. The rest shifts the bits
// and changes the bias of the exponent.
#include "common/verify/half.h"

#include <bit>
#include <cmath>

namespace warpgrade::verify {

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t mantissa = bits & 0x3ffU;
  if (exponent == 0) {  // zero and subnormals: mantissa units of 2^-24
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent - 15 + 127;
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

std::uint16_t half_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x1p-14F) {  // below the least normal number: nearbyint rounds to even
    return static_cast<std::uint16_t>(sign |
                                      static_cast<unsigned>(std::nearbyint(magnitude * 0x1p24F)));
  }
  // Change the bias of the exponent, then round off 13 bits; a carry into the exponent is correct.
  const std::uint32_t shifted = (bits & 0x7fffffffU) - ((127U - 15U) << 23);
  const std::uint32_t rounded = shifted + 0xfffU + ((shifted >> 13) & 1U);
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

}  // namespace warpgrade::verify

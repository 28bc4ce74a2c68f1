// SPDX-License-Identifier: Apache-2.0
// Without its sign, the bits of a float are the number of floats between it and zero.
#include "common/verify/ulps.h"

#include <cmath>
#include <cstring>

#include "common/verify/half.h"

namespace warpgrade::verify {
namespace {

struct Steps {
  std::uint64_t from_zero = 0;
  bool is_negative = false;
};

Steps steps_of(const std::byte* element, std::uint32_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, bytes);  // GPUs and their hosts are little-endian
  const auto sign = std::uint64_t{1} << (8 * bytes - 1);
  return {bits & (sign - 1), (bits & sign) != 0};
}

std::uint64_t steps_to_infinity(ElementType type) {
  switch (type) {
    case ElementType::kF16:
      return 0x7c00;
    case ElementType::kF32:
      return 0x7f800000;
    default:
      return 0x7ff0000000000000;
  }
}

double number(ElementType type, const std::byte* element) {
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, element, sizeof(value));
    return value;
  };
  if (type == ElementType::kF16) return half_to_float(as(std::uint16_t{}));
  return type == ElementType::kF32 ? as(0.0F) : as(0.0);
}

}  // namespace

double free_difference(ElementType type, const Tolerance& tolerance) {
  if (tolerance.magnitude <= 0) return 0;
  const int digits = type == ElementType::kF16 ? 11 : type == ElementType::kF32 ? 24 : 53;
  return static_cast<double>(tolerance.ulps) *
         std::ldexp(1, std::ilogb(tolerance.magnitude) - (digits - 1));
}

bool is_within(ElementType type, const std::byte* expected, const std::byte* got,
               const Tolerance& tolerance) {
  const auto apart = ulps_between(type, expected, got);
  if (apart == kNoUlps) {
    return tolerance.moves_bits && std::memcmp(expected, got, size_of(type)) == 0;
  }
  if (tolerance.ulps == 0) return std::memcmp(expected, got, size_of(type)) == 0;
  return apart <= tolerance.ulps ||
         std::abs(number(type, expected) - number(type, got)) <= free_difference(type, tolerance);
}

std::uint64_t ulps_between(ElementType type, const std::byte* a, const std::byte* b) {
  const auto x = steps_of(a, size_of(type));
  const auto y = steps_of(b, size_of(type));
  const auto infinity = steps_to_infinity(type);
  if (x.from_zero > infinity || y.from_zero > infinity) return kNoUlps;
  const bool is_infinite = x.from_zero == infinity || y.from_zero == infinity;
  const bool is_same_side = x.is_negative == y.is_negative;
  if (is_infinite) return is_same_side && x.from_zero == y.from_zero ? 0 : kNoUlps;
  if (!is_same_side) return x.from_zero + y.from_zero;
  return x.from_zero > y.from_zero ? x.from_zero - y.from_zero : y.from_zero - x.from_zero;
}

}  // namespace warpgrade::verify

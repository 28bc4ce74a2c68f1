// SPDX-License-Identifier: Apache-2.0
// The element types of buffers: names, sizes, readable text, half floats, and distances in ulps.
//
// One table has the types. A float prints as the shortest decimal number that reads back
// unchanged. Conversion of half floats uses integer arithmetic and exact float arithmetic.
// Without its sign, the bits of a float are the number of floats between it and zero.
#include "common/verify/element.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::verify {

// Subnormals and rounding use float arithmetic, which is exact for them. The rest shifts the bits
// and changes the bias of the exponent.

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

namespace {

struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;
  bool is_float;
  bool is_signed;
};

const TypeRow& row(ElementType type) {
  static constexpr std::array<TypeRow, 11> kRows = {{{"i8", 1, false, true},
                                                     {"u8", 1, false, false},
                                                     {"i16", 2, false, true},
                                                     {"u16", 2, false, false},
                                                     {"i32", 4, false, true},
                                                     {"u32", 4, false, false},
                                                     {"i64", 8, false, true},
                                                     {"u64", 8, false, false},
                                                     {"f16", 2, true, true},
                                                     {"f32", 4, true, true},
                                                     {"f64", 8, true, true}}};
  return kRows.at(static_cast<std::size_t>(type));
}

template <class Bits>
std::string format_integer(const std::byte* element) {
  Bits value{};
  std::memcpy(&value, element, sizeof(value));
  return fmt::format("{:d}", value);
}

template <class Float>
std::string format_float(Float value, std::uint64_t bits, std::uint32_t bytes) {
  if (std::isnan(value)) return fmt::format("NaN 0x{:0{}x}", bits, 2 * bytes);
  return fmt::format("{}", value);
}

}  // namespace

std::uint32_t size_of(ElementType type) { return row(type).bytes; }

bool is_float(ElementType type) { return row(type).is_float; }

bool is_signed(ElementType type) { return row(type).is_signed; }

std::optional<ElementType> element_type(std::string_view name) {
  for (auto type = ElementType::kI8; type <= ElementType::kF64;
       type = static_cast<ElementType>(static_cast<int>(type) + 1)) {
    if (row(type).name == name) return type;
    if (type == ElementType::kF64) break;
  }
  return std::nullopt;
}

std::string_view name_of(ElementType type) { return row(type).name; }

std::string format(ElementType type, const std::byte* element) {
  std::uint64_t bits = 0;  // hosts are little-endian, like the device
  std::memcpy(&bits, element, size_of(type));
  switch (type) {
    case ElementType::kI8:
      return format_integer<std::int8_t>(element);
    case ElementType::kU8:
      return format_integer<std::uint8_t>(element);
    case ElementType::kI16:
      return format_integer<std::int16_t>(element);
    case ElementType::kU16:
      return format_integer<std::uint16_t>(element);
    case ElementType::kI32:
      return format_integer<std::int32_t>(element);
    case ElementType::kU32:
      return format_integer<std::uint32_t>(element);
    case ElementType::kI64:
      return format_integer<std::int64_t>(element);
    case ElementType::kU64:
      return format_integer<std::uint64_t>(element);
    case ElementType::kF16:
      return format_float(half_to_float(static_cast<std::uint16_t>(bits)), bits, 2);
    case ElementType::kF32:
      return format_float(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), bits, 4);
    case ElementType::kF64:
      break;
  }
  return format_float(std::bit_cast<double>(bits), bits, 8);
}

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

// SPDX-License-Identifier: Apache-2.0
#include "grader/text/scalars.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>

#include "common/verify/half.h"

namespace warpgrade::grader::text {
namespace {

using verify::ElementType;

template <typename T>
std::vector<std::byte> bytes_of(T value) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<std::byte> out(sizeof(T));
  std::memcpy(out.data(), &value, sizeof(T));
  return out;
}

template <typename T>
std::optional<std::vector<std::byte>> encode_integer(double value) {
  // Both limits are exact as doubles: the upper one is a power of two.
  const auto below = std::ldexp(1.0, std::numeric_limits<T>::digits);
  const auto least = static_cast<double>(std::numeric_limits<T>::min());
  if (!(value >= least && value < below) || value != std::floor(value)) return std::nullopt;
  return bytes_of(static_cast<T>(value));
}

template <typename T>
std::optional<T> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  auto digits = negative ? text.substr(1) : text;
  const int base = digits.starts_with("0x") || digits.starts_with("0X") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (!negative) return magnitude <= most ? std::optional(static_cast<T>(magnitude)) : std::nullopt;
  if constexpr (std::numeric_limits<T>::is_signed) {
    if (magnitude <= most + 1) return static_cast<T>(std::uint64_t{0} - magnitude);
  }
  return magnitude == 0 ? std::optional(T{0}) : std::nullopt;
}

template <typename T>
std::optional<std::vector<std::byte>> parse_as_integer(std::string_view text) {
  const auto value = parse_integer<T>(text);
  return value ? std::optional(bytes_of(*value)) : std::nullopt;
}

std::optional<double> parse_double(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::vector<std::byte>> encode(ElementType type, double value) {
  switch (type) {
    case ElementType::kI8:
      return encode_integer<std::int8_t>(value);
    case ElementType::kU8:
      return encode_integer<std::uint8_t>(value);
    case ElementType::kI16:
      return encode_integer<std::int16_t>(value);
    case ElementType::kU16:
      return encode_integer<std::uint16_t>(value);
    case ElementType::kI32:
      return encode_integer<std::int32_t>(value);
    case ElementType::kU32:
      return encode_integer<std::uint32_t>(value);
    case ElementType::kI64:
      return encode_integer<std::int64_t>(value);
    case ElementType::kU64:
      return encode_integer<std::uint64_t>(value);
    case ElementType::kF16:
      return bytes_of(verify::half_from_float(static_cast<float>(value)));
    case ElementType::kF32:
      return bytes_of(static_cast<float>(value));
    case ElementType::kF64:
      return bytes_of(value);
  }
  return std::nullopt;
}

std::optional<std::vector<std::byte>> parse_scalar(ElementType type, std::string_view text) {
  switch (type) {
    case ElementType::kI8:
      return parse_as_integer<std::int8_t>(text);
    case ElementType::kU8:
      return parse_as_integer<std::uint8_t>(text);
    case ElementType::kI16:
      return parse_as_integer<std::int16_t>(text);
    case ElementType::kU16:
      return parse_as_integer<std::uint16_t>(text);
    case ElementType::kI32:
      return parse_as_integer<std::int32_t>(text);
    case ElementType::kU32:
      return parse_as_integer<std::uint32_t>(text);
    case ElementType::kI64:
      return parse_as_integer<std::int64_t>(text);
    case ElementType::kU64:
      return parse_as_integer<std::uint64_t>(text);
    case ElementType::kF16:
    case ElementType::kF32:
    case ElementType::kF64:
      break;
  }
  const auto value = parse_double(text);
  return value ? encode(type, *value) : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (text.starts_with('-')) return std::nullopt;
  return parse_integer<std::uint64_t>(text);
}

std::string_view name(ElementType type) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"};
  return kNames.at(static_cast<std::size_t>(type));
}

}  // namespace warpgrade::grader::text

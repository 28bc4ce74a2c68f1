// SPDX-License-Identifier: Apache-2.0
// One table of the types. A float prints as the shortest decimal number that reads back unchanged.
#include "common/verify/element.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "common/verify/half.h"

namespace warpgrade::verify {
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

}  // namespace warpgrade::verify

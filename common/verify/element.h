// SPDX-License-Identifier: Apache-2.0
// The element types of buffers: their names on the command line and in manifests, their sizes,
// and a readable form of an element.
//
// It also converts IEEE 754 binary16 to and from float, because not all host compilers in use
// have a 16-bit float type. The distance of two floats is in units in the last place (ulps).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::verify {

// IEEE 754 binary16 to and from float, in integer arithmetic: the host compilers in use do not all
// have a 16-bit float type.

/// The value of the half with these bits; exact.
float half_to_float(std::uint16_t bits);

/// The half nearest to `value`, ties to even; infinity from 65520 up, NaN stays a NaN.
std::uint16_t half_from_float(float value);

enum class ElementType { kI8, kU8, kI16, kU16, kI32, kU32, kI64, kU64, kF16, kF32, kF64 };

/// Size of one element in bytes.
std::uint32_t size_of(ElementType type);
/// "f32" -> kF32; nullopt if unknown.
std::optional<ElementType> element_type(std::string_view name);
/// "f32" for kF32.
std::string_view name_of(ElementType type);
/// True for kF16, kF32 and kF64.
bool is_float(ElementType type);
/// False for the unsigned integers.
bool is_signed(ElementType type);
/// A readable form of an element: "3.5", "-7"; a NaN with its bits: "NaN 0x7fc12345". Different
/// bits give different texts.
std::string format(ElementType type, const std::byte* element);

// The distance of two floats in units in the last place, and how large it may be.

/// Greater than any distance: one value is a NaN, or only one of them is infinite.
inline constexpr auto kNoUlps = std::numeric_limits<std::uint64_t>::max();

/// How an element may differ from the expected one.
struct Tolerance {
  std::uint64_t ulps = 0;  ///< Units in the last place; 0: not at all.
  /// The units are those of a number of at least this size, the sum of the magnitudes of the terms.
  /// A sum whose terms cancel may then be off by as much as one whose terms do not.
  double magnitude = 0;
  bool moves_bits = false;  ///< The expected NaN is right. Otherwise no NaN is.
};

/// The largest difference of finite elements of `type` that `tolerance` permits in any case.
double free_difference(ElementType type, const Tolerance& tolerance);

/// Whether `got` is a right element of the float type `type`.
bool is_within(ElementType type, const std::byte* expected, const std::byte* got,
               const Tolerance& tolerance);

/// The number of steps between adjacent representable numbers from `a` to `b`, elements
/// of the float type `type`; the two zeros are equal. kNoUlps if no number of steps
/// suffices.
std::uint64_t ulps_between(ElementType type, const std::byte* a, const std::byte* b);

}  // namespace warpgrade::verify

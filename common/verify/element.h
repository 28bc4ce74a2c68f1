// SPDX-License-Identifier: Apache-2.0
// The element types of buffers: their names on the command line and in manifests, their sizes, and
// a readable form of an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::verify {

enum class ElementType { kI8, kU8, kI16, kU16, kI32, kU32, kI64, kU64, kF16, kF32, kF64 };

/// Size of one element in bytes.
std::uint32_t size_of(ElementType type);
/// "f32" -> kF32; nullopt if unknown.
std::optional<ElementType> element_type(std::string_view name);
/// True for kF16, kF32 and kF64.
bool is_float(ElementType type);
/// False for the unsigned integers.
bool is_signed(ElementType type);
/// A readable form of an element: "3.5", "-7"; a NaN with its bits: "NaN 0x7fc12345". Different
/// bits give different texts.
std::string format(ElementType type, const std::byte* element);

}  // namespace warpgrade::verify

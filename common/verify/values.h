// SPDX-License-Identifier: Apache-2.0
// Contents of buffers: inputs in which every element has its own value, and poison for outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::verify {

enum class ElementType { kI8, kU8, kI16, kU16, kI32, kU32, kI64, kU64, kF16, kF32, kF64 };

std::uint32_t size_of(ElementType type);
/// "f32" -> kF32; nothing where there is no such type.
std::optional<ElementType> element_type(std::string_view name);
/// One element as a person writes it: "3.5", "-7"; NaN with its bits.
std::string format(ElementType type, const std::byte* element);

/// How an input is filled.
enum class Fill {
  kDistinct,    ///< Every element its own value (as far as the type has room), in seeded order.
  kSmallWhole,  ///< Whole numbers from 0 to 7, so that sums are exact in any order; for f32 and up.
  kIota,        ///< 0, 1, 2, ...
  kZeros,
  kRandom,      ///< Uniform bits for integers, uniform in [0, 1) for floats; seeded.
};
std::vector<std::byte> fill(ElementType type, std::uint64_t count, Fill how, std::uint64_t seed);

/// Bytes that no right result holds: for each element a seeded NaN (floats) or a value far from any
/// input (integers), so that an element that was never written is told apart from a wrong one.
std::vector<std::byte> poison(ElementType type, std::uint64_t count, std::uint64_t seed);

}  // namespace warpgrade::verify

// SPDX-License-Identifier: Apache-2.0
// Numbers written by people, as the bytes that a kernel's parameter or a buffer holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/verify/values.h"

namespace warpgrade::grader {

/// `value` as an element of `type`, little-endian; nothing where an integer type does not hold it.
std::optional<std::vector<std::byte>> encode(verify::ElementType type, double value);

/// The number in `text`, decimal or (integers) 0x..., as an element of `type`; nothing where the
/// text is no number of that type or out of its range. Exact for 64-bit integers.
std::optional<std::vector<std::byte>> parse_scalar(verify::ElementType type, std::string_view text);

/// The number in `text`, all of it, decimal or 0x...; nothing where it is none or past 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// The name in the command line and in manifests: "f32".
std::string_view name(verify::ElementType type);

}  // namespace warpgrade::grader

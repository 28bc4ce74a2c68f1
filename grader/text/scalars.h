// SPDX-License-Identifier: Apache-2.0
// Numbers written by people, as the bytes that a kernel's parameter or a buffer holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/verify/values.h"

namespace warpgrade::grader::text {

/// `value` as an element of `type`, little-endian; nullopt if an integer type cannot represent it.
std::optional<std::vector<std::byte>> encode(verify::ElementType type, double value);

/// The number in `text`, decimal or (integers) 0x..., as an element of `type`; nullopt if the
/// text is not a number of that type or is out of its range. Exact for 64-bit integers.
std::optional<std::vector<std::byte>> parse_scalar(verify::ElementType type, std::string_view text);

/// `text` as a number, decimal or 0x...; nullopt if it is not a number or exceeds 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// The name in the command line and in manifests: "f32".
std::string_view name(verify::ElementType type);

}  // namespace warpgrade::grader::text

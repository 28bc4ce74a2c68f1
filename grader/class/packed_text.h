// SPDX-License-Identifier: Apache-2.0
// Text made small for the book (gzip): a page of a hundred kilobytes takes a tenth of that.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader {

/// Throws base::ToolError where there is not enough memory.
std::string pack_text(std::string_view text);

/// The text that pack_text() was given; empty for an empty one. Throws base::ToolError where the
/// bytes are not pack_text()'s, or hold more than `most_bytes`.
std::string unpack_text(std::string_view packed, std::size_t most_bytes = std::size_t{64} << 20);

}  // namespace warpgrade::grader

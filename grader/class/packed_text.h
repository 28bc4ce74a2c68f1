// SPDX-License-Identifier: Apache-2.0
// Compresses text for the book (gzip): a page of 100 KB shrinks to a tenth.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::class_book {

/// Throws base::ToolError if memory runs out.
std::string pack_text(std::string_view text);

/// Inverse of pack_text(); empty for an empty text. Throws base::ToolError if pack_text() did not
/// write the bytes, or if they hold more than `most_bytes`.
std::string unpack_text(std::string_view packed, std::size_t most_bytes = std::size_t{64} << 20);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Decoding of UTF-8 (RFC 3629) and UTF-16 (RFC 2781). The compiler process uses this, too, so it
// needs no library.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::base {

/// Bytes of the valid sequence at the start of `text`, which is not empty; 0 if it is invalid.
std::size_t utf8_length(std::string_view text);

/// The code point of the valid sequence of `length` bytes at the start of `text`.
char32_t first_code_point(std::string_view text, std::size_t length);

/// Appends `code_point`, at most 0x10ffff, to `out`.
void append_utf8(std::string& out, char32_t code_point);

/// UTF-16 with a byte order mark, or whose every second byte is usually zero, as UTF-8 without the
/// mark; nullopt for other bytes. Lone surrogates become '?'.
std::optional<std::string> utf8_of_utf16(std::string_view bytes);

/// `text` with each byte outside a valid sequence replaced by '?'; the length stays the same.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace warpgrade::base

// SPDX-License-Identifier: Apache-2.0
// Helpers for text from users: make it safe to print, split it into lines, compare it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade::base {

/// `text` with control characters as \xNN, so that it cannot move a terminal's cursor or forge a
/// line of a report. Newlines are kept only on request; tabs become \x09 or one space. Bytes that
/// are not valid UTF-8 also become \xNN, so the result is always valid UTF-8.
std::string escape_controls(std::string_view text, bool keep_newlines = false,
                            bool tab_as_space = false);

/// Whether `c` can be part of an identifier: an ASCII letter, a digit or an underscore.
bool is_word_letter(char c);

/// Line `number` (1-based) of `text` without its newline; empty if it does not exist.
std::string_view line_of(std::string_view text, std::uint32_t number);

/// Columns of valid UTF-8, provided that no character is wide.
std::size_t columns_of(std::string_view text);

/// Columns of a source line in a report; no kernel's line needs more.
constexpr std::size_t kMostSourceColumns = 160;

struct Excerpt {
  std::string text;
  std::size_t column = 0;  ///< Position of the requested column in the excerpt.
};

/// At most `width` columns of the valid UTF-8 `text`, around `column` (from 0); "..." replaces the
/// omitted parts.
Excerpt excerpt(std::string_view text, std::size_t column = 0,
                std::size_t width = kMostSourceColumns);

/// The candidate nearest to `word` by edit distance, if it is near enough to be a typing mistake
/// (at most a third of its length); empty otherwise. For "did you mean".
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// The source name of a variable or function in PTX: "tile" for "_ZZ4copyPfPKfiiE4tile",
/// "fill(int)" for "_Z4filli".
std::string source_name(const std::string& ptx_name);

}  // namespace warpgrade::base

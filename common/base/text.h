// SPDX-License-Identifier: Apache-2.0
// Small helpers on text that comes from users: made safe to print, cut into lines, compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade::base {

/// `text` with control characters written as \xNN, so that it cannot move a terminal's cursor or
/// forge a line of a report. Newlines are kept only on demand; tabs become \x09 or one space.
/// Bytes that are no valid UTF-8 become \xNN too, so that the result is always valid UTF-8.
std::string escape_controls(std::string_view text, bool keep_newlines = false,
                            bool tab_as_space = false);

/// The 1-based line `number` of `text` without its newline; empty where there is no such line.
std::string_view line_of(std::string_view text, std::uint32_t number);

/// Columns that valid UTF-8 takes, as long as no character is wide.
std::size_t columns_of(std::string_view text);

/// Columns of a source line that a report shows; no kernel's line needs more.
constexpr std::size_t kMostSourceColumns = 160;

struct Excerpt {
  std::string text;
  std::size_t column = 0;  ///< The column asked for, in the excerpt.
};

/// The valid UTF-8 `text` with `width` columns at most, those around `column` (from 0), and "..."
/// in the place of what is left out.
Excerpt excerpt(std::string_view text, std::size_t column = 0,
                std::size_t width = kMostSourceColumns);

/// The candidate nearest to `word` by edit distance, where it is near enough to be a typing
/// mistake (at most a third of its length); empty otherwise. For "did you mean".
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// The name that the source gives a variable or function of the PTX: "tile" for
/// "_ZZ4copyPfPKfiiE4tile", "fill(int)" for "_Z4filli".
std::string source_name(const std::string& ptx_name);

}  // namespace warpgrade::base

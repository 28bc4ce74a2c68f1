// SPDX-License-Identifier: Apache-2.0
// Helpers for text: counts for people, text from users, and digests (SHA-256, FIPS 180-4).
//
// Counts have separators and a noun: "4,810 blocks". Text from users is made safe to print, split
// into lines and compared.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::base {

// Counts for people: "4,063,232", and with a noun "1 block", "4,810 blocks".

/// `number`, in decimal digits, with thousands separators before its point.
inline std::string with_separators(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  for (auto at = std::min(number.find('.'), number.size()); at > first + 3; at -= 3) {
    number.insert(at - 3, 1, ',');
  }
  return number;
}

inline std::string grouped(std::uint64_t count) {
  return with_separators(fmt::format("{}", count));
}

/// For nouns with a plural in s.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

/// `command_line`, or `python` if the Python package has called (environment variable
/// WARPGRADE_CALLER): what to do next, in the words of the user.
std::string for_caller(std::string_view command_line, std::string_view python);

/// Whether the wrapper `./warpgrade` of a checkout or a packed course has started this program
/// (environment variable WARPGRADE_CALL). It installs what is missing.
bool is_called_by_wrapper();

/// How the user calls this program, for commands in messages: the wrapper's path, or "warpgrade" if
/// the program is installed.
std::string program_call();

/// `text` with control characters as \xNN, so that it cannot move a terminal's cursor or forge a
/// line of a report. Newlines are kept only on request; tabs become \x09 or one space. Bytes that
/// are not valid UTF-8 also become \xNN, so the result is always valid UTF-8.
std::string escape_controls(std::string_view text, bool keep_newlines = false,
                            bool tab_as_space = false);

/// Whether `c` can be part of an identifier: an ASCII letter, a digit or an underscore.
bool is_word_letter(char c);

/// `text` without the spaces, tabs and ends of lines around it.
std::string_view trimmed(std::string_view text);

/// The lines of `text` without their newlines.
std::vector<std::string_view> lines_of(std::string_view text);

/// At most `most` bytes of `text`, cut between characters and followed by "..." if it is longer.
std::string shortened(std::string_view text, std::size_t most);

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

// SHA-256 (FIPS 180-4): a digest that is practically unique to its text.

std::array<std::uint8_t, 32> sha256(std::string_view text);
/// The digest as 64 hexadecimal digits.
std::string sha256_hex(std::string_view text);
/// The digest in base64 (RFC 4648), as a page's Content-Security-Policy requires it.
std::string sha256_base64(std::string_view text);

}  // namespace warpgrade::base

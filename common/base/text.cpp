// SPDX-License-Identifier: Apache-2.0
// Helpers for text: counts for people, text from users, and digests (SHA-256, FIPS 180-4).
//
// Text from users is made safe to print, split into lines and compared. The distance of two words
// counts a swap of neighbouring letters as one mistake.
#include "common/base/text.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/utf8.h"

namespace warpgrade::base {
namespace {

// Optimal string alignment distance: swapping two neighbouring letters is one mistake, not two.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

constexpr std::string_view kEllipsis = "...";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The code point of a valid sequence of `length` bytes.
std::uint32_t code_point(std::string_view text, std::size_t length) {
  std::uint32_t point = static_cast<unsigned char>(text[0]);
  if (length > 1) point &= 0x7fU >> length;
  for (std::size_t i = 1; i < length; ++i) {
    point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  return point;
}

// Invisible characters: they change the direction of a text, end its line, or have no width
// (Unicode's Bidi_Control, line and paragraph separators, zero-width characters).
bool is_invisible(std::uint32_t point) {
  return point == 0x61c || (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x2069) ||
         point == 0xfeff;
}

}  // namespace

std::string escape_controls(std::string_view text, bool keep_newlines, bool tab_as_space) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const auto length = utf8_length(text);
    // C1 controls (U+0080 to U+009F) have two bytes in UTF-8 and are as dangerous as C0.
    const bool c1 = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    if (byte == '\n' && keep_newlines) {
      out += '\n';
    } else if (byte == '\t' && tab_as_space) {
      out += ' ';
    } else if (length == 0 || byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (c1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[1]));
    } else if (const auto point = code_point(text, length); is_invisible(point)) {
      out += fmt::format("\\u{:04x}", point);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while ((text[most] & 0xc0) == 0x80) --most;  // Not inside a UTF-8 character.
  return std::string(text.substr(0, most)) + "...";
}

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  if (number == 0) return {};
  auto line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string for_caller(std::string_view command_line, std::string_view python) {
  const char* caller = std::getenv("WARPGRADE_CALLER");
  return std::string(caller != nullptr && std::string_view(caller) == "python" ? python
                                                                               : command_line);
}

static std::string_view wrapper_call() {
  const auto* const call = std::getenv("WARPGRADE_CALL");
  return call == nullptr ? std::string_view{} : call;
}

bool is_called_by_wrapper() { return !wrapper_call().empty(); }

std::string program_call() {
  return is_called_by_wrapper() ? escape_controls(wrapper_call()) : "warpgrade";
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

Excerpt excerpt(std::string_view text, std::size_t column, std::size_t width) {
  const auto all = columns_of(text);
  if (all <= width) return {std::string(text), column};
  const auto begin = std::min(column - std::min(column, width / 2), all - width);
  const auto end = begin + width;
  Excerpt out{{}, column - begin};
  if (begin > 0) out.text = kEllipsis;
  const auto first = begin > 0 ? begin + kEllipsis.size() : begin;
  const auto last = end < all ? end - kEllipsis.size() : end;
  std::size_t at = 0;  // columns up to and including this byte's character
  for (const char c : text) {
    at += begins_character(c) ? 1 : 0;
    if (at > last) break;
    if (at > first) out.text += c;
  }
  if (end < all) out.text += kEllipsis;
  return out;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const auto candidate : candidates) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string source_name(const std::string& ptx_name) {
  if (!ptx_name.starts_with("_Z")) return ptx_name;  // "d" would demangle to double
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(ptx_name.c_str(), nullptr, nullptr, &status), &std::free);
  const std::string name = status == 0 && demangled ? demangled.get() : ptx_name;
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

std::string sha256_hex(std::string_view text) {
  return fmt::format("{:02x}", fmt::join(sha256(text), ""));
}

std::string sha256_base64(std::string_view text) {
  std::string out(BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base64_encode_raw(out.data(), SHA256_DIGEST_SIZE, sha256(text).data());
  return out;
}

}  // namespace warpgrade::base

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/source_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/utf8.h"
#include "grader/class/names.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::string_view kSpaces(" \t\r\n\f\v\0", 7);

// Texts of files that students rename, and what they are.
struct Mark {
  std::string_view start;  // In lower case, behind spaces.
  std::string_view refused;
};
constexpr std::array<Mark, 10> kMarks = {{
    {"pk\x03\x04", "it is a zip archive or an Office document by its content"},
    {"\xd0\xcf\x11\xe0", "it is an old Office document by its content"},
    {"{\\rtf", "it is a document in RTF by its content"},
    {"%pdf-", "it is a PDF by its content"},
    {"<!doctype", "it is an HTML page by its content"},
    {"<html", "it is an HTML page by its content"},
    {"<?xml", "it is an XML document by its content"},
    {"version https://git-lfs.github.com/spec",
     "it is a pointer of Git LFS: the repository does "
     "not contain the file itself (git lfs pull)"},
    {"\x1f\x8b", "it is a gzip archive by its content"},
    {"rar!", "it is a RAR archive by its content"},
}};

enum class Order : std::uint8_t { kNone, kLittle, kBig };

// The byte order of UTF-16: by its mark, or because every second byte is zero.
Order utf16_order(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe")) return Order::kLittle;
  if (bytes.starts_with("\xfe\xff")) return Order::kBig;
  const auto sample = bytes.substr(0, 4096);
  std::array<std::size_t, 2> zeros = {0, 0};
  for (std::size_t i = 0; i < sample.size(); ++i) zeros.at(i % 2) += sample[i] == '\0' ? 1 : 0;
  const auto half = sample.size() / 2;
  if (half == 0) return Order::kNone;
  if (zeros[1] * 10 >= half * 7 && zeros[0] * 10 < half) return Order::kLittle;
  if (zeros[0] * 10 >= half * 7 && zeros[1] * 10 < half) return Order::kBig;
  return Order::kNone;
}

std::string utf8_of(std::string_view bytes, Order order) {
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return order == Order::kLittle ? first | second << 8U : first << 8U | second;
  };
  std::string out;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    auto code = static_cast<char32_t>(unit(i));
    const bool is_pair = code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size();
    if (is_pair) {
      i += 2;
      code = 0x10000 + ((code - 0xd800) << 10U) + (static_cast<char32_t>(unit(i)) - 0xdc00);
    }
    if (code != 0xfeff) base::append_utf8(out, code);
  }
  return out;
}

}  // namespace

SourceText source_text(std::string bytes) {
  const auto order = utf16_order(bytes);
  if (order != Order::kNone) bytes = utf8_of(bytes, order);
  const auto begin = bytes.find_first_not_of(kSpaces);
  auto head = std::string_view(bytes).substr(std::min(begin, bytes.size()));
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  if (head.find_first_not_of(kSpaces) == std::string_view::npos) return {"", "it has no text"};
  const auto start = ascii_lower(head.substr(0, 64));
  for (const auto& mark : kMarks) {
    if (start.starts_with(mark.start)) return {"", std::string(mark.refused)};
  }
  if (bytes.find('\0') != std::string::npos) {
    return {"", "it is no text: it has bytes that are zero"};
  }
  return {std::move(bytes), ""};
}

bool is_same_source(std::string_view a, std::string_view b) {
  const auto next_line = [](std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && kSpaces.find(line.back()) != std::string_view::npos) {
      line.remove_suffix(1);
    }
    return line;
  };
  if (a.starts_with("\xef\xbb\xbf")) a.remove_prefix(3);
  while (!a.empty() || !b.empty()) {
    if (next_line(a) != next_line(b)) return false;
  }
  return true;
}

}  // namespace warpgrade::grader::class_book

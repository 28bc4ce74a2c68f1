// SPDX-License-Identifier: Apache-2.0
#include "grader/class/source_text.h"

#include <algorithm>
#include <array>
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

}  // namespace

SourceText source_text(std::string bytes) {
  if (auto converted = base::utf8_of_utf16(bytes)) bytes = *std::move(converted);
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

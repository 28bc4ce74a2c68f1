// SPDX-License-Identifier: Apache-2.0
#include "grader/class/csv_table.h"

#include <algorithm>
#include <cstdint>

#include "common/base/utf8.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr std::string_view kUtf16Mark = "\xff\xfe";

// UTF-16 of little-endian order as UTF-8.
std::string utf8_of(std::string_view bytes) {
  std::string out;
  const auto unit = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + 1])) << 8U;
  };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    auto code = unit(i);
    if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size()) {
      code = 0x10000 + ((code - 0xd800) << 10U) + (unit(i + 2) - 0xdc00);
      i += 2;
    }
    base::append_utf8(out, code);
  }
  return out;
}

// Valid UTF-8 as UTF-16 of little-endian order.
std::string utf16_of(std::string_view text) {
  std::string out;
  const auto put = [&](std::uint32_t unit) {
    out += static_cast<char>(unit & 0xffU);
    out += static_cast<char>(unit >> 8U);
  };
  while (!text.empty()) {
    const auto length = std::max(base::utf8_length(text), std::size_t{1});
    const auto code = static_cast<std::uint32_t>(base::first_code_point(text, length));
    text.remove_prefix(length);
    if (code >= 0x10000) {
      put(0xd800 + ((code - 0x10000) >> 10U));
      put(0xdc00 + ((code - 0x10000) & 0x3ffU));
    } else {
      put(code);
    }
  }
  return out;
}

char separator_of(std::string_view text) {
  std::size_t counts[3] = {0, 0, 0};
  constexpr std::string_view kSeparators = ",;\t";
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\n') break;
    if (const auto at = kSeparators.find(c); at != std::string_view::npos) ++counts[at];
  }
  return kSeparators[static_cast<std::size_t>(std::max_element(counts, counts + 3) - counts)];
}

}  // namespace

CsvTable::CsvTable(std::string_view bytes) {
  std::string converted;
  if (bytes.starts_with(kUtf16Mark)) {
    is_utf16_ = true;
    mark_ = kUtf16Mark;
    converted = utf8_of(bytes.substr(kUtf16Mark.size()));
    bytes = converted;
  } else if (bytes.starts_with(kUtf8Mark)) {
    mark_ = kUtf8Mark;
    bytes.remove_prefix(kUtf8Mark.size());
  }
  separator_ = separator_of(bytes);
  is_quoted_ = bytes.starts_with('"');
  bool in_quotes = false;
  bool at_start = true;
  for (const char c : bytes) {
    if (at_start) rows_.push_back({{""}, ""});
    at_start = false;
    auto& row = rows_.back();
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes || (c != separator_ && c != '\n')) {
      row.cells.back() += c;
    } else if (c == separator_) {
      row.cells.emplace_back();
    } else {
      auto& last = row.cells.back();
      row.end = last.ends_with('\r') ? "\r\n" : "\n";
      if (last.ends_with('\r')) last.pop_back();
      at_start = true;
    }
  }
}

std::string CsvTable::text(std::size_t row, std::size_t column) const {
  if (row >= rows_.size() || column >= rows_[row].cells.size()) return {};
  const auto& raw = rows_[row].cells[column];
  std::string out;
  bool in_quotes = false;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '"') {
      out += raw[i];
    } else if (in_quotes && i + 1 < raw.size() && raw[i + 1] == '"') {
      out += raw[i++];
    } else {
      in_quotes = !in_quotes;
    }
  }
  return out;
}

void CsvTable::put(std::size_t row, std::size_t column, std::string_view text) {
  auto& cells = rows_[row].cells;
  if (column >= cells.size()) cells.resize(column + 1);
  const bool is_quoted = is_quoted_ || cells[column].starts_with('"') ||
                         text.find_first_of("\",;\t\r\n") != std::string_view::npos;
  std::string raw;
  for (const char c : text) raw += c == '"' ? std::string("\"\"") : std::string(1, c);
  cells[column] = is_quoted ? "\"" + raw + "\"" : raw;
}

void CsvTable::insert_column(std::size_t column) {
  for (auto& row : rows_) {
    if (row.cells.size() < column || (row.cells.size() == 1 && row.cells[0].empty())) continue;
    row.cells.insert(row.cells.begin() + static_cast<std::ptrdiff_t>(column),
                     is_quoted_ ? "\"\"" : "");
  }
}

std::string CsvTable::bytes() const {
  std::string out;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) out += separator_;
      out += row.cells[i];
    }
    out += row.end;
  }
  return mark_ + (is_utf16_ ? utf16_of(out) : out);
}

}  // namespace warpgrade::grader::class_book

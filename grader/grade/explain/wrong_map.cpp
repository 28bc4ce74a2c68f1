// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/wrong_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "common/base/counted.h"
#include "common/verify/ulps.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::uint64_t kMostCells = 64;  // In a row, and rows.
constexpr std::size_t kMostRanges = 2;    // In the text; more are not a pattern.
constexpr std::uint64_t kTile = 32;

bool is_right_element(const cases::SizedBuffer& buffer, const std::byte* expected,
                      const std::byte* got) {
  if (verify::is_float(buffer.type)) {
    return verify::is_within(buffer.type, expected, got, buffer.tolerance());
  }
  return std::memcmp(expected, got, verify::size_of(buffer.type)) == 0;
}

// "8 to 31", "0, 2 and 5 to 7"; nullopt if there are too many ranges.
std::optional<std::string> ranges(const std::vector<bool>& is_set) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < is_set.size(); ++begin) {
    if (!is_set[begin]) continue;
    auto end = begin;
    while (end + 1 < is_set.size() && is_set[end + 1]) ++end;
    all.push_back(begin == end ? fmt::format("{}", begin) : fmt::format("{} to {}", begin, end));
    begin = end;
  }
  if (all.size() > kMostRanges) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  }
  return out;
}

// "rows 8 to 31" if whole rows are set; likewise columns, or both together.
std::optional<std::string> stripes(const std::vector<bool>& is_set, std::uint64_t rows,
                                   std::uint64_t columns) {
  std::vector<bool> in_row(rows);
  std::vector<bool> in_column(columns);
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (!is_set[i]) continue;
    ++all;
    in_row[i / columns] = true;
    in_column[i % columns] = true;
  }
  const auto rows_set = static_cast<std::uint64_t>(std::count(in_row.begin(), in_row.end(), true));
  const auto columns_set =
      static_cast<std::uint64_t>(std::count(in_column.begin(), in_column.end(), true));
  if (rows_set * columns_set != all) return std::nullopt;  // No rectangle.
  if (all == rows * columns) return rows == 1 ? "all elements" : "all rows and columns";
  const auto row_text = ranges(in_row);
  const auto column_text = ranges(in_column);
  if (!row_text || !column_text) return std::nullopt;
  const auto named = [](const char* what, std::uint64_t count, const std::string& text) {
    return fmt::format("{}{} {}", what, count == 1 ? "" : "s", text);
  };
  if (rows == 1) return named("element", columns_set, *column_text);
  if (columns_set == columns) return named("row", rows_set, *row_text);
  if (rows_set == rows) return named("column", columns_set, *column_text);
  return named("row", rows_set, *row_text) + " in " + named("column", columns_set, *column_text);
}

// The pattern of a tile that all tiles repeat, if there are several tiles.
std::optional<std::string> tile_pattern(const std::vector<bool>& is_set, std::uint64_t rows,
                                        std::uint64_t columns) {
  if (rows < kTile || columns < kTile || rows * columns == kTile * kTile) return std::nullopt;
  std::vector<bool> tile(kTile * kTile);
  for (std::uint64_t i = 0; i < tile.size(); ++i) {
    tile[i] = is_set[i / kTile * columns + i % kTile];
  }
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    const auto inside = i / columns % kTile * kTile + i % columns % kTile;
    if (is_set[i] != tile[inside]) return std::nullopt;
  }
  const auto text = stripes(tile, kTile, kTile);
  if (text) return "in each tile of 32 x 32: " + *text;
  bool is_off_diagonal = true;
  for (std::uint64_t i = 0; i < tile.size(); ++i) {
    is_off_diagonal = is_off_diagonal && tile[i] == (i / kTile != i % kTile);
  }
  if (is_off_diagonal) return "in each tile of 32 x 32: all elements off its diagonal";
  return std::nullopt;
}

// The same for a vector: the pattern of 32 elements.
std::optional<std::string> turn_pattern(const std::vector<bool>& is_set) {
  if (is_set.size() <= kTile) return std::nullopt;
  const std::vector<bool> turn(is_set.begin(), is_set.begin() + kTile);
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (is_set[i] != turn[i % kTile]) return std::nullopt;
  }
  const auto text = stripes(turn, 1, kTile);
  return text ? std::optional("of each 32 elements: " + *text) : std::nullopt;
}

bool is_all_but_diagonal(const std::vector<bool>& is_set, std::uint64_t columns) {
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (is_set[i] == (i / columns == i % columns)) return false;
  }
  return true;
}

std::string sentence(const report::WrongMap& map, const std::vector<bool>& is_wrong) {
  const bool never = map.unwritten == map.wrong;
  const auto which = pattern_text(is_wrong, map.rows, map.columns);
  const auto count =
      fmt::format("{} of {} elements of {} {} ", base::grouped(map.wrong),
                  base::grouped(map.rows * map.columns), map.output, map.wrong == 1 ? "is" : "are");
  auto out = count + (never ? "not written" : "wrong");
  if (!never && map.unwritten != 0)
    out += fmt::format(", {} of them never written", base::grouped(map.unwritten));
  return out + ": " + which;
}

report::WrongMap map_of(const cases::SizedBuffer& buffer, const std::vector<bool>& is_wrong,
                        const std::vector<bool>& is_unwritten) {
  report::WrongMap out;
  out.output = buffer.name;
  out.rows = buffer.rows;
  out.columns = buffer.columns;
  const auto cell_of = [](std::uint64_t all) { return (all + kMostCells - 1) / kMostCells; };
  out.cell_rows = cell_of(out.rows);
  out.cell_columns = cell_of(out.columns);
  const auto across = (out.columns + out.cell_columns - 1) / out.cell_columns;
  const auto down = (out.rows + out.cell_rows - 1) / out.cell_rows;
  out.cells.resize(across * down);
  for (std::uint64_t i = 0; i < is_wrong.size(); ++i) {
    if (!is_wrong[i]) continue;
    const auto row = i / out.columns / out.cell_rows;
    auto& cell = out.cells[row * across + i % out.columns / out.cell_columns];
    ++cell.wrong;
    ++out.wrong;
    if (!is_unwritten[i]) continue;
    ++cell.unwritten;
    ++out.unwritten;
  }
  out.text = sentence(out, is_wrong);
  return out;
}

}  // namespace

std::string pattern_text(const std::vector<bool>& is_set, std::uint64_t rows,
                         std::uint64_t columns) {
  if (auto text = stripes(is_set, rows, columns)) return *text;
  if (auto text = tile_pattern(is_set, rows, columns)) return *text;
  if (auto text = rows == 1 ? turn_pattern(is_set) : std::nullopt) return *text;
  if (rows == columns && is_all_but_diagonal(is_set, columns)) return "all off the diagonal";
  std::array<std::uint64_t, 4> box = {rows, 0, columns, 0};
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (!is_set[i]) continue;
    box = {std::min(box[0], i / columns), std::max(box[1], i / columns),
           std::min(box[2], i % columns), std::max(box[3], i % columns)};
  }
  if (rows == 1) return fmt::format("scattered over elements {} to {}", box[2], box[3]);
  return fmt::format("scattered over rows {} to {}, columns {} to {}", box[0], box[1], box[2],
                     box[3]);
}

std::optional<report::WrongMap> wrong_map(const std::vector<cases::SizedBuffer>& buffers,
                                          const cases::Expected& expected,
                                          const std::vector<run::Buffer>& got) {
  for (std::size_t number = 0; number < buffers.size(); ++number) {
    const auto& buffer = buffers[number];
    if (!buffer.is_output() || buffer.has_total()) continue;
    const auto size = verify::size_of(buffer.type);
    const auto& right = expected.after.at(number).bytes;
    const auto& before = expected.before.at(number).bytes;
    const auto& mine = got.at(number).bytes;
    const auto count = std::min(right.size(), mine.size()) / size;
    std::vector<bool> is_wrong(count);
    std::vector<bool> is_unwritten(count);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = i * size;
      is_wrong[i] = !is_right_element(buffer, &right[at], &mine[at]);
      if (!is_wrong[i]) continue;
      any = true;
      is_unwritten[i] =
          at + size <= before.size() && std::memcmp(&before[at], &mine[at], size) == 0;
    }
    if (any) return map_of(buffer, is_wrong, is_unwritten);
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::grade

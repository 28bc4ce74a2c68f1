// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <vector>

#include "common/base/text.h"
#include "grader/report/picture_text.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {
namespace {

constexpr std::size_t kMostRows = 8;  // For sectors and for wavefronts.
constexpr std::uint64_t kSectorSide = 32;
constexpr std::uint64_t kMapSide = 64;

std::string more_rows(std::size_t all, const char* what) {
  if (all <= kMostRows) return {};
  return fmt::format("    and {} more {}\n", all - kMostRows, what);
}

// "0 to 7", "3".
std::string lanes_text(std::uint32_t lanes) {
  const auto first = std::countr_zero(lanes);
  const auto last = 31 - std::countl_zero(lanes);
  if (first == last) return fmt::format("{}", first);
  if (std::popcount(lanes) == last - first + 1) return fmt::format("{} to {}", first, last);
  return fmt::format("{} of {} to {}", std::popcount(lanes), first, last);
}

std::string sector_rows(const PicturedLine& line, const memory::TracedRequest& request) {
  struct Sector {
    std::string used = std::string(kSectorSide / 4, '.');
    std::uint32_t lanes = 0;
  };
  std::map<std::uint64_t, Sector> sectors;
  for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    for (std::uint64_t byte = 0; byte < line.line.bytes; ++byte) {
      const auto at = request.address.at(lane) + byte;
      auto& sector = sectors[at / kSectorSide];
      sector.used[at % kSectorSide / 4] = '#';
      sector.lanes |= 1U << lane;
    }
  }
  std::vector<std::array<std::string, 3>> rows;
  std::size_t widest = 0;
  for (const auto& [index, sector] : sectors) {
    if (rows.size() == kMostRows) break;
    const auto address = index * kSectorSide;
    const auto first = line.line.memory.first;
    auto place = address < first ? std::string() : place_text(line, address - first);
    widest = std::max(widest, place.size());
    rows.push_back({std::move(place), sector.used, lanes_text(sector.lanes)});
  }
  std::string out;
  for (const auto& [place, used, lanes] : rows) {
    out += fmt::format("    {:<{}}  {}  lane {}\n", place, widest, used, lanes);
  }
  return out + more_rows(sectors.size(), "sectors");
}

std::string bank_rows(const PicturedDevice& device, const RequestCost& cost) {
  constexpr std::string_view kSigns = "0123456789abcdefghijklmnopqrstuv";
  std::size_t all = 0;
  for (const auto& word : cost.words) all = std::max<std::size_t>(all, word.row + 1);
  std::vector<std::string> rows(std::min(all, kMostRows), std::string(device.banks, '.'));
  for (const auto& word : cost.words) {
    if (word.row >= rows.size()) continue;
    auto& sign = rows[word.row].at(word.bank);
    if (sign == '.') sign = kSigns.at(word.lane);
  }
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    out += fmt::format("    {:>2}  {}\n", i + 1, rows[i]);
  return out + more_rows(all, "wavefronts");
}

std::string line_picture(const ExerciseReport& item, const PicturedLine& line) {
  const auto& device = item.pictures->devices.front();
  const auto& request = line.requests.front();
  const auto& cost = request.costs.front();
  const bool is_shared = line.line.operation.space == run::Space::kShared;
  const auto& where = line.line.where;
  const auto place = where.file == item.file ? fmt::format("line {}", where.line)
                                             : fmt::format("{}:{}", where.file, where.line);
  const auto value = is_shared ? cost.wavefronts : cost.sectors;
  const auto least = is_shared ? cost.wavefronts - cost.conflicts : least_sectors(cost);
  auto out = fmt::format(
      "  {}, {}{}{}: {} {}{}{} ({})\n", base::escape_controls(place),
      memory::name(line.line.operation), line.line.memory.name.empty() ? "" : " of ",
      base::escape_controls(line.line.memory.name), value, is_shared ? "wavefront" : "sector",
      value == 1 ? "" : "s", value > least ? fmt::format(", {} would do", least) : "", device.name);
  return out + (is_shared ? bank_rows(device, cost) : sector_rows(line, request.traced));
}

std::string map_picture(const WrongMap& map) {
  const auto across = (map.columns + map.cell_columns - 1) / map.cell_columns;
  std::string out = text::wrapped(base::escape_controls(map.text), 2);
  // Two rows are one of text, since a character is twice as high as wide.
  const auto down = map.cells.size() / std::max<std::uint64_t>(across, 1);
  for (std::uint64_t y = 0; y < down; y += 2) {
    out += "    ";
    for (std::uint64_t x = 0; x < std::min(across, kMapSide); ++x) {
      WrongMap::Cell sum;
      for (auto row = y; row < std::min(y + 2, down); ++row) {
        const auto& cell = map.cells[row * across + x];
        sum = {sum.wrong + cell.wrong, sum.unwritten + cell.unwritten};
      }
      out += sum.wrong == 0 ? '.' : sum.wrong == sum.unwritten ? '-' : 'x';
    }
    out += '\n';
  }
  return out + "    . right   x wrong   - never written\n";
}

std::string partition_picture(const PartitionMap& map) {
  constexpr std::size_t kBar = 40;
  std::string out;
  for (const auto& line : map.lines) {
    std::vector<std::size_t> blocks(map.partitions);
    for (const auto& place : line.places) ++blocks.at(place.partition);
    const auto most = std::max<std::size_t>(*std::max_element(blocks.begin(), blocks.end()), 1);
    out += fmt::format("  line {}, {} of {}: the first {} blocks, by partition ({})\n", line.line,
                       memory::name(line.operation), base::escape_controls(line.memory), map.blocks,
                       map.device);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      out += fmt::format("    {:>2}  {:<{}}  {}\n", i, std::string(blocks[i] * kBar / most, '#'),
                         kBar, blocks[i]);
    }
  }
  return out;
}

}  // namespace

std::string render_pictures(const ExerciseReport& item) {
  if (!item.pictures) return {};
  const auto& pictures = *item.pictures;
  std::string out;
  if (pictures.wrong) out += map_picture(*pictures.wrong);
  for (const auto& line : pictures.lines) out += line_picture(item, line);
  if (pictures.partitions) out += partition_picture(*pictures.partitions);
  if (out.empty()) return out;
  return fmt::format("{}/{}: what the first warp asks memory for, in case {}\n", item.lab,
                     item.exercise, pictures.case_name) +
         out;
}

}  // namespace warpgrade::grader::report

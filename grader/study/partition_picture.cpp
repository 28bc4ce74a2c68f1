// SPDX-License-Identifier: Apache-2.0
#include "grader/study/partition_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/device/profile.h"
#include "grader/study/gnuplot.h"
#include "grader/toml_reader.h"

namespace warpgrade::grader {
namespace {

// Paul Tol's light scheme: black text can be read on each.
constexpr std::array<std::uint32_t, 8> kFills = {0x77AADD, 0xEE8866, 0xEEDD88, 0xFFAABB,
                                                 0x99DDFF, 0x44BB99, 0xBBCC33, 0xDDDDDD};

std::uint32_t tiles(std::uint32_t elements, std::uint32_t tile) {
  return (elements + tile - 1) / tile;
}

// The stretches of one row that lie in one partition each, as areas of that row alone.
std::vector<PartitionArea> row_areas(const Picture& picture, const device::Profile& device,
                                     std::uint32_t row) {
  std::vector<PartitionArea> out;
  for (std::uint32_t column = 0; column < picture.columns; ++column) {
    const auto element = std::uint64_t{row} * picture.columns + column;
    const auto partition = static_cast<std::uint32_t>(element * picture.element_bytes /
                                                      device.partition_width % device.partitions);
    if (out.empty() || out.back().partition != partition) {
      out.push_back({row, row + 1, column, column, partition});
    }
    out.back().last = column + 1;
  }
  return out;
}

bool same_columns(const PartitionArea& a, const PartitionArea& b) {
  return a.first == b.first && a.last == b.last && a.partition == b.partition;
}

}  // namespace

std::vector<PartitionArea> partition_areas(const Picture& picture) {
  const auto& device = device::find(picture.device);
  std::vector<PartitionArea> out;
  std::vector<PartitionArea> open;  // Of the rows above, to be made longer.
  for (std::uint32_t row = 0; row < picture.rows; ++row) {
    auto areas = row_areas(picture, device, row);
    const bool joins =
        row % picture.tile != 0 &&
        std::equal(open.begin(), open.end(), areas.begin(), areas.end(), same_columns);
    if (joins) {
      for (auto& area : open) area.bottom = row + 1;
      continue;
    }
    out.insert(out.end(), open.begin(), open.end());
    open = std::move(areas);
  }
  out.insert(out.end(), open.begin(), open.end());
  return out;
}

std::vector<BlockTile> block_tiles(const Picture& picture) {
  const auto grid_x = tiles(picture.columns, picture.tile);
  const auto grid_y = tiles(picture.rows, picture.tile);
  std::vector<BlockTile> out;
  for (std::uint32_t by = 0; by < grid_y; ++by) {
    for (std::uint32_t bx = 0; bx < grid_x; ++bx) {
      const Variables block = {{"bx", bx}, {"by", by}, {"gx", grid_x}, {"gy", grid_y}};
      const BlockTile tile{bx + std::uint64_t{grid_x} * by, evaluate_count(picture.tile_row, block),
                           evaluate_count(picture.tile_column, block)};
      if (tile.row >= grid_y || tile.column >= grid_x) {
        fail_at(
            picture.tile_row.where,
            fmt::format("picture `{}`: block ({}, {}) would work on tile row {}, column {}, but "
                        "there are {} x {} tiles",
                        picture.title, bx, by, tile.row, tile.column, grid_y, grid_x));
      }
      out.push_back(tile);
    }
  }
  return out;
}

std::string picture_commands(const Picture& picture, const std::string& name) {
  auto out = fmt::format("$areas_{} << EOD\n", name);
  for (const auto& area : partition_areas(picture)) {
    out += fmt::format("{} {} {} {} {}\n", area.first, area.last, area.top, area.bottom,
                       kFills.at(area.partition % kFills.size()));
  }
  out += fmt::format("EOD\n$blocks_{} << EOD\n", name);
  const auto tile = static_cast<double>(picture.tile);
  for (const auto& block : block_tiles(picture)) {
    const auto middle = [&](std::uint64_t index, std::uint32_t all) {
      const auto first = static_cast<double>(index) * tile;
      return (first + std::min(first + tile, static_cast<double>(all))) / 2;
    };
    out += fmt::format("{} {} {}\n", middle(block.column, picture.columns),
                       middle(block.row, picture.rows), block.block);
  }
  out += "EOD\n";
  std::string lines;
  for (std::uint32_t x = 0; x <= picture.columns; x += picture.tile) {
    lines += fmt::format("set arrow from {0},0 to {0},{1} nohead front lw 0.5\n", x, picture.rows);
  }
  for (std::uint32_t y = 0; y <= picture.rows; y += picture.tile) {
    lines +=
        fmt::format("set arrow from 0,{0} to {1},{0} nohead front lw 0.5\n", y, picture.columns);
  }
  return out + fmt::format(
                   "reset\nset title {0} font \",12\"\nset xrange [0:{1}]\nset yrange [{2}:0]\n"
                   "set size ratio -1\nunset key\nunset tics\nset border 15\nset lmargin 1\n"
                   "set rmargin 1\nset tmargin 3\nset bmargin 1\n{3}"
                   "plot $areas_{4} using 1:3:1:2:3:4:5 with boxxyerror lc rgb variable fs solid "
                   "noborder, \\\n     $blocks_{4} using 1:2:3 with labels font \",10\"\n",
                   gnuplot_text(picture.title), picture.columns, picture.rows, lines, name);
}

std::string picture_legend_commands() {
  std::string boxes = "$partitions << EOD\n";
  for (std::size_t i = 0; i < kFills.size(); ++i) {
    boxes += fmt::format("{} {} {}\n", i, kFills.at(i), i);
  }
  return boxes +
         "EOD\nreset\nset title \"partition of the element; the number on a tile is the ID of its "
         "block\" font \",12\"\n"
         "set xrange [-4:12]\nset yrange [0:1]\nunset key\nunset tics\nunset border\n"
         "set lmargin 1\nset rmargin 1\nset tmargin 2\nset bmargin 0\n"
         "plot $partitions using 1:(0.5):($1-0.5):($1+0.5):(0):(1):2 with boxxyerror lc rgb "
         "variable "
         "fs solid noborder, $partitions using 1:(0.5):3 with labels font \",12\"\n";
}

}  // namespace warpgrade::grader

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

// In pixels.
constexpr std::uint64_t kSide = 218;
constexpr int kTitle = 36;
constexpr int kStrip = 24;
constexpr int kFoot = 18;

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

// The coloured areas as data: left, right, top, bottom, colour.
std::string areas_block(const Picture& picture, const std::string& name) {
  auto out = fmt::format("$areas_{} << EOD\n", name);
  for (const auto& area : partition_areas(picture)) {
    out += fmt::format("{} {} {} {} {}\n", area.first, area.last, area.top, area.bottom,
                       kFills.at(area.partition % kFills.size()));
  }
  return out + "EOD\n";
}

// The middle of each block's tile, and its ID.
std::string blocks_block(const Picture& picture, const std::string& name) {
  const auto middle = [&](std::uint64_t index, std::uint32_t all) {
    const auto first = index * picture.tile;
    const auto last = std::min<std::uint64_t>(first + picture.tile, all);
    return static_cast<double>(first + last) / 2;
  };
  auto out = fmt::format("$blocks_{} << EOD\n", name);
  for (const auto& block : block_tiles(picture)) {
    out += fmt::format("{} {} {}\n", middle(block.column, picture.columns),
                       middle(block.row, picture.rows), block.block);
  }
  return out + "EOD\n";
}

std::string tile_lines(const Picture& picture) {
  std::string out;
  for (std::uint32_t x = 0; x <= picture.columns; x += picture.tile) {
    out += fmt::format("set arrow from {0},0 to {0},{1} nohead front lw 0.5\n", x, picture.rows);
  }
  for (std::uint32_t y = 0; y <= picture.rows; y += picture.tile) {
    out += fmt::format("set arrow from 0,{0} to {1},{0} nohead front lw 0.5\n", y, picture.columns);
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

Panel picture_panel(const Picture& picture, const std::string& name) {
  const auto longer = std::max(picture.rows, picture.columns);
  const auto pixels = [&](std::uint32_t elements) {
    return static_cast<int>(kSide * elements / longer);
  };
  const auto width = pixels(picture.columns);
  const auto height = pixels(picture.rows);
  const auto commands =
      areas_block(picture, name) + blocks_block(picture, name) +
      fmt::format(
          "reset\nset title {0} offset 0,-0.5 font \",13\"\nset xrange [0:{1}]\nset yrange "
          "[{2}:0]\nunset key\n"
          "unset tics\nset border 15\n{3}",
          gnuplot_text(picture.title), picture.columns, picture.rows, tile_lines(picture));
  const auto plot = fmt::format(
      "plot $areas_{0} using 1:3:1:2:3:4:5 with boxxyerror lc rgb variable fs solid noborder, \\\n"
      "     $blocks_{0} using 1:2:3 with labels font \",11\"\n",
      name);
  return {kTitle + height + kFoot, [=](const Frame& frame) {
            const auto side = (frame.width - width) / 2;
            return commands + frame.edges(side, kTitle, side, kFoot) + plot;
          }};
}

Panel picture_legend_panel() {
  std::string commands = "$partitions << EOD\n";
  for (std::size_t i = 0; i < kFills.size(); ++i) {
    commands += fmt::format("{} {}\n", i, kFills.at(i));
  }
  commands += fmt::format(
      "EOD\nreset\nset title \"colour: partition of the element; number on a tile: ID of its "
      "block\" font \",13\"\nset xrange [-0.5:{}.5]\nset yrange [0:1]\nunset key\nunset tics\n"
      "unset border\n",
      kFills.size() - 1);
  return {kTitle + kStrip + kFoot, [=](const Frame& frame) {
            const auto side = frame.width / 4;
            return commands + frame.edges(side, kTitle, side, kFoot) +
                   "plot $partitions using 1:(0.5):($1-0.5):($1+0.5):(0):(1):2 with boxxyerror lc "
                   "rgb variable fs solid noborder, \\\n     $partitions using 1:(0.5):1 with "
                   "labels font \",13\"\n";
          }};
}

}  // namespace warpgrade::grader

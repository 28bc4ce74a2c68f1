// SPDX-License-Identifier: Apache-2.0
#include "grader/study/partition_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/device/profile.h"
#include "grader/study/colours.h"
#include "grader/study/gnuplot.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::study {
namespace {

// In pixels.
constexpr std::uint64_t kSide = 218;
constexpr int kPictureTitle = 36;
constexpr int kStrip = 24;
constexpr int kPictureFoot = 18;

std::uint32_t tiles(std::uint32_t elements, std::uint32_t tile) {
  return (elements + tile - 1) / tile;
}

/// Stretches of one partition in consecutive rows, each at most an element away from the one above.
struct Strip {
  std::uint32_t partition = 0;
  std::uint32_t top = 0;
  std::vector<std::array<std::uint32_t, 2>> rows;  // First and last + 1 column of each.
};

bool continues(const Strip& strip, const Stretch& stretch) {
  const auto near = [](std::uint32_t x, std::uint32_t y) {
    return std::max(x, y) - std::min(x, y) <= 1;
  };
  return strip.partition == stretch.partition && strip.top + strip.rows.size() == stretch.row &&
         near(strip.rows.back()[0], stretch.first) && near(strip.rows.back()[1], stretch.last);
}

std::vector<Strip> strips(const Picture& picture) {
  std::vector<Strip> out;
  for (const auto& stretch : partition_stretches(picture)) {
    auto found = std::find_if(out.begin(), out.end(),
                              [&](const Strip& strip) { return continues(strip, stretch); });
    if (found == out.end()) {
      found = out.insert(out.end(), {stretch.partition, stretch.row, {}});
    }
    found->rows.push_back({stretch.first, stretch.last});
  }
  return out;
}

// One edge of a strip from top to bottom, as corners: straight if the rows shift evenly.
std::vector<std::array<std::uint32_t, 2>> edge(const Strip& strip, std::size_t side) {
  std::vector<std::array<std::uint32_t, 2>> out;
  for (std::size_t r = 0; r < strip.rows.size(); ++r) {
    const auto column = [&](std::size_t row) { return static_cast<int>(strip.rows[row][side]); };
    const bool straight = r > 0 && r + 1 < strip.rows.size() &&
                          column(r + 1) - column(r) == column(r) - column(r - 1);
    if (!straight) out.push_back({strip.rows[r][side], strip.top + static_cast<std::uint32_t>(r)});
  }
  out.push_back(
      {strip.rows.back()[side], strip.top + static_cast<std::uint32_t>(strip.rows.size())});
  return out;
}

// The coloured strips as polygons behind the plot, down one edge and up the other. A thin border of
// the same colour closes the gaps that viewers leave between neighbours.
std::string polygons(const Picture& picture) {
  std::string out;
  for (const auto& strip : strips(picture)) {
    auto corners = edge(strip, 0);
    const auto right = edge(strip, 1);
    corners.insert(corners.end(), right.rbegin(), right.rend());
    corners.push_back(corners.front());
    out += "set object polygon";
    for (std::size_t i = 0; i < corners.size(); ++i) {
      out += fmt::format(" {} {},{}", i == 0 ? "from" : "to", corners[i][0], corners[i][1]);
    }
    const auto colour = kFills.at(strip.partition % kFills.size());
    out += fmt::format(" behind fc rgb {0} fs solid border lc rgb {0} lw 0.3\n", colour);
  }
  return out;
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

}  // namespace

std::vector<Stretch> partition_stretches(const Picture& picture) {
  const auto& device = device::find(picture.device);
  std::vector<Stretch> out;
  for (std::uint32_t row = 0; row < picture.rows; ++row) {
    for (std::uint32_t column = 0; column < picture.columns; ++column) {
      const auto element = std::uint64_t{row} * picture.columns + column;
      const auto partition =
          static_cast<std::uint32_t>(element * picture.element_bytes / device.dram.partition_width %
                                     device.dram.partitions.value());
      if (column == 0 || out.back().partition != partition) {
        out.push_back({row, column, column, partition});
      }
      out.back().last = column + 1;
    }
  }
  return out;
}

std::vector<BlockTile> block_tiles(const Picture& picture) {
  const auto grid_x = tiles(picture.columns, picture.tile);
  const auto grid_y = tiles(picture.rows, picture.tile);
  std::vector<BlockTile> out;
  for (std::uint32_t by = 0; by < grid_y; ++by) {
    for (std::uint32_t bx = 0; bx < grid_x; ++bx) {
      const text::Variables block = {{"bx", bx}, {"by", by}, {"gx", grid_x}, {"gy", grid_y}};
      const BlockTile tile{bx + std::uint64_t{grid_x} * by, evaluate_count(picture.tile_row, block),
                           evaluate_count(picture.tile_column, block)};
      if (tile.row >= grid_y || tile.column >= grid_x) {
        base::fail_at(
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
      blocks_block(picture, name) +
      fmt::format(
          "reset\nset title {0} offset 0,-0.5 font \",13\"\nset xrange [0:{1}]\nset yrange "
          "[{2}:0]\nunset key\n"
          "unset tics\nset border 15\n{3}",
          gnuplot_text(picture.title), picture.columns, picture.rows,
          polygons(picture) + tile_lines(picture));
  const auto plot = fmt::format("plot $blocks_{0} using 1:2:3 with labels font \",11\"\n", name);
  return {kPictureTitle + height + kPictureFoot, false, [=](const Frame& frame) {
            const auto side = (frame.width - width) / 2;
            return commands + frame.edges(side, kPictureTitle, side, kPictureFoot) + plot;
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
  return {kPictureTitle + kStrip + kPictureFoot, true, [=](const Frame& frame) {
            const auto side = frame.width / 4;
            return commands + frame.edges(side, kPictureTitle, side, kPictureFoot) +
                   "plot $partitions using 1:(0.5):($1-0.5):($1+0.5):(0):(1):2 with boxxyerror lc "
                   "rgb variable fs solid noborder, \\\n     $partitions using 1:(0.5):1 with "
                   "labels font \",13\"\n";
          }};
}

}  // namespace warpgrade::grader::study

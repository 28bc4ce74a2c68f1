// SPDX-License-Identifier: Apache-2.0
#include "grader/study/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/toml_text.h"
#include "common/device/profile.h"
#include "grader/study/access_picture.h"
#include "grader/study/canvas.h"
#include "grader/study/study.h"
#include "grader/study/study_result.h"

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
            picture.tile_row.where(),
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

/// The colours of the partitions, as a strip.
static Panel picture_legend_panel() {
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

namespace {

// Palette of Okabe and Ito, most distinct colours first; yellow is too pale for a line.
constexpr std::array<std::string_view, 7> kLines = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#000000"};
// Gnuplot's point types in pairs: filled, and hollow for published values.
constexpr std::array<int, 5> kFilled = {7, 5, 9, 11, 13};
constexpr std::array<int, 5> kHollow = {6, 4, 8, 10, 12};

// In pixels.
constexpr int kWidth = 1000;
constexpr int kHead = 52;
constexpr int kTitle = 40;
constexpr int kPlot = 250;  // height of a sweep's plot
constexpr int kBar = 30;    // of a bar and the space around it
constexpr int kAxis = 70;   // below a plot: tics and label
constexpr int kLegendRow = 25;
constexpr int kFoot = 20;
constexpr int kLeft = 92;
constexpr int kRight = 28;
constexpr std::size_t kManyValues = 20;  // more need a wide panel
constexpr double kLetter = 7.4;          // width of a letter at the font's size, rounded up

// Below the axis, one entry per row. Samples are on the left, so the width of the text does not
// matter.
std::string legend_at(const std::string& point) {
  return fmt::format("set key at {} left top Left reverse samplen 3 maxcols 1 spacing 1.25\n",
                     point);
}

std::string_view line_colour(std::size_t series) { return kLines.at(series % kLines.size()); }

using Values = std::vector<std::array<double, 2>>;

// `points` as a data block; draws nothing for a missing number.
std::string data_block(const std::string& name, const Values& points) {
  auto out = fmt::format("${} << EOD\n", name);
  for (const auto& point : points) out += fmt::format("{} {}\n", point[0], point[1]);
  return out + "EOD\n";
}

// Values of a column over the axis, of those values that `wanted` keeps.
template <typename Value, typename Wanted>
Values values_of(const Part& part, PointIndex column, Value value, Wanted wanted) {
  Values out;
  for (column.value = 0; column.value < part.values.size(); ++column.value) {
    const std::optional<double> found = value(column);
    if (!found || !wanted(column.value)) continue;
    out.push_back({part.values[column.value], in_shown_unit(part, *found)});
  }
  return out;
}

/// The curves of one panel: data first, then one plot command for all.
class Plot {
 public:
  explicit Plot(std::string name) : name_(std::move(name)) {}

  void add(const Values& points, const std::string& how) {
    if (points.empty()) return;
    const auto block = fmt::format("{}_{}", name_, count_++);
    data_ += data_block(block, points);
    curves_ += fmt::format("{}${} {}", curves_.empty() ? "plot " : ", \\\n     ", block, how);
  }
  bool empty() const { return count_ == 0; }
  std::string commands(const std::string& settings) const {
    return data_ + settings + curves_ + '\n';
  }

 private:
  std::string name_;
  int count_ = 0;
  std::string data_;
  std::string curves_;
};

// Tics of a log axis are at the part's values; gnuplot chooses those of a linear axis. Millions are
// written as 2.0M, since gnuplot would write 2e+06.
std::string x_tics(const Part& part) {
  const auto [least, most] = std::minmax_element(part.values.begin(), part.values.end());
  const std::string format = *most >= 1e6 ? "set format x \"%.1s%c\"\n" : "set format x \"% h\"\n";
  if (!part.log2) {
    const auto margin = std::max((*most - *least) * 0.02, 0.5);
    return format +
           fmt::format("set xtics auto\nset xrange [{}:{}]\n", *least - margin, *most + margin);
  }
  std::string tics;
  for (const auto value : part.values) tics += fmt::format("{}{}", tics.empty() ? "" : ", ", value);
  return format + fmt::format("set logscale x 2\nset xtics ({})\nset xrange [{}:{}]\n", tics,
                              *least / 1.15, *most * 1.15);
}

// A marker for each series, smaller ones over larger ones, so that coinciding markers all remain
// visible. Lines join them, unless the part has curves of its own.
std::string series_style(const Part& part, std::size_t series) {
  const double size = std::max(1.7 * std::pow(0.75, series), 0.55);
  return fmt::format("{} lc rgb \"{}\" lw 2 dt {} pt {} ps {:.2f}",
                     part.curves.empty() ? "linespoints" : "points", line_colour(series),
                     series / kLines.size() + 1, kFilled.at(series % kFilled.size()),
                     part.curves.empty() ? size : 0.8 * size);
}

// Adds one column's curves: shown values, published values, and the part's own curves. Returns the
// number of legend entries.
int add_series(const PartResult& result, const TableView& view, std::size_t series, Plot& plot) {
  const auto& part = *result.part;
  const auto& column = view.columns[series];
  const auto hollow = fmt::format("lc rgb \"{}\" lw 2 pt {} ps 1.6", line_colour(series),
                                  kHollow.at(series % kHollow.size()));
  const auto always = [](std::size_t) { return true; };
  const auto value = [&](const PointIndex& at) { return result.shown(at); };
  const auto published = [&](const PointIndex& at) { return result.published(at); };
  int entries = 0;
  const auto add = [&](const Values& points, const std::string& how, const std::string& title) {
    if (points.empty()) return;
    plot.add(points, fmt::format("with {} title {}", how, gnuplot_text(title)));
    ++entries;
  };
  add(values_of(part, column, value, always), series_style(part, series), view.labels[series]);
  add(values_of(part, column, published, always), "points " + hollow,
      view.labels[series] + ", published");
  int dashes = 1;
  for (const auto& curve : part.curves) {
    const auto& of = curve.kernels;
    const auto& id = part.kernels[column.kernel].id;
    if (part.columns_are_devices || std::find(of.begin(), of.end(), id) == of.end()) continue;
    const auto on = [&](std::size_t v) {
      return evaluate(curve.when, part.variables_at(part.values[v])) != 0;
    };
    add(values_of(part, column, value, on),
        fmt::format("lines lc rgb \"{}\" lw 2 dt {}", line_colour(series), dashes++), curve.label);
  }
  return entries;
}

Panel sweep_panel(const PartResult& result, const TableView& view, const std::string& name) {
  const auto& part = *result.part;
  Plot plot(name);
  int entries = 0;
  for (std::size_t s = 0; s < view.columns.size(); ++s)
    entries += add_series(result, view, s, plot);
  if (plot.empty()) return {};
  const auto below = kAxis + entries * kLegendRow + kFoot;
  const auto* scale =
      part.show_log2 ? "set logscale y 2\nset yrange [*:*]\n" : "set yrange [0:*]\n";
  const bool wide = part.values.size() > kManyValues;
  return {kTitle + kPlot + below, wide, [=, &part, title = view.title](const Frame& frame) {
            return plot.commands(fmt::format(
                "reset\nset title {} offset 0,-0.6 font \",15\"\nset xlabel {}\nset ylabel {}\n{}{}"
                "set ytics auto\nset grid ytics lc rgb \"#DDDDDD\"\nset border 3\n"
                "set tics nomirror out\n{}{}",
                gnuplot_text(title), gnuplot_text(part.axis_label), gnuplot_text(part.show_label),
                x_tics(part), scale, legend_at(frame.point(kLeft, kTitle + kPlot + kAxis)),
                frame.edges(kLeft, kTitle, kRight, below)));
          }};
}

// One bar per kernel from the top down, and a diamond at the published value.
Panel bars_panel(const PartResult& result, const TableView& view, const std::string& name) {
  const auto& part = *result.part;
  Values shown;
  Values published;
  std::string tics;
  std::size_t longest = 0;
  int rows = 0;
  for (std::size_t c = 0; c < view.columns.size(); ++c) {
    const auto value = result.shown(view.columns[c]);
    const auto known = result.published(view.columns[c]);
    if (!value && !known) continue;
    if (value) shown.push_back({in_shown_unit(part, *value), static_cast<double>(rows)});
    if (known) published.push_back({in_shown_unit(part, *known), static_cast<double>(rows)});
    tics += fmt::format("{}{} {}", rows == 0 ? "" : ", ", gnuplot_text(view.labels[c]), rows);
    longest = std::max(longest, view.labels[c].size());
    ++rows;
  }
  Plot plot(name);
  plot.add(shown, fmt::format("using ($1/2):2:(0):1:($2-0.32):($2+0.32) with boxxyerror lc rgb "
                              "\"{}\" fs solid 0.85 noborder title \"modelled\"",
                              kLines[5]));
  plot.add(published,
           fmt::format("with points lc rgb \"{}\" pt 13 ps 1.5 title \"published\"", kLines[1]));
  if (plot.empty()) return {};
  const int height = rows * kBar;
  const int below = kAxis + (published.empty() ? 1 : 2) * kLegendRow + kFoot;
  const int left = static_cast<int>(kLetter * static_cast<double>(longest)) + 20;
  return {kTitle + height + below, false, [=, &part, title = view.title](const Frame& frame) {
            return plot.commands(fmt::format(
                "reset\nset label {} at {} center font \",15\"\nset xlabel {}\nset xrange [0:*]\n"
                "set ytics ({}) scale 0\nset yrange [{}:-0.6]\n"
                "set grid xtics lc rgb \"#DDDDDD\"\nset border 3\nset xtics nomirror out\n"
                "set ytics nomirror\n{}{}",
                gnuplot_text(title), frame.point(frame.width / 2, kTitle / 2),  // frame center
                gnuplot_text(part.show_label), tics, rows - 0.4,
                legend_at(frame.point(left, kTitle + height + kAxis)),
                frame.edges(left, kTitle, kRight, below)));
          }};
}

std::vector<Panel> table_panels(const Result& result) {
  std::vector<Panel> out;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    const auto& part = *result.parts[p].part;
    const auto views = tables_of(part);
    for (std::size_t v = 0; v < views.size(); ++v) {
      const auto name = fmt::format("p{}_{}", p, v);
      const bool sweep = part.values.size() > 1 || part.columns_are_devices;
      auto panel = sweep ? sweep_panel(result.parts[p], views[v], name)
                         : bars_panel(result.parts[p], views[v], name);
      if (panel.draw) out.push_back(std::move(panel));
    }
  }
  return out;
}

}  // namespace

std::string figure_script(const Result& result) {
  const auto panels = table_panels(result);
  std::vector<Panel> pictures;
  for (std::size_t i = 0; i < result.study->pictures.size(); ++i) {
    pictures.push_back(picture_panel(result.study->pictures[i], fmt::format("m{}", i)));
  }
  std::vector<Panel> accesses;
  for (std::size_t i = 0; i < result.accesses.size(); ++i) {
    accesses.push_back(access_panel(result.accesses[i], fmt::format("a{}", i)));
  }
  Canvas canvas(kWidth, kHead);
  canvas.rows(panels, 2);
  canvas.rows(accesses, 2);
  canvas.rows(pictures, 4);
  if (!pictures.empty()) canvas.rows({picture_legend_panel()}, 1);
  return fmt::format(
      "set terminal svg size {},{} font \"sans-serif,13\" noenhanced background \"white\"\n"
      "set multiplot title {} font \",17\" noenhanced\n{}unset multiplot\n",
      kWidth, canvas.height(), gnuplot_text(result.study->title), canvas.commands());
}

}  // namespace warpgrade::grader::study

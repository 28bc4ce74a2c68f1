// SPDX-License-Identifier: Apache-2.0
#include "grader/study/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/study/access_figure.h"
#include "grader/study/canvas.h"
#include "grader/study/gnuplot.h"
#include "grader/study/partition_picture.h"
#include "grader/study/render_study.h"

namespace warpgrade::grader::study {
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

// Tics of a log axis are at the part's values; gnuplot chooses those of a linear axis.
std::string x_tics(const Part& part) {
  const auto [least, most] = std::minmax_element(part.values.begin(), part.values.end());
  if (!part.log2) {
    const auto margin = std::max((*most - *least) * 0.02, 0.5);
    return fmt::format("set xtics auto\nset xrange [{}:{}]\n", *least - margin, *most + margin);
  }
  std::string tics;
  for (const auto value : part.values) tics += fmt::format("{}{}", tics.empty() ? "" : ", ", value);
  return fmt::format("set logscale x 2\nset xtics ({})\nset xrange [{}:{}]\n", tics, *least / 1.15,
                     *most * 1.15);
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

// SPDX-License-Identifier: Apache-2.0
#include "grader/study/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/study/gnuplot.h"
#include "grader/study/partition_picture.h"
#include "grader/study/render_study.h"

namespace warpgrade::grader {
namespace {

// Okabe and Ito; the first ones are told apart best, yellow is left out: too pale for a line.
constexpr std::array<std::string_view, 7> kLines = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#000000"};
// Gnuplot's point types in pairs: filled, and hollow for what was published.
constexpr std::array<int, 5> kFilled = {7, 5, 9, 11, 13};
constexpr std::array<int, 5> kHollow = {6, 4, 8, 10, 12};

// Of the figure, in pixels.
constexpr int kWidth = 1000;
constexpr int kHead = 44;
constexpr int kSweepHeight = 400;
constexpr int kLegendRow = 22;
constexpr int kBarsFrame = 104;
constexpr int kBar = 34;

/// Something drawn in a box of its own: its height and the commands that draw it.
struct Panel {
  int height = 0;
  std::string commands;
};

std::string_view line_colour(std::size_t series) { return kLines.at(series % kLines.size()); }

// `points` as a data block; nothing is drawn where there is no number.
std::string data_block(const std::string& name, const std::vector<std::array<double, 2>>& points) {
  auto out = fmt::format("${} << EOD\n", name);
  for (const auto& point : points) out += fmt::format("{} {}\n", point[0], point[1]);
  return out + "EOD\n";
}

using Values = std::vector<std::array<double, 2>>;

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

// Tics of a log axis stand at the values run, those of a linear one are gnuplot's.
std::string x_tics(const Part& part) {
  const auto [least, most] = std::minmax_element(part.values.begin(), part.values.end());
  if (!part.log2) {
    const auto margin = std::max((*most - *least) * 0.02, 0.5);
    return fmt::format("set xtics auto\nset xrange [{}:{}]\n", *least - margin, *most + margin);
  }
  std::string tics;
  for (const auto value : part.values)
    tics += (tics.empty() ? "" : ", ") + fmt::format("{}", value);
  return fmt::format("set logscale x 2\nset xtics ({})\nset xrange [{}:{}]\n", tics, *least / 1.15,
                     *most * 1.15);
}

Panel sweep_panel(const PartResult& result, const TableView& view, const std::string& name) {
  const auto& part = *result.part;
  Plot plot(name);
  int entries = 0;
  const auto always = [](std::size_t) { return true; };
  const bool many = part.values.size() > 40;
  for (std::size_t s = 0; s < view.columns.size(); ++s) {
    const auto& column = view.columns[s];
    const auto colour = line_colour(s);
    const auto marker = s % kFilled.size();
    const auto shown = values_of(
        part, column, [&](auto& at) { return result.shown(at); }, always);
    if (shown.empty()) continue;
    plot.add(shown, fmt::format("with linespoints lc rgb \"{}\" lw 2 dt {} pt {} ps {} title {}",
                                colour, s / kLines.size() + 1, kFilled.at(marker), many ? 0.5 : 0.8,
                                gnuplot_text(view.labels[s])));
    ++entries;
    const auto published = values_of(
        part, column, [&](auto& at) { return result.published(at); }, always);
    plot.add(published,
             fmt::format("with points lc rgb \"{}\" lw 2 pt {} ps 1.4 title {}", colour,
                         kHollow.at(marker), gnuplot_text(view.labels[s] + ", published")));
    entries += published.empty() ? 0 : 1;
    if (part.columns_are_devices) continue;
    for (const auto& curve : part.curves) {
      const auto& of = curve.kernels;
      if (std::find(of.begin(), of.end(), part.kernels[column.kernel].id) == of.end()) continue;
      const auto on = [&](std::size_t v) {
        return evaluate(curve.when, part.variables_at(part.values[v])) != 0;
      };
      const auto points = values_of(
          part, column, [&](auto& at) { return result.shown(at); }, on);
      plot.add(points, fmt::format("with linespoints lc rgb \"{}\" lw 2 dt 2 pt {} ps 1.4 title {}",
                                   colour, kHollow.at(marker), gnuplot_text(curve.label)));
      entries += points.empty() ? 0 : 1;
    }
  }
  const int rows = (entries + 1) / 2;
  Panel panel;
  panel.height = kSweepHeight + rows * kLegendRow;
  if (plot.empty()) return panel;
  panel.commands = plot.commands(fmt::format(
      "reset\nset title {} font \",15\"\nset xlabel {}\nset ylabel {}\n{}set yrange [0:*]\n"
      "set ytics auto\nset grid ytics lc rgb \"#DDDDDD\"\nset border 3\nset tics nomirror\n"
      "set key below maxcols 2 samplen 3 spacing 1.1\nset lmargin 10\nset rmargin 3\n",
      gnuplot_text(view.title), gnuplot_text(part.axis_label), gnuplot_text(part.show_label),
      x_tics(part)));
  return panel;
}

// One bar a kernel from the top down, and a diamond where it was published to be.
Panel bars_panel(const PartResult& result, const TableView& view, const std::string& name) {
  const auto& part = *result.part;
  const auto count = view.columns.size();
  Values shown;
  Values published;
  std::string tics;
  std::size_t longest = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const auto& point = view.columns[row];
    const auto y = static_cast<double>(row);
    if (const auto value = result.shown(point)) shown.push_back({in_shown_unit(part, *value), y});
    if (const auto value = result.published(point)) {
      published.push_back({in_shown_unit(part, *value), y});
    }
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", gnuplot_text(view.labels[row]), row);
    longest = std::max(longest, view.labels[row].size());
  }
  Plot plot(name);
  plot.add(shown, fmt::format("using ($1/2):2:(0):1:($2-0.32):($2+0.32) with boxxyerror lc rgb "
                              "\"{}\" fs solid 0.85 noborder title \"modelled\"",
                              kLines[5]));
  plot.add(published,
           fmt::format("with points lc rgb \"{}\" pt 13 ps 1.5 title \"published\"", kLines[1]));
  Panel panel;
  panel.height = kBarsFrame + kBar * static_cast<int>(count);
  if (plot.empty()) return panel;
  panel.commands = plot.commands(fmt::format(
      "reset\nset title {} font \",15\"\nset xlabel {}\nset xrange [0:*]\nset ytics ({})\n"
      "set yrange [{}:-0.6]\nset grid xtics lc rgb \"#DDDDDD\"\nset border 3\nset tics nomirror\n"
      "set key below samplen 2\nset lmargin {}\nset rmargin 3\n",
      gnuplot_text(view.title), gnuplot_text(part.show_label), tics,
      static_cast<double>(count) - 0.4, longest * 9 / 10 + 3));
  return panel;
}

std::vector<Panel> table_panels(const StudyResult& result) {
  std::vector<Panel> out;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    const auto& part = *result.parts[p].part;
    const auto views = tables_of(part);
    for (std::size_t v = 0; v < views.size(); ++v) {
      const auto name = fmt::format("p{}_{}", p, v);
      const bool sweep = part.values.size() > 1 || part.columns_are_devices;
      auto panel = sweep ? sweep_panel(result.parts[p], views[v], name)
                         : bars_panel(result.parts[p], views[v], name);
      if (!panel.commands.empty()) out.push_back(std::move(panel));
    }
  }
  return out;
}

/// Puts panels into rows of `columns`, and the rows below one another.
class Layout {
 public:
  void rows(const std::vector<Panel>& panels, std::size_t columns) {
    for (std::size_t first = 0; first < panels.size(); first += columns) {
      const auto end = std::min(first + columns, panels.size());
      int height = 0;
      for (auto i = first; i < end; ++i) height = std::max(height, panels[i].height);
      for (auto i = first; i < end; ++i) {
        const auto width = kWidth / static_cast<int>(columns);
        boxes_.push_back(
            {static_cast<int>(i - first) * width, top_, width, height, &panels[i].commands});
      }
      top_ += height;
    }
  }
  int height() const { return top_; }
  std::string commands() const {
    std::string out;
    for (const auto& box : boxes_) {
      const auto part = [](int of, int all) { return static_cast<double>(of) / all; };
      out += fmt::format("set origin {:.5f},{:.5f}\nset size {:.5f},{:.5f}\n", part(box.x, kWidth),
                         part(top_ - box.top - box.height, top_), part(box.width, kWidth),
                         part(box.height, top_));
      // `reset` in the commands would forget where the box is.
      auto commands = *box.commands;
      const std::string_view reset = "reset\n";
      const auto at = commands.find(reset);
      const auto placed = out.substr(out.rfind("set origin"));
      out.resize(out.size() - placed.size());
      if (at != std::string::npos) commands.insert(at + reset.size(), placed);
      out += commands;
    }
    return out;
  }

 private:
  struct Box {
    int x, top, width, height;
    const std::string* commands;
  };
  std::vector<Box> boxes_;
  int top_ = kHead;
};

}  // namespace

std::string figure_script(const StudyResult& result) {
  const auto panels = table_panels(result);
  std::vector<Panel> pictures;
  for (std::size_t i = 0; i < result.study->pictures.size(); ++i) {
    pictures.push_back(
        {kPictureHeight, picture_commands(result.study->pictures[i], fmt::format("m{}", i))});
  }
  Layout layout;
  layout.rows(panels, panels.size() == 1 ? 1 : 2);
  layout.rows(pictures, 4);
  const std::vector<Panel> legend = {{kPictureLegendHeight, picture_legend_commands()}};
  if (!pictures.empty()) layout.rows(legend, 1);
  return fmt::format(
             "set terminal svg size {},{} font \"sans-serif,13\" noenhanced background \"white\"\n"
             "set multiplot title {} font \",17\" noenhanced\n",
             kWidth, layout.height(), gnuplot_text(result.study->title)) +
         layout.commands() + "unset multiplot\n";
}

}  // namespace warpgrade::grader

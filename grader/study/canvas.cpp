// SPDX-License-Identifier: Apache-2.0
// The means of drawing: panels at given places, colours, and gnuplot.
//
// In: panels with their heights, and a script. Out: the commands that place the panels, and one
// SVG, which gnuplot draws as a separate program.
// Gnuplot's own layout guesses how wide a text is, and lets legends run out of the figure. Here
// every plot's edges are given in pixels.
#include "grader/study/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"

namespace warpgrade::grader::study {
namespace {

double fraction(int part, int all) { return static_cast<double>(part) / all; }

}  // namespace

std::string Frame::edges(int left, int top, int right, int bottom) const {
  const auto from_top = [&](int pixels) { return 1 - fraction(y + pixels, canvas_height); };
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
      fraction(x + left, canvas_width), fraction(x + width - right, canvas_width), from_top(top),
      from_top(height - bottom));
}

std::string Frame::point(int left, int top) const {
  return fmt::format("screen {:.5f},screen {:.5f}", fraction(x + left, canvas_width),
                     1 - fraction(y + top, canvas_height));
}

void Canvas::rows(const std::vector<Panel>& panels, std::size_t columns) {
  std::size_t first = 0;
  while (first < panels.size()) {
    auto end = first + 1;
    while (!panels[first].wide && end < panels.size() && end < first + columns &&
           !panels[end].wide) {
      ++end;
    }
    const bool alone = panels[first].wide || panels.size() == 1;
    const auto width = alone ? width_ : width_ / static_cast<int>(columns);
    int highest = 0;
    for (auto i = first; i < end; ++i) {
      const auto x = static_cast<int>(i - first) * width;
      placed_.push_back({{x, height_, width, panels[i].height, width_, 0}, panels[i]});
      highest = std::max(highest, panels[i].height);
    }
    height_ += highest;
    first = end;
  }
}

std::string Canvas::commands() const {
  std::string out;
  for (auto [frame, panel] : placed_) {
    frame.canvas_height = height_;
    out += panel.draw(frame);
  }
  return out;
}

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : base::escape_controls(text)) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string draw_svg(const std::string& script) {
  const auto program = base::find_program("gnuplot");
  if (program.empty()) {
    throw base::ToolError(
        "gnuplot, which draws figures, is missing; on Debian or Ubuntu this installs it: sudo "
        "apt-get install gnuplot-nox");
  }
  constexpr std::chrono::seconds kTime{60};
  const auto child = compile::run_child({program, {}}, script, kTime);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0 ||
      child.output.find("</svg>") == std::string::npos) {
    throw base::ToolError(fmt::format("{} could not draw the figure (exit code {}{})",
                                      program.string(), child.exit_code,
                                      child.timed_out ? ", out of time" : ""));
  }
  return child.output;
}

}  // namespace warpgrade::grader::study

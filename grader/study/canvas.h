// SPDX-License-Identifier: Apache-2.0
// The means of drawing: boxes of pixels for the panels of a figure, colours for areas, and
// gnuplot.
//
// The boxes are in rows below one another. Gnuplot is a separate program that runs on a script.
// The colours are Paul Tol's light scheme: black text is readable on them, and people with
// colour-blindness can distinguish them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::study {

// Colours for areas: Paul Tol's light scheme, on which black text is readable and which people with
// colour-blindness can distinguish.

constexpr std::array<std::uint32_t, 8> kFills = {0x77AADD, 0xEE8866, 0xEEDD88, 0xFFAABB,
                                                 0x99DDFF, 0x44BB99, 0xBBCC33, 0xDDDDDD};

/// A box on the canvas, in pixels from its top left corner.
struct Frame {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int canvas_width = 0;
  int canvas_height = 0;

  /// Commands that put the plot's edges so many pixels inside the box.
  std::string edges(int left, int top, int right, int bottom) const;
  /// "screen X,screen Y" for a point in the box.
  std::string point(int left, int top) const;
};

/// Something to draw: the height it needs, and the commands that draw it in a box at least as high.
struct Panel {
  int height = 0;
  bool wide = false;  ///< Needs a separate row.
  std::function<std::string(const Frame&)> draw;
};

class Canvas {
 public:
  Canvas(int width, int head) : width_(width), height_(head) {}
  /// Adds `panels`, `columns` per row. A wide panel, or a single one, gets the full width.
  void rows(const std::vector<Panel>& panels, std::size_t columns);
  int height() const { return height_; }
  /// The commands of all panels, in order.
  std::string commands() const;

 private:
  struct Placed {
    Frame frame;
    Panel panel;
  };
  int width_;
  int height_;
  std::vector<Placed> placed_;
};

// Runs gnuplot, a separate program, on a script.

/// `text` in gnuplot's single quotes, which disable substitution; escapes control characters.
std::string gnuplot_text(std::string_view text);

/// The SVG that `script` draws. Throws base::ToolError if gnuplot is missing, with the command that
/// installs it, or if it fails.
std::string draw_svg(const std::string& script);

}  // namespace warpgrade::grader::study

// SPDX-License-Identifier: Apache-2.0
// Places the panels of a figure: boxes of pixels, rows of them below one another.
//
// Gnuplot's own layout guesses how wide a text is, and lets legends run out of the figure; here
// every plot's edges are given in pixels.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warpgrade::grader::study {

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

}  // namespace warpgrade::grader::study

// SPDX-License-Identifier: Apache-2.0
#include "grader/study/canvas.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::study::canvas_test {

// Panels in rows, in pixels.

Panel panel(int height, bool wide = false) {
  return {height, wide, [](const Frame& f) {
            return fmt::format("{},{} {}x{} of {}\n", f.x, f.y, f.width, f.height, f.canvas_height);
          }};
}

TEST(Canvas, PanelsStandSideBySideAndRowsBelowEachOther) {
  Canvas canvas(600, 40);
  canvas.rows({panel(100), panel(120), panel(80)}, 2);
  EXPECT_EQ(40 + 120 + 80, canvas.height());
  EXPECT_EQ("0,40 300x100 of 240\n300,40 300x120 of 240\n0,160 300x80 of 240\n", canvas.commands());
}

TEST(Canvas, AWidePanelAndOneAloneGetAllOfARow) {
  Canvas canvas(600, 0);
  canvas.rows({panel(10, true), panel(20), panel(30)}, 2);
  canvas.rows({panel(5)}, 3);
  EXPECT_EQ("0,0 600x10 of 45\n0,10 300x20 of 45\n300,10 300x30 of 45\n0,40 600x5 of 45\n",
            canvas.commands());
}

TEST(Frame, EdgesAreFractionsOfTheCanvasFromBelow) {
  const Frame frame{100, 50, 200, 100, 400, 200};
  EXPECT_EQ("screen 0.27500,screen 0.70000", frame.point(10, 10));
  EXPECT_EQ(
      "set lmargin at screen 0.27500\nset rmargin at screen 0.70000\n"
      "set tmargin at screen 0.65000\nset bmargin at screen 0.35000\n",
      frame.edges(10, 20, 20, 20));
}

TEST(GnuplotText, IsQuotedSoThatNothingInItIsACommand) {
  EXPECT_EQ("'a b'", gnuplot_text("a b"));
  EXPECT_EQ("'it''s'", gnuplot_text("it's"));
  EXPECT_EQ(std::string::npos, gnuplot_text("a\nsystem('x')").find('\n'));
}

}  // namespace warpgrade::grader::study::canvas_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/study/gnuplot.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::study::gnuplot_test {

TEST(GnuplotText, IsQuotedSoThatNothingInItIsACommand) {
  EXPECT_EQ("'a b'", gnuplot_text("a b"));
  EXPECT_EQ("'it''s'", gnuplot_text("it's"));
  EXPECT_EQ(std::string::npos, gnuplot_text("a\nsystem('x')").find('\n'));
}

}  // namespace warpgrade::grader::study::gnuplot_test

// SPDX-License-Identifier: Apache-2.0
// The lines of a report about the roofline.
#include "grader/report/roofline_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/render_text.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report::roofline_text_test {

using testing::HasSubstr;

TEST(RooflineText, IsASentenceBelowTheGates) {
  EXPECT_THAT(
      render_text(with_roofline(), text::Style(false, 200)),
      HasSubstr("  On h200, 268 MFLOP and 4.2 MB are 63.8 FLOP per byte: arithmetic is the "
                "limit, at 67 TFLOP/s. The kernel reaches 6.7 TFLOP/s, 0.10 of the roof.\n"));
}

// 42 MB at 4.2 TB/s take 10 us, longer than the operations.
TEST(RooflineText, NamesMemoryIfBytesAreTheLimit) {
  CaseRoofline item;
  item.device = "h200";
  item.roofline = {42e6, 268e6, 10e-6, 4e-6, 20e-6};
  EXPECT_THAT(roofline_text(item), HasSubstr("memory is the limit, at 4.2 TB/s"));
  EXPECT_THAT(roofline_text(item), HasSubstr("0.50 of the roof."));
}

}  // namespace warpgrade::grader::report::roofline_text_test

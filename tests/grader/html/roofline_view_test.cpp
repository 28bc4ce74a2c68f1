// SPDX-License-Identifier: Apache-2.0
// The picture of a roofline, with coordinates calculated by hand.
#include "grader/html/roofline_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::html::roofline_view_test {

using testing::HasSubstr;

// The ridge is at 67 / 4.2 = 16 FLOP per byte, the kernel at 63.8. The axes reach from 1 to 1000
// FLOP per byte (70 to 500 in the picture) and from 1 to 1000 TFLOP/s (250 to 20).
TEST(RooflineView, ThePointOfTheKernelIsBelowTheRoof) {
  EXPECT_EQ("", roofline_view(report::slow_copy().exercises[0]));
  const auto page = roofline_view(report::with_roofline().exercises[0]);
  EXPECT_THAT(page, HasSubstr("<h3>Roofline</h3>"));
  EXPECT_THAT(page, HasSubstr("L242.4 110.0H500"));
  EXPECT_THAT(page, HasSubstr("cx=\"328.7\" cy=\"186.7\""));
}

}  // namespace warpgrade::grader::html::roofline_view_test

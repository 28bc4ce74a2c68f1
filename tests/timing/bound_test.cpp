// SPDX-License-Identifier: Apache-2.0
// Names of resources are a part of the JSON reports.
#include "common/timing/bound.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::timing::bound_test {

TEST(Bound, NamesAreThoseOfReports) {
  EXPECT_EQ("", name(Bound::kNone));
  EXPECT_EQ("dram", name(Bound::kDram));
  EXPECT_EQ("l2 partial writes", name(Bound::kL2PartialWrites));
  EXPECT_EQ("launch overhead", name(Bound::kLaunchOverhead));
  EXPECT_EQ("xu pipe", name(Bound::kXuPipe));
}

// If two resources bind equally long, SequenceTime reports the first.
TEST(Bound, ResourcesAreInTheOrderOfTheirNames) {
  for (auto i = static_cast<int>(Bound::kAluPipe); i <= static_cast<int>(Bound::kXuPipe); ++i) {
    EXPECT_LT(std::string(name(static_cast<Bound>(i - 1))), name(static_cast<Bound>(i)));
  }
}

}  // namespace warpgrade::timing::bound_test

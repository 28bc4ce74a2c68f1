// SPDX-License-Identifier: Apache-2.0
#include "common/base/counted.h"

#include <gtest/gtest.h>

namespace warpgrade::base::counted_test {

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ("0 blocks", counted(0, "block"));
  EXPECT_EQ("1 block", counted(1, "block"));
  EXPECT_EQ("2 blocks", counted(2, "block"));
}

}  // namespace warpgrade::base::counted_test

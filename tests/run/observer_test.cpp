// SPDX-License-Identifier: Apache-2.0
#include "common/run/observer.h"

#include <gtest/gtest.h>

namespace warpgrade::run::observer_test {

TEST(Lanes, TheLowestIsTheFirstBitThatIsSet) {
  EXPECT_EQ(0u, lowest_lane(0xffffffff));
  EXPECT_EQ(4u, lowest_lane(0x30));
  EXPECT_EQ(31u, lowest_lane(0x80000000));
}

}  // namespace warpgrade::run::observer_test

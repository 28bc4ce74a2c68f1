// SPDX-License-Identifier: Apache-2.0
#include "common/measure/card_toolkit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::measure::card_toolkit_test {

using testing::HasSubstr;

gpu::DeviceInfo card(std::uint32_t major, std::uint32_t minor, std::uint32_t driver) {
  gpu::DeviceInfo out;
  out.name = "Some card";
  out.compute_major = major;
  out.compute_minor = minor;
  out.driver_cuda = driver;
  return out;
}

TEST(CardToolkit, ANewDriverTakesTheNewest) {
  EXPECT_EQ(13U, toolkit_for(card(9, 0, 13000)).most);
  EXPECT_EQ(13U, toolkit_for(card(7, 5, 13010)).most);
  EXPECT_EQ(13U, toolkit_for(card(8, 6, 0)).most);  // This driver does not report its version.
}

TEST(CardToolkit, ADriverOf12LoadsNothingNewer) {
  const auto choice = toolkit_for(card(8, 6, 12040));
  EXPECT_EQ(12U, choice.most);
  EXPECT_EQ("the driver of Some card loads code of CUDA 12.4 at most", choice.why);
  EXPECT_EQ(0U, toolkit_for(card(8, 6, 11080)).most);
}

TEST(CardToolkit, CardsBeforeTuringNeed12) {
  const auto volta = toolkit_for(card(7, 0, 13000));
  EXPECT_EQ(12U, volta.most);
  EXPECT_THAT(volta.why, HasSubstr("compute capability 7.0, and CUDA 13 makes code from 7.5 on"));
  EXPECT_EQ(12U, toolkit_for(card(5, 2, 12040)).most);
}

TEST(CardToolkit, KeplerHasNone) {
  try {
    choose_toolkit(card(3, 5, 11040));
    FAIL() << "there is none";
  } catch (const base::ToolError& error) {
    EXPECT_STREQ(
        "Some card is of compute capability 3.5, and CUDA 12 makes code from 5.0 on: it cannot "
        "measure; --backend sim grades without it",
        error.what());
  }
}

}  // namespace warpgrade::measure::card_toolkit_test

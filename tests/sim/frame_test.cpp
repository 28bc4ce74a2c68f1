// SPDX-License-Identifier: Apache-2.0
// Frames of calls: the lanes that may continue together, and the time at which a frame is free for
// another call.
#include "common/sim/frame.h"

#include <gtest/gtest.h>

namespace warpgrade::sim::frame_test {

class FramesTest : public testing::Test {
 protected:
  Frame* enter(Frame* parent, const CallSite& site, std::uint32_t lanes) {
    auto* frame = frames.make();
    frame->parent = parent;
    frame->site = &site;
    frame->callee = &callee;
    frame->depth = depth_of(parent) + 1;
    frame->inside = lanes;
    frame->saved.clear();
    return frame;
  }
  Frames frames;
  CallSite here;
  CallSite there;
  Callee callee;
};

TEST_F(FramesTest, TheKernelIsAtDepthZero) {
  EXPECT_EQ(0U, depth_of(nullptr));
  EXPECT_EQ(2U, depth_of(enter(enter(nullptr, here, 1), here, 1)));
}

TEST_F(FramesTest, CallsFromOneSiteByOneWayMayGoOnTogether) {
  auto* a = enter(nullptr, here, 1);
  auto* b = enter(nullptr, here, 2);
  EXPECT_TRUE(same_call(a, a));
  EXPECT_TRUE(same_call(a, b));
  EXPECT_TRUE(same_call(enter(a, there, 1), enter(b, there, 2)));
  EXPECT_FALSE(same_call(a, enter(nullptr, there, 2)));
  EXPECT_FALSE(same_call(a, nullptr));
  EXPECT_FALSE(same_call(a, enter(b, here, 2)));  // one call deeper
}

TEST_F(FramesTest, CallsThatHavePutValuesAsideStayApart) {
  auto* a = enter(nullptr, here, 1);
  auto* b = enter(nullptr, here, 2);
  b->saved.resize(4);
  EXPECT_FALSE(same_call(a, b));
  EXPECT_TRUE(same_call(b, b));
}

TEST_F(FramesTest, AFrameIsFreeOnceItsLastLaneHasLeft) {
  auto* outer = enter(nullptr, here, 3);
  auto* inner = enter(outer, there, 3);
  frames.drop(1, inner, nullptr);
  EXPECT_EQ(2U, inner->inside);
  EXPECT_EQ(2U, outer->inside);
  frames.drop(2, inner, outer);
  EXPECT_EQ(0U, inner->inside);
  EXPECT_EQ(2U, outer->inside);
  EXPECT_EQ(inner, frames.make());
}

TEST_F(FramesTest, LanesMoveWithAllTheirCallers) {
  auto* a = enter(enter(nullptr, here, 1), there, 1);
  auto* b = enter(enter(nullptr, here, 2), there, 2);
  frames.move(1, a, b);
  EXPECT_EQ(3U, b->inside);
  EXPECT_EQ(3U, b->parent->inside);
  EXPECT_EQ(0U, a->inside);
  EXPECT_EQ(0U, a->parent->inside);
}

TEST_F(FramesTest, ClearFreesAll) {
  auto* a = enter(nullptr, here, 1);
  frames.clear();
  EXPECT_EQ(a, frames.make());
  EXPECT_NE(a, frames.make());
}

}  // namespace warpgrade::sim::frame_test

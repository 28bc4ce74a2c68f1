// SPDX-License-Identifier: Apache-2.0
// Operands of barriers, shuffles, votes, matches and reductions: their number, kind and second
// result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::warp_decoder_test {

using testing::Each;

TEST(WarpOperands, TheSecondResultMayBeLeftOut) {
  EXPECT_EQ(1U, word("shfl.sync.down.b32 %r4, %r29, 1, 31, -1;"));
  EXPECT_EQ(1U, word("shfl.sync.down.b32 %r4|%p3, %r29, 1, 31, -1;"));
  EXPECT_EQ(1U, word("shfl.sync.down.b32 %r4|_, %r29, 1, 31, -1;"));
  EXPECT_EQ(0x1U, word("match.any.sync.b32 %r4, %r29, -1;"));
}

TEST(WarpOperands, EveryOneMayBeARegister) {
  EXPECT_EQ(5U, word("mov.u32 %r5, 5; mov.u32 %r6, 31; mov.u32 %r7, -1;"
                     "shfl.sync.idx.b32 %r4, %r29, %r5, %r6, %r7;"));
  EXPECT_THAT(words("mov.u32 %r5, 3; mov.u32 %r6, 32; bar.sync %r5, %r6; mov.u32 %r4, 1;"),
              Each(1U));
}

TEST(WarpOperands, AVotesSourceMayBeNegated) {
  EXPECT_EQ(0x55555555U, word("vote.sync.ballot.b32 %r4, !%p15, -1;"));
  EXPECT_EQ(1U, word("vote.sync.any.pred %p3, !%p15, -1; selp.u32 %r4, 1, 0, %p3;"));
}

TEST(WarpOperands, BarriersReduceWithAndWithoutACount) {
  EXPECT_EQ(16U, word("bar.red.popc.u32 %r4, 0, %p15;"));
  EXPECT_EQ(16U, word("bar.red.popc.u32 %r4, 1, 32, !%p15;"));
  EXPECT_EQ(16U, word("barrier.cta.red.popc.u32 %r4, 1, 32, %p15;"));
}

TEST(WarpOperands, AWrongNumberIsRefused) {
  for (const auto* form :
       {"match.any.sync.b32 %r4|%p3, -1;", "shfl.sync.up.b32 %r4|%p3, %r1, 1, 0;"}) {
    EXPECT_NE("", refusal(form)) << form;
  }
}

TEST(WarpOperands, TheResultHasTheKindOfTheInstruction) {
  EXPECT_NE("", refusal("vote.sync.ballot.b32 %p3, %p1, -1;"));
  EXPECT_NE("", refusal("vote.sync.any.pred %r4, %p1, -1;"));
  EXPECT_NE("", refusal("match.any.sync.b64 %r4, %r1, -1;"));
}

}  // namespace warpgrade::sim::warp_decoder_test

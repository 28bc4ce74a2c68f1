// SPDX-License-Identifier: Apache-2.0
#include "common/check/happens_before.h"

#include <gtest/gtest.h>

#include "common/ptx/module.h"
#include "tests/check/events.h"

namespace warpgrade::check::happens_before_test {

// Order among the lanes of a warp, established by its barriers.

constexpr std::uint32_t kAll = run::kFullMask;

TEST(WarpOrder, WithoutABarrierOnlyALaneItselfIsInOrder) {
  const WarpOrder order(2);
  EXPECT_EQ(kAll & ~8U, order.unordered(1, kAll, order.stamp(1), 3));
}

TEST(WarpOrder, ABarrierOfAllOrdersWhatCameBeforeIt) {
  WarpOrder order(2);
  const auto before = order.stamp(0);
  order.barrier(0, kAll);
  EXPECT_EQ(0U, order.unordered(0, kAll, before, 3));
  EXPECT_EQ(kAll & ~8U, order.unordered(0, kAll, order.stamp(0), 3));
  EXPECT_EQ(kAll & ~8U, order.unordered(1, kAll, order.stamp(1), 3));  // the other warp
}

TEST(WarpOrder, ABarrierOfAPartOrdersThatPartOnly) {
  WarpOrder order(1);
  const auto before = order.stamp(0);
  order.barrier(0, 0x3);
  EXPECT_EQ(0U, order.unordered(0, 0x3, before, 0));
  EXPECT_EQ(0x4U, order.unordered(0, 0x7, before, 0));
  EXPECT_EQ(0x3U, order.unordered(0, 0x7, before, 2));
}

TEST(WarpOrder, OrderIsHandedOnFromBarrierToBarrier) {
  WarpOrder order(1);
  const auto before = order.stamp(0);
  order.barrier(0, 0x3);  // lanes 0 and 1
  const auto between = order.stamp(0);
  order.barrier(0, 0x6);  // lanes 1 and 2
  EXPECT_EQ(0U, order.unordered(0, 0x1, before, 2));
  EXPECT_EQ(0x1U, order.unordered(0, 0x1, between, 2));  // lane 0 missed the second barrier
}

TEST(WarpOrder, AdvancingTeachesNobody) {
  WarpOrder order(1);
  const auto before = order.stamp(0);
  order.advance(0);
  EXPECT_LT(before, order.stamp(0));
  EXPECT_EQ(0x1U, order.unordered(0, 0x1, before, 2));
}

TEST(WarpOrder, ResetForgetsAllBarriers) {
  WarpOrder order(1);
  order.barrier(0, 0x3);
  order.reset();
  EXPECT_EQ(0x1U, order.unordered(0, 0x1, order.stamp(0), 1));
  EXPECT_EQ(0U, order.known(0, 0, 1));
}

}  // namespace warpgrade::check::happens_before_test

namespace warpgrade::check::happens_before_test_too {

// Order across warps: barriers of part of a block, synchronization objects, and fences with flags.

constexpr std::uint32_t kAll = run::kFullMask;

class HappensBeforeTest : public testing::Test {
 protected:
  // Begins a launch whose instructions are those of `body`, one per statement.
  void begin(const std::string& body) {
    module = ptx::parse(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
        ".reg .b32 %r<4>; .reg .b64 %rd<4>;\n" +
            body + " ret; }\n",
        "k.cu");
    launch.context().function = ptx::find_function(module, "k");
    order.begin_launch(launch.context());
    order.begin_block();
  }
  void fence(std::uint32_t warp, std::uint32_t mask, bool device_wide = false) {
    order.order({run::OrderEvent::Kind::kFence, device_wide, 0, warp, mask, nullptr});
  }
  // An access by lane 0 of `warp` to `place`.
  run::MemoryEvent access(std::uint32_t instruction, std::uint32_t warp, std::uint64_t place) {
    addresses.fill(place);
    run::MemoryEvent event;
    event.instruction = instruction;
    event.warp = warp;
    event.mask = 1;
    event.address = addresses.data();
    event.operation = instruction == 0 ? run::Operation::kStore : run::Operation::kLoad;
    return event;
  }

  Launch launch{{96, 1, 1}};
  ptx::Module module;
  HappensBefore order;
  std::array<std::uint64_t, run::kWarpSize> addresses{};
};

TEST_F(HappensBeforeTest, NothingOrdersTwoWarpsAtFirst) {
  begin("");
  EXPECT_FALSE(order.crosses());
  EXPECT_EQ(kAll, order.unordered(0, kAll, order.stamp(0), 1, 5));
}

TEST_F(HappensBeforeTest, ABarrierOfTheBlockOrdersAllThatCameBefore) {
  begin("");
  const auto before = order.stamp(0);
  order.block_barrier();
  EXPECT_EQ(0U, order.unordered(0, kAll, before, 1, 5));
  EXPECT_EQ(kAll, order.unordered(0, kAll, order.stamp(0), 1, 5));
}

TEST_F(HappensBeforeTest, ABarrierOfAPartOrdersItsMembers) {
  begin("");
  const auto before = order.stamp(0);
  const std::uint32_t members[] = {kAll, kAll, 0};
  order.barrier({run::BarrierEvent::Scope::kPart, 0, 0, 0, members});
  EXPECT_TRUE(order.crosses());
  EXPECT_EQ(0U, order.unordered(0, kAll, before, 1, 5));
  EXPECT_EQ(kAll, order.unordered(0, kAll, before, 2, 5));
}

TEST_F(HappensBeforeTest, AnObjectHandsOnWhatWasReleasedBeforeItWasAcquired) {
  begin("");
  const auto before = order.stamp(0);
  addresses.fill(0x40);
  const auto acquire = [&](std::uint32_t warp) {
    order.order({run::OrderEvent::Kind::kAcquire, false, 0, warp, 1, addresses.data()});
  };
  acquire(1);
  EXPECT_EQ(1U, order.unordered(0, 1, before, 1, 0));
  order.order({run::OrderEvent::Kind::kRelease, false, 0, 0, 1, addresses.data()});
  const auto after = order.stamp(0);
  acquire(2);
  EXPECT_EQ(0U, order.unordered(0, 1, before, 2, 0));
  EXPECT_EQ(1U, order.unordered(0, 1, after, 2, 0));
  EXPECT_EQ(2U, order.unordered(0, 2, before, 2, 0));  // lane 1 released nothing
}

const char* const kFlag =
    "st.volatile.global.u32 [%rd1], %r1; ld.volatile.global.u32 %r1, [%rd1]; membar.cta;";

TEST_F(HappensBeforeTest, AFlagBehindAFenceHandsOnWhatCameBeforeTheFence) {
  begin(kFlag);
  const auto before = order.stamp(0);
  fence(0, 1);
  const auto behind = order.stamp(0);
  order.access(access(0, 0, kOut));
  order.access(access(1, 1, kOut));
  EXPECT_EQ(1U, order.unordered(0, 1, before, 1, 0));  // The reader needs a fence, too.
  fence(1, 1);
  EXPECT_EQ(0U, order.unordered(0, 1, before, 1, 0));
  EXPECT_EQ(1U, order.unordered(0, 1, behind, 1, 0));
}

TEST_F(HappensBeforeTest, WithoutAFenceAFlagHandsOnNothing) {
  begin(kFlag);
  const auto before = order.stamp(0);
  order.access(access(0, 0, kOut));
  order.access(access(1, 1, kOut));
  fence(1, 1);
  EXPECT_EQ(1U, order.unordered(0, 1, before, 1, 0));
}

TEST_F(HappensBeforeTest, AnotherPlaceHandsOnNothing) {
  begin(kFlag);
  const auto before = order.stamp(0);
  fence(0, 1);
  order.access(access(0, 0, kOut));
  order.access(access(1, 1, kOut + 4));
  fence(1, 1);
  EXPECT_EQ(1U, order.unordered(0, 1, before, 1, 0));
}

TEST_F(HappensBeforeTest, StrengthsFollowTheInstruction) {
  begin(std::string(kFlag) + "ld.global.u32 %r1, [%rd1]; ld.relaxed.gpu.global.u32 %r1, [%rd1];");
  EXPECT_EQ(Strength::kVolatile, order.strength(access(0, 0, kOut), 0));
  EXPECT_EQ(Strength::kPlain, order.strength(access(3, 0, kOut), 0));
  EXPECT_EQ(Strength::kStrong, order.strength(access(4, 0, kOut), 0));
  fence(0, 1);
  EXPECT_EQ(Strength::kStrong, order.strength(access(0, 0, kOut), 0));
}

TEST_F(HappensBeforeTest, OnlyADeviceWideFenceHandsOnToOtherBlocks) {
  begin(kFlag);
  EXPECT_TRUE(order.handed_on(access(0, 0, kOut), 0).empty());
  fence(0, 1);
  EXPECT_TRUE(order.handed_on(access(0, 0, kOut), 0).empty());
  fence(0, 1, true);
  EXPECT_FALSE(order.handed_on(access(0, 0, kOut), 0).empty());
  order.begin_block();
  EXPECT_TRUE(order.handed_on(access(0, 0, kOut), 0).empty());
}

TEST_F(HappensBeforeTest, AKernelWithSwapsIsKnown) {
  begin("atom.global.cas.b32 %r1, [%rd1], %r2, %r3; ld.global.u32 %r1, [%rd1];");
  EXPECT_TRUE(order.has_swaps());
  EXPECT_TRUE(order.has_flags());
  EXPECT_TRUE(order.swaps(access(0, 0, kOut)));
  EXPECT_FALSE(order.swaps(access(1, 0, kOut)));
  begin("ld.global.u32 %r1, [%rd1];");
  EXPECT_FALSE(order.has_swaps());
  EXPECT_FALSE(order.has_flags());
}

TEST(Strengths, AnAtomicDoesNotCoverAPlainAccess) {
  EXPECT_TRUE(covers(Strength::kPlain, Strength::kStrong));
  EXPECT_TRUE(covers(Strength::kPlain, Strength::kPlain));
  EXPECT_FALSE(covers(Strength::kStrong, Strength::kPlain));
}

}  // namespace warpgrade::check::happens_before_test_too

// SPDX-License-Identifier: Apache-2.0
// Registers and on-chip variables get separate, aligned places, and only if they are used.
#include "common/sim/decode/operand_slots.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::operand_slots_test {

TEST(LaneBytes, AByteIsHeldInTwoAndAPredicateIsAMask) {
  EXPECT_EQ(1U, lane_bytes(ptx::Type::kPred));
  EXPECT_EQ(2U, lane_bytes(ptx::Type::kU8));
  EXPECT_EQ(2U, lane_bytes(ptx::Type::kF16));
  EXPECT_EQ(4U, lane_bytes(ptx::Type::kF32));
  EXPECT_EQ(8U, lane_bytes(ptx::Type::kB64));
}

TEST(Slots, RegistersOfEverySizeStayApart) {
  EXPECT_EQ(0x0102030405060708ULL & 0xffffULL,
            long_word("mov.u16 %h4, 0x0708; mov.u64 %rd5, -1; mov.u32 %r5, -1; mov.u16 %h5, 0xffff;"
                      "setp.eq.u32 %p3, 0, 0; cvt.u64.u16 %rd4, %h4;"));
}

TEST(Slots, ComponentsOfAVectorRegisterAreRegisters) {
  EXPECT_EQ(3U,
            word(".reg .v2 .b32 %v; mov.u32 %v.x, 1; mov.u32 %v.y, 2; add.u32 %r4, %v.x, %v.y;"));
}

TEST(Slots, OneImmediateInTwoSizesIsTwoConstants) {
  EXPECT_EQ(0xffffffffULL, long_word("mov.u64 %rd5, -1; mov.u32 %r5, -1; cvt.u64.u32 %rd4, %r5;"));
}

// Addresses of two shared arrays and of a dynamic one, as offsets from the first.
std::vector<std::uint64_t> shared_addresses(const std::string& variables) {
  PtxLaunch launch;
  launch.before = variables;
  launch.threads = 3;
  launch.dynamic_shared_bytes = 64;
  launch.body =
      "mov.u64 %rd5, a; mov.u64 %rd6, b; mov.u64 %rd7, d; setp.eq.u32 %p1, %r29, 0;"
      "setp.eq.u32 %p2, %r29, 1; selp.u64 %rd8, %rd5, %rd6, %p1; selp.u64 %rd8, %rd8, %rd7, %p1;"
      "@%p1 mov.u64 %rd8, %rd5; @%p2 mov.u64 %rd8, %rd6; @!%p1 bra $b; bra $store; $b: @%p2 bra "
      "$store; mov.u64 %rd8, %rd7; $store: st.global.u64 [%rd1], %rd8;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  return run.out;
}

TEST(SharedVariables, LieAtTheirAlignmentAndDoNotTouch) {
  const auto at = shared_addresses(
      ".shared .align 1 .b8 a[3]; .shared .align 16 .b8 b[20]; .extern .shared .align 8 .b8 d[];");
  EXPECT_EQ(0U, at[0]);
  EXPECT_EQ(0U, at[1] % 16);
  EXPECT_GE(at[1], at[0] + 3);
  EXPECT_EQ(0U, at[2] % 8);
  EXPECT_GE(at[2], at[1] + 20);
}

TEST(SharedVariables, TakeNoMoreThanThereIs) {
  PtxLaunch launch;
  launch.before = ".shared .align 1 .b8 a[2000000];";
  launch.body = "mov.u64 %rd5, a;";
  EXPECT_THROW(run_ptx(launch), base::ToolError);
}

TEST(Operands, ThatHaveNoSlotAreRefused) {
  EXPECT_THAT(refusal("mov.u32 5, %r1;"), testing::HasSubstr("this result"));
  EXPECT_NE("", refusal("add.u64 %rd4, [%rd1], 1;"));
}

}  // namespace warpgrade::sim::operand_slots_test

// SPDX-License-Identifier: Apache-2.0
// atom and red of vectors: each element is an operation of its own, and a lane's elements stay
// together.
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::atomic_vector_test {

// The first two words of `out` after `body`, in which %rd5 is their address.
std::vector<std::uint64_t> after(const std::string& body) {
  PtxLaunch launch;
  launch.body =
      "ld.param.u64 %rd5, [p_out]; cvt.rn.f32.u32 %f1, %r29; mov.f32 %f2, 0f3F800000;" + body;
  const auto run = run_ptx(launch);
  expect_clean(run);
  return {run.out[0], run.out[1]};
}

TEST(AtomicVectors, EachElementHasItsOwnSum) {
  // The sum of the lanes' numbers, 496, and of 32 ones.
  EXPECT_EQ(0x4200000043f80000U, after("red.global.v2.f32.add [%rd5], {%f1, %f2};")[0]);
}

TEST(AtomicVectors, OnlyActiveLanesTakePart) {
  EXPECT_EQ(0x4040000040400000U, after("setp.lt.u32 %p1, %r29, 3;"
                                       "@%p1 red.global.v2.f32.add [%rd5], {%f1, %f2};")[0]);
}

TEST(AtomicVectors, GiveTheOldValuesBack) {
  // Lane 31 is last, and gets 30 * 31 / 2 = 465 and 31 ones.
  const auto out = after(
      "atom.global.v2.f32.add {%f3, %f4}, [%rd5], {%f1, %f2}; setp.eq.u32 %p1, %r29, 31;"
      "@%p1 st.global.v2.f32 [%rd5+8], {%f3, %f4};");
  EXPECT_EQ(0x41f8000043e88000U, out[1]);
}

TEST(AtomicVectors, HalvesOfAPairStayApart) {
  // 32 times (1, 2): 32 is 0x5000, 64 is 0x5400.
  const auto out =
      after("mov.b32 %r1, 0x40003c00; red.global.v2.f16x2.add.noftz [%rd5], {%r1, %r1};");
  EXPECT_EQ(0x5400500054005000U, out[0]);
}

TEST(AtomicVectors, ExtremesOfSixteenBitFloats) {
  const auto out = after(
      "mov.b16 %h1, 0x3c00; mov.b16 %h2, 0xbc00; red.global.v2.f16.max.noftz [%rd5], {%h1, %h2};");
  EXPECT_EQ(0x3c00U, out[0]);  // max(0, -1) stays 0
}

TEST(AtomicVectors, OthersAreRefused) {
  const auto run = run_body("red.global.v2.f32.min [%rd1], {%f1, %f2};");
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind);
}

}  // namespace warpgrade::sim::atomic_vector_test

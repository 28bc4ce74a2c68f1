// SPDX-License-Identifier: Apache-2.0
// Shapes, types and fragments of matrix instructions that the simulator refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"

namespace warpgrade::sim::matrix_decoder_test {

using testing::HasSubstr;

TEST(MatrixForms, ShapesThatATypeHasNotAreRefused) {
  for (const auto* form :
       {"mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3,"
        "%r4}, {%r1, %r2}, {%r1, %r2, %r3, %r4};",
        "mma.sync.aligned.m8n8k16.row.col.f32.f16.f16.f32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r2};"}) {
    EXPECT_THAT(refusal(form), HasSubstr("this shape of these types"));
  }
}

TEST(MatrixForms, VoltasShapeIsRefused) {
  EXPECT_THAT(refusal("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4},"
                      "{%r1, %r2}, {%r1, %r2}, {%r1, %r2, %r3, %r4};"),
              HasSubstr("this shape of these types"));
}

TEST(MatrixForms, FragmentsHaveTheirNumberOfRegisters) {
  EXPECT_THAT(refusal("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4},"
                      "{%r1, %r2}, {%r1, %r2}, {%r1, %r2, %r3, %r4};"),
              HasSubstr("fragments of this size"));
  EXPECT_THAT(refusal("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1}, [%rd2];"),
              HasSubstr("this fragment"));
  EXPECT_THAT(refusal("ldmatrix.sync.aligned.m8n8.x2.b16 {%r1}, [%rd2];"),
              HasSubstr("a vector of another length"));
}

TEST(MatrixForms, FourBitIntegersAreRefused) {
  EXPECT_NE("", refusal("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r1, %r2}, {%r1}, {%r1},"
                        "{%r1, %r2};"));
}

}  // namespace warpgrade::sim::matrix_decoder_test

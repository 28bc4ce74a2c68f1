// SPDX-License-Identifier: Apache-2.0
// The source lines behind a gate that does not count memory accesses.
#include "grader/grade/judge/gate_places.h"

#include <gtest/gtest.h>

#include "grader/course/launch_metrics.h"

namespace warpgrade::grader::grade::gate_places_test {

constexpr std::string_view kDivisions = "warpgrade__ptx_integer_divisions.sum";

// A division of integers in lines 3 and 7, one of floats in line 5, one in a header's line 9.
constexpr const char* kPtx = R"ptx(
.version 8.0
.target sm_75
.address_size 64
.visible .entry f(.param .u32 n)
{
	.reg .u32 %r<4>;
	.reg .f32 %f<3>;
	.loc 1 3 1
	ld.param.u32 %r1, [n];
	rem.u32 %r2, %r1, 3;
	.loc 1 7 1
	div.s32 %r3, %r1, %r2;
	.loc 1 5 1
	cvt.rn.f32.u32 %f1, %r3;
	div.rn.f32 %f2, %f1, %f1;
	.loc 2 9 1
	div.u32 %r3, %r1, %r2;
	ret;
}
	.file	1 "a.cu"
	.file	2 "b.h"
)ptx";

std::string text_of(std::string_view metric, const std::string& ptx, const std::string& source) {
  compile::Program program;
  program.file = "a.cu";
  program.ptx = ptx;
  program.source = source;
  Place place;
  place.program = &program;
  return places_text(metric, place);
}

TEST(GatePlaces, LinesWithIntegerDivisionsOfTheFile) {
  EXPECT_EQ("Integer / and % are in lines 3, 7.", text_of(kDivisions, kPtx, ""));
}

TEST(GatePlaces, SharedArraysWithTheirBytes) {
  EXPECT_EQ(
      "tile[32][33] (line 2) uses 4,224 bytes.",
      text_of(course::kStaticSharedBytes, "", "float own[3];\n__shared__ float tile[32][33];"));
  EXPECT_EQ("", text_of(course::kStaticSharedBytes, "", "extern __shared__ float sums[];"));
}

TEST(GatePlaces, OtherMetricsHaveNone) {
  EXPECT_TRUE(has_places(kDivisions));
  EXPECT_TRUE(has_places(course::kStaticSharedBytes));
  EXPECT_FALSE(has_places("dram__bytes_read.sum"));
  EXPECT_EQ("", text_of("dram__bytes_read.sum", "", ""));
}

}  // namespace warpgrade::grader::grade::gate_places_test

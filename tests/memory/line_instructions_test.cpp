// SPDX-License-Identifier: Apache-2.0
// Executed instructions by source line. Two instructions of one line share a row, and code of a
// header has its own rows.
#include "common/memory/line_instructions.h"

#include <gtest/gtest.h>

#include "common/ptx/parser.h"

namespace warpgrade::memory::line_instructions_test {

// Two instructions at line 7 of a.cu, one at its line 3, one at line 9 of b.h, and one that is
// never executed.
constexpr const char* kPtx = R"ptx(
.version 8.0
.target sm_75
.address_size 64
.visible .entry f(.param .u32 n)
{
	.reg .u32 %r<4>;
	.loc 1 7 1
	ld.param.u32 %r1, [n];
	add.u32 %r2, %r1, 3;
	.loc 1 3 1
	sub.u32 %r3, %r1, %r2;
	.loc 2 9 1
	mul.lo.u32 %r3, %r1, %r2;
	.loc 1 8 1
	ret;
}
	.file	1 "a.cu"
	.file	2 "b.h"
)ptx";

TEST(LineInstructions, AddUpByLineInTheOrderOfTheSource) {
  const auto module = ptx::parse(kPtx, "a.cu");
  run::Result result;
  result.instructions = {{10, 320}, {10, 320}, {4, 4}, {5, 160}, {0, 0}};
  const std::vector<LineInstructions> expected = {{"a.cu", 3, 4}, {"a.cu", 7, 20}, {"b.h", 9, 5}};
  EXPECT_EQ(expected, instructions_by_line(module.functions.at(0), result));
}

TEST(LineInstructions, LaunchesAddUpAndNewLinesFindTheirPlace) {
  std::vector<LineInstructions> all = {{"a.cu", 3, 4}, {"b.h", 9, 5}};
  add_instructions({{"a.cu", 3, 1}, {"a.cu", 7, 2}, {"c.h", 1, 6}}, all);
  const std::vector<LineInstructions> expected = {
      {"a.cu", 3, 5}, {"a.cu", 7, 2}, {"b.h", 9, 5}, {"c.h", 1, 6}};
  EXPECT_EQ(expected, all);
}

}  // namespace warpgrade::memory::line_instructions_test

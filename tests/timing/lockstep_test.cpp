// SPDX-License-Identifier: Apache-2.0
// Loops calculated by hand, and loops from ptxas (CUDA 13.0) that were measured on an H200
// (tests/evidence/golden/h200_issue, loops.cu).
#include "common/timing/lockstep.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "common/device/profile.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::lockstep_test {

using Unit = MachineInstruction::Unit;
using Loop = std::vector<MachineInstruction>;

MachineInstruction op(Unit unit, std::uint8_t stall) { return {.unit = unit, .stall = stall}; }
MachineInstruction branch(std::uint8_t stall) {
  return {.kind = MachineInstruction::Kind::kBranch, .stall = stall};
}

Loop repeated(int times, const Loop& part) {
  Loop out;
  for (int i = 0; i < times; ++i) out.insert(out.end(), part.begin(), part.end());
  return out;
}
Loop operator+(Loop a, const Loop& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double sum(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }
double pass(const Loop& loop) {
  return sum(lockstep_clocks(
      loop, {.alu = 2, .xu = 8, .fp64 = 2, .fma_heavy = 2, .look_up = 17, .branch = 5}));
}

TEST(Lockstep, InstructionsOfOnePipeTakeTheirTurns) {
  EXPECT_NEAR(20, pass(repeated(10, {op(Unit::kAlu, 4)})), 0.01);
  EXPECT_NEAR(40, pass(repeated(10, {op(Unit::kFmaHeavyTwice, 4)})), 0.01);
  EXPECT_NEAR(10, pass(repeated(10, {op(Unit::kNone, 1)})), 0.01);
}

// Warps that have passed one pipe's instruction meanwhile issue the other pipe's.
TEST(Lockstep, PipesThatAlternateWorkAtTheSameTime) {
  EXPECT_NEAR(20, pass(repeated(10, {op(Unit::kAlu, 4), op(Unit::kFmaHeavy, 4)})), 1.5);
}

// Eight warps need 16 clocks for one double operation. During the last one, at most eight slots are
// left for the 20 free instructions of warps that are done with it. All other free instructions
// follow the last double operation.
TEST(Lockstep, PhasesOfDifferentPipesAddUp) {
  const double all = pass(repeated(20, {op(Unit::kFp64, 8)}) + repeated(20, {op(Unit::kNone, 1)}));
  EXPECT_GT(all, 40 + 20 - 16.0 / 8 * 2);
  EXPECT_LT(all, 40 + 20 + 1);
}

// The share of each instruction: two clocks for a double operation, one clock for any other.
TEST(Lockstep, EachInstructionHasItsPart) {
  const Loop loop = repeated(20, {op(Unit::kFp64, 8)}) + repeated(20, {op(Unit::kNone, 1)});
  const auto clocks = lockstep_clocks(loop, {.fp64 = 2});
  EXPECT_NEAR(2, clocks[10], 0.01);
  EXPECT_NEAR(1, clocks[35], 0.3);
  EXPECT_TRUE(lockstep_clocks({}, {}).empty());
}

double measured(const std::string& of) {
  for (const auto& row : golden::read_csv(WARPGRADE_ISSUE)) {
    if (row.at("what") == "loop by 8 warps a scheduler" && row.at("of") == of)
      return std::stod(row.at("clocks"));
  }
  ADD_FAILURE() << "no row " << of;
  return 0;
}

double per_step(const Loop& loop, int steps) {
  return sum(lockstep_clocks(loop, unit_clocks(device::find("h200")))) / steps;
}

TEST(Lockstep, ChainsOfDoublesTakeWhatTheyTakeOnAnH200) {
  const auto mov = op(Unit::kFmaHeavy, 2);
  const Loop loop = Loop{mov, mov, op(Unit::kAlu, 4), op(Unit::kFp64, 1), op(Unit::kAlu, 7)} +
                    repeated(14, {op(Unit::kFp64, 8)}) + Loop{op(Unit::kFp64, 1), branch(10)};
  EXPECT_NEAR(1, per_step(loop, 16) / measured("fma.f64"), 0.1);
}

TEST(Lockstep, DivisionsBySevenTakeWhatTheyTakeOnAnH200) {
  const Loop first = {op(Unit::kFmaHeavyTwice, 4), op(Unit::kFmaHeavy, 2), op(Unit::kAlu, 3),
                      op(Unit::kAlu, 2),           op(Unit::kAlu, 2),      op(Unit::kAlu, 5)};
  const Loop next = {op(Unit::kFmaHeavyTwice, 4), op(Unit::kFmaHeavy, 5), op(Unit::kAlu, 4),
                     op(Unit::kAlu, 5)};
  const Loop last = {op(Unit::kFmaHeavyTwice, 4), op(Unit::kFmaHeavy, 5), op(Unit::kAlu, 4),
                     op(Unit::kAlu, 1), branch(6)};
  EXPECT_NEAR(1, per_step(first + next + next + last, 4) / measured("div.u32 by 7"), 0.1);
}

TEST(Lockstep, ShiftsAndLogicTakeWhatTheyTakeOnAnH200) {
  const auto shl = op(Unit::kFmaHeavy, 5);
  const auto alu = [](std::uint8_t stall) { return op(Unit::kAlu, stall); };
  const Loop first = {op(Unit::kFmaHeavy, 2), alu(3), alu(2), alu(2), alu(4), alu(5), shl, alu(5)};
  const Loop next = {shl, alu(4), alu(4), alu(5), shl, alu(5)};
  const Loop last = {shl, alu(4), alu(4), alu(5), shl, alu(1), branch(6)};
  EXPECT_NEAR(1, per_step(first + next + next + last, 4) / measured("xorshift"), 0.1);
}

}  // namespace warpgrade::timing::lockstep_test

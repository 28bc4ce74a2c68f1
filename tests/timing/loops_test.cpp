// SPDX-License-Identifier: Apache-2.0
#include "common/timing/loops.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::loops_test {

// Loops as ptxas of CUDA 13.0 writes them for sm_90, reduced to the kinds of their instructions.

using Kind = MachineInstruction::Kind;

ptx::Module kernel(const std::string& body) {
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<4>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n" +
          body + "ret;\n}\n",
      "k.cu");
}

MachineInstruction load() { return {.kind = Kind::kGlobalLoad, .bytes = 4}; }
MachineInstruction branch(std::size_t target) {
  return {.kind = Kind::kBranch, .target = static_cast<std::int64_t>(target)};
}

/// A loop that loads `loads` floats and subtracts `step` from a counter.
void add_loop(std::vector<MachineInstruction>& code, std::size_t loads, std::int32_t step = 0) {
  const auto head = code.size();
  for (std::size_t i = 0; i < loads; ++i) code.push_back(load());
  code.push_back({.step = -step});
  code.push_back(branch(head));
}

const std::string kFour =
    "$four:\nld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\n"
    "ld.global.f32 %f3, [%rd1+8];\nld.global.f32 %f4, [%rd1+12];\n@%p1 bra $four;\n";
const std::string kOne = "$one:\nld.global.f32 %f1, [%rd1];\n@%p1 bra $one;\n";
const std::string kAdds =
    "$adds:\nfma.rn.f32 %f1, %f2, %f1, %f3;\nadd.s32 %r1, %r1, -4;\n@%p1 bra $adds;\n";

std::vector<UnrolledLoop> found(const std::string& body,
                                const std::vector<MachineInstruction>& code) {
  return unrolled_loops(kernel(body).functions.at(0), code);
}

// A sum of columns: a loop of 16 loads, then one of four, then one of a single load.
TEST(UnrolledLoops, TheLargestOfALoopsFormsCounts) {
  std::vector<MachineInstruction> code;
  for (const std::size_t loads : {16, 4, 1}) add_loop(code, loads);
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 4, 4, 0}}), found(kFour + kOne, code));
}

// Registers are scarce: after ten loads the sum waits for the first load, which sets barrier 2.
TEST(UnrolledLoops, LoadsBeforeTheFirstWaitAreAhead) {
  std::vector<MachineInstruction> code;
  for (int i = 0; i < 16; ++i) {
    if (i == 10) code.push_back({.kind = Kind::kFloat, .waits = 1U << 2});
    code.push_back({.kind = Kind::kGlobalLoad,
                    .bytes = 4,
                    .sets = static_cast<std::uint8_t>(i < 3 ? 2 + i : 5)});
  }
  code.push_back(branch(0));
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 4, 4, 10}}), found(kFour, code));
  code[10].waits = 1U << 1;  // no load sets it
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 4, 4, 0}}), found(kFour, code));
}

TEST(UnrolledLoops, OneThatIsGoneIsSkipped) {
  std::vector<MachineInstruction> code;
  add_loop(code, 6);  // not a multiple of four
  add_loop(code, 3);
  EXPECT_EQ((std::vector<UnrolledLoop>{{5, 6, 6, 0}}), found(kFour + kOne, code));
  EXPECT_TRUE(found(kFour + kOne, {}).empty());
}

TEST(UnrolledLoops, WithoutMemoryTheCounterTells) {
  std::vector<MachineInstruction> code;
  add_loop(code, 0, 16);
  add_loop(code, 0, 4);
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 2, 4}}), found(kAdds, code));
  std::vector<MachineInstruction> other;
  add_loop(other, 1, 16);
  EXPECT_TRUE(found(kAdds, other).empty());
}

TEST(UnrolledLoops, OuterLoopsAndBranchesToThemselvesAreNone) {
  std::vector<MachineInstruction> code = {load()};
  add_loop(code, 8);
  code.push_back(branch(0));            // the outer loop
  code.push_back(branch(code.size()));  // behind EXIT
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 4, 2}}), found(kFour, code));
}

// The PTX line distinguishes two equal loops.
TEST(UnrolledLoops, ALoopOfOtherLinesIsNone) {
  const auto function = kernel(kOne).functions.at(0);
  std::vector<MachineInstruction> code;
  add_loop(code, 4);
  for (auto& one : code) one.line = function.instructions.back().ptx_line;
  const auto other = code.size();
  add_loop(code, 2);
  for (auto i = other; i < code.size(); ++i) code[i].line = function.instructions[0].ptx_line;
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 1, 2}}), unrolled_loops(function, code));
}

}  // namespace warpgrade::timing::loops_test

namespace warpgrade::timing::lockstep_test {

// Loops calculated by hand, and loops from ptxas (CUDA 13.0) that were measured on an H200
// (tests/evidence/golden/h200_issue, loops.cu).

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

// A wide product holds the scheduler for 3.5 clocks, which FFMA cannot use.
TEST(Lockstep, AWideProductHoldsTheScheduler) {
  const UnitClocks units{.fma_heavy = 2, .wide_product = 2.5};
  const auto clocks = [&](int floats) {
    return sum(lockstep_clocks(
        repeated(8, {op(Unit::kWideProduct, 4)}) + repeated(floats, {op(Unit::kNone, 1)}), units));
  };
  EXPECT_NEAR(8 * 3.5 + 32, clocks(32), 4);
  EXPECT_NEAR(16, clocks(48) - clocks(32), 0.5);
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

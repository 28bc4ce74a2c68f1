// SPDX-License-Identifier: Apache-2.0
#include "common/timing/machine_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "common/ptx/module.h"

namespace warpgrade::timing::machine_costs_test {

// Small pieces of code as ptxas of CUDA 13.0 writes them for sm_90, counted by hand.

using Kind = MachineInstruction::Kind;
using Unit = MachineInstruction::Unit;

constexpr UnitClocks kUnits{
    .alu = 2, .xu = 8, .fp64 = 2, .fma_heavy = 2, .look_up = 17, .branch = 5};
constexpr double kExchange = 24;

class MachineCosts : public testing::Test {
 protected:
  void parse(const std::string& body) {
    module_ = ptx::parse(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .pred %p<4>;\n.reg .f32 %f<9>;\n.reg .f64 %d<9>;\n.reg .b64 %rd<9>;\n"
        ".reg .b32 %r<9>;\n" +
            body + "ret;\n}\n",
        "k.cu");
  }
  const ptx::Function& function() const { return module_.functions.at(0); }
  std::uint32_t line(std::size_t instruction) const {
    return function().instructions.at(instruction).ptx_line;
  }

  /// Adds a machine instruction that comes from the PTX instruction `of`.
  MachineInstruction& add(std::size_t of, std::uint8_t stall = 1, Kind kind = Kind::kOther) {
    code_.push_back({.kind = kind, .stall = stall, .line = line(of)});
    return code_.back();
  }
  void branch(std::size_t of, std::size_t target) {
    add(of, 5, Kind::kBranch).target = static_cast<std::int64_t>(target);
  }
  /// The costs without in_step and places, which have tests of their own.
  std::vector<MachineCost> costs(const std::vector<UnrolledLoop>& loops = {}) const {
    auto all = machine_costs(function(), code_, loops, kUnits, kExchange);
    for (MachineCost& cost : all) {
      cost.in_step = 0;
      cost.places.clear();
    }
    return all;
  }
  std::vector<MachinePlace> places(std::size_t instruction,
                                   const std::vector<UnrolledLoop>& loops = {}) const {
    return machine_costs(function(), code_, loops, kUnits, kExchange)[instruction].places;
  }
  /// The sum of in_step.
  double in_step(const std::vector<UnrolledLoop>& loops = {}) const {
    double sum = 0;
    for (const MachineCost& cost : machine_costs(function(), code_, loops, kUnits, kExchange))
      sum += cost.in_step;
    return sum;
  }

  ptx::Module module_;
  std::vector<MachineInstruction> code_;
};

TEST_F(MachineCosts, AnInstructionCostsWhatComesFromItsLine) {
  parse("div.u32 %r1, %r2, %r3;\nadd.s32 %r4, %r1, 1;\nmul.f64 %d1, %d2, %d3;\n");
  add(0, 4).unit = Unit::kFmaHeavy;
  add(0, 13).unit = Unit::kAlu;
  add(2, 8).unit = Unit::kFp64;
  const auto found = costs();
  EXPECT_EQ((MachineCost{.instructions = 2, .clocks = 17, .alu = 1, .fma_heavy = 1}), found[0]);
  EXPECT_EQ(MachineCost{}, found[1]);  // part of instruction 0
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 8, .fp64 = 1}), found[2]);
}

// A conversion to double runs on the slower of two units: the one for look-ups, or the one for
// doubles, which needs 64 clocks per warp and scheduler on a T4.
TEST_F(MachineCosts, ConversionsToDoublesUseTheSlowerUnit) {
  parse("cvt.f64.f32 %d1, %f1;\nadd.f32 %f2, %f1, %f1;\n");
  add(0).unit = Unit::kXuOfDoubles;
  add(1).unit = Unit::kFloat;
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 1, .xu = 1}), costs()[0]);
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 1, .fp32 = 1}), costs()[1]);
  UnitClocks units = kUnits;
  units.fp64 = 64;
  const auto found = machine_costs(function(), code_, {}, units, kExchange);
  EXPECT_EQ(0, found[0].xu);
  EXPECT_EQ(1, found[0].fp64);
}

TEST_F(MachineCosts, WhatComesFromTheKernelsHeadIsTheFirstInstructions) {
  parse("mov.u32 %r1, %tid.x;\n");
  add(0).line = 4;  // .visible .entry
  add(0, 3, Kind::kNothing);
  EXPECT_EQ(1, costs()[0].instructions);
}

TEST_F(MachineCosts, WhoWaitsForALookUpTakesItsLatency) {
  parse("ex2.approx.f32 %f1, %f2;\nadd.f32 %f3, %f1, %f1;\n");
  MachineInstruction& look_up = add(0, 2);
  look_up.unit = Unit::kXu;
  look_up.sets = 0;
  add(1, 4).waits = 1;
  add(1, 4).waits = 1;  // the result is already there
  const auto found = costs();
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 2, .xu = 1}), found[0]);
  EXPECT_EQ(17 - 2 + 4 + 4, found[1].clocks);
}

TEST_F(MachineCosts, WhoWaitsForAnotherLaneTakesItsLatency) {
  parse("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\nadd.s32 %r3, %r1, 1;\n");
  add(0, 2, Kind::kExchange).sets = 3;
  add(1, 4).waits = 8;
  EXPECT_EQ(24 - 2 + 4, costs()[1].clocks);
}

const std::string kLoop =
    "mov.u32 %r1, 8;\n$l:\nadd.f32 %f1, %f1, %f2;\nadd.s32 %r1, %r1, -1;\n"
    "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra $l;\n";

// Machine code executes four PTX iterations as one, and a second loop executes the rest.
TEST_F(MachineCosts, OfAnUnrolledLoopItsLargestFormCounts) {
  parse(kLoop);
  add(0);
  for (int i = 0; i < 4; ++i) add(1, 4);
  add(2);
  add(3, 13);
  branch(4, 1);
  const auto rest = code_.size();
  add(1, 4);
  add(2);
  add(3, 13);
  branch(4, rest);
  const auto found = costs({{1, 4, 4}});
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 1}), found[0]);
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 4}), found[1]);
  EXPECT_EQ((MachineCost{.instructions = 0.25, .clocks = 0.25}), found[2]);
  EXPECT_EQ((MachineCost{.instructions = 0.25, .clocks = 5.0 / 4, .branches = true}), found[4]);
}

// The address is two machine instructions, and only the first of them waits for barrier 3. The load
// sets barrier 3 between them.
TEST_F(MachineCosts, PlacesAreThoseOfMachineCode) {
  parse("mov.u32 %r1, 8;\nadd.s64 %rd2, %rd1, %rd3;\nld.global.f32 %f1, [%rd2];\n");
  add(0);
  add(1).waits = 1 << 3;
  add(2, 4, Kind::kGlobalLoad).sets = 3;
  add(1);
  EXPECT_EQ((std::vector<MachinePlace>{{.at = 2, .sets = 1 << 3}}), places(2));
  EXPECT_EQ((std::vector<MachinePlace>{{.at = 3, .waits = {0, 0, 0, 1, 0, 0}}}), places(1));
}

// Two PTX iterations are one of machine code, which has two of the three instructions twice.
TEST_F(MachineCosts, EachPassOfAnUnrolledLoopHasItsPlace) {
  parse(kLoop);
  add(0);
  const auto head = code_.size();
  add(1);
  add(1);
  add(2);
  add(3);
  branch(4, head);
  EXPECT_EQ((std::vector<MachinePlace>{{.at = 1}, {.at = 2}}), places(1, {{1, 4, 2}}));
  EXPECT_TRUE(places(2, {{1, 4, 2}}).empty());
}

// A machine-code iteration is four PTX iterations: 4 * 4 double operations of two clocks. No loop
// accesses memory.
TEST_F(MachineCosts, ALoopOfArithmeticIsTimedInStep) {
  parse(kLoop);
  add(0);
  const auto head = code_.size();
  for (int i = 0; i < 16; ++i) add(1, 8).unit = Unit::kFp64;
  branch(4, head);
  EXPECT_NEAR(2 * 16 / 4.0, in_step({{1, 4, 4}}), 0.5);
}

TEST_F(MachineCosts, ALoopWithMemoryIsNot) {
  parse(
      "mov.u32 %r1, %r2;\n$loop:\nld.global.f32 %f1, [%rd1];\nadd.s32 %r1, %r1, -4;\n"
      "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra $loop;\n");
  add(0);
  add(1, 4, Kind::kGlobalLoad).bytes = 4;
  add(2, 4).unit = Unit::kAlu;
  add(3, 13).unit = Unit::kAlu;
  branch(4, 1);
  EXPECT_EQ(0, in_step());
}

TEST_F(MachineCosts, WhatIsDoneBeforeALoopCostsNoPass) {
  parse(kLoop);
  add(0);
  add(1, 2);  // moved out
  const auto head = code_.size();
  add(1, 4);
  add(3, 13);
  branch(4, head);
  const auto found = costs();
  EXPECT_EQ((MachineCost{.instructions = 2, .clocks = 3}), found[0]);
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 4}), found[1]);
}

TEST_F(MachineCosts, WhatIsDoneAgainInALoopCostsEachPass) {
  parse(kLoop);
  add(1, 4);
  add(0, 3);
  add(3, 13);
  branch(4, 0);
  const auto found = costs();
  EXPECT_EQ(0, found[0].instructions);
  EXPECT_EQ((MachineCost{.instructions = 2, .clocks = 8, .branches = true}), found[4]);
}

TEST_F(MachineCosts, ALoopThatIsUnrolledAsAWholeHasNoBranch) {
  parse(kLoop);
  for (int i = 0; i < 8; ++i) add(1, 4);
  const auto found = costs();
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 4}), found[1]);
  EXPECT_EQ(MachineCost{}, found[4]);
}

// The nine passes share arithmetic: each has a load, but only three compute a row of their own.
TEST_F(MachineCosts, PassesOfALoopThatIsUnrolledAsAWholeAreItsLoads) {
  parse(
      "$l:\nmul.wide.s32 %rd2, %r2, 4;\nmax.s32 %r2, %r3, 0;\nmin.s32 %r4, %r2, %r5;\n"
      "ld.global.f32 %f1, [%rd2];\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $l;\n");
  for (int pass = 0; pass < 9; ++pass) {
    for (const std::size_t of : {1, 2}) {
      if (pass % 3 == 0) add(of);
    }
    add(0);
    add(3, 1, Kind::kGlobalLoad);
  }
  const auto found = costs();
  EXPECT_DOUBLE_EQ(1, found[0].instructions);
  EXPECT_DOUBLE_EQ(1.0 / 3, found[1].instructions);
  EXPECT_DOUBLE_EQ(1, found[3].instructions);
}

// A division of doubles has a branch that skips the call for rare values.
TEST_F(MachineCosts, TheWayOfRareValuesIsNotTaken) {
  parse("div.rn.f64 %d1, %d2, %d3;\nadd.s32 %r4, %r1, 1;\n");
  add(0, 8);
  branch(0, 5);
  add(0, 7);
  add(1, 4);  // in between, and always executed
  add(0, 5, Kind::kCall).target = 6;
  add(0, 5);
  add(0, 9);  // the subroutine
  const auto found = costs();
  EXPECT_EQ((MachineCost{.instructions = 3, .clocks = 8 + 5 + 5}), found[0]);
  EXPECT_EQ((MachineCost{.instructions = 1, .clocks = 4}), found[1]);
}

TEST_F(MachineCosts, ASubroutineCountsUpToItsReturn) {
  parse("div.u64 %rd1, %rd2, %rd3;\n");
  add(0, 7);
  add(0, 5, Kind::kCall).target = 3;
  add(1, 5, Kind::kExit);
  add(1, 6).unit = Unit::kXu;
  add(1, 5, Kind::kReturn);
  add(1, 99);
  EXPECT_EQ((MachineCost{.instructions = 4, .clocks = 7 + 5 + 6 + 5, .xu = 1}), costs()[0]);
}

// LDS.128 of four words, as in the product of tiles of floats.
// The branch around a rare case keeps later loads behind it, if machine code has none before it.
TEST_F(MachineCosts, LoadsStayBehindADivisionIfMachineCodeHasThemThere) {
  parse("rcp.rn.f32 %f1, %f2;\nld.global.f32 %f3, [%rd1];\nld.global.f32 %f4, [%rd2];\n");
  add(0);
  branch(0, 3);
  add(0, 5, Kind::kCall).target = 6;
  add(1, 1, Kind::kGlobalLoad);
  add(2, 1, Kind::kGlobalLoad);
  EXPECT_TRUE(costs()[0].splits);
  code_.insert(code_.begin(), {.kind = Kind::kGlobalLoad, .stall = 1, .line = line(1)});
  code_[2].target = 4;
  EXPECT_FALSE(costs()[0].splits);
}

// An atomic that is a loop of machine code has a branch, but no rare case.
TEST_F(MachineCosts, TheLoopOfAnAtomicKeepsNoLoadBehindIt) {
  parse("red.shared.add.f32 [%r1], %f1;\nld.global.f32 %f3, [%rd1];\n");
  add(0);
  branch(0, 0);
  add(1, 1, Kind::kGlobalLoad);
  EXPECT_FALSE(costs()[0].splits);
}

TEST_F(MachineCosts, OneWideAccessMovesTheWordsOfItsNeighbours) {
  parse(
      "ld.shared.f32 %f1, [%rd1];\nld.shared.f32 %f2, [%rd2];\nld.shared.f32 %f3, [%rd1+4];\n"
      "ld.shared.f32 %f4, [%rd1+8];\nld.shared.f32 %f5, [%rd1+12];\nst.shared.f32 [%rd2], %f5;\n");
  add(0, 4, Kind::kSharedLoad).bytes = 16;
  add(1, 4, Kind::kSharedLoad).bytes = 4;
  add(5, 4, Kind::kSharedStore).bytes = 4;
  const auto found = costs();
  const std::vector<int> bytes = {16, 4, 0, 0, 0, 4};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(bytes[i], found[i].shared_bytes) << i;
    EXPECT_EQ(bytes[i] == 0 ? 0 : 1, found[i].shared_accesses) << i;
  }
}

TEST_F(MachineCosts, SpillsAreLocalAccessesThatPtxLacks) {
  parse("add.s32 %r1, %r2, 1;\nst.local.u32 [%rd1], %r1;\nadd.s32 %r3, %r1, 1;\n");
  add(0);
  MachineInstruction& store = add(0, 1, Kind::kLocalStore);
  store.bytes = 8;
  store.offset = 24;
  add(1, 1, Kind::kLocalStore).bytes = 4;
  add(2, 1, Kind::kLocalLoad).bytes = 4;
  const auto found = costs();
  EXPECT_EQ((std::vector<SpillAccess>{{.is_store = true, .bytes = 8, .offset = 24}}),
            found[0].spills);
  EXPECT_EQ(2, found[0].instructions);
  EXPECT_TRUE(found[1].spills.empty());  // of an array
  EXPECT_TRUE(found[1].is_local);
  EXPECT_EQ((std::vector<SpillAccess>{{.is_store = false, .bytes = 4, .offset = 0}}),
            found[2].spills);
}

// In registers_spilled, 38 of a warp's 261 loads are at the line of its loop's branch, and 10 at
// that line after the loop.
TEST_F(MachineCosts, SpillsOnTheLineOfALoopsBranchAreInTheLoopOrBehindIt) {
  parse("$l: add.s32 %r1, %r2, 1;\n@%p1 bra $l;\nadd.s32 %r3, %r1, 1;\n");
  add(0);
  add(1, 1, Kind::kLocalStore).bytes = 4;
  branch(1, 0);
  add(1, 1, Kind::kLocalLoad).bytes = 8;
  add(2);
  const auto found = costs();
  EXPECT_EQ((std::vector<SpillAccess>{{.is_store = true, .bytes = 4}}), found[0].spills);
  EXPECT_TRUE(found[1].spills.empty());
  EXPECT_EQ((std::vector<SpillAccess>{{.is_store = false, .bytes = 8}}), found[2].spills);
}

TEST_F(MachineCosts, WithoutLinesNothingIsKnown) {
  parse("add.s32 %r4, %r1, 1;\n");
  add(0).line = 0;
  EXPECT_TRUE(costs().empty());
}

// Finds the accesses that machine code joins, drops and adds.

using testing::IsEmpty;

constexpr int kMerged = memory::MachineAccess::kMerged;

ptx::Function parsed(const std::string& body) {
  return ptx::parse(
             ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
             ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n" +
                 body + "}\n",
             "k.ptx")
      .functions.at(0);
}

// The bytes of four loads from shared memory and of a store after them. Their machine accesses have
// `moved` bytes and are made `times` per execution.
std::vector<int> bytes(const std::vector<std::uint8_t>& moved, double times = 1,
                       const std::string& strength = "") {
  const std::string load = "ld" + strength + ".shared.f32 ";
  std::string body;
  for (int i = 0; i < 4; ++i) {
    body += load + "%f" + std::to_string(i + 1) + ", [%r1+" + std::to_string(4 * i) + "];\n";
  }
  std::vector<MachineCost> costs(moved.size());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    costs[i].shared_bytes = moved[i];
    costs[i].shared_accesses = moved[i] == 0 ? 0 : times;
  }
  std::vector<int> out;
  for (const auto& one : machine_accesses(parsed(body + "st.shared.f32 [%r2], %f4;\n"), costs)) {
    out.push_back(one.shared_bytes);
  }
  return out;
}

TEST(MachineAccesses, OneInstructionMovesTheWordsOfItsNeighbours) {
  EXPECT_EQ((std::vector{16, kMerged, kMerged, kMerged, 0}), bytes({16, 0, 0, 0, 4}));
}

TEST(MachineAccesses, AreThoseOfPtxWithoutAWideOne) {
  EXPECT_THAT(bytes({4, 4, 4, 0, 4}), IsEmpty());  // the fourth was removed
}

TEST(MachineAccesses, AreThoseOfPtxIfTheWideOneIsForSeveralPassesOfALoop) {
  EXPECT_THAT(bytes({16, 4, 4, 4, 4}, 0.25), IsEmpty());
}

TEST(MachineAccesses, VolatileOnesStayApart) {
  EXPECT_THAT(bytes({16, 0, 0, 0, 4}, 1, ".volatile"), IsEmpty());
}

TEST(MachineAccesses, SpillsAreThoseOfTheInstruction) {
  const SpillAccess spill{.is_store = true, .bytes = 8, .offset = 24};
  std::vector<MachineCost> costs(2);
  costs[0].spills = {spill};
  const auto found = machine_accesses(parsed("add.s32 %r1, %r2, 1;\nret;\n"), costs);
  EXPECT_EQ(std::vector{spill}, found.at(0).spills);
  EXPECT_THAT(found.at(1).spills, IsEmpty());
}

// Whether each of two accesses to an array is to a register. `is_local` is whether machine code
// makes each access.
std::vector<bool> in_registers(std::array<bool, 2> is_local) {
  std::vector<MachineCost> costs(2);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i].is_local = is_local.at(i);
  std::vector<bool> out;
  for (const auto& one :
       machine_accesses(parsed("st.local.f32 [%r1], %f1;\nld.local.f32 %f2, [%r2];\n"), costs)) {
    out.push_back(one.is_register);
  }
  return out;
}

TEST(MachineAccesses, AnArrayWithoutAnAccessIsInRegisters) {
  EXPECT_EQ((std::vector{true, true}), in_registers({false, false}));
  EXPECT_THAT(in_registers({true, false}), IsEmpty());  // the access may be at another line
}

}  // namespace warpgrade::timing::machine_costs_test

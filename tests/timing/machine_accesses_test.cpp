// SPDX-License-Identifier: Apache-2.0
// Finds the accesses that machine code joins, drops and adds.
#include "common/timing/machine_accesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "common/ptx/parser.h"

namespace warpgrade::timing::machine_accesses_test {

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

}  // namespace warpgrade::timing::machine_accesses_test

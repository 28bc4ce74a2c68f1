// SPDX-License-Identifier: Apache-2.0
// Loops as ptxas of CUDA 13.0 writes them for sm_90, reduced to the kinds of their instructions.
#include "common/timing/unrolled_loops.h"

#include <gtest/gtest.h>

#include <string>

#include "common/ptx/parser.h"

namespace warpgrade::timing::unrolled_loops_test {

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

}  // namespace warpgrade::timing::unrolled_loops_test

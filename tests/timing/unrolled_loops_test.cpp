// SPDX-License-Identifier: Apache-2.0
// Loops as ptxas of CUDA 13.0 writes them for sm_90; a number stands for each instruction's kind.
#include "common/timing/unrolled_loops.h"

#include <gtest/gtest.h>

#include <string>

#include "common/ptx/parser.h"

namespace warpgrade::timing {
namespace unrolled_loops_test {

using Kind = MachineInstruction::Kind;

ptx::Module kernel(const std::string& body) {
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<4>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n" +
          body + "ret;\n}\n",
      "k.cu");
}

/// A loop that loads `loads` floats and adds them.
void add_loop(std::vector<MachineInstruction>& code, std::size_t loads, std::size_t adds = 1) {
  const auto head = static_cast<std::int64_t>(code.size());
  for (std::size_t i = 0; i < loads; ++i) code.push_back({Kind::kGlobalLoad, 4, 0});
  for (std::size_t i = 0; i < adds; ++i) code.push_back({Kind::kFloat, 0, 0});
  code.push_back({Kind::kBranch, 0, head});
}

const std::string kFour =
    "$four:\nld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\n"
    "ld.global.f32 %f3, [%rd1+8];\nld.global.f32 %f4, [%rd1+12];\n@%p1 bra $four;\n";
const std::string kOne = "$one:\nld.global.f32 %f1, [%rd1];\n@%p1 bra $one;\n";
const std::string kAdds = "$adds:\nfma.rn.f32 %f1, %f2, %f1, %f3;\n@%p1 bra $adds;\n";

std::vector<UnrolledLoop> found(const std::string& body,
                                const std::vector<MachineInstruction>& code) {
  return unrolled_loops(kernel(body).functions.at(0), code);
}

// A sum of columns: 16 loads, then four, then one.
TEST(UnrolledLoops, TheLargestOfALoopsFormsCounts) {
  std::vector<MachineInstruction> code;
  for (const std::size_t loads : {16, 4, 1}) add_loop(code, loads);
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 4, 4}}), found(kFour + kOne, code));
}

TEST(UnrolledLoops, ALoopThatStaysIsNotListed) {
  std::vector<MachineInstruction> code;
  for (const std::size_t loads : {4, 1}) add_loop(code, loads);
  EXPECT_TRUE(found(kFour + kOne, code).empty());
  EXPECT_TRUE(found(kFour + kOne, {}).empty());
}

TEST(UnrolledLoops, OneThatIsGoneIsSkipped) {
  std::vector<MachineInstruction> code;
  add_loop(code, 6);  // no whole number of fours
  add_loop(code, 3);
  EXPECT_EQ((std::vector<UnrolledLoop>{{5, 6, 6}}), found(kFour + kOne, code));
}

TEST(UnrolledLoops, WithoutMemoryTheArithmeticOfFloatsTells) {
  std::vector<MachineInstruction> code;
  add_loop(code, 0, 16);
  add_loop(code, 0, 1);
  EXPECT_EQ((std::vector<UnrolledLoop>{{0, 1, 16}}), found(kAdds, code));
  std::vector<MachineInstruction> loads;
  add_loop(loads, 1, 16);
  EXPECT_TRUE(found(kAdds, loads).empty());
}

TEST(UnrolledLoops, OuterLoopsAndBranchesToThemselvesAreNone) {
  std::vector<MachineInstruction> code;
  code.push_back({Kind::kGlobalLoad, 4, 0});
  add_loop(code, 4);
  code.push_back({Kind::kBranch, 0, 0});                                       // the outer loop
  code.push_back({Kind::kBranch, 0, static_cast<std::int64_t>(code.size())});  // behind EXIT
  EXPECT_TRUE(found(kFour, code).empty());
}

}  // namespace unrolled_loops_test
}  // namespace warpgrade::timing

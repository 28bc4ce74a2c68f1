// SPDX-License-Identifier: Apache-2.0
// Expected values come from ptxas of CUDA 13.0 for sm_90: if a register is uniform, one lane adds
// for all (VOTEU, REDUX).
#include "common/ptx/uniform_registers.h"

#include <gtest/gtest.h>

#include <string>

#include "common/ptx/parser.h"

namespace warpgrade::ptx::uniform_registers_test {

/// Whether %r8 is uniform.
bool is_r8_uniform(const std::string& body) {
  const Module module = parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
      ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
          body + "\nret;\n}\n",
      "k.cu");
  const Function& function = module.functions.at(0);
  const auto found = uniform_registers(function);
  for (std::size_t r = 0; r < function.registers.size(); ++r) {
    if (function.registers[r].name == "%r8") return found[r] != 0;
  }
  ADD_FAILURE() << "no %r8";
  return false;
}

TEST(UniformRegisters, ComeFromParametersAndTheBlock) {
  EXPECT_TRUE(is_r8_uniform("ld.param.u32 %r1, [n];\nadd.u32 %r8, %r1, 3;"));
  EXPECT_TRUE(
      is_r8_uniform("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                    "mul.lo.u32 %r8, %r1, %r2;"));
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r8, %tid.x;"));
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r1, %tid.y;\nadd.u32 %r8, %r1, 3;"));
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r8, %laneid;"));
}

TEST(UniformRegisters, ComeFromLoadsThatAllLanesShare) {
  EXPECT_TRUE(is_r8_uniform("mov.u64 %rd1, 4096;\nld.global.u32 %r8, [%rd1];"));
  EXPECT_FALSE(is_r8_uniform("mov.u64 %rd1, 4096;\nld.volatile.global.u32 %r8, [%rd1];"));
  EXPECT_FALSE(
      is_r8_uniform("mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\n"
                    "ld.global.u32 %r8, [%rd1];"));
  EXPECT_FALSE(is_r8_uniform("mov.u64 %rd1, 4096;\natom.global.add.u32 %r8, [%rd1], 1;"));
}

TEST(UniformRegisters, AreWrittenOnceAndWithoutAGuard) {
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r8, 1;\nadd.u32 %r8, %r8, 1;"));
  EXPECT_FALSE(
      is_r8_uniform("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mov.u32 %r8, 1;"));
  EXPECT_FALSE(is_r8_uniform("activemask.b32 %r8;"));
}

}  // namespace warpgrade::ptx::uniform_registers_test

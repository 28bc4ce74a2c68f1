// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_registers.h"

#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx::instruction_registers_test {

// Registers that each form of an instruction writes and reads, from the syntax in the PTX ISA 9.0.

// A kernel with the single instruction `text`. The instruction may use a label L, a table T of
// labels, and a function f with the parameters a (its result) and b (its argument).
Module parse_one(const std::string& text) {
  const std::string before = R"(.version 9.0
.target sm_90
.address_size 64
.func (.param .b32 x) f(.param .b32 y) { ret; }
.visible .entry k()
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %w<9>;
  .reg .f32 %f<9>;
  .param .b32 a;
  .param .b32 b;
  T: .branchtargets L;
)";
  return parse(before + text + "\nL: ret;\n}\n", "k.ptx");
}

// The registers that the instruction writes, then the ones it reads: "%r1 %r2 < %r3".
std::string registers_of(const std::string& text) {
  const auto module = parse_one(text);
  const auto& function = module.functions.at(1);
  EXPECT_TRUE(function.unsupported.empty()) << text;
  const auto& in = function.instructions.at(0);
  std::string found;
  for_each_written(in, [&](std::uint32_t r) { found += function.registers[r].name + " "; });
  found += "<";
  for_each_read(in, [&](std::uint32_t r) { found += " " + function.registers[r].name; });
  return found;
}

TEST(InstructionRegisters, ArithmeticWritesItsFirstOperand) {
  EXPECT_EQ("%r1 < %r2 %r3", registers_of("add.s32 %r1, %r2, %r3;"));
  EXPECT_EQ("%r1 < %r1 %r1", registers_of("mul.lo.s32 %r1, %r1, %r1;"));
  EXPECT_EQ("%f1 < %f2 %f3 %f4 %p1", registers_of("@%p1 fma.rn.f32 %f1, %f2, %f3, %f4;"));
  EXPECT_EQ("%r1 < %r2 %r3", registers_of("addc.cc.u32 %r1, %r2, %r3;"));
  EXPECT_EQ("%w1 <", registers_of("createpolicy.fractional.L2::evict_last.b64 %w1, 1.0;"));
  EXPECT_EQ("%r1 <", registers_of("activemask.b32 %r1;"));
}

TEST(InstructionRegisters, ASecondResultIsWrittenWhereItIsNamed) {
  EXPECT_EQ("%p1 < %r1 %r2", registers_of("setp.eq.s32 %p1, %r1, %r2;"));
  EXPECT_EQ("%p1 %p2 < %r1 %r2", registers_of("setp.eq.s32 %p1|%p2, %r1, %r2;"));
  EXPECT_EQ("%r1 %p1 < %r2 %r3", registers_of("shfl.sync.up.b32 %r1|%p1, %r2, %r3, 0, -1;"));
  EXPECT_EQ("%r1 %p1 < %r2", registers_of("match.all.sync.b32 %r1|%p1, %r2, -1;"));
  EXPECT_EQ("%r1 %p1 <", registers_of("elect.sync %r1|%p1, -1;"));
  EXPECT_EQ("%p1 < %r1 %r2 %r3 %p2", registers_of("lop3.and.b32 _|%p1, %r1, %r2, %r3, 0x80, %p2;"));
}

TEST(InstructionRegisters, AVectorIsWrittenElementByElement) {
  EXPECT_EQ("%r1 %r2 < %w1", registers_of("mov.b64 {%r1, %r2}, %w1;"));
  EXPECT_EQ("%w1 < %r1 %r2", registers_of("mov.b64 %w1, {%r1, %r2};"));
  EXPECT_EQ("%f1 %f2 < %w1", registers_of("ld.global.v2.f32 {%f1, %f2}, [%w1+8];"));
  EXPECT_EQ("< %w1 %f1 %f2", registers_of("st.global.v2.f32 [%w1], {%f1, %f2};"));
}

TEST(InstructionRegisters, AnAddressIsRead) {
  EXPECT_EQ("%f1 < %w1", registers_of("ld.global.f32 %f1, [%w1];"));
  EXPECT_EQ("%f1 < %w1", registers_of("ldu.global.f32 %f1, [%w1];"));
  EXPECT_EQ("< %w1 %f1", registers_of("st.global.f32 [%w1], %f1;"));
  EXPECT_EQ("%r1 < %w1 %r2 %r3", registers_of("atom.global.cas.b32 %r1, [%w1], %r2, %r3;"));
  EXPECT_EQ("< %w1 %r1", registers_of("red.global.add.u32 [%w1], %r1;"));
  EXPECT_EQ("< %w1", registers_of("prefetch.global.L2 [%w1];"));
  EXPECT_EQ("< %w1", registers_of("prefetchu.L1 [%w1];"));
  EXPECT_EQ("< %w1", registers_of("applypriority.global.L2::evict_normal [%w1], 128;"));
  EXPECT_EQ("< %w1", registers_of("discard.global.L2 [%w1], 128;"));
  EXPECT_EQ("%w2 < %w1 %r1 %r2",
            registers_of("createpolicy.range.global.L2::evict_last.b64 %w2, [%w1], %r1, %r2;"));
}

TEST(InstructionRegisters, BarriersOnlyReduceToAResult) {
  EXPECT_EQ("< %r1", registers_of("bar.sync %r1;"));
  EXPECT_EQ("< %r1 %r2", registers_of("bar.arrive %r1, %r2;"));
  EXPECT_EQ("< %r1", registers_of("bar.warp.sync %r1;"));
  EXPECT_EQ("%r1 < %r2 %p1", registers_of("bar.red.popc.u32 %r1, %r2, %p1;"));
  EXPECT_EQ("%p2 < %r2 %r3 %p1", registers_of("barrier.red.and.pred %p2, %r2, %r3, %p1;"));
  EXPECT_EQ("< %r1", registers_of("nanosleep.u32 %r1;"));
  EXPECT_EQ("<", registers_of("membar.gl;"));
}

TEST(InstructionRegisters, CopiesAndBarrierObjects) {
  EXPECT_EQ("< %r1 %w1 %r2", registers_of("cp.async.ca.shared.global [%r1], [%w1], 4, %r2;"));
  EXPECT_EQ("<", registers_of("cp.async.commit_group;"));
  EXPECT_EQ("<", registers_of("cp.async.wait_group 1;"));
  EXPECT_EQ("< %r1", registers_of("cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];"));
  EXPECT_EQ("< %r1 %r2", registers_of("mbarrier.init.shared.b64 [%r1], %r2;"));
  EXPECT_EQ("< %r1", registers_of("mbarrier.inval.shared.b64 [%r1];"));
  EXPECT_EQ("%w1 < %r1", registers_of("mbarrier.arrive.shared.b64 %w1, [%r1];"));
  EXPECT_EQ("< %r1 %r2", registers_of("mbarrier.arrive.release.cta.shared.b64 _, [%r1], %r2;"));
  EXPECT_EQ("%p1 < %r1 %w1", registers_of("mbarrier.test_wait.shared.b64 %p1, [%r1], %w1;"));
  EXPECT_EQ("< %r1 %r2", registers_of("mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], %r2;"));
  EXPECT_EQ("%r1 < %w1", registers_of("mbarrier.pending_count.b64 %r1, %w1;"));
}

TEST(InstructionRegisters, ControlFlowWritesNone) {
  EXPECT_EQ("< %p1", registers_of("@!%p1 bra L;"));
  EXPECT_EQ("< %r1", registers_of("brx.idx %r1, T;"));
  EXPECT_EQ("<", registers_of("call (a), f, (b);"));
  EXPECT_EQ("< %p1", registers_of("@%p1 trap;"));
}

TEST(InstructionRegisters, AnAddressStandsWhereTheTableSays) {
  EXPECT_NO_THROW(parse_one("mbarrier.init.shared.b64 [%r1], 1;"));
  EXPECT_THROW(parse_one("mbarrier.init.shared.b64 %r1, 1;"), base::ToolError);
  EXPECT_THROW(parse_one("mbarrier.arrive.shared.b64 [%r1], %w1;"), base::ToolError);
  EXPECT_THROW(parse_one("ld.global.f32 [%w1], %f1;"), base::ToolError);
  EXPECT_THROW(parse_one("discard.global.L2 %w1, 128;"), base::ToolError);
}

// A form that the table lacks is refused by its name, wherever its address is.
TEST(InstructionRegisters, ARefusedFormMayHaveItsAddressElsewhere) {
  const auto module = parse_one("mbarrier.try_wait.unknown.shared.b64 [%r1], 4;");
  EXPECT_EQ(1U, module.functions.at(1).unsupported.size());
}

// Expected values come from ptxas of CUDA 13.0 for sm_90: if a register is uniform, one lane adds
// for all (VOTEU, REDUX).

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

}  // namespace warpgrade::ptx::instruction_registers_test

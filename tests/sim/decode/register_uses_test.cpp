// SPDX-License-Identifier: Apache-2.0
// Writers and readers of each register, and registers that always have an immediate's value.
#include "common/sim/decode/register_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/ptx/parser.h"

namespace warpgrade::sim::register_uses_test {

using testing::ElementsAre;

class RegisterUsesTest : public testing::Test {
 protected:
  const ptx::Function& parse(const std::string& body) {
    module_ = ptx::parse(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
        ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n" +
            body + " ret; }\n",
        "k.cu");
    function_ = ptx::find_function(module_, "k");
    return *function_;
  }
  std::uint32_t index(const std::string& name) const {
    for (std::uint32_t i = 0; i < function_->registers.size(); ++i) {
      if (function_->registers[i].name == name) return i;
    }
    ADD_FAILURE() << name;
    return 0;
  }

  ptx::Module module_;
  const ptx::Function* function_ = nullptr;
};

TEST_F(RegisterUsesTest, ReadersComeInOrderAndAsOftenAsTheyRead) {
  const RegisterUses uses(
      parse("mov.u32 %r1, 1; add.u32 %r2, %r1, %r1; st.global.u32 [%rd1], %r1;"));
  EXPECT_THAT(uses.readers(index("%r1")), ElementsAre(1, 1, 2));
  EXPECT_THAT(uses.readers(index("%rd1")), ElementsAre(2));
  EXPECT_EQ(2U, reads_of(function_->instructions[1], index("%r1")));
}

TEST_F(RegisterUsesTest, GuardsReadAndStoresWriteNothing) {
  const RegisterUses uses(
      parse("setp.eq.u32 %p1|%p2, %r1, %r2; @%p1 st.global.u32 [%rd1], %r3; red.global.add.u32 "
            "[%rd1], %r3;"));
  EXPECT_THAT(uses.readers(index("%p1")), ElementsAre(1));
  EXPECT_TRUE(writes(function_->instructions[0], index("%p1")));
  EXPECT_TRUE(writes(function_->instructions[0], index("%p2")));
  EXPECT_FALSE(writes(function_->instructions[1], index("%rd1")));
  EXPECT_FALSE(writes(function_->instructions[2], index("%r3")));
  EXPECT_FALSE(uses.is_written_once(index("%r3")));
}

TEST_F(RegisterUsesTest, AWriteBetweenTwoInstructionsIsSeen) {
  const RegisterUses uses(
      parse("mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r1, 3; mov.u32 %r3, %r1;"));
  EXPECT_TRUE(uses.is_written_between(index("%r1"), 0, 3));
  EXPECT_FALSE(uses.is_written_between(index("%r1"), 0, 2));
  EXPECT_FALSE(uses.is_written_between(index("%r1"), 2, 3));
  EXPECT_FALSE(uses.is_written_once(index("%r1")));
}

TEST_F(RegisterUsesTest, AConstantIsLookedUpThroughCopies) {
  const RegisterUses uses(
      parse("mov.u32 %r1, 7; mov.u32 %r2, %r1; add.u32 %r3, %r2, %r4; @%p1 mov.u32 %r5, 9;"));
  const auto& sum = function_->instructions[2];
  EXPECT_TRUE(uses.is_constant(sum.operands[1]));
  EXPECT_EQ(7U, uses.constant(sum.operands[1])->bits);
  EXPECT_FALSE(uses.is_constant(sum.operands[2]));
  // The guard may keep %r5 from being written.
  EXPECT_FALSE(uses.is_constant(function_->instructions[3].operands[0]));
}

TEST_F(RegisterUsesTest, ACircleOfCopiesHasNoConstant) {
  const RegisterUses uses(parse("mov.u32 %r1, %r2; mov.u32 %r2, %r1;"));
  EXPECT_FALSE(uses.is_constant(function_->instructions[0].operands[1]));
}

TEST_F(RegisterUsesTest, AResultUnderAGuardIsNotTheOnlyOne) {
  const RegisterUses uses(parse("@%p1 mov.u32 %r1, 1; mov.u32 %r2, 2;"));
  EXPECT_FALSE(uses.result_written_once(function_->instructions[0]).has_value());
  EXPECT_EQ(index("%r2"), uses.result_written_once(function_->instructions[1]).value());
}

TEST_F(RegisterUsesTest, HalvesThatComeTogetherAgainAreKnown) {
  const RegisterUses uses(
      parse("mov.b32 {%h1, %h2}, %r1; mov.b16 %h3, %h2; mov.b32 %r2, {%h1, %h3};"
            "mov.b32 %r3, {%h2, %h1};"));
  EXPECT_TRUE(is_parting(function_->instructions[0]));
  EXPECT_TRUE(is_copy(function_->instructions[1]));
  EXPECT_TRUE(uses.joins_halves_of(function_->instructions[2], index("%r1")));
  EXPECT_FALSE(uses.joins_halves_of(function_->instructions[3], index("%r1")));
}

}  // namespace warpgrade::sim::register_uses_test

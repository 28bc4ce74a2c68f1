// SPDX-License-Identifier: Apache-2.0
// Operands of instructions: names in their scopes, numbers, addresses, vectors, special registers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "common/base/error.h"
#include "common/ptx/parser.h"

namespace warpgrade::ptx::operand_parser_test {

using testing::HasSubstr;
using Kind = Operand::Kind;

Module parse_body(const std::string& body) {
  return parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.global .align 8 .b8 table[64];\n"
      ".func f() { ret; }\n.visible .entry k(.param .u64 p) {\n"
      ".reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f32 %f<5>;\n"
      ".reg .v4 .b32 %v<2>; .shared .align 4 .b8 tile[16];\n" +
          body + "\nret;\n}\n",
      "k.cu");
}
// Operand `index` of the first instruction of `body`.
Operand operand(const std::string& body, std::size_t index) {
  return find_function(parse_body(body), "k")->instructions.at(0).operands.at(index);
}
std::string error_of(const std::string& body) {
  try {
    parse_body(body);
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return {};
}

TEST(OperandParser, NamesLeadToWhatTheyAre) {
  EXPECT_EQ(Kind::kRegister, operand("mov.u32 %r1, %r2;", 1).kind);
  EXPECT_EQ(Kind::kVariable, operand("mov.u64 %rd1, table;", 1).kind);
  EXPECT_EQ(Kind::kLocal, operand("mov.u64 %rd1, tile;", 1).kind);
  EXPECT_EQ(Kind::kParameter, operand("mov.u64 %rd1, p;", 1).kind);
  EXPECT_EQ(Kind::kFunction, operand("mov.u64 %rd1, f;", 1).kind);
  EXPECT_EQ(Kind::kSpecial, operand("mov.u32 %r1, %tid.x;", 1).kind);
  EXPECT_EQ(Kind::kSink, operand("setp.eq.u32 _|%p1, %r1, %r2;", 0).kind);
  EXPECT_THAT(error_of("mov.u32 %r1, nothing;"), HasSubstr("'nothing' is not declared"));
  EXPECT_THAT(find_function(parse_body("mov.u32 %r1, %r9;"), "k")->unsupported.at(0).message,
              HasSubstr("'%r9' is not supported"));
}

TEST(OperandParser, AddressesHaveABaseAndAnOffset) {
  const auto from = operand("ld.global.u32 %r1, [%rd1+-4];", 1);
  EXPECT_EQ(Kind::kAddress, from.kind);
  EXPECT_EQ(-4, from.offset);
  EXPECT_EQ(Kind::kRegister, from.elements.at(0).kind);
  EXPECT_EQ(Kind::kVariable, operand("ld.global.u32 %r1, [table+8];", 1).elements.at(0).kind);
  EXPECT_EQ(8, operand("ld.global.u32 %r1, [table+8];", 1).offset);
  EXPECT_EQ(16U, operand("ld.shared.u32 %r1, [16];", 1).elements.at(0).bits);
  EXPECT_EQ(12, operand("mov.u64 %rd1, table+12;", 1).offset);
}

TEST(OperandParser, VectorsKeepTheOrderOfTheirElements) {
  const auto all = operand("ld.global.v2.u32 {%r1, _}, [%rd1];", 0);
  EXPECT_EQ(Kind::kVector, all.kind);
  ASSERT_EQ(2U, all.elements.size());
  EXPECT_EQ(Kind::kRegister, all.elements[0].kind);
  EXPECT_EQ(Kind::kSink, all.elements[1].kind);
}

TEST(OperandParser, ComponentsOfAVectorRegister) {
  EXPECT_EQ(0U, operand("mov.u32 %r1, %v1.x;", 1).component);
  EXPECT_EQ(3U, operand("mov.u32 %r1, %v1.w;", 1).component);
  EXPECT_EQ(2U, operand("mov.u32 %r1, %v1.b;", 1).component);  // r, g, b, a
  EXPECT_NE("", error_of("mov.u32 %r1, %v1.q;"));
}

TEST(OperandParser, NumbersKeepTheirBits) {
  EXPECT_EQ(~0ULL, operand("mov.u32 %r1, -1;", 1).bits);
  const auto single = operand("mov.f32 %f1, 0f7F800000;", 1);
  EXPECT_EQ(0x7f800000U, single.bits);
  EXPECT_EQ(Operand::Number::kFloat32, single.number);
  const auto twice = operand("mov.f32 %f1, 0dBFF0000000000000;", 1);
  EXPECT_EQ(0xbff0000000000000U, twice.bits);
  EXPECT_EQ(Operand::Number::kFloat64, twice.number);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(-1.5e3), operand("mov.f32 %f1, -1.5e3;", 1).bits);
  EXPECT_THAT(error_of("mov.f32 %f1, 0f3F80;"), HasSubstr("malformed float"));
}

TEST(OperandParser, PredicatesAreNegatedOnce) {
  EXPECT_TRUE(operand("selp.u32 %r1, 1, 2, !%p1;", 3).negated);
  EXPECT_FALSE(operand("selp.u32 %r1, 1, 2, %p1;", 3).negated);
  EXPECT_THAT(error_of("selp.u32 %r1, 1, 2, !!%p1;"), HasSubstr("expected an operand"));
}

TEST(OperandParser, RegistersThatPtxLeavesOpenAreZero) {
  EXPECT_EQ(Operand::Kind::kImmediate, operand("mov.u32 %r1, %envreg3;", 1).kind);
  EXPECT_EQ(0U, operand("mov.u32 %r1, %envreg3;", 1).bits);
  EXPECT_EQ(Operand::Kind::kSpecial, operand("mov.u32 %r1, %cluster_nctarank;", 1).kind);
}

TEST(OperandParser, LabelsAreInstructions) {
  EXPECT_EQ(2U, operand("bra $end; mov.u32 %r1, 1; $end:", 0).index);
  EXPECT_THAT(error_of("bra $none;"), HasSubstr("'$none' is not declared"));
}

}  // namespace warpgrade::ptx::operand_parser_test

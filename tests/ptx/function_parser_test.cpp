// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "common/base/error.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx::function_parser_test {

// The body of a function: scopes, labels, guards, suffixes, and unsupported code, which is no
// error.

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Function parse_body(const std::string& body) {
  return parse(
             ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
             ".reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f32 %f<5>;\n" +
                 body + "\nret;\n}\n",
             "k.cu")
      .functions.at(0);
}
std::string error_of(const std::string& body) {
  try {
    parse_body(body);
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return {};
}

TEST(FunctionParser, SuffixesBecomeSpaceTypesVectorAndModifiers) {
  const auto in = parse_body("ld.volatile.global.v2.f32 {%f1, %f2}, [%rd1];").instructions.at(0);
  EXPECT_EQ(Opcode::ld, in.opcode);
  EXPECT_EQ(StateSpace::kGlobal, in.space);
  EXPECT_EQ(2U, in.vector);
  EXPECT_EQ(Type::kF32, in.types[0]);
  EXPECT_TRUE(in.modifiers.has(Modifier::volatile_));
  const auto cvt = parse_body("cvt.rn.ftz.f32.s32 %f1, %r1;").instructions.at(0);
  EXPECT_EQ(2U, cvt.type_count);
  EXPECT_EQ(Type::kS32, cvt.types[1]);
  EXPECT_TRUE(cvt.modifiers.has(Modifier::ftz));
}

TEST(FunctionParser, GuardsArePredicates) {
  const auto code = parse_body("@!%p1 mov.u32 %r1, 1; mov.u32 %r1, 2;").instructions;
  EXPECT_TRUE(code.at(0).guard.has_value());
  EXPECT_TRUE(code.at(0).guard_negated);
  EXPECT_FALSE(code.at(1).guard.has_value());
  EXPECT_THAT(error_of("@5 mov.u32 %r1, 1;"), HasSubstr("expected a name"));
}

TEST(FunctionParser, InstructionsKnowTheirPtxLine) {
  const auto code = parse_body("mov.u32 %r1, 1;\n\nmov.u32\n%r1, 2;").instructions;
  EXPECT_EQ(6U, code.at(0).ptx_line);
  EXPECT_EQ(8U, code.at(1).ptx_line);
}

TEST(FunctionParser, ALabelStandsOnceAndMayComeLater) {
  const auto code = parse_body("bra $a; $b: mov.u32 %r1, 1; $a: bra $b;").instructions;
  EXPECT_EQ(2U, code.at(0).operands.at(0).index);
  EXPECT_EQ(1U, code.at(2).operands.at(0).index);
  EXPECT_THAT(error_of("$a: mov.u32 %r1, 1; $a: mov.u32 %r1, 2;"), HasSubstr("stands twice"));
}

TEST(FunctionParser, JumpTablesListTheirLabelsInOrder) {
  const auto function =
      parse_body("$t: .branchtargets $b, $a; brx.idx %r1, $t; $a: mov.u32 %r1, 1; $b: ret;");
  ASSERT_EQ(1U, function.branch_targets.size());
  EXPECT_THAT(function.branch_targets[0].labels, testing::ElementsAre(2, 1));
}

TEST(FunctionParser, ScopesHaveVariablesOfTheirOwn) {
  const auto function = parse_body(
      "{ .reg .b64 %x; .local .b8 a[4]; mov.u64 %x, a; } { .local .b8 a[8]; mov.u64 %rd1, a; }");
  ASSERT_EQ(2U, function.variables.size());
  EXPECT_NE(function.instructions.at(0).operands.at(1).index,
            function.instructions.at(1).operands.at(1).index);
  EXPECT_THAT(parse_body("{ .reg .b64 %x; } mov.u64 %x, 1;").unsupported, Not(IsEmpty()));
}

TEST(FunctionParser, WhatTheTableLacksIsKeptForLater) {
  const auto function = parse_body("frobnicate.u32 %r1; mov.u32 %r1, 1;");
  ASSERT_EQ(1U, function.unsupported.size());
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, function.unsupported[0].kind);
  EXPECT_THAT(parse_body("mov.u32 %r1, 1;").unsupported, IsEmpty());
}

TEST(FunctionParser, ARefusedInstructionKeepsItsPlaceAndItsGuard) {
  const auto function = parse_body("@!%p1 frobnicate.u32 %r1; mov.u32 %r1, %frob;");
  ASSERT_LE(2U, function.instructions.size());
  ASSERT_EQ(2U, function.unsupported.size());
  EXPECT_EQ(0U, function.unsupported[0].instruction);
  EXPECT_EQ(1U, function.unsupported[1].instruction);
  EXPECT_EQ(Opcode::other, function.instructions[1].opcode);
  EXPECT_TRUE(function.instructions[0].guard && function.instructions[0].guard_negated);
}

TEST(FunctionParser, TheNumberAndKindOfOperandsAreChecked) {
  EXPECT_THAT(error_of("add.u32 %r1, %r2;"), HasSubstr("'add.u32' with 2 operands"));
  EXPECT_THAT(error_of("add.u32 %r1, %r2, %r3, %r4, %r1;"), HasSubstr("with 5 operands"));
  EXPECT_THAT(error_of("mov.u32 %r1, 1"), HasSubstr("expected"));
}

}  // namespace warpgrade::ptx::function_parser_test

namespace warpgrade::ptx::operand_parser_test {

// Operands of instructions: names in their scopes, numbers, addresses, vectors, special registers.

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

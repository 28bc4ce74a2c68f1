// SPDX-License-Identifier: Apache-2.0
// The body of a function: scopes, labels, guards, suffixes, and unsupported code, which is no
// error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/ptx/parser.h"

namespace warpgrade::ptx::function_parser_test {

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

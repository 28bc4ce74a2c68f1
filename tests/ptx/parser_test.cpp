// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "common/base/error.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx::parser_test {

using testing::HasSubstr;

// A module with `before` at module level, then a kernel with a few registers and `body`.
Module parse_body(const std::string& body, const std::string& before = {}) {
  return parse(".version 9.0\n.target sm_90\n.address_size 64\n" + before +
                   "\n.visible .entry k(.param .u64 k_param_0)\n{\n.reg .pred %p<3>;\n"
                   ".reg .b32 %r<5>;\n.reg .b64 %rd<5>;\n.reg .f32 %f<5>;\n" +
                   body + "\nret;\n}\n.file 1 \"compiled\"\n.file 2 \"other.h\"\n",
               "k.cu");
}

std::string refusal(const Module& module) {
  const auto& unsupported = module.functions.at(0).unsupported;
  return unsupported.empty() ? "" : unsupported[0].message;
}

std::string error_of(const std::string& text) {
  try {
    parse(text, "k.cu");
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return "";
}

TEST(Parser, ResolvesRegistersParametersAndLabels) {
  const auto module = parse_body("ld.param.u64 %rd1, [k_param_0];\n$l: @!%p2 bra $l;");
  const auto& code = module.functions.at(0).instructions;
  ASSERT_EQ(3U, code.size());
  EXPECT_EQ(Opcode::ld, code[0].opcode);
  EXPECT_EQ(StateSpace::kParam, code[0].space);
  EXPECT_EQ("%rd1", module.functions[0].registers[code[0].operands[0].index].name);
  EXPECT_EQ(Operand::Kind::kParameter, code[0].operands[1].elements[0].kind);
  EXPECT_EQ(1U, code[1].operands[0].index);
  EXPECT_TRUE(code[1].guard_negated);
  EXPECT_EQ("%p2", module.functions[0].registers[*code[1].guard].name);
}

TEST(Parser, ReadsNumbersOfEveryForm) {
  const auto module = parse_body(
      "mov.u32 %r1, 0x1F; mov.u32 %r1, -4; mov.f32 %f1, 0f3F800000; mov.f32 %f1, 1.5;"
      "add.s32 %r1, %r2, 010;");
  const auto& code = module.functions.at(0).instructions;
  EXPECT_EQ(0x1fU, code[0].operands[1].bits);
  EXPECT_EQ(static_cast<std::uint64_t>(-4), code[1].operands[1].bits);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(1.0F), code[2].operands[1].bits);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(1.5), code[3].operands[1].bits);
  EXPECT_EQ(8U, code[4].operands[2].bits);
}

TEST(Parser, TheWarpSizeIsANumber) {
  const auto module = parse_body("mov.u32 %r1, WARP_SZ;");
  const auto& size = module.functions.at(0).instructions.at(0).operands.at(1);
  EXPECT_EQ(Operand::Kind::kImmediate, size.kind);
  EXPECT_EQ(32U, size.bits);
}

TEST(Parser, AManagedVariableIsAGlobalOne) {
  const auto module =
      parse_body("mov.u32 %r1, 1;", ".visible .global .attribute(.managed) .align 4 .u32 m = 5;");
  ASSERT_EQ(1U, module.variables.size());
  EXPECT_EQ("m", module.variables[0].name);
  EXPECT_EQ(StateSpace::kGlobal, module.variables[0].space);
}

TEST(Parser, AScopeHidesNamesUntilItEnds) {
  const auto module =
      parse_body("mov.u32 %r1, 1; { .reg .b32 %r1; mov.u32 %r1, 2; } mov.u32 %r1, 3;");
  const auto& code = module.functions.at(0).instructions;
  EXPECT_EQ(code[0].operands[0].index, code[2].operands[0].index);
  EXPECT_NE(code[0].operands[0].index, code[1].operands[0].index);
}

TEST(Parser, KeepsTheInnermostPlaceOfInlinedCode) {
  const auto module = parse_body(
      ".loc 1 36 3, function_name $info, inlined_at 1 45 28\nmov.u32 %r1, 1;\n.loc 2 7 1\n"
      "mov.u32 %r1, 2;");
  EXPECT_EQ((base::SourceLocation{"k.cu", 36, 3}), location(module.functions[0], 0));
  EXPECT_EQ((base::SourceLocation{"other.h", 7, 1}), location(module.functions[0], 1));
  const auto& lines = module.functions[0].call_lines;
  EXPECT_EQ(45U, lines.at(module.functions[0].instructions[0].location));
  EXPECT_EQ(0U, lines.at(module.functions[0].instructions[1].location));
}

// Line 5 calls a function that calls another one.
TEST(Parser, KeepsTheOutermostCallOfInlinedCode) {
  const auto module = parse_body(
      ".loc 1 5 3\nmov.u32 %r1, 1;\n"
      ".loc 1 19 2, function_name $a, inlined_at 1 5 3\n"
      ".loc 1 12 7, function_name $b, inlined_at 1 19 2\nmov.u32 %r1, 2;\n");
  const auto& kernel = module.functions[0];
  EXPECT_EQ((base::SourceLocation{"k.cu", 12, 7}), location(kernel, 1));
  EXPECT_EQ(5U, kernel.call_lines.at(kernel.instructions[1].location));
}

// Two headers of the toolkit. The first calls the second, and two lines call the first.
TEST(Parser, TakesCodeOfTheToolkitForThatOfItsCall) {
  const auto module = parse_body(
      ".loc 1 5 3\nmov.u32 %r1, 1;\n"
      ".loc 3 190 23, function_name $a, inlined_at 1 5 3\nmov.u32 %r1, 2;\n"
      ".loc 4 7 1, function_name $b, inlined_at 3 190 23\nmov.u32 %r1, 3;\n"
      ".loc 3 190 23, function_name $a, inlined_at 2 9 9\n"
      ".loc 4 7 1, function_name $b, inlined_at 3 190 23\nmov.u32 %r1, 4;\n"
      ".loc 4 8 1\nmov.u32 %r1, 5;",
      ".file 3 \"<a.h>\"\n.file 4 \"<b.h>\"\n");
  const auto place = [&](std::uint32_t i) { return location(module.functions[0], i); };
  for (const auto i : {0U, 1U, 2U}) EXPECT_EQ((base::SourceLocation{"k.cu", 5, 3}), place(i)) << i;
  EXPECT_EQ((base::SourceLocation{"other.h", 9, 9}), place(3));
  EXPECT_EQ((base::SourceLocation{"b.h", 8, 1}), place(4));
}

// Shuffles in that header count as the student's own, so they do not order memory.
TEST(Parser, PlacesCodeOfTheHeaderInsideNvrtcAtItsCall) {
  const auto module = parse_body(
      ".loc 3 4791 1, function_name $a, inlined_at 1 5 3\n"
      ".loc 3 4785 1, function_name $b, inlined_at 3 4791 1\nmov.u32 %r1, 2;\n",
      ".file 3 \"/__nv_nvrtc_builtin_header.h\"\n");
  EXPECT_EQ((base::SourceLocation{"k.cu", 5, 3}), location(module.functions[0], 0));
  EXPECT_FALSE(module.functions[0].instructions.at(0).is_of_toolkit);
}

TEST(Parser, ReadsVariablesWithInitialValues) {
  const auto module = parse_body(
      "",
      ".const .align 4 .b8 ck[8] = {0, 0, 128, 63};\n.global .align 4 .u32 n = 7;\n"
      ".global .align 8 .u64 p[2] = {generic(n), ck+4};\n.extern .shared .align 16 .b8 s[];");
  ASSERT_EQ(4U, module.variables.size());
  EXPECT_EQ(8U, module.variables[0].bytes);
  EXPECT_EQ(std::byte{63}, module.variables[0].initial[3]);
  EXPECT_EQ(std::byte{7}, module.variables[1].initial[0]);
  ASSERT_EQ(2U, module.variables[2].relocations.size());
  EXPECT_EQ(1U, module.variables[2].relocations[0].index);
  EXPECT_EQ(8U, module.variables[2].relocations[1].offset);
  EXPECT_EQ(4, module.variables[2].relocations[1].addend);
  EXPECT_TRUE(module.variables[3].is_extern);
}

TEST(Parser, NamesWhatTheTableLacks) {
  EXPECT_THAT(refusal(parse_body("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];")),
              HasSubstr("PTX line 11: instruction 'tex.2d.v4.f32.f32' is not supported: textures"));
  EXPECT_THAT(refusal(parse_body("frobnicate.u32 %r1, %r2;")),
              HasSubstr("it is not in the table of instructions"));
  EXPECT_THAT(refusal(parse_body("add.oob.f16x2 %r1, %r2, %r3;")),
              HasSubstr("this form of 'add' is not in the table"));
  EXPECT_THAT(refusal(parse_body("mov.u32 %r1, %reserved_smem_offset_begin;")),
              HasSubstr("'%reserved_smem_offset_begin' is not supported"));
}

TEST(Parser, RegistersWhoseValueIsOpenHoldZero) {
  for (const auto* name : {"%envreg0", "%envreg3", "%envreg31", "%pm0"}) {
    const auto module = parse_body(std::string("mov.u32 %r1, ") + name + ";");
    const auto& operand = module.functions[0].instructions[0].operands[1];
    EXPECT_EQ(Operand::Kind::kImmediate, operand.kind) << name;
    EXPECT_EQ(0U, operand.bits) << name;
  }
}

TEST(Parser, AReadOfTheGridsWorkspaceIsNoted) {
  EXPECT_TRUE(parse_body("mov.u32 %r1, %envreg1;").functions[0].reads_grid_workspace);
  EXPECT_TRUE(parse_body("mov.u32 %r1, %envreg2;").functions[0].reads_grid_workspace);
  EXPECT_FALSE(parse_body("mov.u32 %r1, %envreg3;").functions[0].reads_grid_workspace);
}

TEST(Parser, TellsTheLineOfTextThatIsNoPtx) {
  EXPECT_THAT(error_of(".version 9.0\n.target\n\n;"), HasSubstr("PTX line 4: expected a target"));
  EXPECT_THAT(error_of("hello"), HasSubstr("PTX line 1: expected a directive"));
  EXPECT_THAT(error_of("\x01"), HasSubstr("unexpected character '\\x01'"));
  EXPECT_THAT(error_of("/* open"), HasSubstr("a comment is not closed"));
  EXPECT_THAT(error_of(".entry k() { bra $nowhere; }"), HasSubstr("'$nowhere' is not declared"));
  EXPECT_THAT(error_of(".entry k() { bra 5; }"), HasSubstr("operand 1 of 'bra'"));
  EXPECT_THAT(error_of(".entry k() {"), HasSubstr("expected '}'"));
}

TEST(Parser, TextThatOnlyAnAttackerWritesIsAnError) {
  const auto repeated = [](const std::string& text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
  };
  constexpr std::size_t kDeep = 1'000'000;
  EXPECT_THAT(error_of(".entry k() {" + repeated("{", kDeep)), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(".entry k() { mov.b32 " + repeated("(", kDeep)),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(".global .u32 x[] = " + repeated("{", kDeep)),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(".entry k() { .reg .pred %p; mov.pred %p, !!%p; }"),
              HasSubstr("expected an operand"));
  EXPECT_THAT(error_of(".entry k() { .reg .b32 %a<1999999>, %b<2>; }"),
              HasSubstr("too many registers"));
  EXPECT_THAT(error_of(".func f() { .reg .b32 %a<1999999>; } .entry k() { .reg .b32 %b<2>; }"),
              HasSubstr("too many registers"));
  EXPECT_THAT(error_of(".global .b128 x = 1;"), HasSubstr("of this type is not supported"));
  EXPECT_THAT(error_of(std::string((std::size_t{32} << 20) + 1, ' ')),
              HasSubstr("32 MiB of PTX; at most 32 MiB can be read"));
}

TEST(Parser, ASecondResultStandsOnlyWhereThereCanBeOne) {
  const auto module = parse_body("setp.eq.u32 %p1|%p2, %r1, %r2;");
  EXPECT_TRUE(module.functions.at(0).instructions.at(0).has_second_result);
  EXPECT_THROW(parse_body("add.u32 %r1|%r2, %r3;"), base::ToolError);
  EXPECT_THROW(parse_body("setp.eq.u32 %p1, %r1|%r2;"), base::ToolError);
}

}  // namespace warpgrade::ptx::parser_test

namespace warpgrade::ptx::module_parser_test {

// The outer level of PTX text: header, variables, functions, files.

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    parse(text, "k.cu");
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return {};
}

Variable variable(const std::string& text) { return parse(text, "k.cu").variables.at(0); }

TEST(ModuleParser, ReadsVersionAndTarget) {
  const auto module =
      parse(".version 8.7\n.target sm_90a, texmode_independent\n.address_size 64\n", "k.cu");
  EXPECT_EQ(87U, module.version);
  EXPECT_EQ("sm_90a", module.target);
  EXPECT_THAT(error_of(".version 9.0\n.target sm_90\n.address_size 32\n"),
              HasSubstr("only 64-bit addresses"));
}

TEST(ModuleParser, SizesComeFromTypeArrayAndInitialValues) {
  EXPECT_EQ(4U, variable(".global .u32 x;").bytes);
  EXPECT_EQ(24U, variable(".global .align 8 .b64 x[3];").bytes);
  EXPECT_EQ(24U, variable(".global .u32 x[2][3];").bytes);
  EXPECT_EQ(3U, variable(".global .b8 x[] = {1, 2, 3};").bytes);
  EXPECT_EQ(8U, variable(".global .align 8 .b8 x[4];").alignment);
  EXPECT_EQ(0U, variable(".extern .shared .b8 x[];").bytes);
}

TEST(ModuleParser, InitialValuesOfEveryKindLieInOrder) {
  const auto x = variable(".global .u16 x[4] = {1, -1, 0x1234};");
  const std::vector<std::byte> expected = {std::byte{1},    std::byte{0},    std::byte{0xff},
                                           std::byte{0xff}, std::byte{0x34}, std::byte{0x12}};
  ASSERT_GE(x.initial.size(), expected.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), x.initial.begin()));
  const auto f = variable(".global .f32 x = 0f3F800000;");
  EXPECT_EQ(std::byte{0x3f}, f.initial.at(3));
}

TEST(ModuleParser, MistakesInVariablesAreTold) {
  EXPECT_THAT(error_of(".global .u32 x[1] = {1, 2};"), HasSubstr("too many initial values"));
  EXPECT_THAT(error_of(".global .align 3 .u32 x;"), HasSubstr("a power of two"));
  EXPECT_THAT(error_of(".global x;"), HasSubstr("expected a type"));
  EXPECT_THAT(error_of(".global .u64 x = nowhere;"), HasSubstr("'nowhere' is not declared"));
}

TEST(ModuleParser, FunctionsHaveParametersResultsAndBounds) {
  const auto module = parse(
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".func (.param .align 8 .b8 r[16]) f(.param .b32 x) { ret; }\n"
      ".visible .entry k(.param .u64 out, .param .align 4 .b8 s[12]) .maxntid 64, 2, 1 { ret; }\n",
      "k.cu");
  ASSERT_EQ(3U, module.functions.size());
  EXPECT_TRUE(module.functions[0].is_declaration);
  EXPECT_FALSE(module.functions[1].is_entry);
  EXPECT_EQ(16U, module.functions[1].results.at(0).bytes);
  const auto* kernel = find_function(module, "k");
  ASSERT_NE(nullptr, kernel);
  EXPECT_TRUE(kernel->is_entry);
  EXPECT_EQ(128U, kernel->most_threads);
  EXPECT_EQ(12U, kernel->parameters.at(1).bytes);
  EXPECT_EQ(nullptr, find_function(module, "none"));
}

TEST(ModuleParser, TwoBodiesOfOneNameAreAMistake) {
  EXPECT_THAT(error_of(".entry k() { ret; } .entry k() { ret; }"), HasSubstr("stands twice"));
}

TEST(ModuleParser, LocationsNameTheFileThatIsDeclaredLater) {
  const auto module =
      parse(".entry k() {\n.loc 2 8 3\nret;\n}\n.file 1 \"a\"\n.file 2 \"b.h\"\n", "k.cu");
  EXPECT_EQ((base::SourceLocation{"b.h", 8, 3}), location(module.functions.at(0), 0));
}

// The compiled file itself has no code: its kernel is in a file that it includes.
TEST(ModuleParser, AFirstFileThatIsNotTheCompiledOneKeepsItsName) {
  const auto module =
      parse(".entry k() {\n.loc 1 4 3\nret;\n}\n.file 1 \"./kernel.cuh\"\n", "k.cu");
  EXPECT_EQ((base::SourceLocation{"kernel.cuh", 4, 3}), location(module.functions.at(0), 0));
}

TEST(ModuleParser, SectionsOfTheDebuggerAreSkipped) {
  const auto module = parse(
      ".entry k() { ret; }\n.section .debug_str {\n$info: .b8 1, 2\n.b64 $info\n}\n"
      ".global .u32 x;",
      "k.cu");
  EXPECT_EQ(1U, module.variables.size());
}

}  // namespace warpgrade::ptx::module_parser_test

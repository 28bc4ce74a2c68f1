// SPDX-License-Identifier: Apache-2.0
// The outer level of PTX text: header, variables, functions, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/base/error.h"
#include "common/ptx/parser.h"

namespace warpgrade::ptx::module_parser_test {

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

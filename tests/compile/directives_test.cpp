// SPDX-License-Identifier: Apache-2.0
#include "common/compile/directives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace warpgrade::compile::directives_test {

class PositionDirective : public testing::TestWithParam<const char*> {};

TEST_P(PositionDirective, IsBlankedWithAllLinesKept) {
  const std::string directive = GetParam();
  const auto out = neutralise_directives("int a;\n" + directive + "\nint b;\n");
  EXPECT_EQ("int a;\n", out.substr(0, 7));
  EXPECT_EQ("\nint b;\n", out.substr(7 + directive.size()));
  const auto middle = out.substr(7, directive.size());
  EXPECT_EQ(std::string::npos, middle.find("line"));
  EXPECT_EQ(std::string::npos, middle.find('#'));
  EXPECT_EQ(std::string::npos, middle.find('7'));
  EXPECT_EQ(std::ranges::count(directive, '\n'), std::ranges::count(middle, '\n'));
}

INSTANTIATE_TEST_SUITE_P(Spellings, PositionDirective,
                         testing::Values("#line 7 \"other.cu\"", "  #  line 7",
                                         "# 7 \"other.cu\" 2", "%:line 7 \"z\"", "%\\\n:line 7",
                                         "#\\\nline 7", "#li\\\nne 7", "# /* x */ line 7",
                                         "#/* \n */line 7", "/* */ #line 7", "\v\f#line 7",
                                         "#line 7 /* \n */ \"q\""));

TEST(Directives, LeaveOtherDirectivesAlone) {
  const std::string text = "#define S(line) #line\n#include \"line.h\"\n#linear\n#pragma once\n";
  EXPECT_EQ(text, neutralise_directives(text));
}

TEST(Directives, LeaveAMacroBodyOnItsOwnLineAlone) {
  const std::string text = "#define S(line) \\\n #line\n";
  EXPECT_EQ(text, neutralise_directives(text));
}

TEST(Directives, AreFoundAfterTextThatOnlyLooksLikeAnOpenCommentOrRawString) {
  EXPECT_EQ("R\"(\n/*\n       \n)\"", neutralise_directives("R\"(\n/*\n#line 7\n)\""));
}

TEST(Directives, TurnWindowsNewlinesIntoPlainOnesOfTheSameLength) {
  EXPECT_EQ("#define A \\\n 5 \nx \n", neutralise_directives("#define A \\\n 5\r\nx\r\n"));
  EXPECT_EQ("#define A  \\\n 5 \n", neutralise_directives("#define A \\\r\n 5\r\n"));
}

TEST(Directives, BytesThatAreNoUtf8BecomeQuestionMarksInTheirPlaces) {
  EXPECT_EQ(
      "// Gr\xc3\xb6\xc3\x9f"
      "e ???\nint a;\n",
      neutralise_directives("// Gr\xc3\xb6\xc3\x9f"
                            "e \xff\xfe\x80\nint a;\n"));
  EXPECT_EQ("// cut ?\nint a;\n", neutralise_directives("// cut \xe2\nint a;\n"));
}

TEST(Directives, TakeTimeInProportionToTheText) {
  // Each of these opens a comment that only the end of the text closes.
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += "#/*\n";
  EXPECT_EQ(text.size(), neutralise_directives(text).size());
}

TEST(BlankedText, HasNoCommentsAndNoLiterals) {
  EXPECT_EQ("a     \nb       \n    c", blank_comments_and_literals("a//f()\nb\"g(\\\"\" \n/**/c"));
}

// Finds where a source declares functions of the device.

TEST(Declarations, NameLineAndColumnAreThoseOfTheFunction) {
  const auto found = find_declarations("\n__global__ void\n  copy(float* out) {}\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ("copy", found[0].name);
  EXPECT_EQ(3U, found[0].line);
  EXPECT_EQ(3U, found[0].column);
  EXPECT_TRUE(found[0].is_global);
  EXPECT_FALSE(found[0].is_device);
}

TEST(Declarations, HostFunctionsAreNone) {
  EXPECT_TRUE(find_declarations("void f() { g(); } int x = h(3);").empty());
}

TEST(Declarations, TemplatesSpacesAndBodiesAreTold) {
  const auto found = find_declarations(
      "template <int N> __global__ void a() {}\n__device__ float b(int x) { return c(x); }\n"
      "__host__ __device__ void d();");
  ASSERT_EQ(3U, found.size());
  EXPECT_TRUE(found[0].is_template);
  EXPECT_FALSE(found[1].is_template);
  EXPECT_TRUE(found[1].is_device);
  EXPECT_EQ("d", found[2].name);
  EXPECT_TRUE(found[0].is_definition);
  EXPECT_TRUE(found[1].is_definition);
  EXPECT_FALSE(found[2].is_definition);
}

TEST(Declarations, AttributesAreNoNames) {
  const auto found = find_declarations("__global__ void __launch_bounds__(256, 2) k(int n) {}");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ("k", found[0].name);
}

TEST(Declarations, CommentsAndTextsHoldNone) {
  EXPECT_TRUE(
      find_declarations("// __global__ void a() {}\nconst char* t = \"__device__ b()\";").empty());
}

TEST(Declarations, AVariableIsNone) {
  const auto found = find_declarations("__device__ int x; __device__ int y = 3; void f() {}");
  EXPECT_TRUE(found.empty());
}

}  // namespace warpgrade::compile::directives_test

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/conditionals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "common/compile/signature.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::conditionals_test {

// The directive that leaves out a line.

using testing::HasSubstr;

constexpr bool kNoOptions = false;
constexpr bool kOptions = true;

TEST(LeftOutBy, NamesTheConditionAndTheOptionThatBringsTheLine) {
  EXPECT_EQ("", left_out_by("#ifdef A\n#endif\nx\n", 3, kOptions));
  EXPECT_EQ("line 1, `#if 0`, leaves it out, until you remove it and its #endif",
            left_out_by("#if 0\nx\n#endif\n", 2, kOptions));
  EXPECT_EQ(
      "line 1, `#ifdef FAST`, leaves it out, because FAST is not defined: write `#define FAST` "
      "above it, or pass --compiler-option -DFAST",
      left_out_by("#ifdef FAST  // see below\nx\n#endif\n", 2, kOptions));
  EXPECT_EQ(
      "line 1, `#if defined(FAST)`, leaves it out, because FAST is not defined: write `#define "
      "FAST` above it",
      left_out_by("#if defined(FAST)\nx\n#endif\n", 2, kNoOptions));
  EXPECT_EQ(
      "line 2, `#ifndef SLOW`, leaves it out, because SLOW is defined in line 1: remove that line",
      left_out_by("#define SLOW 1\n#ifndef SLOW\nx\n#endif\n", 3, kOptions));
  EXPECT_EQ(
      "line 2, `#if N > 4`, leaves it out, because its condition is false: change it, or pass "
      "--compiler-option -DNAME=VALUE",
      left_out_by("#define N 3\n#  if N > 4\nx\n#endif\n", 3, kOptions));
  EXPECT_THAT(left_out_by("#if __CUDA_ARCH__ >= 1000\nx\n#endif\n", 2, kOptions),
              HasSubstr("false for this architecture; choose another --device"));
}

TEST(LeftOutBy, AnElseNamesItsCondition) {
  EXPECT_EQ(
      "the `#else` in line 3 to line 2, `#ifdef A`, leaves it out, because A is defined in line 1: "
      "remove that line",
      left_out_by("#define A\n#ifdef A\n#else\nx\n#endif\n", 4, kOptions));
  EXPECT_EQ(
      "the `#else` in line 2 to line 1, `#ifndef A`, leaves it out, because A is not defined: "
      "write "
      "`#define A` above it",
      left_out_by("#ifndef A\n#else\nx\n#endif\n", 3, kNoOptions));
  EXPECT_EQ("line 2, `#elif B`, leaves it out, because line 1, `#if 1`, holds",
            left_out_by("#if 1\n#elif B\nx\n#endif\n", 3, kOptions));
}

TEST(LeftOutBy, OfNestedConditionsTheFalseOneIsNamed) {
  EXPECT_THAT(left_out_by("#if 1\n#ifdef B\n#if C > 1\nx\n", 4, kOptions),
              HasSubstr("line 2, `#ifdef B`, leaves it out"));
  EXPECT_EQ("one of these leaves it out: line 1, `#if A > 1`, or line 2, `#if B > 1`",
            left_out_by("#if A > 1\n#if B > 1\nx\n", 3, kOptions));
  EXPECT_EQ("", left_out_by("#endif\n#else\n#elif\n#\nx\n", 5, kOptions));
}

// The compiler knows that the line is left out; the message of find_kernel() says by what.
std::string missing(const std::string& source, const std::string& signature = {}) {
  const auto program = program_of(request_for(source));
  return std::get<base::Diagnostic>(find_kernel(program, "k", signature)).message;
}

TEST(FindKernelInConditionals, ExplainsWhyThereIsNone) {
  EXPECT_EQ(
      "the compiler made no kernel of 'k': line 1, `#ifdef FAST`, leaves it out, because FAST is "
      "not defined: write `#define FAST` above it, or pass --compiler-option -DFAST",
      missing("#ifdef FAST\n__global__ void k(int* o) { o[0] = 1; }\n#endif\n"));
  EXPECT_EQ(
      "the compiler made no kernel of 'k': line 1, `#if 0`, leaves it out, until you remove it and "
      "its #endif; expected: __global__ void k(int* o)",
      missing("#if 0\n__global__ void k(int* o) {}\n#endif\n__device__ int x;\n", "k(int* o)"));
  EXPECT_EQ("the compiler made no kernel of 'k': line 1 only declares it; its body is missing",
            missing("__global__ void k(int* o);\n"));
}

}  // namespace warpgrade::compile::conditionals_test

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/constant_operands.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpgrade::compile::constant_operands_test {
namespace {

// Whether the tokens of `head` and of a kernel with `body` show that the host's constant N is used
// only by value.
bool is_decided(const std::string& body, const std::string& head = "constexpr int N = 32;") {
  const std::vector<SourceText> sources = {
      {"k.cu", head + "\n__global__ void k(float* out, int i) { " + body + " }\n"}};
  return uses_only_values({"N"}, sources);
}

TEST(ConstantOperands, OperandsOfArithmeticAreValues) {
  for (const auto* body :
       {"out[i * N + 1] = 0;", "out[N - 1] = 0;", "if (i < N) out[i] = 0;",
        "if (N > i) out[i] = 0;", "for (i = 0; i < N && i >= 0; i += N) out[i] = 0;",
        "out[i] = -N;", "out[i] = i == N ? 1 : 2;", "i = N / 2;",
        "return N + 1 > i ? void() : void();", "switch (i) { case N: break; }"}) {
    EXPECT_TRUE(is_decided(body)) << body;
  }
}

TEST(ConstantOperands, SizesAndSubscriptsAreValues) {
  EXPECT_TRUE(is_decided("__shared__ float tile[N][N + 1]; out[i] = tile[0][N];"));
  EXPECT_TRUE(is_decided("out[n::N * i] = 0;", "namespace n { constexpr int N = 32; }"));
}

TEST(ConstantOperands, WhatMayBeAReferenceIsLeftToTheCompiler) {
  for (const auto* body :
       {"const int& r = N;", "auto&& r = N;", "const int* p = &N;", "const int* p = &N + 1;",
        "out[i] = f(N);", "out[i] = min(N, i);", "S s{N};", "const int& r = i ? N : M;",
        "const int& r = (N);", "out[i] = (const int&)N + 1;", "out[i] = f<N>(i);",
        "out[i] = f<i, N>(i);", "auto l = [N] { return 1; };", "return N;", "out[i] = N;",
        "out[i] = N, 1;", "out[i] = i & N;", "const int* p = &n::N + 1;"}) {
    EXPECT_FALSE(is_decided(body)) << body;
  }
}

TEST(ConstantOperands, OnlyNumbersWithKnownValuesAreDecided) {
  constexpr const char* kUse = "out[i * N] = 0;";
  for (const auto* head :
       {"const float N = 0.5f;", "static constexpr unsigned long N = (4 + 4) * 2;",
        "constexpr size_t N = 1, M = 2;"}) {
    EXPECT_EQ(std::string(head).find("M") == std::string::npos, is_decided(kUse, head)) << head;
  }
  for (const auto* head : {"constexpr S N = {1};", "const int* const N = 0;",
                           "constexpr const int& N = 4;", "constexpr int N[2] = {1, 2};",
                           "const int N = f();", "constexpr auto N = 3;", "const char N = 'a';"}) {
    EXPECT_FALSE(is_decided(kUse, head)) << head;
  }
}

TEST(ConstantOperands, OperatorFunctionsMacrosAndHeadersMayChangeAMeaning) {
  constexpr const char* kUse = "out[i * N] = 0;";
  const std::string head = "constexpr int N = 32;\n";
  EXPECT_TRUE(is_decided(kUse, head + "#include <cstdio>\n#pragma once\n"));
  EXPECT_FALSE(is_decided(kUse, head + "#include <cuda_fp16.h>\n"));
  EXPECT_FALSE(is_decided(kUse, head + "#include \"mine.h\"\n"));
  EXPECT_FALSE(is_decided(kUse, head + "#define ADDRESS(x) &x\n"));
  EXPECT_FALSE(
      is_decided(kUse, head + "struct S {}; __device__ int operator*(S, const int& r);\n"));
}

TEST(ConstantOperands, EveryFileCounts) {
  const std::vector<SourceText> sources = {
      {"k.cu", "constexpr int N = 32;\n__global__ void k(float* out) { out[N - 1] = 0; }\n"},
      {"k.h", "__device__ const int* f() { return &N; }\n"}};
  EXPECT_FALSE(uses_only_values({"N"}, sources));
  EXPECT_TRUE(uses_only_values({"N"}, std::span(sources).first(1)));
}

}  // namespace
}  // namespace warpgrade::compile::constant_operands_test

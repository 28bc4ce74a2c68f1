// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::host_constants_test {

// Uses of the host's constants in device code, with the real compiler. Each case was also compiled
// by hand with `nvcc -arch=sm_90 -c` of CUDA 13.0.

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<base::Diagnostic> refusal_of(const std::string& source) {
  return diagnostics_of(request_for(source));
}

constexpr const char* kWeights = "const float weights[3] = {1, 2, 1};\n";
constexpr const char* kFixed = "constexpr float weights[3] = {1, 2, 1};\n";

// A source with `head` and a kernel with `body`.
std::string kernel(const std::string& head, const std::string& body) {
  return head + "__global__ void k(float* out) { int i = threadIdx.x; " + body + " }\n";
}

TEST(HostConstants, ConstantArraysOfTheHostAreUndefinedInDeviceCode) {
  for (const std::string body :
       {"out[0] = weights[threadIdx.x];", "out[0] = weights[1];",
        "for (int i = 0; i < 3; ++i) out[i] = weights[i];",
        "const float* p = weights; out[0] = p[1];", "for (float w : weights) out[0] += w;"}) {
    for (const std::string& declaration :
         {std::string(kWeights), std::string("constexpr float weights[3] = {1, 2, 1};\n"),
          std::string("static const float weights[3] = {1, 2, 1};\n"),
          std::string(
              "namespace n { const float weights[3] = {1, 2, 1}; }\nusing namespace n;\n")}) {
      const auto found =
          refusal_of(declaration + "__global__ void k(float* out) { " + body + " }\n");
      ASSERT_EQ(1u, found.size()) << declaration << body;
      EXPECT_THAT(found[0].message, HasSubstr("weights\" is undefined in device code"));
      EXPECT_THAT(found[0].message, HasSubstr("__constant__"));
    }
  }
}

TEST(HostConstants, TheUseIsThePlace) {
  const auto found = refusal_of(std::string(kWeights) +
                                "__global__ void k(float* out) {\n  out[0] = 2 * weights[1];\n}\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 3, 16}), found[0].where);
}

TEST(HostConstants, MembersAndFunctionsThatKernelsCallCountToo) {
  EXPECT_THAT(refusal_of("struct S { static constexpr float weights[3] = {1, 2, 3}; };\n"
                         "__global__ void k(float* out, int i) { out[0] = S::weights[i]; }\n"),
              testing::SizeIs(1));
  EXPECT_THAT(
      refusal_of(std::string(kWeights) + "__device__ float f(int i) { return weights[i]; }\n"
                                         "__global__ void k(float* out) { out[0] = f(1); }\n"),
      testing::SizeIs(1));
}

TEST(HostConstants, ConstantExpressionsMayUseThem) {
  EXPECT_THAT(
      refusal_of("constexpr int sizes[3] = {4, 5, 6};\n"
                 "template <int N> struct T { int a[sizes[N]]; };\n"
                 "__global__ void k(int* out) {\n"
                 "  constexpr int n = sizes[1];\n  __shared__ int s[sizes[2]];\n"
                 "  s[0] = sizeof(sizes) / sizeof(sizes[0]);\n  static_assert(sizes[0] == 4);\n"
                 "  if constexpr (sizes[0] > 3) out[0] = n + s[0] + sizeof(T<1>);\n}\n"),
      IsEmpty());
}

TEST(HostConstants, ScalarsAndArraysOfTheDeviceMayBeUsed) {
  EXPECT_THAT(
      refusal_of("const int n = 3;\nconst float f = 2.5f;\nconstexpr double h = 1.5;\n"
                 "struct P { int x, y; };\nconstexpr P p = {1, 2};\n"
                 "__constant__ float a[3] = {1, 2, 3};\n__device__ const int b[2] = {1, 2};\n"
                 "static __device__ const int c[2] = {1, 2};\n"
                 "__global__ void k(float* out) {\n"
                 "  const float d[2] = {1, 2};\n  static const int e[2] = {4, 5};\n"
                 "  int i = threadIdx.x;\n"
                 "  out[0] = n + f + h + p.x + a[i] + b[i] + c[i] + d[i] + e[i];\n}\n"),
      IsEmpty());
}

TEST(HostConstants, AReferenceIsNoValue) {
  for (const std::string number :
       {"const int n = 5;\n", "constexpr int n = 5;\n", "const float n = 5;\n"}) {
    for (const std::string body :
         {"const auto& r = n; out[0] = r;", "const auto& r{n}; out[0] = r;",
          "const decltype(n) one = 1, &r = n; out[0] = one + r;", "const auto& r(n); out[0] = r;",
          "auto& r = n; out[0] = r;", "const auto& r = ::n; out[0] = r;"}) {
      const auto found = refusal_of(kernel(number, body));
      ASSERT_EQ(1u, found.size()) << number << body;
      EXPECT_THAT(found[0].message, HasSubstr("\"n\" is undefined in device code")) << body;
    }
    for (const std::string body :
         {"const int n = 3; const auto& r = n; out[0] = r;", "const auto& r = n + 1; out[0] = r;",
          "const auto r = n; out[0] = r;",
          "for (int n = 0; n < 3; ++n) { auto& r = n; out[r] = r; }"}) {
      EXPECT_THAT(refusal_of(kernel(number, body)), IsEmpty()) << number << body;
    }
  }
  EXPECT_EQ(1u, refusal_of(kernel("namespace a { const int n = 5; }\n",
                                  "const int& r = a::n; out[0] = r;"))
                    .size());
  EXPECT_EQ(1u,
            refusal_of("const int n = 5;\n__host__ __device__ int g() { const int& r = n; return "
                       "r; }\n__global__ void k(int* out) { out[0] = g(); }\n")
                .size());
}

TEST(HostConstants, AParameterOfTheSameNameIsNoUse) {
  EXPECT_THAT(
      refusal_of(std::string(kWeights) +
                 "__global__ void k(float* out, const float* weights) { out[0] = weights[1]; }\n"),
      IsEmpty());
}

TEST(HostConstants, HostArraysThatOnlyHostCodeUsesStay) {
  EXPECT_THAT(refusal_of(std::string(kWeights) + "__global__ void k(float* out) { out[0] = 1; }\n"
                                                 "int main() { return weights[1]; }\n"),
              IsEmpty());
}

TEST(HostConstants, ANumberMayBeUsedByItsValueAlone) {
  const std::string number = "const int n = 3; const float x = 1.5f; const float y = x * 2;\n";
  for (const std::string body :
       {"out[i] = n * i + x;", "out[i] = max(n, i);", "out[i] = i ? n : i;",
        "out[i] = fminf(x, i);", "int q[2] = {n, n}; out[i] = q[i % 2];",
        "auto f = [](int j) { return n * j; }; out[i] = f(i);", "out[i] = y;"}) {
    EXPECT_THAT(refusal_of(kernel(number, body)), IsEmpty()) << body;
  }
  for (const std::string body :
       {"const int* p = &n; out[i] = *p;", "out[i] = f(n);", "out[i] = least(n, i);"}) {
    const auto found =
        refusal_of(kernel(number + "__device__ int f(const int& v) { return v; }\n"
                                   "template <class T> __device__ T least(const T& a, const T& b) {"
                                   " return a < b ? a : b; }\n",
                          body));
    ASSERT_EQ(1u, found.size()) << body;
    EXPECT_THAT(found[0].message, HasSubstr("\"n\" is undefined in device code")) << body;
  }
}

TEST(HostConstants, AnObjectMayBeReadByItsMembers) {
  const std::string head =
      "struct P { int x, y; }; constexpr P p = {1, 2}; const float2 f = {1, 2};\n"
      "struct A { int x[3]; }; constexpr A a = {{1, 2, 3}};\n"
      "__device__ int by_value(P q) { return q.x; }\n"
      "__device__ int by_reference(const P& q) { return q.x; }\n";
  for (const std::string body :
       {"out[i] = p.x + f.y;", "P q = p; out[i] = q.x;", "out[i] = by_value(p);"}) {
    EXPECT_THAT(refusal_of(kernel(head, body)), IsEmpty()) << body;
  }
  for (const std::string body : {"out[i] = by_reference(p);", "out[i] = a.x[1];"}) {
    EXPECT_EQ(1u, refusal_of(kernel(head, body)).size()) << body;
  }
}

TEST(HostConstants, AnArrayMayBeUsedInAConstantExpression) {
  for (const std::string body :
       {"constexpr float v = weights[1]; out[i] = v;", "const float v = weights[1]; out[i] = v;",
        "out[i] = sizeof(weights) / sizeof(weights[0]);",
        "decltype(weights[0]) v = 2.f; out[i] = v;", "if constexpr (weights[1] > 1) out[i] = 1;"}) {
    EXPECT_THAT(refusal_of(kernel(kFixed, body)), IsEmpty()) << body;
  }
}

TEST(HostConstants, FunctionsThatNoKernelCallsCountToo) {
  for (const std::string function :
       {"__device__ float f(int j) { return weights[j]; }\n",
        "__host__ __device__ float f(int j) { return weights[j]; }\n"}) {
    EXPECT_EQ(1u, refusal_of(kernel(kFixed + function, "out[i] = 1;")).size()) << function;
  }
  EXPECT_EQ(1u, refusal_of(kernel(kFixed, "if (false) out[i] = weights[i]; out[i] = 1;")).size());
  EXPECT_THAT(
      refusal_of(kernel(
          kFixed + std::string("template <class T> __device__ T f() { return weights[0]; }\n"),
          "out[i] = 1;")),
      IsEmpty());
}

TEST(HostConstants, ScopesLambdasTemplatesAndMacrosHideNoUse) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"namespace n { const float w[3] = {1, 2, 1}; }\n", "out[i] = n::w[i];"},
      {"namespace { const float w[3] = {1, 2, 1}; }\n", "out[i] = w[i];"},
      {"inline constexpr float w[2][2] = {{1, 2}, {2, 1}};\n", "out[i] = w[i][0];"},
      {"template <class T> struct S { static constexpr T w[2] = {1, 2}; };\n",
       "out[i] = S<float>::w[i];"},
      {"struct S { static constexpr int w = 2; };\n__device__ int f(const int& v) { return v; }\n",
       "out[i] = f(S::w);"},
      {"const char w[] = \"abc\";\n", "out[i] = w[i];"},
      {"enum Colour { kRed, kGreen };\nconst Colour w[2] = {kRed, kGreen};\n", "out[i] = w[i];"},
      {"const float w[3] = {1, 2, 1};\n#define W(j) w[j]\n", "out[i] = W(i);"},
      {kWeights, "auto f = [](int j) { return weights[j]; }; out[i] = f(i);"},
      {kWeights, "float s = 0; for (float v : weights) s += v; out[i] = s;"},
      {"const float a = 1, w[2] = {1, 2};\n", "out[i] = w[i] + a;"},
      {"const int w[3]{1, 2, 3};\n", "out[i] = w[i];"},
  };
  for (const auto& [head, body] : cases) {
    const auto found = refusal_of(kernel(head, body));
    ASSERT_EQ(1u, found.size()) << head << body;
    EXPECT_THAT(found[0].message, HasSubstr("is undefined in device code")) << head << body;
  }
}

TEST(HostConstants, ThePlaceIsKnownUnderAnAbsolutePath) {
  auto request = request_for(kernel(kWeights, "out[i] =\n  2 * weights[i];"));
  request.file = "/tmp/folder/kernel.cu";
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ((base::SourceLocation{"/tmp/folder/kernel.cu", 3, 7}), found[0].where);
}

TEST(HostConstants, VariablesOfAFunctionAreTheDevices) {
  EXPECT_THAT(refusal_of(kernel(kFixed,
                                "static const float weights[3] = {1, 2, 1};"
                                " constexpr float v[2] = {1, 2};"
                                " out[i] = weights[i] + v[i];")),
              IsEmpty());
}

TEST(HostConstants, NamesThoseThatDeviceCodeMentions) {
  const SourceText source = {
      "k.cu",
      "const int a[2] = {1, 2};\nconst int b[2] = {1, 2};\nint c[2];\nconst int d = 3;\n"
      "__constant__ int e[2];\nconst float* p = nullptr;\nextern const int x;\n"
      "__device__ int f(int i) { return a[i] + c[i] + d + e[i] + x + *p; }\n"};
  EXPECT_THAT(host_constants({&source, 1}, ConstantKind::kAll), ElementsAre("a", "d"));
  EXPECT_THAT(host_constants({&source, 1}, ConstantKind::kArrayOrConstexpr), ElementsAre("a"));
}

TEST(HostConstants, ConstexprReplacesConstAndMovesNothing) {
  EXPECT_EQ(
      "static __cxp int n = 3;\nconst int* p = &n;\n__constant__ const int c = 1;\n"
      "void f(const int* q) { const int m = *q; }\n",
      with_constexpr_constants(
          "static const int n = 3;\nconst int* p = &n;\n__constant__ const int c = 1;\n"
          "void f(const int* q) { const int m = *q; }\n"));
}

TEST(HostConstants, PointersAndVolatileOnesAreRead) {
  for (const char* head : {
           "const char* const s = \"abc\";\n",
           "static const char* const s = \"abc\";\n",
           "namespace n { const char* const s = \"abc\"; }\nusing namespace n;\n",
           "const char* const s[2] = {\"a\", \"b\"};\n#define s s[0]\n",
       }) {
    EXPECT_EQ(
        1u,
        diagnostics_of(head + std::string("__global__ void k(char* o) { o[0] = s[0]; }\n")).size())
        << head;
  }
  EXPECT_EQ(1u, diagnostics_of("#include <cstdio>\nconst char* const form = \"%d\\n\";\n"
                               "__global__ void k(int* o) { printf(form, o[0]); }\n")
                    .size());
  EXPECT_EQ(1u, diagnostics_of("const volatile int n = 4;\n"
                               "__global__ void k(int* o) { o[0] = n; }\n")
                    .size());
  EXPECT_THAT(diagnostics_of("int* const none = nullptr;\nconst float* const zero = 0;\n"
                             "__global__ void k(int* o) { if (o == none) return; o[0] = 1; }\n"),
              IsEmpty());
  EXPECT_THAT(diagnostics_of("constexpr const char* s = \"abc\";\n"
                             "__global__ void k(char* o) { o[0] = s[0]; }\n"),
              IsEmpty());
}

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

}  // namespace warpgrade::compile::host_constants_test

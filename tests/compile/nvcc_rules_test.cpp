// SPDX-License-Identifier: Apache-2.0
// What nvcc 13.0 refuses and NVRTC compiles, by the real compiler: each case was given to
// `nvcc -arch=sm_90 -cubin` by hand.
#include "common/compile/nvcc_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile {
namespace nvcc_rules_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<base::Diagnostic> refusal(const std::string& source) {
  return diagnostics_of(request_for(source));
}

constexpr const char* kWeights = "const float weights[3] = {1, 2, 1};\n";

TEST(NvccRules, ConstantArraysOfTheHostAreUndefinedInDeviceCode) {
  for (const std::string body :
       {"out[0] = weights[threadIdx.x];", "out[0] = weights[1];",
        "for (int i = 0; i < 3; ++i) out[i] = weights[i];",
        "const float* p = weights; out[0] = p[1];", "for (float w : weights) out[0] += w;"}) {
    for (const std::string& declaration :
         {std::string(kWeights), std::string("constexpr float weights[3] = {1, 2, 1};\n"),
          std::string("static const float weights[3] = {1, 2, 1};\n"),
          std::string(
              "namespace n { const float weights[3] = {1, 2, 1}; }\nusing namespace n;\n")}) {
      const auto found = refusal(declaration + "__global__ void k(float* out) { " + body + " }\n");
      ASSERT_EQ(1u, found.size()) << declaration << body;
      EXPECT_THAT(found[0].message, HasSubstr("\"weights\" is undefined in device code"));
      EXPECT_THAT(found[0].message, HasSubstr("__constant__"));
    }
  }
}

TEST(NvccRules, TheUseIsThePlace) {
  const auto found = refusal(std::string(kWeights) +
                             "__global__ void k(float* out) {\n  out[0] = 2 * weights[1];\n}\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 3, 16}), found[0].where);
}

TEST(NvccRules, MembersAndFunctionsThatKernelsCallCountToo) {
  EXPECT_THAT(refusal("struct S { static constexpr float weights[3] = {1, 2, 3}; };\n"
                      "__global__ void k(float* out, int i) { out[0] = S::weights[i]; }\n"),
              testing::SizeIs(1));
  EXPECT_THAT(refusal(std::string(kWeights) + "__device__ float f(int i) { return weights[i]; }\n"
                                              "__global__ void k(float* out) { out[0] = f(1); }\n"),
              testing::SizeIs(1));
}

TEST(NvccRules, ConstantExpressionsMayUseThem) {
  EXPECT_THAT(
      refusal("constexpr int sizes[3] = {4, 5, 6};\n"
              "template <int N> struct T { int a[sizes[N]]; };\n"
              "__global__ void k(int* out) {\n"
              "  constexpr int n = sizes[1];\n  __shared__ int s[sizes[2]];\n"
              "  s[0] = sizeof(sizes) / sizeof(sizes[0]);\n  static_assert(sizes[0] == 4);\n"
              "  if constexpr (sizes[0] > 3) out[0] = n + s[0] + sizeof(T<1>);\n}\n"),
      IsEmpty());
}

TEST(NvccRules, ScalarsAndArraysOfTheDeviceMayBeUsed) {
  EXPECT_THAT(refusal("const int n = 3;\nconst float f = 2.5f;\nconstexpr double h = 1.5;\n"
                      "struct P { int x, y; };\nconstexpr P p = {1, 2};\n"
                      "__constant__ float a[3] = {1, 2, 3};\n__device__ const int b[2] = {1, 2};\n"
                      "static __device__ const int c[2] = {1, 2};\n"
                      "__global__ void k(float* out) {\n"
                      "  const float d[2] = {1, 2};\n  static const int e[2] = {4, 5};\n"
                      "  int i = threadIdx.x;\n"
                      "  out[0] = n + f + h + p.x + a[i] + b[i] + c[i] + d[i] + e[i];\n}\n"),
              IsEmpty());
}

TEST(NvccRules, AParameterOfTheSameNameIsNoUse) {
  EXPECT_THAT(
      refusal(std::string(kWeights) +
              "__global__ void k(float* out, const float* weights) { out[0] = weights[1]; }\n"),
      IsEmpty());
}

TEST(NvccRules, HostArraysThatOnlyHostCodeUsesStay) {
  EXPECT_THAT(refusal(std::string(kWeights) + "__global__ void k(float* out) { out[0] = 1; }\n"
                                              "int main() { return weights[1]; }\n"),
              IsEmpty());
}

TEST(NvccRules, AKernelCannotBeCalledLikeAFunction) {
  for (const std::string call : {"other(out);", "if (out[0] > 0) other(out); else other(out + 1);",
                                 "return other(out);", "k(out);"}) {
    const auto found = refusal(
        "__global__ void other(float* out) { out[1] = 1; }\n"
        "__global__ void k(float* out) { " +
        call + " }\n");
    ASSERT_EQ(1u, found.size()) << call;
    EXPECT_THAT(found[0].message, HasSubstr("a __global__ function call must be configured"));
  }
  EXPECT_THAT(refusal("template <int N> __global__ void other(float* out) { out[N] = 1; }\n"
                      "__global__ void k(float* out) { other<2>(out); }\n"),
              testing::SizeIs(1));
}

TEST(NvccRules, ANameWithAnotherMeaningIsNoCallOfAKernel) {
  EXPECT_THAT(refusal("__device__ float add(float a, float b) { return a + b; }\n"
                      "__global__ void add(float* out) { out[0] = add(1, 2); }\n"
                      "__global__ void scale(float* out) { out[0] = 1; }\n"
                      "struct Op { __device__ float reduce(float x) const { return x; } };\n"
                      "__global__ void reduce(float* out) {\n"
                      "  Op op;\n  out[0] = op.reduce(1);\n"
                      "  auto scale = [](float x) { return 2 * x; };\n  out[1] = scale(3);\n"
                      "  float copy(3);\n  out[2] = copy;\n}\n"
                      "__global__ void copy(float* out) { out[0] = 1; }\n"),
              IsEmpty());
}

TEST(NvccRules, NamesTheArraysThatDeviceCodeMentions) {
  EXPECT_THAT(host_constant_arrays("const int a[2] = {1, 2};\nconst int b[2] = {1, 2};\nint c[2];\n"
                                   "const int d = 3;\n__constant__ int e[2];\n"
                                   "__device__ int f(int i) { return a[i] + c[i] + d + e[i]; }\n"),
              ElementsAre("a"));
}

}  // namespace nvcc_rules_test
}  // namespace warpgrade::compile

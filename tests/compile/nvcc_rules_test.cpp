// SPDX-License-Identifier: Apache-2.0
// What nvcc 13.0 refuses and NVRTC compiles, by the real compiler: each case was given to
// `nvcc -arch=sm_90 -cubin` by hand.
#include "common/compile/nvcc_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile {
namespace nvcc_rules_test {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<base::Diagnostic> refusal(const std::string& source) {
  return diagnostics_of(request_for(source));
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

}  // namespace nvcc_rules_test
}  // namespace warpgrade::compile

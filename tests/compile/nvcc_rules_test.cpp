// SPDX-License-Identifier: Apache-2.0
// Sources that nvcc 13.0 refuses but NVRTC compiles, with the real compiler. Each case was also
// compiled by hand with `nvcc -arch=sm_90 -cubin`.
#include "common/compile/nvcc_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::nvcc_rules_test {

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

TEST(NvccRules, HostCodeCannotCallAKernelLikeAFunction) {
  const std::string kernel = "__global__ void scale(float* out, int n) { out[n] *= 2; }\n";
  for (const std::string host : {"void run(float* out) { scale(out, 3); }\n",
                                 "int main() { float* out = nullptr; scale(out, 3); }\n"}) {
    const auto found = refusal(kernel + host);
    ASSERT_EQ(1u, found.size()) << host;
    EXPECT_THAT(found[0].message, HasSubstr("a __global__ function call must be configured"));
  }
  for (const std::string host :
       {"void run(float* out) { scale<<<1, 1>>>(out, 3); }\n",
        "void scale(float* out) { out[0] = 1; }\nvoid run(float* out) { scale(out); }\n",
        "void run(float* out) { auto scale = [](float*, int) {}; scale(out, 3); }\n",
        "struct S { void scale(float*, int) {} void run() { scale(nullptr, 3); } };\n",
        "#include <thrust/sort.h>\nusing namespace thrust;\nvoid run(float* p) { scale(p, 3); "
        "}\n"}) {
    EXPECT_THAT(refusal(kernel + host), IsEmpty()) << host;
  }
}

TEST(NvccRules, AnInlineVariableOfTheDeviceNeedsInternalLinkage) {
  const std::string kernel = "__global__ void k(float* out) { out[0] = n; }\n";
  const auto found = refusal("inline __device__ int n = 3;\n" + kernel);
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(found[0].message, HasSubstr("must have internal linkage"));
  for (const std::string head :
       {"static inline __device__ int n = 3;\n", "__device__ int n = 3;\n",
        "namespace { inline __device__ int n = 3; }\n", "inline constexpr int n = 3;\n"}) {
    EXPECT_THAT(refusal(head + kernel), IsEmpty()) << head;
  }
}

TEST(NvccRules, AFunctionOfBothCannotCallOneOfTheDevice) {
  const std::string own = "__device__ int g(int x) { return x; }\n";
  const std::string kernel = "__global__ void k(int* out) { out[0] = f(1); }\n";
  for (const std::string body : {"return g(x);", "return __popc(x);", "__syncthreads(); return x;",
                                 "return __shfl_sync(~0u, x, 0);", "return __expf(x);"}) {
    const auto found =
        refusal(own + "__host__ __device__ int f(int x) { " + body + " }\n" + kernel);
    ASSERT_EQ(1u, found.size()) << body;
    EXPECT_THAT(found[0].message, HasSubstr("from a __host__ __device__ function(\"f\")")) << body;
  }
  for (const std::string f :
       {"__host__ __device__ int f(int x) { return rsqrtf(x); }\n",
        "__host__ __device__ int f(int x) {\n#ifdef __CUDA_ARCH__\nreturn g(x);\n#else\nreturn x;\n"
        "#endif\n}\n",
        "template <class T> __host__ __device__ T f(T x) { return g(x); }\n",
        "__device__ int f(int x) { return g(x) + __popc(x); }\n"}) {
    EXPECT_THAT(refusal(own + f + kernel), IsEmpty()) << f;
  }
}

TEST(NvccRules, AGotoCannotPassAnInitialValue) {
  EXPECT_EQ(1u,
            refusal("__global__ void k(int* out) { if (out[0]) goto end; int q = 4; out[1] = q; "
                    "end: return; }\n")
                .size());
  EXPECT_THAT(
      refusal("__global__ void k(int* out) { int q; if (out[0]) goto end; q = 4; out[1] = q;"
              " end: return; }\n"),
      IsEmpty());
}

TEST(NvccRules, ALambdaWithASpaceNeedsAnOption) {
  const std::string apply =
      "template <class F> __global__ void apply(int* o, F f) { o[0] = f(3); }\n"
      "template <class F> __device__ int result(F f) { return f(3); }\n";
  for (const char* rest : {
           "void g(int* o) { apply<<<1, 1>>>(o, [] __device__(int x) { return x + 1; }); }\n",
           "void g(int* o) { auto f = [=] __host__ __device__(int x) { return x; }; "
           "apply<<<1, 1>>>(o, f); }\n",
           "__global__ void k(int* o) { o[0] = result([] __device__(int x) { return x; }); }\n",
       }) {
    EXPECT_EQ(1u, refusal(apply + rest).size()) << rest;
  }
  for (const char* rest : {
           "__global__ void k(int* o) { o[0] = result([](int x) { return x; }); }\n",
           "[[nodiscard]] __device__ int f(int x) { return x; }\n",
           "#ifdef __CUDACC_EXTENDED_LAMBDA__\nvoid g(int* o) { apply<<<1, 1>>>(o, [] "
           "__device__(int x) { return x + 1; }); }\n#endif\n",
       }) {
    EXPECT_THAT(refusal(apply + rest), IsEmpty()) << rest;
  }
}

}  // namespace warpgrade::compile::nvcc_rules_test

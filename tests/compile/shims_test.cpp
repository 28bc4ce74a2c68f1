// SPDX-License-Identifier: Apache-2.0
#include "common/compile/shims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::shims_test {

// Names that the prelude declares, with the real compiler. Each case was also compiled by hand with
// `nvcc -arch=sm_90` of CUDA 13.0.

// Matches nvcc 13.0 with the headers of libstdc++ 12.
TEST(Prelude, AWholeNumberBesideAFloatingOneIsForTheHost) {
  for (const std::string name : {"fmax", "fmin", "fmod", "atan2", "hypot", "fdim"}) {
    for (const std::string arguments : {"(x, i)", "(i, x)", "(d, 2)", "(2u, d)"}) {
      const auto found = diagnostics_of(
          "__global__ void k(double* o, float x, double d, int i) {"
          " o[0] = " +
          name + arguments + "; }\n");
      ASSERT_EQ(1u, found.size()) << name << arguments;
      EXPECT_THAT(found[0].message, testing::HasSubstr("give both arguments the same type"));
    }
    EXPECT_EQ(1u, program_of("__global__ void k(double* o, float x, double d) { o[0] = " + name +
                             "(x, 2.0f) + " + name + "(d, 2.0); }\n")
                      .kernels.size());
  }
}

TEST(Prelude, HasTheLengthOfALiteralAndTheConstantsOfHalfTypes) {
  EXPECT_EQ(1u,
            program_of("#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cstring>\n"
                       "__global__ void k(float* o) {\n"
                       "  o[0] = strlen(\"abc\") + std::strlen(\"\") + __builtin_strlen(\"ab\");\n"
                       "  o[1] = __half2float(CUDART_NAN_FP16) + __half2float(CUDART_ONE_FP16);\n"
                       "  o[2] = __bfloat162float(CUDART_INF_BF16);\n}\n")
                .kernels.size());
  EXPECT_EQ(1u,
            diagnostics_of("__global__ void k(float* o) { char b[4] = \"abc\"; o[0] = strlen(b);"
                           " }\n")
                .size());
}

TEST(Prelude, ComparesLiterals) {
  EXPECT_EQ(1u, program_of("__global__ void k(int* o) {\n"
                           "  static_assert(__builtin_memcmp(\"abc\", \"abf\", 3) == -3);\n"
                           "  static_assert(__builtin_strcmp(\"az\", \"ab\") == 1);\n"
                           "  static_assert(__builtin_strcmp(\"a\", \"ab\") == -1);\n"
                           "  static_assert(__builtin_strncmp(\"abc\", \"abz\", 2) == 0);\n"
                           "  static_assert(__builtin_strcmp(\"\\xff\", \"a\") == 1);\n"
                           "  static_assert(*__builtin_strchr(\"abc\", 'b') == 'b');\n"
                           "  o[0] = __builtin_memcmp(\"abc\", \"abd\", 3);\n}\n")
                    .kernels.size());
  for (const char* use : {"__builtin_memcmp(p, q, 3)", "__builtin_strcmp(p, \"a\")",
                          "__builtin_memcmp(a, \"ab\", 2)", "__builtin_strncmp(a, \"ab\", 2)"}) {
    EXPECT_EQ(1u, errors_of("__global__ void k(int* o, const char* p, const char* q) {\n"
                            "  char a[4] = {};\n  o[0] = " +
                            std::string(use) + ";\n}\n")
                      .size())
        << use;
  }
}

// The contents and sizes of measured cases follow from the PTX, so a prelude must not change it.
TEST(Prelude, LeavesNothingInThePtxOfAFileThatUsesNothingOfIt) {
  const auto ptx = program_of("__global__ void k(float* o) { o[0] = 1; }\n").ptx.text();
  EXPECT_THAT(ptx, testing::Not(testing::HasSubstr("prelude")));
  EXPECT_THAT(ptx, testing::Not(testing::HasSubstr(".global .align")));
}

// Headers in memory: each name is unique, and no header refers to one of the host.
// compiler_test.cpp tests their declarations with the compiler.

TEST(Shims, EachNameStandsOnceAndThePreludeIsOneOfThem) {
  std::set<std::string> names;
  for (const auto& shim : shims()) EXPECT_TRUE(names.insert(shim.name).second) << shim.name;
  EXPECT_TRUE(names.contains(kPreludeName));
  EXPECT_TRUE(names.contains("stdio.h"));
  EXPECT_TRUE(names.contains("cstdio"));
}

TEST(Shims, NoneReachesAHeaderOfTheHost) {
  std::set<std::string_view> names;
  for (const auto& shim : shims()) names.insert(shim.name);
  for (const auto& shim : shims()) {
    const std::string_view text = shim.text;
    EXPECT_EQ(std::string_view::npos, text.find("/usr/")) << shim.name;
  }
}

}  // namespace warpgrade::compile::shims_test

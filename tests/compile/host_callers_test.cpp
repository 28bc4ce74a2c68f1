// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::host_callers_test {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(CallersOfHost, AreLeftOutIfDeviceCodeDoesNotUseThem) {
  const std::string kernel = "__global__ void k(int* o) { o[0] = 1; }\n";
  for (const char* rest : {
           "int host(int x) { return x; }\n"
           "__host__ __device__ int f(int x) { return host(x); }\n",
           "int host(int x) { return x; }\n#define BOTH __host__ __device__\n"
           "BOTH int f(int x) { return host(x); }\n",
           "struct S { int n; __host__ __device__ int get() { return n + rand(); } };\n",
           "int host(int x) { return x; }\n"
           "__host__ __device__ int f(int x) { return host(x); }\n"
           "__host__ __device__ int g(int x) { return f(x) + 1; }\n",
       }) {
    EXPECT_THAT(diagnostics_of(rest + kernel), IsEmpty()) << rest;
  }
}

TEST(CallersOfHost, AreCompiledWithAWarning) {
  const std::string kernel = "__global__ void k(int* o) { o[0] = f(o[1]); }\n";
  for (const char* rest : {
           "int host(int x) { return x; }\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : host(x); }\n",
           "__host__ int host(int x) { return x; } int main() { host(3); }\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : host(x); }\n",
           "int host(int x) { return x; }\n__host__ __device__ int inner(int x) { return host(x); "
           "}\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : inner(x); }\n",
           "#include <cstdlib>\n\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : rand(); }\n",
       }) {
    const auto program = program_of(rest + kernel);
    EXPECT_THAT(program.warnings, HasSubstr("calls the __host__ function")) << rest;
    EXPECT_THAT(program.ptx, HasSubstr("trap;")) << rest;
  }
}

TEST(CallersOfHost, AreNotForTheDeviceOnly) {
  const auto found = diagnostics_of(
      "int host(int x) { return x; }\n__host__ __device__ int f(int x) { return host(x); }\n"
      "__global__ void k(int* o) { o[0] = f(1) + host(2); }\n");
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ(2u, found[0].where.line);
  EXPECT_EQ(3u, found[1].where.line);
}

}  // namespace warpgrade::compile::host_callers_test

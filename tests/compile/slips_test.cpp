// SPDX-License-Identifier: Apache-2.0
// Slips, each compiled by the real compiler: the line of the first error, and what the student
// reads.
#include "common/compile/slips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::slips_test {

using testing::HasSubstr;

// A file with one slip, the line of the error, and a part of the message. In some files a header
// follows the slip; errors in the header must not hide it.
struct Slip {
  std::string source;
  std::uint32_t line;
  std::string says;
};

std::string kernel(const std::string& body) {
  return "__global__ void k(float* out) {\n  " + body + "\n}\n";
}

void PrintTo(const Slip& slip, std::ostream* out) { *out << slip.source; }

class Slips : public testing::TestWithParam<Slip> {};

TEST_P(Slips, AreTheFirstErrorAndSayWhatToWrite) {
  const auto found = diagnostics_of(request_for(GetParam().source));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ("kernel.cu", found[0].where.file);
  EXPECT_EQ(GetParam().line, found[0].where.line);
  EXPECT_THAT(found[0].message, HasSubstr(GetParam().says));
  EXPECT_GE(3u, found.size()) << "one slip has few errors";
}

INSTANTIATE_TEST_SUITE_P(
    Names, Slips,
    testing::Values(Slip{kernel("__syncthread();"), 2, "did you mean '__syncthreads'?"},
                    Slip{kernel("__syncthreads;\n  _syncthreads();"), 3, "'__syncthreads'?"},
                    Slip{kernel("atomicadd(out, 1);"), 2, "did you mean 'atomicAdd'?"},
                    Slip{kernel("out[threadidx.x] = 1;"), 2, "did you mean 'threadIdx'?"},
                    Slip{kernel("out[blockidx.x] = 1;"), 2, "did you mean 'blockIdx'?"},
                    Slip{kernel("out[blockDimm.x] = 1;"), 2, "did you mean 'blockDim'?"},
                    Slip{kernel("_shared_ float s[3]; out[0] = s[0];"), 2, "'__shared__'?"},
                    Slip{kernel("__share__ float s[3]; out[0] = s[0];"), 2, "'__shared__'?"},
                    Slip{kernel("out[0] = __shfl_dwon_sync(~0u, 1.f, 1);"), 2,
                         "did you mean '__shfl_down_sync'?"},
                    Slip{kernel("int index = 3;\n  out[indx] = 1;"), 3, "did you mean 'index'?"},
                    Slip{kernel("out[0] = sqrff(2.f);"), 2, "did you mean 'sqrtf'?"},
                    Slip{kernel("Float y = 1; out[0] = y;"), 2, "did you mean 'float'?"},
                    Slip{kernel("cudaMemcpy(out, out, 4);"), 2, "are for host code"},
                    Slip{kernel("int new = 3; out[0] = 1;"), 2, "'new' is a keyword"},
                    Slip{"#inlcude <cstdio>\n" + kernel("out[0] = 1;"), 1, "'#include'?"},
                    Slip{"#defin N 3\n" + kernel("out[0] = 1;"), 1, "'#define'?"}));

INSTANTIATE_TEST_SUITE_P(
    Signs, Slips,
    testing::Values(
        Slip{kernel("out[0] = 1"), 3, "missing at the end of line 2"},
        Slip{kernel("int i = 0 out[i] = 1;"), 2, "expected a \";\""},
        Slip{kernel("printf(\"hello); out[0] = 1;"), 2, "missing closing quote"},
        Slip{kernel("printf(“hello”);"), 2, "quotation mark from a text editor"},
        Slip{kernel("out[0] = 2 − 1;"), 2, "this is a dash"},
        Slip{kernel("if (threadIdx.x == 0 { out[0] = 1; }"), 2, "expected a \")\""},
        Slip{kernel("float s[3; out[0] = s[0];"), 2, "expected a \"]\""},
        Slip{"#ifdef X\n" + kernel("out[0] = 1;"), 1, "#endif"},
        Slip{"#define N 32;\n" + kernel("float s[N]; out[0] = s[0];"), 3, "line 1 defines N"},
        Slip{"__global__ void k(float* out);\n{ out[0] = 1; }\n", 2, "remove the ';'"},
        Slip{kernel("out[0] = 1;") + "}\n", 4, "one too many"},
        Slip{"__global__ void k(float* out) {\n  if (out[0] > 0) {\n    out[0] = 1;\n}\n__device__ "
             "int f() { return 1; }\n",
             5, "a '}' is missing above"},
        Slip{"__global__ k(float* out) { out[0] = 1; }\n", 1, "write void before 'k'"},
        Slip{kernel("out[0] = threadIdx;"), 2, "has the members x, y and z"},
        Slip{"x\n#include <cuda/atomic>\n" + kernel("out[0] = 1;"), 1, "no storage class"},
        Slip{"struct A { int x; }\n#include <cooperative_groups.h>\n" + kernel("out[0] = 1;"), 1,
             "before the #include"}));

TEST(LineBeforeInclude, IsThatOfTextWithoutAnEnd) {
  EXPECT_EQ(1u, line_before_include("struct A { int x; }\n#include <a.h>\n"));
  EXPECT_EQ(0u, line_before_include("#include <a.h>\nint x;\n#include <b.h>\nstruct A {}\n"));
}

TEST(HintForSlip, IsEmptyForWhatIsNoSlip) {
  EXPECT_EQ("", hint_for_slip("expected a \";\"", "int a b;\n", 1, 7));
  EXPECT_EQ("", hint_for_slip("identifier \"q\" is undefined", "int a = q;\n", 1, 9));
  EXPECT_EQ("", hint_for_slip("unrecognized token", "int a = @;\n", 1, 9));
}

}  // namespace warpgrade::compile::slips_test

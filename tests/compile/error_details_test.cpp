// SPDX-License-Identifier: Apache-2.0
#include "common/compile/error_details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::error_details_test {

// What the compiler adds to an error. The real compiler reads each file; the expected parts are
// those of nvcc 13.0 for the same file.

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ErrorDetails, TheChainOfInstancesIsNvccs) {
  const auto found = errors_of(
      "template <typename T> struct Box { T v; __device__ T twice() { return v.foo(); } };\n"
      "template <typename T, int N> __device__ T sum(const T* a) {\n"
      "  Box<T> b;\n"
      "  return b.twice();\n"
      "}\n"
      "template <typename T> __device__ T all(const T* a) { return sum<T, 4>(a); }\n"
      "__global__ void k(float* out) { out[0] = all(out); }\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(1U, found[0].where.line);
  EXPECT_EQ(
      "expression must have class type but it has type \"float\". Detected during instantiation of "
      "\"T Box<T>::twice() [with T=float]\" at line 4, instantiation of \"T sum<T,N>(const T *) "
      "[with T=float, N=4]\" at line 6, instantiation of \"T all(const T *) [with T=float]\" at "
      "line 7",
      found[0].message);
}

TEST(ErrorDetails, ALongChainIsCutInTheMiddle) {
  const auto found = errors_of(
      "template <int N> struct R { static constexpr int v = R<N + 1>::v; };\n"
      "__global__ void k(int* o) { o[0] = R<0>::v; }\n");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message,
              AllOf(StartsWith("excessive recursion at instantiation of class \"R<200>\". Detected "
                               "during instantiation of class \"R<N> [with N=199]\" at line 1"),
                    HasSubstr("N=197]\" at line 1, 6 more, "),
                    EndsWith("instantiation of class \"R<N> [with N=0]\" at line 2")));
}

TEST(ErrorDetails, ACallHasItsArgumentTypesAndCandidates) {
  const auto found = errors_of(
      "__device__ void load(double* a, int n) {}\n"
      "__device__ void load(float* a, float* b) {}\n"
      "__device__ void load(float* a) {}\n"
      "__global__ void k(float* out, int n) { load(out, n); }\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(
      "no instance of overloaded function \"load\" matches the argument list. Argument types: "
      "(float *, int). Candidates: \"load(float *, float *)\" in line 2 (argument 2 does not "
      "match), \"load(double *, int)\" in line 1 (argument 1 does not match), \"load(float *)\" in "
      "line 3 (another number of parameters)",
      found[0].message);
}

TEST(ErrorDetails, AnAmbiguousCallHasTheFunctionsThatFit) {
  const auto found = errors_of(
      "__device__ void f(float x) {}\n"
      "__device__ void f(double x) {}\n"
      "__global__ void k(int* o) { f(o[0]); }\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(
      "more than one instance of overloaded function \"f\" matches the argument list. These fit: "
      "function \"f(float)\" (declared at line 1), function \"f(double)\" (declared at line 2). "
      "Argument types: (int)",
      found[0].message);
}

TEST(ErrorDetails, FunctionsOfTheCompilerHaveNoLine) {
  const auto found = errors_of("__global__ void k(float* out) { atomicAdd(out, \"x\"); }\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(found[0].message,
              AllOf(HasSubstr("Argument types: (float *, const char [2]). Candidates: "
                              "\"atomicAdd(float *, float)\" (argument 2 does not match), "),
                    EndsWith(" and 3 more")));
}

TEST(ErrorDetails, OperandsAndDeductionAreNamed) {
  EXPECT_EQ("no operator \"+\" matches these operands. Operand types: float2 + float2",
            errors_of("__global__ void k(float2* o) { o[0] + o[1]; }\n").at(0).message);
  EXPECT_THAT(errors_of("template <class T> __device__ T mx(T a, T b) { return a > b ? a : b; }\n"
                        "__global__ void k(float* o, int n) { o[0] = mx(1.f, n); }\n")
                  .at(0)
                  .message,
              EndsWith("Argument types: (float, int). Candidates: \"mx\" in line 1 (the template's "
                       "arguments cannot be deduced)"));
}

TEST(ErrorDetails, AnErrorInAHeaderOfTheToolkitIsShownAtTheLineThatCausesIt) {
  const auto found = errors_of(
      "#include <cuda/std/array>\n"
      "__global__ void k(int* o) {\n"
      "  cuda::std::array<int, 3> a{};\n"
      "  o[0] = cuda::std::get<5>(a);\n"
      "}\n");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ("kernel.cu", found[0].where.file);
  EXPECT_EQ(4U, found[0].where.line);
  EXPECT_THAT(found[0].message, HasSubstr("(in cuda/std/"));
}

// Warnings follow the errors, unused variables last, and three at most.
TEST(ErrorDetails, WarningsFollowTheErrors) {
  auto found =
      diagnostics_of(request_for("__global__ void k(int* o, int n) {\n"
                                 "  int unused = 1;\n"
                                 "  if (n = 3) o[0] = 1;\n"
                                 "  unsigned u = n;\n"
                                 "  if (u < 0) o[1] = 1;\n"
                                 "  o[2] = 1 / 0;\n"
                                 "  o[3] = q;\n"
                                 "}\n"));
  const auto warnings = take_warnings(found);
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(found[0].message, StartsWith("identifier \"q\" is undefined"));
  ASSERT_EQ(3U, warnings.size());
  EXPECT_EQ(3U, warnings[0].where.line);
  EXPECT_EQ("use of \"=\" where \"==\" may have been intended", warnings[0].message);
  for (const auto& one : warnings) {
    EXPECT_EQ(base::Severity::kWarning, one.severity);
    EXPECT_THAT(one.message, Not(HasSubstr("unused")));
  }
}

// An unfinished function: the line, and what is missing.
struct Open {
  std::string source;
  std::uint32_t line;
  std::string says;
};

void PrintTo(const Open& open, std::ostream* out) { *out << open.source; }

class OpenFunctions : public testing::TestWithParam<Open> {};

TEST_P(OpenFunctions, AreTheOnlyError) {
  const auto found = errors_of(GetParam().source);
  ASSERT_EQ(1U, found.size()) << found.at(0).message << '\n' << found.at(1).message;
  EXPECT_EQ(GetParam().line, found[0].where.line);
  EXPECT_EQ(GetParam().says, found[0].message);
}

const std::string kOther = "__global__ void g(float* o) { o[0] = 1; }\n";

INSTANTIATE_TEST_SUITE_P(
    Ends, OpenFunctions,
    testing::Values(
        Open{kOther + "__global__ void f(", 2,
             "the list of parameters of 'f' has no \")\", and the body is missing: the file ends "
             "here"},
        Open{"__global__ void f(float* out,\n                  int n\n", 1,
             "the list of parameters of 'f' has no \")\", and the body is missing: the file ends "
             "here"},
        Open{"template <int N>\n__global__ void __launch_bounds__(256) f(float* o\n", 2,
             "the list of parameters of 'f' has no \")\", and the body is missing: the file ends "
             "here"},
        Open{kOther + "__global__ void f\n\n", 2,
             "'f' has neither parameters nor a body: the file ends here"},
        Open{kOther + "__global__ void\n", 2,
             "the kernel behind 'void' has no name, parameters or body: the file ends here"},
        Open{kOther + "__global__ void f(float* o)\n", 2,
             "'f' has a head but no body: the file ends here"},
        Open{"__device__ float f(float x)\n", 1, "'f' has a head but no body: the file ends here"},
        Open{"__global__ void f(float* o) {\n  if (o[0] > 0) {\n    o[0] = 1;\n", 2,
             "the file ends inside 'f', which begins in line 1: this \"{\" has no \"}\""}));

INSTANTIATE_TEST_SUITE_P(
    BeforeAnother, OpenFunctions,
    testing::Values(Open{"__global__ void f(\n" + kOther, 1,
                         "the list of parameters of 'f' has no \")\", and the body is missing: the "
                         "next function begins in line 2"},
                    Open{"__global__ void f\n" + kOther, 1,
                         "'f' has neither parameters nor a body: the next function begins in line "
                         "2"},
                    Open{"__global__ void f(float* o)\n" + kOther, 1,
                         "'f' has a head but no body: the next function begins in line 2"}));

TEST(UnfinishedFunction, ErrorsBeforeItStay) {
  const auto found = errors_of(
      "__device__ int a() { return q; }\n"
      "__global__ void f(\n");
  ASSERT_EQ(2U, found.size());
  EXPECT_EQ(1U, found[0].where.line);
  EXPECT_EQ(2U, found[1].where.line);
}

TEST(UnfinishedFunction, AMissingParenthesisIsNamedWithItsLine) {
  const auto found = errors_of("__global__ void f(float* out, int n\n{\n  out[0] = n;\n}\n");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ("expected a \")\"; it is missing at the end of line 1", found[0].message);
}

}  // namespace warpgrade::compile::error_details_test

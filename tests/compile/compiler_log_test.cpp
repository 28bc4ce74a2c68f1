// SPDX-License-Identifier: Apache-2.0
#include "common/compile/compiler_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::compiler_log_test {

// Slips, each compiled by the real compiler: the line of the first error, and what the student
// reads.

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

// Reads log text recorded from NVRTC 13.0.
using testing::Not;

LogContext context(std::string_view source = {}) {
  return {"x.cu",
          "labs/x.cu",
          "/home/a/labs",
          {"/home/course/include"},
          {"/cuda/include", "/cuda/include/cccl"},
          source,
          {}};
}

constexpr const char* kUndefined =
    "x.cu(3): error: identifier \"foo\" is undefined\n"
    "  \tint x = foo() + bar;\n"
    "  \t        ^\n"
    "\n"
    "x.cu(4): warning #177-D: variable \"unused\" was declared but never referenced\n"
    "        o[0] = 1; int unused;\n"
    "                      ^\n"
    "\n"
    "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
    "\n"
    "1 error detected in the compilation of \"x.cu\".\n";

TEST(CompilerLog, GivesFileLineAndColumnOfAnError) {
  const auto log = parse_compiler_log(kUndefined, context());
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_EQ((base::SourceLocation{"labs/x.cu", 3, 10}), log.errors[0].where);
  EXPECT_EQ("identifier \"foo\" is undefined", log.errors[0].message);
}

TEST(CompilerLog, KeepsWarningsApart) {
  const auto log = parse_compiler_log(kUndefined, context());
  const auto text = text_of(log.warnings);
  EXPECT_THAT(text, HasSubstr("labs/x.cu:4: variable \"unused\" was declared"));
  EXPECT_THAT(text, Not(HasSubstr("Remark")));
}

TEST(CompilerLog, TellsWhatReplacesTextureReferences) {
  const auto log = parse_compiler_log(
      "x.cu(1): error: texture is not a template\n  texture<float, 1> image;\n  ^\n\n",
      context("texture<float, 1> image;\n"));
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_THAT(log.errors[0].message, HasSubstr("pass a cudaTextureObject_t"));
}

TEST(CompilerLog, RewordsHostFunctions) {
  const auto log = parse_compiler_log(
      "x.cu(1): error: A function without execution space annotations "
      "(__host__/__device__/__global__) is considered a host function, and host functions are not "
      "allowed in JIT mode. Consider using -default-device flag to process unannotated functions "
      "as __device__ functions in JIT mode\n"
      "  int main() { return 0; }\n"
      "      ^\n\n",
      context("int main() { return 0; }\n"));
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_EQ(
      "'main' is a host function; a submission is device code: put __device__ or __global__ before "
      "it, or take it out",
      log.errors[0].message);
}

TEST(CompilerLog, SaysWhatToDoWithALambdaOfAuto) {
  const auto log = parse_compiler_log(
      "x.cu(1): error: A function without execution space annotations "
      "(__host__/__device__/__global__) is considered a host function, and host functions are not "
      "allowed in JIT mode.\n"
      "  auto f = [=] (auto x) { return x; };\n"
      "               ^\n\n",
      context("auto f = [=] (auto x) { return x; };\n"));
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_EQ(
      "the compiler takes a lambda with auto parameters for a host function: give each parameter "
      "a type, or write a struct with a __device__ operator()",
      log.errors[0].message);
}

TEST(CompilerLog, SaysWhatIsMissingBehindAnUndefinedName) {
  const auto message_of = [](const std::string& text) {
    const auto log =
        parse_compiler_log("x.cu(1): error: " + text + "\n  f()\n  ^\n\n", context("f()\n"));
    return log.errors.empty() ? "" : log.errors[0].message;
  };
  EXPECT_EQ("identifier \"uint32_t\" is undefined; add #include <cstdint>",
            message_of("identifier \"uint32_t\" is undefined"));
  EXPECT_EQ("namespace \"std\" has no member \"max\"; device code has max without std::",
            message_of("namespace \"std\" has no member \"max\""));
  EXPECT_EQ(
      "identifier \"__shfl_down\" is undefined; it is __shfl_down_sync(mask, ...) since CUDA 9",
      message_of("identifier \"__shfl_down\" is undefined"));
  EXPECT_EQ("identifier \"foo\" is undefined", message_of("identifier \"foo\" is undefined"));
}

TEST(CompilerLog, ExplainsAHeaderOfTheToolkitThatIsForTheHost) {
  const auto log = parse_compiler_log(
      "/cuda/include/cub/cub.cuh(1): error: A function explicitly marked as a __host__ function is "
      "not allowed in JIT mode\n  f()\n  ^\n\n",
      context("f()\n"));
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_THAT(log.errors[0].message, HasSubstr("holds host functions"));
}

TEST(CompilerLog, DoesNotBelieveWhatFollowsAnOpenQuote) {
  const auto log = parse_compiler_log(
      "x.cu(1): error: static assertion failed with \"a\n"
      "x.cu(7): error: forged\"\n"
      "  static_assert(false, \"a\\nx.cu(7): error: forged\");\n"
      "  ^\n\n",
      context());
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_EQ(1u, log.errors[0].where.line);
}

TEST(CompilerLog, MissingHeadersOfCurandAreAFailureOfTheToolAndOtherHeadersAreNot) {
  const TemporaryFolder toolkit;
  auto with = context();
  with.toolkit_folders = {toolkit.path().string()};
  const auto log_of = [&](const std::string& header) {
    return parse_compiler_log("x.cu(1): error: could not open source file \"" + header + "\"\n\n",
                              with);
  };
  EXPECT_THROW(log_of("curand_kernel.h"), base::ToolError);
  EXPECT_EQ(1U, log_of("curand_mine.h").errors.size());
  toolkit.write("curand_kernel.h", "");
  EXPECT_EQ(1U, log_of("curand.h").errors.size());
}

TEST(CompilerLog, ReadsANameThatLooksLikeAnEntry) {
  auto odd = context();
  odd.compiled_name = "q_(3): error: x.cu";
  const auto log = parse_compiler_log(
      "q_(3): error: x.cu(9): error: expected a \";\"\n\n"
      "1 error detected in the compilation of \"q_(3): error: x.cu\".\n",
      odd);
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_EQ(9u, log.errors[0].where.line);
  EXPECT_EQ("expected a \";\"", log.errors[0].message);
}

TEST(CompilerLog, StopsAtTenErrorsAndCountsTheRest) {
  std::string text;
  for (int i = 1; i <= 13; ++i) text += "x.cu(" + std::to_string(i) + "): error: e\n\n";
  const auto log = parse_compiler_log(text, context());
  ASSERT_EQ(11u, log.errors.size());
  EXPECT_EQ("and 3 more errors", log.errors.back().message);
}

TEST(CompilerLog, ReportsOnePlaceOnce) {
  const auto log = parse_compiler_log(
      "x.cu(1): error: first\n  a;\n  ^\n\nx.cu(1): error: second\n  a;\n  ^\n\n", context());
  ASSERT_EQ(1u, log.errors.size());
  EXPECT_EQ("first", log.errors[0].message);
}

TEST(CompilerLog, NamesHeadersAsAnIncludeDoes) {
  EXPECT_EQ("labs/x.cu", shown_path("/x.cu", context()));
  EXPECT_EQ("labs/sub/y.h", shown_path("/home/a/labs/sub/y.h", context()));
  EXPECT_EQ("cuda/std/array", shown_path("/cuda/include/cccl/cuda/std/array", context()));
  EXPECT_EQ("/etc/passwd", shown_path("/etc/passwd", context()));
}

TEST(CompilerLog, SeesMissingInstantiationsAndMissingMemory) {
  EXPECT_TRUE(
      parse_compiler_log("__nv_name_map(2): error: identifier \"red\" is undefined\n", context())
          .has_expression_errors);
  EXPECT_TRUE(parse_compiler_log("x.cu(4): catastrophic error: out of memory\n", context())
                  .is_out_of_memory);
}

TEST(CompilerLog, CutsEndlessMessages) {
  const auto log =
      parse_compiler_log("x.cu(1): error: " + std::string(5000, 'a') + "\n", context());
  EXPECT_EQ(403u, log.errors.at(0).message.size());
}

TEST(ShownPath, IsWhatAUserKnows) {
  const auto c = context();
  EXPECT_EQ("labs/x.cu", shown_path("/x.cu", c));
  EXPECT_EQ("labs/sub/a.h", shown_path("/home/a/labs/sub/a.h", c));
  EXPECT_EQ("a.h", shown_path("/home/a/labs/../a.h", c));
  EXPECT_EQ("include/course/a.h", shown_path("/home/course/include/course/a.h", c));
  EXPECT_EQ("include/a.h", shown_path("/home/course/include/../../a.h", c));
  EXPECT_EQ("cub/cub.cuh", shown_path("/cuda/include/cccl/cub/cub.cuh", c));
}

TEST(CompilerLog, TheFoldersOfIncludesAreNamedWhereThereAreAny) {
  const std::string missing = "x.cu(1): error: could not open source file \"a.h\"\n\n";
  auto c = context("#include \"a.h\"\n");
  EXPECT_THAT(parse_compiler_log(missing, c).errors.at(0).message,
              HasSubstr("headers, files of its own folder and of the include folders of the course "
                        "(include), nothing else"));
  c.include_folders.clear();
  EXPECT_THAT(parse_compiler_log(missing, c).errors.at(0).message,
              HasSubstr("headers and files of its own folder, nothing else"));
}

}  // namespace warpgrade::compile::compiler_log_test

// SPDX-License-Identifier: Apache-2.0
// Reads log text recorded from NVRTC 13.0.
#include "common/compile/compiler_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::compile::compiler_log_test {

using testing::HasSubstr;
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
  EXPECT_THAT(log.warnings, HasSubstr("labs/x.cu:4: variable \"unused\" was declared"));
  EXPECT_THAT(log.warnings, Not(HasSubstr("Remark")));
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

// SPDX-License-Identifier: Apache-2.0
#include "common/compile/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::program_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(LeftOut, IsOneSentence) {
  EXPECT_EQ("", describe({}, "a.cu"));
  EXPECT_EQ("left out as host code: main (line 40)", describe({{"a.cu", 40, 1, "main"}}, "a.cu"));
  EXPECT_EQ(
      "left out as host code: <x.h> (line 1), b.h:2 and main (line 3)",
      describe({{"a.cu", 1, 10, "<x.h>"}, {"b.h", 2, 1, ""}, {"a.cu", 3, 1, "main"}}, "a.cu"));
}

TEST(LeftOut, IsShortHoweverMuchItIs) {
  const std::vector<LeftOut> many(100, {"a.cu", 7, 1, std::string(1000, 'f')});
  EXPECT_THAT(describe(many, "a.cu"), EndsWith(" and 92 more"));
  EXPECT_GT(600u, describe(many, "a.cu").size());
}

TEST(LeftOut, MovesNoCursor) {
  EXPECT_THAT(describe({{"a.cu", 1, 1, "\"\x1b[2J.h\""}}, "a.cu"), Not(HasSubstr("\x1b")));
}

TEST(LeftOut, TellsIncludesByTheirNames) {
  EXPECT_TRUE(is_include({"a.cu", 1, 1, "<x.h>"}));
  EXPECT_TRUE(is_include({"a.cu", 1, 1, "\"x.h\""}));
  EXPECT_FALSE(is_include({"a.cu", 1, 1, "main"}));
}

// Reads log text recorded from NVRTC 13.0.

constexpr const char* kTwoKernels =
    "ptxas info    : 30 bytes gmem, 56 bytes cmem[4]\n"
    "ptxas info    : Compiling entry function '_Z3redILi4EEvPfPKfj' for 'sm_75'\n"
    "ptxas info    : Function properties for _Z3redILi4EEvPfPKfj\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 6 registers, used 1 barriers, 1600 bytes smem, 372 bytes cmem[0]\n"
    "ptxas info    : Compile time = 15.449 ms\n"
    "ptxas info    : Compiling entry function 'kk' for 'sm_75'\n"
    "ptxas info    : Function properties for kk\n"
    "ptxas         .     40 bytes stack frame, 36 bytes spill stores, 44 bytes spill loads\n"
    "ptxas info    : Used 255 registers, used 0 barriers, 360 bytes cmem[0], 8 bytes cmem[2]\n"
    "ptxas info    : Compile time = 3.942 ms\n";

TEST(PtxasReport, GivesRegistersAndSharedBytesOfEachKernel) {
  const auto report = parse_ptxas_report(kTwoKernels);
  ASSERT_EQ(2u, report.size());
  EXPECT_EQ(6u, report.at("_Z3redILi4EEvPfPKfj").registers_per_thread);
  EXPECT_EQ(1600u, report.at("_Z3redILi4EEvPfPKfj").static_shared_bytes);
  EXPECT_EQ(1u, report.at("_Z3redILi4EEvPfPKfj").barriers);
  EXPECT_EQ(255u, report.at("kk").registers_per_thread);
  EXPECT_EQ(0u, report.at("kk").static_shared_bytes);
}

TEST(PtxasReport, GivesStackAndSpills) {
  const auto kernel = parse_ptxas_report(kTwoKernels).at("kk");
  EXPECT_EQ(40u, kernel.stack_frame_bytes);
  EXPECT_EQ(36u, kernel.spill_store_bytes);
  EXPECT_EQ(44u, kernel.spill_load_bytes);
}

TEST(PtxasReport, AddsUpTheConstantBanks) {
  EXPECT_EQ(368u, parse_ptxas_report(kTwoKernels).at("kk").constant_bytes);
}

TEST(PtxasReport, BelievesTheLastReportOnAKernel) {
  const auto report = parse_ptxas_report(
      "x.cu(2): warning #1444-D: function \"f\" was declared deprecated (\"a\n"
      "ptxas info    : Compiling entry function 'kk' for 'sm_75'\n"
      "ptxas info    : Used 1 registers, 16 bytes smem\n\")\n" +
      std::string(kTwoKernels));
  EXPECT_EQ(255u, report.at("kk").registers_per_thread);
  EXPECT_EQ(0u, report.at("kk").static_shared_bytes);
}

TEST(PtxasReport, PassesOverFunctionsThatAreNoKernels) {
  const auto report = parse_ptxas_report(
      "ptxas info    : Function properties for helper\n"
      "ptxas         .     8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "x.cu(3): warning: Used 9 registers\n");
  EXPECT_TRUE(report.empty());
}

TEST(PtxEntries, ListKernelsInOrderWithTheirParameters) {
  const auto entries = parse_ptx_entries(
      ".visible .entry copy(\n"
      "\t.param .u64 .ptr .global .align 4 copy_param_0,\n"
      "\t.param .f64 copy_param_1,\n"
      "\t.param .align 16 .b8 copy_param_2[32]\n)\n{\n\tret;\n}\n"
      ".entry nothing()\n{\n}\n");
  ASSERT_EQ(2u, entries.size());
  EXPECT_EQ("copy", entries[0].name);
  EXPECT_EQ((std::vector<Parameter>{{8, false}, {8, true}, {32, false}}), entries[0].parameters);
  EXPECT_EQ("nothing", entries[1].name);
  EXPECT_TRUE(entries[1].parameters.empty());
}

using testing::HasSubstr;

// Checks a kernel of three lines with `text` as inline assembly on line 2.
std::optional<base::Diagnostic> check(const std::string& text) {
  const auto ptx = "\t.loc\t1 2 3\n\t// begin inline asm\n\t" + text +
                   "\n\t// end inline asm\n\t.loc\t1 3 1\n\tret;\n";
  return check_inline_assembly(ptx, "kernel.cu", "one\ntwo\nthree");
}

TEST(InlineAssembly, MayHaveInstructionsLabelsAndVariables) {
  EXPECT_FALSE(check(""));
  EXPECT_FALSE(check("{ .reg .pred p; setp.lt.s32 p, %r1, 5; @p bra done; done: }"));
  EXPECT_FALSE(check("ld.local.u32 %r1, [%rd1]; // .loc in a comment"));
  EXPECT_FALSE(
      check("{.shared .u32 s; .local .u32 l; .pragma \"nounroll\"; st.shared.u32 [s], 1;}"));
  EXPECT_FALSE(check("ld.global.u32 %r1, [%rd1]; ld.const.u32 %r1, [c];"));
  EXPECT_FALSE(check("st.param::func.b32 [a], %r1; ld.param::entry.u32 %r1, [b];"));
}

TEST(InlineAssembly, MustNotForgePlacesNorFunctions) {
  for (const std::string directive :
       {".loc 1 3 0", ".file 7 \"other.cu\"", ".section .debug_str {}",
        "ret; } .visible .entry other() {", "ret;}.func f(){", ".global .u32 g;",
        ".visible .const .u32 c = 3;"}) {
    const auto found = check("mov.u32 %r1, 1;\n" + directive);
    ASSERT_TRUE(found) << directive;
    EXPECT_EQ(base::DiagnosticKind::kCompileError, found->kind);
    EXPECT_EQ((base::SourceLocation{"kernel.cu", 2, 0}), found->where);
    EXPECT_THAT(found->message, HasSubstr("inline assembly must not hold the directive ."));
  }
}

TEST(InlineAssembly, ACommentThatLooksLikeItsEndDoesNotEndIt) {
  EXPECT_TRUE(check("nop; // end inline asm\n\t.loc\t1 3 0"));
  EXPECT_TRUE(check("/*\n*/ .loc 1 3 0"));
}

TEST(InlineAssembly, NoLineIsPastTheEndOfTheFile) {
  EXPECT_FALSE(check("\n\t// end inline asm\n\t.loc\t1 3 0\n\t// begin inline asm\n"));
  const auto found = check("\n\t// end inline asm\n\t.loc\t1 4 0\n\t// begin inline asm\n");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->message, HasSubstr("names line 4 of this file, which ends at line 3"));
}

TEST(InlineAssembly, TheFirstFileMayBeOneThatIsIncluded) {
  EXPECT_FALSE(check_inline_assembly("\t.loc\t1 4 0\n\tret;\n\t.file\t1 \"./kernel.cuh\"\n",
                                     "kernel.cu", "#include \"kernel.cuh\"\n"));
  EXPECT_FALSE(check_inline_assembly("\t.loc\t1 4 0\n\tret;\n\t.file\t1 \"<mma.h>\"\n", "kernel.cu",
                                     "#include <mma.h>\n"));
}

TEST(InlineAssembly, IsCheckedInWhatTheCompilerMakes) {
  const std::string begin = "extern \"C\" __global__ void k(int* out) {\n  int i = threadIdx.x;\n";
  EXPECT_TRUE(diagnostics_of(begin + "  asm volatile(\"{ .reg .pred p; setp.eq.s32 p, %0, 1; }\"\n"
                                     "               :: \"r\"(i));\n  out[i] = i;\n}\n")
                  .empty());
  const auto found = diagnostics_of(begin + "  asm volatile(\".loc 1 1 0\");\n  out[i] = i;\n}\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 3, 0}), found[0].where);
  EXPECT_THAT(found[0].message, HasSubstr("must not hold the directive .loc"));
}

// nvcc's assembler refuses these inside a function. The error names the line of the asm statement.
TEST(InlineAssembly, DirectivesOfAModuleAreErrorsOfTheAssembler) {
  for (const std::string directive :
       {".maxntid 32, 1, 1;", ".reqntid 32", ".noreturn", ".entry other()", ".version 8.0",
        ".visible .global .u32 g;", ".weak .u32 x;", ".foo", "foo.bar;"}) {
    const auto found = diagnostics_of("__global__ void k(int* out) {\n  out[0] = 1;\n  asm(\"" +
                                      directive + "\");\n}\n");
    ASSERT_EQ(1U, found.size()) << directive;
    EXPECT_EQ((base::SourceLocation{"kernel.cu", 3, 0}), found[0].where) << directive;
    EXPECT_THAT(found[0].message,
                HasSubstr("the assembler refuses this line of inline assembly: "));
  }
}

}  // namespace warpgrade::compile::program_test

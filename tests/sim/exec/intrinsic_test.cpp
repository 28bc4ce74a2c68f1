// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/intrinsic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "common/base/finding_text.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::intrinsic_test {

// Formats with `words` as arguments; the text at address 16 is "abc".
std::string format(std::string_view text, std::vector<std::uint64_t> words = {}) {
  std::size_t position = 0;
  PrintSource source;
  source.next = [&](std::uint32_t) -> std::optional<std::uint64_t> {
    if (position == words.size()) return std::nullopt;
    return words[position++];
  };
  source.text = [](std::uint64_t address) -> std::optional<std::string> {
    return address == 16 ? std::optional<std::string>("abc") : std::nullopt;
  };
  const auto printed = format_print(text, source);
  return printed ? printed->text : "(nothing)";
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(PrintFormat, IntegersHaveTheSizeThatTheFormatSays) {
  EXPECT_EQ("-1 4294967295 ffffffff", format("%d %u %x", {0xffffffff, 0xffffffff, 0xffffffff}));
  EXPECT_EQ("-1", format("%ld", {~std::uint64_t{0}}));
  EXPECT_EQ("18446744073709551615", format("%llu", {~std::uint64_t{0}}));
  EXPECT_EQ("-2 65534 -2 254", format("%hd %hu %hhd %hhu", {0xfffe, 0xfffe, 0xfe, 0xfe}));
  EXPECT_EQ("17 FF", format("%o %X", {15, 255}));
}

TEST(PrintFormat, FlagsWidthAndPrecisionAreHonoured) {
  EXPECT_EQ("[   42][42   ][00042][+42][0x2a][ 42]",
            format("[%5d][%-5d][%05d][%+d][%#x][% d]", {42, 42, 42, 42, 42, 42}));
  EXPECT_EQ("[  3.14][ab][  abc]", format("[%6.2f][%.2s][%5s]", {bits(3.14159), 16, 16}));
  EXPECT_EQ("[   7]", format("[%*d]", {4, 7}));
  EXPECT_EQ("[7   ]", format("[%*d]", {0xfffffffc, 7}));  // a negative width is a minus flag
}

TEST(PrintFormat, FloatsOfEveryForm) {
  EXPECT_EQ("1.500000 1.500000e+00 1.5 0x1.8p+0",
            format("%f %e %g %a", {bits(1.5), bits(1.5), bits(1.5), bits(1.5)}));
  EXPECT_EQ("inf NAN", format("%f %F", {0x7ff0000000000000, 0x7ff8000000000000}));
}

TEST(PrintFormat, CharactersStringsPointersAndPercents) {
  EXPECT_EQ("x|abc|(null)|0x7f00|100%", format("%c|%s|%s|%p|100%%", {'x', 16, 0, 0x7f00}));
}

// %zu and %.*f are printed unchanged, as on an H200 with driver 580.
TEST(PrintFormat, WhatIsNoConversionStandsAsItIs) {
  EXPECT_EQ("%y %", format("%y %"));
  EXPECT_EQ("[%zu]", format("[%zu]", {8}));
  EXPECT_EQ("[%.*f]", format("[%.*f]", {2, bits(2.5)}));
  EXPECT_EQ("", format(""));
}

TEST(PrintFormat, AHugeWidthIsCut) { EXPECT_EQ(4096U, format("%999999999999d", {1}).size()); }

TEST(PrintFormat, AnArgumentThatCannotBeReadIsNothing) {
  EXPECT_EQ("(nothing)", format("%d %d", {1}));
  EXPECT_EQ("(nothing)", format("%s", {17}));
}

// printf, assert, malloc and free as PTX calls them.

using base::DiagnosticKind;
using testing::Each;

constexpr const char* kDeclarations =
    ".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n"
    ".extern .func free(.param .b64 pointer);\n"
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d,\n"
    "                           .param .b64 e) .noreturn;\n"
    ".global .align 1 .b8 text[5] = {37, 117, 59, 10, 0};\n"       // "%u;\n"
    ".global .align 1 .b8 claim[6] = {120, 32, 62, 32, 48, 0};\n"  // "x > 0"
    ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n";      // "a.cu"

PtxRun run_with(const std::string& body, std::uint32_t threads = 32) {
  PtxLaunch launch;
  launch.before = kDeclarations;
  launch.body = body;
  launch.threads = threads;
  return run_ptx(launch);
}

std::string print(const std::string& format, const std::string& guard = {}) {
  return "{ .local .align 8 .b8 values[8]; .param .b64 a; .param .b64 b; .param .b32 r;"
         "mov.u64 %rd5, values; st.local.u32 [%rd5], %r29; cvta.local.u64 %rd5, %rd5;"
         "st.param.b64 [a], " +
         format + "; st.param.b64 [b], %rd5;" + guard +
         "call (r), vprintf, (a, b); ld.param.b32 %r5, [r]; }";
}
constexpr const char* kText = "mov.u64 %rd3, text;";

TEST(Printf, LanesPrintInOrderAndGetTheNumberOfArguments) {
  const auto run =
      run_with(kText + print("%rd3") + "cvt.u64.u32 %rd6, %r5; st.global.u64 [%rd1], %rd6;", 3);
  expect_clean(run);
  EXPECT_EQ("0;\n1;\n2;\n", run.result.printed);
  EXPECT_THAT(run.out, Each(1U));
}

TEST(Printf, OnlyActiveLanesPrint) {
  const auto run =
      run_with(kText + std::string("setp.ge.u32 %p1, %r29, 30;") + print("%rd3", "@%p1 "));
  EXPECT_EQ("30;\n31;\n", run.result.printed);
}

TEST(Printf, AFormatThatIsNoMemoryIsAFault) {
  expect_fault(DiagnosticKind::kOutOfBounds, "null pointer", run_with(print("0")));
}

TEST(Assert, ThatFailsEndsTheLaunchWithItsText) {
  const auto run = run_with(
      "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;"
      "mov.u64 %rd3, claim; mov.u64 %rd4, file; st.param.b64 [a], %rd3; st.param.b64 [b], %rd4;"
      "st.param.b32 [c], 12; st.param.b64 [d], %rd4; st.param.b64 [e], 1;"
      "setp.eq.u32 %p1, %r29, 6; @%p1 call __assertfail, (a, b, c, d, e); }");
  expect_fault(DiagnosticKind::kTrap, "x > 0", run);
  EXPECT_EQ(6U, run.result.diagnostics[0].thread->x);
}

std::string allocate(const std::string& bytes, const std::string& to) {
  return "{ .param .b64 a; .param .b64 r; st.param.b64 [a], " + bytes +
         "; call (r), malloc, (a); ld.param.b64 " + to + ", [r]; }";
}
std::string release(const std::string& pointer) {
  return "{ .param .b64 a; st.param.b64 [a], " + pointer + "; call free, (a); }";
}

TEST(Malloc, EachLaneGetsAPieceOfItsOwn) {
  const auto run = run_with(allocate("8", "%rd5") +
                            "cvt.u64.u32 %rd6, %r29; st.u64 [%rd5], %rd6; ld.u64 %rd7, [%rd5];"
                            "st.global.u64 [%rd1], %rd7;" +
                            release("%rd5"));
  expect_clean(run);
  EXPECT_EQ(iota(32), run.out);
}

TEST(Malloc, TooMuchIsNullAndFreeingNullIsNothing) {
  const auto run =
      run_with(allocate("0x1000000", "%rd5") + "st.global.u64 [%rd1], %rd5;" + release("%rd5"), 1);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(0U));
}

TEST(Malloc, FreeingWhatWasNotGivenIsAFault) {
  const auto run = run_with(release("%rd1"), 1);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_THAT(base::text(run.result.diagnostics[0]), testing::HasSubstr("malloc() did not return"));
}

TEST(SystemFunctions, OfAnotherNameAreUnsupported) {
  PtxLaunch launch;
  launch.before = ".extern .func (.param .b32 r) cudaFancy(.param .b64 a);\n";
  launch.body = "{ .param .b64 a; .param .b32 r; st.param.b64 [a], 0; call (r), cudaFancy, (a); }";
  expect_fault(DiagnosticKind::kUnsupported, "cudaFancy", run_ptx(launch));
}

}  // namespace warpgrade::sim::intrinsic_test

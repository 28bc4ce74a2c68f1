// SPDX-License-Identifier: Apache-2.0
#include "common/compile/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace warpgrade::compile::program_test

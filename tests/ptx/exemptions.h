// SPDX-License-Identifier: Apache-2.0
// Parts of rows of instructions.def that no case covers, each with the reason and the test that
// covers it instead.
#pragma once

#include <string_view>

namespace warpgrade::ptx_test {

struct Exemption {
  std::string_view form;  ///< Named by coverage_test.cpp: "trap", "add .f32", "ld .ca".
  std::string_view reason;
  std::string_view file;  ///< Below the root; it must hold `test`.
  std::string_view test;
};

constexpr std::string_view kRank = "edge values are no addresses of shared memory";
constexpr std::string_view kRankFile = "tests/ptx/behaviours/cluster_rank.ptx";

constexpr Exemption kExemptions[] = {
    {"brkpt", "ends the kernel and leaves no result to compare", "tests/sim/exec/control_test.cpp",
     "TEST(Breakpoint, IsTheKernelsOwnFaultWhereItIsReached)"},
    {"trap", "ends the kernel and leaves no result to compare", "tests/sim/exec/control_test.cpp",
     "TEST(Trap, EndsTheKernelAndNamesTheThread)"},
    {"getctarank", kRank, kRankFile, "getctarank.shared::cluster"},
    {"getctarank .shared::cluster", kRank, kRankFile, "getctarank.shared::cluster"},
    {"getctarank .u32", kRank, kRankFile, "getctarank.shared::cluster.u32"},
    {"getctarank .u64", kRank, kRankFile, "getctarank.shared::cluster.u64"},
};

}  // namespace warpgrade::ptx_test

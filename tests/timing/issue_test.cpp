// SPDX-License-Identifier: Apache-2.0
// Compares the H200 profile's numbers for machine instructions with clocks measured on an H200
// (tests/evidence/golden/h200_issue).
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "common/device/profile.h"
#include "common/timing/block_waits.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::issue_test {

double measured(const std::string& what, const std::string& of) {
  static const auto rows = golden::read_csv(WARPGRADE_ISSUE);
  for (const auto& row : rows) {
    if (row.at("what") == what && row.at("of") == of) return std::stod(row.at("clocks"));
  }
  ADD_FAILURE() << "no row " << what << "," << of;
  return 0;
}

const device::Profile& h200() { return device::find("h200"); }

TEST(Issue, ResultsOfLookUpsTakeTheirLatency) {
  for (const auto* of : {"ex2", "rsq", "lg2", "tanhf_", "round_", "popc", "brev", "rcp64"}) {
    EXPECT_NEAR(measured("latency", of), h200().sm.pipes.xu_latency_clocks, 0.5) << of;
  }
}

TEST(Issue, ResultsOfOtherLanesTakeTheirLatency) {
  EXPECT_NEAR(measured("latency", "shfl"), h200().sm.pipes.exchange_clocks, 0.5);
}

TEST(Issue, PipesTakeAWarpInTheirLanes) {
  const auto clocks = [](double lanes) { return 32 * h200().sm.schedulers / lanes; };
  const auto expect = [&](const char* of, double lanes) {
    EXPECT_NEAR(measured("clocks a warp and scheduler", of), clocks(lanes), 0.1) << of;
  };
  expect("ex2", h200().sm.pipes.xu_lanes.value());
  expect("popc", h200().sm.pipes.xu_lanes.value());
  expect("lop", h200().sm.pipes.alu_lanes.value());
  expect("shf", h200().sm.pipes.alu_lanes.value());
  expect("fma64", h200().sm.pipes.fp64_lanes.value());
  expect("mad", h200().sm.pipes.fma_heavy_lanes.value());
}

// The stalls in the loop's machine code add up to 66 clocks for 16 instructions, and to 24 for 1.
TEST(Issue, ABranchThatIsTakenTakesLongerThanItsStall) {
  EXPECT_NEAR(measured("loop of 1 fma by threads", "32"), 24 + h200().sm.pipes.branch_clocks, 0.5);
  EXPECT_NEAR(measured("loop of 16 fma by threads", "32"), 66 + h200().sm.pipes.branch_clocks, 0.5);
}

// With 32 values instead of one, a match of one warp takes 341 clocks more. 32 warps take 1,983
// clocks more, because they pass a stage of the SM one after the other.
TEST(Issue, EachValueOfAMatchTakesItsClocks) {
  const auto per_value = [](const std::string& what) {
    return (measured(what, "32") - measured(what, "1")) / 31;
  };
  EXPECT_NEAR(per_value("match of 32 warps by values") / 32, h200().sm.pipes.match_clocks.value(),
              0.01);
  EXPECT_NEAR(per_value("match of 1 warp by values"),
              h200().sm.pipes.match_clocks.value() + h200().sm.pipes.match_latency_clocks, 0.01);
}

// Additions of all lanes of several warps to one word, compared with those of a warp alone.
TEST(Issue, WarpsThatAddToOneWordTryAgain) {
  const std::string what = "shared float sum one word 32 lanes by warps";
  const double round = measured(what, "1") / 32;
  EXPECT_NEAR(round, h200().shared.swap_round_clocks.value(), 1);
  for (const int warps : {2, 8, 16, 32}) {
    SwapContention contention(h200());
    contention.begin_block();
    const std::array<std::uint64_t, 32> word{};
    run::MemoryEvent event{};
    event.address = word.data();
    event.mask = 1;
    for (int w = 0; w < warps; ++w) {
      event.warp = static_cast<std::uint32_t>(w);
      contention.add(event);
    }
    // A try of all warps takes one round. An addition takes `tries` rounds, which the warps share.
    const double addition = round / warps * contention.tries(0);
    const double on_card = measured(what, std::to_string(warps)) / (32 * warps);
    EXPECT_NEAR(on_card, addition, 0.1 * on_card) << warps;
  }
}

}  // namespace warpgrade::timing::issue_test

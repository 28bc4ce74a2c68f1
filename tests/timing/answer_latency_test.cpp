// SPDX-License-Identifier: Apache-2.0
// Latencies of memory's answers, calculated by hand and compared with an H200's
// (tests/evidence/golden/h200_memory).
#include "common/timing/answer_latency.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "common/device/profile.h"

namespace warpgrade::timing::answer_latency_test {

double mean(AnswerLatency& latency, std::uint32_t pages, double dram_share, double load = 0) {
  constexpr int kDraws = 20000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += latency.next(pages, 0, dram_share, load);
  return sum / kDraws;
}

TEST(AnswerLatency, WithoutATailItIsThatOfL2OrOfDram) {
  AnswerLatency latency(100, 500, 700, 0);
  EXPECT_DOUBLE_EQ(100, latency.next(8, 0, 0, 1));
  EXPECT_DOUBLE_EQ(500, latency.next(8, 0, 1, 0));
  EXPECT_DOUBLE_EQ(600, latency.next(8, 0, 1, 0.5));
}

// A quarter of the lines come from DRAM. A request for two lines waits for DRAM with a probability
// of 1 - (3/4)^2.
TEST(AnswerLatency, OneLineFromDramIsEnoughToWait) {
  AnswerLatency latency(100, 500, 500, 0);
  EXPECT_NEAR(200, mean(latency, 1, 0.25), 5);
  EXPECT_NEAR(100 + 400 * 7 / 16.0, mean(latency, 2, 0.25), 5);
}

// The largest of n exponential numbers is 1 + 1/2 + ... + 1/n on average: 1, 2.083, 4.058.
TEST(AnswerLatency, TheLastOfManyComesLater) {
  AnswerLatency latency(100, 500, 500, 120);
  EXPECT_NEAR(500, mean(latency, 1, 1), 6);
  EXPECT_NEAR(500 + 120 * 1.083, mean(latency, 4, 1), 6);
  EXPECT_NEAR(500 + 120 * 3.058, mean(latency, 32, 1), 6);
}

TEST(AnswerLatency, LinesOfOnePageTakeTheSame) {
  AnswerLatency latency(100, 500, 500, 120);
  const double first = latency.next(1, 12345, 1, 0);
  EXPECT_DOUBLE_EQ(first, latency.next(1, 12345, 1, 0));
  EXPECT_NE(first, latency.next(1, 2123456789, 1, 0));
}

// Clocks that a warp waited for this many random places of 1 GB, on an otherwise idle H200. They
// include the way to L2, about 20 clocks, which the model has in its queues.
TEST(AnswerLatency, IsThatOfAnH200) {
  const auto& h200 = device::find("h200");
  const double clock = h200.sm.clock_hz;
  AnswerLatency latency(h200.l2.latency_seconds * clock, h200.dram.latency_seconds * clock,
                        h200.dram.loaded_latency_seconds * clock,
                        h200.dram.latency_tail_seconds * clock);
  std::ifstream file(WARPGRADE_H200_MEMORY "/memory.csv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string part;
    std::string name;
    std::string blocks;
    std::string value;
    std::getline(in, part, ',');
    std::getline(in, name, ',');
    std::getline(in, blocks, ',');
    std::getline(in, value, ',');
    if (part != "dram places" || name.find(" mean") == std::string::npos) continue;
    const double measured = std::stod(value);
    const auto places = static_cast<std::uint32_t>(std::stoul(name));
    EXPECT_NEAR(measured, 20 + mean(latency, places, 1), 0.05 * measured) << line;
    ++rows;
  }
  EXPECT_EQ(12, rows);
}

}  // namespace warpgrade::timing::answer_latency_test

// SPDX-License-Identifier: Apache-2.0
// A request's cost follows the device's rules (memory/*_test.cpp has the rules).
#include "grader/grade/explain/request_cost.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::request_cost_test {

report::RequestCost cost(const char* device, run::Space space, std::uint64_t step,
                         std::uint32_t bytes, run::Operation operation = run::Operation::kLoad) {
  memory::TracedLine line;
  line.operation = {space, operation};
  line.bytes = bytes;
  memory::TracedRequest request;
  request.mask = run::kFullMask;
  for (std::size_t lane = 0; lane < 32; ++lane) request.address.at(lane) = 4096 + lane * step;
  return cost_of(device::find(device), line, request);
}

TEST(RequestCost, ARowOfFloatsUsesAllThatItMoves) {
  const auto row = cost("h200", run::Space::kGlobal, 4, 4);
  EXPECT_EQ(4U, row.sectors);
  EXPECT_EQ(128U, row.used_bytes);
}

TEST(RequestCost, AColumnMovesASectorALane) {
  EXPECT_EQ(32U, cost("h200", run::Space::kGlobal, 8192, 4).sectors);
}

TEST(RequestCost, LanesOnOneWordShareItInALoadAndQueueInAnAtomic) {
  EXPECT_EQ(1U, cost("h200", run::Space::kGlobal, 0, 4).sectors);
  EXPECT_EQ(32U, cost("h200", run::Space::kGlobal, 0, 4, run::Operation::kAtomic).sectors);
}

TEST(RequestCost, AGt200MovesSegmentsOfHalfWarps) {
  // Eight bytes apart: each half-warp spans 128 bytes, one segment of them.
  EXPECT_EQ(8U, cost("gtx280", run::Space::kGlobal, 8, 4).sectors);
}

TEST(RequestCost, AColumnOfATileOf32ConflictsAndOneOf33DoesNot) {
  const auto column = cost("h200", run::Space::kShared, 128, 4);
  EXPECT_EQ(32U, column.wavefronts);
  EXPECT_EQ(31U, column.conflicts);
  EXPECT_EQ(32U, column.words.size());
  const auto padded = cost("h200", run::Space::kShared, 132, 4);
  EXPECT_EQ(1U, padded.wavefronts);
  EXPECT_EQ(0U, padded.conflicts);
}

}  // namespace warpgrade::grader::grade::request_cost_test

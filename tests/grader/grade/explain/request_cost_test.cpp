// SPDX-License-Identifier: Apache-2.0
// The cost of a request equals the counters of the same access; tests/memory tests the rules.
#include "grader/grade/explain/request_cost.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::request_cost_test {

using OnShared = memory::AtomicForm::OnShared;

report::RequestCost cost(const char* device, run::Space space, std::uint64_t step,
                         std::uint32_t bytes, run::Operation operation = run::Operation::kLoad,
                         OnShared how = OnShared::kOneByOne) {
  memory::TracedLine line;
  line.operation = {space, operation};
  line.form.on_shared = how;
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

TEST(RequestCost, AnAtomicOfAGt200MovesATransactionPerHalfWarp) {
  EXPECT_EQ(2U, cost("gtx280", run::Space::kGlobal, 0, 4, run::Operation::kAtomic).sectors);
}

// 32 lanes on one word of the H200's shared memory.
TEST(RequestCost, SharedAtomicsCostWhatTheirMachineCodeCosts) {
  const auto on_one_word = [](OnShared how) {
    const auto found = cost("h200", run::Space::kShared, 0, 4, run::Operation::kReduction, how);
    return memory::SharedAccess{found.wavefronts, found.conflicts};
  };
  EXPECT_EQ((memory::SharedAccess{32, 31}), on_one_word(OnShared::kOneByOne));
  EXPECT_EQ((memory::SharedAccess{64, 31}), on_one_word(OnShared::kCompareAndSwap));
  EXPECT_EQ((memory::SharedAccess{1, 0}), on_one_word(OnShared::kCount));
  // 32 rounds, each with a load of one wavefront and a swap of two.
  EXPECT_EQ((memory::SharedAccess{96, 93}), on_one_word(OnShared::kLoop));
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

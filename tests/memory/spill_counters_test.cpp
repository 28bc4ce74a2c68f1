// SPDX-License-Identifier: Apache-2.0
#include "common/memory/spill_counters.h"

#include <gtest/gtest.h>

namespace warpgrade::memory::spill_counters_test {

const SpillAccess kStore{.is_store = true, .bytes = 4, .offset = 0};
const SpillAccess kWideLoad{.is_store = false, .bytes = 16, .offset = 16};

// Requests and sectors of stores, then of loads, for an instruction with both spills.
std::vector<std::uint64_t> counted(run::InstructionCount executed) {
  std::vector<InstructionCounters> rows;
  add_spills({{.spills = {kStore, kWideLoad}}}, {executed}, rows);
  if (rows.empty()) return {};
  const auto& stores = rows.at(kLocalRow);
  const auto& loads = rows.at(kSpillLoadRow);
  EXPECT_EQ(run::Operation::kStore, stores.operation);
  EXPECT_EQ(run::Operation::kLoad, loads.operation);
  return {stores.requests, stores.sectors, loads.requests, loads.sectors};
}

// As in ncu's counters: a request per word of a lane, and 4 sectors per request of a whole warp.
TEST(SpillCounters, AWordIsARequestOfFourSectors) {
  EXPECT_EQ((std::vector<std::uint64_t>{3, 12, 12, 48}), counted({.warps = 3, .threads = 96}));
}

TEST(SpillCounters, AQuarterOfTheLanesIsASector) {
  EXPECT_EQ((std::vector<std::uint64_t>{1, 1, 4, 4}), counted({.warps = 1, .threads = 8}));
}

TEST(SpillCounters, WhatNoWarpExecutesSpillsNothing) {
  EXPECT_EQ(std::vector<std::uint64_t>{}, counted({.warps = 0, .threads = 0}));
}

}  // namespace warpgrade::memory::spill_counters_test

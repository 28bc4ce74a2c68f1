// SPDX-License-Identifier: Apache-2.0
#include "common/timing/bound.h"

#include <gtest/gtest.h>

#include <string>

#include "common/device/profile.h"

namespace warpgrade::timing::bound_test {

// Names of resources are a part of the JSON reports.

TEST(Bound, NamesAreThoseOfReports) {
  EXPECT_EQ("", name(Bound::kNone));
  EXPECT_EQ("dram", name(Bound::kDram));
  EXPECT_EQ("l2 partial writes", name(Bound::kL2PartialWrites));
  EXPECT_EQ("launch overhead", name(Bound::kLaunchOverhead));
  EXPECT_EQ("xu pipe", name(Bound::kXuPipe));
}

// If two resources bind equally long, SequenceTime reports the first.
TEST(Bound, ResourcesAreInTheOrderOfTheirNames) {
  for (auto i = static_cast<int>(Bound::kAluPipe); i <= static_cast<int>(Bound::kXuPipe); ++i) {
    EXPECT_LT(std::string(name(static_cast<Bound>(i - 1))), name(static_cast<Bound>(i)));
  }
}

// Occupancy, checked with hand calculations and with numbers from lectures.

Occupancy on(const char* device, std::uint32_t threads, std::uint32_t registers,
             std::uint32_t shared, std::uint32_t barriers = 0) {
  return occupancy(device::find(device), threads, registers, shared, barriers);
}

void expect(std::uint32_t blocks, std::uint32_t warps, std::string_view limited_by,
            const Occupancy& got) {
  EXPECT_EQ(blocks, got.blocks_per_sm);
  EXPECT_EQ(warps, got.warps_per_sm);
  EXPECT_EQ(limited_by, name(got.limited_by));
}

// TITAN Black, 512 threads and 2048 B of shared memory per block: 4 blocks per SM.
TEST(OccupancyTitanBlack, FourBlocksOf512ThreadsFillTheWarps) {
  expect(4, 64, "warps", on("titan_black", 512, 16, 2048));
}

// Thread-level coarsening by x: blocks of 512 / x threads, each with the same 2048 B.
TEST(OccupancyTitanBlack, ThreadLevelCoarseningKeepsTheWarpsFullUpToFour) {
  expect(8, 64, "warps", on("titan_black", 256, 16, 2048));
  expect(16, 64, "warps", on("titan_black", 128, 16, 2048));
  expect(16, 32, "blocks", on("titan_black", 64, 16, 2048));
  expect(16, 16, "blocks", on("titan_black", 32, 16, 2048));
}

// Block-level coarsening by x: 512 threads with 2048 * x bytes. 48 KB hold 4 blocks for x up to 4.
TEST(OccupancyTitanBlack, BlockLevelCoarseningKeepsTheWarpsFullUpToFour) {
  expect(4, 64, "warps", on("titan_black", 512, 16, 2 * 2048));
  expect(4, 64, "warps", on("titan_black", 512, 16, 4 * 2048));
  expect(3, 48, "shared", on("titan_black", 512, 16, 8 * 2048));
  expect(1, 16, "shared", on("titan_black", 512, 16, 16 * 2048));
}

// 33 registers per thread are 1056 per warp, allocated as 1280: 12 warps per scheduler, 48 per SM.
TEST(OccupancyK40, RegistersAreGivenOutIn256AWarp) {
  expect(6, 48, "registers", on("k40", 256, 33, 0));
  expect(8, 64, "warps", on("k40", 256, 32, 0));
}

// The system reserves 1 KB of each block: 228 KB hold 44 blocks of 4224 + 1024 B, more than 8.
TEST(OccupancyH200, APaddedTileDoesNotLimit) { expect(8, 64, "warps", on("h200", 256, 28, 4224)); }

TEST(OccupancyH200, SharedMemoryCountsTheReservedKilobyte) {
  expect(2, 8, "shared", on("h200", 128, 32, 113 * 1024));
  expect(1, 4, "shared", on("h200", 128, 32, 113 * 1024 + 1));
  expect(1, 4, "shared", on("h200", 128, 32, 227 * 1024));
}

TEST(OccupancyH200, SmallBlocksAreLimitedBy32) { expect(32, 32, "blocks", on("h200", 32, 32, 0)); }

// 128 registers per thread leave room for 16 warps: 4 per scheduler.
TEST(OccupancyH200, ManyRegistersLimit) { expect(2, 16, "registers", on("h200", 256, 128, 0)); }

TEST(Occupancy, WhatDoesNotFitHasNoBlockAndSaysWhy) {
  expect(0, 0, "shared", on("h200", 256, 32, 227 * 1024 + 1));
  expect(0, 0, "shared", on("k40", 256, 32, 48 * 1024 + 1));
  expect(0, 0, "registers", on("k40", 1024, 65, 0));
  expect(0, 0, "registers", on("h200", 32, 256, 0));
  expect(0, 0, "warps", on("h200", 1025, 32, 0));
  expect(0, 0, "warps", on("c1060", 1024, 10, 0));
}

// Blocks resident at once on an SM of an H200 (driver 580.159.04, 29 November 2026).
TEST(OccupancyH200, NamedBarriersLimitBlocks) {
  expect(32, 32, "blocks", on("h200", 32, 14, 0, 2));
  expect(16, 16, "barriers", on("h200", 32, 14, 0, 4));
  expect(8, 16, "barriers", on("h200", 64, 14, 0, 8));
  expect(4, 16, "barriers", on("h200", 128, 14, 0, 16));
  expect(4, 32, "barriers", on("h200", 256, 14, 0, 16));
  expect(8, 64, "warps", on("h200", 256, 14, 0, 8));
}

// GT200: 256 threads with 16 registers need 4096 per block; 16384 hold 4 blocks, 32 warps.
TEST(OccupancyGt200, RegistersAreGivenOutByBlock) {
  expect(4, 32, "warps", on("gtx280", 256, 16, 0));
  // 17 registers: 4352 per block, allocated as 4608 in units of 512: 3 blocks.
  expect(3, 24, "registers", on("gtx280", 256, 17, 0));
}

// 96 threads are 3 warps, counted as 4: 4 * 32 * 20 = 2560 registers per block; 16384 hold 6.
TEST(OccupancyGt200, WarpsArePairedForRegisters) {
  expect(6, 18, "registers", on("c1060", 96, 20, 0));
}

// A padded tile is 4224 + 16 B, allocated as 4608 in units of 512: 16 KB hold 3 blocks.
TEST(OccupancyGt200, APaddedTileLimits) {
  expect(3, 24, "shared", on("gtx280", 256, 10, 32 * 33 * 4));
}

// G80: 768 threads per SM. 3 blocks of 256 threads fit with at most 10 registers per thread.
TEST(OccupancyG80, TenRegistersFillTheMachine) {
  expect(3, 24, "warps", on("g80", 256, 10, 0));
  expect(2, 16, "registers", on("g80", 256, 11, 0));
}

}  // namespace warpgrade::timing::bound_test

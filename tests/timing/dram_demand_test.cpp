// SPDX-License-Identifier: Apache-2.0
#include "common/timing/dram_demand.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpgrade::timing::dram_demand_test {

// Pages of DRAM (1024 bytes) that neighbouring blocks use together, by hand calculation.

constexpr std::uint64_t kBase = 0x700000000000;

/// `blocks` blocks of one warp, whose first `lanes` lanes load and store adjacent words. The
/// strides are the distances from block to block.
PagesPerByte of_rows(std::uint64_t read_stride, std::uint64_t write_stride, std::uint64_t blocks,
                     std::uint32_t lanes = 32) {
  DramPageLocality locality(device::find("h200"), {0, blocks});
  run::LaunchContext context;
  context.warps_per_block = 1;
  locality.on_launch(context);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    locality.on_block_begin(block);
    std::uint64_t address[32];
    run::MemoryEvent event;
    event.mask = run::kFullMask >> (32 - lanes);
    event.bytes = 4;
    event.address = address;
    for (const bool is_load : {true, false}) {
      const std::uint64_t stride = is_load ? read_stride : write_stride;
      for (std::uint64_t i = 0; i < 32; ++i) address[i] = kBase + block * stride + 4 * i;
      event.operation = is_load ? run::Operation::kLoad : run::Operation::kStore;
      locality.on_memory(event);
    }
  }
  return locality.pages_per_byte();
}

TEST(DramPageLocality, NeighboursThatFillPagesOpenEachOnce) {
  const auto pages = of_rows(128, 128, 64);
  EXPECT_DOUBLE_EQ(1.0 / 1024, pages.read);
  EXPECT_DOUBLE_EQ(1.0 / 1024, pages.written);
}

TEST(DramPageLocality, LinesThatLieApartOpenAPageEach) {
  const auto pages = of_rows(128, 32768, 64);
  EXPECT_DOUBLE_EQ(1.0 / 1024, pages.read);
  EXPECT_DOUBLE_EQ(1.0 / 128, pages.written);
}

// Single sectors, each in a line of its own. Of the 16 granules of a page, eight are read and two
// are written. Each counts with the unused share of the other 15 granules.
TEST(DramPageLocality, GranulesWhoseNeighbourIsNotUsedAreAlone) {
  const auto pages = of_rows(128, 512, 64, /*lanes=*/8);
  EXPECT_DOUBLE_EQ(8.0 / 15, pages.lone_read);
  EXPECT_DOUBLE_EQ(14.0 / 15, pages.lone_written);
  EXPECT_DOUBLE_EQ(1.0 / 128, pages.written);
  EXPECT_DOUBLE_EQ(0, of_rows(128, 512, 64).lone_written);
}

// Eight blocks write the first halves of lines, and the blocks of the next row write the second
// halves.
TEST(DramPageLocality, ANeighbourInTheNextRowCompletesWhatWasWritten) {
  for (const bool has_rows : {false, true}) {
    const run::BlockRange next_row = has_rows ? run::BlockRange{100, 108} : run::BlockRange{};
    DramPageLocality locality(device::find("h200"), {0, 8}, next_row);
    run::LaunchContext context;
    context.warps_per_block = 1;
    locality.on_launch(context);
    std::uint64_t address[32];
    run::MemoryEvent event;
    event.mask = 0xffff;
    event.bytes = 4;
    event.address = address;
    event.operation = run::Operation::kStore;
    for (const std::uint64_t row : {0, 1}) {
      for (std::uint64_t block = 0; block < 8; ++block) {
        locality.on_block_begin(100 * row + block);
        for (std::uint64_t i = 0; i < 16; ++i) {
          address[i] = kBase + block * 4096 + row * 64 + 4 * i;
        }
        locality.on_memory(event);
      }
    }
    EXPECT_DOUBLE_EQ(has_rows ? 0 : 1, locality.pages_per_byte().lone_written);
    EXPECT_DOUBLE_EQ(1.0 / 64, locality.pages_per_byte().written);
  }
}

// Two rows of four blocks write 32 words each. A block's piece in the second row follows its piece
// in the first row, which begins at byte `first` of a line.
PagesPerByte of_two_rows(std::uint64_t first) {
  DramPageLocality locality(device::find("h200"), {0, 4}, {100, 104});
  run::LaunchContext context;
  context.warps_per_block = 1;
  locality.on_launch(context);
  std::uint64_t address[32];
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.address = address;
  event.operation = run::Operation::kStore;
  for (const std::uint64_t row : {0, 1}) {
    for (std::uint64_t block = 0; block < 4; ++block) {
      locality.on_block_begin(100 * row + block);
      for (std::uint64_t i = 0; i < 32; ++i) {
        address[i] = kBase + block * 4096 + row * 128 + first + 4 * i;
      }
      locality.on_memory(event);
    }
  }
  return locality.pages_per_byte();
}

// Bytes 16 to 143: sectors 0 to 4. The next row completes sector 4 after the rest of its line has
// left, so both granules of that line are alone. A piece has two granules of its own.
TEST(DramPageLocality, ASectorOfTwoRowsDividesItsLine) {
  EXPECT_DOUBLE_EQ(0.2, of_two_rows(16).split_written);
  EXPECT_DOUBLE_EQ(1, of_two_rows(16).lone_written);
}

// Bytes 32 to 159: the next row begins with a sector of its own.
TEST(DramPageLocality, ALineOfTwoRowsWithWholeSectorsIsNotDivided) {
  EXPECT_DOUBLE_EQ(0, of_two_rows(32).split_written);
  EXPECT_DOUBLE_EQ(0, of_two_rows(32).lone_written);
}

TEST(DramPageLocality, ForksSeeWhatOneWouldHaveSeen) {
  DramPageLocality whole(device::find("h200"), {0, 8});
  run::LaunchContext context;
  context.warps_per_block = 1;
  std::uint64_t address[32];
  run::MemoryEvent event;
  event.mask = 0xff;
  event.bytes = 4;
  event.address = address;
  for (std::uint64_t block = 0; block < 8; ++block) {
    const auto fork = whole.fork();
    fork->on_launch(context);
    fork->on_block_begin(block);
    for (std::uint64_t i = 0; i < 32; ++i) address[i] = kBase + block * 32 + 4 * i;
    fork->on_memory(event);
    whole.join(*fork);
  }
  EXPECT_DOUBLE_EQ(1.0 / 256, whole.pages_per_byte().read);  // 8 sectors of one page
}

}  // namespace warpgrade::timing::dram_demand_test

namespace warpgrade::timing::dram_demand_test_too {

// A launch's traffic in DRAM, by hand calculation. L2 has 1 MB in two halves, so it holds 2/3 MB of
// different lines, and fetches granules of 64 bytes.

constexpr std::uint64_t kBase = std::uint64_t{1} << 40;
constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

device::Profile card() {
  device::Profile p = device::find("h200");
  p.l2.bytes = kMega;
  p.l2.dirty_bytes.reset();
  return p;
}

// Neighbouring blocks that each read and write one sector, at one of `places`.
DramPageLocality neighbours(const device::Profile& profile,
                            const std::vector<std::uint64_t>& places) {
  DramPageLocality locality(profile, {0, places.size()});
  run::LaunchContext context;
  context.warps_per_block = 1;
  locality.on_launch(context);
  std::uint64_t address[32] = {};
  run::MemoryEvent event;
  event.mask = 1;
  event.bytes = 4;
  event.address = address;
  for (std::size_t block = 0; block < places.size(); ++block) {
    locality.on_block_begin(block);
    address[0] = kBase + places[block];
    for (const auto operation : {run::Operation::kLoad, run::Operation::kStore}) {
      event.operation = operation;
      locality.on_memory(event);
    }
  }
  return locality;
}

memory::BufferCounters reads(std::uint64_t sectors, std::uint64_t granules) {
  memory::BufferCounters out;
  out.base = kBase;
  out.read = {.bytes = 4 * sectors, .sectors = sectors, .granules = granules};
  return out;
}

memory::BufferCounters writes(std::uint64_t bytes, std::uint64_t sectors, std::uint64_t granules) {
  memory::BufferCounters out;
  out.base = kBase;
  out.written = {.bytes = bytes, .sectors = sectors, .granules = granules};
  return out;
}

// A hundredth of the blocks reads a hundredth of a buffer, so the whole buffer is read once.
TEST(DramDemand, AStreamIsReadAsItIs) {
  const auto profile = card();
  const auto near = neighbours(profile, {0, 4096});
  const auto got = dram_demand(profile, {reads(8192, 4096)}, {100 * 8192 * 32}, near, 0.01);
  EXPECT_DOUBLE_EQ(8192, got.read);
  EXPECT_DOUBLE_EQ(0, got.written);
}

// 100 times 8192 lone sectors, each in a granule of two: 1,638,400 sectors are requested. Half of
// L2 holds the buffer of 16,384 sectors, so DRAM reads it once.
TEST(DramDemand, ATableThatFitsIsReadOnce) {
  const auto profile = card();
  const auto near = neighbours(profile, {0, 512 * 1024 - 1024});
  const auto got = dram_demand(profile, {reads(8192, 8192)}, {kMega / 2}, near, 0.01);
  EXPECT_DOUBLE_EQ(0.01 * 16384, got.read);
}

// The same requests on a buffer of 4 MB: DRAM reads its 131,072 sectors once, and the sectors that
// L2 lacks of the other 1,507,328. L2 holds a sixth of the lines, and half of each, so it lacks a
// share of sqrt(5/6).
TEST(DramDemand, OfALargeTableL2HoldsItsShare) {
  const auto profile = card();
  const auto near = neighbours(profile, {0, 4 * kMega - 1024});
  const auto got = dram_demand(profile, {reads(8192, 8192)}, {4 * kMega}, near, 0.01);
  EXPECT_NEAR(0.01 * (131072 + 1507328 * std::sqrt(5.0 / 6)), got.read, 1e-6);
  ASSERT_EQ(1U, got.buffers.size());
  EXPECT_DOUBLE_EQ(got.read, got.buffers[0].read);
}

// The same traffic, in bytes of the whole launch.
TEST(DramDemand, TrafficIsThatOfTheWholeLaunch) {
  const auto profile = card();
  const auto near = neighbours(profile, {0, 4 * kMega - 1024});
  const auto got = dram_demand(profile, {reads(8192, 8192)}, {4 * kMega}, near, 0.01).traffic;
  const double again = 32 * 1507328 * std::sqrt(5.0 / 6);
  EXPECT_NEAR(again, got.read_again, 1e-4);
  EXPECT_NEAR(4 * kMega + again, got.read, 1e-4);
  EXPECT_EQ(0, got.written);
}

// Neighbouring blocks that stay within 256 KB of the table find its sectors again in L2.
TEST(DramDemand, AWindowOfALargeTableIsHeld) {
  const auto profile = card();
  const auto near = neighbours(profile, {0, kMega / 4 - 1024});
  const auto got = dram_demand(profile, {reads(8192, 8192)}, {4 * kMega}, near, 0.01);
  EXPECT_DOUBLE_EQ(0.01 * 131072, got.read);
}

// Single words at random, 10 times as many as the buffer has sectors. In whole granules these are
// 10 x 131,072 x 2 sectors. 131,072 of them leave L2 once, and the others leave it again if L2
// lacks them. L2 holds a sixth of the lines, and a quarter of each. A sector that leaves partly
// written, as these do, is read first; the last ones are complete.
TEST(DramDemand, AScatterReadsWhatItWritesInPart) {
  const auto profile = card();
  const auto apart = neighbours(profile, {0, 4 * kMega - 1024});
  const auto got =
      dram_demand(profile, {writes(4 * 13107, 13107, 13107)}, {4 * kMega}, apart, 0.01);
  const double asked = 2 * 13107 / 0.01;
  const double lacking = std::pow(5.0 / 6, 0.25);
  const double written = 131072 + (asked - 131072) * lacking;
  EXPECT_NEAR(0.01 * written, got.written, 1e-6);
  EXPECT_NEAR(lacking, got.read / got.written, 1e-6);
  // DRAM writes and fills sectors, though each takes the time of its granule.
  EXPECT_NEAR(16 * written, got.traffic.written, 1e-4);
  EXPECT_NEAR(16 * (written - 131072), got.traffic.written_again, 1e-4);
  EXPECT_NEAR(lacking, got.traffic.filled / got.traffic.written, 1e-6);
}

// Atomics on single words at random, again 10 times as many as the buffer has sectors. Each line is
// in one half of L2 and is read whole at first; a sixth of it stays. Lines to be written stay by
// halves. Lost sectors take the time of a granule, and so do written ones, unless the other half of
// the granule leaves L2 with them.
TEST(DramDemand, AtomicsMoveSectorsInTheTimeOfGranules) {
  const auto profile = card();
  const auto apart = neighbours(profile, {0, 4 * kMega - 1024});
  auto atomics = reads(13107, 13107);
  atomics.written = atomics.read;
  atomics.load_sectors = atomics.store_sectors = 13107;
  const auto got = dram_demand(profile, {atomics}, {4 * kMega}, apart, 0.01);
  const double lost = (13107 / 0.01 - 131072) * 5 / 6;
  const double written = 131072 + (13107 / 0.01 - 131072) * std::sqrt(5.0 / 6);
  EXPECT_NEAR(0.01 * (131072 + 2 * lost), got.read, 1e-6);
  EXPECT_NEAR(0.01 * written * 2 / (1 + 1.0 / 6), got.written, 1e-6);
  EXPECT_NEAR(32 * (131072 + lost), got.traffic.read, 1e-3);
  EXPECT_NEAR(32 * written, got.traffic.written, 1e-3);
  EXPECT_EQ(0, got.traffic.filled);
}

// DRAM without ECC writes the bytes that a mask selects.
TEST(DramDemand, WithoutFillsAScatterReadsNothing) {
  auto profile = card();
  profile.dram.fills_partial_sectors = false;
  const auto apart = neighbours(profile, {0, 4 * kMega - 1024});
  const auto got =
      dram_demand(profile, {writes(4 * 13107, 13107, 13107)}, {4 * kMega}, apart, 0.01);
  EXPECT_EQ(0, got.read);
  EXPECT_EQ(0, got.traffic.filled);
  EXPECT_LT(0, got.written);
}

// A stream of 100 MB displaces up to 26 MB that others wrote to L2, and DRAM receives them now. A
// launch that writes as much leaves its own data there.
TEST(DramDemand, WhatOthersHaveWrittenLeavesL2) {
  auto profile = card();
  profile.l2.dirty_bytes = 26 * kMega;
  const auto near = neighbours(profile, {0, 64});
  const std::uint64_t sectors = 100 * kMega / 32 / 100;
  const auto reading =
      dram_demand(profile, {reads(sectors, sectors / 2)}, {100 * kMega}, near, 0.01);
  EXPECT_DOUBLE_EQ(0.01 * (26.0 * kMega / 32), reading.displaced);
  const auto writing =
      dram_demand(profile, {writes(32 * sectors, sectors, sectors / 2)}, {100 * kMega}, near, 0.01);
  EXPECT_DOUBLE_EQ(0, writing.displaced);
}

// Earlier launches left a quarter of the stream in L2. The rest displaces up to 26 MiB of
// data that L2 still has to write. The traffic counts as if the launch ran alone.
TEST(DramDemand, WhatEarlierLaunchesLeftIsNotReadAgain) {
  auto profile = card();
  profile.l2.dirty_bytes = 26 * kMega;
  const auto near = neighbours(profile, {0, 4096});
  const auto alone = dram_demand(profile, {reads(8192, 4096)}, {100 * 8192 * 32}, near, 0.01);
  const auto got = dram_demand(profile, {reads(8192, 4096)}, {100 * 8192 * 32}, near, 0.01, {0.25});
  EXPECT_DOUBLE_EQ(0.75 * 8192, got.read);
  EXPECT_DOUBLE_EQ(0.75 * 8192, got.buffers[0].read);
  EXPECT_DOUBLE_EQ(0.25 * 8192, got.buffers[0].held);
  EXPECT_DOUBLE_EQ(0.75 * 8192, got.displaced);
  EXPECT_EQ(alone.traffic, got.traffic);
}

// A column of words whose sectors are never completed, so every sector is read, too.
TEST(DramDemand, SectorsThatStayPartialAreRead) {
  const auto profile = card();
  const auto near = neighbours(profile, {0, 64});
  const auto got = dram_demand(profile, {writes(4 * 1000, 1000, 500)}, {32 * 100000}, near, 0.01);
  EXPECT_DOUBLE_EQ(1000, got.written);
  EXPECT_DOUBLE_EQ(1000, got.read);
}

// Pieces of 128 bytes that begin in the middle of a sector touch 5 sectors each; the buffer has 4
// per piece. Blocks of the window write far apart, so L2 does not hold the sectors that they share
// with others. Only the next row completes a piece's last sector: then DRAM writes each sector once
// and reads none.
TEST(DramDemand, SectorsThatTheNextRowCompletesAreWrittenOnce) {
  const auto profile = card();
  const auto got_with = [&](run::BlockRange next_row) {
    DramPageLocality locality(profile, {0, 4}, next_row);
    run::LaunchContext context;
    context.warps_per_block = 1;
    locality.on_launch(context);
    std::uint64_t address[32];
    run::MemoryEvent event;
    event.mask = run::kFullMask;
    event.bytes = 4;
    event.address = address;
    event.operation = run::Operation::kStore;
    for (const std::uint64_t row : {0, 1}) {
      for (std::uint64_t block = 0; block < 4; ++block) {
        locality.on_block_begin(100 * row + block);
        for (std::uint64_t i = 0; i < 32; ++i) {
          address[i] = kBase + block * (kMega - 4096) + row * 128 + 16 + 4 * i;
        }
        locality.on_memory(event);
      }
    }
    return dram_demand(profile, {writes(128 * 1024, 5 * 1024, 3 * 1024)}, {4 * kMega}, locality,
                       1.0 / 32);
  };
  const auto with = got_with({100, 104});
  EXPECT_DOUBLE_EQ(4 * 1024, with.written);
  EXPECT_DOUBLE_EQ(0, with.read);
  const auto without = got_with({});
  EXPECT_GT(without.written, 4 * 1024);
  EXPECT_GT(without.read, 0);
}

}  // namespace warpgrade::timing::dram_demand_test_too

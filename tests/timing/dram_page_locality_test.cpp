// SPDX-License-Identifier: Apache-2.0
// Pages of DRAM (1024 bytes) that neighbouring blocks use together, by hand calculation.
#include "common/timing/dram_page_locality.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::dram_page_locality_test {

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

}  // namespace warpgrade::timing::dram_page_locality_test

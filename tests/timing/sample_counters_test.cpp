// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample_counters.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::sample_counters_test {

// Blocks that load 128 bytes each: 4 sectors.
void run_blocks(run::Observer& observer, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t address[32];
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.address = address;
  for (std::uint64_t block = begin; block < end; ++block) {
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      address[lane] = (std::uint64_t{1} << 40) + 128 * block + 4 * lane;
    }
    observer.on_block_begin(block);
    observer.on_memory(event);
    observer.on_block_end();
  }
}

std::uint64_t sectors(const SampleCounters& counters) {
  return counters.counters().total(run::Space::kGlobal, run::Operation::kLoad).sectors;
}

TEST(SampleCounters, CountsTheBlocksInItsRangesAlone) {
  SampleCounters counters(device::find("h200"), {{1, 3}, {7, 8}});
  counters.on_launch({});
  run_blocks(counters, 0, 10);
  EXPECT_EQ(12U, sectors(counters));
  EXPECT_EQ(3U, counters.blocks());
}

TEST(SampleCounters, AddsWhatItsForksCounted) {
  SampleCounters counters(device::find("h200"), {{1, 3}, {7, 8}});
  counters.on_launch({});
  for (const std::uint64_t begin : {0, 5}) {
    const auto fork = counters.fork();
    fork->on_launch({});
    run_blocks(*fork, begin, begin + 5);
    counters.join(*fork);
  }
  EXPECT_EQ(12U, sectors(counters));
}

}  // namespace warpgrade::timing::sample_counters_test

// SPDX-License-Identifier: Apache-2.0
// Wavefronts of loads that the assembler merges, compared with an H200's
// (tests/evidence/launches/h200_counters.csv).
#include "common/memory/wide_access.h"

#include <gtest/gtest.h>

#include "common/memory/shared_banks.h"

namespace warpgrade::memory::wide_access_test {

// Each lane i loads word `offset` of a row that begins at i * stride.
std::uint32_t wavefronts(std::int64_t stride, std::uint64_t offset) {
  std::array<std::uint64_t, 32> address{};
  for (std::size_t i = 0; i < address.size(); ++i) {
    address[i] = 256 + i * static_cast<std::uint64_t>(stride) + offset;
  }
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.stride = stride;
  event.address = address.data();
  const WideAccess wide(event, 16);
  const auto& moved = wide.event();
  return shared_access(device::SharedBanks::kThirtyTwo, {moved.address, moved.mask, moved.bytes})
      .wavefronts;
}

// product_tiled_32_1024: 32 loads of a column and 8 loads of four words of a row take 48
// wavefronts.
TEST(WideAccess, AllLanesOnFourWordsTakeTwoWavefronts) {
  EXPECT_EQ(48U, 32 + 8 * wavefronts(0, 0));
}

// layout_aos_to_soa: two loads, each of half a 32-byte structure, take 16 wavefronts.
TEST(WideAccess, HalvesOfStructuresConflict) { EXPECT_EQ(16U, 2 * wavefronts(32, 0)); }

TEST(WideAccess, BeginsAtItsOwnAlignment) { EXPECT_EQ(wavefronts(32, 0), wavefronts(32, 12)); }

}  // namespace warpgrade::memory::wide_access_test

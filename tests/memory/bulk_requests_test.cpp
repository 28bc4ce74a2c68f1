// SPDX-License-Identifier: Apache-2.0
// Bulk copies, split into requests of a warp.
#include "common/memory/bulk_requests.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"

namespace warpgrade::memory::bulk_requests_test {

struct Part {
  run::Space space{};
  run::Operation operation{};
  std::uint64_t address = 0;
  int lanes = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

run::BulkEvent copy(run::BulkEvent::Kind kind, std::uint64_t shared, std::uint64_t global,
                    std::uint32_t bytes) {
  run::BulkEvent event;
  event.kind = kind;
  event.shared = shared;
  event.global = global;
  event.bytes = bytes;
  return event;
}

std::vector<Part> parts(const run::BulkEvent& event) {
  std::vector<Part> all;
  for_each_bulk_request(event, [&](const run::MemoryEvent& part) {
    EXPECT_EQ(16, part.bytes);
    EXPECT_TRUE(part.is_bulk);
    all.push_back({part.space, part.operation, part.address[0], std::popcount(part.mask)});
  });
  return all;
}

TEST(BulkRequests, AreCutAtMultiplesOf512OfTheGlobalAddress) {
  using enum run::Space;
  using enum run::Operation;
  const std::vector<Part> expected = {{kGlobal, kLoad, 0x1100, 16}, {kShared, kStore, 64, 16},
                                      {kGlobal, kLoad, 0x1200, 32}, {kShared, kStore, 64 + 256, 32},
                                      {kGlobal, kLoad, 0x1400, 1},  {kShared, kStore, 64 + 768, 1}};
  EXPECT_EQ(expected, parts(copy(run::BulkEvent::Kind::kToShared, 64, 0x1100, 784)));
}

TEST(BulkRequests, ReadSharedMemoryFirstOnTheWayOut) {
  using enum run::Space;
  using enum run::Operation;
  const std::vector<Part> expected = {{kShared, kLoad, 0, 4}, {kGlobal, kStore, 0x1000, 4}};
  EXPECT_EQ(expected, parts(copy(run::BulkEvent::Kind::kToGlobal, 0, 0x1000, 64)));
}

TEST(BulkRequests, OfGroupsAreNone) {
  EXPECT_TRUE(parts(copy(run::BulkEvent::Kind::kCommit, 0, 0, 64)).empty());
}

// 784 bytes from an odd multiple of 16: 25 sectors of 32 bytes, by hand.
TEST(BulkCounters, CountSectorsBelowL1AndNoRequest) {
  const auto profile = device::find("h200");
  Counters counters(profile);
  counters.on_launch({});
  counters.on_block_begin(0);
  run::MemoryEvent part;
  part.is_bulk = true;
  part.mask = 1;
  const std::uint64_t address = 0x1110;
  part.address = &address;
  counters.on_memory(part);
  counters.on_bulk(copy(run::BulkEvent::Kind::kToShared, 0, 0x1110, 784));
  counters.on_bulk(copy(run::BulkEvent::Kind::kToGlobal, 0, 0x8000, 64));
  EXPECT_EQ(0U, counters.total(run::Space::kGlobal, run::Operation::kLoad).requests);
  EXPECT_EQ(25U, counters.missed_load_sectors());
  EXPECT_EQ(784U, counters.traffic().bytes_read);
  EXPECT_EQ(64U, counters.traffic().bytes_written);
}

}  // namespace warpgrade::memory::bulk_requests_test

// SPDX-License-Identifier: Apache-2.0
// wmma.load and wmma.store: the accesses that observers see, a store of loaded values, and faults.
// tests/evidence/golden/mma_test.cpp compares each lane's elements and the counts of accesses with
// an H200.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::wmma_memory_test {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class Accesses final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Accesses>(); }
  void join(run::Observer& other) override { seen = dynamic_cast<Accesses&>(other).seen; }
  void on_memory(const run::MemoryEvent& event) override {
    if (event.space == run::Space::kShared) seen.emplace_back(event.mask, event.bytes);
  }

  std::vector<std::pair<std::uint32_t, unsigned>> seen;
};

auto accesses(const std::string& body) {
  Accesses observer;
  PtxLaunch launch;
  launch.body = ".shared .align 32 .b8 room[4096];\nmov.u32 %r20, room;\n" + body;
  launch.options.observers.push_back(&observer);
  run_ptx(launch);
  return observer.seen;
}

const std::string kEight = " {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}";

TEST(WmmaAccesses, SharedHalvesComeAsFourTiles) {
  EXPECT_THAT(
      accesses("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16" + kEight + ", [%r20], 24;"),
      ElementsAre(std::pair(run::kFullMask, 16U)));
  EXPECT_THAT(accesses("wmma.load.b.sync.aligned.row.m32n8k16.shared.bf16 {%r1, %r2}, [%r20];"),
              ElementsAre(std::pair(0xffffU, 16U)));
}

TEST(WmmaAccesses, BytesOfAColumnComeOneByOne) {
  const auto seen =
      accesses("wmma.load.b.sync.aligned.row.m16n16k16.shared.s8 {%r1, %r2}, [%r20], 16;");
  EXPECT_EQ(8U, seen.size());
  EXPECT_THAT(seen, Each(std::pair(run::kFullMask, 1U)));
}

TEST(WmmaAccesses, PairsOfResultsAreOneAccessWhereTheyAreNeighbours) {
  const auto store = [](const char* layout) {
    return accesses(std::string("wmma.store.d.sync.aligned.") + layout +
                    ".m16n16k16.shared.f32 [%r20]," + kEight + ", 16;");
  };
  EXPECT_EQ(4U, store("row").size());
  EXPECT_THAT(store("row"), Each(std::pair(run::kFullMask, 8U)));
  EXPECT_EQ(8U, store("col").size());
}

TEST(Wmma, WhatIsStoredIsLoadedAgain) {
  for (const std::string layout : {"row", "col"}) {
    for (const std::string shape : {"m16n16k16", "m32n8k16", "m8n32k16"}) {
      const auto got = words(
          ".shared .align 32 .b8 room[2048];\nmov.u32 %r20, room;\n"
          "add.u32 %r5, %r29, 100;\nmov.u32 %r6, 7;\n"
          "wmma.store.d.sync.aligned." +
          layout + "." + shape +
          ".shared.f16 [%r20], {%r6, %r6, %r6, %r5}, 32;\n"
          "wmma.load.c.sync.aligned." +
          layout + "." + shape + ".shared.f16 {%r7, %r8, %r9, %r4}, [%r20], 32;");
      for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(100 + lane, got[lane]) << shape;
    }
  }
}

TEST(Wmma, TheLeadingDimensionIsAMultipleOfSixteenBytes) {
  EXPECT_THAT(fault(".shared .align 32 .b8 room[4096];\nmov.u32 %r20, room;\n"
                    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16" +
                    kEight + ", [%r20], 17;"),
              HasSubstr("17 elements of 2 bytes; it must be a multiple of 16 bytes"));
}

TEST(Wmma, ReachingPastABufferIsAFault) {
  EXPECT_THAT(fault("wmma.load.a.sync.aligned.row.m16n16k16.f16" + kEight + ", [%rd2], 64;"),
              HasSubstr("out_of_bounds"));
}

}  // namespace warpgrade::sim::wmma_memory_test

// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/uncommon/matrix_fragment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::matrix_fragment_test {

// Places of matrix elements in fragments, from the figures of the PTX ISA (9.7.14.5).

MatrixOp matrix(std::uint32_t m, std::uint32_t n, std::uint32_t k, Element source) {
  MatrixOp op;
  op.m = m;
  op.n = n;
  op.k = k;
  op.a = op.b = source;
  return op;
}

void expect_place(const Fragment& fragment, std::uint32_t unit, std::uint32_t lane,
                  std::uint32_t element, std::uint32_t outer, std::uint32_t inner) {
  const auto place = fragment.place(unit, lane, element);
  EXPECT_EQ(outer, place.outer);
  EXPECT_EQ(inner, place.inner);
}

TEST(Fragments, OfM16N8K16AreThoseOfTheManual) {
  const auto op = matrix(16, 8, 16, Element::kF16);
  const auto a = source_fragment(op, MatrixOp::Operand::kA);
  EXPECT_EQ(4U, a.units);
  expect_place(a, 1, 5, 1, 9, 3);   // a3: row groupID + 8, column 2 * threadID + 1
  expect_place(a, 2, 5, 0, 1, 10);  // a4: column + 8
  const auto b = source_fragment(op, MatrixOp::Operand::kB);
  EXPECT_EQ(2U, b.units);
  expect_place(b, 1, 5, 0, 1, 10);
  expect_place(result_fragment(op), 1, 5, 1, 9, 3);
}

TEST(Fragments, OfDoublesGoOnInK) {
  const auto op = matrix(16, 8, 8, Element::kF64);
  const auto a = source_fragment(op, MatrixOp::Operand::kA);
  expect_place(a, 1, 5, 0, 9, 1);
  expect_place(a, 2, 5, 0, 1, 5);
}

TEST(Fragments, WithThirtyTwoColumnsTheRolesAreExchanged) {
  const auto op = matrix(8, 32, 16, Element::kF16);
  expect_place(source_fragment(op, MatrixOp::Operand::kB), 4, 5, 0, 17, 2);
  expect_place(result_fragment(op), 2, 5, 1, 17, 3);
}

TEST(TransposeTile, ExchangesRowsAndColumns) {
  std::uint32_t words[run::kWarpSize];  // element (row, column) is 16 * row + column
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    const auto first = 16 * (lane / 4) + 2 * (lane % 4);
    words[lane] = first | (first + 1) << 16;
  }
  std::uint32_t turned[run::kWarpSize];
  transpose_tile(words, turned);
  EXPECT_EQ(0U | 16U << 16, turned[0]);
  EXPECT_EQ((16U * 4 + 7) | (16U * 5 + 7) << 16, turned[30]);
  std::uint32_t back[run::kWarpSize];
  transpose_tile(turned, back);
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) EXPECT_EQ(words[lane], back[lane]);
}

// ldmatrix, stmatrix and movmatrix: where elements go, and the faults of their addresses.

using testing::HasSubstr;

// 512 bytes of shared memory, in which byte i holds i modulo 256. %r20 is the address of the lane's
// row of 16 bytes.
const std::string kFilled =
    ".shared .align 16 .b8 room[512];\nmov.u32 %r20, room;\nmad.lo.u32 %r20, %r29, 16, %r20;\n"
    "mul.lo.u32 %r21, %r29, 0x10101010;\nadd.u32 %r21, %r21, 0x03020100;\n"
    "st.shared.u32 [%r20], %r21;\nadd.u32 %r21, %r21, 0x04040404;\n"
    "st.shared.u32 [%r20+4], %r21;\nadd.u32 %r21, %r21, 0x04040404;\n"
    "st.shared.u32 [%r20+8], %r21;\nadd.u32 %r21, %r21, 0x04040404;\n"
    "st.shared.u32 [%r20+12], %r21;\nbar.sync 0;\n";

TEST(Tiles, FourLanesHaveARowOfATile) {
  const auto got =
      words(kFilled + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r4, %r6, %r7}, [%r20];");
  // Tile 1: rows 8 to 15. Lane 5: row 9, bytes 4 to 7 of it.
  EXPECT_EQ(0x83828180U, got[0]);
  EXPECT_EQ(0x97969594U, got[5]);
}

TEST(Tiles, TransposedLanesHaveAColumn) {
  const auto got = words(kFilled + "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r4}, [%r20];");
  // Lane 5: column 1 (bytes 2 and 3), rows 2 and 3.
  EXPECT_EQ(0x33322322U, got[5]);
}

TEST(Tiles, MovingATileTransposesIt) {
  const auto got = words(
      "mad.lo.u32 %r5, %r29, 0x00020002, 0x00010000;"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r5;");
  // Element (row, column) is 8 * row + column. Lane 5: column 1, rows 2 and 3.
  EXPECT_EQ(25U << 16 | 17U, got[5]);
}

TEST(Tiles, AreStoredAsTheyAreLoaded) {
  for (const std::string trans : {"", ".trans"}) {
    const auto got = words(
        ".shared .align 16 .b8 room[256];\nmov.u32 %r20, room;\nmad.lo.u32 %r20, %r29, 16, %r20;\n"
        "add.u32 %r5, %r29, 100;\nmov.u32 %r6, 7;\n"
        "stmatrix.sync.aligned.m8n8.x2" +
        trans +
        ".shared.b16 [%r20], {%r6, %r5};\n"
        "ldmatrix.sync.aligned.m8n8.x2" +
        trans + ".shared.b16 {%r7, %r4}, [%r20];");
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(100 + lane, got[lane]);
  }
}

TEST(Tiles, RowsNeedSixteenBytesAlignedAndInside) {
  EXPECT_THAT(fault(kFilled + "add.u32 %r20, %r20, 8;\n"
                              "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r20];"),
              HasSubstr("misaligned"));
  EXPECT_THAT(fault(kFilled + "add.u32 %r20, %r20, 256;\n"
                              "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7},"
                              "[%r20];"),
              HasSubstr("out_of_bounds"));
}

// wmma.load and wmma.store: the accesses that observers see, a store of loaded values, and faults.
// tests/evidence/golden/mma_test.cpp compares each lane's elements and the counts of accesses with
// an H200.

using testing::Each;
using testing::ElementsAre;

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

}  // namespace warpgrade::sim::matrix_fragment_test

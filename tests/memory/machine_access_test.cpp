// SPDX-License-Identifier: Apache-2.0
#include "common/memory/machine_access.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/memory/metrics.h"
#include "common/memory/shared_banks.h"
#include "common/ptx/module.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::machine_access_test {

// Wavefronts of loads that the assembler merges, compared with an H200's
// (tests/evidence/launches/h200_counters.csv).

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

// The machine instruction of each PTX atomic. Expected values come from the sm_90 machine code of
// one kernel per operation.

using OnShared = AtomicForm::OnShared;

ptx::Module atomics_module(const std::string& body) {
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<3>;\n"
      ".reg .f64 %fd<3>;\n" +
          body + "\nret;\n}\n",
      "k.cu");
}

AtomicForm form(const std::string& body) {
  return atomic_forms(atomics_module(body).functions.at(0), device::find("h200")).at(0);
}

TEST(Atomics, AResultThatNobodyReadsMakesAReduction) {
  EXPECT_TRUE(form("atom.global.add.u32 %r1, [%rd1], %r2;").is_reduction);
  EXPECT_TRUE(form("red.global.add.u32 [%rd1], %r2;").is_reduction);
  EXPECT_FALSE(form("atom.global.add.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;").is_reduction);
  EXPECT_FALSE(
      form("atom.global.add.u64 %rd2, [%rd1], %rd3;\nst.global.u32 [%rd2], %r1;").is_reduction);
}

TEST(Atomics, AddingOneWithoutResultCountsLanes) {
  EXPECT_EQ(OnShared::kCount, form("atom.shared.add.u32 %r1, [%rd1], 1;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.add.u32 %r1, [%rd1], 2;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.add.u32 %r1, [%rd1], %r2;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne,
            form("atom.shared.add.u32 %r1, [%rd1], 1;\nadd.u32 %r3, %r1, 1;").on_shared);
}

TEST(Atomics, FloatsAnd64BitArithmeticLoop) {
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.add.f32 %f1, [%rd1], %f2;").on_shared);
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.add.f64 %fd1, [%rd1], %fd2;").on_shared);
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.min.u64 %rd2, [%rd1], %rd3;").on_shared);
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.and.b64 %rd2, [%rd1], %rd3;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.max.u32 %r2, [%rd1], %r3;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.exch.b64 %rd2, [%rd1], %rd3;").on_shared);
  EXPECT_EQ(OnShared::kCompareAndSwap,
            form("atom.shared.cas.b64 %rd2, [%rd1], 0, %rd3;").on_shared);
}

// From the sm_90 and sm_75 machine code of one kernel per operation.
TEST(Atomics, OneLaneDoesItForAllWhoseAddressIsKnownToBeOne) {
  const std::string counter = "mov.u64 %rd1, 4096;\n";
  const auto by_one_lane = [&](const std::string& body, const char* device = "h200") {
    const auto module = atomics_module(counter + body);
    return atomic_forms(module.functions.at(0), device::find(device)).at(1).by_one_lane;
  };
  EXPECT_TRUE(by_one_lane("red.global.add.u32 [%rd1], %r2;"));
  EXPECT_TRUE(by_one_lane("red.global.max.s32 [%rd1], %r2;"));
  EXPECT_TRUE(by_one_lane("atom.global.add.u32 %r1, [%rd1], 1;\nadd.u32 %r3, %r1, 1;"));
  EXPECT_TRUE(by_one_lane("atom.global.add.u64 %rd2, [%rd1], 1;"));
  EXPECT_FALSE(by_one_lane("atom.global.add.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;"));
  EXPECT_FALSE(by_one_lane("atom.global.max.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;"));
  EXPECT_FALSE(by_one_lane("red.global.add.u64 [%rd1], %rd2;"));
  EXPECT_FALSE(by_one_lane("red.global.add.f32 [%rd1], %f2;"));
  EXPECT_FALSE(by_one_lane("red.global.inc.u32 [%rd1], %r2;"));
  EXPECT_FALSE(by_one_lane("red.global.add.u32 [%rd3], %r2;"));
  EXPECT_FALSE(by_one_lane("red.shared.add.u32 [%rd1], 1;"));  // ATOMS.POPC.INC
  EXPECT_TRUE(by_one_lane("red.global.add.u32 [%rd1], 1;", "t4"));
  EXPECT_FALSE(by_one_lane("red.global.add.u32 [%rd1], %r2;", "t4"));  // no REDUX
  EXPECT_FALSE(by_one_lane("red.global.add.u32 [%rd1], 1;", "k40"));
}

TEST(Atomics, TheLastLaneStandsForThemAll) {
  const auto module = atomics_module("mov.u64 %rd1, 4096;\nred.global.add.u32 [%rd1], %r2;");
  const auto forms = atomic_forms(module.functions.at(0), device::find("h200"));
  run::MemoryEvent event;
  event.instruction = 1;
  event.operation = run::Operation::kReduction;
  event.mask = 0x70;
  EXPECT_EQ(0x40U, as_executed(forms[1], event).mask);
  EXPECT_EQ(0x70U, as_executed({}, event).mask);
}

TEST(Atomics, LoadsOfALoopCountAsSharedLoads) {
  const ptx::Module module = atomics_module("atom.shared.add.f32 %f1, [%rd1], %f2;");
  run::LaunchContext context;
  context.warps_per_block = 1;
  context.function = &module.functions.at(0);
  Counters counters(device::find("h200"));
  counters.on_launch(context);
  counters.on_block_begin(0);
  const auto fork = counters.fork();
  auto& part = dynamic_cast<Counters&>(*fork);
  access(part, 0, run::Space::kShared, run::Operation::kAtomic, lanes([](auto) { return 0; }), 4);
  counters.join(*fork);
  const Metrics all = metrics(counters, {}, {});
  EXPECT_EQ(32, all.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"));
  EXPECT_EQ(64, all.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"));
  EXPECT_EQ(32, all.at("warpgrade__shared_requests_op_ld.sum"));
  const std::vector<LineCounters> lines = by_line(counters, *context.function);
  ASSERT_EQ(2U, lines.size());
  EXPECT_EQ("shared load", name(lines[0].operation));
  EXPECT_EQ("shared reduction", name(lines[1].operation));
}

// Bulk copies, split into requests of a warp.

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

}  // namespace warpgrade::memory::machine_access_test

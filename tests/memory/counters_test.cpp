// SPDX-License-Identifier: Apache-2.0
#include "common/memory/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "common/memory/block_copies.h"
#include "common/memory/metrics.h"
#include "common/ptx/module.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::counters_test {

// The names of kinds of access in reports.

using run::Operation;
using run::Space;

TEST(MemoryOperation, HasTheNameThatReportsShow) {
  EXPECT_EQ("global load", name(MemoryOperation{Space::kGlobal, Operation::kLoad}));
  EXPECT_EQ("shared store", name(MemoryOperation{Space::kShared, Operation::kStore}));
  EXPECT_EQ("local load", name(MemoryOperation{Space::kLocal, Operation::kLoad}));
  EXPECT_EQ("global atomic", name(MemoryOperation{Space::kGlobal, Operation::kAtomic}));
  EXPECT_EQ("shared reduction", name(MemoryOperation{Space::kShared, Operation::kReduction}));
}

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

// Sums of Counters, which do not depend on how the blocks are divided among observers.

constexpr std::uint64_t kBase = 0x700000000000;
constexpr auto kBytesPerSectorLoaded =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";

Counters on(const char* device) {
  Counters counters(device::find(device));
  run::LaunchContext context;
  context.warps_per_block = 8;
  counters.on_launch(context);
  counters.on_block_begin(0);
  return counters;
}

Addresses floats(std::uint64_t first, std::uint64_t stride = 1) {
  return lanes([&](auto l) { return kBase + 4 * (first + l * stride); });
}

double metric(const Counters& counters, std::string_view name) {
  const Metrics all = metrics(counters, {}, {});
  return all.find(name)->second;
}

TEST(Counters, ABlockHitsWhatItLoadedBeforeAndTheNextBlockDoesNot) {
  auto counters = on("h200");
  load(counters, floats(0));
  load(counters, floats(0));
  EXPECT_EQ(4U + 2U, counters.traffic().l2_read_sectors);  // half of the 4 count twice (counters.h)
  counters.on_block_end();
  counters.on_block_begin(1);
  load(counters, floats(0));
  EXPECT_EQ(8U + 2U, counters.traffic().l2_read_sectors);
  EXPECT_EQ(12U, counters.total(Space::kGlobal, Operation::kLoad).sectors);
}

TEST(Counters, KeplerDoesNotCacheGlobalLoadsInL1) {
  auto counters = on("k40");
  load(counters, floats(0));
  load(counters, floats(0));
  EXPECT_EQ(8U, counters.traffic().l2_read_sectors);
  EXPECT_EQ(128U, counters.traffic().dram_read_bytes);
}

// Results for regular accesses are cached by stride, phase and width. No access may get another's
// result.
TEST(Counters, AccessesThatDifferInWidthOrPhaseOnlyAreToldApart) {
  auto counters = on("h200");
  load_shared(counters, lanes([](auto l) { return 16 * l; }), 4);
  EXPECT_EQ(4U, counters.total(Space::kShared, Operation::kLoad).wavefronts);
  load_shared(counters, lanes([](auto l) { return 16 * l; }), 16);  // conflict-free: four quarters
  EXPECT_EQ(4U + 4U, counters.total(Space::kShared, Operation::kLoad).wavefronts);
  EXPECT_EQ(3U + 0U, counters.total(Space::kShared, Operation::kLoad).conflicts);
  load_shared(counters, lanes([](auto l) { return 16 * l; }), 8);
  EXPECT_EQ(8U + 4U, counters.total(Space::kShared, Operation::kLoad).wavefronts);
  load(counters, lanes([](auto l) { return kBase + 16 * l; }), 4);
  load(counters, lanes([](auto l) { return kBase + 16 * l; }), 16);
  load(counters, lanes([](auto l) { return kBase + 8 + 16 * l; }), 16);
  EXPECT_EQ(16U + 16U + 17U, counters.total(Space::kGlobal, Operation::kLoad).sectors);
  EXPECT_EQ(128U + 512U + 512U, counters.total(Space::kGlobal, Operation::kLoad).used_bytes);
}

TEST(Counters, AVolatileLoadPassesL1By) {
  auto counters = on("h200");
  run::MemoryEvent event;
  const Addresses address = floats(0);
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.stride = 4;
  event.is_volatile = true;
  event.address = address.data();
  counters.on_memory(event);
  counters.on_memory(event);
  EXPECT_EQ(8U + 2U, counters.traffic().l2_read_sectors);
}

TEST(Counters, TheL1ShareOfABlockHoldsItsColumnsAndNotMore) {
  auto counters = on("h200");  // 8 warps per block: 8 blocks per SM, 31 KB each
  for (std::uint64_t round = 0; round < 2; ++round) {
    for (std::uint64_t row = 0; row < 4096; ++row) load(counters, floats(32 * row));
  }
  EXPECT_EQ(4 * 4096U * 2, counters.traffic().l2_read_sectors - 2 * 4096U);
}

TEST(Counters, DramIsReadInGranulesOf64BytesOnTheH200) {
  auto counters = on("h200");
  load(counters, floats(0, 16));
  EXPECT_EQ(32 * 64U, counters.traffic().dram_read_bytes);
  EXPECT_EQ(32U + 32U, counters.traffic().l2_read_sectors);
  EXPECT_EQ(128U, counters.traffic().bytes_read);
}

TEST(Counters, TheFootprintCountsEachByteOnce) {
  auto counters = on("h200");
  load(counters, floats(0));
  load(counters, floats(16));
  store(counters, floats(1000, 32));
  store(counters, floats(1000, 32));
  EXPECT_EQ(48 * 4U, counters.traffic().bytes_read);
  EXPECT_EQ(32 * 4U, counters.traffic().bytes_written);
  EXPECT_EQ(32 * 32U, counters.traffic().dirty_bytes);
}

TEST(Counters, WhatFitsL2IsNotWrittenToDramWithinTheLaunch) {
  auto counters = on("k40");
  const std::uint64_t l2 = device::find("k40").l2.bytes.value();
  for (std::uint64_t i = 0; i < l2 / 128; ++i) store(counters, floats(32 * i));
  EXPECT_EQ(0U, counters.traffic().dram_write_bytes);
  store(counters, floats(l2 / 4));
  EXPECT_EQ(128U, counters.traffic().dram_write_bytes);
}

TEST(Counters, AtomicsAreNeitherLoadsNorStores) {
  auto counters = on("h200");
  access(counters, 4, Space::kGlobal, Operation::kAtomic, floats(0), 4);
  access(counters, 5, Space::kGlobal, Operation::kReduction, floats(0), 4);
  EXPECT_EQ(0, metric(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(0, metric(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"));
  EXPECT_EQ(1, metric(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"));
  EXPECT_EQ(1, metric(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"));
  EXPECT_EQ(4, metric(counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"));
  EXPECT_EQ(128U, counters.traffic().bytes_read);
  EXPECT_EQ(128U, counters.traffic().bytes_written);
}

TEST(Counters, LocalMemoryHasItsOwnNames) {
  auto counters = on("h200");
  access(counters, 0, Space::kLocal, Operation::kStore, lanes([](auto) { return 16; }), 4);
  EXPECT_EQ(1, metric(counters, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"));
  EXPECT_EQ(4, metric(counters, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"));
  EXPECT_EQ(0, metric(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"));
}

// Each lane's two words are in two lines of 128 bytes: a request and four sectors each.
TEST(Counters, ALocalAccessOf8BytesIsTwoRequests) {
  auto counters = on("h200");
  access(counters, 0, Space::kLocal, Operation::kLoad, lanes([](auto) { return 16; }), 8);
  EXPECT_EQ(2, metric(counters, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"));
  EXPECT_EQ(8, metric(counters, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"));
}

TEST(Metrics, BytesPerSectorIs32AtBestForEveryWordSize) {
  for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U}) {
    auto counters = on("h200");
    load(counters, lanes([&](auto l) { return kBase + l * bytes; }), bytes);
    EXPECT_EQ(32, metric(counters, kBytesPerSectorLoaded)) << bytes;
  }
}

TEST(Metrics, BytesPerSectorIs4ForAColumnAndCannotBeInflatedByBroadcast) {
  auto column = on("h200");
  load(column, floats(0, 1024));
  EXPECT_EQ(4, metric(column, kBytesPerSectorLoaded));
  auto broadcast = on("h200");
  load(broadcast, floats(0, 0));
  EXPECT_EQ(4, metric(broadcast, kBytesPerSectorLoaded));
}

TEST(Metrics, ARatioOfLoadsIsAbsentWhereThereAreStoresOnly) {
  auto counters = on("h200");
  store(counters, floats(0));
  EXPECT_EQ(0U, metrics(counters, {}, {}).count(kBytesPerSectorLoaded));
}

TEST(Metrics, EveryNameIsListedAndEveryListedNameCanAppear) {
  auto counters = on("h200");
  load(counters, floats(0));
  store(counters, floats(0));
  std::vector<std::string> names;
  for (const auto& [name, value] : metrics(counters, {}, {})) names.push_back(name);
  EXPECT_EQ(metric_names(), names);
  EXPECT_THAT(names, testing::IsSupersetOf(
                         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                          "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                          "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                          "dram__bytes_read.sum", "dram__bytes_write.sum",
                          "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum",
                          "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
                          "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
                          "warpgrade__ptx_warp_instructions.sum",
                          "warpgrade__partition_imbalance.max_over_mean"}));
}

TEST(Metrics, InstructionsAreWarpsSummed) {
  auto counters = on("h200");
  run::Result result;
  result.instructions = {{3, 96}, {4, 100}};
  EXPECT_EQ(7, metrics(counters, {}, result).at("warpgrade__ptx_warp_instructions.sum"));
}

TEST(Metrics, DivisionsAreThoseOfIntegers) {
  auto counters = on("h200");
  ptx::Function function;
  for (const auto& [opcode, type] :
       {std::pair{ptx::Opcode::div, ptx::Type::kU32}, std::pair{ptx::Opcode::rem, ptx::Type::kS64},
        std::pair{ptx::Opcode::div, ptx::Type::kF32},
        std::pair{ptx::Opcode::mul, ptx::Type::kU32}}) {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.types[0] = type;
    function.instructions.push_back(instruction);
  }
  run::Result result;
  result.instructions = {{1, 32}, {2, 64}, {4, 128}, {8, 256}};
  EXPECT_EQ(3, metrics(counters, function, result).at("warpgrade__ptx_integer_divisions.sum"));
}

// Three warps start a copy of 16 bytes and commit it; a load from global memory is no copy.
TEST(CopyMetric, CountsAsynchronousCopiesPerWarp) {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
      "cp.async.cg.shared.global [%r1], [%rd1], 16;\ncp.async.commit_group;\n"
      "cp.async.wait_all;\nld.global.u32 %r2, [%rd1];\nret;\n}\n",
      "k.cu");
  const auto& function = module.functions.at(0);
  run::Result result;
  result.instructions.assign(function.instructions.size(), {3, 96});
  auto counters = on("h200");
  EXPECT_EQ(3, metrics(counters, function, result).at("smsp__inst_executed_op_ldgsts.sum"));
  EXPECT_FALSE(has_unit(device::find("t4"), "smsp__inst_executed_op_ldgsts.sum"));
}

TEST(BlockCopies, AreUnderWayUntilTheirGroupOrObjectIsWaitedFor) {
  std::array<std::uint64_t, 32> addresses{};
  std::array<std::uint64_t, 32> objects{};
  objects.fill(7);
  run::MemoryEvent store;
  store.mask = 1;
  store.bytes = 16;
  store.address = addresses.data();
  run::CopyEvent commit{.kind = run::CopyEvent::Kind::kCommit, .mask = run::kFullMask};
  run::CopyEvent wait{.kind = run::CopyEvent::Kind::kWait, .mask = run::kFullMask, .left = 1};
  run::CopyEvent track{.kind = run::CopyEvent::Kind::kTrack, .mask = 1, .object = objects.data()};
  run::OrderEvent acquire{.kind = run::OrderEvent::Kind::kAcquire, .warp = 1, .mask = 1};
  acquire.object = objects.data();

  memory::BlockCopies copies;
  EXPECT_FALSE(copies.are_under_way());
  copies.start(store);
  copies.note(commit);  // group 0
  copies.note(wait);
  EXPECT_TRUE(copies.are_under_way());
  copies.note(commit);  // group 1, without copies
  copies.note(wait);
  EXPECT_FALSE(copies.are_under_way());

  copies.start(store);
  wait.left = 0;
  copies.note(wait);
  EXPECT_TRUE(copies.are_under_way()) << "no group is closed that has the copy";
  copies.note(track);
  copies.note(commit);
  copies.note(wait);
  EXPECT_TRUE(copies.are_under_way()) << "the object has them now";
  copies.note(acquire);
  EXPECT_FALSE(copies.are_under_way());
}

// 32 lanes copy 16 bytes each to rows of 80 bytes, 64 of which are used. The same rows again, and
// stores elsewhere, fill no further byte; a second block has its own memory.
TEST(CopyMetric, CountsTheBytesThatCopiesFillOncePerBlock) {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
      "cp.async.cg.shared.global [%r1], [%rd1], 16;\nst.shared.u32 [%r1], %r2;\nret;\n}\n",
      "k.cu");
  run::LaunchContext context;
  context.function = &module.functions.at(0);
  context.warps_per_block = 1;
  auto counters = on("h200");
  counters.on_launch(context);
  std::array<std::uint64_t, 32> addresses{};
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    addresses.at(lane) = 1024 + lane / 4 * 80 + lane % 4 * 16;
  }
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.space = Space::kShared;
  event.operation = Operation::kStore;
  event.bytes = 16;
  event.address = addresses.data();
  const auto copied = [&] {
    return metrics(counters, *context.function, {}).at("warpgrade__shared_bytes_copied.sum");
  };
  counters.on_block_begin(0);
  counters.on_memory(event);
  counters.on_memory(event);
  EXPECT_EQ(512, copied());
  for (auto& address : addresses) address += 4096;
  event.instruction = 1;
  counters.on_memory(event);
  EXPECT_EQ(512, copied());
  for (auto& address : addresses) address -= 4096;
  counters.on_block_begin(1);
  event.instruction = 0;
  counters.on_memory(event);
  EXPECT_EQ(1024, copied());
  // An H200 counts no copy as a store.
  const auto all = metrics(counters, *context.function, {});
  EXPECT_EQ(1, all.at("warpgrade__shared_requests_op_st.sum"));
}

// Rows of 2048 floats are 8192 bytes, 32 partition widths: a column stays in one of 8 partitions.
TEST(Metrics, AColumnCampsOnOnePartitionOfAGtx280) {
  auto counters = on("gtx280");
  load(counters, floats(0, 2048));
  EXPECT_EQ(8, metric(counters, "warpgrade__partition_imbalance.max_over_mean"));
  auto even = on("gtx280");
  for (std::uint64_t i = 0; i < 16; ++i) load(even, floats(32 * i));
  EXPECT_EQ(1, metric(even, "warpgrade__partition_imbalance.max_over_mean"));
  auto hashed = on("k40");
  load(hashed, floats(0, 2048));
  EXPECT_EQ(1, metric(hashed, "warpgrade__partition_imbalance.max_over_mean"));
}

TEST(Metrics, Gt200CountsHalfWarpsAndMovesWhatItsTransactionsHold) {
  auto counters = on("gtx280");
  load(counters, floats(33));  // 132 bytes in: transactions of 128, 64 and 32 bytes
  EXPECT_EQ(2, metric(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(7, metric(counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(224, metric(counters, "dram__bytes_read.sum"));
  EXPECT_EQ(0, metric(counters, "lts__t_sectors_op_read.sum"));
}

/// Block `b` reads a column of tiles and writes a row, with shared memory and a barrier.
void run_block(run::Observer& observer, std::uint64_t b) {
  auto& counters = dynamic_cast<Counters&>(observer);
  counters.on_block_begin(b);
  for (std::uint64_t i = 0; i < 16; ++i) {
    load(counters, floats(i * 1024 + b * 8, 64));
    store_shared(counters, lanes([&](auto l) { return l * 4 * (b + 1); }));
    load_shared(counters, lanes([&](auto l) { return l * l * 4; }));
    store(counters, floats(1000000 + b * 500 + i * 32));
  }
  run::BarrierEvent barrier;
  counters.on_barrier(barrier);
  counters.on_block_end();
}

TEST(Counters, ForksJoinToTheSameWhateverTheirNumber) {
  for (const char* device : {"h200", "k40", "c1060"}) {
    auto alone = on(device);
    for (std::uint64_t b = 0; b < 12; ++b) run_block(alone, b);
    for (const std::uint64_t forks : {1U, 2U, 3U, 5U}) {
      auto joined = on(device);
      std::vector<std::unique_ptr<run::Observer>> parts;
      for (std::uint64_t f = 0; f < forks; ++f) parts.push_back(joined.fork());
      for (std::uint64_t b = 0; b < 12; ++b) run_block(*parts[b % forks], b);
      for (auto& part : parts) joined.join(*part);
      EXPECT_EQ(alone.instructions(), joined.instructions());
      EXPECT_EQ(alone.traffic(), joined.traffic());
      EXPECT_EQ(alone.partition_bytes(), joined.partition_bytes());
    }
  }
}

// Each lane loads four adjacent words, one by one, and lanes are 16 bytes apart, so each load is
// 4-way. Machine code that loads the words at once has 4 wavefronts and no conflict
// (layout_aos_to_soa, on two cards).
TEST(Counters, WordsThatMachineCodeLoadsAtOnceCountAsOneLoad) {
  constexpr std::uint8_t kMerged = MachineAccess::kMerged;
  const auto count = [](MachineAccesses machine) {
    Counters counters(device::find("h200"), std::move(machine));
    counters.on_launch({});
    counters.on_block_begin(0);
    for (std::uint32_t word = 0; word < 4; ++word) {
      const auto addresses = lanes([&](auto l) { return 16 * l + 4 * word; });
      run::MemoryEvent event;
      event.instruction = word;
      event.mask = run::kFullMask;
      event.space = Space::kShared;
      event.operation = Operation::kLoad;
      event.bytes = 4;
      event.stride = 16;
      event.address = addresses.data();
      counters.on_memory(event);
    }
    return counters.total(Space::kShared, Operation::kLoad);
  };
  EXPECT_EQ(16U, count({}).wavefronts);
  EXPECT_EQ(12U, count({}).conflicts);
  const auto joined = count({{16}, {kMerged}, {kMerged}, {kMerged}});
  EXPECT_EQ(1U, joined.requests);
  EXPECT_EQ(4U, joined.wavefronts);
  EXPECT_EQ(0U, joined.conflicts);
}

TEST(Counters, AnArrayInRegistersIsNotAccessed) {
  Counters counters(device::find("h200"), {{.is_register = true}, {}});
  counters.on_launch({});
  counters.on_block_begin(0);
  const auto addresses = lanes([](auto) { return 0; });
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.space = Space::kLocal;
  event.operation = Operation::kStore;
  event.bytes = 4;
  event.address = addresses.data();
  counters.on_memory(event);
  EXPECT_EQ(0U, counters.total(Space::kLocal, Operation::kStore).requests);
  event.instruction = 1;
  counters.on_memory(event);
  EXPECT_EQ(1U, counters.total(Space::kLocal, Operation::kStore).requests);
}

TEST(Counters, AnotherLaunchStartsAfresh) {
  auto counters = on("h200");
  run_block(counters, 0);
  counters.on_launch({});
  EXPECT_EQ(0U, counters.total(Space::kGlobal, Operation::kLoad).requests);
  EXPECT_EQ(Traffic{}, counters.traffic());
}

TEST(ByLine, RowsAreLinesAndOperationsInSourceOrder) {
  ptx::Function function;
  function.locations = {{}, {"a.cu", 7, 3}, {"a.cu", 5, 1}};
  function.instructions.resize(5);
  for (const std::size_t i : {0U, 1U, 4U}) function.instructions[i].location = 1;
  function.instructions[2].location = 2;
  auto counters = on("h200");
  load(counters, floats(0));                                             // instruction 0, line 7
  store(counters, floats(0, 2));                                         // instruction 1, line 7
  load_shared(counters, lanes([](auto l) { return 4 * l; }));            // instruction 2, line 5
  access(counters, 4, Space::kGlobal, Operation::kLoad, floats(64), 4);  // line 7
  const std::vector<LineCounters> lines = by_line(counters, function);
  ASSERT_EQ(3U, lines.size());
  EXPECT_EQ("shared load", name(lines[0].operation));
  EXPECT_EQ(5U, lines[0].line);
  EXPECT_EQ(1U, lines[0].wavefronts);
  EXPECT_EQ("global load", name(lines[1].operation));
  EXPECT_EQ("a.cu", lines[1].file);
  EXPECT_EQ(7U, lines[1].line);
  EXPECT_EQ(2U, lines[1].requests);
  EXPECT_EQ(8U, lines[1].sectors);
  EXPECT_EQ("global store", name(lines[2].operation));
  EXPECT_EQ(8U, lines[2].sectors);
}

TEST(ByLine, AGenericInstructionHasARowForEachSpace) {
  ptx::Function function;
  function.locations = {{}};
  function.instructions.resize(1);
  auto counters = on("h200");
  access(counters, 0, Space::kShared, Operation::kLoad, lanes([](auto l) { return 4 * l; }), 4);
  access(counters, 0, Space::kGlobal, Operation::kLoad, floats(0), 4);
  const std::vector<LineCounters> lines = by_line(counters, function);
  ASSERT_EQ(2U, lines.size());
  EXPECT_EQ("global load", name(lines[0].operation));
  EXPECT_EQ("shared load", name(lines[1].operation));
}

}  // namespace warpgrade::memory::counters_test

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/simulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/timing/trace.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::simulation_test {

// Latencies of memory's answers, calculated by hand and compared with an H200's
// (tests/evidence/golden/h200_memory).

double mean(AnswerLatency& latency, std::uint32_t pages, double dram_share, double load = 0,
            double together = 0) {
  constexpr int kDraws = 20000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += latency.next(pages, 0, dram_share, together, load);
  return sum / kDraws;
}

TEST(AnswerLatency, WithoutATailItIsThatOfL2OrOfDram) {
  AnswerLatency latency(100, 500, 700, 0);
  EXPECT_DOUBLE_EQ(100, latency.next(8, 0, 0, 0, 1));
  EXPECT_DOUBLE_EQ(500, latency.next(8, 0, 1, 0, 0));
  EXPECT_DOUBLE_EQ(600, latency.next(8, 0, 1, 0, 0.5));
}

// A quarter of the lines come from DRAM. A request for two lines waits for DRAM with a probability
// of 1 - (3/4)^2.
TEST(AnswerLatency, OneLineFromDramIsEnoughToWait) {
  AnswerLatency latency(100, 500, 500, 0);
  EXPECT_NEAR(200, mean(latency, 1, 0.25), 5);
  EXPECT_NEAR(100 + 400 * 7 / 16.0, mean(latency, 2, 0.25), 5);
}

// Others have asked DRAM for a line at any moment of the last 400 clocks, so half of them are left
// on average; of three lines, the last one takes 3/4.
TEST(AnswerLatency, WhatOthersFetchIsWaitedFor) {
  AnswerLatency latency(100, 500, 500, 0);
  EXPECT_NEAR(100 + 400 / 2.0, mean(latency, 1, 0, 0, 1), 5);
  EXPECT_NEAR(100 + 400 * 3 / 4.0, mean(latency, 3, 0, 0, 1), 5);
  EXPECT_NEAR(100 + 400 / 4.0, mean(latency, 1, 0, 0, 0.5), 5);
}

// The largest of n exponential numbers is 1 + 1/2 + ... + 1/n on average: 1, 2.083, 4.058.
TEST(AnswerLatency, TheLastOfManyComesLater) {
  AnswerLatency latency(100, 500, 500, 120);
  EXPECT_NEAR(500, mean(latency, 1, 1), 6);
  EXPECT_NEAR(500 + 120 * 1.083, mean(latency, 4, 1), 6);
  EXPECT_NEAR(500 + 120 * 3.058, mean(latency, 32, 1), 6);
}

TEST(AnswerLatency, LinesOfOnePageTakeTheSame) {
  AnswerLatency latency(100, 500, 500, 120);
  const double first = latency.next(1, 12345, 1, 0, 0);
  EXPECT_DOUBLE_EQ(first, latency.next(1, 12345, 1, 0, 0));
  EXPECT_NE(first, latency.next(1, 2123456789, 1, 0, 0));
}

// Clocks that a warp waited for this many random places of 1 GB, on an otherwise idle H200. They
// include the way to L2, about 20 clocks, which the model has in its queues.
TEST(AnswerLatency, IsThatOfAnH200) {
  const auto& h200 = device::find("h200");
  const double clock = h200.sm.clock_hz;
  AnswerLatency latency(h200.l2.latency_seconds * clock, h200.dram.latency_seconds * clock,
                        h200.dram.loaded_latency_seconds * clock,
                        h200.dram.latency_tail_seconds * clock);
  std::ifstream file(WARPGRADE_H200_MEMORY "/memory.csv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string part;
    std::string name;
    std::string blocks;
    std::string value;
    std::getline(in, part, ',');
    std::getline(in, name, ',');
    std::getline(in, blocks, ',');
    std::getline(in, value, ',');
    if (part != "dram places" || name.find(" mean") == std::string::npos) continue;
    const double measured = std::stod(value);
    const auto places = static_cast<std::uint32_t>(std::stoul(name));
    EXPECT_NEAR(measured, 20 + mean(latency, places, 1), 0.05 * measured) << line;
    ++rows;
  }
  EXPECT_EQ(12, rows);
}

// A trace of four rows of blocks on two of a chip's 20 multiprocessors. `pieces` has the piece that
// each block updates.
AtomicSharing sharing(const std::vector<std::uint64_t>& pieces,
                      AtomicSharing::Place place = &BlockAtomicWork::piece) {
  Trace trace;
  for (std::uint64_t i = 0; i < pieces.size(); ++i) {
    BlockTrace block;
    block.linear = i / 2 * 20 + i % 2;
    block.atomic_works.push_back({pieces[i], 100 + i / 2, 1, 0});
    trace.blocks.push_back(block);
  }
  return {trace, place, 20, 0.1};
}

TEST(AtomicSharing, ACounterOfAllBlocksIsThatOfTheWholeChip) {
  EXPECT_DOUBLE_EQ(10, sharing({7, 7, 7, 7, 7, 7, 7, 7}).at(7));
}

TEST(AtomicSharing, APieceOfBlocksBesideOneAnotherIsTheirs) {
  const auto found = sharing({1, 1, 2, 2, 3, 3, 4, 4});
  EXPECT_DOUBLE_EQ(1, found.at(1));
  EXPECT_DOUBLE_EQ(1, found.at(4));
  EXPECT_DOUBLE_EQ(1, found.at(99));
}

// Sums of floats in different sectors of one piece do not wait for each other.
TEST(AtomicSharing, SectorsOfAPieceHaveTheirOwnBlocks) {
  EXPECT_DOUBLE_EQ(1, sharing({7, 7, 7, 7, 7, 7, 7, 7}, &BlockAtomicWork::sector).at(100));
}

// Two of the four rows update piece 1. Besides one known row, a third of the other three rows do,
// so 13 of the 39 other rows on the chip do, too: 14 times a row's work. In the sample it is 2.
TEST(AtomicSharing, APieceOfSomeRowsIsThatOfAsManyElsewhere) {
  EXPECT_DOUBLE_EQ(7, sharing({1, 1, 2, 2, 1, 1, 3, 3}).at(1));
}

// Queues of partitions that interleave addresses plainly, with times calculated by hand.

// Four partitions take turns every 256 bytes, and each moves a byte per clock. A clock takes one
// second.
device::Profile machine() {
  device::Profile p;
  p.sm.clock_hz = 1;
  p.dram.partitions = 4;
  p.dram.partition_width = 256;
  p.dram.bytes_per_second = 4;
  p.dram.efficiency = 1;
  p.dram.partition_queue_bytes = 64;
  p.dram.banks = 0;
  return p;
}

memory::Transaction at(std::uint64_t address, std::uint32_t bytes = 32) {
  memory::Transaction transaction;
  transaction.address = address;
  transaction.bytes = static_cast<decltype(transaction.bytes)>(bytes);
  return transaction;
}

TEST(Partitions, TransactionsOfOnePartitionWaitForEachOther) {
  Partitions partitions(machine());
  EXPECT_EQ(32, partitions.serve(0, at(0)));
  EXPECT_EQ(64, partitions.serve(0, at(64)));
  EXPECT_EQ(96, partitions.serve(10, at(1024)));  // the next piece of the same partition
}

TEST(Partitions, OthersAreServedAtTheSameTime) {
  Partitions partitions(machine());
  for (std::uint64_t piece = 0; piece < 4; ++piece) {
    EXPECT_EQ(32, partitions.serve(0, at(256 * piece)));
  }
  EXPECT_EQ(32, partitions.mean_busy());
  EXPECT_EQ(32, partitions.busiest());
}

TEST(Partitions, WhereOneDoesAllTheWorkTheMeanIsAQuarter) {
  Partitions partitions(machine());
  for (int i = 0; i < 4; ++i) partitions.serve(0, at(0));
  EXPECT_EQ(32, partitions.mean_busy());
  EXPECT_EQ(128, partitions.busiest());
}

TEST(Partitions, AFullQueueAdmitsLater) {
  Partitions partitions(machine());
  EXPECT_EQ(5, partitions.admission(5, at(0)));
  for (int i = 0; i < 4; ++i) partitions.serve(0, at(0));  // busy until 128
  EXPECT_EQ(64, partitions.admission(5, at(0)));           // 64 bytes may wait
  EXPECT_EQ(100, partitions.admission(100, at(0)));
  EXPECT_EQ(5, partitions.admission(5, at(256)));
}

TEST(Partitions, AnIdlePartitionStartsAtTheArrival) {
  Partitions partitions(machine());
  EXPECT_EQ(1032, partitions.serve(1000, at(0)));
}

TEST(Partitions, APageThatIsNotOpenCostsItsTime) {
  auto profile = machine();
  profile.dram.banks = 1;
  profile.dram.page_bytes = 512;
  profile.dram.page_seconds = 7;
  Partitions partitions(profile);
  EXPECT_EQ(39, partitions.serve(0, at(0)));
  EXPECT_EQ(71, partitions.serve(0, at(32)));     // the same page
  EXPECT_EQ(103, partitions.serve(0, at(1024)));  // bytes 256 to 511 of the partition
  EXPECT_EQ(142, partitions.serve(0, at(2048)));  // another page
}

TEST(Partitions, WithoutAnyNothingIsBusy) {
  auto profile = machine();
  profile.dram.partitions.reset();
  const Partitions partitions(profile);
  EXPECT_EQ(0, partitions.mean_busy());
  EXPECT_EQ(0, partitions.busiest());
}

}  // namespace warpgrade::timing::simulation_test

namespace warpgrade::timing::simulation_test_too {

// The simulation on hand-written programs, with times calculated by hand.

// One multiprocessor with a clock of one second, so that times read as clocks.
device::Profile machine() {
  device::Profile p;
  p.sm.count = 1;
  p.sm.clock_hz = 1;
  p.sm.schedulers = 1;
  p.sm.warp_instructions_per_clock = 1;
  p.dram.bytes_per_second = 32;  // a sector a clock
  p.dram.efficiency = 1;
  p.l2.sectors_per_clock = 4;
  p.sm.port_bytes_per_clock = 128;
  p.l1.tag_lookups_per_clock = 1;
  p.shared.wavefronts_per_clock = 1;
  p.l2.latency_seconds = 100;
  p.dram.latency_seconds = 500;
  p.dram.loaded_latency_seconds = 500;
  p.shared.latency_seconds = 20;
  p.sm.barrier_clocks = 10;
  p.sm.barrier_clocks_per_warp = 2;
  return p;
}

constexpr Step compute(std::uint16_t slots, std::uint32_t clocks) {
  return {Step::Kind::kCompute, slots, clocks};
}
constexpr Step request(std::uint32_t number) { return {Step::Kind::kRequest, 0, number}; }
constexpr Step wait(std::uint32_t number) { return {Step::Kind::kWait, 0, number}; }
constexpr Step kMeet = {Step::Kind::kBarrier, 0, 0};

TracedAccess load(std::uint16_t sectors) {
  TracedAccess r;
  r.kind = TracedAccess::Kind::kLoad;
  r.lines = static_cast<std::uint16_t>((sectors + 3) / 4);
  r.sectors = sectors;
  return r;
}

/// `blocks` blocks of `warps` warps that all run `program` with `requests`.
Trace trace(const WarpProgram& program, const std::vector<TracedAccess>& requests,
            std::size_t blocks = 1, std::size_t warps = 1) {
  Trace trace;
  trace.programs.push_back(program);
  for (std::size_t b = 0; b < blocks; ++b) {
    BlockTrace block;
    block.linear = b;
    block.warps.assign(warps, {});
    block.requests = requests;
    trace.blocks.push_back(block);
  }
  return trace;
}

SimulatedTime run(const device::Profile& profile, const Trace& trace, std::uint32_t resident = 1) {
  Rates rates;
  rates.resident = resident;
  return simulate(profile, whole_launch(profile, trace.blocks.size()), rates, trace);
}

/// A warp's atomic on one sector. On machine_of_atomics() a pass takes two clocks, and floats can
/// be added to a sector every five clocks.
TracedAccess atomic() {
  TracedAccess add;
  add.kind = TracedAccess::Kind::kAtomic;
  add.lines = add.sectors = 1;
  add.atomic_works = 1;
  return add;
}
device::Profile machine_of_atomics() {
  device::Profile p = machine();
  p.l2.atomic_units = 4;
  p.l2.atomic_pass_seconds = 2;
  p.l2.atomic_float_again_seconds = 5;
  return p;
}
/// The busy time of a unit; a block for each of `works`, one after the other.
double busy_with(const std::vector<BlockAtomicWork>& works,
                 const device::Profile& p = machine_of_atomics()) {
  const auto blocks = works.size();
  Trace all = trace({request(0)}, {atomic()}, blocks);
  for (std::size_t b = 0; b < blocks; ++b) all.blocks[b].atomic_works = {works[b]};
  return run(p, all, static_cast<std::uint32_t>(blocks)).busy.atomic_unit;
}

// 32 lanes of two warps add to one word each.
TEST(Simulation, AtomicsOnOneWordGoOneAfterTheOther) {
  EXPECT_DOUBLE_EQ(128, busy_with({{8, 0, 0, 32}, {8, 0, 0, 32}}));
  EXPECT_DOUBLE_EQ(64, busy_with({{8, 0, 0, 32}, {9, 0, 0, 32}}));
  EXPECT_DOUBLE_EQ(128, busy_with({{8, 0, 0, 32}, {12, 0, 0, 32}}));  // one of four units
}

// 32 lanes add floats to one word: 64 clocks of the unit, and the sum is ready after 160.
TEST(Simulation, ASumOfFloatsIsReadyBeforeTheNextNumberIsAdded) {
  EXPECT_DOUBLE_EQ(160 + 64, busy_with({{8, 128, 0, 32}, {8, 128, 0, 32}}));
  EXPECT_DOUBLE_EQ(64 + 64, busy_with({{8, 128, 0, 32}, {8, 129, 0, 32}}));
  // The third warp waits for the first one's sum, and the fourth waits behind it.
  EXPECT_DOUBLE_EQ(160 + 64 + 64,
                   busy_with({{8, 128, 0, 32}, {8, 129, 0, 32}, {8, 128, 0, 32}, {8, 130, 0, 32}}));
  // Single lanes add to one word: 5 + 5 + 2 clocks.
  EXPECT_DOUBLE_EQ(12, busy_with({{8, 128, 1, 0}, {8, 128, 1, 0}, {8, 128, 1, 0}}));
}

// All lanes of a warp add a float to one word, of 8, 16, 32 or 64 at random. Measured on an H200,
// in nanoseconds per warp (tests/evidence/golden/README.md).
TEST(Simulation, SumsOfFloatsOnAFewSectorsOverlapAsOnAnH200) {
  const std::pair<std::uint64_t, double> measured[] = {{1, 56.4}, {2, 41.2}, {4, 31.1}, {8, 25.5}};
  const auto& h200 = device::find("h200");
  auto p = machine_of_atomics();
  p.l2.atomic_pass_seconds = h200.l2.atomic_pass_seconds * 1e9;
  p.l2.atomic_float_again_seconds = h200.l2.atomic_float_again_seconds * 1e9;
  for (const auto& [sectors, nanoseconds] : measured) {
    std::mt19937 random(1);
    std::vector<BlockAtomicWork> works;
    for (int warp = 0; warp < 1000; ++warp) works.push_back({8, 128 + random() % sectors, 0, 32});
    EXPECT_NEAR(nanoseconds, busy_with(works, p) / 1000, 0.09 * nanoseconds) << sectors;
  }
}

// 100 sectors of a warp need a clock each, or 1.5 if their results return.
TEST(Simulation, AtomicsThatReturnNeedLongerInL2) {
  device::Profile p = machine();
  p.l2.atomic_sectors_per_second = 1;
  p.l2.atomic_returned = 1.5;
  TracedAccess add = atomic();
  add.atomic_works = 0;
  add.sectors = 100;
  EXPECT_DOUBLE_EQ(100, run(p, trace({request(0)}, {add})).busy.l2);
  add.returns = true;
  EXPECT_DOUBLE_EQ(150, run(p, trace({request(0)}, {add})).busy.l2);
}

// A load of 17 sectors in as many lines: 17 * 32 / 128 clocks of the port for the bytes, or 17 * 2
// if the SM requests a line every two clocks.
TEST(Simulation, LinesOfALoadPassThePortAtTheirOwnRate) {
  device::Profile p = machine();
  TracedAccess scattered = load(17);
  scattered.lines = 17;
  EXPECT_DOUBLE_EQ(4.25, run(p, trace({request(0)}, {scattered})).busy.port);
  p.sm.port_lines_per_clock = 0.5;
  EXPECT_DOUBLE_EQ(34, run(p, trace({request(0)}, {scattered})).busy.port);
  EXPECT_DOUBLE_EQ(2, run(p, trace({request(0)}, {load(4)})).busy.port);
}

TEST(Simulation, AStepTakesItsLatencyOrItsSlots) {
  EXPECT_DOUBLE_EQ(40, run(machine(), trace({compute(10, 40)}, {})).seconds);
  // Four warps of ten slots each share one scheduler; none of them needs more.
  EXPECT_DOUBLE_EQ(40, run(machine(), trace({compute(10, 10)}, {}, 1, 4)).seconds);
}

// Eight values occupy the stage for 16 clocks. The result arrives 8 * 9 clocks later, plus 20
// clocks for shared memory.
TEST(Simulation, AMatchPassesTheStageOfSharedMemoryValueByValue) {
  device::Profile p = machine();
  p.sm.pipes.match_clocks = 2;
  p.sm.pipes.match_latency_clocks = 9;
  TracedAccess match;
  match.kind = TracedAccess::Kind::kShared;
  match.values = 8;
  const auto one = run(p, trace({request(0), wait(0)}, {match}));
  EXPECT_DOUBLE_EQ(16 + 20 + 72, one.seconds);
  EXPECT_DOUBLE_EQ(16, one.busy.shared);
  EXPECT_DOUBLE_EQ(4 * 16 + 20 + 72, run(p, trace({request(0), wait(0)}, {match}, 1, 4)).seconds);
}

// Tag 1, port 1, L2 1, DRAM 4, latency 500.
TEST(Simulation, ALoadThatIsWaitedForTakesDramsLatency) {
  EXPECT_DOUBLE_EQ(507, run(machine(), trace({request(0), wait(0)}, {load(4)})).seconds);
}

TEST(Simulation, LoadsInFlightTogetherWaitOnce) {
  const auto both = trace({request(0), request(1), wait(0), wait(1)}, {load(4), load(4)});
  const auto in_turn = trace({request(0), wait(0), request(1), wait(1)}, {load(4), load(4)});
  EXPECT_DOUBLE_EQ(511, run(machine(), both).seconds);
  EXPECT_DOUBLE_EQ(2 * 507, run(machine(), in_turn).seconds);
}

/// The program that the assembler makes of `n` loads of pointers, each followed by a load through
/// it, and `n` additions of the loaded values. The pointers are requests 0 to n - 1.
WarpProgram gathers(std::uint32_t n) {
  std::string body;
  std::string uses;
  for (std::uint32_t i = 1; i <= n; ++i) {
    body += fmt::format("ld.global.u64 %rd{0}, [%rd0+{1}];\nld.global.f32 %f{0}, [%rd{0}];\n", i,
                        8 * i);
    uses += fmt::format("add.f32 %g{0}, %f{0}, %g0;\n", i);
  }
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .f32 %f<99>;\n.reg .f32 %g<99>;\n.reg .b64 %rd<99>;\n" +
          body + uses + "}\n",
      "k.ptx");
  Programs programs;
  programs.start(machine_code(module.functions.at(0), device::find("h200")));
  std::vector<Executed> stretch;
  for (std::uint32_t i = 0; i < 3 * n; ++i) stretch.push_back({i, i < 2 * n ? 1U : 0U, false});
  Programs::Path path;
  programs.extend(path, stretch);
  std::vector<WarpProgram> all;
  return all.at(programs.number_of(path, all));
}

// A load issues (1 clock), is accepted (1 more until the warp goes on), and passes tags (1), port
// (1/4), L2 (1/4), DRAM (1) and 500 clocks of latency. Pointer k of 16 is requested at 2 k and
// arrives at 2 k + 503.5. Then the element is requested, and arrives at 2 k + 1007. The last one is
// used at 2 x 15 + 1007 + 1. One pair of loads after the other would need 16 x 1007.
TEST(Simulation, AWarpThatGathersSixteenElementsWaitsForDramTwice) {
  const std::vector<TracedAccess> requests(32, load(1));
  EXPECT_NEAR(1038, run(machine(), trace(gathers(16), requests)).seconds, 1);
}

TEST(Simulation, WhatHitsL2TakesItsLatencyAndNoDram) {
  const auto profile = machine();
  const auto one = trace({request(0), wait(0)}, {load(4)});
  Rates rates;
  rates.dram_read_share = 0;
  const auto outcome = simulate(profile, whole_launch(profile, 1), rates, one);
  EXPECT_DOUBLE_EQ(1 + 1 + 1 + 100, outcome.seconds);
  EXPECT_DOUBLE_EQ(0, outcome.busy.dram);
}

// A store writes all four sectors of two lines, or one word of each: a line with partly written
// sectors takes the time of one more sector. On an H200, L2 takes 10.9, 15.9 and 31.0 ps for lines
// of 1, 2 and 4 whole sectors, and 14.8, 22.2 and 35.7 ps for partly written ones
// (tests/evidence/golden/h200_memory).
TEST(Simulation, ALineWithPartlyWrittenSectorsTakesOneMoreSectorsTimeInL2) {
  device::Profile p = machine();
  p.l2.store_lines_per_second = 0.5;
  p.l2.stored_sectors_per_second = 1;
  p.sm.port_stored_bytes_per_clock = 128;
  TracedAccess store;
  store.kind = TracedAccess::Kind::kStore;
  const auto clocks = [&](std::uint16_t lines, std::uint16_t sectors, std::uint16_t partial) {
    store.lines = lines;
    store.sectors = sectors;
    store.partial = partial;
    return run(p, trace({request(0)}, {store})).busy.l2_stores;
  };
  EXPECT_DOUBLE_EQ(8, clocks(2, 8, 0));
  EXPECT_DOUBLE_EQ(9, clocks(2, 8, 1));
  EXPECT_DOUBLE_EQ(10, clocks(2, 8, 8));
  EXPECT_DOUBLE_EQ(64, clocks(32, 32, 32));
  EXPECT_DOUBLE_EQ(64, clocks(32, 32, 0));  // limited by lines alone
  // Earlier stores of the warp sent all sectors of all but two lines.
  EXPECT_DOUBLE_EQ(4, clocks(32, 2, 2));
}

// The same rule, with a clock per sector, gives the clocks in which an H200's L2 received stores.
TEST(Simulation, L2ReceivesStoresInTheClocksOfAnH200) {
  device::Profile p = machine();
  p.l2.stored_sectors_per_second = 1;
  p.sm.port_stored_bytes_per_clock = 128;
  const auto rows = golden::read_csv(WARPGRADE_H200_MEMORY "/stores.csv");
  EXPECT_EQ(11U, rows.size());
  for (const auto& row : rows) {
    const auto per_line = [&](const char* what) {
      return std::stod(row.at(what)) / std::stod(row.at("lines"));
    };
    constexpr std::uint16_t kLines = 100;  // a mean may be a fraction
    TracedAccess store;
    store.kind = TracedAccess::Kind::kStore;
    store.lines = kLines;
    store.sectors = static_cast<std::uint16_t>(std::lround(kLines * per_line("sectors")));
    store.partial = static_cast<std::uint16_t>(std::lround(kLines * per_line("partial_lines")));
    const double clocks = run(p, trace({request(0)}, {store})).busy.l2_stores / kLines;
    EXPECT_NEAR(1, clocks / per_line("clocks"), 0.03) << row.at("what");
  }
}

// Half of the eight sectors that a load finds in L2 are from an earlier launch: 27 % of these four
// cross between the halves, at two clocks each.
TEST(Simulation, LoadsOfWhatEarlierLaunchesLeftDelayStores) {
  device::Profile p = machine();
  p.l2.stored_sectors_per_second = 1;
  p.l2.crossing_sectors_per_second = 0.5;
  p.sm.port_stored_bytes_per_clock = 128;
  TracedAccess store = load(4);
  store.kind = TracedAccess::Kind::kStore;
  TracedAccess read = load(8);
  read.buffer = store.buffer = 0;
  Rates rates;
  rates.buffers = {{.read = 0, .held = 0.5}};
  const auto busy = [&] {
    const auto both = trace({request(0), request(1)}, {read, store});
    return simulate(p, whole_launch(p, 1), rates, both).busy.l2_stores;
  };
  EXPECT_DOUBLE_EQ(4 * 0.27 * 2 + 4, busy());
  rates.buffers[0].held = 0;
  EXPECT_DOUBLE_EQ(4, busy());
  rates.buffers[0].held = 0.5;
  p.l2.crossing_sectors_per_second.reset();
  EXPECT_DOUBLE_EQ(4, busy());
}

// Times of kernels that store, and that load and store, what L2 holds; the difference between 8 and
// 24 MiB is without the launch.
TEST(Simulation, StoresInL2TakeTheTimeOfAnH200) {
  std::map<std::string, double> seconds;  // per sector
  for (const auto& row : golden::read_csv(WARPGRADE_H200_MEMORY "/crossing.csv")) {
    const int megabytes = std::stoi(row.at("megabytes"));
    if (megabytes != 8 && megabytes != 24) continue;
    seconds[row.at("what")] +=
        (megabytes == 24 ? 1 : -1) * std::stod(row.at("microseconds")) * 1e-6 / (16 << 15);
  }
  device::Profile p = device::find("h200");
  TracedAccess store = load(4);
  store.kind = TracedAccess::Kind::kStore;
  store.buffer = 0;
  TracedAccess read = load(4);
  read.buffer = 0;
  Rates rates;
  rates.buffers = {{.read = 0, .held = 1, .written = 0}};
  const auto modelled = [&](const std::vector<TracedAccess>& requests) {
    WarpProgram program;
    for (std::uint32_t r = 0; r < requests.size(); ++r) program.push_back(request(r));
    const auto one = trace(program, requests);
    return simulate(p, whole_launch(p, 1), rates, one).busy.l2_stores / 4;
  };
  EXPECT_NEAR(1, modelled({store}) / seconds["write after writes"], 0.08);
  EXPECT_NEAR(1, modelled({read, store}) / seconds["add after writes"], 0.08);
}

// A load with an n-way conflict takes 2 (n - 1) clocks longer. It occupies the stage for half of
// them.
TEST(Simulation, AConflictLengthensTheLatencyAsOnAnH200) {
  device::Profile p = machine();
  p.shared.conflict_clocks = device::find("h200").shared.conflict_clocks;
  TracedAccess load;
  load.kind = TracedAccess::Kind::kShared;
  double first = 0;
  for (const auto& row : golden::read_csv(WARPGRADE_ISSUE)) {
    if (row.at("what") != "chain of shared loads by ways") continue;
    load.wavefronts = static_cast<std::uint16_t>(std::stoi(row.at("of")));
    const double more =
        run(p, trace({request(0), wait(0)}, {load})).seconds - std::stod(row.at("clocks"));
    if (load.wavefronts == 1) first = more;
    EXPECT_NEAR(first, more, 0.01) << row.at("of");
  }
  EXPECT_NE(0, first);
}

// A warp waits for each of its loads, while others load DRAM to a half. If they only read, the wait
// grows by a quarter of the difference between idle and saturated DRAM. With as many writes it
// grows by half of it.
TEST(Simulation, WritesLengthenTheQueueOfDramMoreThanReads) {
  device::Profile p = machine();
  p.dram.loaded_latency_seconds = 4500;  // 4000 more
  p.l2.latency_seconds = 0;
  TracedAccess store = load(4);
  store.kind = TracedAccess::Kind::kStore;
  const auto seconds = [&](const TracedAccess& other) {
    std::vector<TracedAccess> requests;
    WarpProgram program;
    for (std::uint32_t i = 0; i < 8000; i += 2) {
      requests.push_back(load(4));
      requests.push_back(other);
      program.push_back(request(i));
      program.push_back(request(i + 1));
      program.push_back(compute(1, 16));  // 8 clocks of DRAM in 16
    }
    program.push_back(wait(7998));
    return run(p, trace(program, requests)).seconds;
  };
  EXPECT_NEAR(1000, seconds(store) - seconds(load(4)), 200);
}

// L2 holds the second half of a block's loads, because other blocks have loaded it.
TEST(Simulation, WhatABlockLoadsLastIsWhatL2Has) {
  const auto profile = machine();
  std::vector<TracedAccess> loads(2, load(4));
  for (auto& each : loads) each.buffer = 0;
  loads[0].fresh_end = loads[1].fresh_begin = 0.5;
  loads[1].fresh_end = 1;
  Rates rates;
  rates.buffers = {{.read = 0.5}};
  const auto seconds = [&](const WarpProgram& program) {
    return simulate(profile, whole_launch(profile, 1), rates, trace(program, loads)).seconds;
  };
  EXPECT_DOUBLE_EQ(507, seconds({request(0), wait(0)}));
  EXPECT_DOUBLE_EQ(103, seconds({request(1), wait(0)}));
  rates.buffers[0].read = 0.75;  // DRAM has 2 of its sectors: 2 clocks less
  EXPECT_DOUBLE_EQ(505, seconds({request(1), wait(0)}));
}

TEST(Simulation, DramIsLoadedToTheFullByManyWarps) {
  // 100 warps request 32 sectors each: DRAM works for 3200 clocks, then the last warp waits.
  const auto outcome = run(machine(), trace({request(0), wait(0)}, {load(32)}, 1, 100));
  EXPECT_NEAR(3200 + 500, outcome.seconds, 30);
  EXPECT_DOUBLE_EQ(3200, outcome.busy.dram);
}

// Wavefronts of one warp delay the lookups of others, because a multiprocessor has one queue.
TEST(Simulation, AConflictDelaysTheLoadBehindIt) {
  TracedAccess shared;
  shared.kind = TracedAccess::Kind::kShared;
  shared.wavefronts = 32;
  const auto outcome = run(machine(), trace({request(0), request(1), wait(1)}, {shared, load(4)}));
  EXPECT_DOUBLE_EQ(32 + 507, outcome.seconds);
  EXPECT_DOUBLE_EQ(32, outcome.busy.shared);
}

TEST(Simulation, ABarrierWaitsForTheLastWarp) {
  Trace uneven = trace({compute(1, 100), kMeet, compute(1, 1)}, {}, 1, 2);
  uneven.programs.push_back({compute(1, 1), kMeet, compute(1, 1)});
  uneven.blocks[0].warps[1].program = 1;
  // 100, arrival 2, barrier 10, then both issue, one after the other.
  EXPECT_DOUBLE_EQ(114, run(machine(), uneven).seconds);
}

TEST(Simulation, AWarpThatHasEndedIsNotAwaited) {
  Trace uneven = trace({compute(1, 100), kMeet, compute(1, 1)}, {}, 1, 2);
  uneven.programs.push_back({compute(1, 500)});
  uneven.blocks[0].warps[1].program = 1;
  // It issues after the other warp, at 1, and ends at 501; barrier 10, and one instruction.
  EXPECT_DOUBLE_EQ(512, run(machine(), uneven).seconds);
}

TEST(Simulation, BlocksComeInWaves) {
  const auto five = trace({compute(1, 100)}, {}, 5);
  EXPECT_DOUBLE_EQ(500, run(machine(), five, 1).seconds);
  EXPECT_NEAR(300, run(machine(), five, 2).seconds, 3);
  EXPECT_NEAR(100, run(machine(), five, 8).seconds, 5);
}

TEST(Simulation, ABlockStartsLaterThanItsPredecessorEnds) {
  auto profile = machine();
  profile.launch.block_seconds = 30;
  EXPECT_DOUBLE_EQ(260, run(profile, trace({compute(1, 100)}, {}, 2)).seconds);
}

/// Runs these programs on two multiprocessors with one warp each.
SimulatedTime run_two(const WarpProgram& first, const WarpProgram& second,
                      const std::vector<TracedAccess>& requests) {
  auto profile = machine();
  profile.sm.count = 2;
  Trace two = trace(first, requests, 2);
  two.programs.push_back(second);
  two.blocks[1].warps[0].program = 1;
  return run(profile, two);
}

// Tag 8, port 8, L2 8, DRAM 32, latency 500.
TEST(Simulation, MultiprocessorsUseTheChipInTheOrderOfTime) {
  const WarpProgram late = {compute(1, 100), request(0), wait(0)};
  const WarpProgram early = {request(0), wait(0)};
  EXPECT_DOUBLE_EQ(656, run_two(late, early, {load(32)}).seconds);
  EXPECT_DOUBLE_EQ(656, run_two(early, late, {load(32)}).seconds);
}

// The short load queues behind the long one in L2 and DRAM, or the long one never waits.
TEST(Simulation, OfTwoAtOneTimeTheEarlierBlockUsesTheChipFirst) {
  const WarpProgram longer = {request(0), wait(0)};
  const WarpProgram shorter = {request(1), wait(0)};
  EXPECT_DOUBLE_EQ(560, run_two(longer, shorter, {load(32), load(4)}).seconds);
  EXPECT_DOUBLE_EQ(556, run_two(shorter, longer, {load(32), load(4)}).seconds);
}

TEST(Simulation, BlocksThatAreNotTracedTakeTheTimeOfOthers) {
  const auto profile = machine();
  auto sample = whole_launch(profile, 1000);
  const auto traced = trace({compute(1, 100)}, {}, 20);
  EXPECT_NEAR(100000, simulate(profile, sample, {}, traced).seconds, 1);
}

TEST(Simulation, AProgramWhoseBarriersDoNotMatchStillEnds) {
  Trace uneven = trace({kMeet, compute(1, 1)}, {}, 1, 2);
  uneven.programs.push_back({kMeet, kMeet, compute(1, 1)});
  uneven.blocks[0].warps[1].program = 1;
  EXPECT_GT(100, run(machine(), uneven).seconds);
}

}  // namespace warpgrade::timing::simulation_test_too

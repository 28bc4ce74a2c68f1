// SPDX-License-Identifier: Apache-2.0
// The time model against measured times. Each kernel's work is a closed form of n: a warp row of 32
// floats is one request of 4 sectors, n * n / 32 of them each way.
#include "common/timing/model.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "common/device/profile.h"
#include "tests/golden/csv.h"

namespace warpgrade::timing {
namespace {

enum class Kernel { kCopyVec4, kCopyShared, kNaiveRead, kNaiveWrite, kConflict, kPadded };

constexpr Occupancy kFits{8, 64, "warps"};

/// What the kernel asks of `profile` for n x n floats, n a multiple of 32.
Work work(const device::Profile& profile, Kernel kernel, std::uint64_t n) {
  const bool hopper = profile.l2_halves == 2;
  const double requests = static_cast<double>(n) * static_cast<double>(n) / 32;
  const double l2_of_each_sector = hopper ? 1.5 : 1;
  Work work;
  work.dram_bytes = 256 * requests;
  double read_sectors = 4 * requests;
  double written_sectors = 4 * requests;
  work.tag_lookups = 2 * requests;
  work.blocks = n / 32 * (n / 32);
  switch (kernel) {
    case Kernel::kCopyVec4:  // a quarter of the requests, each of four lines
      work.warp_instructions = 20 * requests / 4;
      work.blocks = n * n / 4096;
      break;
    case Kernel::kNaiveRead:  // reads rows, writes columns
      written_sectors = work.l2_partial_writes = 32 * requests;
      work.tag_lookups = 33 * requests;
      break;
    case Kernel::kNaiveWrite:  // reads columns: on Hopper seven of eight sectors hit L1
      read_sectors = hopper ? 4 * requests : 32 * requests;
      work.tag_lookups = 33 * requests;
      break;
    case Kernel::kCopyShared:
    case Kernel::kPadded:
      work.shared_passes = 2 * requests;
      work.has_barriers = true;
      break;
    case Kernel::kConflict:
      work.shared_passes = (hopper ? 33 : 17) * requests;
      work.has_barriers = true;
      break;
  }
  work.l2_sectors = l2_of_each_sector * (read_sectors + written_sectors);
  work.port_bytes = 32 * (read_sectors + written_sectors);
  if (work.warp_instructions == 0) work.warp_instructions = 12 * requests;  // as in machine code
  return work;
}

double seconds(const char* device, Kernel kernel, std::uint64_t n) {
  const device::Profile& profile = device::find(device);
  return estimate(profile, work(profile, kernel, n), kFits).seconds;
}

double fraction_of_copy(const char* device, Kernel kernel, std::uint64_t n) {
  return seconds(device, Kernel::kCopyVec4, n) / seconds(device, kernel, n);
}

std::string bound(const char* device, Kernel kernel, std::uint64_t n) {
  const device::Profile& profile = device::find(device);
  return estimate(profile, work(profile, kernel, n), kFits).bound_by;
}

/// Measured seconds by kernel and n.
std::map<std::pair<std::string, std::uint64_t>, double> golden_times() {
  std::map<std::pair<std::string, std::uint64_t>, double> times;
  for (const auto& row : golden::read_csv(WARPGRADE_GOLDEN "/times.csv")) {
    times[{row.at("kernel"), std::stoull(row.at("n"))}] = std::stod(row.at("median_ms")) * 1e-3;
  }
  return times;
}

TEST(TimeModelH200, TransposesAndCopiesAreWithin15Percent) {
  const auto times = golden_times();
  for (const auto& [name, kernel] :
       std::map<std::string, Kernel>{{"copy_vec4", Kernel::kCopyVec4},
                                     {"copy_shared", Kernel::kCopyShared},
                                     {"transpose_naive_read", Kernel::kNaiveRead},
                                     {"transpose_naive_write", Kernel::kNaiveWrite},
                                     {"transpose_conflict", Kernel::kConflict},
                                     {"transpose_padded", Kernel::kPadded}}) {
    for (const std::uint64_t n : {1024U, 2048U, 4096U, 8192U, 16384U}) {
      const double measured = times.at({name, n});
      EXPECT_NEAR(measured, seconds("h200", kernel, n), 0.15 * measured) << name << " " << n;
    }
  }
}

TEST(TimeModelH200, FractionsOfCopyAt8192AreThoseMeasured) {
  EXPECT_NEAR(0.12, fraction_of_copy("h200", Kernel::kNaiveRead, 8192), 0.02);
  EXPECT_NEAR(0.45, fraction_of_copy("h200", Kernel::kNaiveWrite, 8192), 0.05);
  EXPECT_NEAR(0.40, fraction_of_copy("h200", Kernel::kConflict, 8192), 0.04);
  EXPECT_NEAR(0.89, fraction_of_copy("h200", Kernel::kPadded, 8192), 0.10);
}

TEST(TimeModelH200, SaysWhatBinds) {
  EXPECT_EQ("dram", bound("h200", Kernel::kPadded, 8192));
  EXPECT_EQ("l2 partial writes", bound("h200", Kernel::kNaiveRead, 8192));
  EXPECT_EQ("tag lookups", bound("h200", Kernel::kNaiveWrite, 8192));
  EXPECT_EQ("shared passes", bound("h200", Kernel::kConflict, 8192));
  EXPECT_EQ("launch overhead", bound("h200", Kernel::kPadded, 256));
}

TEST(TimeModel, OrdersTheCoalescingLabsKernelsOnTheSizesOfAGrade) {
  for (const std::uint64_t n : {1024U, 2048U, 8192U}) {
    for (const char* device : {"h200", "k40"}) {
      SCOPED_TRACE(std::string(device) + " " + std::to_string(n));
      const double naive = seconds(device, Kernel::kNaiveRead, n);
      const double conflict = seconds(device, Kernel::kConflict, n);
      const double padded = seconds(device, Kernel::kPadded, n);
      EXPECT_LT(1.1 * conflict, naive);
      EXPECT_LT(1.3 * padded, conflict);
      EXPECT_LT(0.9, fraction_of_copy(device, Kernel::kPadded, n));
      EXPECT_LT(1.3 * padded, seconds(device, Kernel::kNaiveWrite, n));
    }
  }
}

// A lecture's times on a K40, 8192 x 8192: 3.80 ms copy through shared memory, 6.1 with conflicts,
// 4.1 padded, in blocks of 1024 threads. The model knows no latency, which two such blocks an SM do
// not hide, so the ratios are held and not the times.
TEST(TimeModelK40, ConflictsCostWhatTheLectureMeasures) {
  const double padded = seconds("k40", Kernel::kPadded, 8192);
  EXPECT_NEAR(6.1 / 4.1, seconds("k40", Kernel::kConflict, 8192) / padded, 0.1);
  EXPECT_NEAR(3.80 / 4.1, seconds("k40", Kernel::kCopyShared, 8192) / padded, 0.1);
}

// Ruetsch et al. 2010, K20X, 2048 x 2048: naive 92.0 of a simple copy's 147.6 GiB/s.
TEST(TimeModelK20x, NaiveTransposeLosesWhatIsPublished) {
  EXPECT_NEAR(92.0 / 147.6, fraction_of_copy("k20x", Kernel::kNaiveRead, 2048), 0.05);
}

TEST(TimeModel, AFewBlocksDoNotGetTheWholeChip) {
  const device::Profile& h200 = device::find("h200");
  Work work;
  work.shared_passes = 1e6;
  work.blocks = 1;
  const double overhead = h200.launch_overhead_seconds;
  EXPECT_DOUBLE_EQ(1e6 / 1.98e9 + overhead, estimate(h200, work, kFits).seconds);
  work.blocks = 132;
  EXPECT_DOUBLE_EQ(1e6 / 132 / 1.98e9 + overhead, estimate(h200, work, kFits).seconds);
}

// 133 blocks on 132 SMs: one SM runs two, as with 264.
TEST(TimeModel, TheLastBlockKeepsItsSmBusy) {
  const device::Profile& h200 = device::find("h200");
  Work work;
  work.blocks = 133;
  work.warp_instructions = 133 * 4e6;
  const double overhead = h200.launch_overhead_seconds;
  EXPECT_NEAR(2e6 / 1.98e9, estimate(h200, work, kFits).seconds - overhead, 1e-9);
}

// One block that copies 64 MB gets the bandwidth of one SM's port, 127 GB/s, and not 4250.
TEST(TimeModel, OneBlockIsBoundByItsPort) {
  const device::Profile& h200 = device::find("h200");
  Work work;
  work.blocks = 1;
  work.dram_bytes = work.port_bytes = 64e6;
  const Estimate got = estimate(h200, work, kFits);
  EXPECT_EQ("sm port", got.bound_by);
  EXPECT_NEAR(64e6 / (64 * 1.98e9), got.seconds, 5e-6);
}

TEST(TimeModel, SharesComeLongestFirstAndHoldEveryResource) {
  const Estimate got =
      estimate(device::find("h200"), work(device::find("h200"), Kernel::kConflict, 2048), kFits);
  EXPECT_EQ(8U, got.shares.size());
  for (std::size_t i = 1; i < got.shares.size(); ++i) {
    EXPECT_GE(got.shares[i - 1].seconds, got.shares[i].seconds);
  }
}

TEST(TimeModel, AKernelThatDoesNotFitHasNoTime) {
  const Estimate got = estimate(device::find("k40"), Work{}, Occupancy{0, 0, "shared"});
  EXPECT_EQ("occupancy", got.bound_by);
  EXPECT_EQ(0, got.seconds);
}

TEST(TimeModel, WorkIsTakenFromWhatTheCountersSaw) {
  memory::Counters counters(device::find("h200"));
  counters.on_launch({});
  counters.on_block_begin(0);
  std::uint64_t address[32];
  for (std::uint64_t lane = 0; lane < 32; ++lane) address[lane] = 0x700000000000 + 4096 * lane;
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.bytes = 4;
  event.address = address;
  event.operation = run::Operation::kLoad;
  counters.on_memory(event);
  event.instruction = 1;
  event.operation = run::Operation::kStore;
  counters.on_memory(event);
  event.instruction = 2;
  event.space = run::Space::kShared;
  counters.on_memory(event);
  counters.on_barrier({});
  run::Launch launch;
  launch.grid = {3, 2, 1};
  run::Result result;
  result.instructions = {{5, 160}, {6, 192}};
  const Work work = work_of(counters, launch, result);
  EXPECT_EQ(32 * 64 + 32 * 32, work.dram_bytes);  // granules read, sectors written
  EXPECT_EQ(32 + 32 + 48, work.l2_sectors);
  EXPECT_EQ(32, work.l2_partial_writes);
  EXPECT_EQ(64 * 32, work.port_bytes);
  EXPECT_EQ(64, work.tag_lookups);
  EXPECT_EQ(32, work.shared_passes);
  EXPECT_EQ(11, work.warp_instructions);
  EXPECT_EQ(6U, work.blocks);
  EXPECT_TRUE(work.has_barriers);
}

}  // namespace
}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/profiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "grader/profile/arguments.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::profile::profiling_test {

// The sentences about a launch's time, on a device with round numbers.

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using timing::Bound;

// 10 SMs; DRAM moves 1 TB/s (a copy reaches 80 %) with a latency of 500 ns, or 900 ns under load.
device::Profile ten_sms() {
  device::Profile profile;
  profile.sm.count = 10;
  profile.sm.limits.warps = 64;
  profile.dram.bytes_per_second = 1e12;
  profile.dram.efficiency = 0.8;
  profile.dram.latency_seconds = 500e-9;
  profile.dram.loaded_latency_seconds = 900e-9;
  profile.launch.l2_read_sectors = 250;
  return profile;
}

// A launch of 15 us, 5 us of them overhead; DRAM is busy for 5 us. It reads 1,000,250 sectors from
// L2, and reads are three quarters of DRAM's bytes.
measure::Measurement launch_bound_by(Bound resource) {
  measure::Measurement out;
  out.seconds = 15e-6;
  out.bound_by = resource;
  out.shares = {{Bound::kDram, 5e-6}, {Bound::kLaunchOverhead, 5e-6}};
  out.metrics["lts__t_sectors_op_read.sum"] = 1'000'250;
  out.metrics["dram__bytes_read.sum"] = 3e7;
  out.metrics["dram__bytes_write.sum"] = 1e7;
  out.metrics["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 80;
  out.occupancy.blocks_per_sm = 2;
  out.occupancy.warps_per_sm = 16;
  out.occupancy.limited_by = timing::Limit::kShared;
  return out;
}

TEST(TimeAdvice, TooFewLoadsAreToldWithWhatItTakes) {
  auto measured = launch_bound_by(Bound::kLatency);
  measured.metrics["lts__t_sectors_op_read.sum"] = 62'750;  // a sixteenth
  const auto* few =
      "Each SM has 14,000 bytes of loads in flight on average. It needs 54,000 to saturate DRAM. ";
  EXPECT_THAT(
      time_advice(ten_sms(), measured, 40),
      ElementsAre(
          few +
              std::string(
                  "Issue more loads per thread before using the first result, or run more warps."),
          "An SM holds 16 warps of 64 at most, limited by shared memory."));
  measured.occupancy.warps_per_sm = 64;
  EXPECT_THAT(time_advice(ten_sms(), measured, 40),
              ElementsAre(few + std::string("Occupancy is already full, so each thread must issue "
                                            "more loads before using the first result.")));
}

// Half of the 16 warps that fit are there: 12.5 % of 64.
TEST(TimeAdvice, AGridThatLeavesMultiprocessorsEmptyIsTold) {
  auto measured = launch_bound_by(Bound::kLatency);
  measured.metrics["lts__t_sectors_op_read.sum"] = 62'750;
  measured.metrics["sm__warps_active.avg.pct_of_peak_sustained_active"] = 12.5;
  EXPECT_THAT(
      time_advice(ten_sms(), measured, 40),
      ElementsAre("Each SM has 14,000 bytes of loads in flight on average. It needs 54,000 to "
                  "saturate DRAM. The grid keeps 8.0 warps resident on an SM on average, and 16 "
                  "fit. Its last blocks run alone for 0 % of the time. Launch more blocks, or as "
                  "many as fill the last wave."));
}

TEST(TimeAdvice, LoadsAreNotBlamedIfSkewIsTheCause) {
  auto measured = launch_bound_by(Bound::kLatency);
  measured.metrics["lts__t_sectors_op_read.sum"] = 62'750;
  measured.skew = timing::Imbalance{700, 100, 65};
  EXPECT_THAT(time_advice(ten_sms(), measured, 40), IsEmpty());
}

TEST(TimeAdvice, EnoughLoadsAreNotBlamed) {
  EXPECT_THAT(time_advice(ten_sms(), launch_bound_by(Bound::kLatency), 40).front(),
              HasSubstr("Warps wait at barriers"));
}

// 20 blocks run together.
TEST(TimeAdvice, AWaveThatIsNotFullIsTold) {
  const auto profile = ten_sms();
  const auto measured = launch_bound_by(Bound::kDram);
  const auto* dram = "DRAM is saturated. Move fewer bytes.";
  EXPECT_THAT(time_advice(profile, measured, 20), ElementsAre(dram));
  EXPECT_THAT(time_advice(profile, measured, 25),
              ElementsAre(dram,
                          "The grid is 1.25 waves of 20 blocks that run together: the last "
                          "one fills 25 % of the GPU."));
  EXPECT_THAT(time_advice(profile, measured, 195), ElementsAre(dram));
  EXPECT_THAT(time_advice(profile, measured, 7),
              ElementsAre(dram, "The grid has 7 blocks for 10 SMs: the other SMs idle."));
}

// DRAM opens a page for each sector of a scatter: it is busy and moves few bytes. It is busy for a
// third of the time and moves 80 % of its peak in a copy: 80 % of that are 21.3 % of its peak.
TEST(TimeAdvice, DramIsSaturatedFromEightyPercentOfACopyOn) {
  auto measured = launch_bound_by(Bound::kDram);
  auto& moved = measured.metrics["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"];
  moved = 21.4;
  EXPECT_EQ("DRAM is saturated. Move fewer bytes.", time_advice(ten_sms(), measured, 40).front());
  moved = 21.3;
  EXPECT_THAT(time_advice(ten_sms(), measured, 40).front(),
              testing::AllOf(HasSubstr("only 80 %"), testing::Not(HasSubstr("saturated"))));
  measured.metrics.erase("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
  EXPECT_THAT(time_advice(ten_sms(), measured, 40), ElementsAre("DRAM is busy. Move fewer bytes."));
}

// 15 us are 5 of overhead, 4 of DRAM, 1 until the first loads, and 5 of waiting, 4 at barriers.
TEST(TimeAdvice, WithoutABusyResourceThePartsOfTheTimeAreTold) {
  auto measured = launch_bound_by(Bound::kLatency);
  auto& parts = measured.parts;
  parts.launch = 5e-6;
  parts.busy[Bound::kDram] = 4e-6;
  parts.first_loads = 1e-6;
  parts.waiting[static_cast<std::size_t>(timing::WarpState::kBarrier)] = 4e-6;
  parts.waiting[static_cast<std::size_t>(timing::WarpState::kLongScoreboard)] = 1e-6;
  EXPECT_DOUBLE_EQ(15e-6, parts.total());
  EXPECT_THAT(time_advice(ten_sms(), measured, 40),
              ElementsAre("No resource is busy for most of the time: launch overhead 33 %, waiting "
                          "at barriers 27 %, dram 27 %, waiting for global memory 7 %, first loads "
                          "7 %."));
}

// 1,000,250 sectors are read besides 500,000 of local memory, which are 8 of DRAM's 40 MB.
TEST(TimeAdvice, LocalMemoryIsNamedWithItsTraffic) {
  auto measured = launch_bound_by(Bound::kDram);
  measured.metrics["lts__t_sectors_op_write.sum"] = 499'750;
  measured.metrics["warpgrade__local_lts_sectors.sum"] = 500'000;
  measured.metrics["warpgrade__local_dram_bytes.sum"] = 8e6;
  EXPECT_THAT(
      time_advice(ten_sms(), measured, 40),
      ElementsAre("DRAM is saturated. Move fewer bytes.",
                  "Local memory (arrays of a thread, spilled registers) moves 16 MB between L1 and "
                  "L2, 25 % of all, and 8 MB of DRAM's bytes. Keep fewer values per thread, or "
                  "index arrays with constants."));
}

TEST(TimeAdvice, BankConflictsAreAShareOfTheWavefronts) {
  auto measured = launch_bound_by(Bound::kSharedWavefronts);
  EXPECT_THAT(time_advice(ten_sms(), measured, 40).front(), HasSubstr("No shared access"));
  measured.metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 320;
  measured.metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 80;
  measured.metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 300;
  EXPECT_THAT(time_advice(ten_sms(), measured, 40),
              ElementsAre("75 % of the shared wavefronts are bank conflicts."));
}

TEST(TimeAdvice, EveryResourceOfTheModelHasASentence) {
  for (const auto resource :
       {Bound::kDram, Bound::kBusiestPartition, Bound::kBusiestAtomicUnit, Bound::kL2,
        Bound::kL2Stores, Bound::kL2PartialWrites, Bound::kSmPort, Bound::kTagLookups,
        Bound::kL1Data, Bound::kSharedWavefronts, Bound::kIssue, Bound::kAluPipe, Bound::kXuPipe,
        Bound::kFp64Pipe, Bound::kFmaHeavyPipe, Bound::kLaunchOverhead, Bound::kLatency}) {
    EXPECT_EQ(1U, time_advice(ten_sms(), launch_bound_by(resource), 40).size())
        << timing::name(resource);
  }
  EXPECT_THAT(time_advice(ten_sms(), launch_bound_by(Bound::kBlocksNotFollowed), 40), IsEmpty());
  EXPECT_THAT(time_advice(ten_sms(), {}, 40), IsEmpty());
}

// Profiles on a card: its counters beside the simulator's, on benches with and without counters.

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

const std::string kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

// A card on which every launch is right, with counters that the test sets.
class FakeGpuBench final : public measure::GpuBench {
 public:
  explicit FakeGpuBench(measure::GpuCounters counters) : counters_(std::move(counters)) {}
  const device::Profile& profile() const override { return device::find("h200"); }
  measure::Measurement measure(const compile::Program&, const run::Sequence&,
                               std::vector<run::Buffer>& buffers, std::uint32_t) override {
    for (auto& byte : buffers.at(0).bytes) byte = std::byte{1};
    measure::Measurement out;
    out.result.diagnostics = wrong;
    return out;
  }
  std::unique_ptr<measure::CopyComparisons> comparisons(const compile::Program&,
                                                        std::vector<measure::TimedCase>) override {
    return nullptr;
  }
  measure::GpuCounters count(const compile::Program& program, const run::Sequence& launches,
                             const std::vector<run::Buffer>& before) override {
    ++counted;
    EXPECT_FALSE(program.machine_code.empty());
    EXPECT_THAT(launches.first().kernel, HasSubstr("twice"));
    EXPECT_EQ(std::byte{0}, before.at(0).bytes.at(0)) << "not the content before the launch";
    return counters_;
  }
  double copy_seconds(std::uint64_t) override { return 1; }

  std::vector<base::Diagnostic> wrong;
  int counted = 0;

 private:
  measure::GpuCounters counters_;
};

class ProfilingTest : public ::testing::Test {
 protected:
  template <typename Bench>
  report::ProfileReport profile_of(Bench& bench, const std::string& body) {
    const auto file = folder_.write(
        "twice.cu", "__global__ void twice(float* out, const float* in) {\n" + body + "}\n");
    ProfiledLaunch asked;
    asked.file = file;
    asked.kernel = "twice";
    asked.with_pictures = with_pictures_;
    asked.launch.grid.x = 2;
    asked.launch.block.x = 64;
    asked.arguments = {parse_argument("out:f32:128"), parse_argument("in:f32:128:iota")};
    std::vector<run::Buffer> buffers;
    return profile(asked, bench, buffers);
  }

  const std::string right_ =
      "const int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = 2 * in[i];\n";
  compile::TemporaryFolder folder_;
  bool with_pictures_ = false;
};

TEST_F(ProfilingTest, TheSimulatorsCountersStandBesideTheCards) {
  FakeGpuBench bench({{{kLoads, 17}}, ""});
  const auto report = profile_of(bench, right_);
  EXPECT_THAT(report.measurement.metrics, ElementsAre(Pair(kLoads, 17)));
  // 128 floats are 512 bytes, 16 sectors.
  EXPECT_THAT(report.simulated.metrics, Contains(Pair(kLoads, 16)));
  EXPECT_THAT(report.simulated.reason, IsEmpty());
  EXPECT_THAT(report.counters_missing, IsEmpty());
}

TEST_F(ProfilingTest, WithoutTheCardsCountersTheSimulatorsAreShownAlone) {
  FakeGpuBench bench({{}, "there is no profiler"});
  const auto report = profile_of(bench, right_);
  EXPECT_EQ("there is no profiler", report.counters_missing);
  EXPECT_THAT(report.measurement.metrics, IsEmpty());
  EXPECT_THAT(report.simulated.metrics, Contains(Pair(kLoads, 16)));
  EXPECT_GT(report.simulated_seconds, 0);
  ASSERT_FALSE(report.measurement.lines.empty());
  EXPECT_FALSE(report.pictures.has_value());
}

TEST_F(ProfilingTest, PicturesOfALaunchShowItsRequests) {
  const auto bench = measure::sim_bench(device::find("h200"));
  with_pictures_ = true;
  const auto report = profile_of(*bench, right_);
  ASSERT_TRUE(report.pictures.has_value());
  ASSERT_EQ(2U, report.pictures->lines.size());  // a load and a store
  const auto& request = report.pictures->lines[0].requests.front();
  EXPECT_EQ("in", report.pictures->lines[0].line.memory.name);
  EXPECT_EQ(4U, request.costs.front().sectors);  // 32 floats are 128 bytes
  EXPECT_EQ(~0U, request.traced.mask);
  ASSERT_EQ(1U, report.pictures->times.size());
  EXPECT_EQ(report.measurement.seconds, report.pictures->times[0].seconds);
}

TEST_F(ProfilingTest, WhatTheSimulatorCannotRunIsNotCompared) {
  FakeGpuBench bench({{{kLoads, 17}}, ""});
  const auto report = profile_of(bench,
                                 "asm volatile(\"{.reg .b32 a; mov.b32 a, 1; vavrg4.u32.u32.u32 "
                                 "a, a, a, a;}\"); out[0] = in[0];\n");
  EXPECT_THAT(report.measurement.metrics, Contains(Key(kLoads)));
  EXPECT_THAT(report.simulated.metrics, IsEmpty());
  EXPECT_THAT(report.simulated.reason, HasSubstr("vavrg4"));
  EXPECT_THAT(report.diagnostics, IsEmpty());
}

TEST_F(ProfilingTest, ALaunchThatFailedIsNotCounted) {
  FakeGpuBench bench({{{kLoads, 17}}, ""});
  bench.wrong.emplace_back();
  const auto report = profile_of(bench, right_);
  EXPECT_EQ(0, bench.counted);
  EXPECT_THAT(report.measurement.metrics, IsEmpty());
}

TEST_F(ProfilingTest, TheSimulatorHasNoCard) {
  const auto bench = measure::sim_bench(device::find("h200"));
  const auto report = profile_of(*bench, right_);
  EXPECT_THAT(report.measurement.metrics, Contains(Pair(kLoads, 16)));
  EXPECT_THAT(report.simulated.metrics, IsEmpty());
  EXPECT_THAT(report.counters_missing, IsEmpty());
}

}  // namespace warpgrade::grader::profile::profiling_test

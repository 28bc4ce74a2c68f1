// SPDX-License-Identifier: Apache-2.0
// Profiles on a card: its counters beside the simulator's, on benches with and without counters.
#include "grader/profile/profiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "grader/profile/argument_spec.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::profile::profiling_test {

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

// SPDX-License-Identifier: Apache-2.0
// Session and GpuBench on the driver made of the simulator. device_test.cpp tests GpuRunner on it,
// with the same tests as on a real device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "common/gpu/gpu_runner.h"
#include "common/gpu/session.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/baselines.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "sim_driver.h"
#include "sim_driver_programs.h"

namespace warpgrade::gpu::session_on_sim_test {

using base::DiagnosticKind;
using testing::MatrixCase;
using testing::modelled;
using testing::programs;
using testing::SimScript;
using testing::solution;
using testing::transposed;

constexpr double kLimit = 3;

// A clock that advances by one second per reading.
std::function<double()> ticking() {
  return [time = 0.0]() mutable { return time += 1; };
}

class SessionOnSim : public ::testing::Test {
 protected:
  LaunchOutcome run(const compile::Program& program, MatrixCase& item, std::uint32_t samples = 1,
                    const SimScript& script = {}) {
    Session session(testing::sim_driver(script), kLimit, ticking());
    session.load(testing::as_ptx(program).machine_code);
    item.launch.kernel = program.kernels.at(0).name;
    return session.run(item.launch, item.buffers, samples, /*flush=*/true);
  }
};

TEST_F(SessionOnSim, SolutionsGiveTheRightResults) {
  MatrixCase copied(101, 45);
  EXPECT_TRUE(run(solution("copy.cu"), copied).diagnostics.empty());
  MatrixCase turned(101, 45);
  EXPECT_TRUE(run(solution("transpose.cu"), turned).diagnostics.empty());
  for (std::size_t i = 0; i < 101 * 45; ++i) {
    ASSERT_EQ(i, copied.out(i));
    ASSERT_EQ(transposed(i, 101, 45), turned.out(i));
  }
  EXPECT_EQ(0U, testing::allocated_bytes());
}

TEST_F(SessionOnSim, EachSampleBeginsWithTheContentsOfVariables) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "__constant__ int step[2] = {9, 9}; __device__ int sum = 9;\n"
      "__global__ void k(int* out) { sum += step[1]; *out = sum; }";
  const auto program = testing::compiled(std::move(request));
  Session session(testing::sim_driver({}), kLimit, ticking());
  session.load(testing::as_ptx(program).machine_code);
  run::Launch launch;
  launch.kernel = program.kernels.at(0).name;
  launch.arguments = {run::BufferArgument{0}};
  const auto word = [](int value) {
    std::vector<std::byte> out(4);
    std::memcpy(out.data(), &value, 4);
    return out;
  };
  std::vector<run::Buffer> buffers(3);
  buffers[0].bytes = word(0);
  buffers[1].bytes = word(100);
  buffers[1].symbol = "sum";
  buffers[2].bytes = word(0);
  const auto step = word(5);
  buffers[2].bytes.insert(buffers[2].bytes.end(), step.begin(), step.end());
  buffers[2].symbol = "step";
  buffers[2].read_only = true;
  EXPECT_TRUE(session.run(launch, buffers, 3, /*flush=*/true).diagnostics.empty());
  EXPECT_EQ(word(105), buffers[0].bytes);
  EXPECT_EQ(word(105), buffers[1].bytes);
  buffers[1].symbol = "none";
  EXPECT_THROW(session.run(launch, buffers, 1, /*flush=*/true), base::UsageError);
  buffers[1].symbol = "sum";
  buffers[1].bytes.resize(8);
  EXPECT_THROW(session.run(launch, buffers, 1, /*flush=*/true), base::UsageError);
}

TEST_F(SessionOnSim, EachSampleIsTheModelledTime) {
  const auto program = solution("transpose.cu");
  MatrixCase item(256, 256);
  const double expected = modelled(program, program.kernels.at(0), item);
  const auto outcome = run(program, item, 3);
  ASSERT_EQ(3U, outcome.seconds.size());
  for (const double seconds : outcome.seconds) EXPECT_NEAR(expected, seconds, 0.02 * expected);
}

TEST_F(SessionOnSim, AKernelThatIsLostAtALaterSampleIsReported) {
  SimScript script;
  script.faults[2] = 700;
  MatrixCase item(64, 64);
  const auto outcome = run(solution("copy.cu"), item, 5, script);
  EXPECT_TRUE(outcome.device_lost);
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_EQ(DiagnosticKind::kOutOfBounds, outcome.diagnostics[0].kind);
}

std::unique_ptr<measure::GpuBench> bench_on_sim(const SimScript& script = {}) {
  for (const auto* program : {&measure::copy_program("sm_90"),
                              &measure::peak_program("sm_90", timing::ArithmeticKind::kF32),
                              &fingerprint_program("sm_90")}) {
    testing::know(*program);
  }
  measure::GpuBenchOptions options;
  options.lock_folder = ::testing::TempDir();
  options.peak_rounds = 1;
  constexpr double kBenchLimit = 0.05;
  return measure::gpu_bench(std::make_unique<GpuRunner>(testing::sim_platform(script), kBenchLimit),
                            options);
}

// The runner draws the start addresses of buffers. They decide how evenly the 2 MB of a 512 x 512
// copy load the DRAM channels, and change the model's time by up to 6 %.
constexpr double kPlacement = 0.06;

// Compares kernels with the copy baseline on a copy of 512 x 512 elements.
class CopyOnSim : public ::testing::Test {
 protected:
  CopyOnSim() {
    timed_.sequence = item_.launch;
    timed_.before = run::patterns_of(item_.buffers);
    timed_.any_order = {false, true};
    timed_.reference = &reference_;
    timed_.reference_launch = item_.launch;
    timed_.reference_launch.kernel = reference_.kernels.at(0).name;
    timed_.bounds = {0.5};
    timed_.difference = [](const auto& before, const auto& after, const auto& got) {
      // Each result belongs to its own input.
      EXPECT_TRUE(before[1].bytes.empty() || before[1].bytes == after[0].bytes);
      if (got[0].bytes == after[0].bytes) return std::optional<verify::OutputDifference>();
      return std::optional(verify::OutputDifference());
    };
  }
  measure::CopyComparison compare(const compile::Program& program, const std::string& name,
                                  const SimScript& script = {}) {
    timed_.sequence.launches[0].kernel = name;
    return bench_on_sim(script)->comparisons(program, {timed_})->compare(0);
  }

  MatrixCase item_{512, 512};
  compile::Program reference_ = testing::as_ptx(solution("copy.cu"));
  measure::TimedCase timed_;
};

TEST_F(CopyOnSim, ASolutionsFractionIsTheModels) {
  const auto program = testing::as_ptx(solution("copy.cu"));
  const auto& kernel = program.kernels.at(0);
  const auto found = compare(program, kernel.name);
  EXPECT_FALSE(found.difference);
  EXPECT_EQ("", found.impossible);
  ASSERT_TRUE(found.fraction);
  const double copy = measure::sim_bench(device::find("h200"))->copy_seconds(2U << 20);
  const double expected = copy / modelled(program, kernel, MatrixCase(512, 512));
  EXPECT_NEAR(expected, found.fraction->estimate->value, kPlacement * expected);
}

// The expected results are one step of a float away from the kernel's, so their fingerprints
// differ.
TEST_F(CopyOnSim, FloatsWithinTheirToleranceMatchOnTheDevice) {
  compile::CompileRequest request;
  request.file = "reference.cu";
  request.source =
      "__global__ void next(unsigned* out, const unsigned* in, int width, int height) {\n"
      "  const int x = blockIdx.x * 32 + threadIdx.x;\n"
      "  for (int j = threadIdx.y; j < 32; j += 8) {\n"
      "    const int i = (blockIdx.y * 32 + j) * width + x;\n"
      "    out[i] = in[i] + 1;\n  }\n}\n";
  const auto next = testing::as_ptx(testing::compiled(std::move(request)));
  timed_.reference = &next;
  timed_.reference_launch.kernel = next.kernels.at(0).name;
  timed_.is_timed = false;
  int compared = 0;
  timed_.difference = [&](const auto& /*before*/, const auto& /*after*/, const auto& /*got*/) {
    ++compared;
    return std::optional(verify::OutputDifference());
  };
  const auto program = testing::as_ptx(solution("copy.cu"));
  const auto name = program.kernels.at(0).name;
  timed_.nearness = {{1, 0}};
  EXPECT_FALSE(compare(program, name).difference);
  EXPECT_EQ(0, compared);
  timed_.nearness = {};
  EXPECT_TRUE(compare(program, name).difference);
  EXPECT_EQ(2, compared);  // The second time with the contents that explain it.
}

// A round of the peak baseline on 132 multiprocessors takes 1.03 us at the profile's rate, plus a
// launch.
TEST_F(CopyOnSim, TheRoofOfManyOperationsIsThePeakBaseline) {
  constexpr double kRound = 528.0 * 256 * 512;
  timed_.operations = 4 * kRound;
  const auto program = testing::as_ptx(solution("copy.cu"));
  const auto& kernel = program.kernels.at(0);
  const auto found = compare(program, kernel.name);
  ASSERT_TRUE(found.fraction && found.roofline);
  const double ideal =
      measure::seconds_at_peak(device::find("h200"), timing::ArithmeticKind::kF32, 4 * kRound);
  EXPECT_TRUE(found.roofline->is_limited_by_operations());
  EXPECT_GT(found.roofline->peak_seconds, ideal);
  EXPECT_LT(found.roofline->peak_seconds, 1.5 * ideal + 4e-6);
  const double expected = found.roofline->peak_seconds / found.roofline->seconds;
  EXPECT_NEAR(expected, found.fraction->estimate->value, 0.03 * expected);
  const double kernel_seconds = modelled(program, kernel, MatrixCase(512, 512));
  EXPECT_NEAR(kernel_seconds, found.roofline->seconds, kPlacement * kernel_seconds);
}

TEST_F(CopyOnSim, NoiseWidensTheIntervalAndDecidesNothingWrong) {
  SimScript script;
  script.noise = 0.03;
  script.seed = 5;
  const auto program = testing::as_ptx(solution("copy.cu"));
  const auto found = compare(program, program.kernels.at(0).name, script);
  ASSERT_TRUE(found.fraction);
  EXPECT_LT(found.fraction->estimate->low, found.fraction->estimate->value);
  EXPECT_GT(found.fraction->estimate->low, 0.5);
}

TEST_F(CopyOnSim, AWrongKernelCostsItselfOnly) {
  const auto wrong = testing::as_ptx(programs());
  timed_.sequence.launches[0].grid = {1, 1, 1};
  timed_.sequence.launches[0].block = {32, 1, 1};
  timed_.sequence.launches[0].arguments.pop_back();
  for (const auto& [name, kind] : std::vector<std::pair<std::string, DiagnosticKind>>{
           {"far_away", DiagnosticKind::kOutOfBounds},
           {"writes_input", DiagnosticKind::kInputModified},
           {"misaligned", DiagnosticKind::kMisaligned},
           {"endless", DiagnosticKind::kRunaway},
           {"traps", DiagnosticKind::kTrap}}) {
    const auto found = compare(wrong, name);
    ASSERT_EQ(1U, found.measured.result.diagnostics.size()) << name;
    EXPECT_EQ(kind, found.measured.result.diagnostics[0].kind) << name;
  }
}

TEST_F(CopyOnSim, AKernelThatDoesNothingIsNotRight) {
  const auto nothing = testing::as_ptx(programs());
  timed_.sequence.launches[0].arguments.pop_back();
  EXPECT_TRUE(compare(nothing, "prints").difference);
}

}  // namespace warpgrade::gpu::session_on_sim_test

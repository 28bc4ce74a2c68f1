// SPDX-License-Identifier: Apache-2.0
// Session and GpuBench on the driver made of the simulator. (GpuRunner's tests on it are those of
// a real device, device_test.cpp.)
#include <gtest/gtest.h>

#include <algorithm>

#include "common/gpu/session.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/measure.h"
#include "sim_driver.h"
#include "sim_driver_programs.h"

namespace warpgrade::gpu {
namespace {

using base::DiagnosticKind;
using testing::MatrixCase;
using testing::modelled;
using testing::programs;
using testing::SimScript;
using testing::solution;
using testing::transposed;

constexpr double kLimit = 3;

// A clock that moves on by one second each time that it is read.
std::function<double()> ticking() {
  return [time = 0.0]() mutable { return time += 1; };
}

class SessionOnSim : public ::testing::Test {
 protected:
  Outcome run(const compile::Program& program, MatrixCase& item, std::uint32_t samples = 1,
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

TEST(GpuBenchOnSim, MeasuresASolutionByItsFractionOfCopy) {
  testing::know(measure::copy_program("sm_90"));
  const auto bench = measure::gpu_bench(testing::sim_driver());
  EXPECT_EQ("h200", bench->profile().name);
  EXPECT_EQ("gpu", bench->backend());
  const auto program = testing::as_ptx(solution("copy.cu"));
  const auto& kernel = program.kernels.at(0);
  MatrixCase item(1024, 1024);
  item.launch.kernel = kernel.name;
  const double expected = modelled(program, kernel, item);
  const auto measured = bench->measure(program, kernel, item.launch, item.buffers, {});
  EXPECT_TRUE(measured.result.diagnostics.empty());
  EXPECT_EQ(1024U * 1024U - 1, item.out(1024U * 1024U - 1));
  EXPECT_NEAR(expected, measured.seconds, 0.02 * expected);
  // The simulator's own bench compares with the same copy.
  const double copy = measure::sim_bench(device::find("h200"))->copy_seconds(8U << 20);
  EXPECT_NEAR(copy, bench->copy_seconds(8U << 20), 0.02 * copy);
}

TEST(GpuBenchOnSim, AWrongKernelCostsItselfOnly) {
  testing::know(measure::copy_program("sm_90"));
  const auto bench = measure::gpu_bench(testing::sim_driver());
  const auto wrong = testing::as_ptx(programs());
  const auto right = testing::as_ptx(solution("copy.cu"));
  for (const auto& [name, kind] : std::vector<std::pair<std::string, DiagnosticKind>>{
           {"far_away", DiagnosticKind::kOutOfBounds},
           {"writes_input", DiagnosticKind::kInputModified},
           {"misaligned", DiagnosticKind::kMisaligned},
           {"traps", DiagnosticKind::kTrap}}) {
    MatrixCase item(32, 32);
    item.launch.kernel = name;
    item.launch.grid = {1, 1, 1};
    item.launch.block = {32, 1, 1};
    item.launch.arguments.pop_back();
    const auto& kernel = *std::find_if(wrong.kernels.begin(), wrong.kernels.end(),
                                       [&](const auto& k) { return k.name == name; });
    const auto failed = bench->measure(wrong, kernel, item.launch, item.buffers, {});
    ASSERT_EQ(1U, failed.result.diagnostics.size()) << name;
    EXPECT_EQ(kind, failed.result.diagnostics[0].kind) << name;
    MatrixCase next(64, 32);
    next.launch.kernel = right.kernels.at(0).name;
    EXPECT_TRUE(bench->measure(right, right.kernels.at(0), next.launch, next.buffers, {})
                    .result.diagnostics.empty());
    EXPECT_EQ(2047U, next.out(2047)) << name;
  }
}

}  // namespace
}  // namespace warpgrade::gpu

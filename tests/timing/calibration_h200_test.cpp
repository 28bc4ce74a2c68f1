// SPDX-License-Identifier: Apache-2.0
// Compares the model's times with those measured on an H200 (tests/evidence/golden/h200), as
// fractions of the copy with 16 bytes per thread: matrices of 8192 x 8192, and sums of 2^27 floats.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/timing/machine_costs.h"
#include "tests/evidence/golden/csv.h"
#include "tests/timing/calibrated.h"

namespace warpgrade::calibration::calibration_h200_test {

const device::Profile& h200() { return device::find("h200"); }

const compile::Program& kernels() {
  static const auto program = program_of(WARPGRADE_CALIBRATION, h200());
  return program;
}

struct Case {
  run::Launch launch;
  std::vector<run::Pattern> buffers;
  double bytes = 0;  ///< Bytes that count for the bandwidth.
};

bool is_reduction(const std::string& kernel) { return kernel.starts_with("reduce"); }

/// `n` is the side of a matrix, or the number of floats to sum.
Case make(const std::string& kernel, std::uint64_t n) {
  Case made;
  run::Launch& launch = made.launch;
  launch.kernel = kernel;
  auto argument = static_cast<std::uint32_t>(n);
  const std::uint64_t floats = is_reduction(kernel) ? n : n * n;
  if (is_reduction(kernel)) {
    const int number = kernel.back() - '0';
    const std::uint64_t blocks = number == 7 ? 528 : n / (number >= 4 ? 1024 : 512);
    launch.grid.x = static_cast<std::uint32_t>(blocks);
    launch.block.x = 512;
    launch.dynamic_shared_bytes = 2048;
    made.bytes = 4.0 * static_cast<double>(n);
  } else if (kernel == "copy_vec4") {
    launch.grid.x = static_cast<std::uint32_t>(floats / 4096);
    launch.block.x = 256;
    argument = static_cast<std::uint32_t>(floats / 4);
  } else {
    launch.grid = {argument / 32, argument / 32, 1};
    launch.block = {32, 8, 1};
  }
  if (!is_reduction(kernel)) made.bytes = 8.0 * static_cast<double>(floats);
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1},
                      run::value_argument(argument)};
  made.buffers = zeros(is_reduction(kernel) ? floats / 128 : 4 * floats, 4 * floats);
  return made;
}

timing::TimeEstimate modelled(const std::string& kernel, std::uint64_t n) {
  const Case made = make(kernel, n);
  return model_time(h200(), kernels(), kernel_of(kernels(), kernel), made.launch, made.buffers);
}

struct Point {
  std::string kernel;
  double measured = 0;  ///< Fractions of the copy.
  double modelled = 0;
};

const std::vector<Point>& points() {
  static const auto all = [] {
    constexpr std::uint64_t kSide = 8192;
    std::map<std::string, double> bandwidth;
    std::vector<Point> points;
    double copy = 0;
    double copy_modelled = 0;
    for (const auto& row : golden::read_csv(WARPGRADE_GOLDEN "/times.csv")) {
      const auto& kernel = row.at("kernel");
      const auto n = std::stoull(row.at("n"));
      const bool is_ours = kernel.starts_with("copy") || kernel.starts_with("transpose")
                               ? n == kSide
                               : is_reduction(kernel);
      if (!is_ours) continue;
      const double bytes = make(kernel, n).bytes;
      points.push_back({kernel, bytes / std::stod(row.at("median_ms")) * 1e3,
                        bytes / modelled(kernel, n).seconds});
      if (kernel == "copy_vec4") {
        copy = points.back().measured;
        copy_modelled = points.back().modelled;
      }
    }
    for (Point& point : points) {
      point.measured /= copy;
      point.modelled /= copy_modelled;
    }
    return points;
  }();
  return all;
}

TEST(CalibrationH200, FractionsOfCopyAreWithin10PercentOnAverageAndWithinThePublishedError) {
  ASSERT_EQ(17U, points().size());
  double sum = 0;
  for (const Point& point : points()) {
    const double deviation = std::abs(point.modelled / point.measured - 1);
    EXPECT_GE(h200().errors.speed, deviation) << fmt::format(
        "{}: {:.3f} measured, {:.3f} modelled", point.kernel, point.measured, point.modelled);
    sum += deviation;
  }
  EXPECT_GE(0.10, sum / static_cast<double>(points().size() - 1));  // the copy is 1 by definition
}

TEST(CalibrationH200, OrderIsRightWhereMeasuredValuesDifferByMoreThan5Percent) {
  for (const Point& a : points()) {
    for (const Point& b : points()) {
      if (a.measured > 1.05 * b.measured) {
        EXPECT_LT(b.modelled, a.modelled) << b.kernel << " against " << a.kernel;
      }
    }
  }
}

// At these sizes L2 holds much and blocks run in few waves. The times must be within a sixth, too.
TEST(CalibrationH200, TimesOfSmallMatricesAreRightToo) {
  for (const auto& row : golden::read_csv(WARPGRADE_GOLDEN "/times.csv")) {
    const auto& kernel = row.at("kernel");
    const auto n = std::stoull(row.at("n"));
    const bool is_matrix = kernel.starts_with("copy") || kernel.starts_with("transpose");
    if (!is_matrix || n > 4096) continue;
    const double measured = std::stod(row.at("median_ms")) * 1e-3;
    EXPECT_NEAR(measured, modelled(kernel, n).seconds, measured / 6) << kernel << " " << n;
  }
}

TEST(CalibrationH200, NamesWhatBinds) {
  EXPECT_EQ(timing::Bound::kDram, modelled("copy_shared", 8192).bound_by);
  EXPECT_EQ(timing::Bound::kDram, modelled("copy_scalar", 8192).bound_by);
  EXPECT_EQ(timing::Bound::kL2Stores, modelled("transpose_naive_read", 8192).bound_by);
  EXPECT_EQ(timing::Bound::kL1Data, modelled("transpose_naive_write", 8192).bound_by);
  EXPECT_EQ(timing::Bound::kSharedWavefronts, modelled("transpose_conflict", 8192).bound_by);
  EXPECT_EQ(timing::Bound::kIssue, modelled("reduce1", 1 << 24).bound_by);
  EXPECT_EQ(timing::Bound::kLaunchOverhead, modelled("transpose_padded", 256).bound_by);
}

// Compares a simulation of all multiprocessors and blocks with the sampled one.
TEST(Sampling, DoesNotChangeTheAnswer) {
  for (const char* kernel :
       {"copy_vec4", "copy_scalar", "transpose_naive_read", "transpose_naive_write",
        "transpose_conflict", "transpose_padded", "reduce1", "reduce3", "reduce6", "reduce7"}) {
    const std::uint64_t n = is_reduction(kernel) ? 1 << 22 : 2048;
    Case made = make(kernel, n);
    const auto& compiled = kernel_of(kernels(), kernel);
    const auto blocks = base::volume(made.launch.grid);
    sim::Simulator simulator(kernels());
    const auto& code = kernels().machine_code;
    timing::Observation whole(
        h200(), measure::occupancy_of(h200(), compiled, made.launch),
        timing::whole_launch(h200(), blocks), {{0, blocks}}, code,
        timing::machine_accesses(simulator.function(made.launch.kernel), h200(), code));
    run::Options options;
    whole.attach(options);
    auto buffers = sim::sparse_buffers(made.buffers);
    const auto result = simulator.launch(made.launch, buffers, options);
    const double all = whole.estimate(result, sizes_of(made.buffers)).seconds;
    EXPECT_NEAR(all, modelled(kernel, n).seconds, 0.04 * all) << kernel;
  }
}

TEST(Sampling, TheSameLaunchTakesTheSameTimeOnAnyNumberOfThreads) {
  Case made = make("transpose_conflict", 1024);
  const auto& compiled = kernel_of(kernels(), "transpose_conflict");
  sim::Simulator simulator(kernels());
  std::vector<double> seconds;
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    const auto occupancy = measure::occupancy_of(h200(), compiled, made.launch);
    timing::Observation observation(
        h200(), occupancy, timing::choose_sample(h200(), occupancy.blocks_per_sm, 1024, 32),
        {{0, 1024}});
    run::Options options;
    options.threads = threads;
    observation.attach(options);
    auto buffers = sim::sparse_buffers(made.buffers);
    const auto result = simulator.launch(made.launch, buffers, options);
    seconds.push_back(observation.estimate(result, sizes_of(made.buffers)).seconds);
  }
  EXPECT_EQ(seconds[0], seconds[1]);
  EXPECT_EQ(seconds[0], seconds[2]);
}

}  // namespace warpgrade::calibration::calibration_h200_test

// SPDX-License-Identifier: Apache-2.0
// Compares the model's times with published ones, on cards of 2006 to 2014. Each test names its
// source. All values are ratios within one source, because clocks, drivers and what is counted
// differ between sources.
//
// Comments at the tests state unmet bounds and the differences.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/timing/calibrated.h"

namespace warpgrade::calibration::calibration_older_test {

const compile::Program& older() {
  static const auto program = program_of(WARPGRADE_OLDER_CARDS, device::find("gtx280"));
  return program;
}

const compile::Program& transposes() {
  static const auto program = program_of(WARPGRADE_CALIBRATION, device::find("gtx280"));
  return program;
}

/// Seconds of kernel(out, in, n, more...) on `device`.
double seconds(const char* device, const compile::Program& program, const std::string& kernel,
               base::Dim3 grid, base::Dim3 block, std::uint32_t n, std::uint64_t bytes,
               std::uint32_t shared = 0, const std::vector<std::uint32_t>& more = {}) {
  const auto& compiled = kernel_of(program, kernel);
  run::Launch launch{compiled.name,
                     grid,
                     block,
                     shared,
                     {run::BufferArgument{0}, run::BufferArgument{1}, run::value_argument(n)}};
  for (const std::uint32_t argument : more)
    launch.arguments.emplace_back(run::value_argument(argument));
  return model_time(device::find(device), program, compiled, launch, zeros(bytes, bytes)).seconds;
}

// Ruetsch, Micikevicius, Scudiero 2010: 2048 x 2048 floats, GiB/s.
using Table = std::vector<std::pair<std::string, double>>;
const Table kGtx280 = {{"copy_scalar", 96.9},         {"copy_shared", 80.9},
                       {"transpose_naive_read", 2.2}, {"transpose_conflict", 16.5},
                       {"transpose_padded", 16.6},    {"transpose_fine", 80.4},
                       {"transpose_coarse", 16.7},    {"transpose_diagonal", 69.5}};
const Table kK20x = {{"copy_scalar", 147.6},         {"copy_shared", 130.5},
                     {"transpose_naive_read", 92.0}, {"transpose_conflict", 114.0},
                     {"transpose_padded", 112.6},    {"transpose_fine", 115.0},
                     {"transpose_coarse", 123.5},    {"transpose_diagonal", 106.7}};

/// Modelled speeds as fractions of the first kernel's.
std::vector<double> fractions(const char* device, const Table& table) {
  std::vector<double> times;
  for (const auto& [kernel, published] : table) {
    times.push_back(seconds(device, transposes(), kernel, {64, 64, 1}, {32, 8, 1}, 2048, 4 << 22));
  }
  for (std::size_t i = times.size(); i-- > 0;) times[i] = times[0] / times[i];
  return times;
}

TEST(CalibrationGtx280, TransposesAreWithinThePublishedErrorAndInOrder) {
  const auto modelled = fractions("gtx280", kGtx280);
  for (std::size_t i = 0; i < kGtx280.size(); ++i) {
    const double published = kGtx280[i].second / kGtx280[0].second;
    const double error = device::find("gtx280").errors.speed;
    EXPECT_NEAR(published, modelled[i], error * published) << kGtx280[i].first;
    for (std::size_t j = 0; j < kGtx280.size(); ++j) {
      if (kGtx280[i].second > 1.05 * kGtx280[j].second) {
        EXPECT_LT(modelled[j], modelled[i]) << kGtx280[j].first << " < " << kGtx280[i].first;
      }
    }
  }
}

// Not met: the fine-grained transpose is 30 % too fast. It was published to be 12 % slower than the
// copy through shared memory, although both make the same accesses without conflicts, except for
// the order within a tile.
TEST(CalibrationK20x, TransposesAreWithin20PercentButTheFineGrainedOne) {
  const auto modelled = fractions("k20x", kK20x);
  for (std::size_t i = 0; i < kK20x.size(); ++i) {
    const double published = kK20x[i].second / kK20x[0].second;
    const double error = device::find("k20x").errors.speed;
    const double bound = kK20x[i].first == "transpose_fine" ? error : 0.20;
    EXPECT_NEAR(published, modelled[i], bound * published) << kK20x[i].first;
  }
}

// A lecture's times for 8192 x 8192 in blocks of 32 x 32: 3.80 ms, 6.1 with conflicts, 4.1 padded.
TEST(CalibrationK40, ConflictsCostWhatTheLectureMeasures) {
  const auto time = [](const char* kernel) {
    return seconds("k40", older(), kernel, {256, 256, 1}, {32, 32, 1}, 8192, 4ULL << 26);
  };
  const double copy = time("k40_copy");
  EXPECT_NEAR(6.1 / 3.80, time("k40_conflict") / copy, 0.10 * 6.1 / 3.80);
  EXPECT_NEAR(4.1 / 3.80, time("k40_padded") / copy, 0.10 * 4.1 / 3.80);
}

double c1060_bandwidth(const std::string& kernel, std::uint32_t n) {
  const std::uint32_t tiles = (n + 31) / 32;
  std::vector<std::uint32_t> more;
  if (kernel == "method3") {
    more.push_back(static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + tiles - 1) / tiles));
  }
  const std::uint64_t bytes = 8ULL * n * n;
  return 2e-9 * static_cast<double>(bytes) /
         seconds("c1060", older(), kernel, {tiles, tiles, 1}, {32, 8, 1}, n, bytes, 0, more);
}

// A post's table for doubles, in GB/s counting both directions; methods 1 and 3.
TEST(CalibrationC1060, DiagonalTransposesAreWithinThePublishedError) {
  const std::vector<std::array<double, 3>> table = {
      {512, 58.62, 58.75}, {1024, 64.73, 64.92}, {2048, 66.41, 66.49}, {4096, 67.41, 67.38}};
  for (const auto& [n, method1, method3] : table) {
    const auto size = static_cast<std::uint32_t>(n);
    const double error = device::find("c1060").errors.speed;
    EXPECT_NEAR(method1, c1060_bandwidth("method1", size), error * method1) << n;
    EXPECT_NEAR(method3, c1060_bandwidth("method3", size), error * method3) << n;
  }
}

// The post's slow sizes: diagonal order is slow if N + 1 or N - 127 is a multiple of 256, Cartesian
// order if N or N - 128 is. Their neighbours are not slow, and the hybrid never is.
TEST(CalibrationC1060, SlowSizesAreThoseOfThePost) {
  const double fast = c1060_bandwidth("diagonal_any", 1088);
  for (const std::uint32_t n : {1023U, 1151U, 1279U, 1407U}) {
    EXPECT_GT(0.55 * fast, c1060_bandwidth("diagonal_any", n)) << n;
    EXPECT_LT(0.65 * fast, c1060_bandwidth("cartesian_any", n)) << n;
    EXPECT_LT(0.65 * fast, c1060_bandwidth("hybrid", n)) << n;
  }
  for (const std::uint32_t n : {1024U, 1280U}) {
    EXPECT_GT(0.55 * fast, c1060_bandwidth("cartesian_any", n)) << n;
    EXPECT_LT(0.85 * fast, c1060_bandwidth("diagonal_any", n)) << n;
    EXPECT_LT(0.85 * fast, c1060_bandwidth("hybrid", n)) << n;
  }
  EXPECT_GT(0.85 * fast, c1060_bandwidth("cartesian_any", 1152));  // the milder of the two
  EXPECT_LT(0.85 * fast, c1060_bandwidth("diagonal_any", 1152));
}

// Harris, 8800 GTX, 2^22 ints, 128 threads; ms. Not met: kernel 2 is 25 % too fast, so the step to
// it is 32 % too large and the next one 23 % too small. Its 32-bit multiplication and the compiler
// of 2007 are the likely cause.
TEST(CalibrationG80, ReductionsAreInOrderAndStepsWithin25PercentButTheFirst) {
  const std::array<double, 7> published = {8.054, 3.456, 1.722, 0.965, 0.536, 0.381, 0.268};
  constexpr std::uint32_t kInts = 1 << 22;
  std::array<double, 7> modelled{};
  for (std::uint32_t i = 0; i < 7; ++i) {
    const std::uint32_t blocks = i < 3 ? kInts / 128 : i < 6 ? kInts / 256 : 64;
    modelled[i] = seconds("g80", older(), fmt::format("reduce{}", i + 1), {blocks, 1, 1},
                          {128, 1, 1}, kInts, 4ULL * kInts, 512);
    if (i == 0) continue;
    EXPECT_LT(modelled[i], modelled[i - 1]) << i + 1;
    const double step = published[i - 1] / published[i];
    EXPECT_NEAR(step, modelled[i - 1] / modelled[i],
                (i == 1 ? device::find("g80").errors.speed : 0.25) * step)
        << i + 1;
  }
}

// A lecture on thread coarsening, GTX TITAN Black, blocks of 512: sums are best at a factor of 4 at
// thread level and at block level. The test uses an eighth of its data, for which times are already
// steady.
// Not met: kernel 1 at block level is best at 8, by 9 %. Kernel 7 is as fast at 2 as at 1, within
// 0.5 %. A naive transpose gains from coarsening and should lose, because the model does not evict
// partly written lines from L2.
TEST(CalibrationTitanBlack, ReductionsAreBestAtAFactorOf4) {
  constexpr std::uint32_t kFloats = 1 << 24;
  auto request = std::get<compile::CompileRequest>(compile::read_source(WARPGRADE_REDUCTIONS));
  request.architecture = "sm_75";
  const auto name = [](int kernel, const char* level, std::uint32_t factor) {
    return fmt::format("reduce{}_{}<float, 512, {}>", kernel, level, factor);
  };
  const std::array<std::uint32_t, 4> factors = {1, 2, 4, 8};
  for (const int kernel : {2, 3, 6}) {
    for (const char* level : {"threads", "blocks"}) {
      for (const auto factor : factors) {
        request.instantiations.push_back(name(kernel, level, factor));
      }
    }
  }
  const auto program = std::get<compile::Program>(compile::compile(request));
  for (const int kernel : {2, 3, 6}) {
    for (const std::string level : {"threads", "blocks"}) {
      std::map<double, std::uint32_t> by_time;
      const std::uint32_t pieces = kFloats / (kernel < 4 ? 512 : 1024);
      for (const auto factor : factors) {
        const bool threads = level == "threads";
        const double time = seconds("titan_black", program, name(kernel, level.c_str(), factor),
                                    {threads ? pieces : pieces / factor, 1, 1},
                                    {threads ? 512 / factor : 512, 1, 1}, kFloats, 4ULL * kFloats,
                                    2048 * (threads ? 1 : factor));
        by_time[time] = factor;
      }
      EXPECT_EQ(4U, by_time.begin()->second) << kernel << " " << level;
    }
  }
}

}  // namespace warpgrade::calibration::calibration_older_test

// SPDX-License-Identifier: Apache-2.0
// Compares the model's times of kernels that wait within a block with those measured on an H200
// (tests/evidence/golden/h200_waits).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/evidence/golden/csv.h"
#include "tests/timing/calibrated.h"

namespace warpgrade::calibration::calibration_waits_test {

constexpr std::uint32_t kWidth = 8448;
constexpr std::uint32_t kHeight = 8096;
constexpr std::uint64_t kMatrixBytes = std::uint64_t{4} * kWidth * kHeight;

struct Case {
  run::Launch launch;
  std::vector<run::Pattern> buffers;
};

Case make(const compile::Kernel& kernel, const std::string& shape) {
  Case made{.launch = {}, .buffers = zeros(kMatrixBytes, kMatrixBytes)};
  run::Launch& launch = made.launch;
  launch.kernel = kernel.name;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  if (shape == "matrix") {
    launch.grid = {kWidth / 32, kHeight / 32, 1};
    launch.block = {32, 8, 1};
    launch.arguments.emplace_back(run::value_argument(kWidth));
    launch.arguments.emplace_back(run::value_argument(kHeight));
  } else if (shape == "pieces") {
    constexpr std::uint32_t kPieces = 16;
    launch.grid.x = kWidth * kHeight / 256 / kPieces;
    launch.block.x = 256;
    launch.arguments.emplace_back(run::value_argument(kPieces));
  } else {
    constexpr std::uint32_t kSums = 1U << 21;
    launch.grid.x = kSums / 64;
    launch.block.x = 64;
    launch.dynamic_shared_bytes = 48 * 1024;
    made.buffers = zeros(4 * kSums, 4 * 128);
    made.buffers.push_back(zeros(0, 64 * kSums).back());
    launch.arguments.emplace_back(run::BufferArgument{2});
    launch.arguments.emplace_back(run::value_argument(kSums));
  }
  return made;
}

TEST(CalibrationWaits, KernelsThatWaitAreWithin30PercentOfAnH200) {
  const auto& h200 = device::find("h200");
  auto rows = golden::read_csv(WARPGRADE_WAITS "/waits.csv");
  auto request =
      std::get<compile::CompileRequest>(compile::read_source(WARPGRADE_WAITS "/kernels.cu"));
  request.architecture = std::string(h200.architecture);
  for (auto& row : rows) {
    std::ranges::replace(row.at("kernel"), ':', ',');
    if (row.at("kernel").ends_with('>')) request.instantiations.push_back(row.at("kernel"));
  }
  const auto program = std::get<compile::Program>(compile::compile(request));
  ASSERT_EQ(20U, rows.size());
  for (const auto& row : rows) {
    SCOPED_TRACE(row.at("kernel"));
    const auto& kernel = kernel_of(program, row.at("kernel"));
    const Case made = make(kernel, row.at("launch"));
    const auto time = model_time(h200, program, kernel, made.launch, made.buffers);
    constexpr double kEvents = 4;  // us that two events add to a launch
    const double measured = std::stod(row.at("microseconds")) - kEvents;
    EXPECT_NEAR(1, time.seconds * 1e6 / measured, 0.3);
  }
}

}  // namespace warpgrade::calibration::calibration_waits_test

// SPDX-License-Identifier: Apache-2.0
// `warpgrade calibrate`: measures this machine's GPU for later grading.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "common/measure/card_profile.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/statistics.h"
#include "grader/author/calibration.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {
namespace {

constexpr std::uint32_t kSamples = 21;
constexpr std::size_t kProcesses = 6;
constexpr std::uint64_t kTimesL2 = 4;

// Copies, by the baseline and by the driver, and a launch of a few bytes.
void measure_copies(gpu::GpuRunner& runner, grade::GpuCalibration& calibration) {
  runner.load(measure::copy_program(runner.architecture()));
  const auto time = [&](std::uint64_t bytes) {
    auto copy = measure::copy_case(bytes);
    run::Result result;
    return measure::median(runner.time(copy.launch, copy.buffers, kSamples, result).seconds);
  };
  calibration.device = runner.device();
  calibration.copy_bytes = kTimesL2 * runner.l2_bytes();
  const double moved = 2 * static_cast<double>(calibration.copy_bytes);
  calibration.copy_bytes_per_second = moved / time(calibration.copy_bytes);
  calibration.memcpy_bytes_per_second =
      moved / runner.memcpy_seconds(calibration.copy_bytes, kSamples);
  calibration.launch_seconds = time(4);
}

}  // namespace

int run_calibrate(const CalibrateOptions& options) {
  auto runner = gpu::open_gpu("no GPU to calibrate", options.gpu);
  const auto course = course::read_course(course::find_root(), {});
  grade::GpuCalibration calibration;
  calibration.driver = gpu::driver_version(gpu::load_nvml());
  calibration.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  measure_copies(*runner, calibration);
  const auto bench = measure::gpu_bench(std::move(runner));
  calibration.datasheet_bytes_per_second = bench->profile().dram.bytes_per_second;
  author::measure_noise(*bench, calibration.copy_bytes, kProcesses, calibration);

  std::vector<grade::GradingTask> tasks;
  for (const auto& one : select(course, {})) tasks.push_back(grade::solution_task(course, one));
  grade::GradingSession session(run::Backend::kGpu, measure::kUnknownCard, cases::kDefaultSeed,
                                calibration, options.gpu);
  const auto report = session.grade(tasks);
  calibration.solutions = author::solutions_on_gpu(report);
  const auto file = options.json.empty()
                        ? grade::calibration_file(calibration.device, calibration.driver)
                        : std::filesystem::path(options.json);
  // A calibration is minutes of measurement, so it is shown even if it cannot be stored.
  const auto store = [&] {
    std::error_code ignored;  // write_atomically() reports any fault of the place.
    std::filesystem::create_directories(file.parent_path(), ignored);
    text::write_atomically(file, to_json(calibration));
    print(fmt::format("stored as {}\n", base::escape_controls(file.string())));
  };
  deliver({store}, author::render_calibration(calibration));
  return 0;
}

}  // namespace warpgrade::grader::cli

// SPDX-License-Identifier: Apache-2.0
// The commands that measure this machine's GPU: `warpgrade devices --from-gpu` and
// `warpgrade calibrate`.
//
// In: a GPU. Out: its numbers as a profile's file, or a calibration that later grading reads.

#include "common/probe/card.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "common/measure/baselines.h"
#include "common/measure/card_profile.h"
#include "common/measure/comparison.h"
#include "grader/author/calibration.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {

// `warpgrade devices --from-gpu`: this machine's GPU as a profile's file.

int run_command(const ProbeOptions& options) {
  const auto& file = options.file;
  if (!file.ends_with(".toml")) {
    throw base::UsageError(base::escape_controls(file) +
                           ": the name of a profile's file ends with .toml");
  }
  auto runner = gpu::open_gpu("no GPU to measure", options.gpu);
  measure::choose_toolkit(runner->info());
  probe::GpuCard card(*runner);
  const auto numbers = probe::card_numbers(
      card, [](const std::string& key) { fmt::print(stderr, "measuring {}\n", key); });
  const auto& like = measure::nearest_profile(runner->info());
  const auto date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  const auto text = probe::profile_text(runner->info(), like, numbers, date);
  text::write_atomically(file, text);
  device::find(file);  // Throws if a number is impossible for a card.
  print(fmt::format("{}: {} as a profile, {} numbers of its own, the others as on the {}\n",
                    base::escape_controls(file), runner->device(), numbers.size(), like.product));
  return 0;
}

namespace {

// `warpgrade calibrate`: measures this machine's GPU for later grading.

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

int run_command(const CalibrateOptions& options) {
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
  const bool is_printed = prints_a_file({options.json});
  const auto store = [&] {
    if (is_printed) return print(to_json(calibration));
    std::error_code ignored;  // write_atomically() reports any fault of the place.
    std::filesystem::create_directories(file.parent_path(), ignored);
    text::write_atomically(file, to_json(calibration));
    print(fmt::format("stored as {}\n", base::escape_controls(file.string())));
  };
  deliver({store}, is_printed ? std::string() : author::render_calibration(calibration));
  return 0;
}

}  // namespace warpgrade::grader::cli

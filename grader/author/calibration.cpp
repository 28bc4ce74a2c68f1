// SPDX-License-Identifier: Apache-2.0
#include "grader/author/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/measure/baselines.h"
#include "common/measure/comparison.h"
#include "common/measure/gpu_bench.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/report/render_gates.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::author {
namespace {

using Buffers = std::vector<run::Buffer>;

std::vector<double> logs_of(const std::vector<measure::AbbaSample>& samples) {
  std::vector<double> out;
  for (const auto& sample : samples) out.push_back(sample.log_ratio());
  return out;
}

}  // namespace

void measure_noise(measure::GpuBench& bench, std::uint64_t bytes, std::size_t processes,
                   grade::GpuCalibration& calibration) {
  const auto& program = measure::copy_program(std::string(bench.profile().architecture));
  measure::TimedCase timed;
  timed.sequence = measure::copy_launch(bytes);
  timed.before = measure::copy_patterns(bytes);
  timed.any_order.assign(2, false);
  timed.reference = &program;
  timed.reference_launch = timed.sequence.first();
  timed.narrow = 1;  // Only the spread matters, so the fewest samples suffice.
  timed.difference = [](const Buffers&, const Buffers&, const Buffers&) {
    verify::OutputDifference out;
    out.text = "the copy differs";
    return out;
  };
  std::vector<double> spreads;
  std::vector<double> medians;
  double samples = 1;  // In each process.
  for (std::size_t i = 0; i < processes; ++i) {
    const auto found = bench.comparisons(program, {timed})->compare(0);
    if (!found.fraction || found.fraction->samples.empty()) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    const auto logs = logs_of(found.fraction->samples);
    samples = static_cast<double>(logs.size());
    spreads.push_back(measure::standard_deviation(logs));
    medians.push_back(measure::median(logs));
  }
  calibration.within = measure::median(spreads);
  // Noise within a process already spreads the median of every interval: for normal noise, the
  // median of n samples spreads by sqrt(pi / 2 / n) times the spread of one sample.
  const double own = calibration.within * calibration.within * std::numbers::pi / 2 / samples;
  const double all = measure::standard_deviation(medians);
  calibration.between = std::sqrt(std::max(0.0, all * all - own));
}

std::vector<grade::SolutionOnGpu> solutions_on_gpu(const report::Report& report) {
  std::vector<grade::SolutionOnGpu> out;
  for (const auto& item : report.exercises) {
    for (const auto& gate : item.gates) {
      const auto* interval = gate.interval();
      if (interval == nullptr) continue;
      grade::SolutionOnGpu one;
      one.exercise = item.lab + "/" + item.exercise;
      one.gate = gate.definition.id;
      one.case_name = gate.worst->case_name;
      one.value = interval->value;
      one.low = interval->low;
      one.high = interval->high;
      const auto bounds = gate.deciding_bounds();
      one.min = bounds.min;
      one.max = bounds.max;
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::string render_calibration(const grade::GpuCalibration& calibration) {
  std::string out =
      fmt::format("{}, driver {}, {}\n", calibration.device, calibration.driver, calibration.date);
  out += fmt::format("  copy         {} ({:.3f} of the driver's copy, {:.3f} of the datasheet)\n",
                     text::bytes_per_second(calibration.copy_bytes_per_second),
                     calibration.copy_bytes_per_second / calibration.memcpy_bytes_per_second,
                     calibration.copy_bytes_per_second / calibration.datasheet_bytes_per_second);
  out += fmt::format("  a launch     {}\n", text::seconds(calibration.launch_seconds));
  out += fmt::format("  noise        {:.2f} % of a sample, {:.2f} % between processes\n",
                     100 * calibration.within, 100 * calibration.between);
  out +=
      fmt::format("  an interval  {:.2f} % wider on each side for differences between processes\n",
                  100 * noise_floor(calibration));
  text::Columns table({true, true, true, false, false, true});
  table.add({"solution", "gate", "case", "fraction of copy", "bound"});
  for (const auto& one : calibration.solutions) {
    table.add({one.exercise, one.gate, one.case_name,
               fmt::format("{:.3f} +- {:.3f}", one.value, (one.high - one.low) / 2),
               report::render_bound({one.min, one.max}),
               waiver_of(calibration, one.exercise, one.gate) ? "waived: too near" : ""});
  }
  return out + table.text(2, text::Style());
}

}  // namespace warpgrade::grader::author

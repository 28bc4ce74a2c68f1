// SPDX-License-Identifier: Apache-2.0
#include "grader/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/base/error.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/statistics.h"
#include "grader/render_text.h"
#include "grader/terminal.h"

namespace warpgrade::grader {
namespace {

using Buffers = std::vector<run::Buffer>;

std::vector<double> logs_of(const std::vector<measure::Quad>& quads) {
  std::vector<double> out;
  for (const auto& quad : quads) out.push_back(quad.log_ratio());
  return out;
}

}  // namespace

void measure_noise(measure::Bench& bench, std::uint64_t bytes, std::size_t processes,
                   CalibrationCard& card) {
  const auto& program = measure::copy_program(std::string(bench.profile().architecture));
  measure::TimedCase timed;
  timed.kernel = program.kernels.at(0);
  timed.launch = measure::copy_launch(bytes);
  timed.before = measure::copy_patterns(bytes);
  timed.any_order.assign(2, false);
  timed.reference = &program;
  timed.reference_launch = timed.launch;
  timed.narrow = 1;  // The spread is asked for, not the fraction: the fewest quads will do.
  timed.difference = [](const Buffers&, const Buffers&, const Buffers&) {
    return "the copy differs";
  };
  std::vector<double> spreads;
  std::vector<double> medians;
  double quads = 1;  // In each process.
  for (std::size_t i = 0; i < processes; ++i) {
    const auto found = bench.comparisons(program, {timed})->compare(0);
    if (!found.fraction || found.fraction->quads.empty()) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    const auto logs = logs_of(found.fraction->quads);
    quads = static_cast<double>(logs.size());
    spreads.push_back(measure::standard_deviation(logs));
    medians.push_back(measure::median(logs));
  }
  card.within = measure::median(spreads);
  // What the noise within processes makes of the medians is in every interval already. A median of
  // n samples spreads by sqrt(pi / 2 / n) of what they do, for noise that is normal.
  const double own = card.within * card.within * std::numbers::pi / 2 / quads;
  const double all = measure::standard_deviation(medians);
  card.between = std::sqrt(std::max(0.0, all * all - own));
}

std::vector<SolutionOnCard> solutions_on_card(const Report& report) {
  std::vector<SolutionOnCard> out;
  for (const auto& item : report.exercises) {
    for (const auto& gate : item.gates) {
      if (!gate.low || !gate.high || !gate.value) continue;
      SolutionOnCard one;
      one.exercise = item.lab + "/" + item.exercise;
      one.gate = gate.id;
      one.case_name = gate.case_name;
      one.value = *gate.value;
      one.low = *gate.low;
      one.high = *gate.high;
      one.min = gate.min;
      one.max = gate.max;
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::string render_card(const CalibrationCard& card) {
  std::string out = fmt::format("{}, driver {}, {}\n", card.device, card.driver, card.date);
  out += fmt::format("  copy         {} ({:.3f} of the driver's copy, {:.3f} of the datasheet)\n",
                     bytes_per_second(card.copy_bytes_per_second),
                     card.copy_bytes_per_second / card.memcpy_bytes_per_second,
                     card.copy_bytes_per_second / card.datasheet_bytes_per_second);
  out += fmt::format("  a launch     {}\n", seconds(card.launch_seconds));
  out += fmt::format("  noise        {:.2f} % of a quad, {:.2f} % between processes\n",
                     100 * card.within, 100 * card.between);
  out +=
      fmt::format("  an interval  {:.2f} % wider on each side for what differs between processes\n",
                  100 * noise_floor(card));
  Columns table({true, true, true, false, false, true});
  table.add({"solution", "gate", "case", "fraction of copy", "bound"});
  for (const auto& one : card.solutions) {
    GateResult gate;
    gate.id = one.gate;
    gate.min = one.min;
    gate.max = one.max;
    table.add({one.exercise, one.gate, one.case_name,
               fmt::format("{:.3f} +- {:.3f}", one.value, (one.high - one.low) / 2),
               render_bound(gate),
               why_waived(card, one.exercise, gate).empty() ? "" : "waived: too near"});
  }
  return out + table.text(2, Style());
}

}  // namespace warpgrade::grader

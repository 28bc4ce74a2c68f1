// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/gpu_timing.h"

#include <utility>

#include "common/base/error.h"
#include "common/verify/ulps.h"
#include "grader/cases/case_buffers.h"
#include "grader/cases/outputs.h"
#include "grader/grade/execute/gpu_case.h"
#include "grader/grade/time/simulated_speed.h"

namespace warpgrade::grader::grade {
namespace {

report::GateValue fraction_value(const measure::Fraction& fraction) {
  if (!fraction.estimate) return report::NotMeasured{};
  std::vector<std::array<double, 4>> samples;
  for (const auto& sample : fraction.samples) {
    samples.push_back({sample.a1, sample.b1, sample.b2, sample.a2});
  }
  const auto& estimate = *fraction.estimate;
  return report::MeasuredInterval(estimate.value, estimate.low, estimate.high, std::move(samples));
}

CaseOutcome outcome_of_comparison(measure::CopyComparison found) {
  CaseOutcome out;
  out.measured = std::move(found.measured);
  out.warnings = std::move(found.notes);
  if (!out.measured.result.diagnostics.empty()) {
    out.ending = FoundFaults{out.measured.result.diagnostics};
  } else if (found.difference) {
    out.ending = WrongResult{std::move(*found.difference)};
  } else if (!found.impossible.empty()) {
    out.ending = ImpossibleTime{std::move(found.impossible)};
  } else if (found.fraction) {
    if (!found.fraction->warning.empty()) out.warnings.push_back(found.fraction->warning);
    out.fraction_of_roof = fraction_value(*found.fraction);
    out.roofline = found.roofline;
  }
  return out;
}

}  // namespace

CaseOutcome GpuTiming::time(std::size_t number) {
  try {
    begin();
    try {
      return outcome_of_comparison(comparisons_->compare(number));
    } catch (const base::UsageError& error) {
      return ended_by(NotLaunchable{error.what()});
    }
  } catch (const base::ToolError& error) {
    return ended_by(GpuTrouble{error.what()});
  }
}

void GpuTiming::begin() {
  if (comparisons_) return;
  std::vector<measure::TimedCase> timed;
  for (const auto& place : places_) timed.push_back(timed_case(place));
  const auto& first = places_.front();
  comparisons_ = gpu_bench_of(first).comparisons(*first.program, std::move(timed));
}

measure::TimedCase GpuTiming::timed_case(const Place& place) const {
  const auto& sized = *place.sized;
  const auto& gpu = *plan_.services.gpu;
  measure::TimedCase timed;
  timed.sequence = launches_of(place, sized);
  timed.before =
      make_patterns(sized.buffers, sized.contents_seed(plan_.services.seed ^ gpu.timed_variant()));
  timed.any_order = in_any_order(sized.buffers);
  for (const auto& buffer : sized.buffers) {
    const auto tolerance = buffer.tolerance();
    timed.nearness.push_back({tolerance.ulps, verify::free_difference(buffer.type, tolerance)});
  }
  const auto reference = gpu.reference->launch(plan_.lab(), sized);
  timed.reference = reference.program;
  timed.reference_launch = reference.launch;
  timed.bytes = sized.work.bytes;
  timed.operations = sized.work.operations;
  timed.is_timed = has_speed_gate(gates_, *place.target, *place.item);
  timed.bounds = speed_bounds(gates_, *place.target, *place.item);
  timed.difference = [&](const auto& content, const auto& after, const auto& got) {
    return first_difference(sized.buffers, {content, after}, got);
  };
  return timed;
}

CaseOutcome with_gpu_speed(const Plan& plan, const Place& place, CaseOutcome out) {
  if (!is_right(out) || !has_speed_gate(plan.gates, *place.target, *place.item)) return out;
  try {
    auto& bench = gpu_bench_of(place);
    const auto& required = place.sized->work;
    const double peak = required.operations > 0 ? bench.peak_seconds(required.operations) : 0;
    take_speed(required, bench.copy_seconds(required.bytes), peak, out.measured.seconds, out);
    return out;
  } catch (const base::ToolError& error) {
    return ended_by(GpuTrouble{error.what()});
  }
}

}  // namespace warpgrade::grader::grade

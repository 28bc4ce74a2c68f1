// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/timed_runs.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/measure/measurement.h"
#include "common/memory/metrics.h"
#include "common/timing/model.h"
#include "common/timing/speed_of_light.h"
#include "common/verify/element.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/execute/simulated_case.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {
namespace {

// Copies the time of a launch of another size, or of a sample, to `out`.
template <typename Timed>
void copy_time(Timed& timed, std::vector<std::shared_ptr<const timing::ModelInputs>> inputs,
               measure::Measurement& out) {
  out.seconds = timed.seconds;
  out.bound_by = timed.bound_by;
  out.shares = std::move(timed.shares);
  out.parts = std::move(timed.parts);
  out.skew = timed.skew;
  out.model_inputs = std::move(inputs);
  out.unmodelled = timed.unmodelled;
}

// Copies the metrics that need that time to `out`; those of another size are removed.
void copy_light(const memory::Metrics& from, measure::Measurement& out) {
  for (const auto& name : timing::speed_of_light_names()) {
    const auto found = from.find(name);
    if (found == from.end()) {
      out.metrics.erase(name);
    } else {
      out.metrics.insert_or_assign(name, found->second);
    }
  }
}

// Sets the speed of a launch that does `required` in the time of `out`.
void set_modelled_speed(const PlannedCase& planned, const cases::RequiredWork& required,
                        CaseOutcome& out) {
  auto& bench = planned.target->sim();
  const double peak =
      measure::seconds_at_peak(bench.profile(), required.arithmetic, required.operations);
  set_speed(required, bench.copy_seconds(required.bytes), peak, out.measured.seconds, out);
}

// All blocks at the size of `sized`, with the model's time.
CaseOutcome time_whole(const Plan& plan, CaseJob job, const cases::SizedCase& sized) {
  job.is_shared = false;
  RightResults right(plan, job, sized);
  return run_whole(job, sized, right, Timing::kModelled);
}

// Adds the size to findings that only occur at the timed size.
void add_size(const text::Variables& variables, CaseEnding& ending) {
  if (auto* wrong = std::get_if<WrongResult>(&ending)) {
    wrong->seen.timed_size = variables;
  } else if (auto* found = std::get_if<FoundFaults>(&ending)) {
    for (auto& diagnostic : found->diagnostics) diagnostic.seen.timed_size = variables;
  }
}

// Predicts the time at the size whose speed is graded. A kernel that is right at its own size and
// too slow to be simulated there has the speed of its own size as an upper limit.
void time_at_full_size(const Plan& plan, const CaseJob& job, CaseOutcome& out) {
  const auto& timed = *job.planned.timed;
  auto sample = run_sample(plan, job, timed, measure::SampleUse::kTimeAndResults);
  out.ending = std::move(sample.ending);
  if (is_right(out) && sample.is_representative) {
    const auto& light = sample.launch.time.speed_of_light;
    const auto& profile = job.planned.target->sim().profile();
    copy_light(light ? light->metrics(profile) : memory::Metrics(), out.measured);
    copy_time(sample.launch.time, std::move(sample.launch.time.inputs), out.measured);
  } else if (is_right(out)) {
    auto whole = time_whole(plan, job, timed);
    out.ending = std::move(whole.ending);
    if (is_right(out)) {
      copy_light(whole.measured.metrics, out.measured);
      copy_time(whole.measured, std::move(whole.measured.model_inputs), out.measured);
    }
  }
  if (is_right(out)) return set_modelled_speed(job.planned, timed.work, out);
  if (is_runaway(out.ending)) {
    out.ending = RightResult{};
    const auto& sized = *job.planned.sized;
    auto whole = time_whole(plan, job, sized);
    out.ending = std::move(whole.ending);
    if (!is_right(out)) return;
    copy_light({}, out.measured);
    copy_time(whole.measured, std::move(whole.measured.model_inputs), out.measured);
    out.measured.unmodelled.add(timing::Unmodelled::kFullSize);
    set_modelled_speed(job.planned, sized.work, out);
  }
  add_size(timed.variables, out.ending);
}

}  // namespace

CaseOutcome with_speed(const Plan& plan, const CaseJob& job, CaseOutcome out) {
  const auto& planned = job.planned;
  const bool is_done = !is_right(out) || planned.item->sampled;
  if (is_done || !needs_time(plan.gates, *planned.target, *planned.item)) return out;
  if (planned.item->timed_variables) {
    time_at_full_size(plan, job, out);
  } else {
    set_modelled_speed(planned, planned.sized->work, out);
  }
  return out;
}

void set_speed(const cases::RequiredWork& required, double copy_seconds, double peak_seconds,
               double seconds, CaseOutcome& out) {
  out.fraction_of_roof = report::quotient_of(std::max(copy_seconds, peak_seconds), seconds);
  if (required.operations <= 0 || !number_of(out.fraction_of_roof)) return;
  out.roofline = measure::Roofline{static_cast<double>(required.bytes), required.operations,
                                   copy_seconds, peak_seconds, seconds};
}

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
  for (const auto& planned : cases_) timed.push_back(timed_case(planned));
  const auto& first = cases_.front();
  comparisons_ = first.target->gpu().comparisons(*first.program, std::move(timed));
}

measure::TimedCase GpuTiming::timed_case(const PlannedCase& planned) const {
  const auto& sized = *planned.sized;
  const auto& gpu = *plan_.services.gpu;
  measure::TimedCase timed;
  timed.sequence = launches_of(planned, sized);
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
  timed.arithmetic = sized.work.arithmetic;
  timed.is_timed = needs_time(gates_, *planned.target, *planned.item);
  timed.bounds = speed_bounds(gates_, *planned.target, *planned.item);
  timed.difference = [&](const auto& before, const auto& after, const auto& got) {
    return first_difference(sized.buffers, before, after, got);
  };
  return timed;
}

CaseOutcome with_gpu_speed(const Plan& plan, const PlannedCase& planned, CaseOutcome out) {
  if (!is_right(out) || !needs_time(plan.gates, *planned.target, *planned.item)) return out;
  try {
    auto& bench = planned.target->gpu();
    const auto& required = planned.sized->work;
    const double peak =
        required.operations > 0 ? bench.peak_seconds(required.operations, required.arithmetic) : 0;
    set_speed(required, bench.copy_seconds(required.bytes), peak, out.measured.seconds, out);
    return out;
  } catch (const base::ToolError& error) {
    return ended_by(GpuTrouble{error.what()});
  }
}

// The GPU's own counts of a launch that the simulator has counted.
static measure::GpuCounters count(const Plan& plan, const PlannedCase& planned) {
  const auto expected =
      plan.services.simulator.reference->expected(plan.lab(), *planned.sized, planned.variant);
  try {
    return plan.services.gpu->bench->count(*planned.program, launches_of(planned, *planned.sized),
                                           expected->before);
  } catch (const base::ToolError& error) {
    return {{}, error.what()};
  }
}

/// Counts the right ones of the measured cases that were simulated on the GPU's profile. The counts
/// change no grade: if the GPU fails, they have the reason. Throws base::ToolError if the reference
/// fails.
static void count_on_gpu(const Plan& plan, std::span<PlannedCase> measured) {
  const auto& gpu = plan.services.gpu;
  if (!gpu || !gpu->counters) return;
  const auto& profile = gpu->bench->profile();
  for (auto& one : measured) {
    if (one.target->is_gpu() || one.target->device != profile.name || !one.is_right()) continue;
    one.outcome->counted = count(plan, one);
  }
}

namespace {

// A gate may be decided by the worst of all cases, small ones as well.
void time_small(const Plan& plan, std::span<PlannedCase> cases) {
  for (auto& one : cases) {
    if (!one.outcome) continue;
    auto checked = *std::move(one.outcome);
    one.outcome = one.target->is_gpu() ? with_gpu_speed(plan, one, std::move(checked))
                                       : with_speed(plan, {one}, std::move(checked));
  }
}

}  // namespace

std::vector<report::Gate> time_cases(const Plan& plan, Execution& execution) {
  auto gates = plan.gates;
  const bool is_right = execution.is_right();
  time_small(plan, execution.small());
  if (!is_right) return gates;
  if (needs_course(gates)) {
    const auto& course_values = plan.services.gpu->course_values;
    add_course_values(course_values ? course_values(plan.task) : CourseValues(), gates);
  }
  run_cases(
      plan, execution.measured(),
      [&](const CaseJob& job, CaseOutcome executed) {
        return with_speed(plan, job, std::move(executed));
      },
      [&](std::span<const PlannedCase> group) {
        auto timing = std::make_shared<GpuTiming>(plan, gates, group);
        return [timing](std::size_t i) { return timing->time(i); };
      });
  count_on_gpu(plan, execution.measured());
  return gates;
}

}  // namespace warpgrade::grader::grade

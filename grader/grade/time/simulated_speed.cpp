// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/simulated_speed.h"

#include <algorithm>
#include <utility>

#include "grader/grade/execute/sampled_case.h"
#include "grader/grade/execute/simulated_case.h"
#include "grader/grade/execute/whole_case.h"

namespace warpgrade::grader::grade {
namespace {

// Copies the time of a launch of another size, or of a sample, to `out`.
template <typename Timed>
void take_model(Timed& timed, measure::Measurement& out) {
  out.seconds = timed.seconds;
  out.bound_by = timed.bound_by;
  out.shares = std::move(timed.shares);
  out.skew = timed.skew;
  out.unmodelled = timed.unmodelled;
}

// Sets the speed of a launch that does `required` in the time of `out`.
void enter_speed(const Place& place, const cases::RequiredWork& required, CaseOutcome& out) {
  auto& bench = sim_bench_of(place);
  const double peak =
      required.operations > 0 ? required.operations / measure::peak_rate(bench.profile()) : 0;
  take_speed(required, bench.copy_seconds(required.bytes), peak, out.measured.seconds, out);
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
  const auto& timed = *job.place.timed;
  auto sample = run_sample(plan, job, timed, measure::SampleUse::kTimeAndResults);
  out.ending = std::move(sample.ending);
  if (is_right(out) && sample.is_representative) {
    take_model(sample.launch.time, out.measured);
  } else if (is_right(out)) {
    auto whole = time_whole(plan, job, timed);
    out.ending = std::move(whole.ending);
    if (is_right(out)) take_model(whole.measured, out.measured);
  }
  if (is_right(out)) return enter_speed(job.place, timed.work, out);
  if (is_runaway(out.ending)) {
    out.ending = RightResult{};
    const auto& sized = *job.place.sized;
    auto whole = time_whole(plan, job, sized);
    out.ending = std::move(whole.ending);
    if (!is_right(out)) return;
    take_model(whole.measured, out.measured);
    out.measured.unmodelled.add(timing::Unmodelled::kFullSize);
    enter_speed(job.place, sized.work, out);
  }
  add_size(timed.variables, out.ending);
}

}  // namespace

CaseOutcome with_speed(const Plan& plan, const CaseJob& job, CaseOutcome out) {
  const auto& place = job.place;
  const bool is_done = !is_right(out) || place.item->sampled;
  if (is_done || !has_speed_gate(plan.gates, *place.target, *place.item)) return out;
  if (place.item->timed_variables) {
    time_at_full_size(plan, job, out);
  } else {
    enter_speed(place, place.sized->work, out);
  }
  return out;
}

void take_speed(const cases::RequiredWork& required, double copy_seconds, double peak_seconds,
                double seconds, CaseOutcome& out) {
  out.fraction_of_roof = report::quotient_of(std::max(copy_seconds, peak_seconds), seconds);
  if (required.operations <= 0 || !number_of(out.fraction_of_roof)) return;
  out.roofline = measure::Roofline{static_cast<double>(required.bytes), required.operations,
                                   copy_seconds, peak_seconds, seconds};
}

}  // namespace warpgrade::grader::grade

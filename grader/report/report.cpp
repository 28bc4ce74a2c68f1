// SPDX-License-Identifier: Apache-2.0
// The results of grading as plain structs: a report, its exercises, their cases and gates.
// In: what the stages of a grade found. Out: facts for the renderers for
// text, JSON and HTML. They only read it, so they cannot disagree.
// Units are SI and raw counts; formatting is the renderers'.
#include "grader/report/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "common/base/diagnostic.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::report {
namespace {

GateOutcome interval_outcome(const MeasuredInterval& measured, const GateBounds& bounds) {
  const bool is_interval = measured.low <= measured.high;  // neither is NaN
  if (!is_interval) return GateOutcome::kUndecided;
  const bool fails = (bounds.min && measured.high < *bounds.min) ||
                     (bounds.max && measured.low >= *bounds.max && measured.high > *bounds.max);
  if (fails) return GateOutcome::kFailed;
  const bool passes =
      (!bounds.min || measured.low >= *bounds.min) && (!bounds.max || measured.high <= *bounds.max);
  return passes ? GateOutcome::kPassed : GateOutcome::kUndecided;
}

}  // namespace

bool GateBounds::contain(double value) const {
  if (value != value) return false;
  return (!min || value >= *min) && (!max || value <= *max);
}

GateBounds GateBounds::for_model(double error) const {
  auto out = *this;
  if (out.min) *out.min *= 1 - error;
  if (out.max) *out.max *= 1 + error;
  return out;
}

GateValue quotient_of(double copy_seconds, double seconds) {
  const auto is_time = [](double time) { return std::isfinite(time) && time > 0; };
  if (!is_time(copy_seconds) || !is_time(seconds)) return NotMeasured{};
  return copy_seconds / seconds;
}

std::optional<double> number_of(const GateValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* measured = std::get_if<MeasuredInterval>(&value)) return measured->value;
  return std::nullopt;
}

GateOutcome outcome_of(const GateValue& value, const GateBounds& bounds) {
  if (const auto* measured = std::get_if<MeasuredInterval>(&value)) {
    return interval_outcome(*measured, bounds);
  }
  if (std::holds_alternative<NoAccess>(value)) return GateOutcome::kFailed;
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || std::isnan(*number)) return GateOutcome::kUndecided;
  return bounds.contain(*number) ? GateOutcome::kPassed : GateOutcome::kFailed;
}

GateBounds Gate::bounds_in(const std::string& case_name) const {
  const auto found = bounds.find(case_name);
  return found == bounds.end() ? GateBounds() : found->second;
}

GateBounds Gate::deciding_bounds() const {
  if (worst) return bounds_in(worst->case_name);
  return bounds_in(definition.cases.empty() ? std::string() : definition.cases.front());
}

bool Gate::skeleton_passes() const {
  const auto& skeleton = definition.skeleton;
  return skeleton && deciding_bounds().for_model(model_margin).contain(*skeleton);
}

bool Gate::is_spared() const {
  const auto number = value();
  return has_passed() && !waiver && model_margin > 0 && number &&
         !deciding_bounds().contain(*number);
}

std::optional<double> Gate::value() const { return worst ? number_of(worst->value) : std::nullopt; }

// The model gives a true value times 1 - margin to 1 + error.
std::optional<ModelRange> Gate::model_range() const {
  const auto number = value();
  const double error = model_error;
  if (!number || waiver || error <= 0 || error >= 1) return std::nullopt;
  return ModelRange{*number / (1 + error), *number / (1 - model_margin)};
}

timing::UnmodelledSet Gate::unmodelled() const {
  const auto* lacking = worst ? std::get_if<NotModelled>(&worst->value) : nullptr;
  return lacking == nullptr ? timing::UnmodelledSet() : lacking->parts;
}

const MeasuredInterval* Gate::interval() const {
  return worst ? std::get_if<MeasuredInterval>(&worst->value) : nullptr;
}

std::string_view name(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> kNames = {"pass", "fail", "inconclusive",
                                                             "error"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::string_view name(Reason reason) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "none", "compile", "diagnostic", "incorrect", "mechanism", "performance", "tool"};
  return kNames.at(static_cast<std::size_t>(reason));
}

std::optional<GateValue> ExerciseReport::fraction_of_roofline() const {
  for (const auto& gate : gates) {
    if (gate.definition.is_performance() && gate.decision && gate.value()) return gate.worst->value;
  }
  return std::nullopt;
}

std::optional<GateValue> ExerciseReport::fraction_of_copy() const {
  return has_roofline() ? std::nullopt : fraction_of_roofline();
}

bool ExerciseReport::has_roofline() const {
  return std::ranges::any_of(cases, [](const Case& one) { return one.roofline.has_value(); });
}

const Case* ExerciseReport::first_incorrect() const {
  const auto found = std::ranges::find(cases, Case::State::kIncorrect, &Case::state);
  return found == cases.end() ? nullptr : &*found;
}

std::uint32_t Report::points() const {
  std::uint32_t sum = 0;
  for (const auto& exercise : exercises) sum += exercise.points;
  return sum;
}

std::uint32_t Report::max_points() const {
  std::uint32_t sum = 0;
  for (const auto& exercise : exercises) sum += exercise.max_points;
  return sum;
}

int Report::exit_code() const {
  int code = 0;
  for (const auto& exercise : exercises) {
    if (exercise.verdict == Verdict::kError || exercise.verdict == Verdict::kInconclusive) return 3;
    if (exercise.verdict != Verdict::kPass) code = 1;
  }
  return code;
}

}  // namespace warpgrade::grader::report

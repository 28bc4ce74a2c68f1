// SPDX-License-Identifier: Apache-2.0
#include "grader/report/gate_report.h"

#include "grader/course/metric_names.h"

namespace warpgrade::grader {
namespace {

GateOutcome interval_outcome(const MeasuredInterval& measured, const GateBounds& bounds) {
  const bool fails = (bounds.min && measured.high < *bounds.min) ||
                     (bounds.max && measured.low >= *bounds.max && measured.high > *bounds.max);
  if (fails) return GateOutcome::kFailed;
  const bool passes =
      (!bounds.min || measured.low >= *bounds.min) && (!bounds.max || measured.high <= *bounds.max);
  return passes ? GateOutcome::kPassed : GateOutcome::kUndecided;
}

}  // namespace

bool GateDefinition::is_performance() const { return metric == kFractionOfCopy; }

bool GateBounds::contain(double value) const {
  if (value != value) return false;
  return (!min || value >= *min) && (!max || value <= *max);
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
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && bounds.contain(*number) ? GateOutcome::kPassed : GateOutcome::kFailed;
}

bool GateReport::is_progress() const {
  return has_passed() && !(gate.skeleton && bounds.contain(*gate.skeleton));
}

std::optional<double> GateReport::value() const {
  return worst ? number_of(worst->value) : std::nullopt;
}

const MeasuredInterval* GateReport::interval() const {
  return worst ? std::get_if<MeasuredInterval>(&worst->value) : nullptr;
}

}  // namespace warpgrade::grader

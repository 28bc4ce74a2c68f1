// SPDX-License-Identifier: Apache-2.0
#include "grader/report/gate_report.h"

#include <cmath>

#include "grader/course/metric_names.h"

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

bool GateDefinition::is_performance() const { return course::is_speed(metric); }

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

bool GateReport::skeleton_passes() const {
  return gate.skeleton && bounds.for_model(gate.model_margin).contain(*gate.skeleton);
}

bool GateReport::is_spared() const {
  const auto number = value();
  return has_passed() && !gate.is_waived && gate.model_margin > 0 && number &&
         !bounds.contain(*number);
}

std::optional<double> GateReport::value() const {
  return worst ? number_of(worst->value) : std::nullopt;
}

// The model gives a true value times 1 - margin to 1 + error.
std::optional<ModelRange> GateReport::model_range() const {
  const auto number = value();
  const double error = gate.model_error;
  if (!number || gate.is_waived || error <= 0 || error >= 1) return std::nullopt;
  return ModelRange{*number / (1 + error), *number / (1 - gate.model_margin)};
}

timing::UnmodelledSet GateReport::unmodelled() const {
  const auto* lacking = worst ? std::get_if<NotModelled>(&worst->value) : nullptr;
  return lacking == nullptr ? timing::UnmodelledSet() : lacking->parts;
}

const MeasuredInterval* GateReport::interval() const {
  return worst ? std::get_if<MeasuredInterval>(&worst->value) : nullptr;
}

}  // namespace warpgrade::grader::report

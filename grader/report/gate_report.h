// SPDX-License-Identifier: Apache-2.0
// One gate of an exercise in a report: its definition, its measurement, its decision.
//
// The three are made at different times. A gate that was not measured has no measurement, and a
// gate without one of its cases has no decision, so no default value can become a verdict.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/device/kernel_kind.h"
#include "common/run/backend.h"
#include "common/timing/unmodelled.h"

namespace warpgrade::grader::report {

/// The manifest's gate for reports, and the backend that measures it.
struct GateDefinition {
  std::string id;
  std::string metric;
  std::string device;
  run::Backend backend{};
  /// The untouched skeleton's value; nullopt if its result is wrong.
  std::optional<double> skeleton;
  double ideal = 0;
  std::uint32_t max_points = 0;
  std::vector<std::string> needs;  ///< Gates that must pass before this one earns points.
  std::string meaning;
  std::string next;
  bool is_waived = false;  ///< Everybody passes it, since this GPU cannot decide it.
  /// The relative error of a modelled speed (device::ModelErrors::of_speed); 0 for counted or
  /// measured values.
  double model_error = 0;
  double model_margin = 0;  ///< The same for device::ModelErrors::margin_of_speed.
  std::optional<device::KernelKind> kind = {};  ///< Whose errors these are; nullopt: of any kernel.

  /// Whether it is a gate on a speed, see is_speed().
  bool is_performance() const;
};

struct GateBounds {
  std::optional<double> min;
  std::optional<double> max;

  /// Bounds are inclusive; NaN is never within them.
  bool contain(double value) const;
  /// Bounds widened for a modelled value with a relative error of up to `error`. If the modelled
  /// value is outside of them, the true value is outside of these bounds.
  GateBounds for_model(double error) const;
};

/// Not measured, or the result is not a number: it decides nothing.
struct NotMeasured {};

/// The true value of a modelled speed is in this range, if the model's error is within its known
/// bound.
struct ModelRange {
  double low = 0;
  double high = 0;
};

/// The kernel makes no access of the kind that the metric is about.
struct NoAccess {};

/// A modelled speed that these parts of the time could move to the other side of a bound: it
/// decides nothing.
struct NotModelled {
  timing::UnmodelledSet parts;
};

/// A value that was measured on a GPU: the true one is between `low` and `high`. It always has
/// numbers.
struct MeasuredInterval {
  MeasuredInterval(double middle, double least, double most,
                   std::vector<std::array<double, 4>> all = {})
      : value(middle), low(least), high(most), samples(std::move(all)) {}

  double value;
  double low;
  double high;
  std::vector<std::array<double, 4>> samples;  ///< Seconds: copy, kernel, kernel, copy.
};

/// NotMeasured by default.
using GateValue = std::variant<NotMeasured, NoAccess, NotModelled, double, MeasuredInterval>;

/// `seconds` of the copy over those of the kernel; NotMeasured unless both are numbers above zero.
GateValue quotient_of(double copy_seconds, double seconds);

/// The number; nullopt if the value has none.
std::optional<double> number_of(const GateValue& value);

/// kUndecided (the default): a bound is within the interval, or the gate was not measured.
enum class GateOutcome { kUndecided, kPassed, kFailed };

/// Judges `value` by all of its interval. NoAccess fails; NotMeasured and NaN decide nothing.
GateOutcome outcome_of(const GateValue& value, const GateBounds& bounds);

struct GateMeasurement {
  std::string case_name;
  GateValue value;
  GateOutcome outcome{};
  std::string size = {};  ///< "n = 131072" if the speed is graded at another size than the case's.
};

struct GateReport {
  GateDefinition gate;
  GateBounds bounds;  ///< On the case that decides; before one is measured, on the first.
  /// The gate's worst case of those measured so far; nullopt if none was.
  std::optional<GateMeasurement> worst;
  /// Nullopt if a case of the gate was not measured.
  std::optional<GateOutcome> decision;
  std::uint32_t points = 0;
  std::string lacks;  ///< The required gate that failed, if this one passed and earned nothing.

  bool has_passed() const { return decision == GateOutcome::kPassed; }
  bool has_failed() const { return decision == GateOutcome::kFailed; }
  /// Whether the untouched skeleton passes, by its value.
  bool skeleton_passes() const;
  /// Whether it passes only because the time model may be wrong.
  bool is_spared() const;
  /// The measured number, if any.
  std::optional<double> value() const;
  /// The range of a modelled speed; nullopt for counted or measured values.
  std::optional<ModelRange> model_range() const;
  /// The parts that the model does not time exactly, if they leave the gate undecided.
  timing::UnmodelledSet unmodelled() const;
  /// The interval that was measured on a GPU; nullptr for other values.
  const MeasuredInterval* interval() const;
};

}  // namespace warpgrade::grader::report

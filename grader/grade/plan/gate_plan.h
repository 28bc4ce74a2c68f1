// SPDX-License-Identifier: Apache-2.0
// The gates of an exercise that the available targets measure, with their targets and bounds.
//
// Without a GPU, every gate is simulated on the device that it names. With a GPU, the gates on
// fraction_of_copy of the same cases become one gate, whatever their devices: the GPU measures it,
// and it gives the points of all. All other gates are simulated, and so are those with `simulated`.
// A gate whose device is left out is not in the plan.
//
// The bound on a card is the first of these that the manifest has: the bound for the card's
// generation in `on`; the bound of the gate whose device is of that generation; a share of the
// value that the course's own solution reaches on the card (course_on_card.h). A bound of 0 holds
// everywhere. A gate that the card cannot decide is waived.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/manifest.h"
#include "grader/grade/plan/course_values.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/plan/target.h"
#include "grader/grade/plan/waiver.h"
#include "grader/report/gate_report.h"

namespace warpgrade::grader::grade {

/// A bound as a share of the solution's value on the card.
struct Share {
  std::optional<double> min;
  std::optional<double> max;
  /// By case, once measured.
  std::map<std::string, double> solution = {};
};

struct PlannedGate {
  /// If several gates are measured as one, the gate whose texts are used.
  const course::Gate* gate = nullptr;
  const Target* target = nullptr;       ///< The target that measures it.
  std::optional<Waiver> waiver = {};    ///< Why the gate is waived on this GPU, if it is.
  std::uint32_t points = 0;             ///< Sum over the gates that are measured as one.
  std::vector<std::string> needs = {};  ///< Likewise.
  std::optional<double> skeleton = {};  ///< On the target, if known.
  std::map<std::string, report::GateBounds> bounds = {};  ///< By case, at its size on the target.
  std::optional<Share> share = {};                        ///< Counts before them.
};

using GatePlan = std::vector<PlannedGate>;

/// The plan for `exercise`, called `name` ("coalescing/copy"). `targets` outlive the plan;
/// `only_device` is empty for all; `calibration` may be nullptr; `draw` chooses the sizes of
/// measured cases. Shares have no values of the solution yet.
GatePlan plan_gates(const course::KernelExercise& exercise, const std::string& name,
                    const std::vector<Target>& targets, const GpuCalibration* calibration,
                    const std::string& only_device = {}, std::uint32_t draw = 0);

/// Whether bounds of the plan need the course's solution's value on the card.
bool needs_course(const GatePlan& plan);

/// Adds the values of the course's files on the card; waives gates without one.
void enter_course(const CourseValues& course, GatePlan& plan);

/// Whether `item` on `target` counts for the gate.
bool is_asked(const PlannedGate& planned, const Target& target, const course::Case& item);

/// Whether a gate compares the time of `item` on `target` with the time of a copy.
bool has_speed_gate(const GatePlan& plan, const Target& target, const course::Case& item);

/// The bounds that a measurement of `item` on `target` must decide: the bounds of its speed gates
/// without waived ones.
std::vector<double> speed_bounds(const GatePlan& plan, const Target& target,
                                 const course::Case& item);

/// The gate's bounds for one of its cases.
report::GateBounds bounds_of(const PlannedGate& planned, const std::string& case_name);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// The gates of an exercise that are measured on the targets at hand, and where.
//
// A gate on fraction_of_copy goes to the GPU where there is one of its profile, every other gate to
// the simulator. A gate of a device that is left out is not in the plan.
#pragma once

#include <string>
#include <vector>

#include "grader/course/manifest.h"
#include "grader/grade/case_outcome.h"
#include "grader/grade/gpu_calibration.h"
#include "grader/grade/target.h"
#include "grader/report/gate_report.h"

namespace warpgrade::grader {

struct PlannedGate {
  const Gate* gate = nullptr;
  const Target* target = nullptr;  ///< The place where it is measured.
  std::string waived;  ///< Why everybody passes it on this GPU, in words; empty: nobody is let off.
};

using GatePlan = std::vector<PlannedGate>;

/// The plan for `exercise`, called `name` ("coalescing/copy"). `targets` outlive the plan;
/// `calibration` may be nullptr.
GatePlan plan_gates(const Exercise& exercise, const std::string& name,
                    const std::vector<Target>& targets, const GpuCalibration* calibration);

/// Whether `item` on `target` has a say in the gate.
bool is_asked(const PlannedGate& planned, const Target& target, const Case& item);

/// Whether a gate compares the time of `item` on `target` with that of a copy.
bool has_speed_gate(const GatePlan& plan, const Target& target, const Case& item);

/// The bounds that a measurement of `place` must decide: those of its speed gates, but of none that
/// is waived.
std::vector<double> speed_bounds(const GatePlan& plan, const Place& place);

/// The gate's bounds for these variables.
GateBounds bounds_of(const Gate& gate, const Variables& variables);

}  // namespace warpgrade::grader

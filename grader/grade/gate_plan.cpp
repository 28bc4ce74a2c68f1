// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/gate_plan.h"

#include <algorithm>

namespace warpgrade::grader {
namespace {

// nullptr where the gate's device is left out.
const Target* target_of(const Gate& gate, const std::vector<Target>& targets) {
  const Target* simulated = nullptr;
  for (const auto& target : targets) {
    if (target.device != gate.device) continue;
    if (!target.is_gpu()) {
      simulated = &target;
    } else if (gate.is_performance()) {
      return &target;
    }
  }
  return simulated;
}

}  // namespace

GatePlan plan_gates(const Exercise& exercise, const std::string& name,
                    const std::vector<Target>& targets, const GpuCalibration* calibration) {
  GatePlan out;
  for (const auto& gate : exercise.gates) {
    const auto* target = target_of(gate, targets);
    if (target == nullptr) continue;
    const bool may_be_waived = calibration != nullptr && target->is_gpu();
    out.push_back(
        {&gate, target, may_be_waived ? why_waived(*calibration, name, gate.id) : std::string()});
  }
  return out;
}

bool is_asked(const PlannedGate& planned, const Target& target, const Case& item) {
  const auto& cases = planned.gate->cases;
  return planned.target == &target &&
         std::find(cases.begin(), cases.end(), item.name) != cases.end();
}

bool has_speed_gate(const GatePlan& plan, const Target& target, const Case& item) {
  return std::any_of(plan.begin(), plan.end(), [&](const PlannedGate& planned) {
    return planned.gate->is_performance() && is_asked(planned, target, item);
  });
}

std::vector<double> speed_bounds(const GatePlan& plan, const Place& place) {
  std::vector<double> out;
  for (const auto& planned : plan) {
    const bool is_open = planned.gate->is_performance() && planned.waived.empty();
    if (!is_open || !is_asked(planned, *place.target, *place.item)) continue;
    const auto bounds = bounds_of(*planned.gate, place.variables());
    for (const auto& bound : {bounds.min, bounds.max}) {
      if (bound) out.push_back(*bound);
    }
  }
  return out;
}

GateBounds bounds_of(const Gate& gate, const Variables& variables) {
  GateBounds out;
  if (gate.min) out.min = evaluate(*gate.min, variables);
  if (gate.max) out.max = evaluate(*gate.max, variables);
  return out;
}

}  // namespace warpgrade::grader

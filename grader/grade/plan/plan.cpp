// SPDX-License-Identifier: Apache-2.0
// The first stage of a grade: where the cases of an exercise run, at which sizes, and which gates
// they decide. Nothing is compiled yet.
// In: the injected services and a task. Out: a Plan with its targets, cases and gates; each gate
// has a device and bounds.
// Without a GPU, every gate is simulated on the device that it names. With a GPU, gates on
// fraction_of_copy of the same cases become one gate, which the GPU measures. A gate whose device
// is left out is not in the plan.
#include "grader/grade/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/device/profile.h"
#include "common/measure/card_profile.h"
#include "grader/cases/submission.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/plan/target.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {
namespace {

const Target* find_target(const std::vector<Target>& targets, const std::string& device,
                          bool is_gpu) {
  const auto found = std::find_if(targets.begin(), targets.end(), [&](const Target& one) {
    return one.is_gpu() == is_gpu && (is_gpu || one.device == device);
  });
  return found == targets.end() ? nullptr : &*found;
}

// Whether the GPU measures the gate.
bool is_portable(const course::Gate& gate, const std::string& only_device) {
  const bool is_asked_for =
      only_device.empty() || only_device == measure::kUnknownCard || only_device == gate.device;
  return gate.is_performance() && !gate.simulated && is_asked_for;
}

bool is_of(const course::Gate& gate, const Target& card) {
  if (gate.device == card.device) return true;
  const auto& profile = device::find(gate.device);
  return course::Generation{profile.compute.major, profile.compute.minor}.holds(card.generation) &&
         card.generation.major != 0;
}

const course::GenerationBounds* bounds_for(const course::Gate& gate,
                                           const course::Generation& generation) {
  const course::GenerationBounds* out = nullptr;
  for (const auto& one : gate.on_generation) {
    if (!one.generation.holds(generation)) continue;
    if (out == nullptr || one.generation.minor) out = &one;
  }
  return out;
}

report::GateBounds evaluate_bounds(const std::optional<text::Expression>& min,
                                   const std::optional<text::Expression>& max,
                                   const text::Variables& variables) {
  report::GateBounds out;
  if (min) out.min = evaluate(*min, variables);
  if (max) out.max = evaluate(*max, variables);
  return out;
}

// The gate's own bounds for its first case in the simulator.
report::GateBounds simulated_bounds(const course::Gate& gate,
                                    const course::KernelExercise& exercise) {
  return evaluate_bounds(gate.min, gate.max, exercise.case_called(gate.cases.front()).variables);
}

// A gate that `target` measures. Counters are exact, and a GPU's measurements have their own
// interval: only a modelled speed has an error.
report::Gate planned_on(const course::Gate& gate, const course::KernelExercise& exercise,
                        const Target& target) {
  report::Gate out{gate, target.backend()};
  out.definition.device = target.device;
  if (!gate.is_performance() || target.is_gpu()) return out;
  const auto& errors = device::find(gate.device).errors;
  out.model_error = errors.of_speed(exercise.kind);
  out.model_margin = errors.margin_of_speed(exercise.kind);
  if (errors.has(exercise.kind)) out.kind = exercise.kind;
  return out;
}

// Enters the bounds of each case; those in `on_generation` (nullptr: none) count before the gate's.
void set_bounds(const course::KernelExercise& exercise, const Target& target, std::uint32_t draw,
                const course::GenerationBounds* on_generation, report::Gate& gate) {
  const auto& stated = gate.definition;
  const auto& min = on_generation == nullptr ? stated.min : on_generation->min;
  const auto& max = on_generation == nullptr ? stated.max : on_generation->max;
  for (const auto& name : stated.cases) {
    const auto& item = exercise.case_called(name);
    gate.bounds[name] = evaluate_bounds(min, max, target.variables_of(item, draw));
  }
}

// The share of the solution's value that the gates require; the most lenient one.
report::GateBounds share_of(const std::vector<const course::Gate*>& gates,
                            const course::KernelExercise& exercise) {
  report::GateBounds out;
  for (const auto* gate : gates) {
    const auto bounds = simulated_bounds(*gate, exercise);
    const auto share = [&](double bound) {
      return gate->share.value_or(gate->ideal > 0 ? bound / gate->ideal : 1);
    };
    if (bounds.min) out.min = std::min(out.min.value_or(1), share(*bounds.min));
    if (bounds.max) out.max = std::max(out.max.value_or(0), share(*bounds.max));
  }
  return out;
}

// Returns nullopt if a case is missing.
std::optional<double> least_of(const CaseFractions& fractions,
                               const std::vector<std::string>& cases) {
  std::optional<double> out;
  for (const auto& name : cases) {
    const auto found = fractions.find(name);
    if (found == fractions.end()) return std::nullopt;
    out = std::min(out.value_or(found->second.value), found->second.value);
  }
  return out;
}

// Whether every submission passes the gate, which then only shows a value.
bool is_open(const course::Gate& gate, const course::KernelExercise& exercise) {
  const auto bounds = simulated_bounds(gate, exercise);
  return bounds.min == 0 && !bounds.max;
}

// Merges `gates`, which have the same cases, into one gate that the card measures.
report::Gate on_card(const std::vector<const course::Gate*>& gates,
                     const course::KernelExercise& exercise, const Target& card,
                     std::uint32_t draw) {
  const auto own = std::find_if(gates.begin(), gates.end(),
                                [&](const course::Gate* gate) { return is_of(*gate, card); });
  auto out = planned_on(own == gates.end() ? *gates.front() : **own, exercise, card);
  auto& merged = out.definition;
  merged.points = 0;
  const course::GenerationBounds* on_generation = nullptr;
  for (const auto* gate : gates) {
    merged.points += gate->points;
    for (const auto& needed : gate->needs) {
      if (std::ranges::find(merged.needs, needed) == merged.needs.end()) {
        merged.needs.push_back(needed);
      }
    }
    const auto* bounds = bounds_for(*gate, card.generation);
    if (bounds != nullptr && (on_generation == nullptr || bounds->generation.minor)) {
      on_generation = bounds;
    }
  }
  const bool is_stated = on_generation != nullptr || own != gates.end();
  if (!is_stated) {
    merged.skeleton.reset();  // It belongs to another device.
    const bool is_for_show = std::all_of(gates.begin(), gates.end(), [&](const course::Gate* gate) {
      return is_open(*gate, exercise);
    });
    if (!is_for_show) out.share = share_of(gates, exercise);
  }
  if (!out.share) set_bounds(exercise, card, draw, on_generation, out);
  if (card.fit.divisor == 0 && merged.points > 0) out.waiver = report::TooLittleMemory();
  return out;
}

}  // namespace

std::vector<report::Gate> plan_gates(const course::KernelExercise& exercise,
                                     const std::string& name, const std::vector<Target>& targets,
                                     const GpuCalibration* calibration,
                                     const std::string& only_device, std::uint32_t draw) {
  std::vector<report::Gate> out;
  const auto* card = find_target(targets, {}, true);
  std::vector<const course::Gate*> left;
  for (const auto& gate : exercise.gates) left.push_back(&gate);
  while (!left.empty()) {
    const auto& gate = *left.front();
    if (card == nullptr || !is_portable(gate, only_device)) {
      left.erase(left.begin());
      const auto* target = find_target(targets, gate.device, false);
      if (target == nullptr) continue;
      out.push_back(planned_on(gate, exercise, *target));
      set_bounds(exercise, *target, draw, nullptr, out.back());
      continue;
    }
    std::vector<const course::Gate*> same;
    const auto cases = gate.cases;
    std::erase_if(left, [&](const course::Gate* other) {
      const bool is_same = is_portable(*other, only_device) && other->cases == cases;
      if (is_same) same.push_back(other);
      return is_same;
    });
    out.push_back(on_card(same, exercise, *card, draw));
    auto& planned = out.back();
    if (calibration != nullptr && !planned.waiver && !planned.share) {
      planned.waiver = waiver_of(*calibration, name, planned.definition.id);
    }
  }
  return out;
}

bool needs_course(const std::vector<report::Gate>& gates) {
  return std::ranges::any_of(gates,
                             [](const report::Gate& gate) { return gate.share && !gate.waiver; });
}

void add_course_values(const CourseValues& course, std::vector<report::Gate>& gates) {
  for (auto& gate : gates) {
    if (!gate.share || gate.waiver) continue;
    auto& definition = gate.definition;
    for (const auto& name : definition.cases) {
      const auto found = course.solution.find(name);
      if (found == course.solution.end()) {
        gate.waiver = report::UnknownShare{name, course.trouble};
        break;
      }
      const double value = found->second.value;
      auto& bounds = gate.bounds[name];
      if (gate.share->min) bounds.min = *gate.share->min * value;
      if (gate.share->max) bounds.max = *gate.share->max * value;
      // The course's solution defines the ideal.
      if (name == definition.cases.front()) definition.ideal = value;
    }
    definition.skeleton = least_of(course.skeleton, definition.cases);
  }
}

bool counts_for(const report::Gate& gate, const Target& target, const course::Case& item) {
  const auto& definition = gate.definition;
  return gate.backend == target.backend() && definition.device == target.device &&
         std::ranges::find(definition.cases, item.name) != definition.cases.end();
}

bool needs_time(const std::vector<report::Gate>& gates, const Target& target,
                const course::Case& item) {
  return std::ranges::any_of(gates, [&](const report::Gate& gate) {
    return course::needs_time(gate.definition.metric) && counts_for(gate, target, item);
  });
}

std::vector<double> speed_bounds(const std::vector<report::Gate>& gates, const Target& target,
                                 const course::Case& item) {
  std::vector<double> out;
  for (const auto& gate : gates) {
    const bool is_open = gate.definition.is_performance() && !gate.waiver;
    if (!is_open || !counts_for(gate, target, item)) continue;
    const auto bounds = gate.bounds_in(item.name);
    for (const auto& bound : {bounds.min, bounds.max}) {
      if (bound) out.push_back(*bound);
    }
  }
  return out;
}

Plan::Plan(const GradingServices& all_services, const GradingTask& of, std::vector<Target> on,
           std::string device)
    : services(all_services), task(of), targets(std::move(on)), only_device(std::move(device)) {
  std::uint64_t salt = 0;
  if (const auto* source = std::get_if<compile::CompileRequest>(&task.submission.content)) {
    salt = cases::input_salt(source->source);
  }
  const auto* calibration = services.gpu ? services.gpu->calibration : nullptr;
  gates = plan_gates(kernel(), lab().id + "/" + exercise().id, targets, calibration, only_device,
                     draw_of(salt));
  cases = plan_cases(exercise(), targets, salt);
}

Plan plan_grade(const GradingServices& services, const GradingTask& task,
                const std::string& only_device) {
  const auto& gpu = services.gpu;
  return {services, task,
          targets_of(task.kernel(), only_device, services.simulator.bench,
                     gpu ? gpu->bench : nullptr, gpu && gpu->counters),
          only_device};
}

}  // namespace warpgrade::grader::grade

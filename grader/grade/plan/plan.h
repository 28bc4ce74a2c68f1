// SPDX-License-Identifier: Apache-2.0
// The first stage of a grade: where the cases of an exercise run, at which sizes, and which gates
// they decide. Nothing is compiled yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grade/plan/gate_plan.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/grade/plan/place.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {

struct Plan {
  /// For the gates of `only_device`; empty for all. `services` and `task` outlive this.
  Plan(const GradingServices& services, const GradingTask& task, std::vector<Target> targets,
       std::string only_device = {});
  Plan(Plan&&) = default;
  Plan(const Plan&) = delete;  // Places and gates point to its targets.
  Plan& operator=(const Plan&) = delete;

  const course::Lab& lab() const { return *task.lab; }
  const course::Exercise& exercise() const { return *task.exercise; }
  const course::KernelExercise& kernel() const { return task.kernel(); }
  /// The contents of the case's buffers follow from it and the seed.
  std::uint64_t variant_of(const course::Case& item) const { return item.measured ? salt : 0; }

  const GradingServices& services;
  const GradingTask& task;
  std::vector<Target> targets;
  std::string only_device;
  GatePlan gates;
  std::uint64_t salt = 0;     ///< For the contents of measured cases, see input_salt.h.
  std::vector<Place> places;  ///< All cases, target by target.
};

/// The plan on all targets that the gates of the exercise need, see targets_of().
Plan plan_grade(const GradingServices& services, const GradingTask& task,
                const std::string& only_device);

}  // namespace warpgrade::grader::grade

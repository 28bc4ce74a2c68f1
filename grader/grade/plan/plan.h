// SPDX-License-Identifier: Apache-2.0
// The first stage of a grade: where the cases of an exercise run, at which sizes, and which gates
// they decide. Nothing is compiled yet.
// The services (compiler, benches, reference) are injected, so that tests of the grading logic
// need no simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/gpu_bench.h"
#include "grader/cases/reference.h"
#include "grader/cases/submission.h"
#include "grader/cases/work_ahead.h"
#include "grader/course/exercise.h"
#include "grader/course/questions.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/grade/plan/target.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// The gates of an exercise that the available targets measure, with their targets and bounds.
//
// With a GPU, the gates on fraction_of_copy of the same cases become one gate, whatever their
// devices: the GPU measures it, and it gives the points of all. All other gates are simulated, and
// so are those with `simulated`.
//
// The bound on a card is the first of these that the manifest has: the bound for the card's
// generation in `on`; the bound of the gate whose device is of that generation; a share of the
// value that the course's own solution reaches on the card (course_on_card.h). A bound of 0 holds
// everywhere. A gate that the card cannot decide is waived.

/// The gates of `exercise`, called `name` ("coalescing/copy"), that `targets` measure.
/// `only_device` is empty for all; `calibration` may be nullptr; `draw` chooses the sizes of
/// measured cases. A bound that is a share of the solution's value is not known yet.
std::vector<report::Gate> plan_gates(const course::KernelExercise& exercise,
                                     const std::string& name, const std::vector<Target>& targets,
                                     const GpuCalibration* calibration,
                                     const std::string& only_device = {}, std::uint32_t draw = 0);

/// Whether bounds need the course's solution's value on the card.
bool needs_course(const std::vector<report::Gate>& gates);

/// Adds the values of the course's files on the card; waives gates without one.
void add_course_values(const CourseValues& course, std::vector<report::Gate>& gates);

/// Whether `item` on `target` counts for the gate.
bool counts_for(const report::Gate& gate, const Target& target, const course::Case& item);

/// Whether a gate needs the time of `item` on `target`: see course::needs_time().
bool needs_time(const std::vector<report::Gate>& gates, const Target& target,
                const course::Case& item);

/// The bounds that a measurement of `item` on `target` must decide: the bounds of its speed gates
/// without waived ones.
std::vector<double> speed_bounds(const std::vector<report::Gate>& gates, const Target& target,
                                 const course::Case& item);

// The services that grading works with, and the tasks that it is given.

struct GradingTask {
  const course::Lab* lab = nullptr;
  const course::Exercise* exercise = nullptr;
  cases::Submission submission;

  /// The exercise's form. Call it only if that is a kernel.
  const course::KernelExercise& kernel() const {
    return std::get<course::KernelExercise>(exercise->form);
  }
};

struct SimulatorServices {
  SimBenches bench;
  cases::Reference* reference = nullptr;  ///< For launches in the simulator's sizes.
  /// Simulated cases of an exercise that run at a time; the services are called by as many threads.
  unsigned cases_at_once = 1;
};

struct GpuServices {
  measure::GpuBench* bench = nullptr;
  cases::Reference* reference = nullptr;        ///< For launches in a GPU's sizes.
  const GpuCalibration* calibration = nullptr;  ///< nullptr if the GPU is not calibrated.
  /// Returns another unpredictable number each time, for the inputs of timed launches.
  std::function<std::uint64_t()> timed_variant = [] { return 1; };
  /// The values that the course's own files reach on this GPU; empty: unknown.
  std::function<CourseValues(const GradingTask& task)> course_values = {};
  bool counters = false;  ///< Also count on the GPU the counters of simulated gates on its profile.
};

/// The exercise and case that is being graded.
struct GradingProgress {
  std::size_t done = 0;  ///< Exercises.
  std::size_t all = 0;
  std::string exercise;   ///< "LAB/EXERCISE" of the current one.
  std::string case_name;  ///< Empty before its first case.
};

/// Profiles a launch of the lab on a device.
using LaunchFactsOf = std::function<const course::LaunchFacts&(
    const course::Lab& lab, const course::AskedLaunch& launch, const std::string& device)>;

struct GradingServices {
  cases::Compilations* compilations = nullptr;
  SimulatorServices simulator;
  std::optional<GpuServices> gpu;   ///< Set: it decides the gates on speed.
  LaunchFactsOf launch_facts = {};  ///< For questions about profiles.
  std::uint64_t seed = 0;           ///< Seed of inputs and of the orders in which warps run.
  bool pictures = false;            ///< Also make the data of pictures.
  /// Called with the case's name when grading starts to wait for it; may be empty.
  std::function<void(const std::string& case_name)> on_case = {};
};

struct Plan {
  /// For the gates of `only_device`; empty for all. `services` and `task` outlive this.
  Plan(const GradingServices& services, const GradingTask& task, std::vector<Target> targets,
       std::string only_device = {});
  Plan(Plan&&) = default;
  Plan(const Plan&) = delete;  // Its cases point to its targets.
  Plan& operator=(const Plan&) = delete;

  const course::Lab& lab() const { return *task.lab; }
  const course::Exercise& exercise() const { return *task.exercise; }
  const course::KernelExercise& kernel() const { return task.kernel(); }

  const GradingServices& services;
  const GradingTask& task;
  std::vector<Target> targets;
  std::string only_device;
  std::vector<report::Gate> gates;
  std::vector<PlannedCase> cases;  ///< All cases, target by target.
};

/// The plan on all targets that the gates of the exercise need, see targets_of().
Plan plan_grade(const GradingServices& services, const GradingTask& task,
                const std::string& only_device);

}  // namespace warpgrade::grader::grade

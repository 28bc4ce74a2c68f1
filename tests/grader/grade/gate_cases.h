// SPDX-License-Identifier: Apache-2.0
// A handmade exercise with gates and runs of its cases, for tests of code that evaluates them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"

namespace warpgrade::grader::grade {

inline const std::string kStores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";

inline const std::string kBytesPerSector =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";

/// A target without a bench.
inline Target simulated(const std::string& device) {
  return {device, static_cast<measure::SimBench*>(nullptr)};
}
inline Target on_gpu(const std::string& device) {
  return {device, static_cast<measure::GpuBench*>(nullptr)};
}

inline course::Case case_of(const std::string& name, double n) {
  course::Case out;
  out.name = name;
  out.variables = {{"n", n}};
  return out;
}

/// A gate on h200 with these bounds ("" for none), over `cases`.
inline course::Gate gate_of(const std::string& id, const std::string& metric,
                            const std::string& min, const std::string& max,
                            std::vector<std::string> cases) {
  course::Gate out;
  out.id = id;
  out.metric = metric;
  out.device = "h200";
  out.cases = std::move(cases);
  if (!min.empty()) out.min = text::Expression{min, {}};
  if (!max.empty()) out.max = text::Expression{max, {}};
  return out;
}

/// A launch of one block of one thread, without arguments.
inline course::Step step_of(const std::string& kernel) {
  const text::Expression one{"1", {}};
  course::Step out;
  out.kernel = kernel;
  out.geometry = {{one, one, one}, {one, one, one}, {"0", {}}};
  out.times = one;
  return out;
}

/// Cases "small" (n = 8) and "large" (n = 64), which is measured.
inline course::KernelExercise exercise_with(std::vector<course::Gate> gates) {
  course::KernelExercise out;
  out.rounds = {"1", {}};
  out.steps.push_back(step_of("twice"));
  out.reference_launch = out.steps[0].geometry;
  out.cases = {case_of("small", 8), case_of("large", 64)};
  out.cases[1].measured = true;
  out.cases[1].timed_variables = text::VariableExpressions{{"n", {"1024", {}}}};
  out.gates = std::move(gates);
  return out;
}

/// `item` on a target, with the parameters of `exercise` and without a kernel.
inline PlannedCase planned_of(const Target& target, const course::KernelExercise& exercise,
                              const course::Case& item) {
  course::Exercise twice{"twice", {}, {}, exercise};
  twice.kernel()->cases = {item};
  PlannedCase out{&target, &item};
  out.sized = std::make_shared<const cases::SizedCase>(
      cases::size_case(twice, item.name, target.variables_of(item, 0)));
  out.timed = std::make_shared<const cases::SizedCase>(
      cases::size_case(twice, item.name, card_variables(item, 0, target.fit)));
  return out;
}

/// Cases that ran on a target. They share one kernel.
class Runs {
 public:
  /// `target` and `exercise` must outlive this.
  Runs(const Target& target, const course::KernelExercise& exercise)
      : target_(&target), exercise_(&exercise) {}

  /// Adds a correct run with this counter. `value` is empty if the kernel makes no such access.
  PlannedCase& add(const course::Case& item, const std::string& metric,
                   std::optional<double> value) {
    auto& run = all.emplace_back(planned_of(*target_, *exercise_, item));
    run.kernels = {&kernel_};
    auto& outcome = run.outcome.emplace();
    if (value) outcome.measured.metrics[metric] = *value;
    return run;
  }

  std::vector<PlannedCase> all;

 private:
  const Target* target_;
  const course::KernelExercise* exercise_;
  compile::Kernel kernel_;
};

}  // namespace warpgrade::grader::grade

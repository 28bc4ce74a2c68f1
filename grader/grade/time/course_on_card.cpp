// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/course_on_card.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/measure/card_profile.h"
#include "grader/course/course_hash.h"
#include "grader/grade/execute/compiled.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/gpu_timing.h"

namespace warpgrade::grader::grade {
namespace {

GradingTask file_of(const GradingTask& task, const std::filesystem::path& file) {
  const auto shown = file.parent_path().filename().string() + "/" + file.filename().string();
  return {task.lab, task.exercise, cases::read_submission(file, shown)};
}

SimBenches no_simulator() {
  return [](const std::string& device) -> measure::SimBench& {
    throw base::ToolError(fmt::format("{} is not asked for", device));
  };
}

}  // namespace

std::filesystem::path solution_file(const course::Lab& lab, const course::Exercise& exercise) {
  return lab.folder.parent_path().parent_path() / "solutions" / lab.id / exercise.file_name();
}

const CourseValues& CourseOnCard::of(const GradingTask& task) {
  const auto found = known_.find(task.exercise);
  if (found != known_.end()) return found->second;
  auto& out = known_[task.exercise];
  const auto name = task.lab->id + "/" + task.exercise->id;
  if (given_) {
    const auto given = given_->find(name);
    if (given != given_->end()) return out = given->second;
    out.trouble = "it was not measured on this card before the class";
    return out;
  }
  if (!kept_) kept_ = open_kept_();
  const CourseOnCardKey key{card_, manifest_hash(*task.lab), name};
  if (auto kept = kept_->find(key)) return out = *std::move(kept);
  out = measured(task);
  if (out.trouble.empty()) kept_->keep(key, out);
  return out;
}

bool CourseOnCard::is_needed(const course::Lab& lab, const course::Exercise& exercise,
                             const GpuCalibration* calibration) const {
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr) return false;
  const auto targets =
      targets_of(*kernel, measure::kUnknownCard, no_simulator(), services_.gpu->bench);
  return needs_course(
      plan_gates(*kernel, lab.id + "/" + exercise.id, targets, calibration, measure::kUnknownCard));
}

CourseValues CourseOnCard::measured(const GradingTask& task) const {
  CourseValues out;
  const auto solution = solution_file(*task.lab, *task.exercise);
  if (std::filesystem::exists(solution)) {
    out.solution = fractions(file_of(task, solution), out.trouble);
  } else {
    out.trouble = "this course holds no solutions";
  }
  if (!out.solution.empty()) {
    std::string ignored;  // A wrong skeleton has no value.
    out.skeleton = fractions(file_of(task, task.lab->folder / task.exercise->file_name()), ignored);
  }
  return out;
}

CaseFractions CourseOnCard::fractions(const GradingTask& task, std::string& trouble) const {
  auto services = services_;
  services.simulator.bench = no_simulator();
  services.gpu->calibration = nullptr;  // No gate is waived.
  services.gpu->counters = false;
  const auto plan = plan_grade(services, task, measure::kUnknownCard);
  const auto compiled = compile_submission(plan);
  CaseFractions out;
  if (!compiled.trouble.empty()) trouble = compiled.trouble;
  if (!compiled.diagnostics.empty()) trouble = base::text(compiled.diagnostics.front());
  GpuTiming timing(plan, plan.gates, compiled.measured);
  for (std::size_t i = 0; i < compiled.measured.size(); ++i) {
    const auto& place = compiled.measured[i];
    const auto outcome = timing.time(i);
    const auto* value = std::get_if<report::MeasuredInterval>(&outcome.fraction_of_roof);
    if (is_right(outcome) && value != nullptr) {
      out.emplace(place.item->name, *value);
      continue;
    }
    if (const auto* failed = std::get_if<GpuTrouble>(&outcome.ending)) trouble = failed->why;
    if (trouble.empty()) trouble = fmt::format("its case {} is not right", place.item->name);
    if (ends_grading(outcome)) break;
  }
  return out;
}

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/course_on_card.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/compile/toolkit.h"
#include "common/measure/card_profile.h"
#include "grader/course/course.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/text/files.h"

namespace warpgrade::grader::grade {
namespace {

using Json = nlohmann::ordered_json;

Json facts_json(const CaseFractions& fractions) {
  auto out = Json::object();
  for (const auto& [name, one] : fractions) out[name] = {one.value, one.low, one.high};
  return out;
}

CaseFractions fractions_from(const Json& json) {
  CaseFractions out;
  for (const auto& [name, one] : json.items()) {
    out.emplace(name, report::MeasuredInterval(one.at(0), one.at(1), one.at(2)));
  }
  return out;
}

Json facts_json(const CourseValues& values) {
  return {{"solution", facts_json(values.solution)},
          {"skeleton", facts_json(values.skeleton)},
          {"trouble", values.trouble}};
}

CourseValues values_from(const Json& json) {
  return {fractions_from(json.at("solution")), fractions_from(json.at("skeleton")),
          json.at("trouble")};
}

}  // namespace

std::string to_json(const CourseValues& values) { return facts_json(values).dump(); }

std::optional<CourseValues> course_values_from_json(std::string_view text) {
  try {
    return values_from(Json::parse(text));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string to_json(const std::vector<CardFacts>& cards) {
  auto out = Json::array();
  for (const auto& card : cards) {
    auto course = Json::object();
    for (const auto& [exercise, values] : card.course) course[exercise] = facts_json(values);
    out.push_back({{"device", card.device},
                   {"driver", card.driver},
                   {"calibration", card.calibration},
                   {"course", std::move(course)}});
  }
  return out.dump();
}

std::vector<CardFacts> card_facts_from_json(std::string_view text) {
  std::vector<CardFacts> out;
  try {
    for (const auto& json : Json::parse(text)) {
      CardFacts card{json.at("device"), json.at("driver"), json.at("calibration"), {}};
      for (const auto& [exercise, values] : json.at("course").items()) {
        card.course.emplace(exercise, values_from(values));
      }
      out.push_back(std::move(card));
    }
  } catch (const Json::exception&) {
    return {};
  }
  return out;
}

namespace {

constexpr const char* kCourseValuesSchema = "warpgrade.course_on_card/1";

Json read_kept(const std::filesystem::path& file, const std::string& services) {
  try {
    auto out = Json::parse(text::read_file(file, file.string()));
    if (out.at("schema") == kCourseValuesSchema && out.at("services") == services) return out;
  } catch (const base::UsageError&) {
  } catch (const Json::exception&) {
  }
  return {{"schema", kCourseValuesSchema}, {"services", services}, {"cards", Json::object()}};
}

}  // namespace

std::optional<CourseValues> KeptCourseValues::find(const CourseOnCardKey& key) const {
  if (file_.empty()) return std::nullopt;
  try {
    const auto kept = read_kept(file_, services_);
    return course_values_from_json(
        kept.at("cards").at(key.card).at(key.course).at(key.exercise).dump());
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void KeptCourseValues::keep(const CourseOnCardKey& key, const CourseValues& values) const {
  if (file_.empty()) return;
  try {
    auto kept = read_kept(file_, services_);
    kept["cards"][key.card][key.course][key.exercise] = Json::parse(to_json(values));
    text::write_if_possible(file_, kept.dump(2) + '\n');
  } catch (const Json::exception&) {  // Keeps a damaged file until another program replaces it.
  }
}

KeptCourseValues stored_course_values() {
  const auto folder = text::cache_folder();
  if (!folder.is_absolute()) return {};
  try {
    auto services = base::sha256_hex(text::read_file("/proc/self/exe", "the program")) + ' ' +
                    compile::toolkit_version(compile::find_toolkit().library);
    return {folder / "course_on_card.json", std::move(services)};
  } catch (const base::ToolError&) {
  } catch (const base::UsageError&) {
  }
  return {};
}

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

/// The path of the course's solution of an exercise, beside its lab's folder.
static std::filesystem::path solution_file(const course::Lab& lab,
                                           const course::Exercise& exercise) {
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
  auto compiled = compile_submission(plan);
  CaseFractions out;
  if (!compiled.trouble.empty()) trouble = compiled.trouble;
  if (!compiled.diagnostics.empty()) trouble = base::text(compiled.diagnostics.front());
  const auto measured = compiled.measured();
  GpuTiming timing(plan, plan.gates, measured);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& name = measured[i].item->name;
    const auto outcome = timing.time(i);
    const auto* value = std::get_if<report::MeasuredInterval>(&outcome.fraction_of_roof);
    if (is_right(outcome) && value != nullptr) {
      out.emplace(name, *value);
      continue;
    }
    if (const auto* failed = std::get_if<GpuTrouble>(&outcome.ending)) trouble = failed->why;
    if (trouble.empty()) trouble = fmt::format("its case {} is not right", name);
    if (ends_grading(outcome)) break;
  }
  return out;
}

}  // namespace warpgrade::grader::grade

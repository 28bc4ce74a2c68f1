// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/course/cause_id.h"
#include "grader/course/exercise.h"
#include "grader/grade/explain/cause_facts.h"

namespace warpgrade::grader::grade {
namespace {

using course::CauseId;

// ---- The table.

struct Row {
  CauseId id;
  Match (*match)(const Facts& facts);
  std::string_view why;   // {name}: a value of the match; {line} and {other}: its lines.
  std::string_view next;  // Empty: the advice for the kind of failure.
};

constexpr Row kFaults[] = {
#define FAULT(id, match, why, next) {CauseId::id, match, why, next},
#include "grader/grade/explain/cause_rows.def"
};

constexpr Row kWrongResults[] = {
#define RESULT(id, match, why, next) {CauseId::id, match, why, next},
#include "grader/grade/explain/cause_rows.def"
};

constexpr Row kWaste[] = {
#define WASTE(id, match, why, next) {CauseId::id, match, why, next},
#include "grader/grade/explain/cause_rows.def"
};

constexpr Row kUnknown = {CauseId::kOther, any_gate,
                          "{meaning}: {value}, needed {bound} on {device}.", ""};

// Replaces each {name} by its value.
std::string filled(std::string_view text, const Found& found) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = text.find('}', open);
    const auto key = text.substr(open + 1, close - open - 1);
    const auto value = found.values.find(key);
    if (key == "line") {
      out += fmt::format("{}", found.line);
    } else if (key == "other" && value == found.values.end()) {
      out += fmt::format("{}", found.other_line);
    } else if (value != found.values.end()) {
      out += value->second;
    }
    text.remove_prefix(close + 1);
  }
  return out;
}

// The second line of a cause that has none is the call of the function that its line is in.
report::Cause cause_of(const Facts& facts, const Row& row, const Found& found) {
  auto other = found.other_line;
  if (other == 0 || other == found.line) other = facts.call_line(found.line);
  if (other == found.line) other = 0;
  return {row.id, found.line, other, filled(row.why, found), filled(row.next, found)};
}

void add_first(std::span<const Row> rows, const Facts& facts, std::vector<report::Cause>& out) {
  for (const auto& row : rows) {
    if (const auto found = row.match(facts)) {
      out.push_back(cause_of(facts, row, *found));
      return;
    }
  }
}

void add_waste(const Facts& facts, std::vector<report::Cause>& out) {
  std::vector<std::pair<double, report::Cause>> all;
  for (const auto& row : kWaste) {
    if (const auto found = row.match(facts))
      all.emplace_back(found->cost, cause_of(facts, row, *found));
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [cost, cause] : all) out.push_back(std::move(cause));
  if (const auto found = kUnknown.match(facts)) out.push_back(cause_of(facts, kUnknown, *found));
}

// The kernels of the exercise with the names of their parameters.
std::vector<KernelSignature> signatures_of(const course::KernelExercise* exercise) {
  std::vector<KernelSignature> out;
  if (exercise == nullptr) return out;
  for (const auto& step : exercise->steps) {
    KernelSignature one{step.kernel.substr(0, step.kernel.find('<')), {}};
    for (const auto index : step.arguments) {
      one.parameters.push_back(course::parameter_name(exercise->parameters.at(index)));
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::vector<report::Cause> ranked_causes(const std::vector<PlannedCase>& cases,
                                         const report::ExerciseReport& report,
                                         const course::KernelExercise* exercise,
                                         const Trials& trials) {
  if (report.verdict != report::Verdict::kFail) return {};
  const Facts facts(cases, report, signatures_of(exercise), trials);
  std::vector<report::Cause> out;
  if (facts.fault != nullptr) add_first(kFaults, facts, out);
  if (facts.wrong != nullptr) {
    const auto before = out.size();
    add_first(kWrongResults, facts, out);
    if (out.size() > before) out.back().is_of_result = true;
  }
  if (!facts.gates.empty()) add_waste(facts, out);
  return out;
}

}  // namespace warpgrade::grader::grade

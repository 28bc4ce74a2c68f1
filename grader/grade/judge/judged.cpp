// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/judge/judged.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "grader/cases/student_terms.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::string_view kIntegerDivisions = "warpgrade__ptx_integer_divisions.sum";

bool divides_integers(const ptx::Instruction& instruction) {
  const bool divides = ptx::facts(instruction).timing == ptx::Timing::kDivision;
  const auto type = instruction.types[0];
  return divides && type != ptx::Type::kF32 && type != ptx::Type::kF64;
}

}  // namespace

std::set<std::uint32_t> division_lines(const compile::Program& program) {
  std::set<std::uint32_t> lines;
  for (const auto& function : program.ptx.module().functions) {
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& where = ptx::location(function, i);
      const bool is_own = where.file == program.file && where.line != 0;
      if (is_own && divides_integers(function.instructions[i])) lines.insert(where.line);
    }
  }
  return lines;
}

namespace {

std::string division_text(const compile::Program& program) {
  const auto lines = division_lines(program);
  if (lines.empty()) return {};
  return fmt::format("Integer / and % are in line{} {}.", lines.size() == 1 ? "" : "s",
                     fmt::join(lines, ", "));
}

std::string shared_arrays(const compile::Program& program) {
  std::vector<std::string> out;
  for (const auto& array : cases::declared_arrays(program.source)) {
    if (!array.is_shared || array.extents.empty()) continue;
    out.push_back(fmt::format("{}{} (line {}) uses {} bytes", array.name,
                              base::extents_text(array.extents), array.line,
                              base::grouped(array.bytes())));
  }
  return out.empty() ? std::string() : fmt::format("{}.", fmt::join(out, ", "));
}

}  // namespace

bool has_places(std::string_view metric) {
  return metric == kIntegerDivisions || metric == course::kStaticSharedBytes;
}

std::string places_text(std::string_view metric, const PlannedCase& planned) {
  if (metric == kIntegerDivisions) return division_text(*planned.program);
  if (metric == course::kStaticSharedBytes) return shared_arrays(*planned.program);
  return {};
}

namespace {

// Line tables of gates on this metric list the lines that execute most, rather than the lines that
// access memory.
constexpr std::string_view kWarpInstructions = "warpgrade__ptx_warp_instructions.sum";

// The value of `metric` for the launch of `planned`.
report::GateValue launch_value(const course::LaunchMetric& metric, const PlannedCase& planned) {
  const auto value =
      metric.value({planned.kernels, planned.sized->launches.sequence.first(),
                    planned.outcome->measured.occupancy, device::find(planned.target->device)});
  if (!value) return report::NotMeasured{};
  return *value;
}

report::GateValue value_of(std::string_view metric, const PlannedCase& planned) {
  if (course::is_speed(metric)) return planned.outcome->fraction_of_roof;
  for (const auto& one : course::launch_metrics()) {
    if (one.name == metric) return launch_value(one, planned);
  }
  const auto& measured = planned.outcome->measured;
  const auto found = measured.metrics.find(metric);
  if (found != measured.metrics.end() && std::isfinite(found->second)) return found->second;
  // A ratio of accesses is undefined without them. Every other metric has a value.
  const bool is_of_accesses = metric.ends_with(".ratio") && !course::needs_time(metric);
  if (is_of_accesses) return report::NoAccess{};
  return report::NotMeasured{};
}

// Whether a line belongs in the table of a gate on `metric`. A gate on loads or on stores shows
// only these. Any other gate shows all lines: a gate on atomics, for example, wants them replaced
// by other operations.
bool is_shown(const memory::LineCounters& line, std::string_view metric) {
  const auto counted = memory::operation_of(metric);
  if (!counted) return true;
  const bool is_plain =
      counted->operation == run::Operation::kLoad || counted->operation == run::Operation::kStore;
  return !is_plain || line.operation == *counted;
}

// Whether the skew of a launch explains a gate on `metric`: contention of the atomics that it
// counts.
bool is_about(const timing::Skew& skew, std::string_view metric) {
  const auto* contention = std::get_if<timing::Contention>(&skew);
  const auto counted = memory::operation_of(metric);
  if (contention == nullptr || !counted) return false;
  return counted->space == contention->space && run::is_atomic(counted->operation);
}

report::LineTable lines_of(const course::Gate& gate, const measure::Measurement& measured) {
  report::LineTable out;
  out.gate = gate.id;
  out.device = gate.device;
  if (has_places(gate.metric)) return out;
  if (gate.metric == kWarpInstructions) {
    out.instructions = measured.instruction_lines;
    return out;
  }
  for (const auto& line : measured.lines) {
    if (is_shown(line, gate.metric)) out.lines.push_back(line);
  }
  if (gate.judges_time()) {
    out.bound_by = measured.bound_by;
    out.shares = measured.shares;
    out.unmodelled = measured.unmodelled;
  }
  if (gate.judges_time() || is_about(measured.skew, gate.metric)) out.skew = measured.skew;
  return out;
}

// From worst to best: failed, undecided, passed.
int rank(const report::GateMeasurement& one) {
  return one.outcome == report::GateOutcome::kFailed      ? 0
         : one.outcome == report::GateOutcome::kUndecided ? 1
                                                          : 2;
}

// Compares two measured cases of a gate by their rank, then by their value: the smaller one is
// worse (the larger one, if the gate has only a maximum).
bool is_worse(const report::GateMeasurement& a, const report::GateMeasurement& b, bool has_min) {
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  const auto x = number_of(a.value);
  const auto y = number_of(b.value);
  if (!x || !y) return !x && y;
  return has_min ? *x < *y : *x > *y;
}

// "width = 8224, height = 7936": the variables in which the size for speed differs from the size
// for counters. Empty if the sizes are equal or the gate is not on speed.
std::string size_of(const course::Gate& gate, const PlannedCase& planned) {
  if (!course::needs_time(gate.metric)) return {};
  auto other = planned.timed->variables;
  std::erase_if(
      other, [&](const auto& one) { return one.second == planned.item->variables.at(one.first); });
  return text::in_words(other);
}

// The parts of a modelled time that could turn the outcome of a gate on speed over: the true time
// is in a range, and the outcome at one of its ends differs.
timing::UnmodelledSet undecided_by(const report::Gate& gate, const PlannedCase& planned,
                                   const report::GateValue& value, report::GateOutcome outcome,
                                   const report::GateBounds& bounds) {
  const auto speed = number_of(value);
  const auto& measured = planned.outcome->measured;
  const auto& parts = measured.unmodelled;
  if (!gate.definition.is_performance() || gate.waiver || !speed) return {};
  const auto differs = [&](double seconds) {
    const double there =
        seconds > 0 ? *speed * measured.seconds / seconds : std::numeric_limits<double>::infinity();
    return outcome_of(there, bounds) != outcome;
  };
  if (differs(measured.seconds + parts.longer())) return parts.only(/*longer=*/true);
  if (differs(measured.seconds - parts.shorter())) return parts.only(/*longer=*/false);
  return {};
}

// Adds `planned`, which counts for the gate; returns whether it is the worst case so far.
bool add_measurement(const PlannedCase& planned, report::Gate& gate) {
  const auto& name = planned.item->name;
  const auto bounds = gate.bounds_in(name);
  const auto modelled = bounds.for_model(gate.model_margin);
  auto value = value_of(gate.definition.metric, planned);
  auto outcome = gate.waiver ? report::GateOutcome::kPassed : outcome_of(value, modelled);
  const auto undecided = undecided_by(gate, planned, value, outcome, modelled);
  if (!undecided.empty()) {
    value = report::NotModelled{undecided};
    outcome = report::GateOutcome::kUndecided;
  }
  report::GateMeasurement here{name, std::move(value), outcome, size_of(gate.definition, planned)};
  if (gate.worst && !is_worse(here, *gate.worst, bounds.min.has_value())) return false;
  gate.worst = std::move(here);
  return true;
}

}  // namespace

void decide_gates(const std::vector<PlannedCase>& cases, report::ExerciseReport& report) {
  auto& tables = report.lines;
  std::vector<std::size_t> cases_left;
  for (const auto& gate : report.gates) cases_left.push_back(gate.definition.cases.size());
  for (const auto& planned : cases) {
    if (!planned.is_right()) continue;
    for (std::size_t i = 0; i < report.gates.size(); ++i) {
      auto& gate = report.gates[i];
      if (!counts_for(gate, *planned.target, *planned.item)) continue;
      if (add_measurement(planned, gate)) {
        const auto& id = gate.definition.id;
        std::erase_if(tables, [&](const report::LineTable& table) { return table.gate == id; });
        if (gate.worst->outcome == report::GateOutcome::kFailed) {
          tables.push_back(lines_of(gate.definition, planned.outcome->measured));
        }
      }
      if (--cases_left[i] == 0) gate.decision = gate.worst->outcome;
    }
  }
}

void keep_lines_that_matter(report::ExerciseReport& report) {
  const auto is_speed = [&](const report::LineTable& table) {
    return std::ranges::any_of(report.gates, [&](const report::Gate& gate) {
      return gate.definition.id == table.gate && gate.definition.judges_time();
    });
  };
  auto& tables = report.lines;
  std::erase_if(tables, [](const report::LineTable& table) {
    return table.lines.empty() && table.instructions.empty();
  });
  if (!std::ranges::all_of(tables, is_speed)) {
    std::erase_if(tables, is_speed);
  } else if (tables.size() > 1) {
    tables.erase(tables.begin() + 1, tables.end());
  }
}

report::ExerciseReport judge_cases(const Plan& plan, const Execution& execution,
                                   std::vector<report::Gate> gates) {
  auto out = report_on(plan.task);
  out.diagnostics = execution.diagnostics;
  out.race_warnings = compile::take_warnings(out.diagnostics);
  out.tool_trouble = execution.trouble;
  out.left_out = execution.left_out;
  out.gates = std::move(gates);
  add_cases(plan.task, execution.cases, out);
  decide_gates(execution.cases, out);
  keep_lines_that_matter(out);
  judge(plan.kernel().correctness_points, out);
  return out;
}

}  // namespace warpgrade::grader::grade

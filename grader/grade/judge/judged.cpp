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
#include "common/device/profile.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "grader/cases/student_terms.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/judge/findings.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::string_view kIntegerDivisions = "warpgrade__ptx_integer_divisions.sum";

bool divides_integers(const ptx::Instruction& instruction) {
  const bool divides = ptx::facts(instruction).timing == ptx::Timing::kDivision;
  const auto type = instruction.types[0];
  return divides && type != ptx::Type::kF32 && type != ptx::Type::kF64;
}

std::string division_lines(const compile::Program& program) {
  std::set<std::uint32_t> lines;
  for (const auto& function : program.ptx.module().functions) {
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& where = ptx::location(function, i);
      const bool is_own = where.file == program.file && where.line != 0;
      if (is_own && divides_integers(function.instructions[i])) lines.insert(where.line);
    }
  }
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

std::string places_text(std::string_view metric, const Place& place) {
  if (metric == kIntegerDivisions) return division_lines(*place.program);
  if (metric == course::kStaticSharedBytes) return shared_arrays(*place.program);
  return {};
}

namespace {

// Line tables of gates on this metric list the lines that execute most, rather than the lines that
// access memory.
constexpr std::string_view kWarpInstructions = "warpgrade__ptx_warp_instructions.sum";

// Counters are exact, and a GPU's measurements have their own interval.
void set_model_error(const PlannedGate& planned, const course::KernelExercise& exercise,
                     report::GateDefinition& out) {
  if (!planned.gate->is_performance() || planned.target->backend() != run::Backend::kSim) return;
  const auto& profile = device::find(planned.gate->device);
  out.model_error = profile.errors.of_speed(exercise.kind);
  out.model_margin = profile.errors.margin_of_speed(exercise.kind);
  if (profile.errors.has(exercise.kind)) out.kind = exercise.kind;
}

report::GateReport unmeasured(const PlannedGate& planned, const course::KernelExercise& exercise) {
  const auto& gate = *planned.gate;
  report::GateReport out;
  out.gate.id = gate.id;
  out.gate.metric = gate.metric;
  out.gate.device = planned.target->device;
  out.gate.backend = planned.target->backend();
  out.gate.skeleton = planned.skeleton;
  out.gate.ideal = gate.ideal;
  out.gate.max_points = planned.points;
  out.gate.needs = planned.needs;
  out.gate.meaning = gate.meaning;
  out.gate.next = gate.next;
  out.gate.is_waived = planned.waiver.has_value();
  set_model_error(planned, exercise, out.gate);
  const auto& first = gate.cases.front();
  out.bounds = bounds_of(planned, first);
  // On the card, the course's solution defines the ideal.
  if (planned.share && planned.share->solution.contains(first)) {
    out.gate.ideal = planned.share->solution.at(first);
  }
  return out;
}

// The value of `metric` for the launch of `run`.
report::GateValue launch_value(const course::LaunchMetric& metric, const CaseRun& run) {
  const auto value =
      metric.value({run.place.kernels, run.place.sized->launches.sequence.first(),
                    run.outcome.measured.occupancy, device::find(run.place.target->device)});
  if (!value) return report::NotMeasured{};
  return *value;
}

report::GateValue value_of(std::string_view metric, const CaseRun& run) {
  if (course::is_speed(metric)) return run.outcome.fraction_of_roof;
  for (const auto& one : course::launch_metrics()) {
    if (one.name == metric) return launch_value(one, run);
  }
  const auto& measured = run.outcome.measured;
  const auto found = measured.metrics.find(metric);
  if (found != measured.metrics.end() && std::isfinite(found->second)) return found->second;
  // A ratio is undefined without accesses. Every other metric has a value.
  if (metric.ends_with(".ratio")) return report::NoAccess{};
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

report::LineTable lines_of(const report::GateDefinition& gate,
                           const measure::Measurement& measured) {
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
  if (gate.is_performance()) {
    out.bound_by = measured.bound_by;
    out.shares = measured.shares;
    out.unmodelled = measured.unmodelled;
  }
  if (gate.is_performance() || is_about(measured.skew, gate.metric)) out.skew = measured.skew;
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
std::string size_of(const course::Gate& gate, const Place& place) {
  if (!gate.is_performance()) return {};
  auto other = place.timed->variables;
  std::erase_if(other,
                [&](const auto& one) { return one.second == place.item->variables.at(one.first); });
  return text::in_words(other);
}

// The parts of a modelled time that could turn the outcome of a gate on speed over: the true time
// is in a range, and the outcome at one of its ends differs.
timing::UnmodelledSet undecided_by(const report::GateReport& report, const CaseRun& run,
                                   const report::GateValue& value, report::GateOutcome outcome,
                                   const report::GateBounds& bounds) {
  const auto speed = number_of(value);
  const auto& measured = run.outcome.measured;
  const auto& parts = measured.unmodelled;
  if (!report.gate.is_performance() || report.gate.is_waived || !speed) return {};
  const auto differs = [&](double seconds) {
    const double there =
        seconds > 0 ? *speed * measured.seconds / seconds : std::numeric_limits<double>::infinity();
    return outcome_of(there, bounds) != outcome;
  };
  if (differs(measured.seconds + parts.longer())) return parts.only(/*longer=*/true);
  if (differs(measured.seconds - parts.shorter())) return parts.only(/*longer=*/false);
  return {};
}

// Adds `run`, which counts for the gate; returns whether it is the worst case so far.
bool take_measured(const PlannedGate& planned, const CaseRun& run, report::GateReport& report) {
  const auto bounds = bounds_of(planned, run.place.item->name);
  const auto modelled = bounds.for_model(report.gate.model_margin);
  auto value = value_of(planned.gate->metric, run);
  auto outcome = report.gate.is_waived ? report::GateOutcome::kPassed : outcome_of(value, modelled);
  const auto undecided = undecided_by(report, run, value, outcome, modelled);
  if (!undecided.empty()) {
    value = report::NotModelled{undecided};
    outcome = report::GateOutcome::kUndecided;
  }
  report::GateMeasurement here{run.place.item->name, std::move(value), outcome,
                               size_of(*planned.gate, run.place)};
  if (report.worst && !is_worse(here, *report.worst, bounds.min.has_value())) return false;
  report.bounds = bounds;
  report.worst = std::move(here);
  return true;
}

}  // namespace

DecidedGates decide_gates(const GatePlan& plan, const course::KernelExercise& exercise,
                          const std::vector<CaseRun>& runs) {
  DecidedGates out;
  std::vector<std::size_t> cases_left;
  for (const auto& planned : plan) {
    out.gates.push_back(unmeasured(planned, exercise));
    cases_left.push_back(planned.gate->cases.size());
  }
  for (const auto& run : runs) {
    if (!is_right(run.outcome)) continue;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      auto& report = out.gates[i];
      if (!is_asked(plan[i], *run.place.target, *run.place.item)) continue;
      if (take_measured(plan[i], run, report)) {
        const auto& id = report.gate.id;
        std::erase_if(out.lines, [&](const report::LineTable& table) { return table.gate == id; });
        if (report.worst->outcome == report::GateOutcome::kFailed) {
          out.lines.push_back(lines_of(report.gate, run.outcome.measured));
        }
      }
      if (--cases_left[i] == 0) report.decision = report.worst->outcome;
    }
  }
  return out;
}

std::vector<report::LineTable> lines_that_matter(const DecidedGates& decided) {
  const auto is_speed = [&](const report::LineTable& table) {
    return std::any_of(decided.gates.begin(), decided.gates.end(),
                       [&](const report::GateReport& report) {
                         return report.gate.id == table.gate && report.gate.is_performance();
                       });
  };
  auto tables = decided.lines;
  std::erase_if(tables, [](const report::LineTable& table) {
    return table.lines.empty() && table.instructions.empty();
  });
  if (!std::all_of(tables.begin(), tables.end(), is_speed)) {
    std::erase_if(tables, is_speed);
  } else if (tables.size() > 1) {
    tables.erase(tables.begin() + 1, tables.end());
  }
  return tables;
}

report::ExerciseReport judge_runs(const Plan& plan, const TimedRuns& timed) {
  const auto& compiled = timed.compiled;
  auto out = report_on(plan.task);
  out.diagnostics = compiled.diagnostics;
  out.tool_trouble = compiled.trouble;
  out.left_out = compiled.left_out;
  out.counted = timed.counted;
  auto places = compiled.small;
  places.insert(places.end(), compiled.measured.begin(), compiled.measured.end());
  add_runs(plan.task, places, timed.runs, out);
  auto decided = decide_gates(timed.gates, plan.kernel(), timed.runs);
  out.lines = lines_that_matter(decided);
  out.gates = std::move(decided.gates);
  judge(plan.kernel().correctness_points, out);
  return out;
}

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/gates.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/grade/rubric.h"

namespace warpgrade::grader {
namespace {

std::optional<double> value_of(std::string_view metric, const Target& target,
                               const compile::Kernel& kernel, const measure::Measurement& measured,
                               std::uint64_t bytes,
                               const std::optional<measure::Fraction>& fraction) {
  if (metric == kFractionOfCopy) {
    if (fraction) return fraction->estimate.value;
    if (!(measured.seconds > 0)) return std::nullopt;
    const auto copy_seconds =
        std::visit([&](auto* one) { return one->copy_seconds(bytes); }, target.bench);
    return copy_seconds / measured.seconds;
  }
  if (metric == kRegistersPerThread) return kernel.resources.registers_per_thread;
  if (metric == kStaticSharedBytes) return kernel.resources.static_shared_bytes;
  const auto found = measured.metrics.find(metric);
  // A ratio over no accesses at all is no number.
  if (found == measured.metrics.end() || !std::isfinite(found->second)) return std::nullopt;
  return found->second;
}

// Whether a line belongs into the table of a gate on `metric`. A gate on loads or on stores shows
// those alone. Any other gate shows all lines: one on atomics, say, asks for something else
// instead.
bool is_shown(const memory::LineCounters& line, std::string_view metric) {
  const auto counted = memory::operation_of(metric);
  if (!counted) return true;
  const bool is_plain =
      counted->operation == run::Operation::kLoad || counted->operation == run::Operation::kStore;
  return !is_plain || line.operation == *counted;
}

LineTable lines_of(const GateResult& gate, const measure::Measurement& measured) {
  LineTable out;
  out.gate = gate.id;
  out.device = gate.device;
  for (const auto& line : measured.lines) {
    if (is_shown(line, gate.metric)) out.lines.push_back(line);
  }
  if (gate.is_performance) {
    out.bound_by = measured.bound_by;
    out.shares = measured.shares;
  }
  return out;
}

// `gpu` may be nullptr.
bool is_decided_on(const Gate& gate, const Target& target, const Target* gpu) {
  if (gate.device != target.device) return false;
  const bool on_gpu = gpu != nullptr && gate.is_performance() && gate.device == gpu->device;
  return on_gpu == target.is_gpu();
}

void set_bounds(const Gate& gate, const Variables& variables, GateResult& result) {
  if (gate.min) result.min = evaluate(*gate.min, variables);
  if (gate.max) result.max = evaluate(*gate.max, variables);
}

const Gate& gate_called(const Exercise& exercise, std::string_view id) {
  return *std::find_if(exercise.gates.begin(), exercise.gates.end(),
                       [id](const Gate& gate) { return gate.id == id; });
}

bool is_asked(const Exercise& exercise, const GateResult& gate, const Target& target,
              const Case& item) {
  const auto& cases = gate_called(exercise, gate.id).cases;
  return std::find(cases.begin(), cases.end(), item.name) != cases.end() &&
         gate.device == target.device && gate.backend == target.backend();
}

bool is_first(const Exercise& exercise, const GateResult& gate) {
  return gate.cases_left == gate_called(exercise, gate.id).cases.size();
}

// Judges a gate by the whole interval of what was measured.
void judge_interval(const measure::Fraction& fraction, GateResult& gate) {
  const auto& estimate = fraction.estimate;
  gate.low = estimate.low;
  gate.high = estimate.high;
  gate.samples.clear();
  for (const auto& sample : fraction.samples) {
    gate.samples.push_back({sample.a1, sample.b1, sample.b2, sample.a2});
  }
  const bool fails = (gate.min && measure::side_of(estimate, *gate.min) == measure::Side::kBelow) ||
                     (gate.max && measure::side_of(estimate, *gate.max) == measure::Side::kAbove);
  gate.passed = gate.waived || (!fails && (!gate.min || estimate.low >= *gate.min) &&
                                (!gate.max || estimate.high <= *gate.max));
  gate.undecided = !fails && !gate.passed;
}

// A failure before what is not decided, that before a pass.
int rank(const GateResult& gate) { return gate.passed ? 2 : gate.undecided ? 1 : 0; }

// Of two measured cases of a gate: by their rank, then what is less (more, where the gate has a
// maximum only).
bool is_worse(const GateResult& a, const GateResult& b) {
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (!a.value || !b.value) return !a.value && b.value;
  return a.min ? *a.value < *b.value : *a.value > *b.value;
}

}  // namespace

std::vector<GateResult> gates_of(const Exercise& exercise, const std::vector<Target>& targets) {
  std::vector<GateResult> out;
  const auto on_gpu = std::find_if(targets.begin(), targets.end(),
                                   [](const Target& target) { return target.is_gpu(); });
  const auto* gpu = on_gpu == targets.end() ? nullptr : &*on_gpu;
  for (const auto& gate : exercise.gates) {
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const Target& candidate) {
      return is_decided_on(gate, candidate, gpu);
    });
    if (target == targets.end()) continue;  // left out by --device
    GateResult result;
    result.id = gate.id;
    result.metric = gate.metric;
    result.device = gate.device;
    result.backend = target->backend();
    result.case_name = gate.cases.front();
    result.cases_left = gate.cases.size();
    result.is_performance = gate.is_performance();
    set_bounds(gate, target->variables(exercise.case_called(gate.cases.front())), result);
    result.skeleton = gate.skeleton;
    result.ideal = gate.ideal;
    result.max_points = gate.points;
    result.needs = gate.needs;
    result.meaning = gate.meaning;
    result.next = gate.next;
    out.push_back(std::move(result));
  }
  return out;
}

bool has_speed_gate(const Exercise& exercise, const Target& target, const Case& item) {
  return std::any_of(exercise.gates.begin(), exercise.gates.end(), [&](const Gate& gate) {
    return gate.is_performance() && gate.device == target.device &&
           std::find(gate.cases.begin(), gate.cases.end(), item.name) != gate.cases.end();
  });
}

void measure_gates(const Exercise& exercise, const Target& target, const Case& item,
                   const compile::Kernel& kernel, const measure::Measurement& measured,
                   std::uint64_t bytes, const std::optional<measure::Fraction>& fraction,
                   ExerciseReport& report) {
  report.fraction_of_copy.reset();
  for (auto& gate : report.gates) {
    if (is_asked(exercise, gate, target, item)) {
      auto here = gate;
      set_bounds(gate_called(exercise, gate.id), target.variables(item), here);
      here.case_name = item.name;
      here.value = value_of(gate.metric, target, kernel, measured, bytes, fraction);
      here.passed = here.value && within(here, *here.value);
      if (gate.is_performance && fraction) judge_interval(*fraction, here);
      here.measured = --here.cases_left == 0;
      const bool decides = is_first(exercise, gate) || is_worse(here, gate);
      if (decides) {
        std::erase_if(report.lines, [&](const LineTable& table) { return table.gate == gate.id; });
        if (!here.passed && !here.undecided) report.lines.push_back(lines_of(here, measured));
        gate = std::move(here);
      } else {
        gate.cases_left = here.cases_left;
        gate.measured = here.measured;
      }
    }
    if (gate.is_performance && gate.measured && !report.fraction_of_copy) {
      report.fraction_of_copy = gate.value;
      report.fraction_low = gate.low;
      report.fraction_high = gate.high;
    }
  }
}

std::vector<double> speed_bounds(const Exercise& exercise, const Target& target, const Case& item,
                                 const ExerciseReport& report) {
  std::vector<double> out;
  for (auto gate : report.gates) {
    if (!gate.is_performance || !is_asked(exercise, gate, target, item)) continue;
    if (gate.waived) continue;
    set_bounds(gate_called(exercise, gate.id), target.variables(item), gate);
    for (const auto& bound : {gate.min, gate.max}) {
      if (bound) out.push_back(*bound);
    }
  }
  return out;
}

void keep_lines_that_matter(ExerciseReport& report) {
  const auto is_speed = [&](const LineTable& table) {
    return std::any_of(report.gates.begin(), report.gates.end(), [&](const GateResult& gate) {
      return gate.id == table.gate && gate.is_performance;
    });
  };
  auto& tables = report.lines;
  std::erase_if(tables, [](const LineTable& table) { return table.lines.empty(); });
  if (!std::all_of(tables.begin(), tables.end(), is_speed)) {
    std::erase_if(tables, is_speed);
  } else if (tables.size() > 1) {
    tables.erase(tables.begin() + 1, tables.end());
  }
}

}  // namespace warpgrade::grader

// SPDX-License-Identifier: Apache-2.0
// The facts of a failure, and for each form of a cause whether it applies.
//
// In: a judged report and the outcomes of its cases. Out: for each row of the table in causes.cpp
// the line, the numbers and the cost, if the row applies. causes_of_results.cpp has the rows for
// findings and wrong results, causes_of_speed.cpp those for waste.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/timing/multiprocessor.h"
#include "common/verify/compare.h"
#include "grader/cases/sized_case.h"
#include "grader/course/cause_id.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/explain/kernel_text.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::grade {

using memory::LineCounters;
using memory::MemoryOperation;

// A row that applies: its lines, the values for its texts, and what it costs.
struct Found {
  std::uint32_t line = 0;
  std::uint32_t other_line = 0;
  std::map<std::string, std::string, std::less<>> values = {};
  double cost = 0;  // For waste: sectors or wavefronts, or seconds.
};
using Match = std::optional<Found>;

constexpr MemoryOperation kLoad{run::Space::kGlobal, run::Operation::kLoad};
constexpr MemoryOperation kStore{run::Space::kGlobal, run::Operation::kStore};
constexpr double kSectorBytes = 32;
// A wavefront of shared memory costs a clock of one multiprocessor. A sector costs about as much
// there, and further clocks of L2 and DRAM.
constexpr double kSectorsOfWavefront = 0.25;

using text::number;

// Whether all extents of the arrays that decide the work are multiples of `tile`. Inputs decide;
// without one, outputs do.
inline bool is_whole(const cases::SizedCase& sized, std::uint64_t tile) {
  const bool has_input =
      std::ranges::any_of(sized.buffers, [](const auto& one) { return one.is_read_only(); });
  return std::ranges::all_of(sized.buffers, [&](const auto& one) {
    const bool decides = has_input ? one.is_read_only() : one.is_output();
    const bool is_line = one.rows == 1 || one.rows % tile == 0;
    return !decides || (is_line && one.columns % tile == 0);
  });
}

inline std::uint64_t bytes_of(const cases::SizedBuffer& buffer) {
  return buffer.elements() * verify::size_of(buffer.type);
}

// What is known about a failure. The rows below read it.
class Facts {
 public:
  Facts(const std::vector<PlannedCase>& cases, const report::ExerciseReport& item)
      : report(item), source(item.source), cases_(cases) {
    find_fault();
    find_wrong();
    find_gates();
  }

  const report::ExerciseReport& report;
  KernelText source;

  // The first finding, and the case in which it was found; nullptr without one.
  const base::Diagnostic* fault = nullptr;
  const PlannedCase* fault_case = nullptr;
  // The first case with a wrong result.
  const verify::OutputDifference* wrong = nullptr;
  const PlannedCase* wrong_case = nullptr;
  bool depends_on_order = false;
  // The gates that are the reason of the failure, and the case that decides the first of them.
  std::vector<const report::Gate*> gates;
  const PlannedCase* decisive = nullptr;

  // Whether only sizes with a rest fail, and a size without one passes, for a common tile.
  bool fails_with_a_rest_only() const {
    static constexpr std::array<std::uint64_t, 3> kTiles = {32, 16, 8};
    return std::ranges::any_of(kTiles, [&](std::uint64_t tile) {
      bool any_whole_passes = false;
      std::set<text::Variables> failing;
      std::size_t fail = 0;
      std::size_t pass = 0;  // With a rest.
      for (const auto& planned : cases_) {
        if (!planned.outcome) continue;
        const bool whole = is_whole(*planned.sized, tile);
        if (whole && !planned.is_right()) return false;
        if (whole) any_whole_passes = true;
        if (!whole) ++(planned.is_right() ? pass : fail);
        if (!planned.is_right()) failing.insert(planned.variables());
      }
      constexpr std::size_t kFew = 4;  // Fewer than one in five: another property of these sizes.
      return any_whole_passes && failing.size() > 1 && kFew * fail >= pass;
    });
  }

  // Whether a common tile does not divide the sizes of the case with the finding.
  bool fault_has_a_rest() const {
    constexpr std::uint64_t kTile = 32;
    return fault_case != nullptr && !is_whole(*fault_case->sized, kTile);
  }

  // Whether only cases fail in which `is_large` holds for a buffer.
  template <typename IsLarge>
  bool fails_only_if(const IsLarge& is_large) const {
    bool any_passes = false;
    for (const auto& planned : cases_) {
      if (!planned.outcome) continue;
      const bool large = std::ranges::any_of(planned.sized->buffers, is_large);
      any_passes = any_passes || planned.is_right();
      if (!planned.is_right() && !large) return false;
    }
    return any_passes;
  }

  // A variable and its value in a right case, if all cases that differ in it alone are wrong, and
  // there are two of them.
  std::optional<std::pair<std::string, double>> variable_with_one_right_value() const {
    for (const auto& right : cases_) {
      if (!right.is_right()) continue;
      for (const auto& [name, value] : right.variables()) {
        std::set<double> wrong_values;
        bool any_right = false;
        for (const auto& other : cases_) {
          if (!other.outcome || other.variables().at(name) == value) continue;
          auto same = other.variables();
          same[name] = value;
          if (same != right.variables()) continue;
          any_right = any_right || other.is_right();
          wrong_values.insert(other.variables().at(name));
        }
        if (!any_right && wrong_values.size() > 1 && value != 1) return std::pair(name, value);
      }
    }
    return std::nullopt;
  }

  const cases::SizedBuffer* buffer(std::string_view name) const {
    const auto* of = fault_case != nullptr ? fault_case : wrong_case;
    return of == nullptr ? nullptr : of->sized->buffer_called(name);
  }
  bool is_accumulated(std::string_view name) const {
    const auto* found = buffer(name);
    return found != nullptr && found->is_input() && found->is_output();
  }

  const measure::Measurement& measured() const { return decisive->outcome->measured; }
  std::vector<LineCounters> lines_of(const MemoryOperation& operation) const {
    std::vector<LineCounters> out;
    for (const auto& line : measured().lines) {
      if (line.operation == operation && line.file == report.file) out.push_back(line);
    }
    return out;
  }
  std::vector<LineCounters> lines_of_atomics(run::Space space) const {
    std::vector<LineCounters> out;
    for (const auto& line : measured().lines) {
      const bool is_one = line.operation.space == space && run::is_atomic(line.operation.operation);
      if (is_one && line.file == report.file) out.push_back(line);
    }
    return out;
  }
  const report::Gate* gate_on(std::string_view metric) const {
    const auto found = std::ranges::find_if(
        gates, [&](const auto* gate) { return gate->definition.metric == metric; });
    return found == gates.end() ? nullptr : *found;
  }
  // The gate that fails because its value is above its bound.
  const report::Gate* gate_above(std::string_view metric) const {
    const auto* gate = gate_on(metric);
    const auto value = gate == nullptr ? std::nullopt : gate->value();
    const auto most = value ? gate->deciding_bounds().max : std::nullopt;
    return most && *value > *most ? gate : nullptr;
  }
  bool is_slow() const { return report.reason == report::Reason::kPerformance; }
  // Whether a gate on speed decides, and the case that it measured is known.
  bool has_slow_case() const { return decisive != nullptr && is_slow(); }
  timing::Bound bound() const { return measured().bound_by; }
  double share_of(double seconds) const {
    return measured().seconds > 0 ? seconds / measured().seconds : 0;
  }
  double waiting(timing::WarpState state) const {
    return share_of(measured().parts.waiting.at(static_cast<std::size_t>(state)));
  }
  const run::Launch& launch() const { return decisive->timed->launches.sequence.first(); }
  const device::Profile& profile() const { return decisive->target->profile(); }

 private:
  static const base::Diagnostic* first_fault(const PlannedCase& planned) {
    const auto* faults = std::get_if<FoundFaults>(&planned.outcome->ending);
    return faults == nullptr || faults->diagnostics.empty() ? nullptr
                                                            : &faults->diagnostics.front();
  }

  // The report's own diagnostics have the names of arrays; the cases tell where they were found.
  void find_fault() {
    for (const auto& one : report.diagnostics) {
      if (one.kind == base::DiagnosticKind::kUnsupported && report.diagnostics.size() > 1) continue;
      fault = &one;
      break;
    }
    for (const auto& planned : cases_) {
      if (!planned.outcome || first_fault(planned) == nullptr) continue;
      fault_case = &planned;
      break;
    }
  }
  void find_wrong() {
    for (std::size_t i = 0; i < report.cases.size() && i < cases_.size(); ++i) {
      const auto& one = report.cases[i];
      if (one.state != report::Case::State::kIncorrect || !one.difference) continue;
      wrong = &*one.difference;
      wrong_case = &cases_[i];
      depends_on_order = one.depends_on_order;
      break;
    }
    // Memory that nobody wrote is often a consequence, if a simpler case is wrong already.
    const bool leads = wrong != nullptr && fault != nullptr && fault_case != nullptr &&
                       fault->kind == base::DiagnosticKind::kUninitializedRead &&
                       wrong_case < fault_case;
    if (leads) {
      fault = nullptr;
      fault_case = nullptr;
    }
  }
  void find_gates() {
    if (fault != nullptr || wrong != nullptr) return;
    for (const auto& gate : report.gates) {
      const bool decides = gate.definition.judges_time() == is_slow();
      if (gate.has_failed() && decides) gates.push_back(&gate);
    }
    if (gates.empty() || !gates.front()->worst) return;
    const auto& first = *gates.front();
    for (const auto& planned : cases_) {
      const bool is_it = planned.item->name == first.worst->case_name &&
                         planned.target->device == first.definition.device;
      if (is_it && planned.is_right()) decisive = &planned;
    }
  }

  const std::vector<PlannedCase>& cases_;
};

// The rows. Each returns nullopt if it does not apply.

Match lost_update(const Facts& facts);
Match weak_wait(const Facts& facts);
Match skipped_barrier(const Facts& facts);
Match missing_syncwarp(const Facts& facts);
Match missing_barrier(const Facts& facts);
Match missing_grid_sync(const Facts& facts);
Match stored_twice(const Facts& facts);
Match other_race(const Facts& facts);
Match wrong_length_outside(const Facts& facts);
Match wrong_guard_at_fault(const Facts& facts);
Match overflow(const Facts& facts);
Match missing_guard(const Facts& facts);
Match out_of_bounds(const Facts& facts);
Match misaligned(const Facts& facts);
Match uninitialised(const Facts& facts);
Match writes_input(const Facts& facts);
Match infinite_loop(const Facts& facts);
Match compile_error(const Facts& facts);
Match order_matters(const Facts& facts);
Match wrong_length(const Facts& facts);
Match wrong_guard_of_result(const Facts& facts);
Match exchanged(const Facts& facts);
Match float_index(const Facts& facts);
Match fewer_digits(const Facts& facts);
Match nearly_right(const Facts& facts);
Match last_left_out(const Facts& facts);
Match rest_unwritten(const Facts& facts);
Match stored_elsewhere(const Facts& facts);
Match never_written(const Facts& facts);
Match rest_unread(const Facts& facts);
Match part_unread(const Facts& facts);
Match rest_wrong(const Facts& facts);
Match fixed_number(const Facts& facts);
Match misplaced(const Facts& facts);
Match started_at_zero(const Facts& facts);
Match any_wrong(const Facts& facts);

Match loads_apart(const Facts& facts);
Match stores_apart(const Facts& facts);
Match loads_in_part(const Facts& facts);
Match stores_in_part(const Facts& facts);
Match loads_shifted(const Facts& facts);
Match stores_shifted(const Facts& facts);
Match no_tile(const Facts& facts);
Match redundant_loads(const Facts& facts);
Match redundant_stores(const Facts& facts);
Match redundant_shared_loads(const Facts& facts);
Match bank_conflicts(const Facts& facts);
Match atomic_contention(const Facts& facts);
Match global_atomics(const Facts& facts);
Match too_much_shared(const Facts& facts);
Match limited_occupancy(const Facts& facts);
Match busy_pipe(const Facts& facts);
Match issue_bound(const Facts& facts);
Match camping(const Facts& facts);
Match imbalance(const Facts& facts);
Match waits_of_blocks(const Facts& facts);
Match launches(const Facts& facts);
Match few_blocks(const Facts& facts);
Match tail(const Facts& facts);
Match barriers(const Facts& facts);
Match spills(const Facts& facts);
Match local_array(const Facts& facts);
Match narrow(const Facts& facts);
Match few_loads(const Facts& facts);
Match extra_pass(const Facts& facts);
Match any_gate(const Facts& facts);

}  // namespace warpgrade::grader::grade

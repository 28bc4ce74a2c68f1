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
#include <cstring>
#include <limits>
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
#include "common/memory/lines.h"
#include "common/memory/metrics.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/timing/multiprocessor.h"
#include "common/timing/what_if.h"
#include "common/verify/compare.h"
#include "grader/cases/sized_case.h"
#include "grader/course/cause_id.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/explain/kernel_flow.h"
#include "grader/grade/explain/kernel_text.h"
#include "grader/grade/explain/repair.h"
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
  double cost = 0;  // For waste: seconds.
};
using Match = std::optional<Found>;

constexpr MemoryOperation kLoad{run::Space::kGlobal, run::Operation::kLoad};
constexpr MemoryOperation kStore{run::Space::kGlobal, run::Operation::kStore};
using memory::kSectorBytes;
using text::number;

// The extents of an array that are the same in all cases; 0 for those that vary.
struct FixedExtents {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

// Whether all extents of the arrays that decide the work are multiples of `tile`, without those
// that never vary. Inputs decide; without one, outputs do.
inline bool is_whole(const cases::SizedCase& sized, std::uint64_t tile,
                     const std::vector<FixedExtents>& fixed) {
  const bool has_input =
      std::ranges::any_of(sized.buffers, [](const auto& one) { return one.is_read_only(); });
  for (std::size_t i = 0; i < sized.buffers.size(); ++i) {
    const auto& one = sized.buffers[i];
    if (!(has_input ? one.is_read_only() : one.is_output())) continue;
    const bool is_line = one.rows == 1 || one.rows == fixed[i].rows || one.rows % tile == 0;
    if (!is_line || (one.columns != fixed[i].columns && one.columns % tile != 0)) return false;
  }
  return true;
}

// What is known about a failure. The rows below read it.
class Facts {
 public:
  Facts(const std::vector<PlannedCase>& cases, const report::ExerciseReport& item,
        const std::vector<KernelSignature>& kernels, const Trials& tried)
      : report(item),
        source(item.source, kernels),
        flow(source),
        trials(tried),
        cases_(cases),
        kernels_(kernels) {
    find_fixed_extents();
    find_fault();
    find_wrong();
    find_gates();
  }

  const report::ExerciseReport& report;
  KernelText source;
  KernelFlow flow;  // The flow of `source`.
  Trials trials;    // The result of the search for repairs.

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
        const bool whole = is_whole(*planned.sized, tile, fixed_);
        if (whole && !planned.is_right()) return false;
        if (whole) any_whole_passes = true;
        if (!whole) ++(planned.is_right() ? pass : fail);
        if (!planned.is_right()) failing.insert(planned.variables());
      }
      constexpr std::size_t kFew = 4;  // Fewer than one in five: another property of these sizes.
      return any_whole_passes && failing.size() > 1 && kFew * fail >= pass && !fails_above_a_tile();
    });
  }

  // Whether cases fail if and only if one variable is above a number of at most a tile.
  bool fails_above_a_tile() const {
    constexpr double kTile = 32;
    std::map<std::string, std::pair<double, double>> limits;  // The largest right and least wrong.
    for (const auto& planned : cases_) {
      if (!planned.outcome) continue;
      for (const auto& [name, value] : planned.variables()) {
        auto& [right, wrong_one] =
            limits.try_emplace(name, 0, std::numeric_limits<double>::infinity()).first->second;
        if (planned.is_right()) {
          right = std::max(right, value);
        } else {
          wrong_one = std::min(wrong_one, value);
        }
      }
    }
    return std::ranges::any_of(limits, [](const auto& one) {
      const auto& [right, wrong_one] = one.second;
      return right > 1 && right < wrong_one && right <= kTile;
    });
  }

  // Whether a common tile does not divide the sizes of the case with the finding.
  bool fault_has_a_rest() const {
    constexpr std::uint64_t kTile = 32;
    return fault_case != nullptr && !is_whole(*fault_case->sized, kTile, fixed_);
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

  // The same for a property of the case.
  template <typename Holds>
  bool fails_only_in(const Holds& holds) const {
    bool any_passes = false;
    bool any_fails = false;
    for (const auto& planned : cases_) {
      if (!planned.outcome) continue;
      any_passes = any_passes || planned.is_right();
      any_fails = any_fails || !planned.is_right();
      if (!planned.is_right() && !holds(planned)) return false;
    }
    return any_passes && any_fails;
  }

  // Whether the cases in which `holds` are wrong, and all others are right; there are both.
  template <typename Holds>
  bool fails_exactly_in(const Holds& holds) const {
    std::set<text::Variables> failing;
    bool any_passes = false;
    for (const auto& planned : cases_) {
      if (!planned.outcome) continue;
      if (holds(planned) == planned.is_right()) return false;
      any_passes = any_passes || planned.is_right();
      if (!planned.is_right()) failing.insert(planned.variables());
    }
    return any_passes && failing.size() > 1;
  }

  // Whether all wrong cases have a property; few right cases have it, too.
  template <typename Holds>
  bool fails_only_with(const Holds& holds) const {
    std::size_t failing = 0;
    std::size_t right = 0;
    for (const auto& planned : cases_) {
      if (!planned.outcome) continue;
      if (!planned.is_right() && !holds(planned)) return false;
      failing += planned.is_right() ? 0 : 1;
      right += planned.is_right() && holds(planned) ? 1 : 0;
    }
    constexpr std::size_t kFew = 3;
    return failing > 1 && failing >= kFew * right;
  }

  // As size_in(), of the case with the finding or the wrong result.
  std::optional<std::uint64_t> size_in_failure(std::string_view name) const {
    const auto* of = fault_case != nullptr ? fault_case : wrong_case;
    return of == nullptr ? std::nullopt : size_in(*of, name);
  }

  // The value of a variable of the case, or of an integer that a kernel gets; nullopt without it.
  std::optional<std::uint64_t> size_in(const PlannedCase& planned, std::string_view name) const {
    const auto& sized = *planned.sized;
    if (const auto found = sized.variables.find(name); found != sized.variables.end()) {
      return found->second < 0 ? std::nullopt
                               : std::optional(static_cast<std::uint64_t>(found->second));
    }
    const auto& launches = sized.launches;
    for (std::size_t i = 0; i < launches.steps.size(); ++i) {
      const auto& arguments = launches.sequence.launches[i].arguments;
      const auto& names = kernels_.at(launches.steps[i]).parameters;
      const auto found = std::ranges::find(names, name);
      const auto at = static_cast<std::size_t>(found - names.begin());
      if (at >= arguments.size()) continue;
      const auto* bytes = std::get_if<run::ValueArgument>(&arguments[at]);
      if (bytes == nullptr || bytes->size() > sizeof(std::uint64_t)) continue;
      std::uint64_t value = 0;
      std::memcpy(&value, bytes->data(), bytes->size());
      return value;
    }
    return std::nullopt;
  }

  // Whether square matrices are right and all others are wrong.
  bool fails_unless_square() const {
    std::size_t squares = 0;
    std::set<text::Variables> others;
    for (const auto& planned : cases_) {
      if (!planned.outcome) continue;
      const bool is_square = std::ranges::all_of(planned.sized->buffers, [](const auto& buffer) {
        return !buffer.is_matrix || buffer.rows == buffer.columns;
      });
      if (is_square != planned.is_right()) return false;
      const bool is_matrix = std::ranges::any_of(
          planned.sized->buffers, [](const auto& buffer) { return buffer.is_matrix; });
      if (is_matrix && is_square) ++squares;
      if (!is_square) others.insert(planned.variables());
    }
    return squares > 0 && others.size() > 1;
  }

  // The largest right case on the target of the wrong one; nullptr without one.
  const PlannedCase* right_case() const {
    const PlannedCase* out = nullptr;
    for (const auto& planned : cases_) {
      const bool is_it = planned.is_right() && !planned.outcome->measured.lines.empty() &&
                         (wrong_case == nullptr || planned.target == wrong_case->target);
      if (is_it && (out == nullptr || planned.sized->work.bytes > out->sized->work.bytes)) {
        out = &planned;
      }
    }
    return out;
  }

  // The sizes of the case with the finding, or with the wrong result.
  const cases::SizedCase* sized() const {
    const auto* of = fault_case != nullptr ? fault_case : wrong_case;
    return of == nullptr ? nullptr : of->sized.get();
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

  // The lines that store results, or add to them.
  std::vector<std::uint32_t> result_lines() const {
    auto out = report.result_lines;
    if (!out.empty() || wrong_case == nullptr) return out;
    for (const auto& line : wrong_case->outcome->measured.lines) {
      const bool is_one = line.operation.space == run::Space::kGlobal &&
                          run::is_atomic(line.operation.operation) && line.file == report.file;
      if (is_one) out.push_back(line.line);
    }
    return out;
  }

  // `found` at the line of the repair, if that corrects the mistake `id`.
  Match moved_to_repair(Found found, course::CauseId id) const {
    if (!trials.repair || trials.repair->id != id) return std::nullopt;
    if (found.line != trials.repair->line) found.other_line = found.line;
    found.line = trials.repair->line;
    return found;
  }

  // The line of the kernel that calls the code in `line`; 0 if it is not inlined.
  std::uint32_t call_line(std::uint32_t line) const {
    if (line == 0) return 0;
    if (decisive != nullptr) {
      for (const auto& one : measured().lines) {
        if (one.line == line && one.file == report.file && one.call_line != 0) return one.call_line;
      }
    }
    const auto* of = decisive != nullptr     ? decisive
                     : fault_case != nullptr ? fault_case
                                             : wrong_case;
    if (of == nullptr || of->program == nullptr) return 0;
    for (const auto& function : of->program->ptx.module().functions) {
      for (std::size_t i = 0; i < function.call_lines.size(); ++i) {
        const auto& where = function.locations[i];
        const bool is_it = where.line == line && where.file == of->program->file;
        if (is_it && function.call_lines[i] != 0) return function.call_lines[i];
      }
    }
    return 0;
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
  // The launch was stopped for its work, and each block ended.
  bool is_too_much_work() const {
    return fault != nullptr && fault->kind == base::DiagnosticKind::kRunaway && !fault->thread;
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
  /// Seconds that the decisive case would save without `waste` (see timing/what_if.h); nullopt if
  /// the model cannot be asked.
  std::optional<double> saved(timing::Waste waste, double least = 0) const {
    if (!has_slow_case() || measured().model_inputs.empty()) return std::nullopt;
    const auto [known, is_new] = saved_.try_emplace({waste, least}, 0);
    if (!is_new) return known->second;
    for (const auto& one : measured().model_inputs) {
      known->second += one->seconds - timing::seconds_without(profile(), *one, waste, least);
    }
    return known->second;
  }
  /// The busy time of `resource` in the decisive case, in seconds.
  double seconds_of(timing::Bound resource) const {
    double seconds = 0;
    for (const auto& share : measured().shares) {
      if (share.resource == resource) seconds += share.seconds;
    }
    return seconds;
  }
  const run::Launch& launch() const { return decisive->timed->launches.sequence.first(); }
  const device::Profile& profile() const { return decisive->target->profile(); }

 private:
  static const base::Diagnostic* first_fault(const PlannedCase& planned) {
    const auto* faults = std::get_if<FoundFaults>(&planned.outcome->ending);
    return faults == nullptr || faults->diagnostics.empty() ? nullptr
                                                            : &faults->diagnostics.front();
  }

  void find_fixed_extents() {
    if (cases_.size() < 2) {
      fixed_.resize(cases_.empty() ? 0 : cases_.front().sized->buffers.size());
      return;
    }
    for (const auto& buffer : cases_.front().sized->buffers) {
      fixed_.push_back({buffer.rows, buffer.columns});
    }
    for (const auto& planned : cases_) {
      for (std::size_t i = 0; i < fixed_.size(); ++i) {
        const auto& buffer = planned.sized->buffers[i];
        if (buffer.rows != fixed_[i].rows) fixed_[i].rows = 0;
        if (buffer.columns != fixed_[i].columns) fixed_[i].columns = 0;
      }
    }
  }
  // The report's first diagnostic, in which arrays have names, and the first case that has one.
  void find_fault() {
    for (const auto& one : report.diagnostics) {
      if (one.kind == base::DiagnosticKind::kUnsupported && report.diagnostics.size() > 1) continue;
      fault = &one;
      break;
    }
    put_lost_stores_first();
    for (const auto& planned : cases_) {
      if (!planned.outcome || first_fault(planned) == nullptr) continue;
      fault_case = &planned;
      break;
    }
  }
  // Lanes of a warp that store different values to one element of shared memory, so that one of
  // them is chosen by chance, come before an access outside of an array.
  void put_lost_stores_first() {
    if (fault == nullptr || fault->kind != base::DiagnosticKind::kOutOfBounds) return;
    for (const auto& one : report.diagnostics) {
      const auto* race = std::get_if<base::Race>(&one.facts);
      const auto* barrier =
          race == nullptr ? nullptr : std::get_if<base::BarrierAdvice>(&race->advice);
      const bool is_it = barrier != nullptr && barrier->for_warp && barrier->both_write &&
                         barrier->one_line && race->place.memory == base::Place::Memory::kShared;
      if (!is_it) continue;
      fault = &one;
      return;
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
    if (wrong == nullptr || fault == nullptr || fault_case == nullptr) return;
    const bool is_consequence =
        fault->kind == base::DiagnosticKind::kUninitializedRead || is_too_much_work() ||
        (wrong->kind == verify::CauseKind::kTransposed &&
         (fault->kind == base::DiagnosticKind::kOutOfBounds || is_of_blocks()));
    const bool leads = is_consequence && wrong_case < fault_case;
    if (leads) {
      fault = nullptr;
      fault_case = nullptr;
    }
  }
  // Two blocks store the same element.
  bool is_of_blocks() const {
    const auto* race = std::get_if<base::Race>(&fault->facts);
    const auto* blocks = race == nullptr ? nullptr : std::get_if<base::BlocksAdvice>(&race->advice);
    return blocks != nullptr && *blocks == base::BlocksAdvice::kOwnElement;
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
  std::vector<KernelSignature> kernels_;  // By step of the exercise.
  std::vector<FixedExtents> fixed_;       // By array.
  mutable std::map<std::pair<timing::Waste, double>, double> saved_;
};

// The rows of cause_rows.def. Each returns nullopt if it does not apply.

#define FAULT(id, match, why, next) Match match(const Facts& facts);
#define RESULT FAULT
#define WASTE FAULT
#include "grader/grade/explain/cause_rows.def"

/// The first failing gate, without a better cause: its meaning and its numbers.
Match any_gate(const Facts& facts);

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
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
#include "grader/cases/student_terms.h"
#include "grader/course/cause_id.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/explain/kernel_text.h"
#include "grader/grade/judge/judged.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_measurements.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::grade {
namespace {

using course::CauseId;
using memory::LineCounters;
using memory::MemoryOperation;

// A row that applies: its lines, the values for its texts, and what it costs.
struct Found {
  std::uint32_t line = 0;
  std::uint32_t other_line = 0;
  std::map<std::string, std::string, std::less<>> values = {};
  double cost = 0;  // Of waste: sectors or wavefronts, or a share of the time.
};
using Match = std::optional<Found>;

constexpr MemoryOperation kLoad{run::Space::kGlobal, run::Operation::kLoad};
constexpr MemoryOperation kStore{run::Space::kGlobal, run::Operation::kStore};
constexpr double kSectorBytes = 32;
// A wavefront of shared memory costs a clock of one multiprocessor. A sector costs about as much
// there, and further clocks of L2 and DRAM.
constexpr double kSectorsOfWavefront = 0.25;

std::string number(double value) { return text::number(value); }

// Whether all extents of the arrays that decide the work are multiples of `tile`. Inputs decide;
// without one, outputs do.
bool is_whole(const cases::SizedCase& sized, std::uint64_t tile) {
  const bool has_input =
      std::ranges::any_of(sized.buffers, [](const auto& one) { return one.is_read_only(); });
  return std::ranges::all_of(sized.buffers, [&](const auto& one) {
    const bool decides = has_input ? one.is_read_only() : one.is_output();
    const bool is_line = one.rows == 1 || one.rows % tile == 0;
    return !decides || (is_line && one.columns % tile == 0);
  });
}

std::uint64_t bytes_of(const cases::SizedBuffer& buffer) {
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

  // The first finding; nullptr if there is none. The case in which it was found.
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

  // The variable that has one value in all right cases, and others in all wrong ones, of which one
  // differs from a right case in this variable alone.
  std::optional<std::pair<std::string, double>> variable_with_one_right_value() const {
    for (const auto& [name, unused] : cases_.front().variables()) {
      std::set<double> right;
      std::set<double> wrong_values;
      std::set<text::Variables> right_cases;
      bool is_alone = false;
      for (const auto& a : cases_) {
        if (!a.outcome) continue;
        (a.is_right() ? right : wrong_values).insert(a.variables().at(name));
        if (a.is_right()) right_cases.insert(a.variables());
        for (const auto& b : cases_) {
          if (!b.outcome || !a.is_right() || b.is_right()) continue;
          auto same = b.variables();
          same[name] = a.variables().at(name);
          is_alone = is_alone || (same == a.variables() && b.variables() != a.variables());
        }
      }
      if (right.size() != 1 || right_cases.size() < 2 || !is_alone) continue;
      // One element, or one row, is right by chance.
      if (wrong_values.contains(*right.begin()) || *right.begin() == 1) continue;
      return std::pair(name, *right.begin());
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
  const report::Gate* gate_below(std::string_view metric) const {
    const auto* gate = gate_on(metric);
    return gate != nullptr && gate_above(metric) == nullptr ? gate : nullptr;
  }
  bool is_slow() const { return report.reason == report::Reason::kPerformance; }
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
    return faults == nullptr || faults->diagnostics.empty() ? nullptr : &faults->diagnostics.front();
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
      const bool decides = gate.definition.is_performance() == is_slow();
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

// ---- Facts about indices and guards.

// A length in the index of a matrix, or the guard of its column, that is not the length of a row.
enum class IndexFault { kNone, kLength, kGuard };

IndexFault index_fault(const Facts& facts, const cases::SizedCase& sized, std::string_view array,
                       std::uint32_t line) {
  const auto* buffer = sized.buffer_called(array);
  if (buffer == nullptr || !buffer->is_matrix) return IndexFault::kNone;
  const auto subscript = KernelText::subscript_of(array, facts.source.statement_at(line));
  const auto index = facts.source.matrix_index(subscript);
  if (!index) return IndexFault::kNone;
  const auto value_of = [&](const std::string& name) -> std::optional<double> {
    const auto found = sized.variables.find(name);
    return found == sized.variables.end() ? std::nullopt : std::optional(found->second);
  };
  const auto columns = static_cast<double>(buffer->columns);
  const auto length = value_of(index->length);
  if (length && buffer->rows == buffer->columns) return IndexFault::kNone;
  if (length && *length != columns) return IndexFault::kLength;
  if (!length) {
    // A variable of the kernel's own: it should come from the one with the right value.
    const auto made_from = facts.source.value_of(index->length);
    if (made_from.empty()) return IndexFault::kNone;
    const bool is_right = std::ranges::any_of(sized.variables, [&](const auto& one) {
      return one.second == columns && KernelText::count_of(one.first, made_from) != 0;
    });
    return is_right ? IndexFault::kNone : IndexFault::kLength;
  }
  for (const auto& test : facts.source.tests_near(line)) {
    const auto limit = value_of(test.right);
    const bool is_guard = test.comparison == "<" && test.left == index->column && limit;
    if (is_guard && *limit != columns) return IndexFault::kGuard;
  }
  return IndexFault::kNone;
}

const base::OutsideAccess* outside_of(const Facts& facts) {
  return facts.fault == nullptr ? nullptr : std::get_if<base::OutsideAccess>(&facts.fault->facts);
}

const base::Race* race_of(const Facts& facts) {
  return facts.fault == nullptr ? nullptr : std::get_if<base::Race>(&facts.fault->facts);
}

template <typename Advice>
const Advice* advice_of(const Facts& facts) {
  const auto* race = race_of(facts);
  return race == nullptr ? nullptr : std::get_if<Advice>(&race->advice);
}

bool is_kind(const Facts& facts, base::DiagnosticKind kind) {
  return facts.fault != nullptr && facts.fault->kind == kind;
}

std::string place_text(const base::Place& place) {
  return place.array.empty() ? base::text(place) : place.array;
}

Found at_fault(const Facts& facts) {
  Found out{.line = facts.fault->where.line};
  if (const auto* race = race_of(facts)) {
    out.other_line = race->other_line ? race->other_line->line : 0;
    out.values["array"] = place_text(race->place);
    out.values["place"] = base::text(race->place);
  }
  if (const auto* outside = outside_of(facts)) {
    out.values["array"] = place_text(outside->place);
    out.values["access"] = base::text(*outside);
  }
  auto copy = facts.fault->facts;
  if (const auto* place = base::place_of(copy)) {
    out.values.try_emplace("array", place_text(*place));
    out.values.try_emplace("place", base::text(*place));
  }
  out.values["does"] = facts.fault->kind == base::DiagnosticKind::kRace && race_of(facts) != nullptr
                           ? std::string(base::verb(race_of(facts)->does))
                           : "";
  return out;
}

// "sums[t] += x", "++bins[v]", "bins[v]++": the statement changes an element that it reads, and does
// not read another one of the same array.
bool is_update(std::string_view statement) {
  const auto body = KernelText::without_heads(statement);
  static constexpr std::array<std::string_view, 7> kUpdates = {" += ", " -= ", " |= ", " &= ",
                                                               " ^= ", " *= ", " /= "};
  const bool is_memory = body.find('[') != std::string_view::npos || body.find("* ") == 0 ||
                         body.find("( * ") != std::string_view::npos;
  if (body.starts_with("+ + ") || body.starts_with("- - ") || body.ends_with("+ + ;") ||
      body.ends_with("- - ;")) {
    return is_memory;
  }
  for (const auto one : kUpdates) {
    const auto at = body.find(one);
    if (at == std::string_view::npos) continue;
    auto target = body.substr(0, at);
    if (target.find('[') == std::string_view::npos && !target.starts_with("* ")) return false;
    while (target.starts_with("* ") || target.starts_with("( ")) target.remove_prefix(2);
    return KernelText::count_of(target.substr(0, target.find(' ')), body.substr(at)) == 0;
  }
  return false;
}

bool is_atomic_call(std::string_view statement) {
  return statement.find("atomic") != std::string_view::npos;
}

Match lost_update(const Facts& facts) {
  if (const auto* update = advice_of<base::UpdateAdvice>(facts)) {
    auto out = at_fault(facts);
    out.line = update->write.line;
    out.other_line = update->read.line;
    return out;
  }
  const auto* race = race_of(facts);
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  const auto* blocks = advice_of<base::BlocksAdvice>(facts);
  if (barrier == nullptr && blocks == nullptr) return std::nullopt;
  const auto line = facts.fault->where.line;
  const auto other = race->other_line ? race->other_line->line : line;
  const auto now = facts.source.statement_at(line);
  const auto before = facts.source.statement_at(other);
  const bool any_plain = is_update(now) || is_update(before);
  const bool all_update =
      (is_update(now) || is_atomic_call(now)) && (is_update(before) || is_atomic_call(before));
  if (any_plain && all_update) return at_fault(facts);
  // Stores to an array to which all threads have to add.
  const bool both_write = (barrier != nullptr && barrier->both_write) ||
                          (blocks != nullptr && *blocks == base::BlocksAdvice::kOwnElement);
  if (both_write && line == other && facts.is_accumulated(race->place.array)) {
    return at_fault(facts);
  }
  return std::nullopt;
}

// A loop without a body that reads memory until another thread changes it.
bool is_poll(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  const bool is_loop = statement.starts_with("while (") || statement.find(" while (") != std::string::npos;
  return is_loop && (statement.ends_with(") ;") || statement.ends_with(") { }") ||
                     statement.ends_with(") {"));
}

Match weak_wait(const Facts& facts) {
  if (facts.fault == nullptr) return std::nullopt;
  const bool is_weak = advice_of<base::FenceAdvice>(facts) != nullptr ||
                       advice_of<base::LockAdvice>(facts) != nullptr ||
                       advice_of<base::ScopeAdvice>(facts) != nullptr;
  const auto* copy = std::get_if<base::CopyRace>(&facts.fault->facts);
  const bool is_copy = std::holds_alternative<base::BulkRace>(facts.fault->facts) ||
                       (copy != nullptr && copy->advice != base::CopyRace::Advice::kWaitAndMeet);
  const auto line = facts.fault->where.line;
  const auto* race = race_of(facts);
  const bool polls = (race != nullptr || is_kind(facts, base::DiagnosticKind::kRunaway) ||
                      is_kind(facts, base::DiagnosticKind::kDeadlock)) &&
                     (is_poll(facts, line) ||
                      (race != nullptr && race->other_line && is_poll(facts, race->other_line->line)));
  if (!is_weak && !is_copy && !polls) return std::nullopt;
  return at_fault(facts);
}

Match skipped_barrier(const Facts& facts) {
  if (const auto* skipped = advice_of<base::SkippedBarrier>(facts)) {
    auto out = at_fault(facts);
    out.other_line = out.line;
    out.line = skipped->where.line;
    return out;
  }
  const bool is_barrier = is_kind(facts, base::DiagnosticKind::kDivergentBarrier) ||
                          is_kind(facts, base::DiagnosticKind::kDeadlock);
  return is_barrier ? Match(at_fault(facts)) : std::nullopt;
}

Match barrier_of(const Facts& facts, bool for_warp) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  if (barrier == nullptr || barrier->for_warp != for_warp) return std::nullopt;
  if (barrier->both_write && barrier->one_line && !barrier->is_repeated) return std::nullopt;
  auto out = at_fault(facts);
  out.values["barrier"] = barrier->for_cluster ? "cluster.sync()"
                          : for_warp           ? "__syncwarp()"
                                               : "__syncthreads()";
  out.values["between"] = base::text(barrier->between);
  return out;
}

// Another finding at this line is between warps, so a barrier of the warp does not suffice.
const base::BarrierAdvice* wider_barrier(const Facts& facts) {
  for (const auto& one : facts.report.diagnostics) {
    const auto* race = std::get_if<base::Race>(&one.facts);
    const auto* barrier =
        race == nullptr ? nullptr : std::get_if<base::BarrierAdvice>(&race->advice);
    if (barrier == nullptr || barrier->for_warp) continue;
    const auto line = facts.fault->where.line;
    const auto other = race->other_line ? race->other_line->line : one.where.line;
    if (one.where.line == line || other == line) return barrier;
  }
  return nullptr;
}

Match missing_syncwarp(const Facts& facts) {
  auto out = barrier_of(facts, true);
  return out && wider_barrier(facts) == nullptr ? out : std::nullopt;
}

Match missing_barrier(const Facts& facts) {
  const auto* copy =
      facts.fault == nullptr ? nullptr : std::get_if<base::CopyRace>(&facts.fault->facts);
  if (copy == nullptr) {
    if (auto out = barrier_of(facts, false)) return out;
    const auto* wider = wider_barrier(facts);
    auto out = wider == nullptr ? std::nullopt : barrier_of(facts, true);
    if (!out) return std::nullopt;
    out->values["barrier"] = "__syncthreads()";
    out->values["between"] = base::text(wider->between);
    return out;
  }
  auto out = at_fault(facts);
  out.values["barrier"] = "wait for the copy and a __syncthreads()";
  out.values["between"] = base::text(copy->between);
  return out;
}

Match missing_grid_sync(const Facts& facts) {
  const auto* blocks = advice_of<base::BlocksAdvice>(facts);
  const bool is_order = blocks != nullptr && *blocks != base::BlocksAdvice::kOwnElement;
  if (!is_order && advice_of<base::GridAdvice>(facts) == nullptr) return std::nullopt;
  return at_fault(facts);
}

Match other_race(const Facts& facts) {
  const bool is_race = is_kind(facts, base::DiagnosticKind::kRace);
  return is_race ? Match(at_fault(facts)) : std::nullopt;
}

Match wrong_length_outside(const Facts& facts) {
  const auto* outside = outside_of(facts);
  if (outside == nullptr || facts.fault_case == nullptr) return std::nullopt;
  const auto fault = index_fault(facts, *facts.fault_case->sized, outside->place.array,
                                 facts.fault->where.line);
  return fault == IndexFault::kLength ? Match(at_fault(facts)) : std::nullopt;
}

// Any access in the statement, since an exchanged guard is often seen at another array.
Match wrong_guard_at_fault(const Facts& facts) {
  const bool is_access = is_kind(facts, base::DiagnosticKind::kOutOfBounds) ||
                         is_kind(facts, base::DiagnosticKind::kUninitializedRead);
  if (!is_access || facts.fault_case == nullptr) return std::nullopt;
  for (const auto& buffer : facts.fault_case->sized->buffers) {
    const auto fault =
        index_fault(facts, *facts.fault_case->sized, buffer.name, facts.fault->where.line);
    if (fault == IndexFault::kGuard) return at_fault(facts);
  }
  return std::nullopt;
}

constexpr std::uint64_t kIndexBytes = std::uint64_t{1} << 31;
constexpr std::uint64_t kExactFloats = std::uint64_t{1} << 24;  // Above it a float skips numbers.

Match overflow(const Facts& facts) {
  const auto is_large = [](const auto& buffer) { return bytes_of(buffer) >= kIndexBytes; };
  if (const auto* outside = outside_of(facts)) {
    const bool is_negative = outside->place.index() < 0 ||
                             base::is_wrapped_index(outside->place.index());
    return is_negative && facts.fails_only_if(is_large) ? Match(at_fault(facts)) : std::nullopt;
  }
  if (facts.wrong == nullptr || !facts.fails_only_if(is_large)) return std::nullopt;
  return Found{};
}

Match missing_guard(const Facts& facts) {
  const auto* outside = outside_of(facts);
  const bool is_buffer =
      outside != nullptr && outside->place.memory == base::Place::Memory::kBuffer;
  if (!is_buffer) return std::nullopt;
  auto out = at_fault(facts);
  if (facts.fails_with_a_rest_only()) return out;
  const auto line = facts.fault->where.line;
  const auto& text = facts.source;
  const auto statement = text.statement_at(line);
  const auto name = outside->place.array.substr(outside->place.array.rfind('.') + 1);
  const auto subscript = KernelText::subscript_of(name, statement);
  const auto first = subscript.substr(0, subscript.find(' '));
  // in[i + 1]: a neighbour of an element.
  const bool is_beside = (subscript.find(" + ") != std::string::npos ||
                          subscript.find(" - ") != std::string::npos) &&
                         subscript.find('*') == std::string::npos &&
                         subscript.find('(') == std::string::npos;
  const bool has_equal =
      std::ranges::any_of(text.tests(), [](const auto& test) { return test.comparison == "<="; });
  const auto made_from = text.value_of(first);
  const bool is_number_of_thread = KernelText::count_of("blockIdx", made_from) != 0 &&
                                   KernelText::count_of("threadIdx", made_from) != 0;
  const auto& variables = facts.fault_case->sized->variables;
  const auto is_of_size = [&](const auto& test) {
    return variables.contains(test.right) || variables.contains(test.left);
  };
  const bool is_guarded_elsewhere = outside->does == base::Does::kRead &&
                                    std::ranges::any_of(text.tests(), is_of_size) &&
                                    std::ranges::none_of(text.tests_near(line), is_of_size);
  const bool is_missing = is_beside || has_equal || is_number_of_thread || is_guarded_elsewhere;
  return is_missing ? Match(out) : std::nullopt;
}

Match out_of_bounds(const Facts& facts) {
  return is_kind(facts, base::DiagnosticKind::kOutOfBounds) ? Match(at_fault(facts)) : std::nullopt;
}

Match misaligned(const Facts& facts) {
  return is_kind(facts, base::DiagnosticKind::kMisaligned) ? Match(at_fault(facts)) : std::nullopt;
}

Match uninitialised(const Facts& facts) {
  const bool is_it = is_kind(facts, base::DiagnosticKind::kUninitializedRead);
  return is_it ? Match(at_fault(facts)) : std::nullopt;
}

Match writes_input(const Facts& facts) {
  const bool is_it = is_kind(facts, base::DiagnosticKind::kInputModified);
  return is_it ? Match(at_fault(facts)) : std::nullopt;
}

Match infinite_loop(const Facts& facts) {
  return is_kind(facts, base::DiagnosticKind::kRunaway) ? Match(at_fault(facts)) : std::nullopt;
}

Match compile_error(const Facts& facts) {
  if (facts.report.reason != report::Reason::kCompile || facts.fault == nullptr) return std::nullopt;
  return at_fault(facts);
}

// ---- Facts about a wrong result.

std::uint32_t only_store(const Facts& facts) {
  return facts.report.result_lines.size() == 1 ? facts.report.result_lines.front() : 0;
}

Found at_result(const Facts& facts) {
  return Found{.line = only_store(facts),
               .values = {{"difference", facts.wrong->text},
                          {"element", facts.wrong->element},
                          {"count", base::grouped(facts.wrong->deviation.unwritten)},
                          {"of", base::grouped(facts.wrong->deviation.elements)}}};
}

Match if_wrong(const Facts& facts, bool applies) {
  return applies && facts.wrong != nullptr ? Match(at_result(facts)) : std::nullopt;
}

bool has_cause(const Facts& facts, std::initializer_list<verify::CauseKind> kinds) {
  return facts.wrong != nullptr && std::ranges::find(kinds, facts.wrong->kind) != kinds.end();
}

Match order_matters(const Facts& facts) { return if_wrong(facts, facts.depends_on_order); }

Match wrong_length(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  auto out = at_result(facts);
  if (has_cause(facts, {verify::CauseKind::kRowLength})) return out;
  for (const auto& line : facts.wrong_case->outcome->measured.lines) {
    if (line.operation.space != run::Space::kGlobal || line.file != facts.report.file) continue;
    for (const auto& buffer : facts.wrong_case->sized->buffers) {
      const auto fault = index_fault(facts, *facts.wrong_case->sized, buffer.name, line.line);
      if (fault != IndexFault::kLength) continue;
      out.line = line.line;
      return out;
    }
  }
  return std::nullopt;
}

Match wrong_guard_of_result(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  auto out = at_result(facts);
  for (const auto line : facts.report.result_lines) {
    for (const auto& buffer : facts.wrong_case->sized->buffers) {
      const auto fault = index_fault(facts, *facts.wrong_case->sized, buffer.name, line);
      if (fault != IndexFault::kGuard) continue;
      out.line = line;
      return out;
    }
  }
  return std::nullopt;
}

Match exchanged(const Facts& facts) {
  return if_wrong(facts, has_cause(facts, {verify::CauseKind::kTransposed}));
}

Match float_index(const Facts& facts) {
  if (facts.wrong == nullptr && outside_of(facts) == nullptr) return std::nullopt;
  const bool is_large =
      facts.fails_only_if([](const auto& buffer) { return buffer.elements() >= kExactFloats; });
  if (!facts.source.has_float_index() || (facts.wrong != nullptr && !is_large)) return std::nullopt;
  auto out = facts.wrong != nullptr ? at_result(facts) : at_fault(facts);
  out.line = facts.source.float_index_line();
  return out;
}

Match fewer_digits(const Facts& facts) {
  using verify::CauseKind;
  constexpr double kFewBits = 4e-3;  // As in wrong_result.cpp: more is no rounding.
  constexpr double kOfSums = 5e-2;   // A sum near 0 of rounded terms.
  const bool has_half = facts.source.has_word("__half") || facts.source.has_word("half");
  const bool is_close = has_cause(facts, {CauseKind::kInaccurate}) &&
                        std::abs(facts.wrong->deviation.relative) < (has_half ? kOfSums : kFewBits);
  return if_wrong(facts, is_close || has_cause(facts, {CauseKind::kWholeNumbers, CauseKind::kHalf,
                                                       CauseKind::kNarrowInteger}));
}

// A sample of the blocks has no count of its unwritten elements.
// A float near the right one, without another cause.
Match nearly_right(const Facts& facts) {
  constexpr double kFewBits = 4e-3;
  const bool is_unknown = has_cause(facts, {verify::CauseKind::kUnknown});
  const double off = is_unknown ? std::abs(facts.wrong->deviation.relative) : 0;
  return if_wrong(facts, off > 0 && off < kFewBits);
}

bool is_unwritten(const Facts& facts) {
  if (facts.wrong == nullptr) return false;
  const auto& deviation = facts.wrong->deviation;
  const bool is_sample = deviation.box.rows == 0;
  if (is_sample || deviation.unwritten == 0) {
    return is_sample && facts.wrong->kind == verify::CauseKind::kUnwritten;
  }
  return facts.wrong->kind == verify::CauseKind::kUnwritten ||
         2 * deviation.unwritten >= deviation.wrong;
}

// Only the last row, or the last column, or the last element.
bool is_last_only(const verify::WrongBox& box) {
  if (box.rows == 0) return false;
  const bool rows = box.rows > 1 && box.first_row == box.last_row && box.last_row + 1 == box.rows;
  const bool columns = box.columns > 1 && box.first_column == box.last_column &&
                       box.last_column + 1 == box.columns;
  return rows || columns;
}

// The guard in whose reach the line is: `x < n - 1`; else the line itself.
Match last_left_out(const Facts& facts) {
  if (!is_unwritten(facts) || !is_last_only(facts.wrong->deviation.box) ||
      facts.fails_with_a_rest_only()) {
    return std::nullopt;
  }
  auto out = at_result(facts);
  for (const auto& test : facts.source.tests()) {
    const bool is_short = (test.comparison == "<" && test.right.ends_with(" - 1")) ||
                          (test.comparison == ">=" && test.left.ends_with(" + 1"));
    if (is_short) out.line = test.line;
  }
  return out;
}

// Whether the wrong elements are the rest of a division of all rows or columns, or end there.
bool is_rest_of_tiles(const verify::WrongBox& box) {
  static constexpr std::array<std::uint64_t, 5> kTiles = {8, 16, 32, 64, 128};
  const bool is_all = box.first_row == 0 && box.first_column == 0;
  const auto is_rest = [&](std::uint64_t first, std::uint64_t all, std::uint64_t tile) {
    return (first != 0 || is_all) && all - first == all % tile;
  };
  return box.rows == 0 || is_last_only(box) ||
         std::ranges::any_of(kTiles, [&](std::uint64_t tile) {
           return is_rest(box.first_row, box.rows, tile) ||
                  is_rest(box.first_column, box.columns, tile);
         });
}

Match rest_unwritten(const Facts& facts) {
  return if_wrong(facts, is_unwritten(facts) && facts.fails_with_a_rest_only() &&
                             is_rest_of_tiles(facts.wrong->deviation.box));
}

// As many bytes are stored as the outputs have, and not all elements are written.
Match stored_elsewhere(const Facts& facts) {
  if (!is_unwritten(facts)) return std::nullopt;
  std::uint64_t stored = 0;
  for (const auto& line : facts.wrong_case->outcome->measured.lines) {
    if (line.operation == kStore) stored += line.bytes;
  }
  std::uint64_t outputs = 0;
  for (const auto& buffer : facts.wrong_case->sized->buffers) {
    if (buffer.is_output()) outputs += bytes_of(buffer);
  }
  return if_wrong(facts, stored >= outputs);
}

Match never_written(const Facts& facts) { return if_wrong(facts, is_unwritten(facts)); }

// The input of which a part is never loaded, although indices do not choose its elements.
std::optional<std::pair<const cases::SizedBuffer*, std::uint64_t>> unread_input(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto& sized = *facts.wrong_case->sized;
  const auto& read = facts.wrong_case->outcome->measured.read_bytes;
  for (std::size_t i = 0; i < sized.buffers.size() && i < read.size(); ++i) {
    const auto& buffer = sized.buffers[i];
    const auto all = bytes_of(buffer);
    if (!buffer.is_read_only() || read[i] >= all) continue;
    bool is_gathered = false;
    for (const auto& line : facts.wrong_case->outcome->measured.lines) {
      const auto subscript =
          KernelText::subscript_of(buffer.name, facts.source.statement_at(line.line));
      is_gathered = is_gathered || subscript.find('[') != std::string::npos;
    }
    if (is_gathered) continue;
    return std::pair(&buffer, (all - read[i]) / verify::size_of(buffer.type));
  }
  return std::nullopt;
}

// Whether `count` of `all` elements are left if these are divided evenly among threads or blocks.
bool is_rest(const Facts& facts, std::uint64_t count, std::uint64_t all) {
  const auto& launch = facts.wrong_case->sized->launches.sequence.first();
  const auto blocks = base::volume(launch.grid);
  const auto threads = blocks * base::volume(launch.block);
  return facts.fails_with_a_rest_only() || count == all % threads || count == all % blocks;
}

Match unread(const Facts& facts, bool rest_only) {
  const auto found = unread_input(facts);
  if (!found || is_rest(facts, found->second, found->first->elements()) != rest_only) {
    return std::nullopt;
  }
  auto out = at_result(facts);
  out.line = 0;
  out.values["count"] = base::grouped(found->second);
  out.values["of"] = base::counted(found->first->elements(), "element");
  out.values["array"] = found->first->name;
  return out;
}

Match rest_unread(const Facts& facts) { return unread(facts, true); }
Match part_unread(const Facts& facts) { return unread(facts, false); }

Match rest_wrong(const Facts& facts) { return if_wrong(facts, facts.fails_with_a_rest_only()); }

// A number in the file is fixed where it should follow a variable: the right cases all have one value
// of the variable, and no wrong one has it.
Match fixed_number(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto found = facts.variable_with_one_right_value();
  if (!found) return std::nullopt;
  auto out = at_result(facts);
  out.line = 0;
  out.values["variable"] = fmt::format("{} = {}", found->first, number(found->second));
  return out;
}

Match misplaced(const Facts& facts) {
  using verify::CauseKind;
  return if_wrong(facts, has_cause(facts, {CauseKind::kNeighbour, CauseKind::kOtherPlace,
                                           CauseKind::kOtherElement}));
}

// A maximum of negative values that starts at 0.
Match started_at_zero(const Facts& facts) {
  if (facts.wrong == nullptr || !facts.wrong->expected.starts_with('-')) return std::nullopt;
  const bool is_extreme = facts.source.has_word("max") || facts.source.has_word("fmaxf") ||
                          facts.source.has_word("atomicMax");
  const bool is_zero = facts.wrong->got == "0" || facts.wrong->got == "0.0";
  return if_wrong(facts, is_extreme && is_zero);
}

Match any_wrong(const Facts& facts) {
  auto out = if_wrong(facts, true);
  if (out) out->line = 0;
  return out;
}

// ---- Facts about waste. Rows apply to a gate that fails, or to a time that is too long.

constexpr std::string_view kLoadUse = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view kStoreUse =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";
constexpr std::string_view kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kLoadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";

double used_per_sector(const LineCounters& line) {
  return line.sectors == 0 ? kSectorBytes
                           : static_cast<double>(line.used_bytes) / static_cast<double>(line.sectors);
}

// Sectors beyond those that the used bytes would fill.
double wasted_sectors(const LineCounters& line) {
  // Lanes that load the same word share a sector, which is no waste of theirs.
  constexpr std::uint64_t kSectorsOfWords = 4;
  const bool is_shared_word = line.bytes >= 2 * line.used_bytes;
  if (is_shared_word && line.sectors <= kSectorsOfWords * line.requests) return 0;
  return static_cast<double>(line.sectors) - static_cast<double>(line.used_bytes) / kSectorBytes;
}

double per_request(std::uint64_t count, const LineCounters& line) {
  return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(line.requests, 1));
}

template <typename Cost>
std::optional<LineCounters> costliest(const std::vector<LineCounters>& lines, const Cost& cost) {
  if (lines.empty()) return std::nullopt;
  return *std::ranges::max_element(
      lines, [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
}

template <typename Count>
double sum_of(const std::vector<LineCounters>& lines, const Count& count) {
  double out = 0;
  for (const auto& line : lines) out += static_cast<double>(count(line));
  return out;
}

// How the lanes of a request are spread over its sectors.
enum class Spread { kFull, kApart, kPartial, kShifted };

Spread spread_of(const LineCounters& line, double element_bytes) {
  constexpr double kEnough = 26;  // Of 32 bytes.
  const double used = used_per_sector(line);
  if (used >= kEnough) return Spread::kFull;
  const double full = per_request(line.used_bytes, line) / kSectorBytes;
  const bool is_one_more = per_request(line.sectors, line) <= full + 1.25;
  if (is_one_more && full >= 2) return Spread::kShifted;
  constexpr double kAlmost = 1.25;  // A few lanes are neighbours by chance.
  return used <= kAlmost * element_bytes ? Spread::kApart : Spread::kPartial;
}

// The size of the largest element: a lane that uses no more of its sector is alone there.
double largest_element(const Facts& facts) {
  std::uint64_t out = 1;
  for (const auto& buffer : facts.decisive->sized->buffers) {
    out = std::max<std::uint64_t>(out, verify::size_of(buffer.type));
  }
  return static_cast<double>(out);
}

bool is_of_memory(timing::Bound bound) {
  using timing::Bound;
  static constexpr std::array<Bound, 8> kMemory = {
      Bound::kDram,     Bound::kL2,     Bound::kL2PartialWrites, Bound::kL2Stores,
      Bound::kL1Data,   Bound::kSmPort, Bound::kTagLookups,      Bound::kBusiestPartition};
  return std::ranges::find(kMemory, bound) != kMemory.end();
}

// x[column[i]]: the addresses depend on data.
bool is_gathered(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  return std::ranges::any_of(facts.decisive->sized->buffers, [&](const auto& buffer) {
    return KernelText::subscript_of(buffer.name, statement).find('[') != std::string::npos;
  });
}

// The line of `operation` that wastes most sectors, if that is why a gate fails.
std::optional<LineCounters> wasteful_line(const Facts& facts, const MemoryOperation& operation) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto lines = facts.lines_of(operation);
  const auto worst = costliest(lines, wasted_sectors);
  if (!worst || worst->sectors == 0) return std::nullopt;
  const auto all = sum_of(lines, [](const auto& line) { return line.sectors; });
  constexpr double kMuch = 0.15;  // Of the sectors.
  if (wasted_sectors(*worst) < kMuch * all) return std::nullopt;
  const bool is_load = operation == kLoad;
  const auto* use = facts.gate_on(is_load ? kLoadUse : kStoreUse);
  if (use != nullptr) return worst;
  const auto* sectors = facts.gate_above(is_load ? kLoadSectors : kStoreSectors);
  if (sectors != nullptr) {
    // Without the waste, much of the excess would be gone.
    const double excess = *sectors->value() - *sectors->deciding_bounds().max;
    const double waste = sum_of(lines, wasted_sectors);
    return 3 * waste >= excess ? worst : std::nullopt;
  }
  // A shared array that the matrix should pass through, and does not.
  const bool is_tile_unused = std::ranges::any_of(facts.gates, [](const auto* gate) {
    const auto counted = memory::operation_of(gate->definition.metric);
    return counted && counted->space == run::Space::kShared && gate->deciding_bounds().min;
  });
  constexpr double kHalf = 0.5;
  const bool costs_time = facts.is_slow() && is_of_memory(facts.bound()) &&
                          wasted_sectors(*worst) > kHalf * all && worst->sectors > worst->requests &&
                          !is_gathered(facts, worst->line);
  return is_tile_unused || costs_time ? worst : std::nullopt;
}

Match spread(const Facts& facts, const MemoryOperation& operation, Spread wanted) {
  const auto line = wasteful_line(facts, operation);
  if (!line || spread_of(*line, largest_element(facts)) != wanted) return std::nullopt;
  const bool is_load = operation == kLoad;
  Found out{.line = line->line, .cost = wasted_sectors(*line)};
  const auto* gate = facts.gate_on(is_load ? kLoadUse : kStoreUse);
  const auto least = gate == nullptr ? std::nullopt : gate->deciding_bounds().min;
  out.values = {{"used", number(std::round(10 * used_per_sector(*line)) / 10)},
                {"needed", least ? fmt::format("at least {} are needed", number(*least))
                                 : fmt::format("a request moves {} sectors and needs {}",
                                               number(per_request(line->sectors, *line)),
                                               number(std::max(1.0, std::ceil(per_request(
                                                                         line->used_bytes, *line) /
                                                                     kSectorBytes))))},
                {"does", is_load ? "loads" : "stores"},
                {"do", is_load ? "load" : "store"}};
  return out;
}

Match loads_apart(const Facts& facts) { return spread(facts, kLoad, Spread::kApart); }
Match stores_apart(const Facts& facts) { return spread(facts, kStore, Spread::kApart); }
Match loads_in_part(const Facts& facts) { return spread(facts, kLoad, Spread::kPartial); }
Match stores_in_part(const Facts& facts) { return spread(facts, kStore, Spread::kPartial); }
Match loads_shifted(const Facts& facts) { return spread(facts, kLoad, Spread::kShifted); }
Match stores_shifted(const Facts& facts) { return spread(facts, kStore, Spread::kShifted); }

// The excess of a gate, in its own unit, and the line that does most of what it counts.
struct Excess {
  const report::Gate* gate = nullptr;
  double times = 0;  // Value over bound.
  double sectors = 0;
};

std::optional<Excess> excess_of(const Facts& facts, std::string_view metric) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto* gate = facts.gate_above(metric);
  if (gate == nullptr) return std::nullopt;
  const double bound = *gate->deciding_bounds().max;
  constexpr double kRequestSectors = 4;
  const double unit = metric.find("requests") == std::string_view::npos ? 1 : kRequestSectors;
  return Excess{gate, bound > 0 ? *gate->value() / bound : 0, unit * (*gate->value() - bound)};
}

Found at_excess(const LineCounters& line, const Excess& excess) {
  return Found{.line = line.line,
               .values = {{"value", number(*excess.gate->value())},
                          {"bound", number(std::floor(*excess.gate->deciding_bounds().max))},
                          {"requests", number(static_cast<double>(line.requests))},
                          {"sectors", number(static_cast<double>(line.sectors))}},
               .cost = excess.sectors};
}

Match too_many(const Facts& facts, const MemoryOperation& operation,
               std::initializer_list<std::string_view> metrics, std::string_view unit) {
  for (const auto metric : metrics) {
    const auto excess = excess_of(facts, metric);
    if (!excess) continue;
    const auto lines = facts.lines_of(operation);
    const auto worst = costliest(lines, [](const auto& line) { return line.sectors; });
    if (!worst) continue;
    auto out = at_excess(*worst, *excess);
    out.cost -= sum_of(lines, wasted_sectors);
    out.values["unit"] = metric.find("requests") == std::string_view::npos ? unit : "requests";
    return out;
  }
  return std::nullopt;
}

// Whether the statement reads a shared array, and does not store the loaded value to one.
bool is_beside_a_tile(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  const auto assigned = statement.find(" = ");
  for (const auto& array : facts.source.shared_arrays()) {
    const auto at = statement.find(array + " [");
    if (at != std::string::npos && (assigned == std::string::npos || at > assigned)) return true;
  }
  return false;
}

// Neighbouring threads load the same elements, and nothing keeps them for all.
Match no_tile(const Facts& facts) {
  auto out = too_many(facts, kLoad, {kLoadSectors, "lts__t_sectors_op_read.sum"}, "sectors");
  if (!out || facts.gate_above(kStoreSectors) != nullptr) return std::nullopt;
  if (!facts.source.shared_arrays().empty() && !is_beside_a_tile(facts, out->line)) {
    return std::nullopt;
  }
  return out;
}

Match redundant_loads(const Facts& facts) {
  return too_many(facts, kLoad, {kLoadSectors, kLoadRequests}, "sectors");
}

Match redundant_stores(const Facts& facts) {
  auto out = too_many(facts, kStore, {kStoreSectors, kStoreRequests}, "sectors");
  if (!out) out = too_many(facts, kStore, {"lts__t_sectors_op_write.sum"}, "sectors");
  return out;
}

// Shared loads that repeat, without conflicts.
Match redundant_shared_loads(const Facts& facts) {
  const auto excess =
      excess_of(facts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
  if (!excess) return std::nullopt;
  const auto lines = facts.lines_of({run::Space::kShared, run::Operation::kLoad});
  const auto worst = costliest(lines, [](const auto& line) { return line.wavefronts; });
  if (!worst) return std::nullopt;
  auto out = at_excess(*worst, *excess);
  out.cost -= sum_of(lines, [](const auto& line) { return line.conflicts; });
  out.cost *= kSectorsOfWavefront;
  out.values["unit"] = "wavefronts";
  return out;
}

Match bank_conflicts(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const bool is_gated = std::ranges::any_of(facts.gates, [&](const auto* gate) {
    const auto counted = memory::operation_of(gate->definition.metric);
    const bool is_shared = counted && counted->space == run::Space::kShared;
    return is_shared && facts.gate_above(gate->definition.metric) != nullptr;
  });
  const bool is_bound = facts.is_slow() && facts.bound() == timing::Bound::kSharedWavefronts;
  if (!is_gated && !is_bound) return std::nullopt;
  std::vector<LineCounters> lines;
  for (const auto operation : {run::Operation::kLoad, run::Operation::kStore}) {
    for (auto& line : facts.lines_of({run::Space::kShared, operation})) lines.push_back(line);
  }
  const auto worst = costliest(lines, [](const auto& line) { return line.conflicts; });
  if (!worst || worst->conflicts == 0) return std::nullopt;
  const double all = sum_of(lines, [](const auto& line) { return line.conflicts; });
  return Found{.line = worst->line,
               .values = {{"wavefronts", number(per_request(worst->wavefronts, *worst))},
                          {"least", number(per_request(worst->wavefronts - worst->conflicts, *worst))},
                          {"operation", memory::name(worst->operation)}},
               .cost = kSectorsOfWavefront * all};
}

Match atomic_contention(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto* contention = std::get_if<timing::Contention>(&facts.measured().skew);
  const auto excess = excess_of(facts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum");
  if (!excess && !(facts.is_slow() && contention != nullptr)) return std::nullopt;
  const auto space = contention != nullptr ? contention->space : run::Space::kShared;
  const auto lines = facts.lines_of_atomics(space);
  const auto worst =
      costliest(lines, [](const auto& line) { return line.wavefronts + line.sectors; });
  if (!worst) return std::nullopt;
  const double each = contention != nullptr ? contention->on_one_word
                                            : per_request(worst->wavefronts, *worst);
  return Found{.line = worst->line,
               .values = {{"lanes", number(std::round(10 * each) / 10)},
                          {"requests", number(static_cast<double>(worst->requests))}},
               .cost = excess ? excess->sectors : facts.measured().seconds};
}

Match global_atomics(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  std::optional<Excess> excess;
  for (const auto& line : {"red", "atom"}) {
    for (const auto* unit : {"requests", "sectors"}) {
      if (excess) continue;
      excess = excess_of(facts,
                         fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", unit, line));
    }
  }
  const auto lines = facts.lines_of_atomics(run::Space::kGlobal);
  const auto worst = costliest(lines, [](const auto& line) { return line.sectors; });
  if (!worst) return std::nullopt;
  // Each lane of an atomic is work of an L2 unit, which a load or store of a sector is not.
  constexpr double kMany = 0.03;
  const double loads = sum_of(facts.lines_of(kLoad), [](const auto& line) { return line.requests; });
  const bool slows = facts.is_slow() && static_cast<double>(worst->requests) > kMany * loads;
  if (!excess && facts.bound() != timing::Bound::kBusiestAtomicUnit && !slows) return std::nullopt;
  return Found{.line = worst->line,
               .values = {{"requests", number(static_cast<double>(worst->requests))},
                          {"needed", excess ? fmt::format("at most {} are needed",
                                                          number(std::floor(
                                                              *excess->gate->deciding_bounds().max)))
                                            : "sums of a block or a warp need far fewer"}},
               .cost = excess ? excess->sectors : facts.measured().seconds};
}

Match too_much_shared(const Facts& facts) {
  const auto excess = excess_of(facts, course::kStaticSharedBytes);
  if (!excess) return std::nullopt;
  const cases::DeclaredArray* largest = nullptr;
  const auto arrays = cases::declared_arrays(facts.report.source);
  for (const auto& array : arrays) {
    if (!array.is_shared || array.extents.empty()) continue;
    if (largest == nullptr || array.bytes() > largest->bytes()) largest = &array;
  }
  Found out{.values = {{"value", number(*excess->gate->value())},
                       {"bound", number(*excess->gate->deciding_bounds().max)},
                       {"array", "its arrays"}},
            .cost = excess->sectors};
  if (largest != nullptr) {
    out.line = largest->line;
    out.values["array"] =
        fmt::format("{}{}", largest->name, base::extents_text(largest->extents));
  }
  return out;
}

Match limited_occupancy(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  const auto& fit = facts.measured().occupancy;
  const bool is_own = fit.limited_by == timing::Limit::kRegisters ||
                      fit.limited_by == timing::Limit::kShared;
  const auto declared = std::ranges::any_of(
      cases::declared_arrays(facts.report.source),
      [](const auto& array) { return array.is_shared && !array.extents.empty(); });
  constexpr std::uint32_t kFew = 4;  // A quarter of the warps of an SM.
  const bool is_low = fit.warps_per_sm * kFew <= facts.profile().sm.limits.warps;
  const bool is_cause = fit.limited_by == timing::Limit::kRegisters || declared;
  if (!is_own || !is_low || !is_cause || facts.bound() != timing::Bound::kLatency) {
    return std::nullopt;
  }
  return Found{.values = {{"warps", base::counted(fit.warps_per_sm, "warp")},
                          {"most", number(facts.profile().sm.limits.warps)},
                          {"limit", std::string(timing::name(fit.limited_by))}},
               .cost = facts.measured().seconds / 2};
}

Match divisions(const Facts& facts) {
  const auto* gate = facts.gate_above("warpgrade__ptx_integer_divisions.sum");
  if (gate == nullptr || facts.decisive == nullptr) return std::nullopt;
  const auto lines = division_lines(*facts.decisive->program);
  return Found{.line = lines.empty() ? 0 : *lines.begin(),
               .values = {{"busy", fmt::format("warps execute {} integer divisions",
                                               number(*gate->value()))}},
               .cost = *gate->value()};
}

std::uint32_t busiest_line(const Facts& facts) {
  std::uint32_t out = 0;
  std::uint64_t most = 0;
  for (const auto& line : facts.measured().instruction_lines) {
    if (line.file != facts.report.file || line.warps <= most) continue;
    most = line.warps;
    out = line.line;
  }
  return out;
}

Match busy_pipe(const Facts& facts) {
  using timing::Bound;
  if (auto found = divisions(facts)) return found;
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  const auto bound = facts.bound();
  const bool is_pipe = bound == Bound::kAluPipe || bound == Bound::kFmaHeavyPipe ||
                       bound == Bound::kFp64Pipe || bound == Bound::kXuPipe;
  if (!is_pipe) return std::nullopt;
  return Found{.line = busiest_line(facts),
               .values = {{"busy", fmt::format("{} is the limit of the time",
                                               report::bound_in_words(bound))}},
               .cost = facts.measured().seconds};
}

Match issue_bound(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto excess = excess_of(facts, "warpgrade__ptx_warp_instructions.sum");
  const bool is_bound = facts.is_slow() && facts.bound() == timing::Bound::kIssue;
  if (!excess && !is_bound) return std::nullopt;
  Found out{.line = busiest_line(facts), .cost = facts.measured().seconds};
  out.values["instructions"] =
      excess ? fmt::format("{} instructions, and at most {} are needed",
                           number(*excess->gate->value()),
                           number(std::floor(*excess->gate->deciding_bounds().max)))
             : "more instructions than the schedulers can issue in the time of the memory accesses";
  return out;
}

Match camping(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const bool is_bound = facts.is_slow() && facts.bound() == timing::Bound::kBusiestPartition;
  const bool is_gated = std::ranges::any_of(facts.gates, [](const auto* gate) {
    return gate->definition.metric.find("partition") != std::string::npos;
  });
  if (!is_bound && !is_gated) return std::nullopt;
  return Found{.cost = facts.measured().seconds};
}

Match imbalance(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  const auto* skew = std::get_if<timing::Imbalance>(&facts.measured().skew);
  if (skew == nullptr) return std::nullopt;
  const auto few = facts.share_of(skew->longest_seconds);
  return Found{.line = busiest_line(facts),
               .values = {{"longest", number(std::round(skew->longest))},
                          {"mean", number(std::round(skew->mean))},
                          {"share", number(std::round(100 * few))}},
               .cost = facts.measured().seconds};
}

Match waits_of_blocks(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  constexpr double kMuch = 0.25;
  const double share = facts.share_of(facts.measured().parts.other_blocks);
  if (share < kMuch) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

Match launches(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  constexpr double kMuch = 0.4;
  const double share = facts.share_of(facts.measured().parts.launch);
  const auto count = facts.measured().launch_seconds.size();
  if (share < kMuch || count < 2) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))},
                          {"launches", base::counted(count, "launch")}},
               .cost = share * facts.measured().seconds};
}

// Threads that have work are far fewer than the card holds.
Match few_blocks(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  const auto& measured = facts.measured();
  double waits = 0;
  for (const double one : measured.parts.waiting) waits += facts.share_of(one);
  constexpr double kMost = 0.5;
  if (waits + facts.share_of(measured.parts.tail) < kMost) return std::nullopt;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < measured.launch_seconds.size(); ++i) {
    if (measured.launch_seconds[i] > measured.launch_seconds[longest]) longest = i;
  }
  const auto& sequence = facts.decisive->timed->launches.sequence;
  if (longest >= sequence.launches.size()) return std::nullopt;
  const auto blocks = base::volume(sequence.launches[longest].grid);
  const std::uint64_t multiprocessors = facts.profile().sm.count;
  const bool is_alone = blocks * 2 < multiprocessors;
  if (!is_alone) return std::nullopt;
  return Found{.line = busiest_line(facts),
               .values = {{"blocks", base::counted(blocks, "block")},
                          {"multiprocessors", number(static_cast<double>(multiprocessors))}},
               .cost = facts.measured().seconds};
}

Match tail(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  constexpr double kMuch = 0.3;
  const double share = facts.share_of(facts.measured().parts.tail);
  if (share < kMuch) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

Match barriers(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  constexpr double kMuch = 0.15;
  const double share = facts.waiting(timing::WarpState::kBarrier);
  if (share < kMuch) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

// Local memory: an array with an index that is known at run time only, or registers that spill.
std::optional<LineCounters> local_line(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  double all = 0;
  double local = 0;
  std::vector<LineCounters> lines;
  for (const auto& line : facts.measured().lines) {
    all += static_cast<double>(line.sectors);
    if (line.operation.space != run::Space::kLocal) continue;
    local += static_cast<double>(line.sectors);
    if (line.file == facts.report.file || line.line == 0) lines.push_back(line);
  }
  constexpr double kMuch = 0.1;
  if (local < kMuch * all) return std::nullopt;
  return costliest(lines, [](const auto& line) { return line.sectors; });
}

Match local_memory(const Facts& facts, bool spills) {
  const auto line = local_line(facts);
  if (!line) return std::nullopt;
  bool has_array = false;
  for (const auto& array : cases::declared_arrays(facts.report.source)) {
    has_array = has_array || !array.is_shared;
  }
  if (has_array == spills) return std::nullopt;
  return Found{.line = line->line,
               .values = {{"sectors", number(static_cast<double>(line->sectors))}},
               .cost = facts.measured().seconds};
}

Match spills(const Facts& facts) { return local_memory(facts, true); }
Match local_array(const Facts& facts) { return local_memory(facts, false); }

// Each lane loads one byte or a part of a word, although neighbours could be loaded together.
Match narrow(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  const auto lines = facts.lines_of(kLoad);
  const auto worst = costliest(lines, [](const auto& line) { return line.requests; });
  constexpr double kWordOfAllLanes = 128;
  if (!worst || per_request(worst->bytes, *worst) * 2 > kWordOfAllLanes) return std::nullopt;
  const bool is_full = used_per_sector(*worst) * 2 > kSectorBytes;
  if (!is_full) return std::nullopt;
  return Found{.line = worst->line,
               .values = {{"bytes", number(per_request(worst->bytes, *worst))}},
               .cost = facts.measured().seconds};
}

Match few_loads(const Facts& facts) {
  if (facts.decisive == nullptr || !facts.is_slow()) return std::nullopt;
  const auto worst =
      costliest(facts.lines_of(kLoad), [](const auto& line) { return line.sectors; });
  if (facts.bound() != timing::Bound::kLatency || !worst) return std::nullopt;
  const auto& fit = facts.measured().occupancy;
  const double share = facts.waiting(timing::WarpState::kLongScoreboard);
  return Found{.line = worst->line,
               .values = {{"share", number(std::round(100 * share))},
                          {"warps", base::counted(fit.warps_per_sm, "warp")}},
               .cost = facts.measured().seconds / 4};
}

// The data goes through DRAM more often than it has to.
Match extra_pass(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto excess = excess_of(facts, "dram__bytes_read.sum");
  const double moved = static_cast<double>(facts.measured().bytes);
  const auto needed = static_cast<double>(facts.decisive->timed->work.bytes);
  constexpr double kHalfMore = 1.4;
  const bool is_more = facts.is_slow() && facts.measured().launch_seconds.size() > 1 &&
                       needed > 0 && moved > kHalfMore * needed;
  if (!excess && !is_more) return std::nullopt;
  return Found{.values = {{"value", text::with_prefix(excess ? *excess->gate->value() : moved, "B")},
                          {"bound", text::with_prefix(
                                        excess ? *excess->gate->deciding_bounds().max : needed, "B")}},
               .cost = excess ? excess->sectors / kSectorBytes : facts.measured().seconds / 3};
}

// The first failing gate, without a better cause: its meaning and its numbers.
Match any_gate(const Facts& facts) {
  if (facts.gates.empty()) return std::nullopt;
  const auto& gate = *facts.gates.front();
  const auto value = gate.value();
  Found out;
  std::uint64_t most = 0;
  if (facts.decisive != nullptr) {
    const auto counted = memory::operation_of(gate.definition.metric);
    for (const auto& line : facts.measured().lines) {
      const bool counts = !counted || line.operation == *counted;
      if (!counts || line.file != facts.report.file || line.sectors + line.wavefronts < most) continue;
      most = line.sectors + line.wavefronts;
      out.line = line.line;
    }
  }
  out.values = {{"meaning", gate.definition.meaning.substr(0, gate.definition.meaning.find(". "))},
                {"value", value ? number(*value) : "the kernel has no such access"},
                {"bound", report::render_bound(gate.deciding_bounds())},
                {"device", gate.definition.device}};
  if (out.values["meaning"].ends_with('.')) out.values["meaning"].pop_back();
  if (facts.is_slow() && facts.decisive != nullptr && facts.bound() != timing::Bound::kNone) {
    out.values["bound"] += fmt::format("; the limit of the time is {}",
                                       report::bound_in_words(facts.bound()));
  }
  return out;
}

// ---- The table.

struct Row {
  CauseId id;
  Match (*match)(const Facts& facts);
  std::string_view why;   // {name}: a value of the match; {line} and {other}: its lines.
  std::string_view next;  // Empty: the advice for the kind of failure.
};

// The first row that applies is the cause; special rows come before general ones.
constexpr Row kFaults[] = {
    {CauseId::kCompileError, compile_error, "The file does not compile as the exercise needs it.", ""},
    {CauseId::kDivergentBarrier, skipped_barrier,
     "The barrier in line {line} is not reached by all threads that must meet there.", ""},
    {CauseId::kWeakWait, weak_wait,
     "The wait for {array} at line {line} does not order what follows it: a plain flag, a missing "
     "fence, too narrow a scope, or a wait for the wrong copies.",
     "Set and read the flag by atomics (or cuda::atomic_ref), and put a __threadfence() between the "
     "data and the flag on both sides. For copies, wait for the group that contains them."},
    {CauseId::kMissingAtomic, lost_update,
     "Line {line} changes {array} without an atomic, and several threads change the same element: "
     "updates are lost.",
     "Let an atomic read and write in one step, such as atomicAdd(). A barrier does not help: threads "
     "of one iteration change the same element."},
    {CauseId::kMissingSyncwarp, missing_syncwarp,
     "A {barrier} is missing {between}: lanes of one warp exchange {place} there.", ""},
    {CauseId::kMissingBarrier, missing_barrier,
     "A {barrier} is missing {between}: one thread {does} {place} while another still uses it.", ""},
    {CauseId::kMissingGridSync, missing_grid_sync,
     "Line {line}: blocks exchange {place} within one launch, and nothing orders them.",
     "A __syncthreads() orders only threads of one block. Do the first part in a launch of its own, "
     "or before the launch, or use a barrier of the grid."},
    {CauseId::kRace, other_race,
     "Line {line}: two threads access {place} in no defined order, and at least one of them writes.",
     ""},
    {CauseId::kWrongGuard, wrong_guard_at_fault,
     "The guard of line {line} compares a column with the number of rows, or a row with the number "
     "of columns.",
     "Write down rows and columns of each array, and compare each index with its own limit."},
    {CauseId::kWrongStride, wrong_length_outside,
     "The index in line {line} uses a row length that {array} does not have: it {access}.",
     "Write down how many elements a row of {array} has. That number belongs in the index."},
    {CauseId::kIndexOverflow, overflow,
     "The index in line {line} does not fit in 32 bits: only the largest sizes fail.",
     "Compute the product in 64 bits, with size_t or long long."},
    {CauseId::kFloatIndex, float_index,
     "Line {line} computes an index in float, which is exact only up to 2^24.",
     "Compute indices in unsigned or size_t."},
    {CauseId::kMissingGuard, missing_guard,
     "Line {line} needs a guard: a thread {access}.", ""},
    {CauseId::kOutOfBounds, out_of_bounds, "The index in line {line} is wrong: a thread {access}.",
     ""},
    {CauseId::kMisaligned, misaligned,
     "Line {line} accesses several elements at once at an address that is not a multiple of their "
     "size.",
     ""},
    {CauseId::kUninitialised, uninitialised,
     "Line {line} reads {place}, which nothing has written.", ""},
    {CauseId::kWritesInput, writes_input, "Line {line} writes {place}, which is an input.", ""},
    {CauseId::kInfiniteLoop, infinite_loop, "The loop in line {line} does not end.", ""},
};

constexpr Row kWrongResults[] = {
    {CauseId::kRace, order_matters,
     "The result depends on the order of warps and blocks: {difference}", ""},
    {CauseId::kFloatIndex, float_index,
     "Line {line} computes an index in float, which is exact only up to 2^24: {difference}",
     "Compute indices in unsigned or size_t."},
    {CauseId::kIndexOverflow, overflow,
     "An index or a count does not fit in its type: only the largest sizes are wrong.",
     "Compute products of sizes in 64 bits, with size_t or long long."},
    {CauseId::kWrongStride, wrong_length,
     "An index uses the wrong row length: {difference}", ""},
    {CauseId::kWrongGuard, wrong_guard_of_result,
     "A guard compares a column with the number of rows, or a row with the number of columns: "
     "{difference}",
     "Write down rows and columns of each array, and compare each index with its own limit."},
    {CauseId::kSwappedIndices, exchanged,
     "Row and column, or the indices of the block, are not exchanged as they must be: {difference}",
     ""},
    {CauseId::kWrongRounding, fewer_digits,
     "Digits are missing: a type or a constant has too few, or additions round differently: "
     "{difference}",
     ""},
    {CauseId::kWrongGuard, last_left_out,
     "The last row or column is never written: a guard ends too early. {difference}",
     "Look at each comparison with a size: which index does it leave out, and is that index valid?"},
    {CauseId::kMissingEdge, rest_unwritten,
     "The rest of a division is never written: only sizes with a partial tile, row or group fail. "
     "{difference}",
     "Find the condition, return or loop bound that skips a partial tile, and let its valid part be "
     "done."},
    {CauseId::kWrongIndex, stored_elsewhere,
     "Some elements are written twice and others never: {difference}", ""},
    {CauseId::kUnwritten, never_written,
     "{count} of {of} elements are never written: {difference}", ""},
    {CauseId::kMissingEdge, rest_unread,
     "No thread loads {count} of the {of} of {array}: the rest of a division is left out. "
     "{difference}",
     "Which elements are left if the size is not a multiple of a group, tile or round? Handle them "
     "in the same loop with a guard, or after it."},
    {CauseId::kMissingEdge, rest_wrong,
     "Only sizes with a rest are wrong, a partial tile, row or group: {difference}",
     "Compute by hand what happens to the rest: sizes without one are right."},
    {CauseId::kWrongIndex, fixed_number,
     "Only cases with {variable} are right: the file has a fixed number where the variable belongs. "
     "{difference}",
     "Look for a number in the file that should follow from a parameter, blockDim or gridDim."},
    {CauseId::kWrongIndex, misplaced, "An index is wrong: {difference}", ""},
    {CauseId::kWrongGuard, part_unread,
     "No thread loads {count} of the {of} of {array}: a condition or loop bound leaves them out. "
     "{difference}",
     "Compare the bounds of each loop with the number of elements: which ones are left out?"},
    {CauseId::kWrongRounding, nearly_right,
     "Digits are missing: a type or a constant has too few, or additions round differently: "
     "{difference}",
     ""},
    {CauseId::kWrongStart, started_at_zero,
     "A maximum starts at 0, but all values can be negative: {difference}",
     "Start with the first value, or with the smallest number of the type."},
    {CauseId::kWrongOperation, any_wrong, "The computation is wrong: {difference}", ""},
};

// All rows that apply are causes; what costs most is the first.
constexpr Row kWaste[] = {
    {CauseId::kFewBlocks, few_blocks,
     "The longest launch has {blocks} for {multiprocessors} multiprocessors, so most of the card is "
     "idle. Line {line} executes most of the instructions.",
     "Divide this work among more threads and blocks."},
    {CauseId::kImbalance, imbalance,
     "The work is uneven: the longest warp executes {longest} instructions, the mean warp {mean}, and "
     "the longest warp alone runs for {share} % of the time.",
     "Divide the longest work among more warps, or give each warp the same number of elements."},
    {CauseId::kPartitionCamping, camping,
     "Blocks that run together use the same memory partition: the busiest one is the limit of the "
     "time.",
     "Write down, for blocks that run together, the address of each block's tile divided by 256, "
     "modulo the number of partitions: all should come up, on the side that is read and on the side "
     "that is written."},
    {CauseId::kWaitsOfBlocks, waits_of_blocks,
     "Blocks wait for each other for {share} % of the time.",
     "Shorten the chain: let a block publish its own part before it needs another block's."},
    {CauseId::kLaunches, launches, "{launches} cost {share} % of the time.",
     "Do the work in fewer launches."},
    {CauseId::kTail, tail, "{share} % of the time is lost at the end, when no block is left to start.",
     "Choose a number of blocks that fills all multiprocessors in whole waves, or smaller blocks."},
    {CauseId::kAtomicContention, atomic_contention,
     "Line {line}: {lanes} lanes of a warp add to the same word on average, and are served one after "
     "another.",
     "Spread the additions over copies of the word for different lanes, or add up equal values first."},
    {CauseId::kGlobalAtomics, global_atomics,
     "Line {line} makes {requests} requests of atomics on global memory; {needed}.",
     "Add up in shared memory or in registers, and make one atomic per block or warp."},
    {CauseId::kSpills, spills,
     "Registers are spilled to local memory: {sectors} sectors.",
     "Keep fewer values per thread, or allow more registers (__launch_bounds__)."},
    {CauseId::kLocalMemory, local_array,
     "Line {line} keeps an array in local memory, which moves {sectors} sectors: its index is not "
     "known when the kernel is compiled.",
     "Unroll the loops over the array completely, so that it becomes registers."},
    {CauseId::kBankConflicts, bank_conflicts,
     "Line {line} has bank conflicts: a {operation} of a warp costs {wavefronts} wavefronts, and "
     "without conflicts {least}.",
     "Write down the bank (word modulo 32) of each word that one warp accesses in line {line}. No two "
     "different words may share a bank: pad the rows, or change which lane uses which word."},
    {CauseId::kUncoalescedLoad, loads_apart,
     "Line {line} uses {used} of the 32 bytes in each sector that it loads; {needed}.",
     "Lanes are far apart. Let neighbouring lanes load neighbouring words: write down which elements "
     "lanes 0 and 1 load in line {line}."},
    {CauseId::kUncoalescedStore, stores_apart,
     "Line {line} uses {used} of the 32 bytes in each sector that it stores; {needed}.",
     "Lanes are far apart. Let neighbouring lanes store neighbouring words: write down which elements "
     "lanes 0 and 1 store in line {line}."},
    {CauseId::kMisalignedRows, loads_shifted,
     "Line {line} uses {used} of the 32 bytes in each sector that it loads; {needed}. Each request "
     "begins within a sector.",
     "Let the first lane of a warp begin at a multiple of 32 bytes."},
    {CauseId::kMisalignedRows, stores_shifted,
     "Line {line} uses {used} of the 32 bytes in each sector that it stores; {needed}. Each request "
     "begins within a sector.",
     "Let the first lane of a warp begin at a multiple of 32 bytes."},
    {CauseId::kPartialSectors, loads_in_part,
     "Line {line} uses {used} of the 32 bytes in each sector that it loads; {needed}.",
     "Few lanes share a sector. Let all neighbouring lanes load neighbouring words in line {line}, or "
     "load several words at once."},
    {CauseId::kPartialSectors, stores_in_part,
     "Line {line} uses {used} of the 32 bytes in each sector that it stores; {needed}.",
     "Few lanes share a sector. Let all neighbouring lanes store neighbouring words in line {line}, "
     "or store several words at once."},
    {CauseId::kNoTile, no_tile,
     "Line {line} loads {sectors} sectors, since each thread loads what its neighbours load, too. All "
     "loads move {value} {unit}; at most {bound} are needed.",
     "Let the block load each element once, keep it in shared memory or L1, and let all its threads "
     "use it there."},
    {CauseId::kRedundantLoads, redundant_loads,
     "Elements are loaded more than once: all loads make {value} {unit}, and at most {bound} are "
     "needed. Line {line} makes most of them.",
     "Load each element once, and keep it in a register or in shared memory."},
    {CauseId::kRedundantLoads, redundant_shared_loads,
     "Words of shared memory are loaded more often than needed: all loads cost {value} {unit}, and at "
     "most {bound} are needed. Line {line} makes most of them.",
     "Load a word from shared memory into a register once, and use it for several results."},
    {CauseId::kRedundantStores, redundant_stores,
     "Elements are stored more than once: all stores move {value} {unit}, and at most {bound} are "
     "needed. Line {line} makes most of them.",
     "Keep the value in a register until it is final, and store it once."},
    {CauseId::kExtraPass, extra_pass,
     "The data goes through DRAM more than once: {value} are moved, and {bound} are needed.",
     "Do in one pass what needs the same data, or process it while it is still in L2."},
    {CauseId::kLowOccupancy, too_much_shared,
     "A block uses {value} bytes of shared memory, most of them for {array}; at most {bound} are "
     "allowed, so that more blocks fit.",
     "Make the array as small as it can be."},
    {CauseId::kBusyPipe, busy_pipe, "Arithmetic is too expensive: {busy}.",
     "Replace expensive operations: divisions by multiplications or shifts, double by float, and move "
     "what does not change out of the loop."},
    {CauseId::kIssueBound, issue_bound, "Warps execute {instructions}; most of them in line {line}.",
     "Do less per element: add up in a register first, unroll the loop, or load several words at "
     "once."},
    {CauseId::kBarriers, barriers, "Warps wait at barriers for {share} % of the time.",
     "Use fewer barriers: move them out of the loop, or do more work between two of them."},
    {CauseId::kNarrowAccesses, narrow,
     "Line {line} loads {bytes} bytes per request of a warp: too few are in flight.",
     "Let each lane load more at once, 16 bytes if the address allows it (uint4, float4)."},
    {CauseId::kLowOccupancy, limited_occupancy,
     "Only {warps} of {most} fit on a multiprocessor; the limit is {limit}.",
     "Use less of what limits the number of blocks, or let each thread start more loads."},
    {CauseId::kFewLoadsInFlight, few_loads,
     "Warps wait for memory: each thread has too few loads in flight in line {line}, with {warps} on "
     "a multiprocessor.",
     "Start several independent loads before the first one is used: unroll the loop, and load into "
     "registers first."},
};

constexpr Row kUnknown = {
    CauseId::kOther, any_gate, "{meaning}: {value}, needed {bound} on {device}.", ""};

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
    } else if (value != found.values.end()) {
      out += value->second;
    }
    text.remove_prefix(close + 1);
  }
  // A place without a line: "Line 0 ..." says nothing.
  return out;
}

report::Cause cause_of(const Row& row, const Found& found) {
  return {row.id, found.line, found.other_line, filled(row.why, found), filled(row.next, found)};
}

void add_first(std::span<const Row> rows, const Facts& facts, std::vector<report::Cause>& out) {
  for (const auto& row : rows) {
    if (const auto found = row.match(facts)) {
      out.push_back(cause_of(row, *found));
      return;
    }
  }
}

void add_waste(const Facts& facts, std::vector<report::Cause>& out) {
  std::vector<std::pair<double, report::Cause>> all;
  for (const auto& row : kWaste) {
    if (const auto found = row.match(facts)) all.emplace_back(found->cost, cause_of(row, *found));
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [cost, cause] : all) out.push_back(std::move(cause));
  if (const auto found = kUnknown.match(facts)) out.push_back(cause_of(kUnknown, *found));
}

}  // namespace

std::vector<report::Cause> ranked_causes(const std::vector<PlannedCase>& cases,
                                         const report::ExerciseReport& report) {
  if (report.verdict != report::Verdict::kFail) return {};
  const Facts facts(cases, report);
  std::vector<report::Cause> out;
  if (facts.fault != nullptr) add_first(kFaults, facts, out);
  if (facts.wrong != nullptr) add_first(kWrongResults, facts, out);
  if (!facts.gates.empty()) add_waste(facts, out);
  return out;
}

}  // namespace warpgrade::grader::grade

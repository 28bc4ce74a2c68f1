// SPDX-License-Identifier: Apache-2.0
// The causes of findings and of wrong results: which facts each of them needs.
// In: the facts of a failure. Out: a match with its line and the values for the text of the table.
// Findings and differences come from the simulator; the source only chooses between causes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/base/text.h"
#include "common/memory/metrics.h"
#include "common/verify/compare.h"
#include "grader/grade/explain/cause_facts.h"
#include "grader/grade/explain/kernel_text.h"

namespace warpgrade::grader::grade {
namespace {

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
  } else {
    out.values["access"] = "accesses memory outside of every array";
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

// "sums[t] += x", "++bins[v]", "bins[v]++": the statement changes an element that it reads, and
// does not read another one of the same array.
bool is_update(std::string_view statement) {
  const auto body = KernelText::without_heads(statement);
  static constexpr std::array<std::string_view, 7> kUpdates = {
      " += ", " -= ", " |= ", " &= ", " ^= ", " *= ", " /= "};
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

}  // namespace

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

namespace {

// A loop without a body that reads memory until another thread changes it.
bool is_poll(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  const bool is_loop =
      statement.starts_with("while (") || statement.find(" while (") != std::string::npos;
  return is_loop &&
         (statement.ends_with(") ;") || statement.ends_with(") { }") || statement.ends_with(") {"));
}

}  // namespace

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
                     (is_poll(facts, line) || (race != nullptr && race->other_line &&
                                               is_poll(facts, race->other_line->line)));
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

namespace {

// Two stores to an output that is no input: a barrier between them would leave both.
bool stores_twice(const Facts& facts) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  if (barrier == nullptr || !barrier->both_write) return false;
  const auto& place = race_of(facts)->place;
  return place.memory == base::Place::Memory::kBuffer && !facts.is_accumulated(place.array);
}

Match barrier_of(const Facts& facts, bool for_warp) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  if (barrier == nullptr || barrier->for_warp != for_warp || stores_twice(facts)) {
    return std::nullopt;
  }
  if (barrier->both_write && barrier->one_line && !barrier->is_repeated) return std::nullopt;
  auto out = at_fault(facts);
  out.values["barrier"] = barrier->for_cluster ? "cluster.sync()"
                          : for_warp           ? "__syncwarp()"
                                               : "__syncthreads()";
  out.values["between"] = base::text(barrier->between);
  return out;
}

// A race between warps beside one within a warp: a barrier of the warp does not suffice.
const base::Diagnostic* race_between_warps(const Facts& facts) {
  for (const auto& one : facts.report.diagnostics) {
    const auto* race = std::get_if<base::Race>(&one.facts);
    const auto* barrier =
        race == nullptr ? nullptr : std::get_if<base::BarrierAdvice>(&race->advice);
    if (barrier != nullptr && !barrier->for_warp) return &one;
  }
  return nullptr;
}

}  // namespace

Match missing_syncwarp(const Facts& facts) {
  auto out = barrier_of(facts, true);
  return out && race_between_warps(facts) == nullptr ? out : std::nullopt;
}

Match missing_barrier(const Facts& facts) {
  const auto* copy =
      facts.fault == nullptr ? nullptr : std::get_if<base::CopyRace>(&facts.fault->facts);
  if (copy == nullptr) {
    if (auto out = barrier_of(facts, false)) return out;
    const auto* wider = race_between_warps(facts);
    auto out = wider == nullptr ? std::nullopt : barrier_of(facts, true);
    if (!out) return std::nullopt;
    const auto& race = std::get<base::Race>(wider->facts);
    out->line = wider->where.line;
    out->other_line = race.other_line ? race.other_line->line : 0;
    out->values["barrier"] = "__syncthreads()";
    out->values["between"] = base::text(std::get<base::BarrierAdvice>(race.advice).between);
    out->values["does"] = base::verb(race.does);
    out->values["place"] = base::text(race.place);
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

Match stored_twice(const Facts& facts) {
  return stores_twice(facts) ? Match(at_fault(facts)) : std::nullopt;
}

Match other_race(const Facts& facts) {
  const bool is_race = is_kind(facts, base::DiagnosticKind::kRace);
  return is_race ? Match(at_fault(facts)) : std::nullopt;
}

Match wrong_length_outside(const Facts& facts) {
  const auto* outside = outside_of(facts);
  if (outside == nullptr || facts.fault_case == nullptr) return std::nullopt;
  const auto fault =
      index_fault(facts, *facts.fault_case->sized, outside->place.array, facts.fault->where.line);
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

namespace {

constexpr std::uint64_t kIndexBytes = std::uint64_t{1} << 31;
constexpr std::uint64_t kExactFloats = std::uint64_t{1} << 24;  // Above it a float skips numbers.

}  // namespace

Match overflow(const Facts& facts) {
  const auto is_large = [](const auto& buffer) { return bytes_of(buffer) >= kIndexBytes; };
  if (const auto* outside = outside_of(facts)) {
    const bool is_negative =
        outside->place.index() < 0 || base::is_wrapped_index(outside->place.index());
    return is_negative && facts.fails_only_if(is_large) ? Match(at_fault(facts)) : std::nullopt;
  }
  // An address outside of every array.
  if (is_kind(facts, base::DiagnosticKind::kOutOfBounds)) {
    return facts.fails_only_if(is_large) ? Match(at_fault(facts)) : std::nullopt;
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
  const bool is_beside =
      (subscript.find(" + ") != std::string::npos || subscript.find(" - ") != std::string::npos) &&
      subscript.find('*') == std::string::npos && subscript.find('(') == std::string::npos;
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
  const bool is_never_guarded =
      facts.fault_has_a_rest() && std::ranges::none_of(text.tests(), is_of_size);
  // in[order[i]]: a guard cannot help.
  const bool is_gathered = subscript.find('[') != std::string::npos;
  const bool is_missing =
      is_beside || has_equal || is_number_of_thread || is_guarded_elsewhere || is_never_guarded;
  return is_missing && !is_gathered ? Match(out) : std::nullopt;
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
  if (facts.report.reason != report::Reason::kCompile || facts.fault == nullptr)
    return std::nullopt;
  return at_fault(facts);
}

namespace {

// ---- Facts about a wrong result.

std::uint32_t only_store(const Facts& facts) {
  return facts.report.result_lines.size() == 1 ? facts.report.result_lines.front() : 0;
}

// A sample does not know how many elements of the whole output are written.
std::string unwritten_text(const verify::Deviation& deviation) {
  if (deviation.unwritten == 0) return "Elements";
  return fmt::format("{} of {} elements", base::grouped(deviation.unwritten),
                     base::grouped(deviation.elements));
}

Found at_result(const Facts& facts) {
  return Found{.line = only_store(facts),
               .values = {{"difference", facts.wrong->text},
                          {"unwritten", unwritten_text(facts.wrong->deviation)}}};
}

Match if_wrong(const Facts& facts, bool applies) {
  return applies && facts.wrong != nullptr ? Match(at_result(facts)) : std::nullopt;
}

bool has_cause(const Facts& facts, std::initializer_list<verify::CauseKind> kinds) {
  return facts.wrong != nullptr && std::ranges::find(kinds, facts.wrong->kind) != kinds.end();
}

}  // namespace

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

namespace {

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
  const bool columns =
      box.columns > 1 && box.first_column == box.last_column && box.last_column + 1 == box.columns;
  return rows || columns;
}

}  // namespace

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

namespace {

// Whether the wrong elements are the rest of a division of all rows or columns, or end there.
bool is_rest_of_tiles(const verify::WrongBox& box) {
  static constexpr std::array<std::uint64_t, 5> kTiles = {8, 16, 32, 64, 128};
  const bool is_all = box.first_row == 0 && box.first_column == 0;
  const auto is_rest = [&](std::uint64_t first, std::uint64_t all, std::uint64_t tile) {
    return (first != 0 || is_all) && all - first == all % tile;
  };
  return box.rows == 0 || is_last_only(box) || std::ranges::any_of(kTiles, [&](std::uint64_t tile) {
           return is_rest(box.first_row, box.rows, tile) ||
                  is_rest(box.first_column, box.columns, tile);
         });
}

}  // namespace

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

namespace {

// The input of which a part is never loaded, although indices do not choose its elements.
std::optional<std::pair<const cases::SizedBuffer*, std::uint64_t>> unread_input(
    const Facts& facts) {
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

}  // namespace

Match rest_unread(const Facts& facts) { return unread(facts, true); }
Match part_unread(const Facts& facts) { return unread(facts, false); }

Match rest_wrong(const Facts& facts) { return if_wrong(facts, facts.fails_with_a_rest_only()); }

// A number in the file is fixed where it should follow a variable: the right cases all have one
// value of the variable, and no wrong one has it.
Match fixed_number(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto found = facts.variable_with_one_right_value();
  if (!found || !facts.source.has_word(number(found->second))) return std::nullopt;
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

}  // namespace warpgrade::grader::grade

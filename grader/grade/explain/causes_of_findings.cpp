// SPDX-License-Identifier: Apache-2.0
// The causes of findings: which facts each of them needs.
// In: the facts of a failure. Out: a match with its line and the values for the text of the table.
// Findings come from the simulator; the source only chooses between causes, and between lines.
// It is longer than 800 lines, since each row of findings has its function here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
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
#include "grader/cases/student_terms.h"
#include "grader/grade/explain/cause_facts.h"
#include "grader/grade/explain/index_facts.h"
#include "grader/grade/explain/kernel_flow.h"
#include "grader/grade/explain/kernel_text.h"

namespace warpgrade::grader::grade {
namespace {

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

// The line of the finding, or, if the compiler has moved the access, the first one of its function
// that accesses the array.
std::uint32_t access_line(const Facts& facts, std::string_view array) {
  const auto line = facts.fault->where.line;
  if (line == 0 || array.empty()) return line;
  const auto function = facts.flow.function_at(line);
  const auto& words = facts.source.words();
  std::uint32_t found = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool is_here = words[i].line >= line && words[i].line <= function.last;
    if (!is_here || !is_identifier(words[i].text)) continue;
    const bool is_it = facts.flow.array_behind(words[i].text, words[i].line) == array;
    if (words[i].line == line && is_it) return line;
    if (is_it && found == 0 && words[i + 1].text == "[") found = words[i].line;
  }
  // Through a function or a structure: unknown.
  return found == 0 ? line : found;
}

Found at_fault(const Facts& facts) {
  Found out{.line = facts.fault->where.line};
  if (const auto* race = race_of(facts)) {
    out.other_line = race->other_line ? race->other_line->line : 0;
    out.values["array"] = place_text(race->place);
    out.values["place"] = base::text(race->place);
  }
  if (const auto* outside = outside_of(facts)) {
    out.line = access_line(facts, outside->place.array);
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

// At the mistake that a repair of the finding has shown.
Match at_repair(const Facts& facts, bool applies, course::CauseId id) {
  auto out = applies ? facts.moved_to_repair(at_fault(facts), id) : std::nullopt;
  if (out) out->values["other"] = fmt::format("{}", out->other_line);
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

// A barrier that a trial has shown to be enough: between changes of one element by several threads,
// or before a value of shared memory becomes an index.
Match barrier_by_trial(const Facts& facts) {
  const bool is_update = advice_of<base::UpdateAdvice>(facts) != nullptr;
  const bool can_be = is_update || is_kind(facts, base::DiagnosticKind::kOutOfBounds);
  if (!can_be || !facts.trials.barrier_before) return std::nullopt;
  auto out = at_fault(facts);
  out.other_line = std::exchange(out.line, *facts.trials.barrier_before);
  out.values["finding"] =
      is_update ? fmt::format("two threads change {} in no defined order", out.values["place"])
                : "without it, a thread " + out.values["access"];
  return out;
}

Match lost_update(const Facts& facts) {
  if (facts.trials.barrier_before) return std::nullopt;
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

// The loop that waits for the array of the race, or in whose lines the finding is. A finding
// without a loop of its own belongs to the only one: the compiler has moved its load out of it.
const KernelFlow::Branch* poll_of(const Facts& facts) {
  const auto* race = race_of(facts);
  const auto line = facts.fault->where.line;
  const auto other = race != nullptr && race->other_line ? race->other_line->line : 0;
  const auto array = race == nullptr ? std::string() : race->place.array;
  const auto polls = facts.flow.polls();
  for (const auto* poll : polls) {
    const bool reads = !array.empty() && KernelText::count_of(array, poll->head) != 0;
    if (reads || poll->line == line || (other != 0 && poll->line == other)) return poll;
  }
  if (race != nullptr || polls.size() != 1) return nullptr;
  const bool is_in_a_loop = !facts.flow.loops_around(line).empty();
  return is_in_a_loop ? nullptr : polls.front();
}

// The variable that a condition reads: "flag" for `* flag == 0`.
std::string first_name(std::string_view head) {
  for (const auto word : words_of(head)) {
    if (is_identifier(word) && !word.starts_with("atomic") && word != "volatile") {
      return std::string(word);
    }
  }
  return "the flag";
}

// The last wait for copies before `line`: a word with "wait" in the same function; 0 without one.
std::uint32_t wait_before(const Facts& facts, std::uint32_t line) {
  const auto function = facts.flow.function_at(line);
  std::uint32_t out = 0;
  for (const auto& word : facts.source.words()) {
    const bool is_here = word.line >= function.first && word.line < line;
    if (is_here && is_identifier(word.text) && word.text.find("wait") != std::string::npos) {
      out = word.line;
    }
  }
  return out;
}

// Why the wait does not cover the copy.
std::string reason_of(const base::CopyRace& copy) {
  if (copy.advice == base::CopyRace::Advice::kCommit) return "no group contains them";
  return copy.left == 1
             ? "they are in the newest group, which it leaves pending"
             : fmt::format("they are in the {} newest groups, which it leaves pending", copy.left);
}

}  // namespace

// A thread uses what its own copy may still write or read.
Match uncovered_copy(const Facts& facts) {
  using Advice = base::CopyRace::Advice;
  const auto* copy =
      facts.fault == nullptr ? nullptr : std::get_if<base::CopyRace>(&facts.fault->facts);
  if (copy == nullptr || copy->advice == Advice::kWaitAndMeet) return std::nullopt;
  auto out = at_fault(facts);
  const auto start = base::text(copy->start);
  if (copy->advice == Advice::kWait) {
    const auto wait = wait_before(facts, out.line);
    out.values["problem"] = fmt::format("Line {} uses {} before a wait for the copies of {}",
                                        out.line, out.values["array"], start);
    out.values["step"] =
        "Which wait comes between the two? It has to come after the copies, and before the use.";
    if (wait != 0) out.other_line = std::exchange(out.line, wait);
    return out;
  }
  out.other_line = std::exchange(out.line, copy->wait.line);
  // The number of groups is an argument of the function that waits.
  if (const auto call = facts.call_line(copy->wait.line); call != 0) {
    out.other_line = std::exchange(out.line, call);
  }
  out.values["problem"] =
      fmt::format("The wait in line {} does not cover the copies of {} to {}: {}", out.line, start,
                  out.values["array"], reason_of(*copy));
  out.values["step"] = copy->advice == Advice::kCommit
                           ? "A wait counts groups. Which call closes a group, and where does it "
                             "belong?"
                           : "Write down the groups that are closed before this wait, the newest "
                             "last. How many come after the one that is used next?";
  return out;
}

Match rest_of_quotient_at_fault(const Facts& facts) {
  const bool can_be = is_kind(facts, base::DiagnosticKind::kRace) ||
                      is_kind(facts, base::DiagnosticKind::kOutOfBounds) ||
                      is_kind(facts, base::DiagnosticKind::kUninitializedRead);
  const auto division = can_be ? rest_of_division(facts) : std::nullopt;
  if (!division) return std::nullopt;
  return at_division(at_fault(facts), *division);
}

Match zero_remainder_at_fault(const Facts& facts) {
  const auto found = zero_remainder(facts);
  if (facts.fault == nullptr || !found) return std::nullopt;
  return at_remainder(at_fault(facts), *found);
}

Match weak_wait(const Facts& facts) {
  if (facts.fault == nullptr) return std::nullopt;
  const bool is_weak = advice_of<base::FenceAdvice>(facts) != nullptr ||
                       advice_of<base::LockAdvice>(facts) != nullptr ||
                       advice_of<base::ScopeAdvice>(facts) != nullptr;
  const bool is_copy = std::holds_alternative<base::BulkRace>(facts.fault->facts);
  const bool waits = race_of(facts) != nullptr || is_kind(facts, base::DiagnosticKind::kRunaway) ||
                     is_kind(facts, base::DiagnosticKind::kDeadlock);
  const auto* poll = waits ? poll_of(facts) : nullptr;
  if (!is_weak && !is_copy && poll == nullptr) return std::nullopt;
  auto out = at_fault(facts);
  if (const auto wait = is_copy ? wait_before(facts, out.line) : 0; wait != 0) {
    out.other_line = out.line;
    out.line = wait;
  }
  if (poll != nullptr) {
    out.other_line = out.line;
    out.line = poll->line;
    out.values.try_emplace("array", first_name(poll->head));
  }
  return out;
}

namespace {

// A barrier in a condition that not all threads of the block may fulfil.
std::uint32_t conditional_barrier(const Facts& facts, std::uint32_t line) {
  const auto function = facts.flow.function_at(line);
  for (const auto at : facts.flow.lines_of({"__syncthreads"}, function.first, function.last)) {
    for (const auto* branch : facts.flow.conditions_around(at)) {
      if (facts.flow.depends_on(branch->head, branch->line, "threadIdx")) return at;
    }
  }
  return 0;
}

}  // namespace

Match skipped_barrier(const Facts& facts) {
  if (const auto* skipped = advice_of<base::SkippedBarrier>(facts)) {
    auto out = at_fault(facts);
    out.other_line = out.line;
    out.line = skipped->where.line;
    return out;
  }
  const bool is_found = is_kind(facts, base::DiagnosticKind::kDivergentBarrier) ||
                        is_kind(facts, base::DiagnosticKind::kDeadlock);
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  const bool is_race = barrier != nullptr && !barrier->for_warp;
  if (!is_found && !is_race) return std::nullopt;
  // Other threads wait at another barrier than the one in the condition.
  const auto conditional = conditional_barrier(facts, facts.fault->where.line);
  if (is_race && conditional == 0) return std::nullopt;
  auto out = at_fault(facts);
  const bool is_it = !is_race && !facts.flow.conditions_around(out.line).empty();
  if (conditional != 0 && conditional != out.line && !is_it) {
    out.other_line = out.line;
    out.line = conditional;
  }
  return out;
}

namespace {

// The barriers that threads skipped in a launch in which others read shared memory that nothing had
// written; none for other findings.
std::span<const base::SkippedBarrier> skipped_beside_unwritten(const Facts& facts) {
  const auto* unwritten =
      facts.fault == nullptr ? nullptr : std::get_if<base::UnwrittenRead>(&facts.fault->facts);
  if (unwritten == nullptr || facts.fault_case == nullptr ||
      unwritten->place.memory != base::Place::Memory::kShared) {
    return {};
  }
  return facts.fault_case->outcome->measured.result.skipped_barriers;
}

}  // namespace

// Threads skip a condition with a barrier and the work before it.
Match unwritten_beside_a_barrier(const Facts& facts) {
  for (const auto& barrier : skipped_beside_unwritten(facts)) {
    for (const auto* branch : facts.flow.conditions_around(barrier.where.line)) {
      if (!facts.flow.depends_on(branch->head, branch->line, "threadIdx")) continue;
      auto out = at_fault(facts);
      out.other_line = std::exchange(out.line, barrier.where.line);
      out.values["condition"] = fmt::format("{}", branch->line);
      return out;
    }
  }
  return std::nullopt;
}

// Threads end before a barrier, without the work that they should have done for others.
Match left_before_barrier(const Facts& facts) {
  for (const auto& barrier : skipped_beside_unwritten(facts)) {
    const auto function = facts.flow.function_at(barrier.where.line);
    const auto returns = facts.flow.lines_of({"return"}, function.first, barrier.where.line);
    for (const auto line : returns) {
      if (facts.flow.conditions_around(line).empty()) continue;
      auto out = at_fault(facts);
      out.other_line = out.line;
      out.line = line;
      out.values["barrier"] = fmt::format("{}", barrier.where.line);
      return out;
    }
  }
  return std::nullopt;
}

namespace {

// Whether the line waits for asynchronous copies.
bool waits_for_copies(const Facts& facts, std::uint32_t line) {
  if (facts.fault_case == nullptr || facts.fault_case->program == nullptr) return false;
  for (const auto& function : facts.fault_case->program->ptx.module().functions) {
    for (const auto& in : function.instructions) {
      const auto& where = function.locations[in.location];
      const bool is_wait =
          in.opcode == ptx::Opcode::cp && (in.modifiers.has(ptx::Modifier::wait_group) ||
                                           in.modifiers.has(ptx::Modifier::wait_all));
      if (is_wait && where.line == line && where.file == facts.report.file) return true;
    }
  }
  return false;
}

// Two stores to a pure output, or two copies that threads wait for: they write at the wait. A
// barrier between them would order them and remove neither.
bool stores_twice(const Facts& facts) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  if (barrier == nullptr || !barrier->both_write) return false;
  const auto& race = *race_of(facts);
  const auto& place = race.place;
  if (place.memory == base::Place::Memory::kShared) {
    return waits_for_copies(facts, facts.fault->where.line) ||
           (race.other_line && waits_for_copies(facts, race.other_line->line));
  }
  return place.memory == base::Place::Memory::kBuffer && !facts.is_accumulated(place.array);
}

// The innermost loop around `line` that has a barrier; nullptr without one.
const KernelFlow::Branch* loop_with_barrier(const Facts& facts, std::uint32_t line) {
  for (const auto* loop : facts.flow.loops_around(line)) {
    if (facts.flow.contains(*loop, "__syncthreads")) return loop;
  }
  return nullptr;
}

// Accesses in two functions that the kernel calls one after the other: the barrier belongs between
// the calls.
void point_at_calls(const Facts& facts, Found& out) {
  const auto now = facts.call_line(out.line);
  const auto before = facts.call_line(out.other_line);
  if (out.other_line == 0 || now == 0 || before == 0 || now == before) return;
  out.line = now;
  out.other_line = before;
  const auto [first, last] = std::minmax(now, before);
  out.values["between"] = fmt::format("between the calls in line {} and line {}", first, last);
}

// What to do about two accesses: which one comes first?
void describe_step(const Facts& facts, const base::BarrierAdvice& barrier, Found& out) {
  if (out.other_line != 0 && out.other_line != out.line) {
    out.values["step"] = fmt::format(
        "Decide which access must come first, the one in line {} or the one in line {}. What makes "
        "the other thread wait for it?",
        out.line, out.other_line);
    return;
  }
  if (!barrier.for_warp && loop_with_barrier(facts, out.line) != nullptr) {
    out.values["between"] = fmt::format("between the loads and the store of line {}", out.line);
    out.values["step"] = fmt::format(
        "In line {} each thread loads a word that another one replaces in the same step. Load into "
        "a register first, wait, and store then.",
        out.line);
    return;
  }
  out.values["step"] = fmt::format(
      "Line {} runs once per iteration. What makes each thread wait until the others have finished "
      "the iteration before?",
      out.line);
}

// A barrier of the warp, a fence or a barrier in a condition is between the two lines.
void point_at_weak_barrier(const Facts& facts, Found& out) {
  const auto [first, last] = std::minmax(out.line, out.other_line);
  if (first == 0) return;
  const auto weak = facts.flow.lines_of(
      {"__syncwarp", "__threadfence_block", "__threadfence", "__syncthreads"}, first + 1, last - 1);
  if (weak.size() != 1) return;
  const bool is_barrier = !facts.flow.lines_of({"__syncthreads"}, weak[0], weak[0]).empty();
  if (is_barrier && facts.flow.conditions_around(weak[0]).empty()) return;
  out.values["weak"] = fmt::format(
      "; line {} {}", weak[0],
      is_barrier ? "is one for some blocks only" : "does not wait for the other threads");
  out.other_line = out.line;
  out.line = weak[0];
}

Match barrier_of(const Facts& facts, bool for_warp) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  if (barrier == nullptr || barrier->for_warp != for_warp || stores_twice(facts)) {
    return std::nullopt;
  }
  // Lanes of one warp that store to one element execute the line together.
  const bool is_at_once = for_warp || !barrier->is_repeated;
  if (barrier->both_write && barrier->one_line && is_at_once) return std::nullopt;
  auto out = at_fault(facts);
  out.values["barrier"] = barrier->for_cluster ? "cluster.sync()"
                          : for_warp           ? "__syncwarp()"
                                               : "__syncthreads()";
  out.values["between"] = base::text(barrier->between);
  point_at_calls(facts, out);
  describe_step(facts, *barrier, out);
  if (!for_warp) point_at_weak_barrier(facts, out);
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
    if (facts.trials.no_barrier_helps) return std::nullopt;
    if (auto out = barrier_of(facts, false)) return out;
    const auto* wider = race_between_warps(facts);
    auto out = wider == nullptr ? std::nullopt : barrier_of(facts, true);
    if (!out) return std::nullopt;
    const auto& race = std::get<base::Race>(wider->facts);
    out->line = wider->where.line;
    out->other_line = race.other_line ? race.other_line->line : 0;
    out->values["barrier"] = "__syncthreads()";
    const auto& advice = std::get<base::BarrierAdvice>(race.advice);
    out->values["between"] = base::text(advice.between);
    out->values["does"] = base::verb(race.does);
    out->values["place"] = base::text(race.place);
    describe_step(facts, advice, *out);
    point_at_weak_barrier(facts, *out);
    return out;
  }
  auto out = at_fault(facts);
  out.values["barrier"] = "wait for the copy and a __syncthreads()";
  out.values["between"] = base::text(copy->between);
  return out;
}

// All threads change elements that others read, in a loop that has a barrier already: no thread is
// kept from it.
Match race_of_all_threads(const Facts& facts) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  if (barrier == nullptr || barrier->for_warp || !barrier->one_line) return std::nullopt;
  const auto line = facts.fault->where.line;
  const auto* loop = loop_with_barrier(facts, line);
  if (loop == nullptr) return std::nullopt;
  const auto conditions = facts.flow.conditions_around(line);
  const bool is_guarded =
      facts.source.statement_at(line).find('?') != std::string::npos ||
      std::ranges::any_of(conditions, [&](const auto* one) { return one->begin > loop->begin; });
  return is_guarded ? std::nullopt : Match(at_fault(facts));
}

Match missing_grid_sync(const Facts& facts) {
  const auto* blocks = advice_of<base::BlocksAdvice>(facts);
  const bool is_order = blocks != nullptr && *blocks != base::BlocksAdvice::kOwnElement;
  if (!is_order && advice_of<base::GridAdvice>(facts) == nullptr) return std::nullopt;
  return at_fault(facts);
}

namespace {

// Stores of two lines through two pointers into one array of shared memory.
Match overlap(const Facts& facts) {
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  const auto* race = race_of(facts);
  const bool is_it = barrier != nullptr && barrier->both_write && race->other_line &&
                     race->place.memory == base::Place::Memory::kShared;
  if (!is_it) return std::nullopt;
  const auto target_at = [&](std::uint32_t line) -> std::string {
    for (const auto& one : facts.flow.assignments()) {
      if (one.line == line && one.is_element) return one.name;
    }
    return {};
  };
  const auto line = facts.fault->where.line;
  auto first = target_at(line);
  auto second = target_at(race->other_line->line);
  if (first.empty() || second.empty() || first == second) return std::nullopt;
  if (facts.flow.array_behind(first, line) != facts.flow.array_behind(second, line)) {
    return std::nullopt;
  }
  auto out = at_fault(facts);
  std::uint32_t begins = 0;
  for (const auto& name : {first, second}) {
    const auto all = facts.flow.before(name, line);
    const auto declared =
        std::ranges::find_if(all, [](const auto* one) { return !one->type.empty(); });
    if (declared != all.end()) begins = std::max(begins, (*declared)->line);
  }
  if (begins != 0) {
    out.other_line = out.line;
    out.line = begins;
  }
  out.values["what"] = fmt::format("{} and {} overlap in {}", first, second, race->place.array);
  return out;
}

}  // namespace

Match stored_twice(const Facts& facts) {
  if (auto out = overlap(facts)) return out;
  if (!stores_twice(facts)) return std::nullopt;
  auto out = at_fault(facts);
  out.values["what"] = fmt::format("two threads of a block store {}", out.values["place"]);
  if (const auto source = index_source(facts, out.line); source != 0) {
    out.other_line = out.line;
    out.line = source;
  }
  return out;
}

// If lanes of a warp store to one element together, the condition that selects them is the second
// line.
Match other_race(const Facts& facts) {
  if (!is_kind(facts, base::DiagnosticKind::kRace)) return std::nullopt;
  if (auto out = at_repair(facts, true, course::CauseId::kRace)) return out;
  auto out = at_fault(facts);
  const auto* barrier = advice_of<base::BarrierAdvice>(facts);
  const bool is_at_once = barrier != nullptr && barrier->for_warp && barrier->both_write &&
                          barrier->one_line && out.other_line == 0;
  const auto conditions = facts.flow.conditions_around(out.line);
  if (is_at_once && !conditions.empty()) out.other_line = conditions.front()->line;
  return out;
}

Match wrong_length_outside(const Facts& facts) {
  const auto* outside = outside_of(facts);
  if (outside == nullptr || facts.fault_case == nullptr) return std::nullopt;
  const auto fault =
      index_fault(facts, *facts.fault_case->sized, outside->place.array, facts.fault->where.line);
  if (!fault || fault->is_guard) return std::nullopt;
  auto out = at_fault(facts);
  if (fault->line != out.line) out.other_line = out.line;
  out.line = fault->line;
  return out;
}

// Any access in the statement, since an exchanged guard is often seen at another array.
Match wrong_guard_at_fault(const Facts& facts) {
  const bool is_access = is_kind(facts, base::DiagnosticKind::kOutOfBounds) ||
                         is_kind(facts, base::DiagnosticKind::kUninitializedRead);
  if (!is_access || facts.fault_case == nullptr) return std::nullopt;
  for (const auto& buffer : facts.fault_case->sized->buffers) {
    const auto fault =
        index_fault(facts, *facts.fault_case->sized, buffer.name, facts.fault->where.line);
    if (!fault || !fault->is_guard) continue;
    auto out = at_fault(facts);
    if (fault->line != out.line) out.other_line = out.line;
    out.line = fault->line;
    return out;
  }
  return std::nullopt;
}

// i <= n, or i > n before a return: the element behind the last one.
Match lets_one_more_through(const Facts& facts) {
  const auto* outside = outside_of(facts);
  if (outside == nullptr || outside->place.memory != base::Place::Memory::kBuffer ||
      facts.fault_case == nullptr) {
    return std::nullopt;
  }
  const auto line = facts.fault->where.line;
  const auto function = facts.flow.function_at(line);
  const auto& variables = facts.fault_case->sized->variables;
  const bool is_next = outside->place.index() == outside->place.elements();
  const auto loops = facts.flow.loops_around(line);
  for (const auto& test : facts.source.tests()) {
    const bool is_here = test.line >= function.first && test.line <= function.last;
    const auto statement = facts.source.statement_at(test.line);
    const bool leaves = statement.find("return") != std::string::npos ||
                        statement.find("continue") != std::string::npos;
    const bool is_short = test.comparison == "<=" || (test.comparison == ">" && leaves);
    if (!is_here || !is_short || test.line > line) continue;
    // A loop may end at a variable of the kernel instead, as at the end of a row.
    const bool is_loops = std::ranges::any_of(
        loops, [&](const auto* loop) { return is_next && loop->line == test.line; });
    if (!variables.contains(test.right) && !is_loops) continue;
    // i + 4 <= n is right.
    if (test.left.find(" + ") != std::string::npos) continue;
    auto out = at_fault(facts);
    if (test.line != out.line) out.other_line = out.line;
    out.line = test.line;
    out.values["test"] = fmt::format("{} {} {}", test.left, test.comparison, test.right);
    return out;
  }
  return std::nullopt;
}

namespace {

constexpr std::uint64_t kIndexBytes = std::uint64_t{1} << 31;

// The line of a product in a function that the statement in `line` calls; 0 without one.
std::uint32_t product_of_function(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  for (const auto word : words_of(statement)) {
    const auto function = facts.flow.function_called(word);
    if (function.first == 0) continue;
    for (const auto& one : facts.flow.assignments()) {
      const bool is_here = one.line >= function.first && one.line <= function.last;
      if (is_here && one.value.find(" * ") != std::string::npos) return one.line;
    }
  }
  return 0;
}

Match at_product(const Facts& facts) {
  auto out = at_fault(facts);
  auto line = product_source(facts, out.line);
  if (line == 0) line = product_of_function(facts, out.line);
  if (line != 0) {
    out.other_line = out.line;
    out.line = line;
  }
  return out;
}

}  // namespace

Match overflow(const Facts& facts) {
  const auto is_large = [](const auto& buffer) { return buffer.bytes() >= kIndexBytes; };
  if (const auto* outside = outside_of(facts)) {
    const bool is_negative =
        outside->place.index() < 0 || base::is_wrapped_index(outside->place.index());
    // A missing guard fails in small sizes with a rest, too.
    const bool can_be = is_negative || !facts.fault_has_a_rest();
    return can_be && facts.fails_only_if(is_large) ? at_product(facts) : std::nullopt;
  }
  // An address outside of every array.
  if (is_kind(facts, base::DiagnosticKind::kOutOfBounds)) {
    return facts.fails_only_if(is_large) ? at_product(facts) : std::nullopt;
  }
  if (facts.wrong == nullptr || !facts.fails_only_if(is_large)) return std::nullopt;
  Found out;
  for (const auto line : facts.result_lines()) {
    if (out.line == 0) out.line = product_source(facts, line);
  }
  // An access through a pointer or a function has its product on another line.
  for (const auto& one : facts.flow.assignments()) {
    if (out.line == 0 && is_narrow_product(one) &&
        facts.flow.depends_on(one.value, one.line, "blockIdx")) {
      out.line = one.line;
    }
  }
  return out;
}

// A counter or an index of 8 or 16 bits, or a product of 32 bits whose upper half is used.
Match narrow_overflow(const Facts& facts) {
  if (facts.fault == nullptr && facts.wrong == nullptr) return std::nullopt;
  const bool can_be =
      facts.fault == nullptr || is_kind(facts, base::DiagnosticKind::kOutOfBounds) ||
      is_kind(facts, base::DiagnosticKind::kRace) || is_kind(facts, base::DiagnosticKind::kRunaway);
  if (!can_be) return std::nullopt;
  auto line = narrow_index(facts);
  if (line == 0 && facts.wrong != nullptr) line = facts.source.late_widening_line();
  if (line == 0) return std::nullopt;
  Found out{.line = line};
  // An array: the line that stores to it.
  for (const auto& narrow : facts.flow.narrow()) {
    for (const auto& one : facts.flow.assignments()) {
      if (narrow.line == line && one.name == narrow.name && one.line != line &&
          out.other_line == 0) {
        out.other_line = one.line;
      }
    }
  }
  return out;
}

// An access needs several elements, and the condition in front of it checks only the first.
Match first_element_alone_guarded(const Facts& facts) {
  const auto* outside = outside_of(facts);
  if (outside == nullptr || outside->place.memory != base::Place::Memory::kBuffer) {
    return std::nullopt;
  }
  const auto conditions = facts.flow.conditions_around(facts.fault->where.line);
  if (!outside->place.begins_inside() || conditions.empty()) return std::nullopt;
  auto out = at_fault(facts);
  if (conditions.front()->line != out.line) out.other_line = out.line;
  out.line = conditions.front()->line;
  return out;
}

Match missing_guard(const Facts& facts) {
  const auto* outside = outside_of(facts);
  const bool is_buffer =
      outside != nullptr && outside->place.memory == base::Place::Memory::kBuffer;
  if (!is_buffer || facts.fault_case == nullptr) return std::nullopt;
  auto out = at_fault(facts);
  if (facts.fails_with_a_rest_only()) return out;
  const auto line = out.line;
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
                                    facts.fault_has_a_rest() &&
                                    std::ranges::any_of(text.tests(), is_of_size) &&
                                    std::ranges::none_of(text.tests_near(line), is_of_size);
  const bool is_never_guarded =
      facts.fault_has_a_rest() && std::ranges::none_of(text.tests(), is_of_size);
  // in[order[i]]: a guard cannot help.
  const bool is_gathered = subscript.find('[') != std::string::npos ||
                           (subscript == first && made_from.find('[') != std::string::npos);
  // Its guard is right for another array.
  const bool is_guarded = std::ranges::any_of(text.tests(), [&](const auto& test) {
    return test.left == first && test.line <= line && is_of_size(test) && test.comparison != "<=";
  });
  if (is_guarded && subscript == first && !is_number_of_thread) return std::nullopt;
  const bool is_missing =
      is_beside || has_equal || is_number_of_thread || is_guarded_elsewhere || is_never_guarded;
  return is_missing && !is_gathered ? Match(out) : std::nullopt;
}

namespace {

Match repaired_at_fault(const Facts& facts, course::CauseId id) {
  return at_repair(facts, is_kind(facts, base::DiagnosticKind::kOutOfBounds), id);
}

// Two blocks that store to one element of a pure output.
bool blocks_store_twice(const Facts& facts) {
  const auto* blocks = advice_of<base::BlocksAdvice>(facts);
  if (blocks == nullptr || *blocks != base::BlocksAdvice::kOwnElement) return false;
  const auto& place = race_of(facts)->place;
  return place.memory == base::Place::Memory::kBuffer && !facts.is_accumulated(place.array);
}

Match repaired_of_stores(const Facts& facts, course::CauseId id) {
  return at_repair(facts, stores_twice(facts) || blocks_store_twice(facts), id);
}

}  // namespace

Match repaired_barrier_at_fault(const Facts& facts) {
  return at_repair(facts, is_kind(facts, base::DiagnosticKind::kUninitializedRead),
                   course::CauseId::kDivergentBarrier);
}
Match repaired_stride_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kWrongStride);
}
Match repaired_exchange_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kSwappedIndices);
}
Match repaired_index_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kWrongIndex);
}
Match repaired_operation_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kWrongOperation);
}
Match repaired_guard_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kWrongGuard);
}
Match repaired_edge_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kMissingEdge);
}
Match repaired_start_of_stores(const Facts& facts) {
  return repaired_of_stores(facts, course::CauseId::kWrongStart);
}
Match repaired_edge_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kMissingEdge);
}
Match repaired_exchange_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kSwappedIndices);
}
Match repaired_stride_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kWrongStride);
}
Match repaired_guard_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kWrongGuard);
}
Match repaired_index_at_fault(const Facts& facts) {
  auto out = repaired_at_fault(facts, course::CauseId::kWrongIndex);
  if (out && out->other_line == 0) out->other_line = index_source(facts, out->line);
  return out;
}
Match repaired_start_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kWrongStart);
}
Match repaired_operation_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kWrongOperation);
}
Match missing_guard_by_trial(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kMissingGuard);
}

namespace {

Match repaired_unwritten(const Facts& facts, course::CauseId id) {
  return at_repair(facts, is_kind(facts, base::DiagnosticKind::kUninitializedRead), id);
}

bool is_head_of_a_loop(const Facts& facts, std::uint32_t line) {
  return std::ranges::any_of(facts.flow.branches(),
                             [&](const auto& one) { return one.is_loop && one.line == line; });
}

}  // namespace

Match repaired_stride_of_unwritten(const Facts& facts) {
  return repaired_unwritten(facts, course::CauseId::kWrongStride);
}
// A loop that should write more elements.
Match repaired_edge_of_unwritten(const Facts& facts) {
  if (auto out = repaired_unwritten(facts, course::CauseId::kMissingEdge)) return out;
  auto out = repaired_unwritten(facts, course::CauseId::kWrongGuard);
  return out && is_head_of_a_loop(facts, out->line) ? out : std::nullopt;
}
Match repaired_guard_of_unwritten(const Facts& facts) {
  return repaired_unwritten(facts, course::CauseId::kWrongGuard);
}
Match repaired_index_of_unwritten(const Facts& facts) {
  return repaired_unwritten(facts, course::CauseId::kWrongIndex);
}
Match repaired_float_at_fault(const Facts& facts) {
  return repaired_at_fault(facts, course::CauseId::kFloatIndex);
}

Match out_of_bounds(const Facts& facts) {
  if (!is_kind(facts, base::DiagnosticKind::kOutOfBounds)) return std::nullopt;
  auto out = at_fault(facts);
  const auto* outside = outside_of(facts);
  if (outside == nullptr) return out;
  // An array of the kernel may be too small, and the index of a buffer is computed elsewhere.
  if (outside->place.memory == base::Place::Memory::kBuffer) {
    out.other_line = index_source(facts, out.line);
    return out;
  }
  for (const auto& array : cases::all_arrays(facts.report.source)) {
    if (array.name == outside->place.array) out.other_line = array.line;
  }
  return out;
}

Match misaligned(const Facts& facts) {
  return is_kind(facts, base::DiagnosticKind::kMisaligned) ? Match(at_fault(facts)) : std::nullopt;
}

// A shuffle from a lane that has ended or that its mask leaves out.
Match absent_lane(const Facts& facts) {
  const bool is_read = is_kind(facts, base::DiagnosticKind::kUninitializedRead) &&
                       std::holds_alternative<std::monostate>(facts.fault->facts);
  if (!is_read) return std::nullopt;
  const auto statement = facts.source.statement_at(facts.fault->where.line);
  return statement.find("shfl") == std::string::npos ? std::nullopt : Match(at_fault(facts));
}

Match uninitialised(const Facts& facts) {
  if (!is_kind(facts, base::DiagnosticKind::kUninitializedRead)) return std::nullopt;
  auto out = at_fault(facts);
  out.values.try_emplace("place", "a value");
  // The loop that should have written it.
  const auto* unwritten = std::get_if<base::UnwrittenRead>(&facts.fault->facts);
  if (unwritten == nullptr) return out;
  for (const auto& one : facts.flow.assignments()) {
    if (!one.is_element || one.line >= out.line) continue;
    if (facts.flow.array_behind(one.name, one.line) != unwritten->place.array) continue;
    const auto loops = facts.flow.loops_around(one.line);
    out.other_line = loops.empty() ? one.line : loops.front()->line;
  }
  return out;
}

// Shared memory that is written with one length of a row and read with another one.
Match two_lengths_at_fault(const Facts& facts) {
  const auto* unwritten =
      facts.fault == nullptr ? nullptr : std::get_if<base::UnwrittenRead>(&facts.fault->facts);
  if (unwritten == nullptr) return std::nullopt;
  const auto line = second_length(facts, unwritten->place.array);
  if (line == 0) return std::nullopt;
  auto out = at_fault(facts);
  if (line != out.line) out.other_line = out.line;
  out.line = line;
  return out;
}

Match writes_input(const Facts& facts) {
  const bool is_it = is_kind(facts, base::DiagnosticKind::kInputModified);
  return is_it ? Match(at_fault(facts)) : std::nullopt;
}

namespace {

// Whether the condition of the loop cannot become false: nothing in it changes, or an unsigned
// number is at least 0.
bool never_ends(const Facts& facts, const KernelFlow::Branch& loop) {
  std::string condition = loop.head;
  std::string step;
  if (const auto first = condition.find(';'); first != std::string::npos) {
    const auto second = condition.find(';', first + 1);
    step = second == std::string::npos ? "" : condition.substr(second + 1);
    condition = condition.substr(first + 1, second - first - 1);
  }
  const auto words = words_of(condition);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i + 1] != ">=" || words[i + 2] != "0") continue;
    for (const auto* one : facts.flow.before(words[i], loop.line)) {
      if (one->type.find("unsigned") != std::string::npos ||
          one->type.find("size_t") != std::string::npos ||
          one->type.find("uint") != std::string::npos) {
        return true;
      }
    }
  }
  const auto text = step + " " + facts.flow.body_of(loop);
  const auto body = words_of(text);
  bool has_name = false;
  for (const auto name : words) {
    if (!is_identifier(name)) continue;
    has_name = true;
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      if (body[i] != name) continue;
      const bool is_stepped =
          (i + 2 < body.size() && body[i + 1] == body[i + 2] &&
           (body[i + 1] == "+" || body[i + 1] == "-")) ||
          (i >= 2 && body[i - 1] == body[i - 2] && (body[i - 1] == "+" || body[i - 1] == "-"));
      const bool is_set = body[i + 1].ends_with('=') && body[i + 1] != "==" &&
                          body[i + 1] != "<=" && body[i + 1] != "!=";
      const bool is_split = i + 2 < body.size() && (body[i + 1] == ">" || body[i + 1] == "^") &&
                            body[i + 2].ends_with('=');
      if (is_stepped || is_set || is_split) return false;
    }
  }
  return has_name && condition.find('[') == std::string::npos &&
         condition.find('(') == std::string::npos;
}

}  // namespace

// A compiler that sees a loop without an end may leave nothing of it but the head of the kernel.
Match infinite_loop(const Facts& facts) {
  if (!is_kind(facts, base::DiagnosticKind::kRunaway)) return std::nullopt;
  auto out = at_fault(facts);
  const auto loops = facts.flow.loops_around(out.line);
  const bool can_end = !loops.empty() && std::ranges::none_of(loops, [&](const auto* loop) {
    return never_ends(facts, *loop);
  });
  if (facts.is_too_much_work() && can_end) return std::nullopt;
  out.values["ends"] =
      can_end && !loops.empty() ? "never ends, or runs far too often" : "does not end";
  const auto found = out.line;
  for (const auto* loop : loops) {
    if (never_ends(facts, *loop)) out.line = loop->line;
  }
  if (out.line == found && !loops.empty()) out.line = loops.front()->line;
  if (loops.empty()) {
    for (const auto& loop : facts.flow.branches()) {
      if (loop.is_loop && never_ends(facts, loop)) out.line = loop.line;
    }
  }
  if (out.line != found) out.other_line = found;
  return out;
}

namespace {

// The #ifdef, #if defined(...) or #if 0 that leaves out `line`; 0 without one.
std::uint32_t left_out_by(std::string_view source, std::uint32_t line) {
  struct Open {
    std::uint32_t line = 0;
    bool leaves_out = false;
  };
  std::vector<Open> open;
  std::vector<std::string> defined;
  for (std::uint32_t at = 1; at < line; ++at) {
    const auto text = base::line_of(source, at);
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos || text[first] != '#') continue;
    std::string spaced;
    for (const char c : text.substr(first + 1)) {
      spaced += base::is_word_letter(c) ? c : ' ';
    }
    const auto words = words_of(spaced);
    if (words.empty()) continue;
    const std::string name(words.back());
    const bool is_defined = std::ranges::find(defined, name) != defined.end();
    if (words[0] == "define" && words.size() > 1) defined.emplace_back(words[1]);
    if (words[0] == "ifdef" || words[0] == "if") {
      const bool is_test = words[0] == "ifdef" || (words.size() == 3 && words[1] == "defined");
      open.push_back({at, is_test ? !is_defined && !name.starts_with("__") : name == "0"});
    }
    if (words[0] == "ifndef") open.push_back({at, is_defined});
    if (words[0] == "else" && !open.empty()) open.back().leaves_out = !open.back().leaves_out;
    if (words[0] == "endif" && !open.empty()) open.pop_back();
  }
  const auto found = std::ranges::find_if(open, [](const Open& one) { return one.leaves_out; });
  return found == open.end() ? 0 : found->line;
}

}  // namespace

// The launch was stopped for its work: more threads or steps than the exercise needs.
Match endless_work(const Facts& facts) {
  if (!facts.is_too_much_work()) return std::nullopt;
  auto out = at_fault(facts);
  const auto loops = facts.flow.loops_around(out.line);
  if (!loops.empty() && loops.front()->line != out.line) out.other_line = loops.front()->line;
  return out;
}

Match compile_error(const Facts& facts) {
  if (facts.report.reason != report::Reason::kCompile || facts.fault == nullptr)
    return std::nullopt;
  auto out = at_fault(facts);
  if (const auto line = left_out_by(facts.report.source, out.line); line != 0) {
    out.other_line = out.line;
    out.line = line;
  }
  return out;
}

}  // namespace warpgrade::grader::grade

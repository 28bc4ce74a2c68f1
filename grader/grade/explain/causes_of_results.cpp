// SPDX-License-Identifier: Apache-2.0
// The causes of wrong results: which facts each of them needs.
// In: the facts of a failure. Out: a match with its line and the values for the text of the table.
// Differences come from the comparison; the source only chooses between causes, and between lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/place.h"
#include "common/base/text.h"
#include "common/memory/metrics.h"
#include "common/verify/compare.h"
#include "grader/grade/explain/cause_facts.h"
#include "grader/grade/explain/explanation.h"
#include "grader/grade/explain/index_facts.h"
#include "grader/grade/explain/kernel_flow.h"
#include "grader/grade/explain/kernel_text.h"

namespace warpgrade::grader::grade {
namespace {

// ---- Facts about a wrong result.

// The line of the file's only store to the output that is wrong; 0 if there are several.
std::uint32_t only_store_to(const Facts& facts) {
  const auto& element = facts.wrong->element;
  const auto array = element.substr(0, element.find('['));
  std::set<std::uint32_t> lines;
  for (const auto& one : facts.flow.assignments()) {
    if (one.is_element && facts.flow.array_behind(one.name, one.line) == array) {
      lines.insert(one.line);
    }
  }
  return lines.size() == 1 ? *lines.begin() : 0;
}

// The stores to the output that is wrong. In a sequence, other launches store, too.
std::vector<std::uint32_t> stores_of_output(const Facts& facts) {
  auto all = facts.result_lines();
  const auto only = only_store_to(facts);
  if (std::ranges::find(all, only) != all.end()) return {only};
  return all;
}

std::uint32_t only_store(const Facts& facts) {
  const auto all = stores_of_output(facts);
  return all.size() == 1 ? all.front() : 0;
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

// At the line that computes the index of a store, with the store as the other line.
Match at_index(const Facts& facts, bool applies) {
  if (!applies || facts.wrong == nullptr) return std::nullopt;
  auto out = at_result(facts);
  for (const auto store : stores_of_output(facts)) {
    const auto line = index_source(facts, store);
    if (line == 0) continue;
    out.line = line;
    out.other_line = store;
    break;
  }
  return out;
}

Match if_wrong(const Facts& facts, bool applies) {
  return applies && facts.wrong != nullptr ? Match(at_result(facts)) : std::nullopt;
}

// At the line that computes the value of a store, with the store as the other line.
Match at_value(const Facts& facts, bool applies) {
  if (!applies || facts.wrong == nullptr) return std::nullopt;
  auto out = at_result(facts);
  out.line = 0;
  for (const auto store : stores_of_output(facts)) {
    const auto line = value_source(facts, store);
    if (out.line != 0 && line == 0) continue;
    out.line = line == 0 ? store : line;
    out.other_line = line == 0 ? 0 : store;
    if (line != 0) break;
  }
  return out;
}

bool has_cause(const Facts& facts, std::initializer_list<verify::CauseKind> kinds) {
  return facts.wrong != nullptr && std::ranges::find(kinds, facts.wrong->kind) != kinds.end();
}

}  // namespace

namespace {

// At the mistake that a repair has shown.
Match repaired(const Facts& facts, course::CauseId id) {
  return facts.wrong == nullptr ? std::nullopt : facts.moved_to_repair(at_result(facts), id);
}

}  // namespace

Match repaired_exchange(const Facts& facts) {
  return repaired(facts, course::CauseId::kSwappedIndices);
}
Match repaired_stride(const Facts& facts) { return repaired(facts, course::CauseId::kWrongStride); }
// If only sizes with a remainder are wrong, the remainder is missing, and no index is wrong.
// Arithmetic makes a NaN, and another element only avoids it.
Match repaired_index(const Facts& facts) {
  const bool is_nan = has_cause(facts, {verify::CauseKind::kNan});
  if (facts.wrong == nullptr || is_nan || facts.fails_with_a_rest_only()) return std::nullopt;
  return repaired(facts, course::CauseId::kWrongIndex);
}
Match repaired_edge(const Facts& facts) { return repaired(facts, course::CauseId::kMissingEdge); }
// The value with which fragments of a sum are filled is an argument of a call.
Match repaired_start(const Facts& facts) {
  if (auto out = repaired(facts, course::CauseId::kWrongStart)) return out;
  auto out = repaired(facts, course::CauseId::kWrongOperation);
  const bool is_filled =
      out && facts.source.statement_at(out->line).find("fill_fragment") != std::string::npos;
  return is_filled ? out : std::nullopt;
}
Match repaired_barrier(const Facts& facts) {
  return repaired(facts, course::CauseId::kDivergentBarrier);
}
Match repaired_operation(const Facts& facts) {
  return repaired(facts, course::CauseId::kWrongOperation);
}

// Cases with a multiple of the divisor are right, and all others are wrong.
Match rest_of_quotient(const Facts& facts) {
  const auto division = facts.wrong == nullptr ? std::nullopt : rest_of_division(facts);
  if (!division) return std::nullopt;
  return at_division(at_result(facts), *division);
}

Match order_matters(const Facts& facts) { return if_wrong(facts, facts.depends_on_order); }

namespace {

// The first executed atomic of threads or warps, not one of a thread per block, that `is_it`.
template <class IsIt>
Match at_atomic(const Facts& facts, IsIt is_it) {
  const auto& sized = *facts.wrong_case->sized;
  const auto blocks = base::volume(sized.launches.sequence.first().grid);
  for (const auto& line : facts.wrong_case->outcome->measured.lines) {
    const bool is_one = line.requests > blocks && run::is_atomic(line.operation.operation) &&
                        line.file == facts.report.file;
    if (!is_one || !is_it(line)) continue;
    auto out = at_result(facts);
    out.other_line = std::exchange(out.line, line.line);
    return out;
  }
  return std::nullopt;
}

}  // namespace

// Each thread or warp takes a place in the output by an atomic of its own, so the order within the
// piece of a block is by chance.
Match places_by_chance(const Facts& facts) {
  if (!has_cause(facts, {verify::CauseKind::kOtherPlace})) return std::nullopt;
  const auto& buffers = facts.wrong_case->sized->buffers;
  if (std::ranges::none_of(buffers, [](const auto& one) { return one.has_pieces(); })) {
    return std::nullopt;
  }
  return at_atomic(facts,
                   [](const auto& one) { return one.operation.space == run::Space::kGlobal; });
}

// Elements have changed places, and an atomic returns a number to each thread or warp.
Match numbers_by_chance(const Facts& facts) {
  using verify::CauseKind;
  if (!has_cause(facts, {CauseKind::kOtherPlace, CauseKind::kOtherElement})) return std::nullopt;
  return at_atomic(
      facts, [](const auto& one) { return one.operation.operation == run::Operation::kAtomic; });
}

Match wrong_length(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  auto out = at_result(facts);
  if (has_cause(facts, {verify::CauseKind::kRowLength})) return out;
  // Inputs are numbers, so arithmetic has made a NaN of them.
  if (has_cause(facts, {verify::CauseKind::kNan})) return std::nullopt;
  for (const auto& line : facts.wrong_case->outcome->measured.lines) {
    if (line.operation.space != run::Space::kGlobal || line.file != facts.report.file) continue;
    for (const auto& buffer : facts.wrong_case->sized->buffers) {
      const auto fault = index_fault(facts, *facts.wrong_case->sized, buffer.name, line.line);
      if (!fault || fault->is_guard) continue;
      out.line = fault->line;
      out.other_line = fault->line == line.line ? 0 : line.line;
      return out;
    }
  }
  return std::nullopt;
}

Match wrong_guard_of_result(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  auto out = at_result(facts);
  for (const auto line : facts.result_lines()) {
    for (const auto& buffer : facts.wrong_case->sized->buffers) {
      const auto fault = index_fault(facts, *facts.wrong_case->sized, buffer.name, line);
      if (!fault || !fault->is_guard) continue;
      out.line = fault->line;
      out.other_line = fault->line == line ? 0 : line;
      return out;
    }
  }
  return std::nullopt;
}

Match exchanged(const Facts& facts) {
  return at_index(facts, has_cause(facts, {verify::CauseKind::kTransposed}));
}

// Square matrices are right, all others are wrong.
Match exchanged_sizes(const Facts& facts) {
  return at_index(facts, facts.wrong != nullptr && facts.fails_unless_square());
}

namespace {

constexpr std::uint64_t kExactFloats = std::uint64_t{1} << 24;  // Above it a float skips numbers.

}  // namespace

Match float_index(const Facts& facts) {
  const bool is_outside =
      facts.fault != nullptr && std::holds_alternative<base::OutsideAccess>(facts.fault->facts);
  if (facts.wrong == nullptr && !is_outside) return std::nullopt;
  if (facts.trials.repair && facts.trials.repair->id == course::CauseId::kFloatIndex) {
    auto out = facts.wrong != nullptr ? at_result(facts) : Found{};
    out.line = facts.trials.repair->line;
    return out;
  }
  const bool is_large =
      facts.fails_only_if([](const auto& buffer) { return buffer.elements() >= kExactFloats; });
  if (!facts.source.has_float_index() || (facts.wrong != nullptr && !is_large)) return std::nullopt;
  auto out = facts.wrong != nullptr ? at_result(facts) : Found{};
  out.line = facts.source.float_index_line();
  return out;
}

namespace {

// At the line that rounds to an integer, if there is one.
Found at_conversion(const Facts& facts, Found found) {
  const auto line = conversion_line(facts);
  if (line == 0 || line == found.line) return found;
  found.other_line = found.line;
  found.line = line;
  return found;
}

// Whether a zero is expected, to which no number is near.
bool is_zero(const Facts& facts) {
  return facts.wrong != nullptr && (facts.wrong->expected == "0" || facts.wrong->expected == "0.0");
}

}  // namespace

Match fewer_digits(const Facts& facts) {
  using verify::CauseKind;
  constexpr double kOfSums = 5e-2;  // A sum near 0 of rounded terms.
  const bool has_half = facts.source.has_word("__half") || facts.source.has_word("half");
  const bool is_close = has_cause(facts, {CauseKind::kInaccurate}) && !is_zero(facts) &&
                        std::abs(facts.wrong->deviation.relative) < (has_half ? kOfSums : kFewBits);
  const bool is_whole = has_cause(facts, {CauseKind::kWholeNumbers}) ||
                        (facts.wrong != nullptr && facts.wrong->got == "0");
  const bool is_rounded = is_whole && conversion_line(facts) != 0;
  auto out = at_value(facts, is_close || is_rounded || has_cause(facts, {CauseKind::kHalf}));
  if (!out) return out;
  auto line = facts.source.line_of_word({"__float2half", "__float2half_rn", "__half", "half"});
  // Sums of tensor cores in half.
  for (const auto& word : facts.source.words()) {
    const bool is_sum = word.text == "accumulator" &&
                        KernelText::count_of("half", facts.source.statement_at(word.line)) != 0;
    if (is_sum) line = word.line;
  }
  if (has_half && line != 0) {
    out->other_line = out->line;
    out->line = line;
    return out;
  }
  return at_conversion(facts, std::move(*out));
}

// A float near the right one, without another cause.
Match nearly_right(const Facts& facts) {
  const bool is_unknown = has_cause(facts, {verify::CauseKind::kUnknown}) && !is_zero(facts);
  const double off = is_unknown ? std::abs(facts.wrong->deviation.relative) : 0;
  auto out = at_value(facts, off > 0 && off < kFewBits);
  return out ? at_conversion(facts, std::move(*out)) : out;
}

namespace {

// A sample of the blocks has no count of its unwritten elements.
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

// A guard alone leaves out the last elements. If others are never written, it is not the cause.
Match repaired_guard(const Facts& facts) {
  if (facts.wrong == nullptr || !facts.trials.repair) return std::nullopt;
  const auto& box = facts.wrong->deviation.box;
  const bool is_few = (box.rows == 1 && box.columns == 1) || is_last_only(box);
  if (!facts.trials.repair->is_exact && !is_few && (is_unwritten(facts) || rest_unread(facts)))
    return std::nullopt;
  return repaired(facts, course::CauseId::kWrongGuard);
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

namespace {

// At the line with the division or the condition that leaves the rest out.
Match at_rest(const Facts& facts, bool applies) {
  auto out = if_wrong(facts, applies);
  if (!out) return out;
  if (const auto line = rest_line(facts); line != 0) {
    out->other_line = out->line;
    out->line = line;
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
  return box.rows == 0 || is_last_only(box) || std::ranges::any_of(kTiles, [&](std::uint64_t tile) {
           return is_rest(box.first_row, box.rows, tile) ||
                  is_rest(box.first_column, box.columns, tile);
         });
}

}  // namespace

// Threads that did not wait have ended, after they replaced what others still needed.
Match barrier_in_branch(const Facts& facts) {
  if (facts.wrong_case == nullptr) return std::nullopt;
  for (const auto& barrier : facts.wrong_case->outcome->measured.result.skipped_barriers) {
    const auto line = barrier.where.line;
    if (facts.flow.conditions_around(line).empty()) continue;
    auto out = at_result(facts);
    out.line = line;
    return out;
  }
  return std::nullopt;
}

Match rest_unwritten(const Facts& facts) {
  return at_rest(facts, is_unwritten(facts) && facts.fails_with_a_rest_only() &&
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
    if (buffer.is_output()) outputs += buffer.bytes();
  }
  return at_index(facts, stored >= outputs);
}

// At the index of the store, or at the loop that it is in.
Match never_written(const Facts& facts) {
  if (!is_unwritten(facts)) return std::nullopt;
  auto out = at_index(facts, true);
  if (!out) return out;
  // The only store to this output, if there are several outputs.
  const auto line = only_store_to(facts);
  if (line != 0 && line != out->line && line != out->other_line) {
    out->line = line;
    out->other_line = 0;
    return out;
  }
  // A loop that ends before the last one.
  for (const auto store : facts.result_lines()) {
    const auto loops = facts.flow.loops_around(store);
    if (loops.empty() || loops.front()->head.find(" - 1 ") == std::string::npos) continue;
    out->line = loops.front()->line;
    out->other_line = loops.front()->line == store ? 0 : store;
    return out;
  }
  // A condition on more than an index leaves the work.
  for (const auto& branch : facts.flow.branches()) {
    const auto body = facts.flow.body_of(branch);
    const bool leaves = body == "return ;" || body == "{ return ; }" || body == "break ;" ||
                        body == "{ break ; }" || body == "continue ;" || body == "{ continue ; }";
    const bool is_group = branch.head.find(" * ") != std::string::npos &&
                          branch.head.find(" + ") != std::string::npos;
    if (branch.is_loop || !leaves || !is_group) continue;
    out->other_line = out->line;
    out->line = branch.line;
    return out;
  }
  if (out->other_line != 0) return out;
  for (const auto store : facts.result_lines()) {
    const auto loops = facts.flow.loops_around(store);
    if (loops.empty() || loops.front()->line == store) continue;
    out->line = loops.front()->line;
    out->other_line = store;
  }
  return out;
}

namespace {

// An input with elements that no thread loads, although no index from memory selects them.
std::optional<std::pair<const cases::SizedBuffer*, std::uint64_t>> unread_input(
    const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto& sized = *facts.wrong_case->sized;
  const auto& read = facts.wrong_case->outcome->measured.read_bytes;
  for (std::size_t i = 0; i < sized.buffers.size() && i < read.size(); ++i) {
    const auto& buffer = sized.buffers[i];
    const auto all = buffer.bytes();
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

// How often each element of the input is loaded that is loaded at all.
double loads_per_element(const PlannedCase& planned, std::size_t buffer) {
  double loaded = 0;
  for (const auto& line : planned.outcome->measured.lines) {
    if (line.operation == kLoad) loaded += static_cast<double>(line.bytes);
  }
  const auto& read = planned.outcome->measured.read_bytes;
  return buffer < read.size() && read[buffer] > 0 ? loaded / static_cast<double>(read[buffer]) : 0;
}

// Elements are loaded twice where others are not loaded, and right cases load each of them once.
Match loaded_elsewhere_of(const Facts& facts) {
  const auto found = unread_input(facts);
  if (!found) return std::nullopt;
  const auto& buffers = facts.wrong_case->sized->buffers;
  const auto index = static_cast<std::size_t>(found->first - buffers.data());
  const auto usual =
      facts.right_case() == nullptr ? 0 : loads_per_element(*facts.right_case(), index);
  constexpr double kMore = 1.3;
  if (usual <= 0 || loads_per_element(*facts.wrong_case, index) < kMore * usual)
    return std::nullopt;
  auto out = at_result(facts);
  for (const auto& line : facts.wrong_case->outcome->measured.lines) {
    if (line.operation != kLoad || line.file != facts.report.file) continue;
    const auto source = index_source(facts, line.line);
    out.line = source != 0 ? source : line.line;
    out.other_line = source != 0 ? line.line : 0;
    break;
  }
  return out;
}

// The loop around `line`, or at it, that ends in front of its last group: `i + 3 * stride < n`.
std::uint32_t loop_over_groups(const Facts& facts, std::uint32_t line) {
  for (const auto* loop : facts.flow.loops_around(line)) {
    const bool is_it = std::ranges::any_of(facts.source.tests(), [&](const auto& test) {
      return test.line == loop->line && test.comparison[0] == '<' &&
             test.left.find(" + ") != std::string::npos;
    });
    if (is_it) return loop->line;
  }
  return 0;
}

Match unread(const Facts& facts, bool rest_only) {
  const auto found = unread_input(facts);
  if (!found) return std::nullopt;
  const auto loop = loop_over(facts, found->first->name);
  const auto groups = loop_over_groups(facts, loop);
  const bool rest = groups != 0 || is_rest(facts, found->second, found->first->elements());
  if (rest != rest_only) return std::nullopt;
  auto out = at_result(facts);
  out.line = groups != 0 ? groups : rest_only ? rest_line(facts) : loop;
  out.values["count"] = base::grouped(found->second);
  out.values["of"] = base::counted(found->first->elements(), "element");
  out.values["array"] = found->first->name;
  return out;
}

}  // namespace

Match loaded_elsewhere(const Facts& facts) { return loaded_elsewhere_of(facts); }
Match rest_unread(const Facts& facts) { return unread(facts, true); }
Match part_unread(const Facts& facts) { return unread(facts, false); }

Match rest_wrong(const Facts& facts) {
  return facts.wrong == nullptr ? std::nullopt : at_rest(facts, facts.fails_with_a_rest_only());
}

// Two conditions that leave out different numbers of elements at the same end.
Match two_ends(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  for (const auto& test : facts.source.tests()) {
    if (!test.right.ends_with(" - 2")) continue;
    const auto size = test.right.substr(0, test.right.size() - 4);
    const bool has_other = std::ranges::any_of(facts.source.tests(), [&](const auto& other) {
      return other.right == size + " - 1" && other.left == test.left;
    });
    if (!has_other || !facts.wrong_case->sized->variables.contains(size)) continue;
    auto out = at_result(facts);
    out.other_line = out.line;
    out.line = test.line;
    return out;
  }
  return std::nullopt;
}

// Shared memory with two lengths of a row.
Match two_lengths(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  for (const auto& array : facts.source.shared_arrays()) {
    const auto line = second_length(facts, array);
    if (line == 0) continue;
    auto out = at_result(facts);
    out.other_line = out.line;
    out.line = line;
    return out;
  }
  return std::nullopt;
}

// w <= warp: a loop that counts its own end, too.
Match one_more(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  for (const auto& test : facts.source.tests()) {
    const bool is_number = !is_identifier(test.right) || test.right.find(' ') != std::string::npos;
    if (test.comparison != "<=" || is_number) continue;
    const auto statement = facts.source.statement_at(test.line);
    // A variable that grows by a factor may well reach its bound.
    const bool is_by_factor = statement.find(" * = ") != std::string::npos ||
                              statement.find(" *= ") != std::string::npos ||
                              statement.find(" < < = ") != std::string::npos ||
                              statement.find(" <<= ") != std::string::npos;
    if (statement.find("for (") == std::string::npos || is_by_factor) continue;
    auto out = at_result(facts);
    out.other_line = out.line;
    out.line = test.line;
    return out;
  }
  return std::nullopt;
}

// Integers of which only the lowest bits are right.
Match narrow_count(const Facts& facts) {
  return at_value(facts, has_cause(facts, {verify::CauseKind::kNarrowInteger}));
}

// A sum that each pass of a loop begins anew: what the pass adds last is lost.
Match sum_is_lost(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto& all = facts.flow.assignments();
  const auto& words = facts.source.words();
  for (const auto& sum : all) {
    const auto loops = facts.flow.loops_around(sum.line);
    if (sum.is_element || !sum.type.empty() || loops.empty()) continue;
    const auto begin = std::ranges::find_if(all, [&](const auto& one) {
      return one.name == sum.name && !one.is_element && !one.is_compound &&
             one.value.starts_with('0') && one.value.find(' ') == std::string::npos &&
             (sum.is_compound || !one.type.empty()) && one.at > loops.front()->body &&
             one.at < sum.at && facts.flow.loops_around(one.line) == loops;
    });
    if (begin == all.end()) continue;
    bool is_read = false;
    for (auto i = sum.at + 1; i < loops.front()->end; ++i) is_read |= words[i].text == sum.name;
    if (is_read) continue;
    auto out = at_result(facts);
    out.other_line = sum.line;
    out.line = begin->line;
    return out;
  }
  return std::nullopt;
}

// A sum that does not begin with 0, or that begins again in each pass of an outer loop.
Match sum_begins_elsewhere(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto& all = facts.flow.assignments();
  for (const auto& one : all) {
    const bool is_constant =
        !one.value.empty() && (std::isdigit(static_cast<unsigned char>(one.value[0])) != 0);
    if (!is_constant || one.is_element || one.is_compound ||
        one.value.find(' ') != std::string::npos)
      continue;
    const bool is_zero = one.value == "0" || one.value.starts_with("0.") || one.value == "0u";
    const auto sums = std::ranges::find_if(all, [&](const auto& other) {
      return other.name == one.name && other.is_compound && !other.is_element &&
             other.at > one.at &&
             facts.flow.function_at(other.line).first == facts.flow.function_at(one.line).first;
    });
    if (sums == all.end()) continue;
    const bool is_float =
        one.type.find("float") != std::string::npos || one.type.find("double") != std::string::npos;
    const auto outer = facts.flow.loops_around(one.line);
    const auto inner = facts.flow.loops_around(sums->line);
    bool is_again = one.type.empty() && is_zero && !outer.empty() && inner.size() > outer.size() &&
                    outer.front()->line < one.line;
    // Its value is used behind the loop only.
    for (const auto store : facts.result_lines()) {
      const auto around = facts.flow.loops_around(store);
      is_again = is_again && std::ranges::find(around, outer.front()) == around.end();
    }
    if (!is_again && (is_zero || !is_float)) continue;
    auto out = at_result(facts);
    out.other_line = sums->line;
    out.line = one.line;
    return out;
  }
  return std::nullopt;
}

// 1 / 5, which is 0.
Match integer_quotient(const Facts& facts) {
  const auto line = facts.source.integer_quotient_line();
  if (facts.wrong == nullptr || line == 0) return std::nullopt;
  auto out = at_result(facts);
  if (out.line != line) out.other_line = out.line;
  out.line = line;
  return out;
}

Match remainder_is_zero(const Facts& facts) {
  const auto found = zero_remainder(facts);
  if (facts.wrong == nullptr || !found) return std::nullopt;
  return at_remainder(at_result(facts), *found);
}

// Elements at the beginning are 0, as the variable is before the loop.
Match starts_with_zero(const Facts& facts) {
  if (facts.wrong == nullptr || facts.wrong->indices.empty()) return std::nullopt;
  const bool is_zero = facts.wrong->got == "0" || facts.wrong->got == "0.0";
  const bool is_first =
      std::ranges::all_of(facts.wrong->indices, [](auto one) { return one == 0; });
  if (!is_zero || !is_first) return std::nullopt;
  for (const auto store : facts.result_lines()) {
    const auto statement = facts.source.statement_at(store);
    for (const auto word : words_of(statement)) {
      const auto all = facts.flow.before(word, store);
      const bool is_set = std::ranges::any_of(all, [](const auto* one) {
        return (one->value == "0" || one->value == "0.0f" || one->value == "0.f") &&
               !one->type.empty() && one->type.find("int") == std::string::npos &&
               one->type.find("unsigned") == std::string::npos;
      });
      // A sum begins with 0.
      const bool is_sum = std::ranges::any_of(facts.flow.assignments(), [&](const auto& one) {
        return one.name == word && one.is_compound;
      });
      if (!is_set || is_sum) continue;
      auto out = at_result(facts);
      out.other_line = store;
      out.line = all.back()->line;
      return out;
    }
  }
  return std::nullopt;
}

// A number in the file is fixed where it should follow a variable: the right cases all have one
// value of the variable, and no wrong one has it.
Match fixed_number(const Facts& facts) {
  if (facts.wrong == nullptr) return std::nullopt;
  const auto found = facts.variable_with_one_right_value();
  if (!found || !facts.source.has_word(number(found->second))) return std::nullopt;
  auto out = at_result(facts);
  out.line = facts.source.line_of_word({number(found->second)});
  out.values["variable"] = fmt::format("{} = {}", found->first, number(found->second));
  return out;
}

Match misplaced(const Facts& facts) {
  using verify::CauseKind;
  return at_index(facts, has_cause(facts, {CauseKind::kNeighbour, CauseKind::kOtherPlace,
                                           CauseKind::kOtherElement}) &&
                             !chooses_values(facts));
}

// A maximum of negative values that starts at 0.
Match started_at_zero(const Facts& facts) {
  if (facts.wrong == nullptr || !facts.wrong->expected.starts_with('-')) return std::nullopt;
  const bool is_extreme = facts.source.has_word("max") || facts.source.has_word("fmaxf") ||
                          facts.source.has_word("atomicMax");
  const bool is_zero = facts.wrong->got == "0" || facts.wrong->got == "0.0";
  return if_wrong(facts, is_extreme && is_zero);
}

Match any_wrong(const Facts& facts) { return at_value(facts, true); }

}  // namespace warpgrade::grader::grade

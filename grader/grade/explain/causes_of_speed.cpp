// SPDX-License-Identifier: Apache-2.0
// The causes of waste: which gates, counters by line and parts of the time each of them needs.
// In: the facts of a failure. Out: a match with its line, its numbers and its cost.
// It is longer than 800 lines, since each row of waste has its function here.
// A cost is the modelled time that the waste takes, also for gates on counters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/place.h"
#include "common/base/text.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/timing/multiprocessor.h"
#include "grader/cases/student_terms.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/explain/cause_facts.h"
#include "grader/grade/explain/index_facts.h"
#include "grader/grade/explain/kernel_flow.h"
#include "grader/grade/explain/kernel_text.h"
#include "grader/grade/judge/judged.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_measurements.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::grade {
namespace {

// ---- Facts about waste. Rows apply to a gate that fails, or to a time that is too long.

constexpr std::string_view kLoadUse =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view kStoreUse =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";
constexpr std::string_view kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kReadSectors = "lts__t_sectors_op_read.sum";
constexpr std::string_view kLoadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";

double used_per_sector(const LineCounters& line) {
  return line.sectors == 0
             ? kSectorBytes
             : static_cast<double>(line.used_bytes) / static_cast<double>(line.sectors);
}

// The sectors that move without being needed: the used bytes would fill the rest.
double wasted_sectors(const LineCounters& line) {
  // Lanes that load the same word share a sector and waste nothing.
  constexpr std::uint64_t kSectorsOfWords = 4;
  const bool is_shared_word = line.bytes >= 2 * line.used_bytes;
  if (is_shared_word && line.sectors <= kSectorsOfWords * line.requests) return 0;
  return static_cast<double>(line.sectors) - static_cast<double>(line.used_bytes) / kSectorBytes;
}

double per_request(std::uint64_t count, const LineCounters& line) {
  return static_cast<double>(count) /
         static_cast<double>(std::max<std::uint64_t>(line.requests, 1));
}

// The first of the lines that cost most.
template <typename Cost>
std::optional<LineCounters> costliest(const std::vector<LineCounters>& lines, const Cost& cost) {
  if (lines.empty()) return std::nullopt;
  return *std::ranges::max_element(lines, [&](const auto& a, const auto& b) {
    return cost(a) < cost(b) || (cost(a) == cost(b) && a.line > b.line);
  });
}

// The line that costs most after `first`, if it is a considerable part of it; 0 without one.
template <typename Cost>
std::uint32_t next_costliest(const std::vector<LineCounters>& lines, const LineCounters& first,
                             const Cost& cost) {
  std::vector<LineCounters> others;
  for (const auto& line : lines) {
    if (line.line != first.line && 3 * cost(line) >= cost(first)) others.push_back(line);
  }
  const auto found = costliest(others, cost);
  return found ? found->line : 0;
}

// ---- Counts as seconds of the whole card.

double seconds_of_sectors(const Facts& facts, double sectors) {
  const auto& dram = facts.profile().dram;
  return sectors * kSectorBytes / (dram.bytes_per_second * dram.efficiency);
}
double seconds_of_wavefronts(const Facts& facts, double wavefronts) {
  const auto& profile = facts.profile();
  const double rate = profile.sm.count * profile.sm.clock_hz;
  return wavefronts / (rate * std::max(profile.shared.wavefronts_per_clock, 1.0));
}
double seconds_of_instructions(const Facts& facts, double instructions) {
  const auto& sm = facts.profile().sm;
  return instructions / (sm.count * sm.clock_hz * sm.warp_instructions_per_clock);
}

template <typename Count>
double sum_of(const std::vector<LineCounters>& lines, const Count& count) {
  double out = 0;
  for (const auto& line : lines) out += static_cast<double>(count(line));
  return out;
}

// How the lanes of a request are spread over its sectors.
enum class Spread { kFull, kApart, kPartial, kShifted };

// `lane_bytes` is the size of an element, or what a lane accesses at once.
Spread spread_of(const LineCounters& line, double lane_bytes, double enough) {
  const double used = used_per_sector(line);
  if (used >= enough) return Spread::kFull;
  const double full = per_request(line.used_bytes, line) / kSectorBytes;
  const bool is_one_more = per_request(line.sectors, line) <= full + 1.25;
  if (is_one_more && full >= 2) return Spread::kShifted;
  constexpr double kAlmost = 1.25;  // A few lanes are neighbours by chance.
  return used <= kAlmost * lane_bytes ? Spread::kApart : Spread::kPartial;
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
      Bound::kDram,   Bound::kL2,     Bound::kL2PartialWrites, Bound::kL2Stores,
      Bound::kL1Data, Bound::kSmPort, Bound::kTagLookups,      Bound::kBusiestPartition};
  return std::ranges::find(kMemory, bound) != kMemory.end();
}

// x[column[i]]: the addresses depend on data.
bool is_gathered(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  return std::ranges::any_of(facts.decisive->sized->buffers, [&](const auto& buffer) {
    return KernelText::subscript_of(buffer.name, statement).find('[') != std::string::npos;
  });
}

// The lanes of a warp that execute `line`, on average.
double lanes_at(const Facts& facts, std::uint32_t at) {
  for (const auto& line : facts.measured().instruction_lines) {
    if (line.file == facts.report.file && line.line == at && line.warps != 0) {
      return static_cast<double>(line.threads) / static_cast<double>(line.warps);
    }
  }
  return run::kWarpSize;
}

// Whether the line is in a condition, or a case, that separates the lanes of a warp.
bool is_in_a_case(const Facts& facts, std::uint32_t line) {
  const auto function = facts.flow.function_at(line);
  if (!facts.flow.lines_of({"switch"}, function.first, line).empty()) return true;
  return std::ranges::any_of(facts.flow.conditions_around(line), [&](const auto* one) {
    return facts.flow.depends_on(one->head, one->line, "threadIdx");
  });
}

// Whether most sectors are of several lines that few lanes of each warp execute: the cases of a
// branch that separates the lanes.
bool are_cases(const Facts& facts, const std::vector<LineCounters>& lines) {
  constexpr double kMost = 0.75;
  const auto all = sum_of(lines, [](const auto& line) { return line.sectors; });
  double few = 0;
  std::size_t count = 0;
  for (const auto& line : lines) {
    const auto sectors = static_cast<double>(line.sectors);
    const bool is_part = 10 * sectors >= all && 2 * lanes_at(facts, line.line) <= run::kWarpSize;
    if (!is_part || !is_in_a_case(facts, line.line)) continue;
    few += sectors;
    ++count;
  }
  return count > 1 && few > kMost * all;
}

// The line of `operation` that wastes most sectors, if that is why a gate fails.
std::optional<LineCounters> wasteful_line(const Facts& facts, const MemoryOperation& operation) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto lines = facts.lines_of(operation);
  auto worst = costliest(lines, wasted_sectors);
  if (!worst || worst->sectors == 0 || are_cases(facts, lines)) return std::nullopt;
  const auto all = sum_of(lines, [](const auto& line) { return line.sectors; });
  constexpr double kMuch = 0.15;  // A share of the sectors.
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
                          wasted_sectors(*worst) > kHalf * all &&
                          worst->sectors > worst->requests && !is_gathered(facts, worst->line);
  return is_tile_unused || costs_time ? worst : std::nullopt;
}

Match spread(const Facts& facts, const MemoryOperation& operation, Spread wanted) {
  const auto line = wasteful_line(facts, operation);
  if (!line) return std::nullopt;
  const bool is_load = operation == kLoad;
  const auto* gate = facts.gate_on(is_load ? kLoadUse : kStoreUse);
  const auto least = gate == nullptr ? std::nullopt : gate->deciding_bounds().min;
  constexpr double kEnough = 26;  // The most is 32 bytes.
  const double lane_bytes = per_request(line->bytes, *line) / lanes_at(facts, line->line);
  if (spread_of(*line, std::max(lane_bytes, largest_element(facts)),
                std::max(kEnough, least.value_or(0))) != wanted) {
    return std::nullopt;
  }
  const bool is_one_lane = 4 * per_request(line->bytes, *line) < kSectorBytes &&
                           per_request(line->bytes, *line) <= largest_element(facts);
  Found out{.line = line->line, .cost = seconds_of_sectors(facts, wasted_sectors(*line))};
  if (facts.call_line(out.line) == 0) out.other_line = index_source(facts, out.line);
  out.values = {
      {"used", number(std::round(10 * used_per_sector(*line)) / 10)},
      {"needed",
       least ? fmt::format("at least {} are needed", number(*least))
       : is_one_lane
           ? std::string("only one lane of a warp takes part")
           : fmt::format("a request moves {} sectors and needs {}",
                         number(per_request(line->sectors, *line)),
                         number(std::max(1.0, std::ceil(per_request(line->used_bytes, *line) /
                                                        kSectorBytes))))},
      {"does", is_load ? "loads" : "stores"},
      {"do", is_load ? "load" : "store"}};
  return out;
}

}  // namespace

Match loads_apart(const Facts& facts) { return spread(facts, kLoad, Spread::kApart); }
Match stores_apart(const Facts& facts) { return spread(facts, kStore, Spread::kApart); }
// A fragment of a product has 16 elements of each row, so its loads from global memory use a part
// of each sector: a tile is missing.
Match loads_in_part(const Facts& facts) {
  auto out = spread(facts, kLoad, Spread::kPartial);
  const bool is_fragment =
      out && facts.source.statement_at(out->line).find("load_matrix_sync") != std::string::npos;
  return is_fragment ? std::nullopt : out;
}
Match stores_in_part(const Facts& facts) { return spread(facts, kStore, Spread::kPartial); }
Match loads_shifted(const Facts& facts) { return spread(facts, kLoad, Spread::kShifted); }
Match stores_shifted(const Facts& facts) { return spread(facts, kStore, Spread::kShifted); }

namespace {

// How far a gate is exceeded, in its own unit, and the line that contributes most.
struct Excess {
  const report::Gate* gate = nullptr;
  double sectors = 0;  // Or other units of the gate.
};

std::optional<Excess> excess_of(const Facts& facts, std::string_view metric) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto* gate = facts.gate_above(metric);
  if (gate == nullptr) return std::nullopt;
  const double bound = *gate->deciding_bounds().max;
  constexpr double kRequestSectors = 4;
  const double unit = metric.find("requests") == std::string_view::npos ? 1 : kRequestSectors;
  return Excess{gate, unit * (*gate->value() - bound)};
}

Found at_excess(const Facts& facts, const LineCounters& line, const Excess& excess) {
  return Found{.line = line.line,
               .values = {{"value", number(*excess.gate->value())},
                          {"bound", number(std::floor(*excess.gate->deciding_bounds().max))},
                          {"requests", number(static_cast<double>(line.requests))},
                          {"sectors", number(static_cast<double>(line.sectors))}},
               .cost = seconds_of_sectors(facts, excess.sectors)};
}

Match too_many(const Facts& facts, const MemoryOperation& operation,
               std::initializer_list<std::string_view> metrics, std::string_view unit) {
  for (const auto metric : metrics) {
    const auto excess = excess_of(facts, metric);
    if (!excess) continue;
    const auto lines = facts.lines_of(operation);
    const auto sectors = [](const auto& line) { return line.sectors; };
    const auto worst = costliest(lines, sectors);
    if (!worst || are_cases(facts, lines)) continue;
    auto out = at_excess(facts, *worst, *excess);
    out.cost -= seconds_of_sectors(facts, sum_of(lines, wasted_sectors));
    const auto function = facts.flow.function_at(worst->line);
    auto same = lines;
    std::erase_if(same, [&](const auto& line) {
      return line.line < function.first || line.line > function.last;
    });
    out.other_line = next_costliest(same, *worst, sectors);
    out.values["lines"] = out.other_line == 0 ? fmt::format("Line {} makes", out.line)
                                              : fmt::format("Lines {} and {} make",
                                                            std::min(out.line, out.other_line),
                                                            std::max(out.line, out.other_line));
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

// Whether the elements that a line of a kernel loads do not depend on the block: all blocks load
// them.
bool is_the_same_for_blocks(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  bool is_known = false;
  for (const auto& buffer : facts.decisive->sized->buffers) {
    const auto index = KernelText::subscript_of(buffer.name, statement);
    if (index.empty()) continue;
    if (facts.call_line(line) != 0 || facts.flow.depends_on(index, line, "blockIdx")) return false;
    is_known = true;
  }
  return is_known;
}

}  // namespace

// Neighbouring threads load the same elements, and nothing keeps them for all.
Match no_tile(const Facts& facts) {
  auto out = too_many(facts, kLoad, {kLoadSectors, kReadSectors}, "sectors");
  if (!out || facts.gate_above(kStoreSectors) != nullptr) return std::nullopt;
  if (is_the_same_for_blocks(facts, out->line)) return std::nullopt;
  if (!facts.source.shared_arrays().empty() && !is_beside_a_tile(facts, out->line)) {
    return std::nullopt;
  }
  return out;
}

Match redundant_loads(const Facts& facts) {
  auto out = too_many(facts, kLoad, {kLoadSectors, kLoadRequests, kReadSectors}, "sectors");
  if (!out) return out;
  out->values["step"] =
      is_the_same_for_blocks(facts, out->line)
          ? "All blocks load the same elements in this line. What do they need of them? Compute "
            "that "
            "once, in an earlier launch."
          : "Load each element once, and keep it in a register or in shared memory.";
  return out;
}

namespace {

Match too_many_stores(const Facts& facts) {
  auto out = too_many(facts, kStore, {kStoreSectors, kStoreRequests}, "sectors");
  if (!out) out = too_many(facts, kStore, {"lts__t_sectors_op_write.sum"}, "sectors");
  return out;
}

// The line that copies an input to an output on which the kernel then works; 0 without one.
std::uint32_t copied_first(const Facts& facts) {
  if (facts.decisive == nullptr) return 0;
  const auto& sized = *facts.decisive->timed;
  for (const auto& one : facts.flow.assignments()) {
    const auto from = one.value.substr(0, one.value.find(' '));
    const auto* input = sized.buffer_called(from);
    const auto* output = sized.buffer_called(one.name);
    const bool is_copy = one.is_element && !one.is_compound && one.value.ends_with(']') &&
                         !has_arithmetic(one.value) && input != nullptr && input->is_read_only() &&
                         output != nullptr && output->is_output();
    if (!is_copy) continue;
    const auto function = facts.flow.function_at(one.line);
    const auto later = std::ranges::count_if(facts.source.words(), [&](const auto& word) {
      return word.text == one.name && word.line > one.line && word.line <= function.last;
    });
    if (later > 1) return one.line;  // A load and a store.
  }
  return 0;
}

}  // namespace

Match redundant_stores(const Facts& facts) {
  return copied_first(facts) == 0 ? too_many_stores(facts) : std::nullopt;
}

// Shared loads that repeat, without conflicts.
Match redundant_shared_loads(const Facts& facts) {
  auto excess = excess_of(facts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
  const bool is_of_requests = !excess.has_value();
  if (is_of_requests) excess = excess_of(facts, "warpgrade__shared_requests_op_ld.sum");
  if (!excess) return std::nullopt;
  const auto lines = facts.lines_of({run::Space::kShared, run::Operation::kLoad});
  const auto worst = costliest(lines, [](const auto& line) { return line.wavefronts; });
  // One lane after another makes many requests, too.
  constexpr double kHalfOfTheLanes = 64;  // Bytes.
  if (!worst || (is_of_requests && per_request(worst->bytes, *worst) < kHalfOfTheLanes)) {
    return std::nullopt;
  }
  auto out = at_excess(facts, *worst, *excess);
  const auto conflicts = sum_of(lines, [](const auto& line) { return line.conflicts; });
  out.cost = seconds_of_wavefronts(facts, excess->sectors - conflicts);
  out.values["unit"] = is_of_requests ? "requests" : "wavefronts";
  // Small tiles are loaded more often from global memory, too.
  if (facts.gate_above(kLoadSectors) != nullptr) {
    const auto global =
        costliest(facts.lines_of(kLoad), [](const auto& line) { return line.sectors; });
    if (global) out.other_line = global->line;
  }
  return out;
}

namespace {

// Whether lanes of a warp add to the same word: on average two or more. Otherwise shared atomics
// wait for other words of their bank.
bool is_of_one_word(const Facts& facts) {
  const auto lines = facts.lines_of_atomics(run::Space::kShared);
  const double lanes = sum_of(lines, [](const auto& line) { return line.bytes; });
  const double words = sum_of(lines, [](const auto& line) { return line.used_bytes; });
  constexpr double kSeveral = 1.5;
  return lanes >= kSeveral * words;
}

// The line of a function, or of a lambda before `line`, that returns a computed number, or of the
// member that it returns an element of; 0 without it.
std::uint32_t computed_in(const Facts& facts, std::string_view name, std::uint32_t line) {
  auto range = facts.flow.function_called(name);
  for (const auto* one : facts.flow.before(name, line)) {
    if (one->value.starts_with('[')) range = {one->line, line};
  }
  const auto returns = facts.flow.lines_of({"return"}, range.first, range.last);
  if (range.first == 0 || returns.empty()) return 0;
  const auto statement = facts.source.statement_at(returns.front());
  const auto value = statement.substr(std::min(statement.size(), statement.find("return ") + 7));
  if (has_arithmetic(value)) return returns.front();
  // return cell[row][column]: the declaration of the array.
  const auto first = words_of(value);
  const auto& all = facts.source.words();
  for (std::size_t i = 1; !first.empty() && i + 1 < all.size(); ++i) {
    const bool is_it = all[i].text == first.front() && all[i + 1].text == "[";
    if (is_it && is_identifier(all[i - 1].text) && all[i - 1].text != "return") return all[i].line;
  }
  return 0;
}

// The line that decides in which bank an access to shared memory is: a function that computes the
// index, or the declaration of the array.
std::uint32_t layout_line(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  const auto words = words_of(statement);
  const auto arrays = cases::all_arrays(facts.report.source);
  std::uint32_t declared = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_identifier(words[i])) continue;
    if (i + 1 < words.size() && words[i + 1] == "(") {
      if (const auto computed = computed_in(facts, words[i], line); computed != 0) return computed;
    }
    const auto behind = facts.flow.array_behind(words[i], line);
    for (const auto& array : arrays) {
      if (array.is_shared && array.name == behind && declared == 0) declared = array.line;
    }
  }
  if (declared != 0) return declared;
  return facts.source.line_of_word({"__shared__"});
}

}  // namespace

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
  if (!is_of_one_word(facts)) {
    for (auto& line : facts.lines_of_atomics(run::Space::kShared)) lines.push_back(line);
  }
  const auto worst = costliest(lines, [](const auto& line) { return line.conflicts; });
  if (!worst || worst->conflicts == 0) return std::nullopt;
  const double all = sum_of(lines, [](const auto& line) { return line.conflicts; });
  // Gates are in the order in which they matter.
  constexpr double kLater = 0.1;
  const auto first = memory::operation_of(facts.gates.front()->definition.metric);
  const bool is_first = !first || first->space == run::Space::kShared;
  return Found{
      .line = worst->line,
      .other_line = layout_line(facts, worst->line),
      .values = {{"wavefronts", number(per_request(worst->wavefronts, *worst))},
                 {"least", number(per_request(worst->wavefronts - worst->conflicts, *worst))},
                 {"operation", memory::name(worst->operation)}},
      .cost = seconds_of_wavefronts(facts, all) * (is_first ? 1 : kLater)};
}

namespace {

std::string counted_lanes(double lanes) {
  return base::counted(static_cast<std::uint64_t>(std::max(1.0, std::round(lanes))), "lane");
}

// Instructions that few lanes of a warp execute, since a branch separates the others.
Match idle_lanes(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  // Without the model's inputs: the time of the busiest resource that idle lanes use, too.
  const double saved = facts.saved(timing::Waste::kInstructions)
                           .value_or(std::max(facts.seconds_of(timing::Bound::kIssue),
                                              facts.seconds_of(timing::Bound::kSharedWavefronts)));
  double all = 0;
  double idle = 0;
  double most = 0;
  const memory::LineInstructions* worst = nullptr;
  for (const auto& line : facts.measured().instruction_lines) {
    const auto warps = static_cast<double>(line.warps);
    const double own = warps - static_cast<double>(line.threads) / run::kWarpSize;
    all += warps;
    idle += own;
    if (line.file != facts.report.file || own <= most) continue;
    most = own;
    worst = &line;
  }
  constexpr double kMuch = 0.2;
  if (worst == nullptr || idle < kMuch * all) return std::nullopt;
  const auto lanes = static_cast<double>(worst->threads) / static_cast<double>(worst->warps);
  Found out{
      .line = worst->line,
      .values = {{"divergence",
                  fmt::format("a branch separates the lanes of a warp, so its instructions have "
                              "{} on average, and {} % of all lanes are idle",
                              counted_lanes(lanes), number(std::round(100 * idle / all)))},
                 {"step",
                  "Which lanes of one warp have work in this line? Let whole warps have work, or "
                  "let all lanes take the same path."}},
      .cost = saved * idle / all};
  // The condition that separates them.
  for (const auto* branch : facts.flow.conditions_around(worst->line)) {
    if (!facts.flow.depends_on(branch->head, branch->line, "threadIdx")) continue;
    if (branch->line != out.line) out.other_line = out.line;
    out.line = branch->line;
    break;
  }
  return out;
}

}  // namespace

// Requests or instructions of few lanes each, since a branch separates the others.
Match divergence(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  if (facts.has_slow_case()) return idle_lanes(facts);
  std::vector<LineCounters> lines;
  double excess = 0;
  for (const auto* gate : facts.gates) {
    const auto counted = memory::operation_of(gate->definition.metric);
    const bool is_requests = gate->definition.metric.find("requests") != std::string::npos ||
                             (counted && are_cases(facts, facts.lines_of(*counted)));
    if (!counted || !is_requests || facts.gate_above(gate->definition.metric) == nullptr) continue;
    for (auto& line : facts.lines_of(*counted)) lines.push_back(line);
    excess += *gate->value() - *gate->deciding_bounds().max;
  }
  const auto worst = costliest(lines, [](const auto& line) { return line.requests; });
  constexpr double kFewBytes = 32;  // The words of all lanes are 128.
  if (!worst || per_request(worst->bytes, *worst) > kFewBytes) return std::nullopt;
  const auto lanes = per_request(worst->bytes, *worst) / largest_element(facts);
  if (4 * lanes > run::kWarpSize) return std::nullopt;
  std::uint32_t branch_line = 0;
  const auto function = facts.flow.function_at(worst->line);
  for (const auto line : facts.flow.lines_of({"switch"}, function.first, worst->line)) {
    branch_line = line;
  }
  for (const auto* one : facts.flow.conditions_around(worst->line)) {
    const bool separates = facts.flow.depends_on(one->head, one->line, "threadIdx");
    if (separates && branch_line == 0) branch_line = one->line;
  }
  return Found{
      .line = worst->line,
      .other_line = branch_line,
      .values = {{"divergence",
                  fmt::format("a {} has {} of a warp: a branch separates the lanes, and each part "
                              "makes a request of its own",
                              memory::name(worst->operation), counted_lanes(lanes))},
                 {"step",
                  "Let all 32 lanes access memory in the same instruction: no branch for each "
                  "lane."}},
      .cost = seconds_of_wavefronts(facts, excess)};
}

Match atomic_contention(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto* contention = std::get_if<timing::Contention>(&facts.measured().skew);
  const auto excess = excess_of(facts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum");
  if (!excess && !(facts.is_slow() && contention != nullptr)) return std::nullopt;
  if (contention == nullptr && !is_of_one_word(facts)) return std::nullopt;
  const auto space = contention != nullptr ? contention->space : run::Space::kShared;
  const auto lines = facts.lines_of_atomics(space);
  const auto worst =
      costliest(lines, [](const auto& line) { return line.wavefronts + line.sectors; });
  if (!worst) return std::nullopt;
  const double each = contention != nullptr    ? contention->on_one_word
                      : worst->used_bytes == 0 ? per_request(worst->wavefronts, *worst)
                                               : static_cast<double>(worst->bytes) /
                                                     static_cast<double>(worst->used_bytes);
  return Found{
      .line = worst->line,
      .values = {{"lanes", number(std::round(10 * each) / 10)},
                 {"requests", number(static_cast<double>(worst->requests))}},
      .cost = excess ? seconds_of_wavefronts(facts, excess->sectors) : facts.measured().seconds};
}

Match global_atomics(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  std::optional<Excess> excess;
  for (const auto& line : {"red", "atom"}) {
    for (const auto* unit : {"requests", "sectors"}) {
      if (excess) continue;
      excess =
          excess_of(facts, fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", unit, line));
    }
  }
  const auto lines = facts.lines_of_atomics(run::Space::kGlobal);
  const auto worst = costliest(lines, [](const auto& line) { return line.sectors; });
  if (!worst) return std::nullopt;
  // Each lane of an atomic is work of an L2 unit, which a load or store of a sector is not.
  constexpr double kMany = 0.03;
  const double loads =
      sum_of(facts.lines_of(kLoad), [](const auto& line) { return line.requests; });
  const bool slows = facts.is_slow() && static_cast<double>(worst->requests) > kMany * loads;
  const bool is_bound = facts.bound() == timing::Bound::kBusiestAtomicUnit;
  if (!excess && !is_bound && !slows) return std::nullopt;
  return Found{
      .line = worst->line,
      .values = {{"requests", number(static_cast<double>(worst->requests))},
                 {"needed",
                  excess ? fmt::format("at most {} are needed",
                                       number(std::floor(*excess->gate->deciding_bounds().max)))
                         : "sums of a block or a warp need far fewer"}},
      .cost = excess ? seconds_of_sectors(facts, excess->sectors)
                     : facts.saved(timing::Waste::kAtomics)
                           .value_or(facts.seconds_of(timing::Bound::kBusiestAtomicUnit))};
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
            .cost = facts.measured().seconds};
  if (largest != nullptr) {
    out.line = largest->line;
    out.values["array"] = fmt::format("{}{}", largest->name, base::extents_text(largest->extents));
  }
  return out;
}

Match limited_occupancy(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  const auto& fit = facts.measured().occupancy;
  const bool is_own =
      fit.limited_by == timing::Limit::kRegisters || fit.limited_by == timing::Limit::kShared;
  const auto arrays = cases::declared_arrays(facts.report.source);
  const cases::DeclaredArray* largest = nullptr;
  for (const auto& array : arrays) {
    const bool is_one = array.is_shared && !array.extents.empty();
    if (is_one && (largest == nullptr || array.bytes() > largest->bytes())) largest = &array;
  }
  const bool is_low = fit.warps_per_sm * 2 <= facts.profile().sm.limits.warps;
  const bool is_cause = fit.limited_by == timing::Limit::kRegisters || largest != nullptr;
  const auto saved = facts.saved(timing::Waste::kLowOccupancy);
  constexpr double kMuch = 0.1;
  const bool helps =
      saved ? facts.share_of(*saved) >= kMuch : facts.bound() == timing::Bound::kLatency;
  if (!is_own || !is_low || !is_cause || !helps) return std::nullopt;
  const auto of_registers = facts.source.line_of_word({"__launch_bounds__", "__maxnreg__"});
  const bool is_shared = fit.limited_by == timing::Limit::kShared;
  return Found{.line = is_shared && largest != nullptr ? largest->line : of_registers,
               .values = {{"warps", base::counted(fit.warps_per_sm, "warp")},
                          {"most", number(facts.profile().sm.limits.warps)},
                          {"limit", is_shared ? "shared memory" : "registers"}},
               .cost = saved.value_or(facts.measured().seconds / 2)};
}

namespace {

Match divisions(const Facts& facts) {
  const auto* gate = facts.gate_above("warpgrade__ptx_integer_divisions.sum");
  if (gate == nullptr || facts.decisive == nullptr) return std::nullopt;
  const auto lines = division_lines(*facts.decisive->program);
  return Found{.line = lines.empty() ? 0 : *lines.begin(),
               .values = {{"busy", fmt::format("warps execute {} integer divisions",
                                               number(*gate->value()))}},
               .cost = seconds_of_instructions(
                   facts, *gate->value() * facts.profile().sm.pipes.division_slots)};
}

// The line that executes most, in these lines.
std::uint64_t warps_at(const Facts& facts, std::uint32_t at) {
  std::uint64_t out = 0;
  for (const auto& line : facts.measured().instruction_lines) {
    if (line.file == facts.report.file && line.line == at) out += line.warps;
  }
  return out;
}

// The line among `lines` that executes most; 0 without one.
std::uint32_t busiest_of(const Facts& facts, const std::vector<std::uint32_t>& lines) {
  std::uint32_t out = 0;
  std::uint64_t most = 0;
  for (const auto line : lines) {
    const auto warps = warps_at(facts, line);
    // A few more do not count: they are other parts of the line.
    if (2 * warps <= 3 * most) continue;
    most = warps;
    out = line;
  }
  return out;
}

std::uint32_t busiest_line(const Facts& facts, KernelFlow::Lines within = {}) {
  std::uint32_t out = 0;
  std::uint64_t most = 0;
  for (const auto& line : facts.measured().instruction_lines) {
    if (line.file != facts.report.file || line.warps <= most) continue;
    if (within.last != 0 && (line.line < within.first || line.line > within.last)) continue;
    most = line.warps;
    out = line.line;
  }
  return out;
}

// The bound of the time; if it is latency, the resource that is busy for most of the time.
timing::Bound nearly_bound(const Facts& facts) {
  constexpr double kMost = 0.65;
  if (facts.bound() != timing::Bound::kLatency) return facts.bound();
  for (const auto& share : facts.measured().shares) {
    const bool is_wait = share.resource == timing::Bound::kLatency ||
                         share.resource == timing::Bound::kLaunchOverhead;
    if (!is_wait && facts.share_of(share.seconds) >= kMost) return share.resource;
  }
  return facts.bound();
}

}  // namespace

Match busy_pipe(const Facts& facts) {
  using timing::Bound;
  if (auto found = divisions(facts)) return found;
  if (!facts.has_slow_case()) return std::nullopt;
  const auto bound = nearly_bound(facts);
  const auto is_pipe = [](Bound one) {
    return one == Bound::kAluPipe || one == Bound::kFmaPipe || one == Bound::kFmaHeavyPipe ||
           one == Bound::kFp64Pipe || one == Bound::kXuPipe;
  };
  Found out{.line = busiest_line(facts),
            .values = {{"busy",
                        fmt::format("{} is the limit of the time", report::bound_in_words(bound))}},
            .cost = facts.measured().seconds};
  if (is_pipe(bound)) return out;
  if (facts.bound() != Bound::kLatency) return std::nullopt;
  // Each warp waits for results of slow pipes: a division of doubles uses both.
  constexpr double kMuch = 0.35;
  double all = 0;
  double most = 0;
  for (const auto& share : facts.measured().shares) {
    if (share.resource != Bound::kFp64Pipe && share.resource != Bound::kXuPipe) continue;
    const double part = facts.share_of(share.seconds);
    all += part;
    if (part <= most) continue;
    most = part;
    out.values["busy"] =
        fmt::format("{} is busy for {} % of the time, and warps wait for its results",
                    report::bound_in_words(share.resource), number(std::round(100 * part)));
  }
  if (all < kMuch) return std::nullopt;
  out.cost = std::min(all, 1.0) * facts.measured().seconds;
  return out;
}

Match issue_bound(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto excess = excess_of(facts, "warpgrade__ptx_warp_instructions.sum");
  const bool is_bound = facts.is_slow() && nearly_bound(facts) == timing::Bound::kIssue;
  if (!excess && !is_bound) return std::nullopt;
  Found out{
      .line = busiest_line(facts),
      .cost = excess
                  ? seconds_of_instructions(facts, excess->sectors)
                  : facts.saved(timing::Waste::kInstructions).value_or(facts.measured().seconds)};
  // Half of the instructions are those of idle lanes.
  constexpr double kOfIdleLanes = 0.5;
  if (facts.has_slow_case() && idle_lanes(facts)) out.cost *= kOfIdleLanes;
  const auto loops = facts.flow.loops_around(out.line);
  if (!loops.empty() && loops.front()->line != out.line) out.other_line = loops.front()->line;
  if (!loops.empty() && loops.front()->line == out.line) {
    const auto statement = facts.flow.first_line_in(*loops.front());
    if (statement != out.line) out.other_line = statement;
  }
  out.values["instructions"] =
      excess ? fmt::format("{} instructions, and at most {} are needed",
                           number(*excess->gate->value()),
                           number(std::floor(*excess->gate->deciding_bounds().max)))
             : "more instructions than the schedulers can issue in the time of the memory accesses";
  return out;
}

namespace {

// The line that decides which tile a block has: a condition between two orders, or the index.
std::uint32_t order_line(const Facts& facts, std::uint32_t line) {
  auto source = index_source(facts, line);
  for (const auto* one : facts.flow.sources_of(facts.source.statement_at(line), line)) {
    const bool is_of_block = KernelText::count_of("blockIdx", one->value) != 0 ||
                             KernelText::count_of("gridDim", one->value) != 0;
    if (!is_of_block || KernelText::count_of("threadIdx", one->value) != 0) continue;
    source = one->line;
    break;
  }
  const auto conditions = facts.flow.conditions_around(source != 0 ? source : line);
  for (const auto* branch : conditions) {
    if (facts.flow.depends_on(branch->head, branch->line, "threadIdx")) continue;
    for (const auto word : words_of(branch->head)) {
      const auto function = facts.flow.function_called(word);
      const auto returns = facts.flow.lines_of({"return"}, function.first, function.last);
      if (function.first != 0 && !returns.empty()) return returns.front();
    }
    if (source != 0) return branch->line;
  }
  return source;
}

}  // namespace

Match camping(const Facts& facts) {
  if (facts.decisive == nullptr) return std::nullopt;
  const bool is_bound = facts.is_slow() && facts.bound() == timing::Bound::kBusiestPartition;
  const bool is_gated = std::ranges::any_of(facts.gates, [](const auto* gate) {
    return gate->definition.metric.find("partition") != std::string::npos;
  });
  if (!is_bound && !is_gated) return std::nullopt;
  const auto stores =
      costliest(facts.lines_of(kStore), [](const auto& line) { return line.sectors; });
  const auto loads =
      costliest(facts.lines_of(kLoad), [](const auto& line) { return line.sectors; });
  const auto line = stores ? stores->line : 0;
  auto decided = order_line(facts, line);
  if (decided == 0 && loads) decided = loads->line;
  // The busiest partition would be as busy as the mean one.
  double saved = 0;
  for (const auto& share : facts.measured().shares) {
    if (share.resource == timing::Bound::kBusiestPartition) saved += share.seconds;
    if (share.resource == timing::Bound::kDram) saved -= share.seconds;
  }
  return Found{.line = line,
               .other_line = decided,
               .cost = saved > 0 ? saved : facts.measured().seconds / 2};
}

Match imbalance(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  const auto* skew = std::get_if<timing::Imbalance>(&facts.measured().skew);
  if (skew == nullptr) return std::nullopt;
  const double share = facts.share_of(skew->longest_seconds);
  const double even = skew->longest > 0 ? skew->mean / skew->longest : 1;
  auto busiest = busiest_line(facts);
  const auto work = busiest;
  if (const auto call = facts.call_line(busiest); call != 0) busiest = call;
  // The condition that leaves the work to few threads.
  std::uint32_t chosen_by = 0;
  std::uint32_t constant = 0;
  for (const auto* branch : facts.flow.conditions_around(busiest)) {
    if (KernelText::count_of("?", branch->head) == 0 &&
        facts.flow.depends_on(branch->head, branch->line, "threadIdx")) {
      chosen_by = branch->line;
    }
    // `if (length < kLong)`: the number decides which rows one warp does alone.
    for (const auto word : words_of(branch->head)) {
      if (const auto number = facts.flow.constant(word); number != 0) constant = number;
    }
  }
  if (constant != 0) chosen_by = constant;
  return Found{.line = chosen_by != 0 ? chosen_by : busiest,
               .other_line = chosen_by != 0 && chosen_by != work ? work : 0,
               .values = {{"longest", number(std::round(skew->longest))},
                          {"mean", number(std::round(skew->mean))},
                          {"share", number(std::round(100 * share))}},
               .cost = skew->longest_seconds * (1 - even)};
}

Match waits_of_blocks(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  constexpr double kMuch = 0.25;
  const double share = facts.share_of(facts.measured().parts.other_blocks);
  if (share < kMuch) return std::nullopt;
  std::vector<std::uint32_t> polls;
  for (const auto* poll : facts.flow.polls()) polls.push_back(poll->line);
  return Found{.line = polls.size() == 1 ? polls.front() : busiest_of(facts, polls),
               .values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

Match launches(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  constexpr double kMuch = 0.4;
  const double share = facts.share_of(facts.measured().parts.launch);
  const auto count = facts.measured().launch_seconds.size();
  if (share < kMuch || count < 2) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))},
                          {"launches", fmt::format("{} launches", count)}},
               .cost = share * facts.measured().seconds};
}

namespace {

// "scan_totals" for "scan_totals(unsigned int*, unsigned int)".
std::string function_of(const compile::Kernel& kernel) {
  auto name = kernel.signature.substr(0, kernel.signature.find_first_of("(<"));
  return name.substr(name.rfind(' ') == std::string::npos ? 0 : name.rfind(' ') + 1);
}

// A condition on the number of a block alone: all others have no work.
const KernelFlow::Branch* condition_of_blocks(const Facts& facts) {
  const auto loads =
      costliest(facts.lines_of(kLoad), [](const auto& line) { return line.requests; });
  const auto busiest = loads ? loads->line : busiest_line(facts);
  for (const auto& branch : facts.flow.branches()) {
    const bool compares =
        branch.head.find("blockIdx . x <") == 0 || branch.head.find("blockIdx . x >") == 0 ||
        branch.head.find("blockIdx . x ==") == 0 || branch.head.find("blockIdx . x !=") == 0;
    if (branch.is_loop || !compares || branch.head.find("gridDim") != std::string::npos) continue;
    const auto around = facts.flow.conditions_around(busiest);
    const bool contains = std::ranges::find(around, &branch) != around.end();
    const bool leaves =
        branch.line < busiest && facts.flow.body_of(branch).find("return") != std::string::npos;
    if (contains || leaves) return &branch;
  }
  return nullptr;
}

}  // namespace

// Threads that have work are far fewer than the card holds.
Match few_blocks(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  const auto& measured = facts.measured();
  double waits = 0;
  for (const double one : measured.parts.waiting) waits += facts.share_of(one);
  constexpr double kMost = 0.5;
  const bool waits_most = waits + facts.share_of(measured.parts.tail) >= kMost;
  if (!waits_most && facts.bound() != timing::Bound::kLatency) return std::nullopt;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < measured.launch_seconds.size(); ++i) {
    if (measured.launch_seconds[i] > measured.launch_seconds[longest]) longest = i;
  }
  const auto& sequence = facts.decisive->timed->launches.sequence;
  if (longest >= sequence.launches.size()) return std::nullopt;
  const auto blocks = base::volume(sequence.launches[longest].grid);
  const std::uint64_t multiprocessors = facts.profile().sm.count;
  const bool is_alone = blocks * 2 < multiprocessors;
  if (is_alone && !waits_most) return std::nullopt;
  if (!is_alone) {
    const auto* branch = condition_of_blocks(facts);
    if (branch == nullptr) return std::nullopt;
    Found out{.line = branch->line, .cost = measured.seconds};
    // The variable that limits the number of blocks.
    const auto limit = words_of(branch->head).back();
    const auto all = facts.flow.before(limit, branch->line);
    if (is_identifier(limit) && !all.empty()) {
      out.other_line = out.line;
      out.line = all.front()->line;
    }
    out.values["few"] = fmt::format(
        "The condition in line {} gives work to some blocks only, so "
        "most of the card is idle.",
        branch->line);
    return out;
  }
  const auto& step = facts.decisive->timed->launches.steps;
  const auto& kernels = facts.decisive->kernels;
  const bool is_known = longest < step.size() && step[longest] < kernels.size();
  const auto within = is_known ? facts.flow.function_called(function_of(*kernels[step[longest]]))
                               : KernelFlow::Lines{};
  const auto line = busiest_line(facts, within);
  auto loads = facts.lines_of(kLoad);
  std::erase_if(loads, [&](const auto& one) {
    return within.last != 0 && (one.line < within.first || one.line > within.last);
  });
  const auto load = costliest(loads, [](const auto& one) { return one.requests; });
  return Found{
      .line = line,
      .other_line = load && load->line != line ? load->line : 0,
      .values = {{"few", fmt::format("The longest launch has {} for {} multiprocessors, so "
                                     "most of the card is idle. Line {} executes most of "
                                     "its instructions.",
                                     base::counted(blocks, "block"), multiprocessors, line)}},
      .cost = facts.measured().seconds};
}

Match tail(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  constexpr double kMuch = 0.3;
  const double share = facts.share_of(facts.measured().parts.tail);
  if (share < kMuch) return std::nullopt;
  const auto longest =
      costliest(facts.lines_of(kLoad), [](const auto& line) { return line.requests; });
  return Found{.line = longest ? longest->line : 0,
               .values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

Match barriers(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  const auto lines = facts.flow.lines_of(
      {"__syncthreads", "__syncthreads_count", "__syncthreads_or", "__syncthreads_and", "sync"}, 1,
      std::numeric_limits<std::uint32_t>::max());
  const auto line = busiest_of(facts, lines);
  double met = 0;
  for (const auto one : lines) met += static_cast<double>(warps_at(facts, one));
  const double loads = sum_of(facts.lines_of(kLoad), [](const auto& one) { return one.requests; });
  // No load passes a barrier, so one in the loop of a load also keeps others from being in flight.
  constexpr double kBesideLoads = 1.5;
  const auto around = facts.flow.loops_around(line);
  const bool is_beside = std::ranges::any_of(facts.lines_of(kLoad), [&](const auto& load) {
    const auto loops = facts.flow.loops_around(load.line);
    return !around.empty() && !loops.empty() && loops.front() == around.front();
  });
  constexpr double kMuch = 0.1;
  const auto saved = facts.saved(timing::Waste::kBarriers);
  const double share = saved ? facts.share_of(*saved) : facts.waiting(timing::WarpState::kBarrier);
  if (share >= kMuch) {
    return Found{
        .line = line,
        .values = {{"why", fmt::format("Barriers cost {} % of the time",
                                       number(std::round(100 * share)))}},
        .cost = share * facts.measured().seconds * (is_beside && met >= loads ? kBesideLoads : 1)};
  }
  // Many barriers for each load.
  constexpr double kMany = 6;
  // Warps without work in a step pass it, too, and access shared memory without effect.
  const bool is_cause = facts.bound() == timing::Bound::kIssue ||
                        facts.bound() == timing::Bound::kLatency ||
                        facts.bound() == timing::Bound::kSharedWavefronts;
  if (!is_cause || loads == 0 || met < kMany * loads) return std::nullopt;
  return Found{.line = line,
               .values = {{"why", fmt::format("Each warp meets {} barriers per load",
                                              number(std::round(met / loads)))}},
               .cost = facts.measured().seconds};
}

namespace {

// Local memory: an array with an index that is known at run time only, or registers that spill.
std::vector<LineCounters> local_lines(const Facts& facts) {
  if (facts.decisive == nullptr) return {};
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
  if (local < kMuch * all) lines.clear();
  return lines;
}

// Whether a line makes most loads from shared memory, too many, and accesses local memory as well:
// its loop is not unrolled, so no word stays in a register.
bool are_beside_shared_loads(const Facts& facts, const std::vector<LineCounters>& lines) {
  const bool is_gated =
      facts.gate_above("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") != nullptr ||
      facts.gate_above("warpgrade__shared_requests_op_ld.sum") != nullptr;
  const auto worst = costliest(facts.lines_of({run::Space::kShared, run::Operation::kLoad}),
                               [](const auto& line) { return line.wavefronts; });
  return is_gated && worst && std::ranges::any_of(lines, [&](const LineCounters& one) {
           return one.line == worst->line;
         });
}

Match local_memory(const Facts& facts, bool spills) {
  auto lines = local_lines(facts);
  if (!facts.is_slow() && (spills || !are_beside_shared_loads(facts, lines))) return std::nullopt;
  const auto sectors = [](const auto& one) { return one.sectors; };
  // The accesses, and not the declaration that sets the array to 0.
  const auto arrays = cases::all_arrays(facts.report.source);
  const auto is_declared = [&](const LineCounters& line) {
    return std::ranges::any_of(arrays, [&](const auto& one) { return one.line == line.line; });
  };
  if (!std::ranges::all_of(lines, is_declared)) std::erase_if(lines, is_declared);
  const auto line = costliest(lines, sectors);
  if (!line) return std::nullopt;
  std::erase_if(lines, [&](const auto& one) { return one.line == line->line; });
  const auto other = costliest(lines, sectors);
  // PTX has no spills, so what is in local memory there is an array.
  const auto& functions = facts.decisive->program->ptx.module().functions;
  const bool has_array = std::ranges::any_of(functions, [](const auto& function) {
    return std::ranges::any_of(function.variables, [](const auto& variable) {
      return variable.space == ptx::StateSpace::kLocal;
    });
  });
  if (has_array == spills) return std::nullopt;
  // Loops that are not unrolled keep the array in memory, and start one load at a time.
  constexpr double kDelayed = 0.5;
  const auto latency = facts.saved(timing::Waste::kMemoryLatency);
  const double delayed = spills ? 0 : kDelayed * latency.value_or(0);
  const double saved = facts.saved(timing::Waste::kLocalMemory).value_or(facts.measured().seconds);
  const auto bounds = facts.source.line_of_word({"__launch_bounds__", "__maxnreg__"});
  return Found{.line = spills && bounds != 0 ? bounds : line->line,
               .other_line = spills && bounds != 0 ? line->line
                             : other               ? other->line
                                                   : 0,
               .values = {{"sectors", number(static_cast<double>(line->sectors))}},
               .cost = std::max(saved, delayed)};
}

}  // namespace

Match spills(const Facts& facts) { return local_memory(facts, true); }
Match local_array(const Facts& facts) { return local_memory(facts, false); }

// Each lane loads one byte or a part of a word, although neighbours could be loaded together.
Match narrow(const Facts& facts) {
  constexpr double kLoads = 0.7;  // Four times as many bytes are in flight with wider loads.
  if (!facts.has_slow_case()) return std::nullopt;
  const auto lines = facts.lines_of(kLoad);
  const auto worst = costliest(lines, [](const auto& line) { return line.requests; });
  constexpr double kWordOfAllLanes = 128;
  if (!worst || per_request(worst->bytes, *worst) * 2 > kWordOfAllLanes) return std::nullopt;
  const bool is_full = used_per_sector(*worst) * 2 > kSectorBytes;
  if (!is_full) return std::nullopt;
  return Found{
      .line = worst->line,
      .values = {{"bytes", number(per_request(worst->bytes, *worst))}},
      .cost =
          facts.saved(timing::Waste::kMemoryLatency).value_or(facts.measured().seconds) * kLoads};
}

Match few_loads(const Facts& facts) {
  // Whatever else delays loads also makes warps wait for them.
  constexpr double kGeneral = 0.35;
  if (!facts.has_slow_case()) return std::nullopt;
  const auto lines = facts.lines_of(kLoad);
  // A line inside a loop comes before one outside with as many requests.
  const auto worst = costliest(lines, [&](const auto& line) {
    return 2 * line.requests + (facts.flow.loops_around(line.line).empty() ? 0U : 1U);
  });
  const auto widest = costliest(lines, [](const auto& line) { return line.sectors; });
  if (facts.bound() != timing::Bound::kLatency || !worst) return std::nullopt;
  const auto& fit = facts.measured().occupancy;
  return Found{
      .line = worst->line,
      .other_line = worst->call_line != 0         ? worst->call_line
                    : widest->line == worst->line ? 0
                                                  : widest->line,
      .values = {{"warps", base::counted(fit.warps_per_sm, "warp")}},
      .cost =
          facts.saved(timing::Waste::kMemoryLatency).value_or(facts.measured().seconds) * kGeneral};
}

// Too few loads from shared memory run beside asynchronous copies, which a gate asks for.
Match copies_alone(const Facts& facts) {
  // Copies that overlap the rest can at best take half of the time away.
  constexpr double kGeneral = 0.5;
  if (facts.decisive == nullptr) return std::nullopt;
  const auto* gate = facts.gate_on("warpgrade__shared_loads_beside_copies.pct");
  const bool copies = facts.gate_on("smsp__inst_executed_op_ldgsts.sum") == nullptr;
  if (gate == nullptr || !gate->value() || !copies) return std::nullopt;
  // Copies are often in a header.
  auto lines = facts.measured().lines;
  std::erase_if(lines, [](const auto& line) { return line.operation != kLoad; });
  const auto worst = costliest(lines, [](const auto& line) { return line.requests; });
  if (!worst) return std::nullopt;
  const auto line = worst->file == facts.report.file ? worst->line : worst->call_line;
  return Found{.line = line,
               .values = {{"share", number(*gate->value())}},
               .cost = facts.measured().seconds * kGeneral};
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
  const auto copy = copied_first(facts);
  const auto stores = copy == 0 ? std::nullopt : too_many_stores(facts);
  if (!excess && !is_more && !stores) return std::nullopt;
  Found out{.line = copy,
            .values = {{"value", text::with_prefix(excess ? *excess->gate->value() : moved, "B")},
                       {"bound", text::with_prefix(
                                     excess ? *excess->gate->deciding_bounds().max : needed, "B")}},
            .cost = excess    ? seconds_of_sectors(facts, excess->sectors / kSectorBytes)
                    : is_more ? facts.measured().seconds / 3
                              : 0};
  if (stores) out.cost = std::max(out.cost, stores->cost);
  return out;
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
      if (!counts || line.file != facts.report.file || line.sectors + line.wavefronts < most)
        continue;
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
    out.values["bound"] +=
        fmt::format("; the limit of the time is {}", report::bound_in_words(facts.bound()));
  }
  return out;
}

}  // namespace warpgrade::grader::grade

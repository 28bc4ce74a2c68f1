// SPDX-License-Identifier: Apache-2.0
// The causes of waste: which gates, counters by line and parts of the time each of them needs.
// In: the facts of a failure. Out: a match with its line, its numbers and its cost.
// Costs are sectors for gates on counters, and seconds for gates on speed.
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

#include "common/base/place.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/timing/multiprocessor.h"
#include "grader/cases/student_terms.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/explain/cause_facts.h"
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
constexpr std::string_view kLoadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";

double used_per_sector(const LineCounters& line) {
  return line.sectors == 0
             ? kSectorBytes
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
  return static_cast<double>(count) /
         static_cast<double>(std::max<std::uint64_t>(line.requests, 1));
}

template <typename Cost>
std::optional<LineCounters> costliest(const std::vector<LineCounters>& lines, const Cost& cost) {
  if (lines.empty()) return std::nullopt;
  return *std::ranges::max_element(lines,
                                   [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
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
  constexpr double kEnough = 26;  // The most is 32 bytes.
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

// The line of `operation` that wastes most sectors, if that is why a gate fails.
std::optional<LineCounters> wasteful_line(const Facts& facts, const MemoryOperation& operation) {
  if (facts.decisive == nullptr) return std::nullopt;
  const auto lines = facts.lines_of(operation);
  auto worst = costliest(lines, wasted_sectors);
  if (!worst || worst->sectors == 0) return std::nullopt;
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
  if (!line || spread_of(*line, largest_element(facts)) != wanted) return std::nullopt;
  const bool is_load = operation == kLoad;
  Found out{.line = line->line, .cost = wasted_sectors(*line)};
  const auto* gate = facts.gate_on(is_load ? kLoadUse : kStoreUse);
  const auto least = gate == nullptr ? std::nullopt : gate->deciding_bounds().min;
  out.values = {
      {"used", number(std::round(10 * used_per_sector(*line)) / 10)},
      {"needed",
       least ? fmt::format("at least {} are needed", number(*least))
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
Match loads_in_part(const Facts& facts) { return spread(facts, kLoad, Spread::kPartial); }
Match stores_in_part(const Facts& facts) { return spread(facts, kStore, Spread::kPartial); }
Match loads_shifted(const Facts& facts) { return spread(facts, kLoad, Spread::kShifted); }
Match stores_shifted(const Facts& facts) { return spread(facts, kStore, Spread::kShifted); }

namespace {

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

}  // namespace

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
  const auto excess = excess_of(facts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
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
  // Gates are in the order in which they matter.
  constexpr double kLater = 0.1;
  const auto first = memory::operation_of(facts.gates.front()->definition.metric);
  const bool is_first = !first || first->space == run::Space::kShared;
  return Found{
      .line = worst->line,
      .values = {{"wavefronts", number(per_request(worst->wavefronts, *worst))},
                 {"least", number(per_request(worst->wavefronts - worst->conflicts, *worst))},
                 {"operation", memory::name(worst->operation)}},
      .cost = kSectorsOfWavefront * all * (is_first ? 1 : kLater)};
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
  const double each =
      contention != nullptr ? contention->on_one_word : per_request(worst->wavefronts, *worst);
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
      .cost = excess ? excess->sectors : facts.measured().seconds / (is_bound ? 1 : 4)};
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
    out.values["array"] = fmt::format("{}{}", largest->name, base::extents_text(largest->extents));
  }
  return out;
}

Match limited_occupancy(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  const auto& fit = facts.measured().occupancy;
  const bool is_own =
      fit.limited_by == timing::Limit::kRegisters || fit.limited_by == timing::Limit::kShared;
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

namespace {

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

}  // namespace

Match busy_pipe(const Facts& facts) {
  using timing::Bound;
  if (auto found = divisions(facts)) return found;
  if (!facts.has_slow_case()) return std::nullopt;
  const auto bound = facts.bound();
  const bool is_pipe = bound == Bound::kAluPipe || bound == Bound::kFmaPipe ||
                       bound == Bound::kFmaHeavyPipe || bound == Bound::kFp64Pipe ||
                       bound == Bound::kXuPipe;
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
  if (!facts.has_slow_case()) return std::nullopt;
  const auto* skew = std::get_if<timing::Imbalance>(&facts.measured().skew);
  if (skew == nullptr) return std::nullopt;
  const double share = facts.share_of(skew->longest_seconds);
  return Found{.line = busiest_line(facts),
               .values = {{"longest", number(std::round(skew->longest))},
                          {"mean", number(std::round(skew->mean))},
                          {"share", number(std::round(100 * share))}},
               .cost = facts.measured().seconds};
}

Match waits_of_blocks(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  constexpr double kMuch = 0.25;
  const double share = facts.share_of(facts.measured().parts.other_blocks);
  if (share < kMuch) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

Match launches(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
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
  if (!facts.has_slow_case()) return std::nullopt;
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
  if (!facts.has_slow_case()) return std::nullopt;
  constexpr double kMuch = 0.3;
  const double share = facts.share_of(facts.measured().parts.tail);
  if (share < kMuch) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

Match barriers(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
  constexpr double kMuch = 0.15;
  const double share = facts.waiting(timing::WarpState::kBarrier);
  if (share < kMuch) return std::nullopt;
  return Found{.values = {{"share", number(std::round(100 * share))}},
               .cost = share * facts.measured().seconds};
}

namespace {

// Local memory: an array with an index that is known at run time only, or registers that spill.
std::optional<LineCounters> local_line(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
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

}  // namespace

Match spills(const Facts& facts) { return local_memory(facts, true); }
Match local_array(const Facts& facts) { return local_memory(facts, false); }

// Each lane loads one byte or a part of a word, although neighbours could be loaded together.
Match narrow(const Facts& facts) {
  if (!facts.has_slow_case()) return std::nullopt;
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
  if (!facts.has_slow_case()) return std::nullopt;
  const auto worst =
      costliest(facts.lines_of(kLoad), [](const auto& line) { return line.sectors; });
  if (facts.bound() != timing::Bound::kLatency || !worst) return std::nullopt;
  const auto& fit = facts.measured().occupancy;
  return Found{.line = worst->line,
               .values = {{"warps", base::counted(fit.warps_per_sm, "warp")}},
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
  return Found{
      .values = {{"value", text::with_prefix(excess ? *excess->gate->value() : moved, "B")},
                 {"bound",
                  text::with_prefix(excess ? *excess->gate->deciding_bounds().max : needed, "B")}},
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

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/course/cause_id.h"
#include "grader/grade/explain/cause_facts.h"

namespace warpgrade::grader::grade {
namespace {

using course::CauseId;

// ---- The table.

struct Row {
  CauseId id;
  Match (*match)(const Facts& facts);
  std::string_view why;   // {name}: a value of the match; {line} and {other}: its lines.
  std::string_view next;  // Empty: the advice for the kind of failure.
};

// The first row that applies is the cause; special rows come before general ones.
constexpr Row kFaults[] = {
    {CauseId::kCompileError, compile_error, "The file does not compile as the exercise needs it.",
     ""},
    {CauseId::kDivergentBarrier, skipped_barrier,
     "The barrier in line {line} is not reached by all threads that must meet there.", ""},
    {CauseId::kWeakWait, weak_wait,
     "The wait for {array} at line {line} does not order what follows it: a plain flag, a missing "
     "fence, too narrow a scope, or a wait for the wrong copies.",
     "Set and read the flag by atomics (or cuda::atomic_ref), and put a __threadfence() between "
     "the "
     "data and the flag on both sides. For copies, wait for the group that contains them."},
    {CauseId::kMissingAtomic, lost_update,
     "Line {line} changes {array} without an atomic, and several threads change the same element: "
     "updates are lost.",
     "Let an atomic read and write in one step, such as atomicAdd(). A barrier does not help: "
     "threads "
     "of one iteration change the same element."},
    {CauseId::kMissingSyncwarp, missing_syncwarp,
     "A {barrier} is missing {between}: lanes of one warp exchange {place} there.", ""},
    {CauseId::kMissingBarrier, missing_barrier,
     "A {barrier} is missing {between}: one thread {does} {place} while another still uses it.",
     ""},
    {CauseId::kMissingGridSync, missing_grid_sync,
     "Line {line}: blocks exchange {place} within one launch, and nothing orders them.",
     "A __syncthreads() orders only threads of one block. Do the first part in a launch of its "
     "own, "
     "or before the launch, or use a barrier of the grid."},
    {CauseId::kWrongIndex, stored_twice,
     "Line {line}: two threads of a block store {place}. An index is wrong, or both have the same "
     "part of the work.",
     "Write down which elements each thread stores. Each element belongs to one thread."},
    {CauseId::kRace, other_race,
     "Line {line}: two threads access {place} in no defined order, and at least one of them "
     "writes.",
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
    {CauseId::kMissingGuard, missing_guard, "Line {line} needs a guard: a thread {access}.", ""},
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
    {CauseId::kWrongStride, wrong_length, "An index uses the wrong row length: {difference}", ""},
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
     "Look at each comparison with a size: which index does it leave out, and is that index "
     "valid?"},
    {CauseId::kMissingEdge, rest_unwritten,
     "The rest of a division is never written: only sizes with a partial tile, row or group fail. "
     "{difference}",
     "Find the condition, return or loop bound that skips a partial tile, and let its valid part "
     "be "
     "done."},
    {CauseId::kWrongIndex, stored_elsewhere,
     "Some elements are written twice and others never: {difference}", ""},
    {CauseId::kUnwritten, never_written, "{unwritten} are never written: {difference}", ""},
    {CauseId::kMissingEdge, rest_unread,
     "No thread loads {count} of the {of} of {array}: the rest of a division is left out. "
     "{difference}",
     "Which elements are left if the size is not a multiple of a group, tile or round? Handle them "
     "in the same loop with a guard, or after it."},
    {CauseId::kMissingEdge, rest_wrong,
     "Only sizes with a rest are wrong, a partial tile, row or group: {difference}",
     "Compute by hand what happens to the rest: sizes without one are right."},
    {CauseId::kWrongIndex, fixed_number,
     "Only cases with {variable} are right: the file has a fixed number where the variable "
     "belongs. "
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
     "The longest launch has {blocks} for {multiprocessors} multiprocessors, so most of the card "
     "is "
     "idle. Line {line} executes most of the instructions.",
     "Divide this work among more threads and blocks."},
    {CauseId::kImbalance, imbalance,
     "The work is uneven: the longest warp executes {longest} instructions, the mean warp {mean}, "
     "and "
     "the longest warp alone runs for {share} % of the time.",
     "Divide the longest work among more warps, or give each warp the same number of elements."},
    {CauseId::kPartitionCamping, camping,
     "Blocks that run together use the same memory partition: the busiest one is the limit of the "
     "time.",
     "Write down, for blocks that run together, the address of each block's tile divided by 256, "
     "modulo the number of partitions: all should come up, on the side that is read and on the "
     "side "
     "that is written."},
    {CauseId::kWaitsOfBlocks, waits_of_blocks,
     "Blocks wait for each other for {share} % of the time.",
     "Shorten the chain: let a block publish its own part before it needs another block's."},
    {CauseId::kLaunches, launches, "{launches} cost {share} % of the time.",
     "Do the work in fewer launches."},
    {CauseId::kTail, tail,
     "{share} % of the time is lost at the end, when no block is left to start.",
     "Choose a number of blocks that fills all multiprocessors in whole waves, or smaller blocks."},
    {CauseId::kAtomicContention, atomic_contention,
     "Line {line}: {lanes} lanes of a warp add to the same word on average, and are served one "
     "after "
     "another.",
     "Spread the additions over copies of the word for different lanes, or add up equal values "
     "first."},
    {CauseId::kGlobalAtomics, global_atomics,
     "Line {line} makes {requests} requests of atomics on global memory; {needed}.",
     "Add up in shared memory or in registers, and make one atomic per block or warp."},
    {CauseId::kSpills, spills, "Registers are spilled to local memory: {sectors} sectors.",
     "Keep fewer values per thread, or allow more registers (__launch_bounds__)."},
    {CauseId::kLocalMemory, local_array,
     "Line {line} keeps an array in local memory, which moves {sectors} sectors: its index is not "
     "known when the kernel is compiled.",
     "Unroll the loops over the array completely, so that it becomes registers."},
    {CauseId::kBankConflicts, bank_conflicts,
     "Line {line} has bank conflicts: a {operation} of a warp costs {wavefronts} wavefronts, and "
     "without conflicts {least}.",
     "Write down the bank (word modulo 32) of each word that one warp accesses in line {line}. No "
     "two "
     "different words may share a bank: pad the rows, or change which lane uses which word."},
    {CauseId::kUncoalescedLoad, loads_apart,
     "Line {line} uses {used} of the 32 bytes in each sector that it loads; {needed}.",
     "Lanes are far apart. Let neighbouring lanes load neighbouring words: write down which "
     "elements "
     "lanes 0 and 1 load in line {line}."},
    {CauseId::kUncoalescedStore, stores_apart,
     "Line {line} uses {used} of the 32 bytes in each sector that it stores; {needed}.",
     "Lanes are far apart. Let neighbouring lanes store neighbouring words: write down which "
     "elements "
     "lanes 0 and 1 store in line {line}."},
    {CauseId::kMisalignedRows, loads_shifted,
     "Line {line} uses {used} of the 32 bytes in each sector that it loads; {needed}. Each request "
     "begins within a sector.",
     "Let the first lane of a warp begin at a multiple of 32 bytes."},
    {CauseId::kMisalignedRows, stores_shifted,
     "Line {line} uses {used} of the 32 bytes in each sector that it stores; {needed}. Each "
     "request "
     "begins within a sector.",
     "Let the first lane of a warp begin at a multiple of 32 bytes."},
    {CauseId::kPartialSectors, loads_in_part,
     "Line {line} uses {used} of the 32 bytes in each sector that it loads; {needed}.",
     "Few lanes share a sector. Let all neighbouring lanes load neighbouring words in line {line}, "
     "or "
     "load several words at once."},
    {CauseId::kPartialSectors, stores_in_part,
     "Line {line} uses {used} of the 32 bytes in each sector that it stores; {needed}.",
     "Few lanes share a sector. Let all neighbouring lanes store neighbouring words in line "
     "{line}, "
     "or store several words at once."},
    {CauseId::kNoTile, no_tile,
     "Line {line} loads {sectors} sectors, since each thread loads what its neighbours load, too. "
     "All "
     "loads move {value} {unit}; at most {bound} are needed.",
     "Let the block load each element once, keep it in shared memory or L1, and let all its "
     "threads "
     "use it there."},
    {CauseId::kRedundantLoads, redundant_loads,
     "Elements are loaded more than once: all loads make {value} {unit}, and at most {bound} are "
     "needed. Line {line} makes most of them.",
     "Load each element once, and keep it in a register or in shared memory."},
    {CauseId::kRedundantLoads, redundant_shared_loads,
     "Words of shared memory are loaded more often than needed: all loads cost {value} {unit}, and "
     "at "
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
     "Replace expensive operations: divisions by multiplications or shifts, double by float, and "
     "move "
     "what does not change out of the loop."},
    {CauseId::kIssueBound, issue_bound,
     "Warps execute {instructions}; most of them in line {line}.",
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
     "Warps wait for memory: each thread has too few loads in flight in line {line}, with {warps} "
     "on "
     "a multiprocessor.",
     "Start several independent loads before the first one is used: unroll the loop, and load into "
     "registers first."},
};

constexpr Row kUnknown = {CauseId::kOther, any_gate,
                          "{meaning}: {value}, needed {bound} on {device}.", ""};

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

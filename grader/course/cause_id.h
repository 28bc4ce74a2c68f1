// SPDX-License-Identifier: Apache-2.0
// The names of causes: the mistakes that a grade can name. Reports and JSON have them, the heads
// of wrong solutions state them, and hints of a manifest refer to them.
// docs/causes.md describes each of them. grader/grade/explain/causes.cpp decides among them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpgrade::grader::course {

/// Mistakes in results come first, then those in speed.
enum class CauseId : std::uint8_t {
  kMissingBarrier,
  kMissingSyncwarp,
  kMissingGridSync,
  kMissingAtomic,
  kWeakWait,
  kDivergentBarrier,
  kOutOfBounds,
  kMissingGuard,
  kWrongGuard,
  kMissingEdge,
  kMisaligned,
  kUninitialised,
  kUnwritten,
  kSwappedIndices,
  kWrongStride,
  kWrongIndex,
  kFloatIndex,
  kIndexOverflow,
  kWrongOperation,
  kWrongStart,
  kWritesInput,
  kRace,
  kInfiniteLoop,
  kWrongRounding,
  kCompileError,
  kUncoalescedLoad,
  kUncoalescedStore,
  kPartialSectors,
  kMisalignedRows,
  kBankConflicts,
  kPartitionCamping,
  kRedundantLoads,
  kRedundantSharedLoads,
  kRedundantStores,
  kNoTile,
  kExtraPass,
  kFewLoadsInFlight,
  kLowOccupancy,
  kFewBlocks,
  kTail,
  kImbalance,
  kWaitsOfBlocks,
  kDivergence,
  kAtomicContention,
  kGlobalAtomics,
  kBusyPipe,
  kIssueBound,
  kSpills,
  kLocalMemory,
  kNarrowAccesses,
  kBarriers,
  kLaunches,
  kOther,  ///< None of them: only the gate that failed is known.
};

inline constexpr std::array<std::string_view, 53> kCauseNames = {"missing_barrier",
                                                                 "missing_syncwarp",
                                                                 "missing_grid_sync",
                                                                 "missing_atomic",
                                                                 "weak_wait",
                                                                 "divergent_barrier",
                                                                 "out_of_bounds",
                                                                 "missing_guard",
                                                                 "wrong_guard",
                                                                 "missing_edge",
                                                                 "misaligned",
                                                                 "uninitialised",
                                                                 "unwritten",
                                                                 "swapped_indices",
                                                                 "wrong_stride",
                                                                 "wrong_index",
                                                                 "float_index",
                                                                 "index_overflow",
                                                                 "wrong_operation",
                                                                 "wrong_start",
                                                                 "writes_input",
                                                                 "race",
                                                                 "infinite_loop",
                                                                 "wrong_rounding",
                                                                 "compile_error",
                                                                 "uncoalesced_load",
                                                                 "uncoalesced_store",
                                                                 "partial_sectors",
                                                                 "misaligned_rows",
                                                                 "bank_conflicts",
                                                                 "partition_camping",
                                                                 "redundant_loads",
                                                                 "redundant_shared_loads",
                                                                 "redundant_stores",
                                                                 "no_tile",
                                                                 "extra_pass",
                                                                 "few_loads_in_flight",
                                                                 "low_occupancy",
                                                                 "few_blocks",
                                                                 "tail",
                                                                 "imbalance",
                                                                 "waits_of_blocks",
                                                                 "divergence",
                                                                 "atomic_contention",
                                                                 "global_atomics",
                                                                 "busy_pipe",
                                                                 "issue_bound",
                                                                 "spills",
                                                                 "local_memory",
                                                                 "narrow_accesses",
                                                                 "barriers",
                                                                 "launches",
                                                                 "other"};
static_assert(kCauseNames.size() == static_cast<std::size_t>(CauseId::kOther) + 1);

constexpr std::string_view name(CauseId cause) {
  return kCauseNames.at(static_cast<std::size_t>(cause));
}

/// nullopt if no cause has this name.
constexpr std::optional<CauseId> cause_called(std::string_view wanted) {
  for (std::size_t i = 0; i < kCauseNames.size(); ++i) {
    if (kCauseNames.at(i) == wanted) return static_cast<CauseId>(i);
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::course

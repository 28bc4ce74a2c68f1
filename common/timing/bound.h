// SPDX-License-Identifier: Apache-2.0
// Small facts about the time of a launch: its bound, its occupancy, and the parts that the time
// model does not time exactly.
//
// Unmodelled parts put the true time in a range around the modelled one. A gate on a modelled
// speed is decided only if the whole range passes, or all of it fails. docs/fidelity.md lists the
// parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

#include "common/device/profile.h"

namespace warpgrade::timing {

/// In the order of their names, which decides between resources that bind for equally long.
enum class Bound : std::uint8_t {
  kNone,  ///< Not known.
  kAluPipe,
  kBlocksNotFollowed,  ///< See sample.h.
  kBusiestAtomicUnit,
  kBusiestPartition,
  kConstantPasses,  ///< Passes for lanes that read different constants.
  kDram,
  kFmaPipe,  ///< On cards on which f32 arithmetic and integer products share a pipe.
  kFmaHeavyPipe,
  kFp64Pipe,
  kIssue,
  kL1Data,
  kL2,
  kL2PartialWrites,
  kL2Stores,
  kLatency,  ///< Time in which none of the other resources is the reason.
  kLaunchOverhead,
  kMeasured,   ///< A GPU's time, which names no resource.
  kOccupancy,  ///< No block fits on a multiprocessor.
  kSharedWavefronts,
  kSmPort,
  kTagLookups,
  kXuPipe,
};

/// The name in JSON: "dram", "busiest partition", ...; empty for kNone.
std::string_view name(Bound bound);

enum class Unmodelled : std::uint8_t {
  kWaitsBetweenBlocks,   ///< A block waits for a word that another block writes.
  kBlocksNotBegun,       ///< A block waits for one that begins later.
  kLateBlocks,           ///< Blocks arrive late at a barrier of the grid or of a cluster.
  kLockAttempts,         ///< Attempts to get a lock that fail and slow down its owner.
  kMemoryDuringWaits,    ///< Resources that blocks share while some of them wait.
  kOtherBlocksMemory,    ///< The network to the shared memory of other blocks of a cluster.
  kFences,               ///< Fences without an access between them.
  kColdConstants,        ///< Constants that a multiprocessor does not hold yet.
  kSleepsOfWaits,        ///< A loop that sleeps, or tests a phase, until another thread is done.
  kBulkCopies,           ///< Counted as copies of 16 bytes per lane: the time is too long.
  kRequestsOfManyUnits,  ///< Requests for one line that L2 merges; no bound is known.
  kFullSize,             ///< The size whose speed is graded; another one was timed.
  kLongBlock,            ///< A block that does several times the work of the traced ones.
  kCount,
};

class UnmodelledSet {
 public:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  /// The launch takes up to `longer` seconds more than modelled, and up to `shorter` less.
  void add(Unmodelled part, double longer = kUnknown, double shorter = 0) {
    const auto i = static_cast<std::size_t>(part);
    has_.at(i) = true;
    longer_.at(i) += longer;
    shorter_.at(i) += shorter;
  }
  void add(const UnmodelledSet& others) {
    for (std::size_t i = 0; i < kParts; ++i) {
      if (others.has_[i]) add(static_cast<Unmodelled>(i), others.longer_[i], others.shorter_[i]);
    }
  }
  bool has(Unmodelled part) const { return has_.at(static_cast<std::size_t>(part)); }
  bool empty() const { return *this == UnmodelledSet(); }
  double longer() const { return std::accumulate(longer_.begin(), longer_.end(), 0.0); }
  double shorter() const { return std::accumulate(shorter_.begin(), shorter_.end(), 0.0); }
  /// The parts that make the time longer or, if not `longer`, shorter than modelled.
  UnmodelledSet only(bool longer) const {
    UnmodelledSet out;
    for (std::size_t i = 0; i < kParts; ++i) {
      const auto part = static_cast<Unmodelled>(i);
      if (longer && longer_[i] > 0) out.add(part, longer_[i]);
      if (!longer && shorter_[i] > 0) out.add(part, 0, shorter_[i]);
    }
    return out;
  }

  friend bool operator==(const UnmodelledSet&, const UnmodelledSet&) = default;

 private:
  static constexpr auto kParts = static_cast<std::size_t>(Unmodelled::kCount);

  std::array<bool, kParts> has_{};
  std::array<double, kParts> longer_{};
  std::array<double, kParts> shorter_{};
};

// The number of blocks of a kernel that fit on one SM of a profile, and the limit.

/// The resource that limits the number of blocks on an SM.
enum class Limit : std::uint8_t { kNone, kWarps, kBlocks, kRegisters, kShared, kBarriers };

/// "warps", "blocks", "registers", "shared" or "barriers"; empty for kNone.
std::string_view name(Limit limit);

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: a block of the kernel does not fit.
  std::uint32_t warps_per_sm = 0;
  Limit limited_by{};
};

/// `threads` per block, `registers` per thread, `shared_bytes` (static and dynamic) and named
/// `barriers` per block.
Occupancy occupancy(const device::Profile& profile, std::uint32_t threads, std::uint32_t registers,
                    std::uint32_t shared_bytes, std::uint32_t barriers = 0);

}  // namespace warpgrade::timing

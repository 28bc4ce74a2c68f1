// SPDX-License-Identifier: Apache-2.0
// The executed operations of a sample's blocks, in machine order and as compact as the simulation
// allows.
//
// A warp consists of a program, which most warps of a kernel share, and its own memory requests in
// program order.
#pragma once

#include <cstdint>
#include <vector>

#include "common/memory/atomic_work.h"
#include "common/memory/global_access.h"
#include "common/timing/schedule.h"
#include "common/timing/unmodelled.h"
#include "common/timing/wait_clocks.h"

namespace warpgrade::timing {

/// One memory instruction of a warp, or one that waits.
struct TracedAccess {
  enum class Kind : std::uint8_t {
    kShared,
    kLoad,
    kStore,
    kAtomic,
    kConstant,     ///< Lanes read `values` different addresses of constant memory.
    kSleep,        ///< `place` nanoseconds.
    kFence,        ///< Until the warp's earlier accesses are performed, for `fence`.
    kCloseGroup,   ///< Closes a group of copies of kind `copy`.
    kAwaitGroups,  ///< Until at most the `place` newest groups of kind `copy` still run.
    kArrive,       ///< At the meeting `place` of the block; after its copies of kind `copy`.
    kMeet,         ///< Until all arrivals at the meeting `place`.
  };
  /// Asynchronous copies. A warp waits for them only in instructions of their own.
  enum class Copy : std::uint8_t {
    kNone,
    kAsync,     ///< cp.async
    kBulkIn,    ///< cp.async.bulk to shared memory
    kBulkRead,  ///< cp.async.bulk to global memory: its reads of shared memory
    kBulkOut,   ///< ... and its stores
    kCopies,
  };
  static constexpr std::uint8_t kNoBuffer = 0xff;
  static constexpr std::uint8_t kSpills = 0xfe;  ///< As `buffer`: spilled registers.
  Kind kind{};
  std::uint16_t wavefronts = 0;  ///< Wavefronts of shared memory.
  std::uint16_t lines = 0;       ///< Lines looked up; on cc 1.x transactions. For kConstant, those
                                 ///< that are not in its cache.
  std::uint16_t sectors = 0;     ///< Sectors that go below L1.
  std::uint16_t reused = 0;      ///< Part of `sectors` that the block loaded into L2 before, or
                                 ///< spilled there.
  std::uint16_t lost = 0;        ///< Part of `sectors` that L2 has evicted since then.
  /// Fresh sectors are neither reused nor lost. Those that a block loads from the buffer fill the
  /// range from 0 to 1 in the order of the warps' turns; this request's are between these two.
  float fresh_begin = 0;
  float fresh_end = 0;
  /// Difference to the sectors in memory::Counters, where warps do not take turns and adjacent
  /// stores of a warp are not merged.
  std::int16_t more = 0;
  std::uint8_t pages = 0;           ///< DRAM pages of its lines; 0: unknown. For kConstant, pieces
                                    ///< of 256 bytes that contain them.
  std::uint32_t place = 0;          ///< A hash of the first address; 0: unknown.
  std::uint8_t buffer = kNoBuffer;  ///< Number of the launch's buffer that it accesses, or kSpills.
  std::uint16_t tag_clocks = 0;     ///< Clocks of L1's tag stage with banks; else see `lines`.
  std::uint16_t partial = 0;        ///< Sectors of stores that are written incompletely.
  std::uint32_t rounds = 0;         ///< For a loop of loads and swaps in shared memory.
  std::uint8_t values = 0;          ///< Different values of a match, which is `kind` kShared.
  Copy copy{};                      ///< The copy that it is a part of, or acts on.
  FenceScope fence{};
  bool is_release = false;  ///< A fence that orders nothing after it, and keeps L1.
  bool is_object = false;   ///< Arrives at, or tests, a barrier object.
  bool is_remote = false;   ///< In the shared memory of another block of the cluster.
  /// Its part of the block's transactions on profiles with partitions, or of the block's atomic
  /// works.
  std::uint32_t first_transaction = 0;
  std::uint32_t transactions = 0;
  std::uint32_t atomic_works = 0;
  std::uint8_t lanes = 0;  ///< Active lanes, for an atomic that serves lanes on a word one by one.
  std::uint8_t on_one_word = 0;  ///< Those on the word that most of them use; 0: no such atomic.

  friend bool operator==(const TracedAccess&, const TracedAccess&) = default;
};

struct BlockAtomicWork {
  memory::AtomicWork work;
  bool is_float = false;
};

struct WarpTrace {
  std::uint32_t program = 0;
  std::uint32_t first_request = 0;  ///< Index in the block's requests.
};

struct BlockTrace {
  std::uint64_t linear = 0;
  std::uint64_t instructions = 0;  ///< PTX instructions executed by its warps.
  std::vector<WarpTrace> warps;
  std::vector<TracedAccess> requests;
  std::vector<memory::Transaction> transactions;
  std::vector<BlockAtomicWork> atomic_works;
  std::vector<std::uint32_t> arrivals;  ///< By meeting: the kArrive of all warps.
  std::uint32_t constant_lines = 0;     ///< Lines of 64 bytes of constant memory that it reads.
  std::uint32_t constant_misses = 0;  ///< Loads of one constant by a warp that miss them, at most.
};

using WarpProgram = std::vector<Step>;

struct Trace {
  std::vector<WarpProgram> programs;
  std::vector<BlockTrace> blocks;  ///< In the order of their linear index.
  UnmodelledSet unmodelled;        ///< Makes its time inexact.
};

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
// The operations that the blocks of a sample have executed, in machine order and as short as the
// simulation needs.
//
// A warp is a program, which most warps of a kernel share, and its own requests of memory in the
// order in which the program makes them.
#pragma once

#include <cstdint>
#include <vector>

#include "common/memory/atomic_work.h"
#include "common/memory/global_access.h"
#include "common/timing/schedule.h"

namespace warpgrade::timing {

/// One memory instruction of a warp.
struct TracedAccess {
  enum class Kind : std::uint8_t { kShared, kLoad, kStore, kAtomic };
  static constexpr std::uint8_t kNoBuffer = 0xff;
  Kind kind{};
  std::uint16_t wavefronts = 0;  ///< Wavefronts of shared memory.
  std::uint16_t lines = 0;       ///< Looked up; on cc 1.x transactions.
  std::uint16_t sectors = 0;     ///< Sectors that go below L1 ...
  std::uint16_t reused = 0;      ///< ... of these, those that the block has left in L2 before ...
  std::uint16_t lost = 0;        ///< ... and those that L2 has had to give up since.
  /// Sectors that memory::Counters counts beyond `sectors`: it lets no warps take turns, and does
  /// not merge what a warp stores side by side.
  std::int16_t more = 0;
  std::uint8_t pages = 0;           ///< Pages of DRAM that its lines are in; 0: not known.
  std::uint32_t place = 0;          ///< A number from the first one's address; 0: not known.
  std::uint8_t buffer = kNoBuffer;  ///< The launch's buffer that they are in, by number.
  std::uint16_t tag_clocks = 0;     ///< Of L1's tag stage, where it has banks; else by `lines`.
  std::uint16_t partial = 0;        ///< Sectors of stores that are written in part only.
  std::uint32_t rounds = 0;         ///< Of a loop of loads and swaps in shared memory.
  /// Its part of the block's transactions where the profile has partitions, or of the block's
  /// atomic works.
  std::uint32_t first_transaction = 0;
  std::uint32_t transactions = 0;
  std::uint32_t atomic_works = 0;
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
  std::uint64_t instructions = 0;  ///< PTX instructions that its warps have executed.
  std::vector<WarpTrace> warps;
  std::vector<TracedAccess> requests;
  std::vector<memory::Transaction> transactions;
  std::vector<BlockAtomicWork> atomic_works;
};

using WarpProgram = std::vector<Step>;

struct Trace {
  std::vector<WarpProgram> programs;
  std::vector<BlockTrace> blocks;  ///< In the order of their linear index.
};

}  // namespace warpgrade::timing

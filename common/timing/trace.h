// SPDX-License-Identifier: Apache-2.0
// The executed operations of a sample's blocks, in machine order and as compact as the simulation
// allows.
//
// A warp consists of a program, which most warps of a kernel share, and its own memory requests
// in program order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/memory/global_access.h"
#include "common/timing/bound.h"
#include "common/timing/l1_loads.h"
#include "common/timing/machine_code.h"
#include "common/timing/schedule.h"

namespace warpgrade::timing {

/// One memory instruction of a warp, or one that waits.
struct TracedAccess {
  enum class Kind : std::uint8_t {
    kShared,
    kLoad,
    kStore,
    kAtomic,
    kConstant,     ///< Lanes read `values` different addresses of constant memory.
    kSubroutine,   ///< `place` clocks of dependent instructions.
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
  static constexpr std::uint16_t kNoFetch = 0xffff;
  static constexpr std::uint8_t kNoBuffer = 0xff;
  static constexpr std::uint8_t kLocal = 0xfe;  ///< As `buffer`: local memory.
  Kind kind{};
  std::uint16_t wavefronts = 0;  ///< Wavefronts of shared memory.
  std::uint16_t lines = 0;       ///< Lines looked up; on cc 1.x transactions. For kConstant, those
                                 ///< that are not in its cache.
  std::uint16_t sectors = 0;     ///< Sectors that go below L1.
  std::uint16_t reused = 0;      ///< Part of `sectors` that the block loaded into L2 before, or
                                 ///< stored there as local memory.
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
  std::uint32_t granule = 0;        ///< A hash of the first 64 bytes; 0: unknown.
  std::uint8_t buffer = kNoBuffer;  ///< Number of the launch's buffer that it accesses, or kLocal.
  std::uint16_t tag_clocks = 0;     ///< Clocks of L1's tag stage with banks; else see `lines`.
  std::uint16_t partial = 0;        ///< Sectors of stores that are written incompletely.
  std::uint32_t rounds = 0;         ///< For a loop of loads and swaps in shared memory.
  std::uint8_t values = 0;          ///< Different values of a match, which is `kind` kShared.
  Copy copy{};                      ///< The copy that it is a part of, or acts on.
  FenceScope fence{};
  bool is_in_l1 = false;    ///< L1 may answer it.
  bool is_release = false;  ///< A fence that orders nothing after it, and keeps L1.
  bool is_object = false;   ///< Arrives at, or tests, a barrier object.
  bool is_remote = false;   ///< In the shared memory of another block of the cluster.
  bool returns = false;     ///< An atomic whose result is used.
  /// Its part of the block's transactions on profiles with partitions, or of the block's atomic
  /// works.
  std::uint32_t first_transaction = 0;
  std::uint32_t transactions = 0;
  std::uint32_t atomic_works = 0;
  std::uint8_t lanes = 0;  ///< Active lanes, for an atomic that serves lanes on a word one by one.
  std::uint8_t on_one_word = 0;  ///< Those on the word that most of them use; 0: no such atomic.
  /// The request that brings to L1 what this load finds there: its number, and its warp's. A load
  /// of a line on its way to L1 waits for it (in_flight.csv in tests/evidence/golden/h200_memory).
  std::uint32_t fetch = 0;
  std::uint16_t fetching_warp = kNoFetch;

  friend bool operator==(const TracedAccess&, const TracedAccess&) = default;
};

/// On one sector if it adds floats.
using BlockAtomicWork = memory::AtomicWork;

struct WarpTrace {
  std::uint32_t program = 0;
  std::uint32_t first_request = 0;  ///< Index in the block's requests.
};

struct BlockTrace {
  std::uint64_t linear = 0;
  std::uint64_t instructions = 0;  ///< PTX instructions executed by its warps.
  std::uint32_t l1_sectors = 0;    ///< Sectors of loads and stores that L1 looks up.
  std::uint32_t l1_hits = 0;
  L1Loads l1_loads;
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
  std::vector<BlockTrace> blocks;    ///< In the order of their linear index.
  UnmodelledSet unmodelled;          ///< Makes its time inexact.
  std::shared_ptr<StepLines> lines;  ///< All steps' lines; nullptr: not followed.
};

// Warps of a kernel usually execute the same stretches in sequence. The steps that a stretch adds
// to a program depend only on its instructions and on the registers that still wait for memory
// before it. A warp's path through the kernel is a list of parts, and each distinct path becomes a
// program once.

class Programs {
 public:
  /// The numbers of the parts that a warp has executed so far.
  using Path = std::vector<std::uint32_t>;
  /// A request counts as answered after this number of later requests of its warp. Otherwise a
  /// register that a loop never waits for would make every pass through the loop a new part, and
  /// the parts of a spinning warp would fill the memory.
  static constexpr std::uint32_t kLongestWait = 4096;

  /// Starts programs of the kernel with these instructions. `lines` gets the lines of the steps;
  /// nullptr: they are not followed.
  void start(std::vector<MachineOp> ops, std::shared_ptr<StepLines> lines = nullptr);
  const std::vector<MachineOp>& ops() const { return ops_; }

  /// Adds a stretch to the path. Returns its requests, by their position in the stretch, in program
  /// order.
  const std::vector<std::uint32_t>& extend(Path& path, const std::vector<Executed>& stretch);

  /// Index of a program in `all`, unique per program; adds it if necessary.
  std::uint32_t number_of(const Path& path, std::vector<WarpProgram>& all);
  std::uint32_t number_of(WarpProgram&& program, std::vector<WarpProgram>& all);

  /// Number of parts computed so far.
  std::size_t parts() const { return parts_.size() - 1; }

 private:
  /// Registers for which a warp may have to wait, each with the number of its request, counted from
  /// the first one after this point; earlier requests have wrapped numbers.
  using Pending = std::map<std::uint32_t, std::uint32_t>;

  struct Part {
    const std::vector<Executed>* stretch = nullptr;
    std::vector<Step> steps;           ///< Request numbers as in Pending.
    std::vector<std::uint32_t> order;  ///< Order of its requests.
    std::uint32_t pending = 0;         ///< State after it: an index into pendings_.
    std::uint32_t likely_next = 0;     ///< The part that followed last time.
  };
  template <typename T>
  struct Hash {
    std::size_t operator()(const std::vector<T>& all) const;
  };

  std::uint32_t number_of_part(std::uint32_t pending, const std::vector<Executed>& stretch);
  Part work_out(Pending pending, const std::vector<Executed>& stretch,
                const std::vector<Step>& steps);

  void append(WarpProgram& program, const Step& step);

  std::vector<MachineOp> ops_;
  std::shared_ptr<StepLines> lines_;
  /// Steps by stretch, with kRequest and kWait as in schedule().
  std::unordered_map<std::vector<Executed>, std::vector<Step>, Hash<Executed>> stretches_;
  std::map<Pending, std::uint32_t> pending_numbers_;
  std::vector<const Pending*> pendings_;
  std::map<std::pair<std::uint32_t, const std::vector<Executed>*>, std::uint32_t> part_numbers_;
  std::vector<Part> parts_;  ///< [0] is the start of every path.
  std::unordered_map<Path, std::uint32_t, Hash<std::uint32_t>> by_path_;
  std::unordered_map<WarpProgram, std::uint32_t, Hash<Step>> by_steps_;
};

}  // namespace warpgrade::timing

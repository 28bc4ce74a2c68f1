// SPDX-License-Identifier: Apache-2.0
// The events that the simulator reports during execution, warp by warp, to counters and checks.
//
// The simulator runs blocks on several threads. Each thread works on an observer of its own, made
// by fork(). After the launch the forks are joined in the order of their blocks' first linear
// index. So results do not depend on the number of threads. Within a fork, blocks are sequential:
// on_block_begin, events of its warps, on_block_end. An event's pointers are valid during the
// call only. Each block of a cooperative launch has its own fork, and so has each rank of a
// launch with clusters. Lanes of a warp are the bits of a mask.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/place.h"
#include "common/run/launch.h"

namespace warpgrade::ptx {
struct Function;
struct Module;
}  // namespace warpgrade::ptx

namespace warpgrade::run {

// Lanes of a warp as the bits of a mask.

/// The lowest of `lanes`, which must not be empty.
constexpr std::uint32_t lowest_lane(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

constexpr std::uint32_t kWarpSize = 32;
constexpr std::uint32_t kFullMask = 0xffffffffU;

/// kCluster: the shared memory of the other blocks of a thread block cluster.
enum class Space : std::uint8_t { kGlobal, kShared, kLocal, kConstant, kParam, kCluster };
enum class Operation : std::uint8_t { kLoad, kStore, kAtomic, kReduction };
/// Whether the operation reads and writes a place atomically.
constexpr bool is_atomic(Operation operation) {
  return operation == Operation::kAtomic || operation == Operation::kReduction;
}

/// Stride of addresses that are not an arithmetic progression over all 32 lanes.
constexpr std::int64_t kIrregular = std::numeric_limits<std::int64_t>::min();

/// One memory instruction of one warp. Addresses are bytes: device addresses in kGlobal, offsets
/// into the block's shared memory in kShared, and offsets into the lane's local memory in kLocal.
/// In kCluster they are kClusterStride times (rank + 1) plus an offset in the shared memory of the
/// block of that rank.
struct MemoryEvent {
  std::uint32_t instruction = 0;  ///< Index into ptx::Function::instructions.
  std::uint32_t warp = 0;         ///< Index of the warp within its block.
  std::uint32_t mask = 0;         ///< Active lanes; never 0.
  /// kLoad: the lanes that may use the value. The others load only because the compiler moved the
  /// load out of a condition (ptx/conditional_loads.h). Only active lanes count.
  std::uint32_t used = kFullMask;
  Space space{};
  Operation operation{};
  std::uint8_t bytes = 0;  ///< Bytes per lane: element size times vector width.
  bool is_volatile : 1 = false;
  /// Counters skip it: part of a bulk copy, for which they use the whole BulkEvent, an update by
  /// red.async, or an arrival at another block's barrier object.
  bool is_bulk : 1 = false;
  std::int64_t stride = kIrregular;  ///< Between lanes, if all 32 are active and equally far apart.
  const std::uint64_t* address =
      nullptr;  ///< 32 entries; those of lanes not in mask are undefined.
  /// kStore: the stored bytes, for lane i at data + i * bytes; undefined for lanes not in mask.
  /// nullptr for every other operation.
  const std::byte* data = nullptr;
  /// cp.async: the addresses of the other side, for a load the targets and for a store the sources,
  /// as in `address`. nullptr for every other instruction.
  const std::uint64_t* other_side = nullptr;
};

/// Range of addresses of one block in kCluster; more than any block's shared memory.
constexpr std::uint64_t kClusterStride = std::uint64_t{1} << 24;

/// Threads have met at a barrier: all of a block that have not exited (kBlock), all of a cluster
/// (kCluster, which each of its blocks with waiting threads reports), the threads of a named
/// barrier (kPart), or lanes of one warp in __syncwarp (kWarp). All earlier accesses of each
/// are ordered before all later ones of any of them. Shuffles and votes order nothing.
struct BarrierEvent {
  enum class Scope : std::uint8_t { kBlock, kPart, kWarp, kCluster };
  Scope scope{};
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;                  ///< For kWarp.
  std::uint32_t mask = 0;                  ///< For kWarp.
  const std::uint32_t* members = nullptr;  ///< For kPart: lanes that have met, by warp.
  std::uint64_t phase = 0;                 ///< For kCluster: the number of the meeting, from 1.
};

/// One-sided order: a fence, or an object (a cuda::barrier or a named barrier) through which
/// threads publish their earlier accesses (kRelease) and learn about published ones (kAcquire).
/// Accesses that order others (atomics, volatile, .acquire, .release) are MemoryEvents only.
struct OrderEvent {
  enum class Kind : std::uint8_t { kFence, kRelease, kAcquire };
  Kind kind{};
  bool device_wide = false;  ///< kFence: __threadfence() rather than __threadfence_block().
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;
  std::uint32_t mask = 0;
  const std::uint64_t* object = nullptr;  ///< Not for kFence: the object's number, by lane.
  /// At a barrier object in memory, by lane: for kAcquire its current phase, for an arrival
  /// (kRelease) the phase that it counts for. Modulo 8.
  const std::uint64_t* phase = nullptr;
};

/// Lanes handle their asynchronous copies to shared memory (cp.async), which MemoryEvents reported
/// before: they close a group (kCommit), have waited until at most the `left` newest groups still
/// run (kWait), or make a cuda::barrier object wait for all of them (kTrack).
struct CopyEvent {
  enum class Kind : std::uint8_t { kCommit, kWait, kTrack };
  Kind kind{};
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;
  std::uint32_t mask = 0;
  std::uint32_t left = 0;                 ///< For kWait.
  const std::uint64_t* object = nullptr;  ///< For kTrack, as in OrderEvent.
};

/// A thread uses the bulk copy engine (cp.async.bulk). It starts a copy, after MemoryEvents for its
/// parts of 16 bytes each: a copy to shared memory completes with a phase of a barrier object, a
/// copy to global memory with its thread's group. Or it closes such a group (kCommit), or has
/// waited until at most the `left` newest groups still run (kWait) or still read shared memory
/// (kWaitRead).
struct BulkEvent {
  enum class Kind : std::uint8_t { kToShared, kToGlobal, kCommit, kWait, kWaitRead };
  Kind kind{};
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t left = 0;    ///< For the waits.
  std::uint32_t bytes = 0;   ///< For copies, like all that follow.
  std::uint64_t shared = 0;  ///< Offset into the block's shared memory.
  std::uint64_t global = 0;  ///< Device address; unused if `from_shared`.
  bool from_shared = false;  ///< kToShared: from the own block's shared memory, to another block's.
  std::uint64_t object = 0;  ///< kToShared, as in OrderEvent.
  std::uint64_t phase = 0;   ///< kToShared: the phase of the object that waits for the copy.
};

/// The block meets the others of a cooperative launch at the barrier of the grid: its first thread
/// arrives (kArrive), or finds that the first threads of all blocks have arrived (kPass). A block
/// that has passed knows what each block did before it arrived.
struct GridEvent {
  enum class Kind : std::uint8_t { kArrive, kPass };
  Kind kind{};
  std::uint32_t instruction = 0;
};

/// The device address of the grid's barrier in a cooperative launch. The accesses to it are also
/// MemoryEvents, as they count on a GPU.
constexpr std::uint64_t kGridBarrier = 0x7d40'0000'0004;

/// One thread prints.
struct PrintEvent {
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::string_view text;
};

/// Objects above this are the block's named barriers; others are addresses.
constexpr std::uint64_t kNamedBarriers = std::uint64_t{1} << 63;

/// The position of a __shared__ variable in a block's shared memory. If its size is unknown (extern
/// __shared__ x[]), it has the launch's dynamic size.
struct SharedVariable {
  std::string name;  ///< The PTX name, mangled.
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// A variable of the module in global memory.
struct GlobalVariable {
  std::string name;  ///< The PTX name, mangled.
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// Facts that are constant during a launch; they outlive every call of the observer for that
/// launch.
struct LaunchContext {
  const Launch* launch = nullptr;
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  const std::vector<Buffer>* buffers = nullptr;
  const std::vector<std::uint64_t>* buffer_addresses = nullptr;  ///< By buffer.
  std::uint32_t shared_bytes = 0;                                ///< Offsets are below this.
  std::uint32_t warps_per_block = 0;
  std::vector<SharedVariable> shared_variables;  ///< For messages; may be empty.
  std::vector<GlobalVariable> global_variables;
  base::Dim3 cluster;         ///< Blocks per cluster.
  bool has_clusters = false;  ///< The blocks of a cluster run in turns.
  std::uint32_t rank = 0;     ///< The rank in its cluster of each block that this fork observes.
};

/// Operands of a division or a root that take machine code longer than others.
enum class RareOperands : std::uint8_t {
  kNone,
  kFar,      ///< Normal numbers so far from 1 that they, or the result, need more care.
  kSpecial,  ///< 0, an infinity, a NaN, or a negative number under a root.
  kSubnormal,
  kCount,
};

class Observer {
 public:
  virtual ~Observer() = default;

  /// Creates an observer for one thread of the simulator; it also receives each launch.
  virtual std::unique_ptr<Observer> fork() const = 0;
  /// Adds the results of `other`, a fork of this; called in block order after the launch.
  virtual void join(Observer& other) = 0;

  virtual void on_launch(const LaunchContext& /*context*/) {}
  /// Called instead of on_launch() for each later fork if blocks run in turns on one thread, each
  /// with its own fork: the blocks of a cooperative launch, or the ranks of a cluster. `first` is
  /// the first of these forks. This one may share with it everything that belongs to the whole
  /// launch.
  virtual void on_launch_beside(const LaunchContext& context, Observer& /*first*/) {
    on_launch(context);
  }
  virtual void on_block_begin(std::uint64_t /*linear_block*/) {}
  /// Called once per block, after on_block_begin: whether to report instructions, which is slow.
  virtual bool wants_instructions() const { return false; }
  /// `warp` executes PTX instruction `instruction` with at least one active lane; other events of
  /// the instruction follow. Returns the observer's additional work for it in units of
  /// Options::block_budget; it counts against the budget.
  virtual std::uint64_t on_instruction(std::uint32_t /*warp*/, std::uint32_t /*instruction*/) {
    return 0;
  }
  /// A match instruction whose lanes hold `values` different values; 1 for match.all. Only for
  /// observers that want instructions.
  virtual void on_match(std::uint32_t /*warp*/, std::uint32_t /*instruction*/,
                        std::uint32_t /*values*/) {}
  /// nanosleep; `nanoseconds` is the longest request of the active lanes. Only for observers that
  /// want instructions.
  virtual void on_sleep(std::uint32_t /*warp*/, std::uint32_t /*instruction*/,
                        std::uint32_t /*nanoseconds*/) {}
  /// A rounded division or root of floats. `rare` is the largest of the active lanes. Only for
  /// observers that want instructions.
  virtual void on_rare_operands(std::uint32_t /*warp*/, std::uint32_t /*instruction*/,
                                RareOperands /*rare*/) {}
  virtual void on_memory(const MemoryEvent& /*event*/) {}
  virtual void on_barrier(const BarrierEvent& /*event*/) {}
  virtual void on_order(const OrderEvent& /*event*/) {}
  virtual void on_copy(const CopyEvent& /*event*/) {}
  virtual void on_bulk(const BulkEvent& /*event*/) {}
  virtual void on_grid(const GridEvent& /*event*/) {}
  virtual void on_print(const PrintEvent& /*event*/) {}
  virtual void on_block_end() {}
};

}  // namespace warpgrade::run

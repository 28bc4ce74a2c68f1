// SPDX-License-Identifier: Apache-2.0
// The order between accesses of a block's threads: within a warp, and across warps.
//
// Vector clocks of a warp's lanes are kept as a matrix only while partial barriers matter. Those
// across warps are shared by threads of equal knowledge until one of them changes. A kernel with
// only __syncthreads() pays for neither. See happens_before.h for the rules of the memory model.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/check/flags_and_locks.h"
#include "common/run/observer.h"

namespace warpgrade::check {

// The order between accesses of a warp's lanes, from the warp barriers between them.
//
// From Volta on, the lanes of a warp are independent threads: an access of lane a surely precedes
// one of lane b only if a chain of warp barriers (__syncwarp) connects them. Each warp has a clock
// that every barrier advances, and accesses are stamped with it. For each pair of lanes a vector
// clock keeps the stamp up to which b knows a's accesses. A barrier of all 32 lanes needs only one
// number.

class WarpOrder {
 public:
  explicit WarpOrder(std::uint32_t warps = 0) : warps_(warps) {}

  /// Forgets all barriers at the start of a block.
  void reset();
  /// A barrier among the lanes `mask` of `warp`.
  void barrier(std::uint32_t warp, std::uint32_t mask);
  /// Gives later accesses a new stamp, without passing on knowledge.
  void advance(std::uint32_t warp) { ++warps_[warp].clock; }
  /// Lane `by` knows the accesses of lane `of` with stamps below this.
  std::uint32_t known(std::uint32_t warp, std::uint32_t of, std::uint32_t by) const {
    const Warp& state = warps_[warp];
    return state.partial ? std::max(state.all_know, state.known[by][of]) : state.all_know;
  }
  /// The stamp of an access now.
  std::uint32_t stamp(std::uint32_t warp) const { return warps_[warp].clock; }
  /// The lanes in `lanes` whose accesses at `stamp` are not known to precede an access of `lane`
  /// now; a lane is always ordered with itself.
  std::uint32_t unordered(std::uint32_t warp, std::uint32_t lanes, std::uint32_t stamp,
                          std::uint32_t lane) const {
    const Warp& state = warps_[warp];
    lanes &= ~(1U << lane);
    if (stamp < state.all_know) return 0;
    return state.partial ? unordered_by_pairs(state, lanes, stamp, lane) : lanes;
  }

 private:
  using Row = std::array<std::uint32_t, run::kWarpSize>;
  struct Warp {
    std::uint32_t clock = 0;
    std::uint32_t all_know = 0;  // every lane knows accesses with lower stamps
    bool partial = false;        // some barrier was partial, so `known` counts
    std::vector<Row> known;      // [b][a]: lane b knows a's accesses with lower stamps
  };

  static std::uint32_t unordered_by_pairs(const Warp& state, std::uint32_t lanes,
                                          std::uint32_t stamp, std::uint32_t lane);

  std::vector<Warp> warps_;
};

/// The role of an access in ordering: plain accesses order nothing; two strong ones never race.
enum class Strength : std::uint8_t { kPlain, kVolatile, kStrong };
/// Whether every access that races with one of strength `before` also races with a later one of
/// strength `now` that is ordered after it. An atomic does not cover an earlier plain write.
constexpr bool covers(Strength now, Strength before) { return now <= before; }

/// By thread of the block: its accesses with a lower stamp are known.
using Clock = std::vector<std::uint32_t>;
/// Adds the knowledge of `other`, which has as many threads, to `sum`.
void take_greater(Clock& sum, const Clock& other);

class HappensBefore {
 public:
  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  /// Forgets order across warps, because accesses before a barrier of the block no longer matter.
  void forget();
  /// A barrier of the block after which earlier accesses still matter: all threads learn all of
  /// them.
  void block_barrier();
  /// Handles kWarp and kPart.
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  /// Lets the lanes of `event` release and acquire; call it after checking the access
  /// itself.
  void access(const run::MemoryEvent& event);

  /// The strength of this lane's access. A volatile store after a fence of its thread is strong.
  Strength strength(const run::MemoryEvent& event, std::uint32_t lane) const;
  std::uint32_t stamp(std::uint32_t warp) const { return warps_.stamp(warp); }
  /// Whether threads of different warps are ordered.
  bool crosses() const { return granted_.crosses; }
  /// The lanes in `lanes` of warp `before` whose accesses at `stamp` are not known to precede an
  /// access of `lane` of `warp` now; a thread is always ordered with itself.
  std::uint32_t unordered(std::uint32_t before, std::uint32_t lanes, std::uint32_t stamp,
                          std::uint32_t warp, std::uint32_t lane) const {
    if (stamp < base_[before]) return 0;
    if (!crosses()) return before == warp ? warps_.unordered(warp, lanes, stamp, lane) : lanes;
    return unordered_across(granted_, before, lanes, stamp, warp, lane);
  }

  /// Whether the kernel reads flags, so that the intended order exists.
  bool has_intent() const { return !uses_.empty(); }
  /// Whether the kernel intends that lane `of` of warp `before` accesses first.
  bool intends(std::uint32_t before, std::uint32_t of, std::uint32_t stamp, std::uint32_t warp,
               std::uint32_t lane) const {
    return has_intent() && intended_.crosses &&
           unordered_across(intended_, before, 1U << of, stamp, warp, lane) == 0;
  }
  /// The part of each strong access; only with has_intent().
  const FlagUse& use(std::uint32_t instruction) const { return uses_[instruction]; }

  /// Whether the kernel has instructions for locks and flags.
  bool has_flags() const { return has_flags_; }
  /// Whether some instruction of the kernel compares and swaps, whether one may do so in shared
  /// memory, and whether this one does.
  bool has_swaps() const { return has_swaps_; }
  bool has_shared_swaps() const { return has_shared_swaps_; }
  bool swaps(const run::MemoryEvent& event) const {
    return has_swaps_ && roles_[event.instruction].swaps;
  }
  /// Whether it is strong only for threads of its own block.
  bool is_of_block(const run::MemoryEvent& event) const {
    return has_block_scope_ && roles_[event.instruction].is_of_block;
  }
  /// Whether its lanes read what others may have released.
  bool learns(const run::MemoryEvent& event) const {
    return uses_order_ && roles_[event.instruction].reads;
  }
  /// Whether its lanes read a flag, and may rely on what they read.
  bool reads_flag(const run::MemoryEvent& event) const {
    return has_intent() && roles_[event.instruction].reads && use(event.instruction).reads_flag;
  }
  /// Whether they acquire by themselves, and not at the next fence or barrier.
  bool acquires(const run::MemoryEvent& event) const { return roles_[event.instruction].acquires; }
  /// The knowledge that a strong write of this lane to global memory releases to other
  /// blocks: with .release all of it, else the knowledge at a __threadfence(). May be
  /// empty.
  Clock handed_on(const run::MemoryEvent& event, std::uint32_t lane) const;
  /// The same for the intended order: all its knowledge, by any write.
  Clock handed_on_by_intent(const run::MemoryEvent& event, std::uint32_t lane) const;

 private:
  using Row = std::shared_ptr<const Clock>;
  /// The knowledge of a thread at a fence.
  struct Fenced {
    Row row;
    std::vector<std::uint32_t> own_warp;  // empty: no fence yet
    Clock base;
  };
  /// The knowledge released at an object or a place in memory; at least *base.
  struct Object {
    Row base;
    std::shared_ptr<Clock> sum;
  };
  /// The effect of an instruction, from its opcode and modifiers.
  struct Role {
    Strength strength = Strength::kPlain;
    bool reads = false;
    bool writes = false;
    bool releases = false;     // by itself, without a fence
    bool acquires = false;     // likewise
    bool swaps = false;        // compares first
    bool is_of_block = false;  // its scope is the block
  };

  /// One of the two orders across warps.
  struct Across {
    bool crosses = false;
    std::vector<Row> rows;  // by thread; nullptr: no knowledge across warps
    std::map<std::uint64_t, Object> objects;
  };

  static Role role_of(const ptx::Function& function, std::uint32_t instruction);
  std::uint32_t unordered_across(const Across& order, std::uint32_t before, std::uint32_t lanes,
                                 std::uint32_t stamp, std::uint32_t warp, std::uint32_t lane) const;
  Fenced known_now(const Across& order, std::uint32_t warp, std::uint32_t lane) const;
  Clock all_of(const Fenced& known, std::uint32_t warp) const;
  void release(Across& order, std::uint32_t warp, const Fenced& known, std::uint64_t object);
  void acquire(const Across& order, Row& row, std::uint64_t object);
  void learn(Row& row, const Row& other);
  void settle(std::uint32_t thread, bool device_wide);
  void settle_all(const std::uint32_t* members);
  void forget(Across& order);
  void meet(Across& order, const std::uint32_t* members);
  void meet(const std::uint32_t* members);
  void join_fences(const std::uint32_t* members);
  std::uint64_t of_block(std::uint64_t place, std::uint32_t warp) const;
  void merge_into(Clock& sum, std::uint32_t warp, const Fenced& known) const;

  bool uses_order_ = false;  // some instruction is a fence or releases by itself
  bool has_flags_ = false;
  bool has_swaps_ = false;
  bool has_shared_swaps_ = false;
  bool has_block_scope_ = false;   // Some instruction has the block as its scope.
  bool any_device_fence_ = false;  // in this block
  std::uint32_t threads_ = 0;
  WarpOrder warps_;
  Clock base_;  // by warp: accesses with lower stamps precede the block's last barrier
  std::vector<Role> roles_;
  std::vector<FlagUse> uses_;
  Across granted_, intended_;
  // By thread: read from a flag, and acquired at the next fence or barrier; in a launch with
  // clusters only at one whose scope is not the block.
  std::vector<Row> pending_, pending_wide_;
  bool any_pending_ = false;
  std::uint32_t warps_per_rank_ = 0;         // 0: without clusters
  std::vector<std::uint32_t> fresh_fences_;  // by warp: lanes with a fence since their last barrier
  std::vector<Fenced> fenced_;               // by thread: at any fence
  std::vector<Fenced> device_fenced_;        // at a __threadfence()
  Clock fence_points_;  // by thread: stamp after the last access before its last __threadfence()
};

}  // namespace warpgrade::check

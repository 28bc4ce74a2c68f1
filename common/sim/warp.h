// SPDX-License-Identifier: Apache-2.0
// One warp in execution: its registers, its splits after divergence, its calls, its main loop.
//
// The split with the lowest position runs, and splits that meet join. warp.h has the rules for
// splits that poll or loop very long. A frame holds what a recursive call must restore.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/run/observer.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

// The function calls of a warp's lanes.
//
// A function's registers and .param variables are slots like the kernel's. All its calls share
// them, because each lane is in one call at a time. Only a recursive call must save the content
// that the lane's outer call has in these slots; the frame keeps it until the return.

/// One call by the lanes that were together there. A frame lives while some lane is inside.
struct Frame {
  Frame* parent = nullptr;  ///< The caller's frame; nullptr: the kernel.
  const CallSite* site = nullptr;
  const Callee* callee = nullptr;
  std::uint32_t return_pc = 0;
  std::uint32_t depth = 0;       ///< 1: called by the kernel.
  std::uint64_t local_base = 0;  ///< Offset of the callee's variables in a thread's local memory.
  std::uint32_t inside = 0;      ///< Lanes that have not returned or exited.
  /// The previous content of the callee's slots in all lanes; empty if the callee was not active.
  std::vector<std::byte> saved;
};

inline std::uint32_t depth_of(const Frame* frame) { return frame == nullptr ? 0 : frame->depth; }

/// Whether lanes in `a` and lanes in `b` at one position may join.
bool same_call(const Frame* a, const Frame* b);

/// The frames of a block's warps.
class Frames {
 public:
  Frame* make();
  /// `lanes` leave `from` and its callers up to `to`, where they stay.
  void drop(std::uint32_t lanes, Frame* from, const Frame* to);
  /// Moves `lanes` from `from` to `to`; same_call() must be true for both.
  void move(std::uint32_t lanes, Frame* from, Frame* to);
  void clear();

 private:
  std::vector<std::unique_ptr<Frame>> all_;
  std::vector<Frame*> free_;
};

class Block;

enum class WarpStatus : std::uint8_t {
  kReady,    ///< Some split can run.
  kBlocked,  ///< Every split waits.
  kDone,     ///< Every lane has exited.
  kFaulted,  ///< See Block::fault().
};

struct Split {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  Frame* frame = nullptr;   ///< The current call of its lanes; nullptr: the kernel itself.
  std::uint32_t turns = 0;  ///< Turns used while others were ready.
};

/// A split that waits at a barrier of its block or for other lanes of its warp.
struct Waiting {
  Split split;                  ///< Continues at its pc.
  const MicroOp* op = nullptr;  ///< The instruction at which it waits.
  bool for_block = false;       ///< At a barrier of the block; else for lanes of its warp.
  std::uint32_t barrier = 0;    ///< Number of the barrier, if for_block.
  std::uint32_t expected = 0;   ///< Threads that the barrier waits for; 0: the whole block.
  std::uint32_t members = 0;    ///< Lanes that it waits for, unless for_block.
};

/// The wait of a warp if blocks run in turns (residents.cpp): it polls, and gets a turn when the
/// value can have changed.
struct Stall {
  bool for_grid = false;             ///< At the barrier of the grid.
  const std::byte* place = nullptr;  ///< The place in memory that it polls, if not for_grid.
  std::size_t bytes = 0;
  std::uint64_t held = 0;   ///< The value there, or a hash of several.
  std::uint64_t first = 0;  ///< The address of the place.
  bool is_far = false;      ///< It is in global memory.
  bool is_swap = false;     ///< It polls by a compare-and-swap, which the first to come wins.
  std::uint32_t lanes = 0;  ///< That poll, each by an atomic; 0: by loads.

  std::uint64_t now() const {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < bytes; at += sizeof hash) {
      std::uint64_t value = 0;
      std::memcpy(&value, place + at, std::min(sizeof value, bytes - at));
      hash = hash * 0x9e3779b97f4a7c15U + value;
    }
    return hash;
  }
  bool has_changed() const { return now() != held; }
};

struct Warp {
  std::byte* registers = nullptr;
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;     ///< Lanes of the running split.
  std::uint32_t turns = 0;    ///< Split::turns of the running split.
  std::uint32_t stop_pc = 0;  ///< From here on, the running split must check the others.
  std::uint32_t fuel = 0;     ///< Backward branches and calls until it yields.
  WarpStatus status = WarpStatus::kReady;
  std::uint32_t index = 0;
  std::uint32_t live = 0;             ///< Lanes that have not exited.
  std::uint32_t carry = 0;            ///< Carry flag by lane, for add.cc and similar.
  Frame* frame = nullptr;             ///< Frame of the running split.
  std::uint32_t cluster_arrived = 0;  ///< Lanes that have arrived at the cluster's barrier.
  std::uint32_t cluster_passed = 0;   ///< Those whose next wait there is over already.
  Stall stall;                        ///< If blocks run in turns (residents.cpp).
  std::uint64_t polled_bytes = 0;     ///< From the first to the last that it polled.
  bool has_polled = false;  ///< Its turn ended because it loaded the same value again and again.
  double clock = 0;   ///< If blocks take turns in its order (turn_orders.cpp), like the next two.
  double loaded = 0;  ///< When its plain loads are answered.
  double seen = 0;    ///< When others can see its last store or atomic.
  bool is_behind_access = false;  ///< An access to global memory since its last fence.
  Block* block = nullptr;
  std::vector<Split> ready;
  std::vector<Waiting> waiting;
  alignas(64) std::uint64_t address[run::kWarpSize] = {};  ///< Addresses of the current access.

  template <typename T>
  T* lanes(Slot slot) {
    return reinterpret_cast<T*>(registers + slot);
  }
  std::uint32_t& predicate(Slot slot) { return *lanes<std::uint32_t>(slot); }

  /// Starts at micro-op 0 with `lanes` active.
  void start(std::uint32_t lanes_mask);
  /// Runs until all splits wait, the warp is done, it faults, or its fuel is used up.
  void run();
  /// Runs at most `instructions`, then continues with another ready split if `choice` selects one;
  /// for seeded orders (see turn_orders.cpp).
  void run_some(std::uint32_t instructions, std::uint32_t choice);

  /// The running split continues at `target`; a backward branch costs fuel.
  void jump(std::uint32_t target);
  /// Lanes in `taken` continue at `target`, the other lanes of the split after the branch.
  void diverge(std::uint32_t target, std::uint32_t taken);
  /// Lanes in `lanes_mask`, not all of the split, become a ready split at `at`.
  void split_off(std::uint32_t lanes_mask, std::uint32_t at);
  /// Lanes in `lanes_mask` enter `callee`, a new frame that returns here, at micro-op `target`.
  void enter(std::uint32_t target, std::uint32_t lanes_mask, Frame* callee);
  /// Lanes in `lanes_mask` return to the caller of their frame.
  void leave(std::uint32_t lanes_mask);
  /// Lanes in `lanes_mask` exit.
  void exit(std::uint32_t lanes_mask);
  /// The running split waits; a ready one runs instead.
  void wait(const Waiting& waiting);
  /// Lanes of the running split, and lanes that wait at `op` for other lanes.
  std::uint32_t arrived(const MicroOp& op) const;
  /// Lanes have arrived at `op`, and lanes in `complete` need no others: they become the running
  /// split, unless none of them is in it. The others wait for `members` and execute this
  /// instruction again when those have arrived. Lanes from another call join the split for this one
  /// instruction only.
  bool gather(const MicroOp& op, std::uint32_t complete, std::uint32_t members);
  /// The running split continues after the instruction at `pc`. Splits in `waiting` with lanes in
  /// the mask continue after their own instructions, because they have met from different places.
  void part(std::uint32_t lanes_mask);
  /// The running split waits in a loop of its own: other warps get a turn after this
  /// instruction.
  void yield();
  /// The running split waits for others of this warp: they get their turn after this instruction.
  void give_way();
  /// The lanes in `lanes_mask` have loaded `value`, or values with this hash, from places that
  /// others may write. A split that loads the same again and again lets others run, first those of
  /// its own warp.
  void poll(const MicroOp& op, std::uint32_t lanes_mask, std::uint64_t value);
  /// `lane` has found `value` in a compare-and-swap or an exchange that changed nothing. Counts it
  /// if the lane has found the same before, as at a lock that others hold.
  void fail_swap(const MicroOp& op, std::uint32_t lane, std::uint64_t value);
  /// The first address that it polled last, and the instruction.
  std::uint64_t polled_address() const { return last_poll_.address; }
  const MicroOp& polled_op() const { return *last_poll_.op; }
  /// Makes waiting splits ready for which `chosen` holds.
  template <typename Chosen>
  void release(const Chosen& chosen) {
    for (std::size_t i = 0; i < waiting.size();) {
      if (chosen(waiting[i])) {
        ready.push_back(waiting[i].split);
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    if (!ready.empty() && status == WarpStatus::kBlocked) status = WarpStatus::kReady;
  }

  /// Waits for its plain loads; only the clock passes.
  void settle_loads();
  /// Charges the block's budget for `units` of work other than micro-ops.
  void charge(std::uint64_t units);
  /// Ends the block: `message` describes the error of `lane` at `op`; empty if there are facts.
  void fault(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t lane, std::string message,
             base::Facts facts = {});

 private:
  /// Selects the next running split: the one with the lowest position among those with the fewest
  /// turns.
  void reschedule();
  /// Runs the split at `position` of `ready`, joined with all splits that can join it.
  void take(std::size_t position);
  void set_stop();
  bool out_of_fuel();
  /// run(); `traced` reports each instruction to the observers that want it.
  /// `timed` gives other warps their turns before an access that orders warps.
  template <bool traced, bool timed>
  void run_ready();

  /// The last load of a place that others may write.
  struct Poll {
    const MicroOp* op = nullptr;
    std::uint64_t address = 0;
    std::uint64_t value = 0;

    bool operator==(const Poll&) const = default;
  };
  Poll last_poll_;
  std::uint32_t polls_ = 0;        ///< Number of consecutive loads of the same value.
  bool has_turn_ = false;          ///< For the ordered access that is next.
  bool gives_way_ = false;         ///< The running split polls: another split of this warp is next.
  std::uint32_t polled_fuel_ = 0;  ///< The fuel at that time.

  /// By lane: the last swap that changed nothing, if blocks have clocks.
  std::array<Poll, run::kWarpSize> failed_swaps_ = {};

  std::uint32_t guests_ = 0;  ///< Lanes of other splits, here for this instruction only.
  std::uint32_t spared_fuel_ = 0;
  std::uint32_t kept_fuel_ = 0;  ///< Fuel of the next turn after a yield; 0: a full turn.
};

/// Writes the bits of `value` selected by `mask` to predicate `slot`.
inline void write_predicate(Warp& warp, Slot slot, std::uint32_t mask, std::uint32_t value) {
  if (slot == kNoSlot) return;
  auto& predicate = warp.predicate(slot);
  predicate = (predicate & ~mask) | (value & mask);
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// One warp in execution: its registers, its parts after divergence, and the loop over micro-ops.
//
// A warp is a set of splits: a position and the lanes that are there. One split runs; the others
// are ready or wait at a barrier. The split that runs is the one with the least position, and
// splits that meet become one, which reconverges where the order of micro-ops says (see
// ptx/control_flow.h). A split that goes round a loop for very long while others are ready lets
// them run until they wait, end, meet another or have had as many turns, so lanes that wait for
// each other make progress, as they do on a GPU since Volta.
//
// A split inside a function has the frame of its call. Splits deeper in calls run first, so that
// those behind a call wait for the lanes that are still in it; splits of different calls of one
// function do not become one before they have returned.
//
// A split that polls (a load or an atomic operation that finds the same again and again) soon lets
// the other splits of its warp run: one of them may hold the lock. Before Volta
// (Options::independent_lanes) no split lets another one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/frame.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

struct Block;

enum class WarpStatus : std::uint8_t {
  kReady,    ///< Some split can run.
  kBlocked,  ///< Every split waits.
  kDone,     ///< Every lane has exited.
  kFaulted,  ///< Block::fault says why.
};

struct Split {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  Frame* frame = nullptr;   ///< The call that its lanes are in; nullptr: the kernel itself.
  std::uint32_t turns = 0;  ///< Turns used up while others were ready.
};

/// A split that waits at a barrier of its block or for other lanes of its warp.
struct Waiting {
  Split split;                  ///< pc is where it goes on.
  const MicroOp* op = nullptr;  ///< The instruction that it waits in.
  bool for_block = false;       ///< A block's barrier; else lanes of its warp.
  std::uint32_t barrier = 0;    ///< Number, for_block.
  std::uint32_t expected = 0;   ///< Threads that the barrier waits for; 0: all of the block.
  std::uint32_t members = 0;    ///< Lanes that it waits for, else.
};

struct Warp {
  std::byte* registers = nullptr;
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;     ///< Lanes of the split that runs.
  std::uint32_t turns = 0;    ///< See Split::turns, of the one that runs.
  std::uint32_t stop_pc = 0;  ///< The split that runs must look at the others from here on.
  std::uint32_t fuel = 0;     ///< Backward branches and calls until it yields.
  WarpStatus status = WarpStatus::kReady;
  std::uint32_t index = 0;
  std::uint32_t live = 0;             ///< Lanes that have not exited.
  std::uint32_t carry = 0;            ///< Carry flag by lane: add.cc and its kin.
  Frame* frame = nullptr;             ///< The running split's.
  std::uint32_t cluster_arrived = 0;  ///< Lanes that have arrived at the cluster's barrier.
  std::uint32_t cluster_passed = 0;   ///< Those whose next wait there is over already.
  Block* block = nullptr;
  std::vector<Split> ready;
  std::vector<Waiting> waiting;
  alignas(64) std::uint64_t address[run::kWarpSize] = {};  ///< Addresses of the access under way.

  template <typename T>
  T* lanes(Slot slot) {
    return reinterpret_cast<T*>(registers + slot);
  }
  std::uint32_t& predicate(Slot slot) { return *lanes<std::uint32_t>(slot); }

  /// Starts at micro-op 0 with `lanes` active.
  void start(std::uint32_t lanes_mask);
  /// Runs until no split can run, the warp is done, a fault, or its fuel is used up.
  void run();
  /// Runs at most `instructions`, then goes on with another ready split where `choice` says so: for
  /// seeded orders (see interleaving.cpp).
  void run_some(std::uint32_t instructions, std::uint32_t choice);

  /// The split that runs goes to `target`; a backward branch costs fuel.
  void jump(std::uint32_t target);
  /// Lanes in `taken` go to `target`, the others of the split go on.
  void diverge(std::uint32_t target, std::uint32_t taken);
  /// Lanes in `lanes_mask`, not all of the split, become one of their own that is ready at `at`.
  void split_off(std::uint32_t lanes_mask, std::uint32_t at);
  /// Lanes in `lanes_mask` go to micro-op `target` in `callee`, a new frame that returns here.
  void enter(std::uint32_t target, std::uint32_t lanes_mask, Frame* callee);
  /// Lanes in `lanes_mask` go back to where their frame was called from, and leave it.
  void leave(std::uint32_t lanes_mask);
  /// Lanes in `lanes_mask` exit.
  void exit(std::uint32_t lanes_mask);
  /// The split that runs waits; its place is taken by a ready one.
  void wait(const Waiting& waiting);
  /// Lanes of the split that runs and of those that wait in `op` for other lanes.
  std::uint32_t arrived(const MicroOp& op) const;
  /// Lanes have arrived at `op`, and those of `complete` lack nobody: they are the split
  /// that runs then, unless none of it is among them. The others wait for `members`, and meet this
  /// instruction again when these have come. Lanes that have come by another call are in the split
  /// for this one instruction.
  bool gather(const MicroOp& op, std::uint32_t complete, std::uint32_t members);
  /// The split that runs goes on behind the instruction at `pc`. Those in `waiting` that `mask`
  /// names do so as well, each behind its own: they have met from different places.
  void part(std::uint32_t lanes_mask);
  /// The split that runs waits for others in a loop of its own: other warps get their turn behind
  /// this instruction.
  void yield();
  /// `lane` has found `value` where others may store: a split that finds the same again and again
  /// lets others run, first those of its own warp.
  void poll(const MicroOp& op, std::uint32_t lane, std::uint64_t value);
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

  /// Charges the block's budget for `units` of work that is no micro-op.
  void charge(std::uint64_t units);
  /// Ends the block: `message` says what lane `lane` did wrong in `op`.
  void fault(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t lane, std::string message);

 private:
  /// Chooses the split that runs next: of those with the fewest turns the one with the least
  /// position.
  void reschedule();
  /// Makes the split at `position` of `ready`, and those that can join it, the one that runs.
  void take(std::size_t position);
  void set_stop();
  bool out_of_fuel();
  /// run(); where `traced`, each instruction is told to the observers that want it.
  template <bool traced>
  void run_ready();

  /// The last load of a place where others may store.
  struct Poll {
    const MicroOp* op = nullptr;
    std::uint64_t address = 0;
    std::uint64_t value = 0;

    bool operator==(const Poll&) const = default;
  };
  Poll last_poll_;
  std::uint32_t polls_ = 0;        ///< How often it has found the same.
  bool gives_way_ = false;         ///< The split that runs polls: another of this warp is next.
  std::uint32_t polled_fuel_ = 0;  ///< What the fuel was then.

  std::uint32_t guests_ = 0;  ///< Lanes of other splits, here for this instruction only.
  std::uint32_t spared_fuel_ = 0;
  std::uint32_t kept_fuel_ = 0;  ///< For the next turn, after a yield; 0: a full one.
};

/// Writes the bits of `value` that `mask` names into predicate `slot`.
inline void write_predicate(Warp& warp, Slot slot, std::uint32_t mask, std::uint32_t value) {
  if (slot == kNoSlot) return;
  auto& predicate = warp.predicate(slot);
  predicate = (predicate & ~mask) | (value & mask);
}

}  // namespace warpgrade::sim

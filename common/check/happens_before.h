// SPDX-License-Identifier: Apache-2.0
// Which accesses of a block's threads are ordered before which: "happens before" of the PTX memory
// model (PTX ISA 9.0, 8), as far as kernels of a course make use of it.
//
// Order within a warp is WarpOrder's. Order across warps comes from barriers of a part of the
// block, from barrier objects, and from accesses that hand on (release) and learn (acquire): an
// access with .release, or any atomic or volatile one behind a fence of its thread, hands on what
// the thread knew (at the fence) to whoever reads that place by an atomic or volatile access. Such
// a read is taken to acquire even with no fence behind it: too much, so that no alarm is false.
//
// The knowledge of a thread across warps is a vector clock with the stamp (WarpOrder) of each
// thread of the block, shared by the threads that know the same. There is none until the first such
// order since the last barrier of the block: a kernel with nothing but __syncthreads() pays
// nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/check/warp_order.h"
#include "common/run/observer.h"

namespace warpgrade::check {

/// How an access takes part in order: a plain one does not; of two that are strong none races.
enum class Strength : std::uint8_t { kPlain, kVolatile, kStrong };
/// Whether all that races with an access of strength `before` races with a later one of strength
/// `now` that is ordered behind it, too. An atomic does not cover the plain write before it.
constexpr bool covers(Strength now, Strength before) { return now <= before; }

/// By thread of the block: its accesses stamped below this are known.
using Clock = std::vector<std::uint32_t>;
/// Makes `sum` know what `other`, of as many threads, knows too.
void take_greater(Clock& sum, const Clock& other);

class HappensBefore {
 public:
  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  /// Forgets order across warps: accesses before a barrier of the block are no longer asked for.
  void forget();
  /// A barrier of the block where earlier accesses are still asked for: all know all of them.
  void block_barrier();
  /// kWarp and kPart.
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  /// Lets the lanes of `event` hand on and learn what they do by it; call it once the access itself
  /// is checked.
  void access(const run::MemoryEvent& event);

  /// Returns how strong the access of this lane is. A volatile store behind a fence of its thread
  /// is strong.
  Strength strength(const run::MemoryEvent& event, std::uint32_t lane) const;
  std::uint32_t stamp(std::uint32_t warp) const { return warps_.stamp(warp); }
  /// Whether there is order across warps.
  bool crosses() const { return crosses_; }
  /// Those of `lanes` of warp `before` whose accesses at `stamp` are not known to come before an
  /// access of `lane` of `warp` now; a thread is always in order with itself.
  std::uint32_t unordered(std::uint32_t before, std::uint32_t lanes, std::uint32_t stamp,
                          std::uint32_t warp, std::uint32_t lane) const {
    if (stamp < base_[before]) return 0;
    if (!crosses_) return before == warp ? warps_.unordered(warp, lanes, stamp, lane) : lanes;
    return unordered_across(before, lanes, stamp, warp, lane);
  }

  /// Whether the kernel has what locks and flags are made of.
  bool has_flags() const { return has_flags_; }
  /// Whether some instruction of the kernel compares and swaps, and whether this one does.
  bool has_swaps() const { return has_swaps_; }
  bool swaps(const run::MemoryEvent& event) const {
    return has_swaps_ && roles_[event.instruction].swaps;
  }
  /// Whether it is strong for threads of its own block only.
  bool is_of_block(const run::MemoryEvent& event) const {
    return roles_[event.instruction].is_of_block;
  }
  /// Whether its lanes learn what was handed on at the place.
  bool learns(const run::MemoryEvent& event) const {
    return uses_order_ && roles_[event.instruction].reads;
  }
  /// Returns the knowledge that a strong write of this lane to global memory hands on to other
  /// blocks: only what was known at a __threadfence(), or all of it where the access is a .release;
  /// empty: nothing.
  Clock handed_on(const run::MemoryEvent& event, std::uint32_t lane) const;

 private:
  using Row = std::shared_ptr<const Clock>;
  /// The knowledge of a thread at a fence.
  struct Fenced {
    Row row;
    std::vector<std::uint32_t> own_warp;  // Empty: no fence yet.
    Clock base;
  };
  /// The knowledge handed on by an object or a place in memory: at least *base.
  struct Object {
    Row base;
    std::shared_ptr<Clock> sum;
  };
  /// The effect of an instruction, from its opcode and modifiers.
  struct Role {
    Strength strength = Strength::kPlain;
    bool reads = false;
    bool writes = false;
    bool releases = false;     // By itself, without a fence.
    bool swaps = false;        // Compares first.
    bool is_of_block = false;  // Its scope is the block.
  };

  static Role role_of(const ptx::Function& function, std::uint32_t instruction);
  std::uint32_t unordered_across(std::uint32_t before, std::uint32_t lanes, std::uint32_t stamp,
                                 std::uint32_t warp, std::uint32_t lane) const;
  Fenced known_now(std::uint32_t warp, std::uint32_t lane) const;
  void release(std::uint32_t warp, const Fenced& known, std::uint64_t object);
  void acquire(std::uint32_t thread, std::uint64_t object);
  void meet(const std::uint32_t* members);
  void merge_into(Clock& sum, std::uint32_t warp, const Fenced& known) const;

  bool uses_order_ = false;  // Some instruction is a fence or releases by itself.
  bool has_flags_ = false;
  bool has_swaps_ = false;
  bool crosses_ = false;
  bool any_device_fence_ = false;  // In this block.
  std::uint32_t threads_ = 0;
  WarpOrder warps_;
  Clock base_;  // By warp: accesses stamped below this came before the block's last barrier.
  std::vector<Role> roles_;
  std::vector<Row> rows_;              // By thread; nullptr: nothing across warps.
  std::vector<Fenced> fenced_;         // By thread: at any fence.
  std::vector<Fenced> device_fenced_;  // At a __threadfence().
  Clock fence_points_;  // By thread: accesses before its last __threadfence() are stamped below.
  std::map<std::uint64_t, Object> objects_;
};

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
// The asynchronous copies (cp.async) of the block that runs: what they fill, and which are under
// way.
//
// A copy is under way from its start until its warp has waited for its group, or until a thread has
// waited at the barrier object that tracks it. Copies of a warp are not told apart by lane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::memory {

class BlockCopies {
 public:
  void begin_block() { *this = {}; }
  /// A copy's store to shared memory. Returns the words of 4 bytes that no copy of the block has
  /// filled before.
  std::uint64_t start(const run::MemoryEvent& event);
  void note(const run::CopyEvent& event);
  void note(const run::OrderEvent& event);
  bool are_under_way() const { return !tracked_.empty() || std::ranges::any_of(warps_, is_busy); }

 private:
  struct Warp {
    bool has_open = false;               // Copies since the last commit.
    std::uint32_t commits = 0;           // Groups that are closed.
    std::vector<std::uint32_t> running;  // The numbers of those with copies under way, ascending.
  };
  static bool is_busy(const Warp& warp) { return warp.has_open || !warp.running.empty(); }
  Warp& of(std::uint32_t warp);

  std::vector<bool> filled_;  // By word of shared memory.
  std::vector<Warp> warps_;
  std::set<std::uint64_t> tracked_;  // Barrier objects that track copies.
};

}  // namespace warpgrade::memory

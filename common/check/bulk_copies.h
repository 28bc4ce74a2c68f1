// SPDX-License-Identifier: Apache-2.0
// Finds accesses to memory that a copy of the bulk copy engine (cp.async.bulk) may still read or
// write. Nothing orders such a copy and other accesses, not even those of the thread that starts
// it.
//
// A copy to shared memory is complete for a thread that has waited at its barrier object for the
// phase that counts the copy. A copy to global memory is complete for the thread that started it
// when it has waited for the group; a wait with .read says only that the shared memory has been
// read. Barriers pass on what one of their threads knows. Accesses that may hand on order (atomics,
// volatile and the like) are taken to learn what any thread knows: no alarm is false.
//
// A block that ends while a copy may still use its shared memory is a warning: the next block on
// the multiprocessor may get that memory.
//
// Not modelled: order between copies of different threads that nobody waits for in between, beyond
// copies into the same bytes; copies of other blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/check/checker.h"

namespace warpgrade::check {

class BulkCopies final : public Checker<BulkCopies> {
 private:
  friend Checker<BulkCopies>;
  using Lanes = std::vector<std::uint32_t>;  // By warp.

  struct Copy {
    run::BulkEvent start;
    std::uint32_t group = 0;
    Lanes know_source;        // Threads that know that the source has been read,
    Lanes know_all;           // and that the copy is complete.
    bool early_wait = false;  // Some thread has waited for a phase before that of the copy.
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  void bulk(const run::BulkEvent& event);
  void end_block();

  void start(const run::BulkEvent& event);
  void access(const run::MemoryEvent& event, std::uint32_t lane);
  void pass_on(std::uint32_t warp, std::uint32_t lanes);
  void report(const run::MemoryEvent& event, std::uint32_t lane, const Copy& copy, bool reads_it);
  void report_left(const Copy& copy);
  std::uint32_t& open_group(const run::BulkEvent& event) {
    return open_groups_[event.warp * run::kWarpSize + event.lane];
  }

  bool is_needed_ = false;                  // The kernel has bulk copies.
  std::vector<bool> may_hand_on_;           // By instruction.
  std::vector<std::uint32_t> open_groups_;  // By thread.
  std::vector<Copy> copies_;
};

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
// Finds accesses to memory that a copy of the bulk copy engine (cp.async.bulk) may still read or
// write. Such a copy is unordered with all other accesses, even those by the thread that starts
// it.
//
// A copy to shared memory is complete for a thread that has waited at its barrier object for the
// phase that counts the copy. A copy to global memory is complete for the thread that started it
// after a wait for the group; a wait with .read only means that the shared memory has been read.
// Barriers pass on the knowledge of their threads. Accesses that may acquire (atomics, volatile
// and similar) count as learning everything that any thread knows, which avoids false alarms.
//
// A block that ends while a copy may still use its shared memory causes a warning, because the
// next block on the SM may get that memory.
//
// Not modelled: order between copies of different threads without a wait in between, except copies
// to the same bytes; copies of other blocks; more than kMostInFlight copies of a block in flight.
// The oldest one is then forgotten, because each access is compared with all that are in flight.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "common/check/checker.h"

namespace warpgrade::check {

class BulkCopies final : public Checker<BulkCopies> {
 public:
  // A kernel with such copies sends every event to all checkers; other kernels do not matter.
  static constexpr Needs kNeeds = Needs::kNothing;
  /// Far more than a kernel that keeps a ring of buffers full has in flight.
  static constexpr std::size_t kMostInFlight = 256;

 private:
  friend Checker<BulkCopies>;
  using Lanes = std::vector<std::uint32_t>;  // by warp

  struct Copy {
    run::BulkEvent start;
    std::uint32_t group = 0;
    Lanes know_source;        // threads that know that the source has been read
    Lanes know_all;           // threads that know that the copy is complete
    bool early_wait = false;  // some thread has waited for an earlier phase than the copy's
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  void bulk(const run::BulkEvent& event);
  void end_block();

  void start(const run::BulkEvent& event);
  void access(const run::MemoryEvent& event);
  void pass_on(std::uint32_t warp, std::uint32_t lanes);
  void report(const run::MemoryEvent& event, std::uint32_t lane, const Copy& copy, bool reads_it);
  void report_left(const Copy& copy);
  std::uint32_t& open_group(const run::BulkEvent& event) {
    return open_groups_[event.warp * run::kWarpSize + event.lane];
  }

  bool is_needed_ = false;                  // the kernel has bulk copies
  std::vector<bool> may_hand_on_;           // by instruction
  std::vector<std::uint32_t> open_groups_;  // by thread
  std::deque<Copy> copies_;
};

}  // namespace warpgrade::check

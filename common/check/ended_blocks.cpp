// SPDX-License-Identifier: Apache-2.0
// The part of SharedRace that finds accesses to the shared memory of a block of the cluster that
// may have ended by then.
#include "common/check/shared_race.h"
#include "common/run/lanes.h"

namespace warpgrade::check {

// A block's shared memory is gone when all its threads have exited. An access by another block
// precedes this for certain only if some thread of the block knows of it.
void SharedRace::end_rank(std::uint32_t rank) {
  if (words_ == 0) return;
  const auto warps = view_.warps_per_block() / view_.cluster_blocks();
  for (const auto& [key, access] : remote_) {
    if (key.first != rank) continue;
    const auto by = key.second;
    bool is_known = false;
    for (auto thread = rank * warps * run::kWarpSize;
         !is_known && thread < (rank + 1) * warps * run::kWarpSize; ++thread) {
      is_known = order_.unordered(by / run::kWarpSize, 1U << by % run::kWarpSize, access.stamp,
                                  thread / run::kWarpSize, thread % run::kWarpSize) == 0;
    }
    if (!is_known) report_left(by, access);
  }
  std::erase_if(remote_, [&](const auto& each) { return each.first.first == rank; });
}

// A strong access of a block to its own flag, counter or barrier object sees the strong accesses
// that other blocks have made to it, so these are complete.
void SharedRace::note_remote(const run::MemoryEvent& event) {
  const bool is_strong = order_.strength(event, run::lowest_lane(event.mask)) != Strength::kPlain;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    const auto rank = view_.rank_of_offset(event.address[lane]);
    if (rank == view_.rank_of_warp(event.warp)) {
      if (!is_strong || remote_.empty()) continue;
      std::erase_if(remote_, [&](const auto& each) {
        return each.first.first == rank && each.second.is_strong &&
               each.second.address == event.address[lane];
      });
      continue;
    }
    remote_[{rank, event.warp * run::kWarpSize + lane}] = {
        order_.stamp(event.warp), event.instruction, event.operation,
        event.address[lane],      event.bytes,       is_strong,
        view_.moment(lane)};
  }
}

// Reports a race of the access with the end of the block whose shared memory it uses.
void SharedRace::report_left(std::uint32_t thread, const Remote& access) {
  const auto line = view_.line_number(access.instruction);
  findings_.add({base::DiagnosticKind::kRace, line, line}, access.moment, 1, [&] {
    const auto warp = thread / run::kWarpSize;
    const auto lane = thread % run::kWarpSize;
    base::EndedBlock facts{view_.shared_place(access.address, access.bytes, warp),
                           does(access.operation), /*has_ended=*/false};
    return view_.diagnostic(base::DiagnosticKind::kRace, access.instruction, access.moment.block,
                            warp, lane, std::move(facts));
  });
}

}  // namespace warpgrade::check

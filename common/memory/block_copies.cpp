// SPDX-License-Identifier: Apache-2.0
#include "common/memory/block_copies.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

BlockCopies::Warp& BlockCopies::of(std::uint32_t warp) {
  if (warps_.size() <= warp) warps_.resize(warp + 1);
  return warps_[warp];
}

// Copies write 1, 2 or 4 words per lane.
std::uint64_t BlockCopies::start(const run::MemoryEvent& event) {
  constexpr std::uint64_t kWord = 4;
  std::uint64_t first_time = 0;
  of(event.warp).has_open = true;
  for_each_address({event.address, event.mask, event.bytes}, event.mask,
                   [&](std::uint64_t address) {
                     const std::uint64_t end = (address + event.bytes) / kWord;
                     if (filled_.size() < end) filled_.resize(end);
                     for (std::uint64_t word = address / kWord; word < end; ++word) {
                       if (!filled_[word]) ++first_time;
                       filled_[word] = true;
                     }
                   });
  return first_time;
}

void BlockCopies::note(const run::CopyEvent& event) {
  Warp& warp = of(event.warp);
  switch (event.kind) {
    case run::CopyEvent::Kind::kCommit:
      if (warp.has_open) warp.running.push_back(warp.commits);
      warp.has_open = false;
      ++warp.commits;
      return;
    case run::CopyEvent::Kind::kWait:
      std::erase_if(warp.running, [&](std::uint32_t group) {
        return std::uint64_t{group} + event.left < warp.commits;
      });
      return;
    case run::CopyEvent::Kind::kTrack:
      if (is_busy(warp)) tracked_.insert(event.object[run::lowest_lane(event.mask)]);
      warp.has_open = false;
      warp.running.clear();
      return;
  }
}

void BlockCopies::note(const run::OrderEvent& event) {
  if (event.kind != run::OrderEvent::Kind::kAcquire || tracked_.empty()) return;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    tracked_.erase(event.object[run::lowest_lane(left)]);
  }
}

}  // namespace warpgrade::memory

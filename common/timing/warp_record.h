// SPDX-License-Identifier: Apache-2.0
// State of one warp while its block is traced.
#pragma once

#include <cstdint>
#include <vector>

#include "common/timing/block_replay.h"
#include "common/timing/programs.h"
#include "common/timing/schedule.h"

namespace warpgrade::timing {

struct WarpRecord {
  std::vector<Executed> stretch;
  std::vector<RecordedAccess> stretch_requests;  ///< In the order of the stretch.
  Programs::Path path;
  std::vector<RecordedAccess> requests;  ///< In program order.
  std::uint32_t passes = 0;              ///< Passes of an unrolled loop in the stretch.
  std::uint32_t loop_head = 0;
  bool goes_back = false;             ///< To loop_head, in the same stretch.
  std::uint32_t constant_misses = 0;  ///< Loads of one constant that missed.
  bool tracks = false;                ///< Its next arrival waits for its asynchronous copies.

  /// Adds a request to the last instruction, whose lanes make the same one once.
  void add(const TracedAccess& access) {
    if (stretch.empty()) return;
    const bool has_one = stretch.back().requests != 0;
    if (has_one && stretch_requests.back().access == access) return;
    stretch_requests.push_back({access});
    ++stretch.back().requests;
  }

  void clear() {
    stretch.clear();
    stretch_requests.clear();
    path.clear();
    requests.clear();
    passes = 0;
    goes_back = false;
    tracks = false;
    constant_misses = 0;
  }
};

}  // namespace warpgrade::timing

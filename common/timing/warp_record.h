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
  bool goes_back = false;  ///< To loop_head, in the same stretch.

  void clear() {
    stretch.clear();
    stretch_requests.clear();
    path.clear();
    requests.clear();
    passes = 0;
    goes_back = false;
  }
};

}  // namespace warpgrade::timing

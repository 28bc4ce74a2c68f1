// SPDX-License-Identifier: Apache-2.0
// Shared memory atomics without an instruction on the H200: 64-bit arithmetic and logic, and
// additions of floats. The machine code is a loop: load the word (LDS), compute, and store it if no
// other lane has changed it (ATOMS.CAST.SPIN); lanes that lose try again.
//
// This rule matches every counter of 20 probes on an H200 (tests/evidence/golden/h200_outputs,
// atom_u64, and the same patterns with red.shared.add.f32). In a round each group (the warp for 4
// bytes, each half-warp for 8) swaps one lane per bank: the lowest one left. The swap succeeds
// unless the previous group has changed the word in the same round. A group with an active lane
// costs two passes per round for any addresses, and they do not count as conflicts. An operation
// that leaves the word unchanged (a min that is not less) is treated like any other.
#pragma once

#include <cstdint>

#include "common/memory/request.h"
#include "common/memory/shared_banks.h"

namespace warpgrade::memory {

struct SharedLoop {
  std::uint32_t rounds = 0;  ///< Loads, and the same number of swaps.
  SharedAccess loads;
  SharedAccess swaps;
  std::uint32_t one_round = 0;  ///< Wavefronts of the first round without bank conflicts.

  friend bool operator==(const SharedLoop&, const SharedLoop&) = default;
};

/// The loop for one atomic of 4 or 8 bytes per lane (32 banks). `marks` is scratch.
SharedLoop shared_loop(const Request& request, WordMarks& marks);

}  // namespace warpgrade::memory

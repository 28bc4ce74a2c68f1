// SPDX-License-Identifier: Apache-2.0
// Atomics on shared memory that the H200 has no instruction for: 64-bit arithmetic and logic, and
// additions of floats. The machine code is a loop: load the word (LDS), compute, and store it where
// nobody else has changed it (ATOMS.CAST.SPIN); lanes that lost try again.
//
// The rule below gives every counter of 20 probes of an H200 (tests/evidence/golden/h200_outputs,
// atom_u64, and the same patterns with red.shared.add.f32). In a round each group (the warp for 4
// bytes, each half-warp for 8) swaps for one lane a bank: the lowest that is left. It succeeds
// unless the group before has changed its word in the same round. A group with an active lane costs
// two passes a round whatever its addresses, none of which counts as a conflict. An operation that
// does not change the word (a min that is not less) is taken as one that does.
#pragma once

#include <cstdint>

#include "common/memory/request.h"
#include "common/memory/shared_banks.h"

namespace warpgrade::memory {

struct SharedLoop {
  std::uint32_t rounds = 0;  ///< Loads, and as many swaps.
  SharedAccess loads;
  SharedAccess swaps;

  friend bool operator==(const SharedLoop&, const SharedLoop&) = default;
};

/// The loop for one atomic of 4 or 8 bytes a lane (32 banks). `marks` is scratch.
SharedLoop shared_loop(const Request& request, WordMarks& marks);

}  // namespace warpgrade::memory

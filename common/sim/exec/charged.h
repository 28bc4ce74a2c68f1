// SPDX-License-Identifier: Apache-2.0
// A handler of an operation that the host lacks: it costs more work than a plain one (sim/work.h).
#pragma once

#include <cstdint>

#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

/// `kInner`, charged with `kUnits` more than one unit.
template <Handler kInner, std::uint64_t kUnits>
void charged(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.charge(kUnits);
  kInner(warp, op, mask);
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Directed rounding: sets the host's rounding mode around a handler. Files that include this are
// compiled with -frounding-math.
#pragma once

#include <cfenv>
#include <cstdint>

#include "common/ptx/module.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

template <Handler kInner, int kMode>
void with_rounding(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  std::fesetround(kMode);
  kInner(warp, op, mask);
  std::fesetround(FE_TONEAREST);
}

/// `kInner` with the rounding of .rz, .rm or .rp; by default to nearest even.
template <Handler kInner>
Handler rounded(const ptx::ModifierSet& modifiers) {
  if (modifiers.has(ptx::Modifier::rz)) return with_rounding<kInner, FE_TOWARDZERO>;
  if (modifiers.has(ptx::Modifier::rm)) return with_rounding<kInner, FE_DOWNWARD>;
  if (modifiers.has(ptx::Modifier::rp)) return with_rounding<kInner, FE_UPWARD>;
  return kInner;
}

}  // namespace warpgrade::sim

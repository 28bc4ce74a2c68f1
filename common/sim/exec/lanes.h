// SPDX-License-Identifier: Apache-2.0
// The lane loop, written once: applies a function of plain values to the lanes of slots.
//
// With all lanes active the loop has a fixed count and no branch, so the compiler vectorises it;
// otherwise it visits the set bits of the mask. A result slot may also be a source slot.
#pragma once

#include <bit>
#include <cstdint>

#include "common/sim/block.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

template <typename Function>
inline void for_each_lane(std::uint32_t mask, const Function& function) {
  if (mask == run::kFullMask) {
#ifndef __clang__  // which does not know it
#pragma GCC ivdep
#endif
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) function(lane);
  } else {
    for (; mask != 0; mask &= mask - 1) {
      function(static_cast<std::uint32_t>(std::countr_zero(mask)));
    }
  }
}

/// d = F(a)
template <typename D, typename A, auto F>
void unary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  D* d = warp.lanes<D>(op.d);
  const A* a = warp.lanes<A>(op.a);
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = F(a[i]); });
}

/// d = F(a, b)
template <typename D, typename A, typename B, auto F>
void binary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  D* d = warp.lanes<D>(op.d);
  const A* a = warp.lanes<A>(op.a);
  const B* b = warp.lanes<B>(op.b);
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = F(a[i], b[i]); });
}

/// d = F(a, b, c)
template <typename D, typename A, typename B, typename C, auto F>
void ternary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  D* d = warp.lanes<D>(op.d);
  const A* a = warp.lanes<A>(op.a);
  const B* b = warp.lanes<B>(op.b);
  const C* c = warp.lanes<C>(op.c);
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = F(a[i], b[i], c[i]); });
}

/// Bit i of the result is F(a, b) of lane i.
template <typename A, auto F>
std::uint32_t compare_lanes(const A* a, const A* b) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
    bits |= static_cast<std::uint32_t>(F(a[i], b[i])) << i;
  }
  return bits;
}

}  // namespace warpgrade::sim

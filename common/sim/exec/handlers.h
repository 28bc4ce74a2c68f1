// SPDX-License-Identifier: Apache-2.0
// Handlers: the functions that execute instructions, and the lane loop from which they are made.
//
// A chooser receives an instruction of its family, whose operands have slots, and returns a
// handler or nullptr. The lane loop is written once. It applies a function of plain values to the
// lanes of slots. Wrappers charge a handler with more work, or set the host's rounding mode
// around it. All sources of the simulator are compiled with -frounding-math for that.
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>
#include <string_view>

#include "common/ptx/module.h"
#include "common/sim/block.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

// The lane loop, written once: applies a function of plain values to the lanes of slots.
//
// With all lanes active the loop has a fixed count and no branch, so the compiler vectorises it;
// otherwise it visits the set bits of the mask. A result slot may also be a source slot.

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

// Directed rounding: sets the host's rounding mode around a handler. Files that include this are
// compiled with -frounding-math.

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

/// The handler that the choosers of the instruction's family select; nullptr if none knows the
/// form, or if the decoder selects it itself (Family::kOfLayout).
Handler handler_of(const ptx::Instruction& instruction);

Handler integer_handler(const ptx::Instruction& instruction);
Handler bits_handler(const ptx::Instruction& instruction);
Handler bit_fields_handler(const ptx::Instruction& instruction);
Handler float_handler(const ptx::Instruction& instruction);
Handler half_handler(const ptx::Instruction& instruction);
Handler half_convert_handler(const ptx::Instruction& instruction);
Handler small_format_handler(const ptx::Instruction& instruction);
Handler packed_handler(const ptx::Instruction& instruction);
Handler logic_handler(const ptx::Instruction& instruction);
Handler setp_handler(const ptx::Instruction& instruction);
Handler selection_handler(const ptx::Instruction& instruction);
Handler set_handler(const ptx::Instruction& instruction);
Handler convert_handler(const ptx::Instruction& instruction);
Handler address_handler(const ptx::Instruction& instruction);
Handler memory_handler(const ptx::Instruction& instruction);
Handler atomic_handler(const ptx::Instruction& instruction);
Handler atomic_vector_handler(const ptx::Instruction& instruction);
Handler async_copy_handler(const ptx::Instruction& instruction);
Handler barrier_object_handler(const ptx::Instruction& instruction);
/// st.async and red.async, whose bytes a barrier object counts.
Handler counted_access_handler(const ptx::Instruction& instruction);
Handler cluster_handler(const ptx::Instruction& instruction);
Handler bulk_handler(const ptx::Instruction& instruction);
Handler control_handler(const ptx::Instruction& instruction);
/// The handler of an access that may use the grid barrier in a cooperative launch; `plain` is its
/// own handler. nullptr for other instructions.
Handler grid_access_handler(const ptx::Instruction& in, Handler plain);
/// The handler of the trap with which cooperative groups answer grid.sync() in an ordinary launch.
Handler grid_barrier_handler();
Handler warp_handler(const ptx::Instruction& instruction);
Handler mma_handler(const ptx::Instruction& instruction);
Handler matrix_tiles_handler(const ptx::Instruction& instruction);
Handler wmma_memory_handler(const ptx::Instruction& instruction);
Handler call_handler(const ptx::Instruction& instruction);

/// Copies a slot with lanes of `from` bytes to one with lanes of `to` bytes: truncated, or extended
/// by zeros or by the sign. Sizes are 1 (held in 2), 2, 4 and 8.
Handler resize_handler(std::uint32_t to, std::uint32_t from, bool sign);
/// d = not a, for predicates.
Handler negate_predicate_handler();
/// Copies a slot with lanes of 2, 4 or 8 bytes, or, with 1, a predicate.
Handler copy_handler(std::uint32_t bytes);
/// mov of a vector: packs the slots of op.vectors into d, or unpacks a into them.
Handler pack_handler(std::uint32_t element_bytes, std::uint32_t count);
Handler unpack_handler(std::uint32_t element_bytes, std::uint32_t count);
/// Lanes in `mask` return from their current call; results go to the caller.
void finish_call(Warp& warp, std::uint32_t mask);
/// A call of a supported system function. nullptr if the name is unknown, or `site` has other
/// numbers of arguments or results. op.target is its index in Code::sites.
Handler intrinsic_handler(std::string_view name, const CallSite& site);
/// d = a counting special register: 4 or 8 bytes; `high` selects the upper half of 8.
Handler clock_handler(std::uint32_t bytes, bool high);
/// A copy between a .param variable (op.e is its stride, op.offset the position in it) and a slot:
/// d = a, 1 (held in 2), 2, 4 or 8 bytes per lane.
Handler argument_handler(std::uint32_t bytes, bool is_store);
/// Faults with the instruction's entry in Code::refused.
Handler refused_handler();
/// goto op.target, for a block whose successor is not the next one in the order.
Handler jump_handler();

// A handler of an operation that the host lacks: it costs more work than a plain one
// (sim/micro_op.h).

/// `kInner`, charged with `kUnits` more than one unit.
template <Handler kInner, std::uint64_t kUnits>
void charged(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.charge(kUnits);
  kInner(warp, op, mask);
}

}  // namespace warpgrade::sim

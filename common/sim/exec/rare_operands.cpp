// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/rare_operands.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/ptx/module.h"
#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

void tell(const Warp& warp, const MicroOp& op, RareOperands rare) {
  if (rare == RareOperands::kNone) return;
  for (auto* watcher : warp.block->watchers()) {
    watcher->on_rare_operands(warp.index, op.instruction, rare);
  }
}

template <typename T, auto F>
void tell_of_one(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const T* a = warp.lanes<T>(op.a);
  RareOperands rarest = RareOperands::kNone;
  for (; mask != 0; mask &= mask - 1) rarest = std::max(rarest, F(a[std::countr_zero(mask)]));
  tell(warp, op, rarest);
}

template <typename T>
void tell_of_quotient(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const T* a = warp.lanes<T>(op.a);
  const T* b = warp.lanes<T>(op.b);
  RareOperands rarest = RareOperands::kNone;
  for (; mask != 0; mask &= mask - 1) {
    const auto i = std::countr_zero(mask);
    rarest = std::max(rarest, rare_operands_of_quotient(a[i], b[i]));
  }
  tell(warp, op, rarest);
}

template <typename T>
Handler teller(Opcode opcode) {
  switch (opcode) {
    case Opcode::div:
      return tell_of_quotient<T>;
    case Opcode::rcp:
      return tell_of_one<T, rare_operands_of_reciprocal<T>>;
    case Opcode::sqrt:
      return tell_of_one<T, rare_operands_of_root<T>>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler teller_of_rare_operands(const ptx::Instruction& in) {
  const auto& m = in.modifiers;
  if (m.has(Modifier::approx) || m.has(Modifier::full)) return nullptr;
  if (in.types[0] == Type::kF32) return teller<float>(in.opcode);
  return in.types[0] == Type::kF64 ? teller<double>(in.opcode) : nullptr;
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// The part of InstructionDecoder that decodes joint instructions of a warp's or a block's threads:
// barriers, shuffles, votes, matches, reductions.
#include "common/ptx/instruction_facts.h"
#include "common/ptx/instruction_table.h"
#include "common/sim/decode/instruction_decoder.h"

namespace warpgrade::sim {

using ptx::Instruction;
using ptx::Modifier;

namespace {

// Required number of operands of `in`: the row's maximum, minus an absent second result.
std::size_t operand_count(const Instruction& in) {
  const std::size_t most = ptx::row_of(in.opcode).most_operands;
  const bool may_have_two = ptx::facts(in).results == ptx::Results::kOneOrTwo;
  return may_have_two && !in.has_second_result ? most - 1 : most;
}

}  // namespace

void InstructionDecoder::fill_barrier(MicroOp& op, const Instruction& in) {
  const auto& m = in.modifiers;
  const auto& o = in.operands;
  if (m.has(Modifier::cluster)) {
    if (!o.empty()) throw UnsupportedForm{"this number of operands"};
    return;
  }
  if (o.empty()) throw UnsupportedForm{"this number of operands"};
  if (m.has(Modifier::warp)) {
    op.a = source(o[0], 4);
    op.orders_memory = true;
    return;
  }
  if (!m.has(Modifier::red)) {
    op.a = source(o[0], 4);
    if (o.size() > 1) op.b = source(o[1], 4);
    return;
  }
  // d, a [, b], c: the last is the predicate, the second the barrier.
  if (o.size() < 3) throw UnsupportedForm{"this number of operands"};
  const bool counts = m.has(Modifier::popc);
  op.reduction = counts                  ? BarrierReduction::kPopc
                 : m.has(Modifier::and_) ? BarrierReduction::kAnd
                                         : BarrierReduction::kOr;
  op.d = slots_.result(o[0], counts ? 4 : 1);
  op.a = source(o[1], 4);
  if (o.size() > 3) op.b = source(o[2], 4);
  op.c = source(o.back(), 1);
}

// d[|p], sources, member mask: the mask is the last operand.
void InstructionDecoder::fill_lanes(MicroOp& op, const Instruction& in) {
  // "These intrinsics do not imply a memory barrier. They do not guarantee any memory ordering."
  // (CUDA C++ Programming Guide on shuffles, votes, matches and reductions.) However, the toolkit's
  // own code relies on them: for tiles of several warps in cooperative_groups.h,
  // collectives_scheme() reads and writes a word again with only a vote in between, and
  // sync_warps_last_releases() acquires in one lane and notifies the others by a shuffle. Students
  // cannot change that, so all such calls in the toolkit's headers order memory here.
  op.orders_memory = in.is_of_toolkit;
  if (in.operands.size() != operand_count(in)) throw UnsupportedForm{"this number of operands"};
  fill_in_order(op, in);
}

}  // namespace warpgrade::sim

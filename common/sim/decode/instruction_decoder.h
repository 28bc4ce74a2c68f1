// SPDX-License-Identifier: Apache-2.0
// Converts one PTX instruction to a micro-op, with helper micro-ops before and after it.
//
// In: an instruction and the slots of its operands. Out: micro-ops with handlers. The layout in
// the instruction's facts selects the function that fills a micro-op. Helpers resize registers
// that are wider than the instruction's type, and negate predicates.
//
// Besides arithmetic, this file decodes loads, stores, atomics, moves, and joint instructions of
// a warp's or a block's threads: barriers, shuffles, votes, matches, reductions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/ptx/module.h"
#include "common/sim/decode/fma_contraction.h"
#include "common/sim/decode/operand_slots.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

class InstructionDecoder {
 public:
  /// Adds constants, vectors and jump tables to `code`.
  InstructionDecoder(const ptx::Module& module, const ptx::Function& function,
                     const AddressSpace& memory, Code& code);

  /// The micro-ops of the instruction; one of them carries its index. Targets of bra and in
  /// Code::jumps are still instructions. Throws UnsupportedForm.
  std::vector<MicroOp> decode(std::uint32_t index);

  /// A micro-op that faults when executed.
  MicroOp refused(std::uint32_t index);

  /// Calls OperandSlots::note_undefined().
  void note_undefined(const std::vector<UndefinedRegister>& registers) {
    slots_.note_undefined(registers);
  }

  Slot register_slot(std::uint32_t index) { return slots_.register_slot(index); }

  /// Size of a warp's register file for everything decoded so far.
  std::uint32_t register_bytes() const { return slots_.bytes(); }
  /// Allocates Code::meeting.
  void make_meeting() { code_.meeting = slots_.new_slot(kMeetingStride / run::kWarpSize, 6); }

 private:
  void fill(MicroOp& op, const ptx::Instruction& in);
  void fill_in_order(MicroOp& op, const ptx::Instruction& in);
  void fill_conversion(MicroOp& op, const ptx::Instruction& in);
  void fill_policy(MicroOp& op, const ptx::Instruction& in);
  void fill_target(MicroOp& op, const ptx::Instruction& in);
  void fill_load(MicroOp& op, const ptx::Instruction& in);
  void load_parameter(MicroOp& op, const ptx::Instruction& in, std::int64_t offset);
  bool fill_argument(MicroOp& op, const ptx::Instruction& in);
  void fill_call(MicroOp& op, const ptx::Instruction& in);
  void fill_counted(MicroOp& op, const ptx::Instruction& in);
  void fill_store(MicroOp& op, const ptx::Instruction& in);
  void fill_atomic(MicroOp& op, const ptx::Instruction& in);
  void fill_atomic_vector(MicroOp& op, const ptx::Instruction& in);
  void fill_barrier(MicroOp& op, const ptx::Instruction& in);
  void fill_lanes(MicroOp& op, const ptx::Instruction& in);
  void fill_move(MicroOp& op, const ptx::Instruction& in);
  bool fill_clock(MicroOp& op, const ptx::Instruction& in);
  void fill_comparison(MicroOp& op, const ptx::Instruction& in);
  void fill_contracted(MicroOp& op, const ptx::Instruction& sum, const Taken& taken);
  void fill_set(MicroOp& op, const ptx::Instruction& in);
  void fill_lookup(MicroOp& op, const ptx::Instruction& in);
  void test_lookup(const MicroOp& op, const ptx::Instruction& in);
  void fill_copy(MicroOp& op, const ptx::Instruction& in);
  void fill_bulk_copy(MicroOp& op, const ptx::Instruction& in);
  void fill_barrier_object(MicroOp& op, const ptx::Instruction& in);
  void fill_product(MicroOp& op, const ptx::Instruction& in);
  void fill_fragment(MicroOp& op, const ptx::Instruction& in);
  void fill_tiles(MicroOp& op, const ptx::Instruction& in);
  std::vector<Slot> fragment_slots(const ptx::Operand& operand, Element element, bool is_result);
  void add_matrix(MicroOp& op, MatrixOp matrix);
  template <typename ToSlot>
  void vector(MicroOp& op, const ptx::Operand& operand, std::size_t count, const ToSlot& to_slot);

  Slot source(const ptx::Operand& operand, std::uint32_t bytes);
  Slot negated(Slot predicate);
  void address(MicroOp& op, const ptx::Operand& operand);
  Slot address_slot(const ptx::Operand& operand);
  Slot frame_address(const ptx::Operand& operand);
  Slot resized(Slot from, std::uint32_t to_bytes, std::uint32_t from_bytes, bool sign);
  Slot resized_source(const ptx::Operand& operand, ptx::Type type);
  Slot resized_result(const ptx::Operand& operand, ptx::Type type);

  const ptx::Module& module_;
  const ptx::Function& function_;
  const AddressSpace& memory_;
  Code& code_;
  OperandSlots slots_;
  FmaContraction contraction_;
  std::vector<MicroOp> before_;  // of the current instruction
  std::vector<MicroOp> after_;
  MicroOp guard_;        // carries the instruction's guard
  std::string missing_;  // text of an UnsupportedForm
};

}  // namespace warpgrade::sim

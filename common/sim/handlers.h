// SPDX-License-Identifier: Apache-2.0
// Which function executes an instruction: one chooser a family, each in its exec_*.cpp.
//
// A chooser gets an instruction whose operands have become slots and returns the handler for its
// opcode, types and modifiers, or nullptr where its family does not hold that form: then the
// instruction is unsupported.
#pragma once

#include "common/ptx/module.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

Handler integer_handler(const ptx::Instruction& instruction);
Handler bits_handler(const ptx::Instruction& instruction);
Handler float_handler(const ptx::Instruction& instruction);
Handler half_handler(const ptx::Instruction& instruction);
Handler half_convert_handler(const ptx::Instruction& instruction);
Handler packed_handler(const ptx::Instruction& instruction);
Handler logic_handler(const ptx::Instruction& instruction);
Handler compare_handler(const ptx::Instruction& instruction);
Handler set_handler(const ptx::Instruction& instruction);
Handler convert_handler(const ptx::Instruction& instruction);
Handler memory_handler(const ptx::Instruction& instruction);
Handler atomic_handler(const ptx::Instruction& instruction);
Handler async_handler(const ptx::Instruction& instruction);
Handler control_handler(const ptx::Instruction& instruction);
Handler warp_handler(const ptx::Instruction& instruction);

/// Copies a slot of lanes that are `from` bytes wide into one whose lanes are `to` bytes wide:
/// cut off, or extended by zeros or by the sign. Sizes are 1 (held in 2), 2, 4 and 8.
Handler resize_handler(std::uint32_t to, std::uint32_t from, bool sign);
/// d = not a, for predicates.
Handler negate_predicate_handler();
/// Copies a slot of 2, 4 or 8-byte lanes; or, with 1, a predicate.
Handler copy_handler(std::uint32_t bytes);
/// mov of a vector: packs the slots of op.vectors into d, or unpacks a into them.
Handler pack_handler(std::uint32_t element_bytes, std::uint32_t count);
Handler unpack_handler(std::uint32_t element_bytes, std::uint32_t count);
/// goto op.target, for a block whose successor stands elsewhere in the order.
Handler jump_handler();

}  // namespace warpgrade::sim

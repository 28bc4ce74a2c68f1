// SPDX-License-Identifier: Apache-2.0
// Selects the function that executes an instruction: one chooser per ptx::Family, or several if the
// types decide.
//
// A chooser receives an instruction of its family, whose operands have slots. It returns the
// handler for its opcode, types and modifiers, or nullptr for forms that it does not contain. A
// form without a handler is unsupported.
#pragma once

#include <string_view>

#include "common/ptx/module.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

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

}  // namespace warpgrade::sim

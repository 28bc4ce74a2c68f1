// SPDX-License-Identifier: Apache-2.0
// Assigns each operand of a function its place: registers, constants, special registers, variables.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "common/ptx/module.h"
#include "common/sim/decode/register_uses.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

/// Thrown inside the decoder if the simulator does not support the form of an operand.
struct UnsupportedForm {
  std::string_view what;  ///< such as "a result of another size"
};

/// Bytes per lane in a register's slot: an 8-bit value is held in 16 bits; a predicate (1) is one
/// mask for all lanes.
std::uint32_t lane_bytes(ptx::Type type);

class OperandSlots {
 public:
  /// Assigns a slot to every used register of `function` and every .param variable, and an offset
  /// to every on-chip variable. Its parts become `code`'s callees. Stores sizes of shared and local
  /// memory in `code`, and constants on demand.
  OperandSlots(const ptx::Module& module, const ptx::Function& function, const AddressSpace& memory,
               Code& code);

  Slot new_slot(std::uint32_t bytes, std::uint32_t count = 1);
  /// A slot with the low `bytes` of `value` in all lanes.
  Slot constant(std::uint64_t value, std::uint32_t bytes);

  Slot register_slot(const ptx::Operand& operand) const;
  Slot register_slot(std::uint32_t index) const { return registers_[index]; }
  std::uint32_t register_bytes(const ptx::Operand& operand) const;

  /// Stores `registers`, which must be ascending, in Code::undefined.
  void note_undefined(const std::vector<UndefinedRegister>& registers);

  /// The slot of a result with `bytes` per lane.
  Slot result(const ptx::Operand& operand, std::uint32_t bytes);
  /// The slot of a source with `bytes` per lane. A float immediate is converted to that size.
  Slot source(const ptx::Operand& operand, std::uint32_t bytes);
  /// Address of a variable or parameter in its own state space, plus the operand's offset. If
  /// in_frame() is true, it is relative to Frame::local_base.
  std::uint64_t address_of(const ptx::Operand& operand) const;
  /// Whether `operand` is a variable in the local memory of a device function.
  bool in_frame(const ptx::Operand& operand) const;
  /// The slot of a .param variable of the function.
  ParameterSlot parameter_slot(const ptx::Operand& operand) const;

  /// Size of a warp's register file so far.
  std::uint32_t bytes() const { return next_; }

 private:
  void lay_out_registers();
  void lay_out_variables();
  Slot special(ptx::SpecialRegister which);

  const ptx::Module& module_;
  const ptx::Function& function_;
  const AddressSpace& memory_;
  Code& code_;
  std::vector<Slot> registers_;                  // by register
  std::vector<ParameterSlot> parameters_;        // by variable of the function
  std::vector<std::uint32_t> module_offsets_;    // of .shared variables of the module
  std::vector<std::uint32_t> function_offsets_;  // of the function's variables
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> constants_;
  std::map<ptx::SpecialRegister, Slot> specials_;
  Slot next_ = 0;
};

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/operand_slots.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/sim/decode/register_uses.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

using ptx::Operand;
using ptx::StateSpace;

constexpr std::uint32_t kMaskBytes = 64;  // for a predicate; keeps slots aligned
constexpr std::uint32_t kLocalAlignment = 16;
constexpr std::uint64_t kMaxRegisterBytes = std::uint64_t{1}
                                            << 30;   // per warp; keeps offsets small
constexpr std::uint32_t kMaxOnChipBytes = 1U << 20;  // per block or thread; above any device's
constexpr std::uint64_t kMaxParameterBytes = std::uint64_t{1} << 16;  // more than PTX permits

std::uint32_t slot_bytes(std::uint32_t bytes) {
  return bytes == 1 ? kMaskBytes : bytes * run::kWarpSize;
}

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint64_t immediate_bits(const Operand& operand, std::uint32_t bytes) {
  if (operand.number == Operand::Number::kFloat64 && bytes == 4) {
    const auto value = static_cast<float>(std::bit_cast<double>(operand.bits));
    return std::bit_cast<std::uint32_t>(value);
  }
  if (operand.number == Operand::Number::kFloat32 && bytes == 8) {
    const double value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
    return std::bit_cast<std::uint64_t>(value);
  }
  return operand.bits;
}

void mark_used(const Operand& operand, std::vector<bool>& used) {
  if (operand.kind == Operand::Kind::kRegister) used[operand.index] = true;
  for (const auto& element : operand.elements) mark_used(element, used);
}

// By register: whether any instruction names it. Unused registers such as `.reg .b32 %x<1000000>;`
// are free.
std::vector<bool> used_registers(const ptx::Function& function) {
  std::vector<bool> used(function.registers.size());
  for (const auto& instruction : function.instructions) {
    if (instruction.guard) used[*instruction.guard] = true;
    for (const auto& operand : instruction.operands) mark_used(operand, used);
  }
  return used;
}

std::uint32_t special_bytes(ptx::SpecialRegister which) {
  static constexpr std::uint8_t kBytes[] = {
#define SPECIAL(id, text, bytes) bytes,
#include "common/ptx/special_registers.def"
#undef SPECIAL
  };
  return kBytes[static_cast<std::size_t>(which)];
}

// Whether one of the operands, or of their elements, is the module's variable `index`.
bool names_variable(const std::vector<ptx::Operand>& operands, std::uint32_t index) {
  return std::ranges::any_of(operands, [&](const ptx::Operand& operand) {
    const bool is_it = operand.kind == ptx::Operand::Kind::kVariable && operand.index == index;
    return is_it || names_variable(operand.elements, index);
  });
}

}  // namespace

std::uint32_t lane_bytes(ptx::Type type) {
  return type == ptx::Type::kPred ? 1 : std::max<std::uint32_t>(ptx::size_of(type), 2);
}

OperandSlots::OperandSlots(const ptx::Module& module, const ptx::Function& function,
                           const AddressSpace& memory, Code& code)
    : module_(module), function_(function), memory_(memory), code_(code) {
  lay_out_registers();
  lay_out_variables();
}

// The slots of one part are adjacent.
void OperandSlots::lay_out_registers() {
  registers_.resize(function_.registers.size());
  const auto used = used_registers(function_);
  parameters_.resize(function_.variables.size());
  for (const auto& part : function_.parts) {
    Callee callee;
    callee.name = module_.functions[part.function].name;
    callee.slots_begin = next_;
    if (part.address_taken) callee.address = function_address(part.function);
    for (auto i = part.registers.begin; i < part.registers.end; ++i) {
      if (!used[i]) continue;
      const auto& reg = function_.registers[i];
      const auto bytes = lane_bytes(reg.type);
      registers_[i] = new_slot(bytes, reg.vector);
      for (std::uint32_t v = 0; v < reg.vector; ++v) {
        const auto held = bytes == 1 ? 0 : bytes;
        callee.slots.push_back({registers_[i] + v * slot_bytes(bytes), held, held});
      }
    }
    for (auto i = part.variables.begin; i < part.variables.end; ++i) {
      const auto& variable = function_.variables[i];
      if (variable.space != StateSpace::kParam) continue;
      if (variable.bytes > kMaxParameterBytes) {
        throw base::ToolError("a function has a parameter that no GPU can pass");
      }
      const auto bytes = static_cast<std::uint32_t>(variable.bytes);
      const auto stride = round_up(std::max(bytes, 1U), 8);
      parameters_[i] = {new_slot(stride), stride, bytes};
      callee.slots.push_back({parameters_[i].slot, stride, stride});
    }
    for (auto i = part.results.begin; i < part.results.end; ++i) {
      callee.results.push_back(parameters_[i]);
    }
    for (auto i = part.parameters.begin; i < part.parameters.end; ++i) {
      callee.parameters.push_back(parameters_[i]);
    }
    callee.slots_end = next_;
    code_.callees.push_back(std::move(callee));
  }
  if (function_.parts.size() > 1) {
    code_.local_base = new_slot(8);
    code_.constants.push_back({code_.local_base, 8, 0, false, {}});
  }
}

void OperandSlots::note_undefined(const std::vector<UndefinedRegister>& registers) {
  auto next = registers.begin();
  for (std::size_t p = 0; p < function_.parts.size(); ++p) {
    auto& undefined = code_.callees[p].undefined;
    undefined.begin = static_cast<std::uint32_t>(code_.undefined.size());
    for (; next != registers.end() && next->index < function_.parts[p].registers.end; ++next) {
      const auto& reg = function_.registers[next->index];
      const auto bytes = lane_bytes(reg.type);
      for (std::uint32_t v = 0; v < reg.vector; ++v) {
        code_.undefined.push_back({registers_[next->index] + v * slot_bytes(bytes),
                                   bytes == 1 ? 0 : bytes, next->readers});
      }
    }
    undefined.end = static_cast<std::uint32_t>(code_.undefined.size());
  }
}

// A multiple of the span of any device's banks, so banks do not change, and of any alignment.
constexpr std::uint32_t kSharedGap = 1024;

// Offsets of .shared and .local variables. All extern .shared variables begin at the end of the
// static ones. A callee's .local variables begin at its frame.
void OperandSlots::lay_out_variables() {
  std::vector<std::uint32_t*> dynamic;
  const std::string* dynamic_name = nullptr;
  std::uint32_t alignment = 1;
  std::uint32_t frame_alignment = kLocalAlignment;
  const auto place = [](std::uint32_t& end, const ptx::Variable& v) {
    const auto offset = round_up(end, v.alignment);
    if (v.bytes > kMaxOnChipBytes - offset) {
      throw base::ToolError(
          fmt::format("variable '{}' finds no room: shared and local memory end "
                      "at {} bytes",
                      v.name, kMaxOnChipBytes));
    }
    end = offset + static_cast<std::uint32_t>(v.bytes);
    return offset;
  };
  const auto lay_out = [&](const std::vector<ptx::Variable>& variables,
                           std::vector<std::uint32_t>& offsets, ptx::Range range,
                           std::uint32_t& local_bytes) {
    offsets.resize(variables.size());
    for (auto i = range.begin; i < range.end; ++i) {
      const auto& variable = variables[i];
      if (variable.name == ptx::kReservedShared) {
        // Before the other variables, in the padding, so it uses none of the kernel's memory.
        if (!function_.uses_reserved_shared) continue;
        code_.shared_padding += kSharedGap;
        code_.shared_variables.push_back({"the reserved shared memory of cooperative groups", 0,
                                          static_cast<std::uint32_t>(variable.bytes)});
      } else if (variable.space == StateSpace::kShared && variable.is_extern) {
        dynamic.push_back(&offsets[i]);
        // All of them are one array; messages use this kernel's name for it.
        const bool is_ours = std::ranges::any_of(function_.instructions, [&](const auto& one) {
          return names_variable(one.operands, i);
        });
        if (is_ours || dynamic_name == nullptr) dynamic_name = &variable.name;
        alignment = std::max(alignment, variable.alignment);
      } else if (variable.space == StateSpace::kShared) {
        if (!code_.shared_variables.empty()) code_.shared_padding += kSharedGap;
        offsets[i] = place(code_.shared_bytes, variable) + code_.shared_padding;
        code_.shared_variables.push_back(
            {variable.name, offsets[i], static_cast<std::uint32_t>(variable.bytes)});
      } else if (variable.space == StateSpace::kLocal) {
        offsets[i] = place(local_bytes, variable);
        frame_alignment = std::max(frame_alignment, variable.alignment);
      }
    }
  };
  auto& kernel_bytes = code_.callees.front().local_bytes;
  const auto count = static_cast<std::uint32_t>(module_.variables.size());
  lay_out(module_.variables, module_offsets_, {0, count}, kernel_bytes);
  for (std::size_t p = 0; p < function_.parts.size(); ++p) {
    lay_out(function_.variables, function_offsets_, function_.parts[p].variables,
            code_.callees[p].local_bytes);
  }
  for (auto& callee : code_.callees) {
    callee.local_bytes = round_up(callee.local_bytes, frame_alignment);
  }
  code_.local_bytes = kernel_bytes;
  if (dynamic_name == nullptr) return;
  if (!code_.shared_variables.empty()) code_.shared_padding += kSharedGap;
  code_.shared_bytes = round_up(code_.shared_bytes, alignment);
  const auto begin = code_.shared_bytes + code_.shared_padding;
  for (auto* offset : dynamic) *offset = begin;
  code_.shared_variables.push_back({*dynamic_name, begin, 0});  // size from the launch
}

Slot OperandSlots::new_slot(std::uint32_t bytes, std::uint32_t count) {
  const auto slot = next_;
  const auto end = next_ + std::uint64_t{slot_bytes(bytes)} * count;
  if (end > kMaxRegisterBytes) throw base::ToolError("the kernel has too many registers");
  next_ = static_cast<Slot>(end);
  return slot;
}

Slot OperandSlots::constant(std::uint64_t value, std::uint32_t bytes) {
  if (bytes < 8 && bytes > 1) value &= (std::uint64_t{1} << (8 * bytes)) - 1;
  const auto [entry, added] = constants_.try_emplace({value, bytes}, 0U);
  if (added) {
    entry->second = new_slot(bytes);
    code_.constants.push_back({entry->second, bytes, value, false, {}});
  }
  return entry->second;
}

Slot OperandSlots::special(ptx::SpecialRegister which) {
  const auto [entry, added] = specials_.try_emplace(which, 0U);
  if (added) {
    const auto bytes = special_bytes(which);
    entry->second = new_slot(bytes);
    code_.constants.push_back({entry->second, bytes, 0, true, which});
  }
  return entry->second;
}

Slot OperandSlots::register_slot(const Operand& operand) const {
  return registers_[operand.index] + operand.component * slot_bytes(register_bytes(operand));
}

std::uint32_t OperandSlots::register_bytes(const Operand& operand) const {
  return lane_bytes(function_.registers[operand.index].type);
}

Slot OperandSlots::result(const Operand& operand, std::uint32_t bytes) {
  if (operand.kind == Operand::Kind::kSink) return new_slot(bytes);
  if (operand.kind != Operand::Kind::kRegister) throw UnsupportedForm{"this result"};
  if (register_bytes(operand) != bytes) throw UnsupportedForm{"a result of another size"};
  return register_slot(operand);
}

Slot OperandSlots::source(const Operand& operand, std::uint32_t bytes) {
  if (bytes > 8 && operand.kind != Operand::Kind::kRegister) {
    throw UnsupportedForm{"a 128-bit operand that is not a register"};
  }
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      if (register_bytes(operand) != bytes) throw UnsupportedForm{"an operand of another size"};
      return register_slot(operand);
    case Operand::Kind::kImmediate:
      return constant(immediate_bits(operand, bytes), bytes);
    case Operand::Kind::kSpecial: {
      const auto which = static_cast<ptx::SpecialRegister>(operand.index);
      if (bytes != special_bytes(which)) {
        throw UnsupportedForm{"a special register of this size"};
      }
      return special(which);
    }
    case Operand::Kind::kVariable:
    case Operand::Kind::kLocal:
    case Operand::Kind::kParameter:
    case Operand::Kind::kFunction:
      return constant(address_of(operand), bytes);
    default:
      throw UnsupportedForm{"this operand"};
  }
}

std::uint64_t OperandSlots::address_of(const Operand& operand) const {
  std::uint64_t base = 0;
  if (operand.kind == Operand::Kind::kVariable) {
    const auto space = module_.variables[operand.index].space;
    const bool on_chip = space == StateSpace::kShared || space == StateSpace::kLocal;
    base = on_chip ? module_offsets_[operand.index] : memory_.variable_address(operand.index);
  } else if (operand.kind == Operand::Kind::kLocal) {
    if (function_.variables[operand.index].space == StateSpace::kParam) {
      throw UnsupportedForm{"the address of a function's parameter"};
    }
    base = function_offsets_[operand.index];
  } else if (operand.kind == Operand::Kind::kFunction) {
    base = function_address(operand.index);
  } else if (operand.kind == Operand::Kind::kParameter) {
    base = kParameterWindow.base + memory_.parameter_offset(operand.index);
  } else {
    throw UnsupportedForm{"this address"};
  }
  return base + static_cast<std::uint64_t>(operand.offset);
}

bool OperandSlots::in_frame(const Operand& operand) const {
  return operand.kind == Operand::Kind::kLocal &&
         function_.variables[operand.index].space == StateSpace::kLocal &&
         operand.index >= function_.parts.front().variables.end;
}

ParameterSlot OperandSlots::parameter_slot(const Operand& operand) const {
  const bool is_parameter = operand.kind == Operand::Kind::kLocal &&
                            function_.variables[operand.index].space == StateSpace::kParam;
  if (!is_parameter) throw UnsupportedForm{"an argument that is no .param variable"};
  return parameters_[operand.index];
}

}  // namespace warpgrade::sim

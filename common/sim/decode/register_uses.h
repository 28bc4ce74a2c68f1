// SPDX-License-Identifier: Apache-2.0
// The writers and readers of each register, and registers that a thread may read before a write.
//
// In: a function and its basic blocks. Out: uses by register, copies, and undefined reads as
// after `float sum;`. The search goes per register, from its readers back to its writers. Most
// registers are used in one block, so nearly all searches end at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::sim {

/// Whether `operand` is exactly register `r`.
bool is_register(const ptx::Operand& operand, std::uint32_t r);

/// How often `in` reads register `r`, including as its guard.
std::uint32_t reads_of(const ptx::Instruction& in, std::uint32_t r);

bool writes(const ptx::Instruction& in, std::uint32_t r);

/// Whether it is a mov of one register to another.
bool is_copy(const ptx::Instruction& in);

/// Whether it is a mov of a register to a vector of two: {low, high}.
bool is_parting(const ptx::Instruction& in);

class RegisterUses {
 public:
  explicit RegisterUses(const ptx::Function& function);

  bool is_written_once(std::uint32_t r) const { return writers_[r].size() == 1; }
  /// Instructions that read `r`, in order, once per read.
  const std::vector<std::uint32_t>& readers(std::uint32_t r) const { return readers_[r]; }
  bool is_written_between(std::uint32_t r, std::uint32_t after, std::uint32_t before) const;
  /// The register that is the only result of `in`, if no other instruction writes it and `in` has
  /// no guard.
  std::optional<std::uint32_t> result_written_once(const ptx::Instruction& in) const;
  /// Whether `operand` is an immediate, or a register that always has an immediate's value.
  bool is_constant(const ptx::Operand& operand) const { return constant(operand) != nullptr; }
  /// The immediate of is_constant(), or nullptr.
  const ptx::Operand* constant(const ptx::Operand& operand) const;
  /// Whether `in` is a mov of {low half of `whole`, its high half} to a register.
  bool joins_halves_of(const ptx::Instruction& in, std::uint32_t whole) const;

 private:
  // The only write of r, if it is a mov without a guard; else nullptr.
  const ptx::Instruction* only_mov(std::uint32_t r) const;
  bool is_half(const ptx::Operand& operand, std::uint32_t whole, std::size_t which) const;

  const ptx::Function& function_;
  std::vector<std::vector<std::uint32_t>> writers_;  // instructions by register
  std::vector<std::vector<std::uint32_t>> readers_;
};

// Finds registers that a thread may read before it assigns a value, as after `float sum;`.
//
// Liveness at the entry of each part of a function: a path through its basic blocks leads from the
// entry to an instruction that reads the register, without an instruction that surely writes it. A
// guarded instruction may not write. Paths on which one predicate would have to be both true and
// false do not count. Whether a thread ever runs such a path, and whether the value then matters,
// is decided elsewhere.

struct UndefinedRegister {
  std::uint32_t index = 0;             ///< Index into Function::registers.
  std::vector<std::uint32_t> readers;  ///< Instructions at the end of such paths, ascending.
};

/// The registers of `function`, by index; `blocks` are its ptx::basic_blocks().
std::vector<UndefinedRegister> undefined_registers(const ptx::Function& function,
                                                   const std::vector<ptx::BasicBlock>& blocks);

}  // namespace warpgrade::sim

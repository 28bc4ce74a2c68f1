// SPDX-License-Identifier: Apache-2.0
// How the values of a program are used: as addresses, conditions, or results.
//
// In: a module that was compiled without optimization. Values are followed forwards through
// registers, parameters of calls and variables of the stack, never through other memory. Control
// flow is ignored, so a register has the uses of all its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::grader::grade {

/// The uses of a value that registers show. It may have several.
struct Uses {
  bool address = false;         ///< The address of an access.
  bool loop_condition = false;  ///< Whether a loop goes on.
  bool condition = false;       ///< Another branch or selection.
  bool data = false;            ///< A stored value, or one that lanes exchange.
  bool row = false;             ///< A factor in an address.
  bool stride = false;          ///< The changed operand is a size, and a factor in an address.
  bool shortens = false;        ///< The edit leaves out the last step.
  bool quotient = false;        ///< It is compared with the result of a division.
  bool equality = false;        ///< It decides whether two numbers are equal.
  bool lane = false;            ///< The source lane of an exchange.
  bool accumulates = false;     ///< It begins a variable that a loop changes, or one in memory.
  bool counts = false;          ///< That variable decides whether a loop goes on.
};

/// Whether the operand is the address of a parameter of a call, or of the function itself.
bool is_parameter(const ptx::Function& function, const ptx::Operand& operand);

class ValueUses {
 public:
  explicit ValueUses(const ptx::Module& module);

  /// The uses of the result of an instruction; of the condition that a branch depends on.
  Uses uses_of(std::uint32_t function, std::uint32_t instruction) const;
  /// Whether the value is the same in all threads and passes of loops: a parameter, a constant, a
  /// size of the launch, or computed from these.
  bool is_size(std::uint32_t function, const ptx::Operand& operand) const;
  /// Whether the address is in the thread's own memory, where arrays and structures are.
  bool is_local(std::uint32_t function, const ptx::Operand& address) const;
  /// Whether the instruction stores a constant to own memory that other instructions change.
  bool begins_local(std::uint32_t function, std::uint32_t instruction) const;
  /// Whether the instruction stores a constant to a variable in shared memory that other
  /// instructions change.
  bool begins_shared(std::uint32_t function, std::uint32_t instruction) const;
  /// The instructions from which the addresses of the function's accesses are computed.
  const std::set<std::uint32_t>& address_slice(std::uint32_t function) const {
    return slices_[function];
  }
  /// Loops as ranges of instructions: a jump back to the first one is the last one.
  const std::vector<ptx::Range>& loops(std::uint32_t function) const { return loops_[function]; }

 private:
  using Node = std::size_t;
  Node register_node(std::uint32_t function, std::uint32_t number) const {
    return first_register_[function] + number;
  }
  Node variable_node(std::uint32_t function, std::uint32_t variable, std::int64_t offset);
  std::optional<Node> stack_node(std::uint32_t function, const ptx::Operand& address);
  std::optional<Node> other_factor(std::uint32_t function, const ptx::Instruction& in,
                                   std::size_t k) const;
  std::optional<Node> argument_node(std::uint32_t function, const ptx::Instruction& in) const;
  void add_instruction(std::uint32_t function, std::uint32_t at);
  void add_call(std::uint32_t function, const ptx::Instruction& in);
  void find_locals(std::uint32_t function);
  void find_loops(std::uint32_t function);
  void find_slice(std::uint32_t function);
  void find_sizes();
  void find_cycles();
  void find_loop_conditions();
  bool leaves_a_loop(std::uint32_t function, std::uint32_t at) const;

  const ptx::Module& module_;
  std::vector<std::size_t> first_register_;
  std::map<std::pair<std::uint32_t, std::int64_t>, Node> variables_;
  // A value that is computed from a node; for a product also the other factor, unless it is a
  // number.
  struct Step {
    Node to = 0;
    std::optional<Node> factor;
  };
  std::vector<std::vector<Step>> next_;
  std::vector<Uses> own_;            // Uses of a node itself.
  std::vector<bool> varies_;         // Not a size.
  std::vector<bool> is_on_cycle_;    // It depends on itself.
  std::vector<bool> decides_loops_;  // Whether a loop goes on depends on it.
  std::vector<std::vector<ptx::Range>> loops_;
  std::vector<std::set<std::uint32_t>> slices_;
  // The stack of a function.
  struct Locals {
    std::set<std::uint32_t> begins;     // Registers with the address of the stack.
    std::set<std::uint32_t> pointers;   // Registers with other addresses in it.
    std::set<std::uint32_t> constants;  // Registers that only have constants.
    std::set<std::int64_t> changed;     // Offsets of stores that begin nothing.
    bool any_changed = false;           // Through a pointer: all offsets.
    std::set<std::uint32_t> starts;     // Registers whose constant begins a variable in memory.
  };
  std::vector<Locals> locals_;
};

}  // namespace warpgrade::grader::grade

// SPDX-License-Identifier: Apache-2.0
// Joins a kernel and every function that it may call into one function, once for all users of its
// module.
//
// Counters, checks and source lines work on a single list of instructions. Therefore the bodies of
// all reachable device functions are appended to the kernel's: registers, variables, jump tables
// and locations are renumbered, and Function::parts records their owners. Calls stay calls, and a
// function called from many places appears once.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "common/base/error.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx {
namespace {

std::uint32_t count(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

class Linker {
 public:
  Linker(const Module& module, const Function& kernel)
      : module_(module), linked_(kernel), seen_(module.functions.size()) {}

  Function run(std::uint32_t kernel) {
    seen_[kernel].is_reached = true;
    Part part;
    part.function = kernel;
    part.instructions = {0, count(linked_.instructions)};
    part.registers = {0, count(linked_.registers)};
    part.variables = {0, count(linked_.variables)};
    linked_.parts = {part};
    visited_variables_.resize(module_.variables.size());
    look_at(part);
    // Each appended part may reach further functions.
    for (std::size_t i = 0; i < pending_.size(); ++i) append(pending_[i]);
    for (auto& linked : linked_.parts) linked.address_taken = seen_[linked.function].address_taken;
    return std::move(linked_);
  }

 private:
  struct Seen {
    bool is_reached = false;
    bool address_taken = false;
  };

  void reach(std::uint32_t function) {
    if (seen_[function].is_reached) return;
    seen_[function].is_reached = true;
    const auto& reached = module_.functions[function];
    if (!reached.is_declaration && !reached.is_entry) pending_.push_back(function);
  }

  void take_address(std::uint32_t function) {
    seen_[function].address_taken = !module_.functions[function].is_entry;
    reach(function);
  }

  // A variable may hold addresses of functions, or of variables that do.
  void look_at(std::uint32_t first) {
    std::vector<std::uint32_t> variables = {first};
    while (!variables.empty()) {
      const auto variable = variables.back();
      variables.pop_back();
      if (visited_variables_[variable]) continue;
      visited_variables_[variable] = true;
      for (const auto& relocation : module_.variables[variable].relocations) {
        if (relocation.is_function) {
          take_address(relocation.index);
        } else {
          variables.push_back(relocation.index);
        }
      }
    }
  }

  void look_at(const Operand& operand) {
    if (operand.kind == Operand::Kind::kFunction) take_address(operand.index);
    if (operand.kind == Operand::Kind::kVariable) look_at(operand.index);
    for (const auto& element : operand.elements) look_at(element);
  }

  void look_at(const Part& part) {
    for (auto i = part.instructions.begin; i < part.instructions.end; ++i) {
      const auto& instruction = linked_.instructions[i];
      const bool is_direct_call = facts(instruction).flow == Flow::kCall &&
                                  instruction.operands[1].kind == Operand::Kind::kFunction;
      if (is_direct_call) {
        reach(instruction.operands[1].index);
      } else {
        for (const auto& operand : instruction.operands) look_at(operand);
      }
    }
  }

  void append(std::uint32_t index) {
    const auto& function = module_.functions[index];
    close(linked_.parts.back());
    Part part;
    part.function = index;
    const auto locations = count(linked_.locations) - 1;  // excludes the "unknown" entry [0]
    const auto tables = count(linked_.branch_targets);
    part.instructions.begin = count(linked_.instructions);
    part.registers.begin = count(linked_.registers);
    part.variables.begin = count(linked_.variables);
    for (auto instruction : function.instructions) {
      if (instruction.location != 0) instruction.location += locations;
      if (instruction.guard) *instruction.guard += part.registers.begin;
      for (auto& operand : instruction.operands) renumber(operand, part, tables);
      linked_.instructions.push_back(std::move(instruction));
    }
    for (auto table : function.branch_targets) {
      for (auto& label : table.labels) label += part.instructions.begin;
      linked_.branch_targets.push_back(std::move(table));
    }
    const auto add = [](auto& to, const auto& from, std::size_t first) {
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first), from.end());
    };
    add(linked_.registers, function.registers, 0);
    add(linked_.variables, function.variables, 0);
    add(linked_.locations, function.locations, 1);
    add(linked_.call_lines, function.call_lines, 1);
    for (auto refusal : function.unsupported) {
      if (refusal.instruction) *refusal.instruction += part.instructions.begin;
      linked_.unsupported.push_back(std::move(refusal));
    }
    linked_.uses_reserved_shared |= function.uses_reserved_shared;
    part.instructions.end = count(linked_.instructions);
    part.registers.end = count(linked_.registers);
    part.variables.end = count(linked_.variables);
    part.results = {part.variables.begin, part.variables.begin + count(function.results)};
    part.parameters = {part.results.end, part.results.end + count(function.parameters)};
    linked_.parts.push_back(part);
    look_at(part);
  }

  // Ends the last body with a return, because another function will follow it.
  void close(Part& part) {
    const auto* last = part.instructions.begin == part.instructions.end
                           ? nullptr
                           : &linked_.instructions[part.instructions.end - 1];
    if (last != nullptr && never_falls_through(*last) && !has_label_at(part.instructions.end))
      return;
    Instruction ret;
    ret.opcode = Opcode::ret;
    linked_.instructions.push_back(std::move(ret));
    ++part.instructions.end;
  }

  bool has_label_at(std::uint32_t end) const {
    const auto is_label = [&](const Operand& operand) {
      return operand.kind == Operand::Kind::kLabel && operand.index == end;
    };
    const auto& code = linked_.instructions;
    const auto& tables = linked_.branch_targets;
    return std::any_of(code.begin(), code.end(),
                       [&](const Instruction& instruction) {
                         return std::any_of(instruction.operands.begin(),
                                            instruction.operands.end(), is_label);
                       }) ||
           std::any_of(tables.begin(), tables.end(), [&](const BranchTargets& table) {
             return std::find(table.labels.begin(), table.labels.end(), end) != table.labels.end();
           });
  }

  static void renumber(Operand& operand, const Part& part, std::uint32_t tables) {
    switch (operand.kind) {
      case Operand::Kind::kRegister:
        operand.index += part.registers.begin;
        break;
      case Operand::Kind::kLocal:
        operand.index += part.variables.begin;
        break;
      case Operand::Kind::kLabel:
        operand.index += part.instructions.begin;
        break;
      case Operand::Kind::kBranchTargets:
        operand.index += tables;
        break;
      default:
        break;
    }
    for (auto& element : operand.elements) renumber(element, part, tables);
  }

  const Module& module_;
  Function linked_;
  std::vector<Seen> seen_;  // by function
  std::vector<bool> visited_variables_;
  std::vector<std::uint32_t> pending_;
};

}  // namespace

Function link(const Module& module, const Function& kernel) {
  const auto index = static_cast<std::uint32_t>(&kernel - module.functions.data());
  return Linker(module, kernel).run(index);
}

const Part* find_part(const Function& function, std::uint32_t index) {
  const auto found = std::find_if(function.parts.begin(), function.parts.end(),
                                  [&](const Part& part) { return part.function == index; });
  return found == function.parts.end() ? nullptr : &*found;
}

struct SharedModule::State {
  const std::string text;
  const std::string file;
  const Parse parse;
  std::mutex mutex;  // Guards the rest.
  std::optional<Module> module;
  std::map<std::string, Function> kernels;

  const Module& parsed() {
    if (!module) module = parse(text, file);
    return *module;
  }
};

SharedModule::SharedModule(std::string text, std::string file, Parse parse)
    : state_(new State{std::move(text), std::move(file), std::move(parse), {}, {}, {}}) {}

const std::string& SharedModule::text() const { return state_->text; }

const Module& SharedModule::module() const {
  const std::lock_guard lock(state_->mutex);
  return state_->parsed();
}

const Function& SharedModule::kernel(const std::string& name) const {
  const std::lock_guard lock(state_->mutex);
  const auto known = state_->kernels.find(name);
  if (known != state_->kernels.end()) return known->second;
  const auto& module = state_->parsed();
  const auto* kernel = find_function(module, name);
  if (kernel == nullptr || !kernel->is_entry || kernel->is_declaration) {
    throw base::UsageError(fmt::format("no kernel is named '{}' in the module", name));
  }
  return state_->kernels.emplace(name, link(module, *kernel)).first->second;
}

}  // namespace warpgrade::ptx

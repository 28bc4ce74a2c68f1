// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/ptx/conditional_loads.h"
#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

// The part of InstructionDecoder that decodes calls, their arguments and their results.

/// Local memory per thread for recursion, and its maximum depth. The stack of a GPU has about this
/// size; the depth limits recursion without variables in memory.
constexpr std::uint32_t kStackBytes = 64 * 1024;

}  // namespace

using ptx::Instruction;
using ptx::Operand;
using ptx::StateSpace;

// ld.param and st.param of a call's argument or result become a copy. Returns false for other
// variables.
bool InstructionDecoder::fill_argument(MicroOp& op, const Instruction& in) {
  const bool is_store = ptx::facts(in).memory == ptx::MemoryRole::kStore;
  const auto& where = in.operands[is_store ? 0 : 1];
  const auto& base = where.elements.at(0);
  if (in.space != StateSpace::kParam || base.kind != Operand::Kind::kLocal) return false;
  const auto& value = in.operands[is_store ? 1 : 0];
  const auto variable = slots_.parameter_slot(base);
  const auto type = in.types[0];
  const auto size = ptx::size_of(type);
  auto offset = where.offset;
  std::vector<MicroOp> copies;
  const auto copy = [&](const Operand& element) {
    if (offset < 0 || static_cast<std::uint64_t>(offset) + size > variable.bytes) {
      throw UnsupportedForm{"a place outside the variable"};
    }
    MicroOp one = op;
    one.handler = argument_handler(size, is_store);
    one.e = variable.stride;
    one.offset = offset;
    if (is_store) {
      one.d = variable.slot;
      one.a = resized_source(element, type);
    } else {
      one.a = variable.slot;
      one.d = resized_result(element, type);
    }
    offset += size;
    copies.push_back(one);
  };
  if (value.kind == Operand::Kind::kVector) {
    for (const auto& element : value.elements) copy(element);
  } else {
    copy(value);
  }
  if (copies.empty() || copies.back().handler == nullptr) throw UnsupportedForm{"this form"};
  op = copies.back();
  copies.pop_back();
  for (auto& one : copies) {
    one.instruction = kNoInstruction;
    before_.push_back(one);
  }
  return true;
}

void InstructionDecoder::fill_call(MicroOp& op, const Instruction& in) {
  const auto& target = in.operands[1];
  CallSite site;
  for (const auto& result : in.operands[0].elements) {
    site.results.push_back(slots_.parameter_slot(result));
  }
  for (const auto& argument : in.operands[2].elements) {
    site.arguments.push_back(slots_.parameter_slot(argument));
  }
  while (function_.parts[site.caller].instructions.end <= op.instruction) ++site.caller;
  if (target.kind == Operand::Kind::kRegister) {
    op.a = source(target, 8);
  } else if (module_.functions[target.index].is_entry) {
    throw UnsupportedForm{"a kernel as the target"};
  } else if (const auto* part = ptx::find_part(function_, target.index)) {
    site.callee = static_cast<std::uint32_t>(part - function_.parts.data());
    if (part->results.end - part->results.begin != site.results.size() ||
        part->parameters.end - part->parameters.begin != site.arguments.size()) {
      throw UnsupportedForm{"a call with another number of arguments"};
    }
  } else {
    const auto& function = module_.functions[target.index];
    op.handler = intrinsic_handler(function.name, site);
    if (op.handler == nullptr) {
      missing_ = fmt::format("the target '{}', a function without a body,", function.name);
      throw UnsupportedForm{missing_};
    }
    site.scratch = slots_.new_slot(8);
    if (function.name == "malloc" || function.name == "free") code_.uses_heap = true;
  }
  op.target = static_cast<std::uint32_t>(code_.sites.size());
  code_.sites.push_back(std::move(site));
}

namespace {

// Local memory per thread since cc 2.0 (CUDA C++ Programming Guide, technical specifications).
constexpr std::uint64_t kMaxLocalBytes = 512 * 1024;

// Longest chain from each part, depth first; nullopt if calls are recursive, or deeper than the
// limit on calls.
class Stack {
 public:
  Stack(const ptx::Function& function, const std::vector<Callee>& callees)
      : function_(function), callees_(callees), known_(callees.size()), open_(callees.size()) {}

  std::optional<std::uint64_t> from(std::uint32_t part) {
    if (known_[part]) return known_[part];
    if (open_[part] || depth_ > kMaxDepth) return std::nullopt;
    open_[part] = true;
    ++depth_;
    std::uint64_t deepest = 0;
    for (const auto callee : called_by(part)) {
      const auto below = from(callee);
      if (!below) return std::nullopt;
      deepest = std::max(deepest, *below);
    }
    open_[part] = false;
    --depth_;
    known_[part] = callees_[part].local_bytes + deepest;
    return known_[part];
  }

 private:
  std::vector<std::uint32_t> called_by(std::uint32_t part) const {
    std::vector<std::uint32_t> called;
    const auto range = function_.parts[part].instructions;
    for (auto i = range.begin; i < range.end; ++i) {
      const auto& in = function_.instructions[i];
      if (ptx::facts(in).flow != ptx::Flow::kCall) continue;
      const bool is_direct = in.operands[1].kind == Operand::Kind::kFunction;
      for (std::uint32_t p = 1; p < function_.parts.size(); ++p) {
        const auto& callee = function_.parts[p];
        if (is_direct ? callee.function == in.operands[1].index : callee.address_taken) {
          called.push_back(p);
        }
      }
    }
    return called;
  }

  const ptx::Function& function_;
  const std::vector<Callee>& callees_;
  std::vector<std::optional<std::uint64_t>> known_;
  std::vector<bool> open_;
  std::uint32_t depth_ = 0;
};

}  // namespace

std::uint32_t stack_bytes(const ptx::Function& function, const std::vector<Callee>& callees) {
  const auto bytes = Stack(function, callees).from(0);
  const auto needed = bytes ? *bytes : std::uint64_t{callees[0].local_bytes} + kStackBytes;
  if (needed > kMaxLocalBytes) {
    throw base::ToolError(
        fmt::format("kernel '{}' needs {} bytes of local memory a thread; a GPU has {}",
                    function.name, needed, kMaxLocalBytes));
  }
  return static_cast<std::uint32_t>(needed);
}

namespace {

class Decoder {
 public:
  Decoder(const ptx::Module& module, const ptx::Function& function, const AddressSpace& memory)
      : module_(module),
        function_(function),
        memory_(memory),
        instructions_(module, function, memory, code_),
        conditional_(ptx::conditional_loads(function)) {}

  std::variant<Code, std::vector<base::Diagnostic>> run() {
    code_.function = &function_;
    for (const auto& refusal : function_.unsupported) code_.refused.push_back(refusal);
    emit_blocks();
    patch_targets();
    for (std::size_t p = 0; p < function_.parts.size(); ++p) {
      code_.callees[p].entry = op_at_[function_.parts[p].instructions.begin];
    }
    if (may_meet_elsewhere()) instructions_.make_meeting();
    code_.local_bytes = stack_bytes(function_, code_.callees);
    code_.register_bytes = instructions_.register_bytes();
    return std::move(code_);
  }

 private:
  void emit_blocks() {
    const auto blocks = ptx::basic_blocks(function_);
    const auto order = ptx::weak_topological_order(blocks);
    instructions_.note_undefined(undefined_registers(function_, blocks));
    op_at_.assign(function_.instructions.size() + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& block = blocks[order[i]];
      op_at_[block.begin] = static_cast<std::uint32_t>(code_.ops.size());
      for (auto index = block.begin; index < block.end; ++index) emit(index);
      const bool next_follows = i + 1 < order.size() && order[i + 1] == order[i] + 1;
      if (block.falls_through && !next_follows) {
        MicroOp jump;
        jump.handler = jump_handler();
        jump.target = block.end;
        to_patch_.push_back(code_.ops.size());
        code_.ops.push_back(jump);
      } else if (!block.falls_through && needs_return(block)) {
        MicroOp leave;
        ptx::Instruction ret;
        ret.opcode = ptx::Opcode::ret;
        leave.handler = control_handler(ret);
        code_.ops.push_back(leave);
      }
    }
  }

  // Whether two instructions that lanes of a warp execute together are of the same kind.
  bool may_meet_elsewhere() const {
    std::set<Handler> kinds;
    return std::any_of(code_.ops.begin(), code_.ops.end(), [&](const MicroOp& op) {
      return op.instruction != kNoInstruction &&
             warp_handler(function_.instructions[op.instruction]) == op.handler &&
             !kinds.insert(op.handler).second;
    });
  }

  // A body may end without ret.
  bool needs_return(const ptx::BasicBlock& block) const {
    if (block.begin == block.end) return true;
    return !ptx::never_falls_through(function_.instructions[block.end - 1]);
  }

  void patch_targets() {
    for (const auto index : to_patch_) code_.ops[index].target = op_at_[code_.ops[index].target];
    for (auto& jump : code_.jumps) jump = op_at_[jump];
  }

  void refuse(std::uint32_t index, std::string_view what) {
    const auto& instruction = function_.instructions[index];
    ptx::Refusal diagnostic;
    diagnostic.instruction = index;
    diagnostic.kind = base::DiagnosticKind::kUnsupported;
    diagnostic.where = ptx::location(function_, index);
    diagnostic.message =
        fmt::format("PTX line {}: the simulator does not execute {} of '{}'", instruction.ptx_line,
                    what, ptx::row_of(instruction.opcode).mnemonic);
    code_.refused.push_back(std::move(diagnostic));
    code_.ops.push_back(instructions_.refused(index));
  }

  // Whether the kernel, or a function that it may call, reads the grid's workspace.
  bool reads_grid_workspace() const {
    const auto reads = [](const ptx::Function& one) { return one.reads_grid_workspace; };
    return reads(function_) || std::ranges::any_of(module_.functions, [&](const auto& one) {
             return !one.is_entry && reads(one);
           });
  }

  // Computes the predicates of a conditional load before it.
  void emit_conditions(const ptx::ConditionalLoad& load) {
    for (const auto index : load.computed_by) {
      for (auto op : instructions_.decode(index)) {
        op.instruction = kNoInstruction;
        code_.ops.push_back(op);
      }
    }
    auto& uses = code_.uses.emplace_back();
    for (const auto& condition : load.conditions) {
      uses.push_back({instructions_.register_slot(condition.predicate), condition.negated});
    }
  }

  void emit(std::uint32_t index) {
    if (!ptx::row_of(function_.instructions[index].opcode).unsupported.empty()) {
      code_.ops.push_back(instructions_.refused(index));
      return;
    }
    try {
      const auto conditional = conditional_->find(index);
      const auto uses = static_cast<std::uint32_t>(code_.uses.size());
      if (conditional != conditional_->end()) emit_conditions(conditional->second);
      const auto ops = instructions_.decode(index);
      const auto& instruction = function_.instructions[index];
      const auto flow = ptx::facts(instruction).flow;
      const bool branches = flow == ptx::Flow::kBranch;
      const bool is_of_grid =
          flow == ptx::Flow::kTrap && instruction.is_of_toolkit && reads_grid_workspace();
      for (auto op : ops) {
        if (is_of_grid) op.handler = grid_barrier_handler();
        if (memory_.has_grid_workspace() && op.instruction == index) {
          const auto at_grid = grid_access_handler(instruction, op.handler);
          if (at_grid != nullptr) op.handler = at_grid;
        }
        if (conditional != conditional_->end() && op.instruction == index) op.uses = uses;
        if (branches && op.instruction == index) to_patch_.push_back(code_.ops.size());
        code_.ops.push_back(op);
      }
    } catch (const UnsupportedForm& form) {
      refuse(index, form.what);
    }
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const AddressSpace& memory_;
  Code code_;
  InstructionDecoder instructions_;
  std::shared_ptr<const ptx::ConditionalLoads> conditional_;
  std::vector<std::uint32_t> op_at_;   // by instruction; set at the start of blocks
  std::vector<std::size_t> to_patch_;  // micro-ops whose target is still an instruction
};

}  // namespace

std::variant<Code, std::vector<base::Diagnostic>> decode(const ptx::Module& module,
                                                         const ptx::Function& function,
                                                         const AddressSpace& memory) {
  auto unsupported = module.unsupported;
  for (const auto& refusal : function.unsupported) {
    if (!refusal.instruction) unsupported.push_back(refusal);
  }
  if (!unsupported.empty()) return unsupported;
  return Decoder(module, function, memory).run();
}

}  // namespace warpgrade::sim

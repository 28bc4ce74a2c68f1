// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/instruction_table.h"
#include "common/sim/decode/call_decoder.h"
#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

class Decoder {
 public:
  Decoder(const ptx::Module& module, const ptx::Function& function, const AddressSpace& memory)
      : module_(module),
        function_(function),
        memory_(memory),
        instructions_(module, function, memory, code_) {}

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

  void emit(std::uint32_t index) {
    if (!ptx::row_of(function_.instructions[index].opcode).unsupported.empty()) {
      code_.ops.push_back(instructions_.refused(index));
      return;
    }
    try {
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

// SPDX-License-Identifier: Apache-2.0
// The part of InstructionDecoder that decodes calls, their arguments and their results.
#include "common/sim/decode/call_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/base/error.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/link.h"
#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {

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

}  // namespace warpgrade::sim

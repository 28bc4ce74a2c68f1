// SPDX-License-Identifier: Apache-2.0
// Converts the memory accesses of PTX to those of machine code.
//
// In: the instructions of a kernel, and the accesses of its warps. Out: the machine code of each
// atom and red, wide accesses that join neighbouring words of shared memory, and the requests of
// a bulk copy.
//
// The rules were observed in sm_90 machine code of one kernel per operation.
#include "common/memory/machine_access.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::memory {
namespace {

// A result is unused if the function names its register only once, in the atom itself.

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

void count_registers(std::span<const Operand> operands, std::vector<std::uint32_t>& uses) {
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kRegister) ++uses[operand.index];
    count_registers(operand.elements, uses);
  }
}

bool adds_one(const Instruction& instruction) {
  const Type type = instruction.types[0];
  const Operand& added = instruction.operands.back();
  return instruction.modifiers.has(Modifier::add) && (type == Type::kU32 || type == Type::kS32) &&
         added.kind == Operand::Kind::kImmediate && added.bits == 1;
}

AtomicForm::OnShared form_on_shared(const Instruction& instruction, bool is_reduction) {
  using enum AtomicForm::OnShared;
  if (instruction.modifiers.has(Modifier::cas)) return kCompareAndSwap;
  if (instruction.modifiers.has(Modifier::exch)) return kOneByOne;
  if (instruction.types[0] == Type::kF32 || ptx::size_of(instruction.types[0]) == 8) return kLoop;
  return is_reduction && adds_one(instruction) ? kCount : kOneByOne;
}

/// Whether one lane does the operation for all, because they are known to use the same address.
bool is_by_one_lane(const Instruction& instruction, const AtomicForm& form,
                    const std::vector<std::uint8_t>& uniform, const device::Profile& profile) {
  const ptx::ModifierSet& how = instruction.modifiers;
  const Type type = instruction.types[0];
  if (profile.compute.major < 7 || type == Type::kF32 || type == Type::kF64) return false;
  const bool is_shared = instruction.space == ptx::StateSpace::kShared;
  const bool is_counted = is_shared && form.on_shared != AtomicForm::OnShared::kOneByOne;
  const Operand& address = instruction.operands.at(ptx::results(instruction));
  if (is_counted || !ptx::is_uniform(address, uniform)) return false;
  if (how.has(Modifier::add) && ptx::is_uniform(instruction.operands.back(), uniform)) return true;
  const bool is_reduced = how.has(Modifier::add) || how.has(Modifier::min) ||
                          how.has(Modifier::max) || how.has(Modifier::and_) ||
                          how.has(Modifier::or_) || how.has(Modifier::xor_);
  return profile.compute.major >= 8 && form.is_reduction && is_reduced && ptx::size_of(type) == 4;
}

}  // namespace

std::vector<AtomicForm> atomic_forms(const ptx::Function& function,
                                     const device::Profile& profile) {
  const std::vector<Instruction>& code = function.instructions;
  std::vector<AtomicForm> forms(code.size());
  if (std::none_of(code.begin(), code.end(), ptx::is_update)) return forms;
  std::vector<std::uint32_t> uses(function.registers.size());
  for (const Instruction& instruction : code) {
    count_registers(instruction.operands, uses);
    if (instruction.guard) ++uses[*instruction.guard];
  }
  const auto uniform = ptx::uniform_registers(function);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!ptx::is_update(code[i]) || code[i].operands.empty()) continue;
    const Operand& result = code[i].operands.front();
    forms[i].is_reduction = ptx::results(code[i]) == 0 || result.kind == Operand::Kind::kSink ||
                            (result.kind == Operand::Kind::kRegister && uses[result.index] == 1);
    forms[i].is_float = code[i].types[0] == Type::kF32 || code[i].types[0] == Type::kF64;
    forms[i].on_shared = form_on_shared(code[i], forms[i].is_reduction);
    forms[i].by_one_lane = is_by_one_lane(code[i], forms[i], uniform, profile);
  }
  return forms;
}

std::vector<L1Use> l1_uses(const ptx::Function& function) {
  const auto use_of = [](const Instruction& in) {
    const auto has = [&](Modifier modifier) { return in.modifiers.has(modifier); };
    const bool fills = !has(Modifier::lu) && !has(Modifier::l1_no_allocate);
    const auto cached = fills ? L1Use::kServes : L1Use::kReads;
    if (ptx::facts(in).memory == ptx::MemoryRole::kCopy) {
      return has(Modifier::cg) ? L1Use::kBypasses : L1Use::kServes;
    }
    if (ptx::facts(in).memory != ptx::MemoryRole::kLoad || has(Modifier::nc)) return cached;
    const bool is_ordered = has(Modifier::relaxed) || has(Modifier::acquire);
    if (has(Modifier::cg) || has(Modifier::cv) || has(Modifier::volatile_) || has(Modifier::mmio) ||
        (is_ordered && !has(Modifier::cta))) {
      return L1Use::kBypasses;
    }
    return cached;
  };
  std::vector<L1Use> uses;
  std::ranges::transform(function.instructions, std::back_inserter(uses), use_of);
  return uses;
}

run::MemoryEvent as_executed(const AtomicForm& form, const run::MemoryEvent& event) {
  run::MemoryEvent out = event;
  if (form.by_one_lane) {
    out.mask = std::bit_floor(event.mask);
    out.stride = run::kIrregular;
  }
  return out;
}

SharedUse shared_use(run::Operation operation, AtomicForm::OnShared how) {
  using enum AtomicForm::OnShared;
  if (operation == run::Operation::kLoad) return SharedUse::kLoad;
  if (operation == run::Operation::kStore || how == kCount) return SharedUse::kStore;
  return how == kCompareAndSwap ? SharedUse::kCompareAndSwap : SharedUse::kAtomic;
}

void for_each_bulk_request(const run::BulkEvent& event,
                           const std::function<void(const run::MemoryEvent&)>& visit) {
  using Kind = run::BulkEvent::Kind;
  using run::Operation;
  using run::Space;
  constexpr std::uint32_t kLaneBytes = 16;
  constexpr std::uint32_t kRequestBytes = run::kWarpSize * kLaneBytes;
  if (event.kind != Kind::kToShared && event.kind != Kind::kToGlobal) return;
  std::uint64_t addresses[run::kWarpSize];
  run::MemoryEvent request;
  request.instruction = event.instruction;
  request.warp = event.warp;
  request.bytes = kLaneBytes;
  request.address = addresses;
  request.is_bulk = true;
  request.is_volatile = true;  // the copy engine bypasses L1
  const auto tell = [&](Space space, Operation operation, std::uint64_t begin) {
    request.space = space;
    request.operation = operation;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      addresses[lane] = begin + std::uint64_t{lane} * kLaneBytes;
    }
    visit(request);
  };
  if (event.from_shared) return;  // between SMs, past L1 and L2
  for (std::uint32_t at = 0; at < event.bytes;) {
    const auto global = event.global + at;
    const auto shared = event.shared + at;
    const auto room = kRequestBytes - static_cast<std::uint32_t>(global % kRequestBytes);
    const auto bytes = std::min(room, event.bytes - at);
    const auto lanes = bytes / kLaneBytes;
    if (lanes == 0) return;
    const bool is_full = lanes == run::kWarpSize;
    request.mask = is_full ? run::kFullMask : (1U << lanes) - 1;
    request.stride = is_full ? std::int64_t{kLaneBytes} : run::kIrregular;
    if (event.kind == Kind::kToShared) {
      tell(Space::kGlobal, Operation::kLoad, global);
      tell(Space::kShared, Operation::kStore, shared);
    } else {
      tell(Space::kShared, Operation::kLoad, shared);
      tell(Space::kGlobal, Operation::kStore, global);
    }
    at += bytes;
  }
}

}  // namespace warpgrade::memory

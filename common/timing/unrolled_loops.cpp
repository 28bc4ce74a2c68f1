// SPDX-License-Identifier: Apache-2.0
#include "common/timing/unrolled_loops.h"

#include <algorithm>
#include <array>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::timing {
namespace {

using InstructionKind = MachineInstruction::Kind;

// A larger factor counts as a mistake.
constexpr std::uint32_t kMostTimes = 64;

/// The work of one pass of a loop.
struct LoopWork {
  std::array<std::uint32_t, 4> bytes{};  ///< Global loads, global stores, shared loads and stores.
  std::uint32_t step = 0;                ///< The largest step of a counter.

  bool moves() const {
    return std::any_of(bytes.begin(), bytes.end(), [](std::uint32_t b) { return b != 0; });
  }
};

struct Loop {
  std::uint32_t head = 0;
  std::uint32_t branch = 0;
  LoopWork work;
  std::uint32_t loads_ahead = 0;  ///< As in UnrolledLoop.
};

/// Keeps the innermost loops, in the order of their branches.
void keep_innermost(std::vector<Loop>& loops) {
  std::sort(loops.begin(), loops.end(),
            [](const Loop& a, const Loop& b) { return a.branch < b.branch; });
  const std::vector<Loop> all = loops;
  std::erase_if(loops, [&](const Loop& loop) {
    return std::any_of(all.begin(), all.end(), [&](const Loop& other) {
      return other.head >= loop.head && other.branch < loop.branch;
    });
  });
}

std::uint32_t magnitude(std::int32_t step) {
  return step < 0 ? 0U - static_cast<std::uint32_t>(step) : static_cast<std::uint32_t>(step);
}

LoopWork work_of(const ptx::Instruction& in) {
  LoopWork work;
  const auto& facts = ptx::facts(in);
  const auto bytes = ptx::size_of(in.types[0]) * in.vector;
  const bool is_shared = in.space == ptx::StateSpace::kShared;
  if (is_shared || in.space == ptx::StateSpace::kGlobal) {
    const std::size_t first = is_shared ? 2 : 0;
    if (facts.memory == ptx::MemoryRole::kLoad) work.bytes[first] = bytes;
    if (facts.memory == ptx::MemoryRole::kStore) work.bytes[first + 1] = bytes;
  }
  const bool is_counter = facts.algebra == ptx::Algebra::kSum && ptx::size_of(in.types[0]) == 4 &&
                          in.operands.at(2).kind == ptx::Operand::Kind::kImmediate &&
                          in.operands.at(2).number == ptx::Operand::Number::kInteger &&
                          in.operands.at(1).kind == ptx::Operand::Kind::kRegister &&
                          in.operands.at(0).index == in.operands.at(1).index;
  if (is_counter) work.step = magnitude(static_cast<std::int32_t>(in.operands.at(2).bits));
  return work;
}

LoopWork work_of(const MachineInstruction& in) {
  LoopWork work;
  if (in.kind >= InstructionKind::kGlobalLoad && in.kind <= InstructionKind::kSharedStore) {
    const auto which =
        static_cast<std::size_t>(in.kind) - static_cast<std::size_t>(InstructionKind::kGlobalLoad);
    work.bytes.at(which) = in.bytes;
  }
  work.step = magnitude(in.step);
  return work;
}

std::uint32_t loads_ahead(std::span<const MachineInstruction> code, const Loop& loop) {
  std::uint32_t loads = 0;
  std::uint32_t pending = 0;  // their barriers
  for (const MachineInstruction& one : code.subspan(loop.head, loop.branch + 1 - loop.head)) {
    const bool is_load = one.kind == InstructionKind::kGlobalLoad;
    if ((one.waits & pending) != 0 && !is_load) return loads;
    if (!is_load || one.sets == MachineInstruction::kNoBarrier) continue;
    ++loads;
    pending |= 1U << one.sets;
  }
  return 0;
}

template <typename Code>
void sum_work(const Code& code, std::vector<Loop>& loops) {
  for (Loop& loop : loops) {
    for (std::uint32_t i = loop.head; i <= loop.branch; ++i) {
      const LoopWork work = work_of(code[i]);
      for (std::size_t b = 0; b < work.bytes.size(); ++b) loop.work.bytes[b] += work.bytes[b];
      loop.work.step = std::max(loop.work.step, work.step);
    }
  }
}

std::vector<Loop> loops_of(const ptx::Function& function) {
  std::vector<Loop> loops;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& in = function.instructions[i];
    if (ptx::facts(in).flow != ptx::Flow::kBranch) continue;
    const std::uint32_t target = in.operands.at(0).index;
    if (target <= i) loops.push_back({target, i, {}});
  }
  keep_innermost(loops);
  sum_work(function.instructions, loops);
  return loops;
}

std::vector<Loop> loops_of(std::span<const MachineInstruction> code) {
  std::vector<Loop> loops;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].kind != InstructionKind::kBranch || code[i].target < 0 || code[i].target >= i)
      continue;
    loops.push_back({static_cast<std::uint32_t>(code[i].target), i, {}});
  }
  keep_innermost(loops);
  sum_work(code, loops);
  for (Loop& loop : loops) loop.loads_ahead = loads_ahead(code, loop);
  return loops;
}

/// The factor from `one` to `many`; 0 if it is not a whole number.
std::uint32_t times(const LoopWork& one, const LoopWork& many) {
  if (one.moves() != many.moves()) return 0;
  if (!one.moves()) {
    return one.step == 0 || many.step % one.step != 0 ? 0 : many.step / one.step;
  }
  std::uint32_t found = 0;
  for (std::size_t b = 0; b < one.bytes.size(); ++b) {
    if (one.bytes[b] == 0 && many.bytes[b] == 0) continue;
    if (one.bytes[b] == 0 || many.bytes[b] % one.bytes[b] != 0) return 0;
    const std::uint32_t ratio = many.bytes[b] / one.bytes[b];
    if (found != 0 && found != ratio) return 0;
    found = ratio;
  }
  return found;
}

/// Whether a machine-code loop may belong to a PTX loop: they share lines, or lines are unknown.
bool may_be(const ptx::Function& function, const Loop& loop,
            std::span<const MachineInstruction> code, const Loop& machine) {
  const auto first = function.instructions[loop.head].ptx_line;
  const auto last = function.instructions[loop.branch].ptx_line;
  for (std::uint32_t i = machine.head; i <= machine.branch; ++i) {
    if (code[i].line == 0 || (code[i].line >= first && code[i].line <= last)) return true;
  }
  return false;
}

}  // namespace

std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function,
                                         std::span<const MachineInstruction> code) {
  std::vector<UnrolledLoop> out;
  const std::vector<Loop> machine = loops_of(code);
  std::size_t next = 0;
  for (const Loop& loop : loops_of(function)) {
    const auto times_of = [&](const Loop& other) {
      return may_be(function, loop, code, other) ? times(loop.work, other.work) : 0;
    };
    std::size_t at = next;
    while (at < machine.size() && times_of(machine[at]) == 0) ++at;
    if (at == machine.size()) continue;  // unrolled completely
    UnrolledLoop found{loop.head, loop.branch, 0};
    for (std::uint32_t here = 0; at < machine.size() && here != 1; ++at) {
      here = times_of(machine[at]);
      if (here == 0) break;
      if (here <= found.times) continue;
      found.times = here;
      found.loads_ahead = machine[at].loads_ahead;
    }
    next = at;
    if (found.times > 1 && found.times <= kMostTimes) out.push_back(found);
  }
  return out;
}

}  // namespace warpgrade::timing

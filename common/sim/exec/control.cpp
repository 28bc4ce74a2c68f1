// SPDX-License-Identifier: Apache-2.0
// Branches, returns, traps and the barriers of a block (PTX ISA 9.0, 9.7.12 and 9.7.13).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;

constexpr std::uint32_t kBarriers = 16;  // per block, numbered 0 to 15

void jump(Warp& warp, const MicroOp& op, std::uint32_t) { warp.jump(op.target); }

void branch(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto taken = warp.predicate(op.a);
  if (op.guard_negated) taken = ~taken;
  taken &= mask;
  if (taken == mask) {
    warp.jump(op.target);
  } else if (taken != 0) {
    warp.diverge(op.target, taken);
  }
}

// brx.idx: lanes with the same index stay together; the others reach this instruction again.
void branch_indexed(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* index = warp.lanes<std::uint32_t>(op.a);
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  if (index[lane] >= static_cast<std::uint64_t>(op.offset)) {
    warp.fault(base::DiagnosticKind::kTrap, op, lane, "a jump table's index is past its end");
    return;
  }
  std::uint32_t same = 0;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto other = std::countr_zero(rest);
    if (index[other] == index[lane]) same |= 1U << other;
  }
  const auto target = warp.block->code->jumps[op.target + index[lane]];
  if (same == warp.mask) {
    warp.jump(target);
  } else {
    --warp.pc;
    warp.diverge(target, same);
  }
}

void leave(Warp& warp, const MicroOp&, std::uint32_t mask) { warp.exit(mask); }

void go_back(Warp& warp, const MicroOp&, std::uint32_t mask) {
  if (warp.frame == nullptr) {
    warp.exit(mask);
  } else {
    finish_call(warp, mask);
  }
}

// An unsupported instruction. The warp faults only if some of its threads execute it.
void refused(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& list = warp.block->code->refused;
  const auto found = std::find_if(list.begin(), list.end(), [&](const ptx::Refusal& refusal) {
    return refusal.instruction == op.instruction;
  });
  warp.fault(base::DiagnosticKind::kUnsupported, op,
             static_cast<std::uint32_t>(std::countr_zero(mask)), found->message);
}

// __trap() and the compiler's own traps are the same instruction. The compiler inserts it in place
// of code that cannot run.
void trap(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.fault(
      base::DiagnosticKind::kTrap, op, static_cast<std::uint32_t>(std::countr_zero(mask)),
      "the kernel stopped at a trap: at __trap(), or at code that the compiler replaced by a "
      "trap because it cannot run (a write to __constant__ memory, a null pointer)");
}

void grid_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.fault(
      base::DiagnosticKind::kUnsupported, op, static_cast<std::uint32_t>(std::countr_zero(mask)),
      "a barrier of the whole grid (grid.sync()) needs a cooperative launch, and this launch is "
      "not cooperative: add --cooperative to warpgrade profile, or cooperative = true to the "
      "launch of an exercise (in a program: cudaLaunchCooperativeKernel); or use one launch for "
      "each part of the work between barriers");
}

// Kernels are graded without a debugger, and no course requires one.
void breakpoint(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.fault(
      base::DiagnosticKind::kTrap, op, static_cast<std::uint32_t>(std::countr_zero(mask)),
      "the kernel stopped at a breakpoint (brkpt), and no debugger is there to go on: take it out");
}

// bar.sync, bar.red: the warp waits until all threads (or the given number) have arrived.
void barrier(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  const auto number = warp.lanes<std::uint32_t>(op.a)[lane];
  const auto expected = op.b == kNoSlot ? 0 : warp.lanes<std::uint32_t>(op.b)[lane];
  if (number >= kBarriers || expected % run::kWarpSize != 0) {
    warp.fault(base::DiagnosticKind::kTrap, op, lane,
               fmt::format("barrier {} for {} threads: a block has barriers 0 to 15, for a "
                           "multiple of 32 threads",
                           number, expected));
    return;
  }
  warp.block->arrive(warp, op, number, expected);
}

void barrier_arrive(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  const auto number = warp.lanes<std::uint32_t>(op.a)[lane];
  if (number >= kBarriers) {
    warp.fault(base::DiagnosticKind::kTrap, op, lane, "a block has barriers 0 to 15");
    return;
  }
  warp.block->arrive_only(warp, op, number, mask);
}

void no_operation(Warp&, const MicroOp&, std::uint32_t) {}

// nanosleep: a sleeping thread waits for others.
void pause(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* durations = warp.lanes<std::uint32_t>(op.a);
  std::uint32_t longest = 0;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    longest = std::max(longest, durations[std::countr_zero(rest)]);
  }
  for (auto* watcher : warp.block->watchers) {
    watcher->on_sleep(warp.index, op.instruction, longest);
  }
  warp.yield();
}

// Accesses take effect at once and in order, so a fence only notifies the observers.
template <bool kDeviceWide>
void fence(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.block->tell(run::OrderEvent{run::OrderEvent::Kind::kFence, kDeviceWide, op.instruction,
                                   warp.index, mask, nullptr});
}

Handler barrier_handler(const ptx::ModifierSet& m) {
  // exec/warp.cpp and exec/cluster.cpp handle these.
  for (const auto other : {Modifier::warp, Modifier::cluster, Modifier::wait, Modifier::acquire,
                           Modifier::release, Modifier::relaxed}) {
    if (m.has(other)) return nullptr;
  }
  return m.has(Modifier::arrive) ? barrier_arrive : barrier;
}

}  // namespace

Handler jump_handler() { return jump; }

Handler grid_barrier_handler() { return grid_barrier; }

Handler refused_handler() { return refused; }

Handler control_handler(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::bra:
      return in.guard ? branch : jump;
    case Opcode::brx:
      return branch_indexed;
    case Opcode::ret:
      return go_back;
    case Opcode::exit:
      return leave;
    case Opcode::trap:
      return trap;
    case Opcode::brkpt:
      return breakpoint;
    case Opcode::bar:
    case Opcode::barrier:
      return barrier_handler(in.modifiers);
    case Opcode::nanosleep:
      return pause;
    case Opcode::membar:
    case Opcode::fence:
      return in.modifiers.has(Modifier::cta) ? fence<false> : fence<true>;
    // Neither other grids nor a profiler exist.
    case Opcode::griddepcontrol:
    case Opcode::pmevent:
      return no_operation;
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

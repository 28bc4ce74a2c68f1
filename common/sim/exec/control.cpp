// SPDX-License-Identifier: Apache-2.0
// Branches, calls, returns, traps, clocks, and the barriers of a block.
//
// PTX ISA 9.0, 9.7.12, 9.7.13 and 10. A call copies the caller's .param variables to the callee's
// parameters, and a return copies the callee's results back, for the participating lanes. See
// frames in sim/warp.h for recursion.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/base/text.h"
#include "common/run/observer.h"
#include "common/sim/block.h"
#include "common/sim/decode/decoder.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"

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
  const auto target = warp.block->parts.code.jumps[op.target + index[lane]];
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
  const auto& list = warp.block->parts.code.refused;
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
      std::string(
          "a barrier of the whole grid (grid.sync()) needs a cooperative launch, and this launch "
          "is ") +
          "not cooperative: " +
          base::for_caller(
              "add --cooperative to warpgrade profile, or cooperative = true to the launch of an "
              "exercise (in a program: cudaLaunchCooperativeKernel)",
              "pass enable_cooperative_groups=True to RawKernel or RawModule") +
          "; or use one launch for each part of the work between barriers");
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
  for (auto* watcher : warp.block->watchers()) {
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

namespace {

// Calls of device functions with arguments and results, and the clocks (PTX ISA 9.0, 9.7.12.4 and
// 10).
//
// See warp.h for recursion.

// Copies one value per lane; lanes are `from_stride` and `to_stride` bytes apart.
template <typename T>
void copy_lanes(std::uint32_t mask, const std::byte* from, std::size_t from_stride, std::byte* to,
                std::size_t to_stride) {
  for_each_lane(mask, [=](std::uint32_t i) {
    std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(T));
  });
}

void copy_lanes(std::uint32_t mask, const std::byte* from, std::size_t from_stride, std::byte* to,
                std::size_t to_stride, std::size_t bytes) {
  switch (bytes) {
    case 2:
      return copy_lanes<std::uint16_t>(mask, from, from_stride, to, to_stride);
    case 4:
      return copy_lanes<std::uint32_t>(mask, from, from_stride, to, to_stride);
    case 8:
      return copy_lanes<std::uint64_t>(mask, from, from_stride, to, to_stride);
    default:
      for (; mask != 0; mask &= mask - 1) {
        const std::size_t lane = run::lowest_lane(mask);
        std::memcpy(to + lane * to_stride, from + lane * from_stride, bytes);
      }
  }
}

// Saves the slots of the callee's outer call.
void save(Warp& warp, Frame& frame) {
  const std::byte* begin = warp.registers + frame.callee->slots_begin;
  const std::byte* end = warp.registers + frame.callee->slots_end;
  frame.saved.assign(begin, end);
}

void restore(Warp& warp, const Frame& frame, std::uint32_t mask) {
  const auto& callee = *frame.callee;
  if (mask == run::kFullMask) {
    std::memcpy(warp.registers + callee.slots_begin, frame.saved.data(), frame.saved.size());
    return;
  }
  for (const auto& slot : callee.slots) {
    const auto* from = frame.saved.data() + (slot.slot - callee.slots_begin);
    if (slot.bytes == 0) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, from, sizeof bits);
      write_predicate(warp, slot.slot, mask, bits);
    } else {
      copy_lanes(mask, from, slot.stride, warp.registers + slot.slot, slot.stride, slot.bytes);
    }
  }
}

bool is_active(const Frame* frame, const Callee& callee) {
  while (frame != nullptr && frame->callee != &callee) frame = frame->parent;
  return frame != nullptr;
}

void set_local_base(Warp& warp, std::uint32_t mask, std::uint64_t base) {
  auto* bases = warp.lanes<std::uint64_t>(warp.block->parts.code.local_base);
  for_each_lane(mask, [=](std::uint32_t i) { bases[i] = base; });
}

// Faults if the callee's frame does not fit in the stack.
bool has_room(Warp& warp, const MicroOp& op, std::uint32_t mask, const Callee& callee,
              std::uint32_t depth, std::uint64_t base) {
  const std::uint64_t stack = warp.block->parts.code.local_bytes;
  if (depth <= kMaxDepth && base + callee.local_bytes <= stack) return true;
  warp.fault(base::DiagnosticKind::kOutOfBounds, op, run::lowest_lane(mask),
             fmt::format("stack overflow: {} calls deep, {} finds no room on the thread's stack of "
                         "{} bytes; does the recursion come to an end for every input? If so, "
                         "make it a loop, or keep large arrays out of it",
                         depth - 1, base::source_name(callee.name), stack));
  return false;
}

void enter(Warp& warp, const MicroOp& op, std::uint32_t mask, const CallSite& site,
           const Callee& callee) {
  const auto& code = warp.block->parts.code;
  auto* caller = warp.frame;
  const auto depth = depth_of(caller) + 1;
  const auto base =
      (caller == nullptr ? 0 : caller->local_base) + code.callees[site.caller].local_bytes;
  if (!has_room(warp, op, mask, callee, depth, base)) return;
  auto* frame = warp.block->frames.make();
  frame->parent = caller;
  frame->site = &site;
  frame->callee = &callee;
  frame->return_pc = warp.pc;
  frame->depth = depth;
  frame->local_base = base;
  frame->inside = mask;
  frame->saved.clear();
  if (is_active(caller, callee)) save(warp, *frame);
  for (std::size_t i = 0; i < site.arguments.size(); ++i) {
    const auto& from = site.arguments[i];
    const auto& to = callee.parameters[i];
    copy_lanes(mask, warp.registers + from.slot, from.stride, warp.registers + to.slot, to.stride,
               std::min(from.bytes, to.bytes));
  }
  set_local_base(warp, mask, base);
  warp.block->fill_undefined(warp, callee, mask);
  if (callee.local_bytes != 0) {
    for (auto rest = mask; rest != 0; rest &= rest - 1) {
      const auto thread = std::size_t{warp.index} * run::kWarpSize + run::lowest_lane(rest);
      warp.block->local.written.begin_frame(thread, base, callee.local_bytes);
    }
  }
  warp.enter(callee.entry, mask, frame);
  warp.block->work.charge(kCallWork + static_cast<std::uint64_t>(std::popcount(mask)) *
                                          callee.local_bytes / kFilledPerUnit);
}

void call(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& code = warp.block->parts.code;
  const auto& site = code.sites[op.target];
  enter(warp, op, mask, site, code.callees[site.callee]);
}

bool fits(const std::vector<ParameterSlot>& a, const std::vector<ParameterSlot>& b) {
  const auto same = [](const ParameterSlot& x, const ParameterSlot& y) {
    return x.bytes == y.bytes;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// Lanes with the same target stay together; the others reach this instruction again.
void call_indirect(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& code = warp.block->parts.code;
  const auto& site = code.sites[op.target];
  const auto* target = warp.lanes<std::uint64_t>(op.a);
  const auto first = run::lowest_lane(mask);
  const auto address = target[first];
  const auto callee = std::find_if(code.callees.begin(), code.callees.end(), [&](const Callee& c) {
    return c.address != 0 && c.address == address;
  });
  if (callee == code.callees.end()) {
    warp.fault(
        base::DiagnosticKind::kTrap, op, first,
        fmt::format(
            "calls a function through the pointer {:#x}, which points to no function; first set "
            "the pointer, or construct the object with the virtual function, on the device",
            address));
    return;
  }
  if (!fits(site.arguments, callee->parameters) || !fits(site.results, callee->results)) {
    warp.fault(
        base::DiagnosticKind::kTrap, op, first,
        fmt::format(
            "calls {} through a pointer of another type: the sizes of parameters or result differ",
            base::source_name(callee->name)));
    return;
  }
  std::uint32_t same = 0;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    if (target[lane] == address) same |= 1U << lane;
  }
  const auto others = mask & ~same;
  if (others != 0) {
    warp.split_off(others, warp.pc - 1);
    warp.block->out.counts[op.instruction].threads -= static_cast<unsigned>(std::popcount(others));
  }
  enter(warp, op, same, site, *callee);
}

template <typename T>
using Held = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;

template <typename T>
void load_argument(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* from = warp.registers + op.a + op.offset;
  const std::size_t stride = op.e;
  auto* d = warp.lanes<Held<T>>(op.d);
  for_each_lane(mask, [=](std::uint32_t i) {
    T value;
    std::memcpy(&value, from + i * stride, sizeof value);
    d[i] = value;
  });
}

template <typename T>
void store_argument(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto* to = warp.registers + op.d + op.offset;
  const std::size_t stride = op.e;
  const auto* a = warp.lanes<Held<T>>(op.a);
  for_each_lane(mask, [=](std::uint32_t i) {
    const auto value = static_cast<T>(a[i]);
    std::memcpy(to + i * stride, &value, sizeof value);
  });
}

// One tick per warp instruction of the block, as if it had its SM to itself.
template <typename T, int kShift>
void read_clock(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.charge(warp.block->parts.code.function->instructions.size() / kCountsPerUnit);
  const auto value = static_cast<T>(warp.block->executed() >> kShift);
  auto* d = warp.lanes<T>(op.d);
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = value; });
}

}  // namespace

void finish_call(Warp& warp, std::uint32_t mask) {
  auto& frame = *warp.frame;
  const auto& callee = *frame.callee;
  for (std::size_t i = 0; i < callee.results.size(); ++i) {
    const auto& from = callee.results[i];
    const auto& to = frame.site->results[i];
    // The caller's variable may be among the saved slots; then it is set there.
    const bool is_aside =
        !frame.saved.empty() && to.slot >= callee.slots_begin && to.slot < callee.slots_end;
    auto* place =
        is_aside ? frame.saved.data() + (to.slot - callee.slots_begin) : warp.registers + to.slot;
    copy_lanes(mask, warp.registers + from.slot, from.stride, place, to.stride,
               std::min(from.bytes, to.bytes));
  }
  if (!frame.saved.empty()) restore(warp, frame, mask);
  set_local_base(warp, mask, frame.parent == nullptr ? 0 : frame.parent->local_base);
  warp.leave(mask);
}

Handler argument_handler(std::uint32_t bytes, bool is_store) {
  switch (bytes) {
    case 1:
      return is_store ? store_argument<std::uint8_t> : load_argument<std::uint8_t>;
    case 2:
      return is_store ? store_argument<std::uint16_t> : load_argument<std::uint16_t>;
    case 4:
      return is_store ? store_argument<std::uint32_t> : load_argument<std::uint32_t>;
    case 8:
      return is_store ? store_argument<std::uint64_t> : load_argument<std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler clock_handler(std::uint32_t bytes, bool high) {
  if (bytes == 8) return read_clock<std::uint64_t, 0>;
  return high ? read_clock<std::uint32_t, 32> : read_clock<std::uint32_t, 0>;
}

Handler call_handler(const Instruction& in) {
  return in.operands[1].kind == ptx::Operand::Kind::kRegister ? call_indirect : call;
}

}  // namespace warpgrade::sim

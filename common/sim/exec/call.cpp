// SPDX-License-Identifier: Apache-2.0
// Calls of device functions with arguments and results, and the clocks (PTX ISA 9.0, 9.7.12.4 and
// 10).
//
// A call copies the caller's .param variables to the callee's parameters, and a return copies the
// callee's results back, for the participating lanes. See frame.h for recursion.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/base/text.h"
#include "common/run/lanes.h"
#include "common/sim/block.h"
#include "common/sim/decode/call_decoder.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"
#include "common/sim/work.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;

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
  auto* bases = warp.lanes<std::uint64_t>(warp.block->code->local_base);
  for_each_lane(mask, [=](std::uint32_t i) { bases[i] = base; });
}

// Faults if the callee's frame does not fit in the stack.
bool has_room(Warp& warp, const MicroOp& op, std::uint32_t mask, const Callee& callee,
              std::uint32_t depth, std::uint64_t base) {
  const std::uint64_t stack = warp.block->code->local_bytes;
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
  const auto& code = *warp.block->code;
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
      warp.block->local_written.begin_frame(thread, base, callee.local_bytes);
    }
  }
  warp.enter(callee.entry, mask, frame);
  warp.block->charged += kCallWork + static_cast<std::uint64_t>(std::popcount(mask)) *
                                         callee.local_bytes / kFilledPerUnit;
}

void call(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& code = *warp.block->code;
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
  const auto& code = *warp.block->code;
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
    warp.block->counts[op.instruction].threads -= static_cast<unsigned>(std::popcount(others));
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
  warp.charge(warp.block->code->function->instructions.size() / kCountsPerUnit);
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

// SPDX-License-Identifier: Apache-2.0
// Functions of the CUDA system that a kernel may call: printf, assert, malloc, free.
//
// Their arguments are in the caller's .param variables. Their reads of the kernel's memory pass the
// same checks as the kernel's own accesses, but are not accesses of the kernel, so they are not
// counted.
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "common/run/lanes.h"
#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/print_format.h"
#include "common/sim/memory/access.h"
#include "common/sim/work.h"

namespace warpgrade::sim {
namespace {

constexpr std::size_t kMaxText = 65536;  // limit on one string

const CallSite& site_of(const Warp& warp, const MicroOp& op) {
  return warp.block->code->sites[op.target];
}

std::uint64_t argument(Warp& warp, const MicroOp& op, std::size_t index, std::uint32_t lane) {
  const auto& variable = site_of(warp, op).arguments[index];
  std::uint64_t value = 0;
  std::memcpy(&value, warp.registers + variable.slot + std::size_t{lane} * variable.stride,
              std::min<std::size_t>(variable.bytes, sizeof value));
  return value;
}

void set_result(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t value) {
  const auto& variable = site_of(warp, op).results[0];
  std::memcpy(warp.registers + variable.slot + std::size_t{lane} * variable.stride, &value,
              std::min<std::size_t>(variable.bytes, sizeof value));
}

// Reads `bytes` at a generic address for one lane; returns nullopt if the lane has faulted.
std::optional<std::uint64_t> read(Warp& warp, const MicroOp& op, std::uint32_t lane,
                                  std::uint64_t address, std::uint32_t bytes) {
  MicroOp load = op;
  load.a = site_of(warp, op).scratch;
  load.offset = 0;
  load.space = ptx::StateSpace::kGeneric;
  load.operation = run::Operation::kLoad;
  warp.lanes<std::uint64_t>(load.a)[lane] = address;
  Access access;
  if (!translate(warp, load, 1U << lane, bytes, access)) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, access.host(lane), bytes);
  return value;
}

std::optional<std::string> read_text(Warp& warp, const MicroOp& op, std::uint32_t lane,
                                     std::uint64_t address) {
  std::string text;
  while (text.size() < kMaxText) {
    const auto byte = read(warp, op, lane, address + text.size(), 1);
    if (!byte) return std::nullopt;
    if (*byte == 0) break;
    text += static_cast<char>(*byte);
  }
  warp.charge(text.size() * kPrintedByteWork);
  return text;
}

// int vprintf(const char* format, void* arguments)
void print(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto format = read_text(warp, op, lane, argument(warp, op, 0, lane));
    if (!format) return;
    auto next = argument(warp, op, 1, lane);
    PrintSource source;
    source.next = [&](std::uint32_t bytes) {
      const auto place = (next + bytes - 1) / bytes * bytes;
      next = place + bytes;
      return read(warp, op, lane, place, bytes);
    };
    source.text = [&](std::uint64_t address) { return read_text(warp, op, lane, address); };
    const auto printed = format_print(*format, source);
    if (!printed) return;
    warp.charge(kPrintWork + printed->text.size() * kPrintedByteWork);
    warp.block->print({warp.index, lane, printed->text});
    set_result(warp, op, lane, printed->arguments);
  }
}

// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
//                   size_t char_size)
void fail_assertion(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto lane = run::lowest_lane(mask);
  const auto message = read_text(warp, op, lane, argument(warp, op, 0, lane));
  if (!message) return;
  const auto file = read_text(warp, op, lane, argument(warp, op, 1, lane));
  if (!file) return;
  const auto function = read_text(warp, op, lane, argument(warp, op, 3, lane));
  if (!function) return;
  warp.fault(base::DiagnosticKind::kTrap, op, lane,
             fmt::format("assertion `{}' failed in '{}'; the condition is false for this thread",
                         *message, *function));
  auto& diagnostic = *warp.block->diagnostic;
  if (diagnostic.where.line == 0) {
    diagnostic.where = {*file, static_cast<std::uint32_t>(argument(warp, op, 2, lane)), 0};
  }
}

// void* malloc(size_t bytes)
void allocate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto& block = *warp.block;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto bytes = argument(warp, op, 0, lane);
    const auto address = block.memory->heap().allocate(bytes, block.location(op).line);
    warp.charge(kHeapWork + (address ? (bytes + Heap::kGap) / kHeapBytesPerUnit : 0));
    set_result(warp, op, lane, address.value_or(0));
  }
}

// void free(void* pointer)
void release(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto& block = *warp.block;
  block.last_region = nullptr;  // it may be the freed piece
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto address = argument(warp, op, 0, lane);
    warp.charge(kHeapWork);
    if (address == 0) continue;
    auto wrong = block.memory->heap().release(address, block.location(op).line);
    if (!wrong) continue;
    warp.fault(base::DiagnosticKind::kOutOfBounds, op, lane, std::move(*wrong));
    return;
  }
}

}  // namespace

Handler intrinsic_handler(std::string_view name, const CallSite& site) {
  struct Row {
    std::string_view name;
    std::size_t arguments;
    std::size_t results;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"vprintf", 2, 1, print},
      {"__assertfail", 5, 0, fail_assertion},
      {"malloc", 1, 1, allocate},
      {"free", 1, 0, release},
  };
  for (const auto& row : kRows) {
    const bool fits = row.arguments == site.arguments.size() && row.results == site.results.size();
    if (row.name == name && fits) return row.handler;
  }
  return nullptr;
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
#include "common/check/read_only_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "common/ptx/module.h"

namespace warpgrade::check {
namespace {

constexpr std::size_t kMostLoads = std::size_t{1} << 16;
constexpr std::uint64_t kCell = 4;  // bytes
constexpr Writer kSomebody = 1;     // who wrote does not matter

}  // namespace

void ReadOnlyLoads::begin_launch(const run::LaunchContext& context) {
  loads_.clear();
  is_read_only_.clear();
  writers_.clear();
  if (context.function == nullptr) return;
  const auto& instructions = context.function->instructions;
  const auto is_read_only = [](const ptx::Instruction& in) {
    return in.opcode == ptx::Opcode::ldu || in.modifiers.has(ptx::Modifier::nc);
  };
  if (std::none_of(instructions.begin(), instructions.end(), is_read_only)) return;
  for (const auto& in : instructions) is_read_only_.push_back(is_read_only(in));
  for (const auto& buffer : view_.buffers()) {
    const bool is_mine = buffer.defined && !buffer.read_only;
    writers_.emplace_back(is_mine ? (buffer.bytes + kCell - 1) / kCell : 0);
  }
}

void ReadOnlyLoads::memory(const run::MemoryEvent& event) {
  if (!is_needed() || event.space != run::Space::kGlobal) return;
  if (event.operation != run::Operation::kLoad) {
    mark(event);
  } else if (is_read_only_[event.instruction]) {
    keep(event);
  }
}

void ReadOnlyLoads::mark(const run::MemoryEvent& event) {
  const auto write = [&](std::uint32_t index, std::uint64_t address, std::uint64_t bytes) {
    if (index == LaunchView::kNoBuffer || writers_[index].cells() == 0) return;
    const auto offset = address - view_.buffers()[index].address;
    const auto first = offset / kCell;
    const auto last = (offset + bytes - 1) / kCell;
    writers_[index].write(first, static_cast<std::uint32_t>(last - first + 1), kSomebody);
  };
  if (const auto whole = view_.buffer_of(event);
      whole != LaunchView::kNoBuffer && event.stride == event.bytes) {
    write(whole, event.address[0], std::uint64_t{event.bytes} * run::kWarpSize);
    return;
  }
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto address = event.address[std::countr_zero(left)];
    write(view_.buffer_at(address, event.bytes), address, event.bytes);
  }
}

bool ReadOnlyLoads::is_marked(std::uint32_t buffer, std::uint64_t offset,
                              std::uint32_t bytes) const {
  const auto& writers = writers_[buffer];
  if (writers.cells() == 0) return false;
  const auto first = offset / kCell;
  return writers.any_written(first, (offset + bytes - 1) / kCell - first + 1);
}

void ReadOnlyLoads::keep(const run::MemoryEvent& event) {
  if (loads_.size() >= kMostLoads) return;
  const auto whole = view_.buffer_of(event);
  if (whole != LaunchView::kNoBuffer && view_.buffers()[whole].read_only) return;
  auto& load = loads_.emplace_back();
  load.moment = view_.moment();
  load.instruction = event.instruction;
  load.warp = event.warp;
  load.mask = event.mask;
  load.bytes = event.bytes;
  std::copy_n(event.address, run::kWarpSize, load.address.begin());
}

void ReadOnlyLoads::merge(ReadOnlyLoads& other) {
  if (!view_.has_launch()) {  // Only the forks have been told of the launch.
    *this = std::move(other);
    return;
  }
  // The loads of the first blocks are kept, however many observers there are.
  const auto room = std::min(kMostLoads - loads_.size(), other.loads_.size());
  loads_.insert(loads_.end(), other.loads_.begin(),
                other.loads_.begin() + static_cast<std::ptrdiff_t>(room));
  for (std::size_t i = 0; i < writers_.size(); ++i) writers_[i].merge(other.writers_[i]);
}

Findings ReadOnlyLoads::findings(const IsWritten& is_written) const {
  Findings findings;
  for (const auto& load : loads_) {
    const auto line = view_.line_number(load.instruction);
    for (std::uint32_t left = load.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const auto index = view_.buffer_at(load.address[lane], load.bytes);
      if (index == LaunchView::kNoBuffer) continue;
      const auto& buffer = view_.buffers()[index];
      const auto offset = load.address[lane] - buffer.address;
      if (!is_written(index, offset, load.bytes) && !is_marked(index, offset, load.bytes)) continue;
      auto moment = load.moment;
      moment.part = lane;
      findings.add({base::DiagnosticKind::kRace, line, line}, moment, 1, [&] {
        return view_.diagnostic(
            base::DiagnosticKind::kRace, load.instruction, moment.block, load.warp, lane,
            fmt::format("thread {} reads {} through the read-only data cache, but this launch "
                        "also writes it: the value may be an old one. Use a plain load: without "
                        "__ldg(), and without __restrict__ on pointers to the same memory.",
                        view_.thread_text(load.warp, lane), element_text(buffer, offset)));
      });
    }
  }
  return findings;
}

}  // namespace warpgrade::check

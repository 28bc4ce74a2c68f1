// SPDX-License-Identifier: Apache-2.0
// Finds writes to memory that a kernel must not write: inputs, and what it loads as read-only.
//
// In: global loads and stores of all blocks, and the written elements (uninitialized_reads.h). Out:
// findings for stores to inputs, and for loads through the read-only cache of written elements.
// The buffer of a whole warp is checked at once, else lane by lane. The order of load and store
// does not matter.
#include "common/check/read_only_data.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "common/check/launch_view.h"

namespace warpgrade::check {

void InputModified::memory(const run::MemoryEvent& event) {
  if (event.space != run::Space::kGlobal || event.operation == run::Operation::kLoad) return;
  // The usual case in correct kernels: all lanes access one writable buffer.
  const auto whole = view_.buffer_of(event);
  if (whole != LaunchView::kNoBuffer && !view_.buffers()[whole].read_only) return;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto index = view_.buffer_at(event.address[lane], event.bytes);
    if (index == LaunchView::kNoBuffer || !view_.buffers()[index].read_only) continue;
    report(event, lane, view_.buffers()[index]);
  }
}

void InputModified::report(const run::MemoryEvent& event, std::uint32_t lane,
                           const BufferView& buffer) {
  const auto line = view_.line_number(event.instruction);
  const auto moment = view_.moment(lane);
  findings_.add({base::DiagnosticKind::kInputModified, line, line}, moment, 1, [&] {
    return view_.diagnostic(
        base::DiagnosticKind::kInputModified, event.instruction, moment.block, event.warp, lane,
        base::InputWrite{buffer_place(buffer, event.address[lane] - buffer.address, event.bytes),
                         does(event.operation)});
  });
}

namespace {

constexpr std::size_t kMostLoads = std::size_t{1} << 16;

}  // namespace

void ReadOnlyLoads::begin_launch(const run::LaunchContext& /*context*/) { loads_.clear(); }

void ReadOnlyLoads::memory(const run::MemoryEvent& event) {
  if (!view_.has_read_only_loads()) return;
  const bool is_load =
      event.space == run::Space::kGlobal && event.operation == run::Operation::kLoad;
  if (is_load && view_.is_read_only_load(event.instruction)) keep(event);
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
  if (!view_.has_launch()) {  // only the forks receive the launch
    *this = std::move(other);
    return;
  }
  // Keeps the loads of the first blocks, independent of the number of observers.
  const auto room = std::min(kMostLoads - loads_.size(), other.loads_.size());
  loads_.insert(loads_.end(), other.loads_.begin(),
                other.loads_.begin() + static_cast<std::ptrdiff_t>(room));
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
      if (!is_written(index, offset, load.bytes)) continue;
      auto moment = load.moment;
      moment.part = lane;
      findings.add({base::DiagnosticKind::kRace, line, line}, moment, 1, [&] {
        return view_.diagnostic(base::DiagnosticKind::kRace, load.instruction, moment.block,
                                load.warp, lane,
                                base::CachedRead{buffer_place(buffer, offset, load.bytes)});
      });
    }
  }
  return findings;
}

}  // namespace warpgrade::check

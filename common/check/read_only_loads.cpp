// SPDX-License-Identifier: Apache-2.0
#include "common/check/read_only_loads.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpgrade::check {
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

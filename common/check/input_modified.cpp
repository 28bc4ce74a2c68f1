// SPDX-License-Identifier: Apache-2.0
// Checks the buffer of a whole warp at once, else lane by lane.
#include "common/check/input_modified.h"

#include <bit>

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

}  // namespace warpgrade::check

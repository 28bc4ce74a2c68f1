// SPDX-License-Identifier: Apache-2.0
#include "common/memory/bulk_requests.h"

#include <algorithm>

namespace warpgrade::memory {

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

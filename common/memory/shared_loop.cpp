// SPDX-License-Identifier: Apache-2.0
#include "common/memory/shared_loop.h"

#include <bit>

namespace warpgrade::memory {
namespace {

/// Whether any of `lanes` has this address.
bool any_at(const Request& request, std::uint32_t lanes, std::uint64_t address) {
  for (; lanes != 0; lanes &= lanes - 1) {
    if (request.address[std::countr_zero(lanes)] == address) return true;
  }
  return false;
}

/// The lanes of `left` whose swap succeeds in this round.
std::uint32_t winners(const Request& request, std::uint32_t left) {
  const std::uint32_t at_once = 128 / request.bytes;
  const std::uint32_t group = ~std::uint32_t{0} >> (kLanes - at_once);
  std::uint32_t won = 0;
  for (std::uint32_t first = 0; first < kLanes; first += at_once) {
    const std::uint32_t earlier = won;
    std::uint32_t busy = 0;
    for (std::uint32_t lanes = left & group << first; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const std::uint64_t address = request.address[lane];
      const std::uint32_t bank = std::uint32_t{1} << address / request.bytes % at_once;
      if ((busy & bank) != 0) continue;
      busy |= bank;
      if (!any_at(request, earlier, address)) won |= std::uint32_t{1} << lane;
    }
  }
  return won;
}

}  // namespace

SharedLoop shared_loop(const Request& request, WordMarks& marks) {
  SharedLoop loop;
  std::uint32_t left = request.mask;
  while (left != 0) {
    ++loop.rounds;
    const SharedAccess load =
        shared_access(device::SharedBanks::kThirtyTwo, {request.address, left, request.bytes},
                      SharedUse::kLoad, marks);
    loop.loads.wavefronts += load.wavefronts;
    loop.loads.conflicts += load.conflicts;
    const bool halves = request.bytes == 8 && left > 0xffffU && (left & 0xffffU) != 0;
    const std::uint32_t swaps = halves ? 4 : 2;
    loop.swaps.wavefronts += swaps;
    if (loop.rounds == 1) loop.one_round = load.wavefronts - load.conflicts + swaps;
    left &= ~winners(request, left);
  }
  return loop;
}

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
#include "common/memory/atomic_work.h"

#include <algorithm>
#include <bit>

namespace warpgrade::memory {
namespace {

constexpr std::uint64_t kSectorBytes = 32;

/// Removes the lanes in the sector of the lowest lane from `left`; returns the most lanes on one
/// word.
std::uint16_t take_sector(const Request& request, std::uint32_t& left) {
  const std::uint64_t sector = request.address[std::countr_zero(left)] / kSectorBytes;
  std::array<std::uint16_t, kSectorBytes> on_word{};  // by first byte of the word
  std::uint16_t most = 0;
  for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = request.address[std::countr_zero(lanes)];
    if (address / kSectorBytes != sector) continue;
    most = std::max(most, ++on_word[address % kSectorBytes]);
    left &= ~(lanes & ~(lanes - 1));
  }
  return most;
}

}  // namespace

AtomicWorks atomic_works(const Request& request) {
  AtomicWorks out;
  for (std::uint32_t left = request.mask; left != 0;) {
    const std::uint64_t address = request.address[std::countr_zero(left)];
    const std::uint16_t passes = take_sector(request, left);
    const auto end = out.list.begin() + out.count;
    const auto found = std::find_if(out.list.begin(), end, [&](const AtomicWork& work) {
      return work.piece == address / kAtomicPieceBytes;
    });
    if (found == end) {
      *found = {address / kAtomicPieceBytes, 0, 0};
      ++out.count;
    }
    auto& sum = passes == 1 ? found->passes : found->again;
    sum = static_cast<std::uint16_t>(sum + passes);
  }
  return out;
}

std::uint32_t most_on_one_word(const Request& request) {
  std::uint32_t most = 0;
  for (std::uint32_t left = request.mask; left != 0;) {
    const std::uint64_t address = request.address[std::countr_zero(left)];
    std::uint32_t same = 0;
    for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
      if (request.address[std::countr_zero(lanes)] == address) same |= lanes & (~lanes + 1);
    }
    most = std::max(most, static_cast<std::uint32_t>(std::popcount(same)));
    left &= ~same;
  }
  return most;
}

}  // namespace warpgrade::memory

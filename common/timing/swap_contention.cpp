// SPDX-License-Identifier: Apache-2.0
#include "common/timing/swap_contention.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpgrade::timing {

SwapContention::SwapContention(const device::Profile& profile)
    : window_share_(profile.shared.swap_round_clocks
                        ? profile.shared.swap_window_clocks / *profile.shared.swap_round_clocks
                        : -1) {}

void SwapContention::begin_block() {
  warps_of_.clear();
  words_.clear();
  loops_of_.clear();
}

std::uint32_t SwapContention::add(const run::MemoryEvent& event) {
  if (event.warp >= loops_of_.size()) loops_of_.resize(event.warp + 1);
  const std::uint64_t side_by_side = std::uint64_t{loops_of_[event.warp]++} << 48;
  std::vector<std::uint64_t> words;
  for (std::uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
    const auto address = event.address[static_cast<std::size_t>(std::countr_zero(lanes))];
    words.push_back(address ^ side_by_side);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (const std::uint64_t word : words) {
    warps_of_[word] |= std::uint64_t{1} << event.warp % 64;
  }
  words_.push_back(std::move(words));
  return static_cast<std::uint32_t>(words_.size() - 1);
}

double SwapContention::tries(std::uint32_t number) const {
  if (window_share_ < 0) return 1;
  double sum = 0;
  const auto& words = words_.at(number);
  for (const std::uint64_t word : words) {
    const int warps = std::popcount(warps_of_.at(word));
    sum += std::min<double>(warps, 1 + warps * window_share_);
  }
  return sum / static_cast<double>(words.size());
}

void SwapContention::lengthen(std::vector<TracedAccess>& requests) const {
  for (TracedAccess& request : requests) {
    if (request.rounds == 0) continue;
    const double times = tries(request.first_transaction);
    request.wavefronts =
        static_cast<std::uint16_t>(std::min(std::lround(request.wavefronts * times), 0xffffL));
    request.rounds = static_cast<std::uint32_t>(std::lround(request.rounds * times));
  }
}

}  // namespace warpgrade::timing

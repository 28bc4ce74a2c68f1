// SPDX-License-Identifier: Apache-2.0
#include "common/timing/answer_latency.h"

#include <algorithm>
#include <cmath>

namespace warpgrade::timing {

AnswerLatency::AnswerLatency(double l2, double dram, double loaded_dram, double tail)
    : l2_(l2), dram_(dram), more_under_load_(loaded_dram - dram), tail_(tail) {
  for (std::size_t n = 1; n <= kMostPages; ++n) {
    for (std::size_t q = 0; q < kQuantiles; ++q) {
      const double below = (static_cast<double>(q) + 0.5) / kQuantiles;
      largest_[n - 1][q] = -std::log(1 - std::pow(below, 1.0 / static_cast<double>(n)));
    }
  }
}

// Uniform in [0, 1) (SplitMix64).
double AnswerLatency::chance() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

double AnswerLatency::next(std::uint32_t pages, std::uint32_t place, double dram_share,
                           double load) {
  if (dram_share <= 0) return l2_;
  const std::uint32_t count = std::clamp<std::uint32_t>(pages, 1, kMostPages);
  double none = 1;  // the chance that L2 has all
  for (std::uint32_t i = 0; i < count; ++i) none *= 1 - dram_share;
  const double drawn = chance();
  if (drawn < none) return l2_;
  const auto from_dram = std::clamp<std::uint32_t>(
      static_cast<std::uint32_t>(std::lround(count * dram_share)), 1, count);
  const double where = place == 0 ? (drawn - none) / (1 - none) : place * 0x1p-32;
  const auto quantile = std::min(static_cast<std::size_t>(where * kQuantiles), kQuantiles - 1);
  return dram_ + load * more_under_load_ + tail_ * (largest_[from_dram - 1][quantile] - 1);
}

}  // namespace warpgrade::timing

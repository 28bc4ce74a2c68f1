// SPDX-License-Identifier: Apache-2.0
// The time until memory answers a request whose sectors have passed all queues.
//
// A request is answered when its last line arrives. Each line comes from L2 or DRAM at random.
// Lines from DRAM have a minimum latency plus an exponentially distributed part, because banks,
// refresh and distance differ, as measured (tests/evidence/golden/h200_memory). A warp that waits
// for 32 lines therefore waits longer than one that waits for a single line, although the mean per
// line is equal; lines of one DRAM page share their latency. The random numbers are a fixed
// sequence, so the same calls get the same answers.
#pragma once

#include <array>
#include <cstdint>

namespace warpgrade::timing {

class AnswerLatency {
 public:
  /// In any unit of time: latency of an L2 hit; mean latency of a line from idle DRAM and from
  /// saturated DRAM; and the mean of the exponential part of both.
  AnswerLatency(double l2, double dram, double loaded_dram, double tail);

  /// The latency of a request for lines in this number of `pages`, each of which comes from DRAM
  /// with probability `dram_share`, if DRAM is busy for `load` of the time; both from 0 to 1.
  /// Requests with the same `place` use the same page; 0: any page.
  double next(std::uint32_t pages, std::uint32_t place, double dram_share, double load);

 private:
  static constexpr std::size_t kMostPages = 32;
  static constexpr std::size_t kQuantiles = 64;

  double chance();

  double l2_;
  double dram_;
  double more_under_load_;
  double tail_;
  std::uint64_t state_ = 0;
  /// Row n - 1: quantiles of the maximum of n exponential variables with mean 1.
  std::array<std::array<double, kQuantiles>, kMostPages> largest_;
};

}  // namespace warpgrade::timing

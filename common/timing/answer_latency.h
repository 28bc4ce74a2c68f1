// SPDX-License-Identifier: Apache-2.0
// How long memory takes to answer a request once its sectors have passed all queues.
//
// A request is answered when its last line has come. Each line comes from L2 or from DRAM, by
// chance. Lines from DRAM take a least time and more by chance, since banks, refresh and distance
// differ: an exponential part, as measured (tests/evidence/golden/h200_memory). So a warp that
// waits for 32 lines waits longer than one that waits for a single line, though each line takes as
// long on average; lines of one page of DRAM take the same. Chance is a fixed sequence of numbers:
// the same calls get the same answers.
#pragma once

#include <array>
#include <cstdint>

namespace warpgrade::timing {

class AnswerLatency {
 public:
  /// Any unit of time: of a hit in L2; of one line from DRAM on average, alone and where DRAM is
  /// always busy; and the exponential part's mean of both.
  AnswerLatency(double l2, double dram, double loaded_dram, double tail);

  /// The latency of a request of lines in so many `pages`, each of which comes from DRAM with a
  /// chance of `dram_share`, where DRAM is busy for `load` of the time; both from 0 to 1. Requests
  /// with the same `place` are to the same page; 0: to any.
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
  /// Row n - 1: quantiles of the largest of n numbers that are exponential with a mean of 1.
  std::array<std::array<double, kQuantiles>, kMostPages> largest_;
};

}  // namespace warpgrade::timing

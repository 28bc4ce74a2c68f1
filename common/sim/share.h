// SPDX-License-Identifier: Apache-2.0
// The blocks of a launch, divided into shares: one for each host thread, or one for each block of a
// cooperative launch or each rank of a cluster, whose blocks run in turns on one thread.
//
// A share has its own Block, counts and observers. The simulator joins them in the order of their
// blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <vector>

#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/block.h"

namespace warpgrade::sim {

/// Order in which blocks run: by index, or for a seed a permutation i -> (a * i + b) mod n.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t count, std::uint64_t seed) : count_(count) {
    if (seed == 0 || count < 2) return;
    offset_ = seed % count;
    factor_ = (seed * 0x9e3779b97f4a7c15U) % count;
    while (std::gcd(factor_, count) != 1) factor_ = (factor_ + 1) % count;
  }
  std::uint64_t operator()(std::uint64_t position) const {
    __extension__ using ModularProduct = unsigned __int128;
    return static_cast<std::uint64_t>((ModularProduct{factor_} * position + offset_) % count_);
  }

 private:
  std::uint64_t count_;
  std::uint64_t factor_ = 1;
  std::uint64_t offset_ = 0;
};

/// The progress of all shares of a launch together.
struct Progress {
  std::atomic<std::uint64_t> first_fault = ~std::uint64_t{0};  // the least position of a fault
  std::atomic<std::uint64_t> used = 0;                         // of the launch's budget
};

/// The blocks that are to be executed, by their place among them.
class BlockList {
 public:
  /// `ranges` empty: all `blocks`. Throws base::UsageError unless they ascend within the grid.
  BlockList(const std::vector<run::BlockRange>& ranges, std::uint64_t blocks);
  std::uint64_t count() const { return ends_.empty() ? 0 : ends_.back(); }
  std::uint64_t at(std::uint64_t place) const;

 private:
  std::vector<run::BlockRange> ranges_;
  std::vector<std::uint64_t> ends_;  // blocks in the ranges up to each
};

/// A share of a launch: positions [begin, end) of the block order.
struct Share {
  Block block;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<run::InstructionCount> counts;
  std::vector<std::unique_ptr<run::Observer>> observers;
  std::exception_ptr failure;

  /// Ends early if another share has found a fault before it, or if the budget is used up. Neither
  /// depends on the number of shares, because the used part only grows.
  void run(const BlockList& list, const BlockOrder& order, std::uint64_t launch_budget,
           Progress& progress);
};

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Blocks that are resident together, run in turns on one host thread, and can wait for each
// other: all blocks of a cooperative launch, or the blocks of one thread block cluster after the
// other.
//
// The blocks of a launch are divided into shares, each with its own observers and result.
// The simulator joins them in the order of their blocks. Random turns depend on the seed and the
// number of the block alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <vector>

#include "common/base/place.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/block.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

// The random turns of warps in seeded orders: which warp is next, and for how long.
//
// Turns depend on the seed and the number of the block alone. They are the same on every machine
// and for every number of host threads.

/// SplitMix64: small, and the same everywhere.
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  auto z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// The first state of block `linear` under `seed`.
constexpr std::uint64_t random_state(std::uint64_t seed, std::uint64_t linear) {
  return seed ^ (linear * 0xd1342543de82ef95U);
}

struct RandomTurn {
  Warp* warp = nullptr;
  std::uint32_t instructions = 0;  ///< See Warp::run_some.
  std::uint32_t choice = 0;
};

/// A turn of 1 to 512 instructions for one of the warps in `ready`.
inline RandomTurn random_turn(const std::vector<Warp*>& ready, std::uint64_t& state) {
  constexpr std::uint32_t kLongestTurn = 9;  // a power of two
  const auto random = next_random(state);
  return {ready[(random >> 32) % ready.size()], 1U << (random & 0xff) % (kLongestTurn + 1),
          static_cast<std::uint32_t>(random >> 8 & 0xffffff)};
}

// The blocks of a launch, divided into shares: one for each host thread, or one for each block of a
// cooperative launch or each rank of a cluster, whose blocks run in turns on one thread.
//
// A share has its own observers and result.

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
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<std::unique_ptr<run::Observer>> observers;
  ShareResult result;
  std::exception_ptr failure;

  std::vector<run::Observer*> observer_list() const;
  /// Runs the blocks one after the other. Ends early if another share has found a fault before it,
  /// or if the budget is used up. Neither depends on the number of shares, because the used part
  /// only grows.
  void run(const LaunchParts& parts, const BlockList& list, Progress& progress);
};

/// Runs the blocks of a cooperative launch, one per share, to their ends or to the first fault. A
/// launch whose blocks wait forever is the fault of one of them.
void run_residents(const LaunchParts& parts, std::vector<Share>& shares, Progress& progress);

/// Runs each cluster with one of the blocks in `list`, one after the other, to their ends or to the
/// first fault. shares[r] runs the blocks of rank r; their output goes to shares[0] cluster by
/// cluster.
void run_clusters(const LaunchParts& parts, std::vector<Share>& shares, const BlockList& list,
                  Progress& progress);

/// Runs the blocks of `list`, one per share at a time, in the order of their clocks
/// (Options::turns). Sets the waits and clocks of `result`.
void run_in_time(const LaunchParts& parts, std::vector<Share>& shares, const BlockList& list,
                 Progress& progress, run::Result& result);

}  // namespace warpgrade::sim

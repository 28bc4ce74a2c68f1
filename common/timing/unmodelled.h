// SPDX-License-Identifier: Apache-2.0
// Parts of a launch that the time model does not time, or not exactly. The true time is then in a
// range around the modelled one. A gate on a modelled speed is decided only if the whole range
// passes, or all of it fails. docs/fidelity.md lists the parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace warpgrade::timing {

enum class Unmodelled : std::uint8_t {
  kWaitsBetweenBlocks,   ///< A block waits for a word that another block writes.
  kBlocksNotBegun,       ///< A block waits for one that begins later.
  kLateBlocks,           ///< Blocks arrive late at a barrier of the grid or of a cluster.
  kLockAttempts,         ///< Attempts to get a lock that fail and slow down its owner.
  kMemoryDuringWaits,    ///< Resources that blocks share while some of them wait.
  kOtherBlocksMemory,    ///< The network to the shared memory of other blocks of a cluster.
  kFences,               ///< Fences without an access between them.
  kColdConstants,        ///< Constants that a multiprocessor does not hold yet.
  kSleepsOfWaits,        ///< A loop that sleeps, or tests a phase, until another thread is done.
  kBulkCopies,           ///< Counted as copies of 16 bytes per lane: the time is too long.
  kRequestsOfManyUnits,  ///< Requests for one line that L2 merges; no bound is known.
  kCount,
};

class UnmodelledSet {
 public:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  /// The launch takes up to `longer` seconds more than modelled, and up to `shorter` less.
  void add(Unmodelled part, double longer = kUnknown, double shorter = 0) {
    auto& range = ranges_.at(static_cast<std::size_t>(part));
    if (!range) range = Range{};
    range->longer += longer;
    range->shorter += shorter;
  }
  void add(const UnmodelledSet& others) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const auto& range = others.ranges_[i];
      if (range) add(static_cast<Unmodelled>(i), range->longer, range->shorter);
    }
  }
  bool has(Unmodelled part) const { return ranges_.at(static_cast<std::size_t>(part)).has_value(); }
  bool empty() const { return *this == UnmodelledSet(); }
  double longer() const { return sum(&Range::longer); }
  double shorter() const { return sum(&Range::shorter); }
  /// The parts that make the time longer, or those that make it shorter, than modelled.
  UnmodelledSet only_longer() const { return only(&Range::longer); }
  UnmodelledSet only_shorter() const { return only(&Range::shorter); }

  friend bool operator==(const UnmodelledSet&, const UnmodelledSet&) = default;

 private:
  struct Range {
    double longer = 0;
    double shorter = 0;
    friend bool operator==(const Range&, const Range&) = default;
  };

  double sum(double Range::*side) const {
    double all = 0;
    for (const auto& range : ranges_) all += range ? (*range).*side : 0;
    return all;
  }
  UnmodelledSet only(double Range::*side) const {
    UnmodelledSet out;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (ranges_[i] && (*ranges_[i]).*side > 0)
        out.ranges_[i].emplace().*side = (*ranges_[i]).*side;
    }
    return out;
  }

  std::array<std::optional<Range>, static_cast<std::size_t>(Unmodelled::kCount)> ranges_;
};

}  // namespace warpgrade::timing

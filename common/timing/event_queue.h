// SPDX-License-Identifier: Apache-2.0
// Which of many warps comes next: each has one event at most, and the earliest goes first, of two
// at the same time that of the lower number.
//
// A tournament: warps are the leaves of a binary tree, and each node holds the earlier of the two
// below it. A change walks from its leaf to the root, whatever the order of times; unlike in a heap
// there is nothing for the processor to predict, and a warp that is served and comes again costs
// one walk.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpgrade::timing {

class EventQueue {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Event {
    double time = kNever;
    std::uint32_t warp = 0;
  };

  /// Sets when `warp` comes next, not before 0, in place of what was set before; kNever for not at
  /// all.
  void set(std::uint32_t warp, double time) {
    if (warp >= leaves_) grow(warp);
    std::size_t at = leaves_ + warp;
    Key winner = key(time, warp);
    nodes_[at] = winner;
    for (; at > 1; at /= 2) {
      const Key other = nodes_[at ^ 1];
      winner = other < winner ? other : winner;
      nodes_[at / 2] = winner;
    }
  }

  /// The next event; its time is kNever where there is none.
  Event top() const {
    return {std::bit_cast<double>(static_cast<std::uint64_t>(nodes_[1] >> 32)),
            static_cast<std::uint32_t>(nodes_[1])};
  }
  bool empty() const { return top().time == kNever; }

 private:
  /// The bits of times from 0 on are in the order of the times; the warp's number comes behind
  /// them.
  __extension__ using Key = unsigned __int128;

  static Key key(double time, std::uint32_t warp) {
    return Key{std::bit_cast<std::uint64_t>(time)} << 32 | warp;
  }

  void grow(std::uint32_t warp) {
    const std::vector<Key> old(nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_), nodes_.end());
    while (leaves_ <= warp) leaves_ *= 2;
    nodes_.assign(2 * leaves_, key(kNever, 0));
    for (std::uint32_t leaf = 0; leaf < old.size(); ++leaf) {
      set(leaf, std::bit_cast<double>(static_cast<std::uint64_t>(old[leaf] >> 32)));
    }
  }

  std::size_t leaves_ = 1;                                        ///< A power of two.
  std::vector<Key> nodes_ = std::vector<Key>(2, key(kNever, 0));  ///< [1] is the root, leaves last.
};

}  // namespace warpgrade::timing

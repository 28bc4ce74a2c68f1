// SPDX-License-Identifier: Apache-2.0
// Events in the order of time, of two at the same time first that of the lower rank.
//
// A ring that is kept sorted. What is added mostly comes after what is there, so the search for its
// place begins at the end, and mostly ends there. Unlike that of a heap, the next event is known
// before the present one is served: the processor can work on both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace warpgrade::timing {

struct Event {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double time = kNever;
  std::uint32_t rank = 0;
  std::uint32_t subject = 0;  ///< A number that tells the caller what comes.

  bool is_before(const Event& other) const {
    return time < other.time || (time == other.time && rank < other.rank);
  }
};

class EventQueue {
 public:
  bool empty() const { return begin_ == end_; }
  /// The next event; its time is kNever where there is none.
  Event front() const { return empty() ? Event() : ring_[begin_ & mask_]; }
  /// There must be one.
  void pop() { ++begin_; }

  void push(const Event& event) {
    if (end_ - begin_ > mask_) grow();
    std::size_t at = end_++;
    for (; at != begin_ && event.is_before(ring_[(at - 1) & mask_]); --at) {
      ring_[at & mask_] = ring_[(at - 1) & mask_];
    }
    ring_[at & mask_] = event;
  }

 private:
  void grow() {
    std::vector<Event> larger(2 * ring_.size());
    for (std::size_t i = begin_; i != end_; ++i) larger[i - begin_] = ring_[i & mask_];
    end_ -= begin_;
    begin_ = 0;
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
  }

  std::vector<Event> ring_ = std::vector<Event>(8);  ///< Their number is a power of two.
  std::size_t mask_ = 7;
  std::size_t begin_ = 0;  ///< Positions count on; the ring holds that modulo its size.
  std::size_t end_ = 0;
};

}  // namespace warpgrade::timing

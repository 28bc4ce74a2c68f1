// SPDX-License-Identifier: Apache-2.0
// Events in the order of time; at equal times the lower rank comes first.
//
// A sorted ring. New events usually belong near the end, so the search for their position begins
// there. Unlike in a heap, the next event is known before the present one is served, so the
// processor can overlap their work.
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
  std::uint32_t subject = 0;  ///< Identifies the event for the caller.

  bool is_before(const Event& other) const {
    return time < other.time || (time == other.time && rank < other.rank);
  }
};

class EventQueue {
 public:
  bool empty() const { return begin_ == end_; }
  /// The next event; its time is kNever if the queue is empty.
  Event front() const { return empty() ? Event() : ring_[begin_ & mask_]; }
  /// The queue must not be empty.
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

  std::vector<Event> ring_ = std::vector<Event>(8);  ///< The size is a power of two.
  std::size_t mask_ = 7;
  std::size_t begin_ = 0;  ///< Positions increase forever; the ring index is modulo its size.
  std::size_t end_ = 0;
};

}  // namespace warpgrade::timing

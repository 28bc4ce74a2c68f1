// SPDX-License-Identifier: Apache-2.0
// One SM of the time simulation: its warps and its own queues.
//
// Each SM runs ahead of the others up to the first event that needs the chip. Such an event is a
// request that goes further, or the end of a warp. The simulation processes those in the order of
// the chip. The result equals processing every event in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/trace.h"
#include "common/timing/warp_recorder.h"
#include "common/timing/warp_timeline.h"

namespace warpgrade::timing {

// Events in the order of time; at equal times the lower rank comes first.
//
// A sorted ring. New events usually belong near the end, so the search for their position begins
// there. Unlike in a heap, the next event is known before the present one is served, so the
// processor can overlap their work.

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

/// A resource that serves one request at a time.
struct Server {
  double free_at = 0;
  double busy = 0;

  /// Starts at `arrival` or when the server is free; returns the end of the service.
  double serve(double arrival, double service) {
    free_at = std::max(arrival, free_at) + service;
    busy += service;
    return free_at;
  }
};

/// Stores and atomics on their way to L2, which takes them in order. A load behind them waits until
/// L2 has taken them all. On an H200 a warp stops after 20 to 28 of them if L2 cannot keep up
/// (queue.csv in tests/evidence/golden/h200_memory).
class RequestQueue {
 public:
  static constexpr std::size_t kDepth = 24;

  /// When there is room for one more request.
  double room() const { return accepted_[next_]; }
  /// When L2 has taken all of them.
  double last() const { return last_; }
  /// Adds a request that L2 takes at `time`.
  void add(double time) {
    last_ = std::max(last_, time);
    accepted_[next_] = last_;
    next_ = (next_ + 1) % kDepth;
  }

 private:
  std::array<double, kDepth> accepted_{};
  std::size_t next_ = 0;
  double last_ = 0;
};

/// Numbers from 0 on; returned numbers are reused, the last one first.
class Numbers {
 public:
  std::uint32_t take() {
    if (free_.empty()) return made_++;
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }

 private:
  std::uint32_t made_ = 0;
  std::vector<std::uint32_t> free_;
};

/// Sums of an SM, in clocks.
struct WarpActivity {
  StateClocks clocks{};  ///< Summed over the warps.
  double resident = 0;   ///< Lives of the warps, summed.
  double active = 0;     ///< In which the SM has a warp.
  double issued = 0;     ///< Issue slots.
  double held = 0;  ///< The part of kMathPipeThrottle in which another warp holds the scheduler.

  double& in(WarpState state) { return clocks[static_cast<std::size_t>(state)]; }
  double in(WarpState state) const { return clocks[static_cast<std::size_t>(state)]; }
  void add(const WarpActivity& other, double times);
};

/// All times are clocks. An event's rank is the warp's number on the chip, which orders
/// simultaneous events.
class Multiprocessor {
 public:
  explicit Multiprocessor(const device::Profile& profile);

  /// From now on `recorder` and `timeline`, if it is not nullptr, get what the warps do.
  void record(WarpRecorder& recorder, TimelineRecorder* timeline) {
    recorder_ = &recorder;
    timeline_ = timeline;
  }

  /// Starts a block whose warps begin at `start`.
  void begin(const BlockTrace& block, const std::vector<WarpProgram>& programs, double start,
             Numbers& numbers);
  /// Runs the warps as far as possible without the chip. Returns the first event that needs it; its
  /// time is kNever without such an event. The caller must serve it before the next call: with
  /// pass() and answer() if request() returns one, else with end().
  Event run_ahead();
  /// The memory request of the warp; nullptr if the warp ends.
  const TracedAccess* request(const Event& event) const;
  /// The first transaction of that request.
  const memory::Transaction* transactions(const Event& event) const;
  std::span<const BlockAtomicWork> atomic_works(const Event& event) const;
  /// Passes the request through the stages common to all requests; returns the time when it is
  /// through.
  double pass(const Event& event);
  /// Sets the time of the answer to the warp's request, or a later one if a line that it finds in
  /// L1 is still on its way there.
  void answer(const Event& event, double time);
  /// The event's request waits until `time` before pass().
  void wait_for_room(const Event& event, double time);
  /// Ends the warp; returns whether it was the last one of its block.
  bool end(const Event& event, Numbers& numbers);
  /// Releases all waiting warps at `now`. Needed because partial warps, or threads that never come,
  /// can meet at barriers in ways that the trace does not contain.
  void release_all(double now);

  Server memory;  ///< Every request passes it in order: the tag stage, or shared memory.
  Server port;
  Server stored;  ///< Port for stores, if separate.
  RequestQueue to_l2;
  double tags = 0;     ///< Clocks of `memory` for line look-ups.
  double l1_data = 0;  ///< For data, if L1's banks are slower.
  double shared = 0;   ///< For shared memory.
  Server constants;    ///< Constant memory for lanes that read different words.
  /// By program: the longest time of a warp, without its sleeps and fences.
  std::vector<double> busiest_warps;
  const std::vector<Server>& schedulers() const { return schedulers_; }
  /// Busy clocks of the pipe, averaged over the schedulers.
  double busy(Pipe pipe) const;
  /// The states of the warps so far, and the clocks in which at least one was resident.
  const WarpActivity& activity() const { return activity_; }

 private:
  /// Warps that wait for arrivals at a barrier object or a barrier of some warps.
  struct Meeting {
    std::uint32_t missing = 0;  ///< Arrivals.
    double time = 0;            ///< The last arrival so far.
    std::vector<Event> waiting;
  };
  struct Block {
    std::uint32_t alive = 0;    ///< Warps that have not ended.
    std::uint32_t arrived = 0;  ///< Warps at the barrier.
    std::vector<Event> waiting;
    std::vector<Meeting> meetings;
    std::vector<std::uint32_t> warps;  ///< Their places.
  };
  /// Copies of one kind that a warp has started.
  struct Copies {
    double done = 0;             ///< When all have arrived.
    std::vector<double> groups;  ///< The same, up to the end of each closed group.
  };
  struct Warp {
    const Step* step = nullptr;  ///< The current step of its program.
    const Step* end = nullptr;
    std::uint32_t slots = 0;  ///< Remaining issue slots of that step.
    std::uint32_t scheduler = 0;
    double span = 0;        ///< Clocks between two of its slots.
    double hold = 0;        ///< Clocks of the scheduler beyond each slot.
    double pipes_done = 0;  ///< Time when the pipes have done that step's part.
    double begun = 0;
    double rested = 0;  ///< In sleeps and fences.
    std::uint32_t program = 0;
    std::uint32_t block = 0;
    const BlockTrace* trace = nullptr;
    const TracedAccess* requests = nullptr;
    std::vector<double> answers;  ///< By request.
    double performed = 0;         ///< When all its accesses have been performed.
    std::array<Copies, static_cast<std::size_t>(TracedAccess::Copy::kCopies)> copies;
  };

  /// When the lines that the load finds in L1 arrive there; 0 if no warp has asked for them yet.
  double fetched(const Warp& warp, const TracedAccess& request) const;
  bool step(const Event& event);
  /// `warp` is in `state` for `clocks`, because of the step before its current one.
  void spend(const Warp& warp, WarpState state, double clocks) {
    activity_.clocks[static_cast<std::size_t>(state)] += clocks;
    if (recorder_ == nullptr) return;
    recorder_->add(warp.program, warp.step - 1, state, clocks);
    if (timeline_ == nullptr) return;
    const auto row = static_cast<std::size_t>(&warp - warps_.data());
    timeline_->add(row, state, clocks, (warp.step - 1)->parts);
  }
  void issue(Warp& warp, const Event& event);
  void meet(Warp& warp, const Event& event);
  void ask_here(Warp& warp, const Event& event);
  void wait_here(Warp& warp, const Event& event);
  double end_of_wait(Warp& warp, const TracedAccess& request, double now);
  double end_of_fence(const Warp& warp, const TracedAccess& request, double now);
  void arrive(Warp& warp, const TracedAccess& request, double now);
  void end(Meeting& meeting, double now);
  double lookup_clocks(const TracedAccess& request) const;
  double occupy_pipes(const Warp& warp, const Step& step, double now);
  void release(Block& block, double now);

  const device::Profile& profile_;
  double issue_clocks_;  ///< Clocks of a scheduler per slot.
  double shared_latency_;
  double l2_latency_;
  std::vector<Server> schedulers_;
  std::vector<double> held_;  ///< Clocks in which instructions hold each scheduler.
  std::array<std::vector<Server>, kPipes> pipes_;  ///< One per scheduler.
  Server barriers_;
  Server fences_;
  // Each warp is in one of three queues, because the order within each rarely changes: waiting to
  // issue, waiting for its requests to be accepted, waiting for memory (or its block's start).
  EventQueue issuing_;
  EventQueue asking_;
  EventQueue waiting_;
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  Numbers free_warps_;
  Numbers free_blocks_;
  WarpActivity activity_;
  WarpRecorder* recorder_ = nullptr;
  TimelineRecorder* timeline_ = nullptr;
  std::uint32_t live_blocks_ = 0;
  double active_since_ = 0;  ///< Set while `live_blocks_` is not 0.
};

}  // namespace warpgrade::timing

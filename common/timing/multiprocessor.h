// SPDX-License-Identifier: Apache-2.0
// One multiprocessor of the simulation of time: its warps and the queues that are its own.
//
// Most of what happens on it concerns no other: an instruction issues, a request goes to shared
// memory or hits L1, warps meet. So it runs ahead of the others, up to the first event that needs
// the chip: a request that goes further, or a warp's end. The simulation takes those in the order
// of the chip, and what comes of it is as if all events had been.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/event_queue.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// A resource that serves one request after the other.
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

/// Numbers from 0 on; those given back are taken again, the last one first.
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

/// Clocks throughout. An event's rank is the warp's number on the chip: what happens at one time
/// happens in that order.
class Multiprocessor {
 public:
  explicit Multiprocessor(const device::Profile& profile);

  /// Gives it a block, whose warps begin at `start`.
  void begin(const BlockTrace& block, const std::vector<WarpProgram>& programs, double start,
             Numbers& numbers);
  /// Takes the warps as far as they get without the chip. Returns the first event that needs it;
  /// its time is kNever where there is none. It must be served before the next call: by pass() and
  /// answer() where request() has one, else by end().
  Event run_ahead();
  /// The request that the warp makes of the memory; nullptr where it has come to its end.
  const TracedAccess* request(const Event& event) const;
  /// The first of that request's.
  const memory::Transaction* transactions(const Event& event) const;
  std::span<const BlockAtomicWork> atomic_works(const Event& event) const;
  /// Takes the request through the stages that every one passes; returns when it has.
  double pass(const Event& event);
  /// When the warp's request is answered.
  void answer(const Event& event, double time) { warps_[event.subject].answers.push_back(time); }
  /// Ends the warp; whether it was the block's last.
  bool end(const Event& event, Numbers& numbers);
  /// Parts of a warp, or threads that never come, can meet at barriers in ways that the trace does
  /// not tell: those that wait go on at `now`.
  void release_all(double now);

  Server memory;  ///< Every request passes it in order: the tag stage, or the shared memory.
  Server port;
  Server stored;       ///< The port of what is stored, where it is one of its own.
  double tags = 0;     ///< Clocks of `memory` for looking up lines ...
  double l1_data = 0;  ///< ... for their words, where L1's banks take longer ...
  double shared = 0;   ///< ... and for shared memory.
  const std::vector<Server>& schedulers() const { return schedulers_; }
  /// Clocks that the pipe has worked, the mean of the schedulers.
  double busy(Pipe pipe) const;

 private:
  struct Block {
    std::uint32_t alive = 0;    ///< Warps that have not ended.
    std::uint32_t arrived = 0;  ///< Warps of these at the barrier.
    std::vector<Event> waiting;
  };
  struct Warp {
    const Step* step = nullptr;  ///< The step of its program that it is at.
    const Step* end = nullptr;
    std::uint32_t slots = 0;  ///< Issue slots of that step that are left.
    std::uint32_t scheduler = 0;
    double span = 0;        ///< Clocks from one of its slots to the next.
    double pipes_done = 0;  ///< When the pipes have done that step's part.
    std::uint32_t block = 0;
    const BlockTrace* trace = nullptr;
    const TracedAccess* requests = nullptr;
    std::vector<double> answers;  ///< When each request is answered.
  };

  bool step(const Event& event);
  void issue(Warp& warp, const Event& event);
  void meet(Warp& warp, const Event& event);
  void ask_here(const Warp& warp, const Event& event);
  double lookup_clocks(const TracedAccess& request) const;
  double occupy_pipes(const Warp& warp, const Step& step, double now);
  void release(Block& block, double now);

  const device::Profile& profile_;
  double issue_clocks_;  ///< Clocks that a scheduler takes for one slot.
  double shared_latency_;
  std::vector<Server> schedulers_;
  std::array<std::vector<Server>, kPipes> pipes_;  ///< One a scheduler.
  Server barriers_;
  // Each warp waits in one of three queues, in each of which order hardly changes: for its turn to
  // issue, for its requests to be taken, for the memory's answers (and its block's start).
  EventQueue issuing_;
  EventQueue asking_;
  EventQueue waiting_;
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  Numbers free_warps_;
  Numbers free_blocks_;
};

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/multiprocessor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

template <typename T>
T& grown(std::vector<T>& all, std::uint32_t i) {
  if (i >= all.size()) all.resize(i + 1);
  return all[i];
}

WarpState state_of_wait(const TracedAccess& request) {
  switch (request.kind) {
    case TracedAccess::Kind::kShared:
    case TracedAccess::Kind::kConstant:
      return WarpState::kShortScoreboard;
    case TracedAccess::Kind::kSubroutine:
      return WarpState::kWait;
    case TracedAccess::Kind::kSleep:
      return WarpState::kSleeping;
    case TracedAccess::Kind::kFence:
      return WarpState::kMembar;
    case TracedAccess::Kind::kMeet:
      return WarpState::kBarrier;
    default:
      return WarpState::kLongScoreboard;
  }
}

bool leaves(const TracedAccess& request) {
  return request.transactions != 0 ||
         (request.kind != TracedAccess::Kind::kShared && request.sectors != 0);  // else L1 has it
}

}  // namespace

void WarpActivity::add(const WarpActivity& other, double times) {
  for (std::size_t i = 0; i < clocks.size(); ++i) clocks[i] += times * other.clocks[i];
  resident += times * other.resident;
  active += times * other.active;
  issued += times * other.issued;
  held += times * other.held;
}

Multiprocessor::Multiprocessor(const device::Profile& profile)
    : profile_(profile),
      issue_clocks_(profile.sm.schedulers / profile.sm.warp_instructions_per_clock),
      shared_latency_(profile.shared.latency_seconds * profile.sm.clock_hz),
      l2_latency_(profile.l2.latency_seconds * profile.sm.clock_hz),
      schedulers_(profile.sm.schedulers),
      held_(profile.sm.schedulers) {
  pipes_.fill(schedulers_);
}

void Multiprocessor::begin(const BlockTrace& trace, const std::vector<WarpProgram>& programs,
                           double start, Numbers& numbers) {
  if (live_blocks_++ == 0) active_since_ = start;
  const std::uint32_t b = free_blocks_.take();
  Block& block = grown(blocks_, b);
  block.alive = static_cast<std::uint32_t>(trace.warps.size());
  block.arrived = 0;
  block.waiting.clear();
  block.warps.clear();
  block.meetings.resize(trace.arrivals.size());
  for (std::size_t m = 0; m < block.meetings.size(); ++m) {
    block.meetings[m] = {trace.arrivals[m], 0, {}};
  }
  for (std::size_t w = 0; w < trace.warps.size(); ++w) {
    const std::uint32_t place = free_warps_.take();
    Warp& warp = grown(warps_, place);
    const WarpProgram& program = programs[trace.warps[w].program];
    warp.step = program.data();
    warp.end = program.data() + program.size();
    warp.slots = 0;
    warp.begun = start;
    warp.rested = 0;
    warp.program = trace.warps[w].program;
    // The warps of blocks with one or two spread over the schedulers, too.
    warp.scheduler = static_cast<std::uint32_t>((w + b * trace.warps.size()) % schedulers_.size());
    warp.block = b;
    warp.trace = &trace;
    warp.requests = trace.requests.data() + trace.warps[w].first_request;
    warp.answers.clear();
    block.warps.push_back(place);
    warp.performed = 0;
    for (Copies& copies : warp.copies) {
      copies.done = 0;
      copies.groups.clear();
    }
    if (timeline_ != nullptr) {
      timeline_->begin(place, {start, trace.linear, static_cast<std::uint32_t>(w)});
    }
    __builtin_prefetch(warp.requests);
    waiting_.push({start, numbers.take(), place});
  }
}

/// Issues one instruction, so that warps take turns.
inline void Multiprocessor::issue(Warp& warp, const Event& event) {
  --warp.slots;
  Server& scheduler = schedulers_[warp.scheduler];
  double& held = held_[warp.scheduler];
  const double issued = scheduler.serve(event.time, issue_clocks_);
  const double waited = issued - issue_clocks_ - event.time;
  const double by_others = waited * held / scheduler.busy;
  if (warp.hold != 0) {
    scheduler.serve(issued, warp.hold);
    held += warp.hold;
  }
  const double ready = std::max(issued, issued - issue_clocks_ + warp.span);
  const double next = warp.slots == 0 ? std::max(ready, warp.pipes_done) : ready;
  ++activity_.issued;
  activity_.held += by_others;
  spend(warp, WarpState::kNotSelected, waited - by_others);
  spend(warp, WarpState::kSelected, issue_clocks_);
  spend(warp, WarpState::kWait, ready - issued);
  spend(warp, WarpState::kMathPipeThrottle, next - ready + by_others);
  issuing_.push({next, event.rank, event.subject});
}

Event Multiprocessor::run_ahead() {
  while (true) {
    EventQueue& others = asking_.front().is_before(waiting_.front()) ? asking_ : waiting_;
    const Event other = others.front();
    Event event = issuing_.front();
    for (; event.is_before(other); event = issuing_.front()) {
      issuing_.pop();
      Warp& warp = warps_[event.subject];
      if (warp.slots == 0) break;
      issue(warp, event);
    }
    if (!event.is_before(other)) {
      event = other;
      if (event.time == Event::kNever) return event;
      others.pop();
    }
    if (!step(event)) return event;
  }
}

/// The time when the pipes of the warp's scheduler have done the step's part.
double Multiprocessor::occupy_pipes(const Warp& warp, const Step& step, double now) {
  double done = 0;
  for (std::size_t p = 0; p < kHeld; ++p) {
    if (step.pipes[p] != 0) {
      done = std::max(done, pipes_[p][warp.scheduler].serve(now, step.pipes[p]));
    }
  }
  return done;
}

/// Runs the warp until another warp must come in between, and sets the time of its next event.
/// Returns false if its next step needs the chip.
bool Multiprocessor::step(const Event& event) {
  Warp& warp = warps_[event.subject];
  for (; warp.step != warp.end; ++warp.step) {
    const Step& step = *warp.step;
    switch (step.kind) {
      case Step::Kind::kCompute:
        ++warp.step;
        if (step.slots == 0) {
          const double begun = schedulers_[warp.scheduler].serve(event.time, 0);
          spend(warp, WarpState::kWait, begun + step.value - event.time);
          issuing_.push({begun + step.value, event.rank, event.subject});
          return true;
        }
        warp.slots = step.slots;
        warp.span = 1.0 * step.value / step.slots;
        warp.hold = 1.0 * step.pipes[kHeld] / step.slots;
        warp.pipes_done = occupy_pipes(warp, step, event.time);
        issue(warp, event);
        return true;
      case Step::Kind::kRequest:
        if (leaves(warp.requests[step.value])) {
          __builtin_prefetch(transactions(event));  // needed at its turn
          return false;
        }
        ask_here(warp, event);
        return true;
      case Step::Kind::kWait:
        if (warp.answers[step.value] > event.time) {
          ++warp.step;
          spend(warp, state_of_wait(warp.requests[step.value]),
                warp.answers[step.value] - event.time);
          waiting_.push({warp.answers[step.value], event.rank, event.subject});
          return true;
        }
        break;
      case Step::Kind::kPass:
        memory.serve(event.time, step.value / profile_.shared.wavefronts_per_clock);
        shared += step.value / profile_.shared.wavefronts_per_clock;
        break;
      case Step::Kind::kWaitHere:
        break;  // never in a program
      case Step::Kind::kBarrier:
        ++warp.step;
        meet(warp, event);
        return true;
    }
  }
  return false;
}

double Multiprocessor::fetched(const Warp& warp, const TracedAccess& request) const {
  if (request.fetching_warp == TracedAccess::kNoFetch) return 0;
  const Warp& fetching = warps_[blocks_[warp.block].warps[request.fetching_warp]];
  // The place of a warp that has ended may have another one, of another block.
  const bool has_asked = fetching.block == warp.block && request.fetch < fetching.answers.size();
  return has_asked ? fetching.answers[request.fetch] : 0;
}

void Multiprocessor::answer(const Event& event, double time) {
  Warp& warp = warps_[event.subject];
  const TracedAccess& request = warp.requests[warp.answers.size()];
  time = std::max(time, fetched(warp, request));
  warp.answers.push_back(time);
  if (request.kind == TracedAccess::Kind::kLoad || request.kind == TracedAccess::Kind::kStore) {
    warp.performed = std::max(warp.performed, time + l2_latency_);
  } else if (request.kind == TracedAccess::Kind::kAtomic) {
    warp.performed = std::max(warp.performed, time);
  }
  if (request.copy == TracedAccess::Copy::kNone) return;
  Copies& copies = warp.copies[static_cast<std::size_t>(request.copy)];
  copies.done = std::max(copies.done, time);
}

/// Counts an arrival, which happens when the warp's copies of the request's kind are done.
void Multiprocessor::arrive(Warp& warp, const TracedAccess& request, double now) {
  Meeting& meeting = blocks_[warp.block].meetings[request.place];
  const double copied = warp.copies[static_cast<std::size_t>(request.copy)].done;
  meeting.time = std::max({meeting.time, now, copied});
  if (--meeting.missing == 0) end(meeting, meeting.time);
}

void Multiprocessor::end(Meeting& meeting, double now) {
  for (const Event& event : meeting.waiting) {
    spend(warps_[event.subject], WarpState::kBarrier, now + kArrivalClocks - event.time);
    waiting_.push({now + kArrivalClocks, event.rank, event.subject});
  }
  meeting.waiting.clear();
}

double Multiprocessor::end_of_fence(const Warp& warp, const TracedAccess& request, double now) {
  if (request.fence == FenceScope::kBlock) return now + kBlockFenceClocks;
  const bool is_system = request.fence == FenceScope::kSystem;
  const bool is_behind = warp.performed > now && !request.is_release;
  const double pass = is_system   ? kSystemFencePassClocks
                      : is_behind ? kFencePassAfterClocks
                                  : kFencePassClocks;
  return std::max({fences_.serve(now, pass),
                   now + (is_system ? kSystemFenceClocks : kDeviceFenceClocks),
                   warp.performed + kFenceAfterClocks});
}

/// The end of a wait that does not depend on other warps.
double Multiprocessor::end_of_wait(Warp& warp, const TracedAccess& request, double now) {
  Copies& copies = warp.copies[static_cast<std::size_t>(request.copy)];
  switch (request.kind) {
    case TracedAccess::Kind::kSubroutine:
      return std::max(now + request.place,
                      schedulers_[warp.scheduler].serve(
                          now, issue_clocks_ * request.place / kSubroutineClocksPerSlot));
    case TracedAccess::Kind::kSleep:
      return end_of_sleep(now / profile_.sm.clock_hz, request.place) * profile_.sm.clock_hz;
    case TracedAccess::Kind::kFence:
      return end_of_fence(warp, request, now);
    case TracedAccess::Kind::kCloseGroup:
      copies.groups.push_back(copies.done);
      return now;
    case TracedAccess::Kind::kAwaitGroups:
      if (copies.groups.size() <= request.place) return now;
      return std::max(now, copies.groups[copies.groups.size() - 1 - request.place]);
    case TracedAccess::Kind::kArrive:
      arrive(warp, request, now);
      return now;
    default:
      return now;
  }
}

/// Executes a request that waits, and does not leave the SM.
void Multiprocessor::wait_here(Warp& warp, const Event& event) {
  const TracedAccess& request = warp.requests[warp.step->value];
  ++warp.step;
  // An instruction that also accesses memory has its result when the access is answered.
  const double before = warp.answers.empty() ? 0 : warp.answers.back();
  if (request.kind == TracedAccess::Kind::kMeet) {
    answer(event, before);
    Meeting& meeting = blocks_[warp.block].meetings[request.place];
    if (meeting.missing != 0) {
      meeting.waiting.push_back(event);
    } else {
      const double end = std::max(event.time, meeting.time + kArrivalClocks);
      spend(warp, WarpState::kBarrier, end - event.time);
      waiting_.push({end, event.rank, event.subject});
    }
    return;
  }
  const double end = end_of_wait(warp, request, event.time);
  const bool rests =
      request.kind == TracedAccess::Kind::kSleep || request.kind == TracedAccess::Kind::kFence;
  if (rests) warp.rested += end - event.time;
  spend(warp, state_of_wait(request), end - event.time);
  answer(event, request.kind == TracedAccess::Kind::kArrive ? before : end);
  waiting_.push({end, event.rank, event.subject});
}

/// Serves a request that stays on the SM.
void Multiprocessor::ask_here(Warp& warp, const Event& event) {
  const TracedAccess& request = warp.requests[warp.step->value];
  if (request.kind == TracedAccess::Kind::kConstant) {
    ++warp.step;
    const double served = constants.serve(
        event.time, request.values * kConstantPassClocks + request.pages * kConstantFetchClocks);
    const double replayed =
        event.time + request.values * kConstantReplayClocks + request.lines * kConstantMissLatency;
    answer(event, std::max(served, replayed) + kConstantLatency);
    spend(warp, WarpState::kWait, issue_clocks_);
    asking_.push({event.time + issue_clocks_, event.rank, event.subject});
    return;
  }
  if (request.kind > TracedAccess::Kind::kConstant) return wait_here(warp, event);
  const double loop = request.rounds * profile_.shared.swap_round_clocks.value_or(0);
  const double values = request.values * profile_.sm.pipes.match_latency_clocks;
  const bool has_conflicts = request.rounds == 0 && !request.is_object;
  const double further = has_conflicts ? std::max(0, request.wavefronts - 1) : 0;
  const double conflicts = further * profile_.shared.conflict_clocks;
  const double latency = shared_latency_ + (request.is_remote ? kRemoteSharedClocks : 0);
  answer(event, std::max(pass(event) + latency + conflicts + values, event.time + loop));
  if (request.kind != TracedAccess::Kind::kShared) return;
  // On cc 1.x arithmetic reads shared memory; further passes issue it again.
  const double passes = request.wavefronts / profile_.shared.wavefronts_per_clock;
  if (profile_.rules.shared_banks == device::SharedBanks::kSixteenHalfWarp &&
      passes > issue_clocks_) {
    schedulers_[warp.scheduler].serve(event.time, passes - issue_clocks_);
  }
}

const TracedAccess* Multiprocessor::request(const Event& event) const {
  const Warp& warp = warps_[event.subject];
  return warp.step == warp.end ? nullptr : &warp.requests[warp.step->value];
}

const memory::Transaction* Multiprocessor::transactions(const Event& event) const {
  const auto& all = warps_[event.subject].trace->transactions;
  return all.empty() ? nullptr : all.data() + request(event)->first_transaction;
}

std::span<const BlockAtomicWork> Multiprocessor::atomic_works(const Event& event) const {
  const TracedAccess& asked = *request(event);
  return std::span(warps_[event.subject].trace->atomic_works)
      .subspan(asked.first_transaction, asked.atomic_works);
}

double Multiprocessor::lookup_clocks(const TracedAccess& request) const {
  if (request.tag_clocks != 0) return request.tag_clocks;
  return request.lines / profile_.l1.tag_lookups_per_clock;
}

void Multiprocessor::wait_for_room(const Event& event, double time) {
  spend(warps_[event.subject], WarpState::kLgThrottle, time - event.time);
}

double Multiprocessor::pass(const Event& event) {
  Warp& warp = warps_[event.subject];
  const TracedAccess& request = warp.requests[warp.step->value];
  ++warp.step;
  const double passes =
      (request.is_object ? kObjectClocks
                         : request.wavefronts / profile_.shared.wavefronts_per_clock) +
      request.values * profile_.sm.pipes.match_clocks.value_or(0);
  const double lookups = lookup_clocks(request);
  const double clocks = std::max(passes, lookups);
  const bool is_shared = request.kind == TracedAccess::Kind::kShared;
  (is_shared ? shared : passes > lookups ? l1_data : tags) += clocks;
  const double done = memory.serve(event.time, clocks);
  spend(warp, is_shared ? WarpState::kMioThrottle : WarpState::kLgThrottle,
        done - clocks - event.time);
  spend(warp, WarpState::kWait, issue_clocks_);
  asking_.push({done - clocks + issue_clocks_, event.rank, event.subject});
  return done;
}

double Multiprocessor::busy(Pipe pipe) const {
  double sum = 0;
  for (const Server& one : pipes_[pipe]) sum += one.busy;
  return sum / static_cast<double>(schedulers_.size());
}

void Multiprocessor::meet(Warp& warp, const Event& event) {
  Block& block = blocks_[warp.block];
  block.waiting.push_back(event);
  ++block.arrived;
  release(block, barriers_.serve(event.time, profile_.sm.barrier_clocks_per_warp));
}

void Multiprocessor::release(Block& block, double now) {
  if (block.arrived < block.alive || block.waiting.empty()) return;
  for (const Event& event : block.waiting) {
    spend(warps_[event.subject], WarpState::kBarrier,
          now + profile_.sm.barrier_clocks - event.time);
    issuing_.push({now + profile_.sm.barrier_clocks, event.rank, event.subject});
  }
  block.waiting.clear();
  block.arrived = 0;
}

void Multiprocessor::release_all(double now) {
  for (Block& block : blocks_) {
    block.arrived = block.alive;
    release(block, now);
    for (Meeting& meeting : block.meetings) end(meeting, now);
  }
}

bool Multiprocessor::end(const Event& event, Numbers& numbers) {
  const Warp& warp = warps_[event.subject];
  activity_.resident += event.time - warp.begun;
  const std::uint32_t b = warp.block;
  double& busiest = grown(busiest_warps, warp.program);
  busiest = std::max(busiest, event.time - warp.begun - warp.rested);
  free_warps_.give_back(event.subject);
  numbers.give_back(event.rank);
  if (--blocks_[b].alive != 0) {
    release(blocks_[b], event.time);
    return false;
  }
  free_blocks_.give_back(b);
  if (--live_blocks_ == 0) activity_.active += event.time - active_since_;
  return true;
}

}  // namespace warpgrade::timing

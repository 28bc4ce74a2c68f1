// SPDX-License-Identifier: Apache-2.0
#include "common/timing/simulation.h"

#include <algorithm>
#include <cmath>

#include "common/timing/event_queue.h"
#include "common/timing/partitions.h"

namespace warpgrade::timing {
namespace {

constexpr double kSectorBytes = 32;
// Instructions of a warp that issue in a row while others wait.
constexpr std::uint32_t kTurn = 1;
// How often a launch must fill its multiprocessors before it runs steadily.
constexpr std::size_t kUnsteadyRounds = 3;

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

/// How busy a resource has been of late: the average with weights that fade over kMemory.
class Load {
 public:
  /// Work of `clocks` that ends at `now`, which does not decrease; returns the load, 0 to 1.
  double add(double now, double clocks) {
    const double kept = std::exp(-(now - last_) / kMemory);
    load_ = std::min(1.0, load_ * kept + clocks / kMemory);
    last_ = now;
    return load_;
  }

 private:
  static constexpr double kMemory = 4000;  ///< Clocks: a few times the latency of DRAM.
  double last_ = 0;
  double load_ = 0;
};

struct Sm {
  std::vector<Server> schedulers;
  Server memory;  ///< Every request passes it in order: the tag stage, or the shared memory.
  Server port;
  Server barriers;
  double tags = 0;    ///< Clocks of `memory` for looking up lines ...
  double shared = 0;  ///< ... and for shared memory.
};

/// A resident block.
struct Resident {
  const BlockTrace* trace = nullptr;
  std::uint32_t sm = 0;
  std::uint32_t alive = 0;    ///< Warps that have not ended.
  std::uint32_t arrived = 0;  ///< Of those, at the barrier.
  std::vector<std::uint32_t> waiting;
};

struct Warp {
  std::uint32_t resident = 0;
  std::uint32_t scheduler = 0;
  std::uint32_t at = 0;      ///< Step of its program.
  std::uint32_t issued = 0;  ///< Slots of that step.
  const Program* program = nullptr;
  const Request* requests = nullptr;
  std::vector<double> answers;  ///< When each request is answered.
};

/// Clocks of the multiprocessors throughout.
class Simulation {
 public:
  Simulation(const device::Profile& profile, const Sample& sample, const Rates& rates,
             const Trace& trace)
      : profile_(profile),
        sample_(sample),
        rates_(rates),
        trace_(trace),
        clock_(profile.sm_clock_hz),
        issue_clocks_(profile.schedulers_per_sm / profile.warp_instructions_per_clock_per_sm),
        partitions_(profile),
        sms_(sample.sms) {
    for (Sm& sm : sms_) sm.schedulers.resize(profile.schedulers_per_sm);
    const double dram = profile.dram_bytes_per_second * profile.dram_efficiency / clock_;
    const auto per_sector = [&](double pages, double page_seconds) {
      const double beyond = pages == 0 ? 0 : pages - 1.0 / profile.dram_page_bytes;
      return kSectorBytes * (1 / dram + beyond * page_seconds * clock_) / sample.chip_share;
    };
    dram_clocks_per_read_ = per_sector(rates.pages.read, profile.dram_page_seconds);
    dram_clocks_per_write_ = per_sector(rates.pages.written, profile.dram_written_page_seconds);
    l2_atomic_clocks_ = per(profile.l2_atomic_sectors_per_second * sample.chip_share / clock_);
    dispatch_clocks_ = per(profile.blocks_per_second * sample.chip_share / clock_);
    l2_clocks_per_sector_ = per(profile.l2_sectors_per_clock * sample.chip_share);
    l2_partial_clocks_ = per(profile.l2_partial_writes_per_second * sample.chip_share / clock_);
  }

  Outcome run() {
    for (std::uint32_t round = 0; round < rates_.resident; ++round) {
      for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) dispatch(sm, 0);
    }
    while (next_block_ < trace_.blocks.size() || live_ != 0) {
      if (events_.empty()) break_deadlock();
      while (!events_.empty()) {
        const EventQueue::Event event = events_.top();
        step(event.warp, event.time);
      }
    }
    return outcome();
  }

 private:
  static double per(double rate) { return rate > 0 ? 1 / rate : 0; }

  void dispatch(std::uint32_t sm, double now) {
    if (next_block_ >= trace_.blocks.size()) return;
    const BlockTrace& block = trace_.blocks[next_block_++];
    dispatched_.push_back(now);
    const double start =
        dispatcher_.serve(now, dispatch_clocks_) + profile_.block_launch_seconds * clock_;
    std::uint32_t r = 0;
    if (free_residents_.empty()) {
      r = static_cast<std::uint32_t>(residents_.size());
      residents_.emplace_back();
    } else {
      r = free_residents_.back();
      free_residents_.pop_back();
    }
    Resident& resident = residents_[r];
    resident.trace = &block;
    resident.sm = sm;
    resident.alive = static_cast<std::uint32_t>(block.warps.size());
    resident.arrived = 0;
    resident.waiting.clear();
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      std::uint32_t at = 0;
      if (free_warps_.empty()) {
        at = static_cast<std::uint32_t>(warps_.size());
        warps_.emplace_back();
      } else {
        at = free_warps_.back();
        free_warps_.pop_back();
      }
      Warp& warp = warps_[at];
      warp.resident = r;
      warp.scheduler = static_cast<std::uint32_t>(w % profile_.schedulers_per_sm);
      warp.at = 0;
      warp.issued = 0;
      warp.program = &trace_.programs[block.warps[w].program];
      warp.requests = block.requests.data() + block.warps[w].first_request;
      warp.answers.clear();
      ++live_;
      events_.set(at, start);
    }
  }

  /// Takes the warp as far as it gets without other warps coming in between, and sets when it goes
  /// on.
  void step(std::uint32_t w, double now) {
    Warp& warp = warps_[w];
    Sm& sm = sms_[residents_[warp.resident].sm];
    while (warp.at < warp.program->size()) {
      const Step& step = (*warp.program)[warp.at];
      switch (step.kind) {
        case Step::Kind::kCompute: {
          return events_.set(w, compute(sm.schedulers[warp.scheduler], warp, step, now));
        }
        case Step::Kind::kRequest: {
          ++warp.at;
          return events_.set(w, request(sm, warp, warp.requests[step.value], now));
        }
        case Step::Kind::kWait:
          ++warp.at;
          if (warp.answers[step.value] > now) return events_.set(w, warp.answers[step.value]);
          break;
        case Step::Kind::kBarrier: {
          ++warp.at;
          Resident& resident = residents_[warp.resident];
          resident.waiting.push_back(w);
          ++resident.arrived;
          events_.set(w, EventQueue::kNever);
          release(resident, sm.barriers.serve(now, profile_.barrier_clocks_per_warp));
          return;
        }
      }
    }
    end(w, now);
  }

  /// Issues some of a step's instructions, so that warps take turns; returns when the next ones of
  /// the warp can follow.
  double compute(Server& scheduler, Warp& warp, const Step& step, double now) const {
    const std::uint32_t left = step.slots - warp.issued;
    const std::uint32_t slots = std::min(left, kTurn);
    const double issued = scheduler.serve(now, slots * issue_clocks_);
    const double begun = issued - slots * issue_clocks_;
    const double span = step.slots == 0 ? step.value : 1.0 * step.value * slots / step.slots;
    warp.issued += slots;
    if (warp.issued == step.slots) {
      warp.issued = 0;
      ++warp.at;
    }
    return std::max(issued, begun + span);
  }

  void release(Resident& resident, double now) {
    if (resident.arrived < resident.alive || resident.waiting.empty()) return;
    for (const std::uint32_t w : resident.waiting) {
      events_.set(w, now + profile_.barrier_clocks);
    }
    resident.waiting.clear();
    resident.arrived = 0;
  }

  /// Parts of a warp, or threads that never come, can meet at barriers in ways that the trace does
  /// not tell: those that wait go on.
  void break_deadlock() {
    for (Resident& resident : residents_) {
      resident.arrived = resident.alive;
      release(resident, end_);
    }
  }

  void end(std::uint32_t w, double now) {
    Resident& resident = residents_[warps_[w].resident];
    const std::uint32_t r = warps_[w].resident;
    events_.set(w, EventQueue::kNever);
    free_warps_.push_back(w);
    --live_;
    end_ = std::max(end_, now);
    if (--resident.alive != 0) return release(resident, now);
    free_residents_.push_back(r);
    dispatch(resident.sm, now);
  }

  /// Puts a request into its queues; returns when the warp can go on.
  double request(Sm& sm, Warp& warp, const Request& request, double now) {
    const double passes = request.passes / profile_.shared_passes_per_clock_per_sm;
    const double lookups = request.lines / profile_.tag_lookups_per_clock_per_sm;
    const double clocks = std::max(passes, lookups);
    const double done = sm.memory.serve(now, clocks);
    double answer = done + profile_.shared_latency_seconds * clock_;
    if (request.kind == Request::Kind::kShared) {
      sm.shared += passes;
      // On cc 1.x arithmetic reads shared memory: further passes issue it again.
      if (profile_.shared_banks == device::SharedBanks::kSixteenHalfWarp &&
          passes > issue_clocks_) {
        sm.schedulers[warp.scheduler].serve(now, passes - issue_clocks_);
      }
    } else {
      sm.tags += lookups;
      if (request.transactions != 0) {
        answer = uncached(sm, warp, request, done);
      } else if (request.sectors != 0) {  // else L1 has it
        answer = below_l1(sm, request, done);
      }
    }
    warp.answers.push_back(answer);
    return done - clocks + issue_clocks_;
  }

  double below_l1(Sm& sm, const Request& request, double now) {
    const double sectors = request.sectors;
    const bool is_load = request.kind == Request::Kind::kLoad;
    const double port =
        sm.port.serve(now, sectors * kSectorBytes / profile_.port_bytes_per_clock_per_sm);
    double done = l2_.serve(port, sectors * l2_clocks_per_sector_);
    if (!is_load && request.partial != 0) {
      done = l2_partial_.serve(done, request.partial * l2_partial_clocks_);
    }
    if (request.kind == Request::Kind::kAtomic) done = l2_.serve(done, sectors * l2_atomic_clocks_);
    double clocks = 0;
    if (request.kind != Request::Kind::kStore) {
      clocks += sectors * rates_.dram_read_share * dram_clocks_per_read_;
    }
    if (!is_load) clocks += sectors * rates_.dram_write_share * dram_clocks_per_write_;
    if (clocks > 0) done = dram_.serve(done, clocks);
    const double load = dram_load_.add(done, clocks);
    const double l2 = profile_.l2_latency_seconds;
    const double dram =
        profile_.dram_latency_seconds +
        load * (profile_.dram_loaded_latency_seconds - profile_.dram_latency_seconds);
    const double hit = 1 - std::min(1.0, rates_.dram_read_share);
    return done + (hit * l2 + (1 - hit) * dram) * clock_;
  }

  double uncached(Sm& sm, const Warp& warp, const Request& request, double now) {
    const auto& all = residents_[warp.resident].trace->transactions;
    double last = now;
    for (std::uint32_t i = 0; i < request.transactions; ++i) {
      const memory::Transaction& transaction = all[request.first_transaction + i];
      // A full partition holds up all that the multiprocessor sends: requests stay in order.
      const double room = partitions_.admission(now, transaction);
      sm.memory.free_at = std::max(sm.memory.free_at, room);
      const double port =
          sm.port.serve(room, transaction.bytes / profile_.port_bytes_per_clock_per_sm);
      const int times = request.kind == Request::Kind::kAtomic ? 2 : 1;  // a read and a write
      for (int t = 0; t < times; ++t) last = std::max(last, partitions_.serve(port, transaction));
    }
    return last + profile_.dram_latency_seconds * clock_;
  }

  /// The time of the blocks that were not traced, by the pace of those that replaced others.
  double extrapolated() const {
    const double left = sample_.blocks - static_cast<double>(dispatched_.size());
    if (left <= 0) return 0;
    const std::size_t fill = std::size_t{rates_.resident} * sms_.size();
    const std::size_t begin = kUnsteadyRounds * fill;
    if (dispatched_.size() < begin + fill + 1) {
      return end_ * left / static_cast<double>(dispatched_.size());
    }
    const std::size_t rounds = (dispatched_.size() - 1 - begin) / fill;
    const double span = dispatched_[begin + rounds * fill] - dispatched_[begin];
    return left * span / static_cast<double>(rounds * fill);
  }

  Outcome outcome() const {
    Outcome outcome;
    outcome.seconds = (end_ + extrapolated()) / clock_;
    const double traced = std::max(1.0, static_cast<double>(dispatched_.size()));
    const double scale = sample_.blocks / traced / clock_;
    const double sms = scale / static_cast<double>(sms_.size());
    for (const Sm& sm : sms_) {
      outcome.busy.port += sm.port.busy * sms;
      outcome.busy.tags += sm.tags * sms;
      outcome.busy.shared += sm.shared * sms;
      for (const Server& scheduler : sm.schedulers) {
        outcome.busy.issue += scheduler.busy * sms / profile_.schedulers_per_sm;
      }
    }
    outcome.busy.l2 = l2_.busy * scale;
    outcome.busy.l2_partial_writes = l2_partial_.busy * scale;
    outcome.busy.dram = (dram_.busy + partitions_.mean_busy()) * scale;
    outcome.busy.partition = partitions_.busiest() * scale;
    return outcome;
  }

  const device::Profile& profile_;
  const Sample& sample_;
  const Rates& rates_;
  const Trace& trace_;
  double clock_;
  double issue_clocks_;  ///< That a scheduler takes for one slot.
  double dram_clocks_per_read_ = 0;
  double dram_clocks_per_write_ = 0;
  double l2_atomic_clocks_ = 0;
  double dispatch_clocks_ = 0;
  double l2_clocks_per_sector_ = 0;
  double l2_partial_clocks_ = 0;
  Partitions partitions_;
  Server dispatcher_;
  Server l2_;
  Server l2_partial_;
  Server dram_;
  Load dram_load_;
  std::vector<Sm> sms_;
  std::vector<Resident> residents_;
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> free_residents_;
  std::vector<std::uint32_t> free_warps_;
  EventQueue events_;
  std::vector<double> dispatched_;  ///< When each block was.
  std::size_t next_block_ = 0;
  std::uint64_t live_ = 0;  ///< Warps.
  double end_ = 0;
};

}  // namespace

Outcome simulate(const device::Profile& profile, const Sample& sample, const Rates& rates,
                 const Trace& trace) {
  if (trace.blocks.empty()) return {};
  return Simulation(profile, sample, rates, trace).run();
}

}  // namespace warpgrade::timing

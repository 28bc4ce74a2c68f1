// SPDX-License-Identifier: Apache-2.0
#include "common/timing/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/memory/lines.h"
#include "common/timing/dram_demand.h"
#include "common/timing/machine_code.h"
#include "common/timing/multiprocessor.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

AnswerLatency::AnswerLatency(double l2, double dram, double loaded_dram, double tail)
    : l2_(l2), dram_(dram), more_under_load_(loaded_dram - dram), tail_(tail) {
  for (std::size_t n = 1; n <= kMostPages; ++n) {
    for (std::size_t q = 0; q < kQuantiles; ++q) {
      const double below = (static_cast<double>(q) + 0.5) / kQuantiles;
      largest_[n - 1][q] = -std::log(1 - std::pow(below, 1.0 / static_cast<double>(n)));
    }
  }
}

// Uniform in [0, 1) (SplitMix64).
double AnswerLatency::chance() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

double AnswerLatency::next(std::uint32_t pages, std::uint32_t place, double dram_share,
                           double together, double load) {
  if (dram_share <= 0 && together <= 0) return l2_;
  const std::uint32_t count = std::clamp<std::uint32_t>(pages, 1, kMostPages);
  double none = 1;  // the chance that L2 has all
  for (std::uint32_t i = 0; i < count; ++i) none *= 1 - dram_share;
  const double drawn = chance();
  if (drawn >= none) {
    const auto from_dram = std::clamp<std::uint32_t>(
        static_cast<std::uint32_t>(std::lround(count * dram_share)), 1, count);
    return of_dram(from_dram, place == 0 ? (drawn - none) / (1 - none) : place * 0x1p-32, load);
  }
  if (together <= 0 || chance() >= together) return l2_;
  const double fetch = of_dram(count, place == 0 ? drawn / none : place * 0x1p-32, load);
  // It asks at any moment of the others' fetches. The largest of n uniform numbers is u^(1/n).
  return l2_ + std::max(0.0, fetch - l2_) * std::pow(chance(), 1.0 / count);
}

double AnswerLatency::of_dram(std::uint32_t pages, double where, double load) const {
  const auto quantile = std::min(static_cast<std::size_t>(where * kQuantiles), kQuantiles - 1);
  return dram_ + load * more_under_load_ + tail_ * (largest_[pages - 1][quantile] - 1);
}

AtomicSharing::AtomicSharing(const Trace& trace, Place place, double row_blocks, double chip_share)
    : most_(1 / chip_share) {
  std::map<std::uint64_t, std::set<std::uint64_t>> places;  // by row
  for (const BlockTrace& block : trace.blocks) {
    auto& found =
        places[static_cast<std::uint64_t>(static_cast<double>(block.linear) / row_blocks)];
    for (const BlockAtomicWork& work : block.atomic_works) found.insert(work.*place);
  }
  rows_ = static_cast<double>(places.size());
  for (const auto& [row, found] : places) {
    for (const std::uint64_t used : found) ++rows_of_[used];
  }
}

double AtomicSharing::at(std::uint64_t place) const {
  const auto found = rows_of_.find(place);
  if (found == rows_of_.end()) return 1;
  const double rows = found->second;
  // Expected share of the other rows that use the place.
  const double others = rows_ < 2 ? 1 : (rows - 1) / (rows_ - 1);
  return (1 + others * (rows_ * most_ - 1)) / rows;
}

namespace {

/// Clocks over which the busiest partition is determined: the time of a few blocks.
constexpr double kSpan = 4096;

}  // namespace

Partitions::Partitions(const device::Profile& profile)
    : width_(std::max<std::uint64_t>(profile.dram.partition_width, 1)),
      count_(profile.dram.partitions.value_or(1)),
      partitions_(profile.dram.partitions.value_or(0)) {
  if (partitions_.empty()) return;
  const double rate = profile.dram.bytes_per_second * profile.dram.efficiency /
                      static_cast<double>(partitions_.size());
  clocks_per_byte_ = profile.sm.clock_hz / rate;
  page_clocks_ = profile.dram.page_seconds * profile.sm.clock_hz;
  queue_clocks_ = profile.dram.partition_queue_bytes * clocks_per_byte_;
  page_bytes_ = memory::Divisor(std::max(1U, profile.dram.page_bytes));
  banks_ = memory::Divisor(std::max<std::uint64_t>(profile.dram.banks, 1));
  for (Partition& partition : partitions_) partition.open.resize(profile.dram.banks);
}

double Partitions::admission(double arrival, const memory::Transaction& transaction) const {
  const Partition& partition = partitions_[count_.remainder(width_.quotient(transaction.address))];
  return std::max(arrival, partition.free_at - queue_clocks_);
}

double Partitions::serve(double arrival, const memory::Transaction& transaction) {
  const std::uint64_t piece = width_.quotient(transaction.address);
  Partition& partition = partitions_[count_.remainder(piece)];
  const std::uint64_t page = page_bytes_.quotient(count_.quotient(piece) * width_.value() +
                                                  width_.remainder(transaction.address));
  double service = transaction.bytes * clocks_per_byte_;
  if (!partition.open.empty()) {
    // Banks are hashed, because arrays at round addresses would otherwise share one bank.
    const std::uint64_t bank = banks_.remainder(page * 0x9e3779b97f4a7c15U >> 32);
    std::uint64_t& open = partition.open[bank];
    if (open != page + 1) service += page_clocks_;
    open = page + 1;
  }
  const double begin = std::max(arrival, partition.free_at);
  partition.free_at = begin + service;
  const auto span = static_cast<std::size_t>(begin / kSpan);
  if (partition.busy.size() <= span) partition.busy.resize(span + 1);
  partition.busy[span] += service;
  return partition.free_at;
}

double Partitions::mean_busy() const {
  double sum = 0;
  for (const Partition& partition : partitions_) {
    sum = std::accumulate(partition.busy.begin(), partition.busy.end(), sum);
  }
  return partitions_.empty() ? 0 : sum / static_cast<double>(partitions_.size());
}

double Partitions::busiest() const {
  std::vector<double> most;
  for (const Partition& partition : partitions_) {
    most.resize(std::max(most.size(), partition.busy.size()));
    for (std::size_t i = 0; i < partition.busy.size(); ++i) {
      most[i] = std::max(most[i], partition.busy[i]);
    }
  }
  return std::accumulate(most.begin(), most.end(), 0.0);
}

namespace {

using memory::kSectorBytes;
constexpr double kAnyRate = std::numeric_limits<double>::infinity();
// Each address has a home in one half of L2. Stores from the other half cross to it. Loads cross,
// too, if an earlier launch left the data in L2 and the half of the SM has no copy. The crossing
// limits both: on an H200, stores take 6.8 ps per sector; additions in place take 8.9 ps if 17 % of
// the loaded sectors cross (after loads), and 10.1 if 27 % do (after stores). Loads from DRAM
// cross, too, but then DRAM is the limit.
constexpr double kCrossing = 0.27;
// How often a launch must fill its SMs to reach a steady state.
constexpr std::size_t kUnsteadyRounds = 3;

/// Recent load of DRAM: an average with weights that fade over kMemory.
class Load {
 public:
  /// Adds work of `clocks` that ends at `now`, which does not decrease. Returns how busy DRAM's
  /// queue is, from 0 (idle) to 1 (saturated). With reads alone, the queue grows with the square of
  /// the load. It grows linearly if half of the work is writes, since every change of direction
  /// stalls all requests.
  double add(double now, double clocks, bool is_write) {
    const double kept = std::exp(-(now - last_) / kMemory);
    load_ = std::min(1.0, load_ * kept + clocks / kMemory);
    writes_ = std::min(load_, writes_ * kept + (is_write ? clocks / kMemory : 0));
    last_ = now;
    const double mixed = load_ == 0 ? 0 : std::min(1.0, 2 * writes_ / load_);
    return load_ * (load_ + (1 - load_) * mixed);
  }

 private:
  static constexpr double kMemory = 4000;  ///< Clocks: a few times the latency of DRAM.
  double last_ = 0;
  double load_ = 0;
  double writes_ = 0;
};

/// All times are SM clocks.
class Simulation {
 public:
  Simulation(const device::Profile& profile, const Sample& sample, const Rates& rates,
             const Trace& trace)
      : profile_(profile),
        sample_(sample),
        rates_(rates),
        trace_(trace),
        clock_(profile.sm.clock_hz),
        partitions_(profile),
        sms_(sample.sms, Multiprocessor(profile)) {
    const double dram = profile.dram.bytes_per_second * profile.dram.efficiency / clock_;
    const auto per_sector = [&](double pages, double page_seconds, double lone, double times) {
      const double beyond = pages == 0 ? 0 : pages - 1.0 / profile.dram.page_bytes;
      const double stream = (1 + lone * (times - 1)) / dram;
      return kSectorBytes * (stream + beyond * page_seconds * clock_) / sample.chip_share;
    };
    const PagesPerByte& pages = rates.pages;
    dram_clocks_per_read_ =
        per_sector(pages.read, profile.dram.page_seconds, pages.lone_read, profile.dram.lone_read);
    dram_clocks_per_write_ = per_sector(pages.written, profile.dram.written_page_seconds,
                                        pages.lone_written, profile.dram.lone_written);
    // A sector that is written in part is read first, on its own if it is written on its own.
    dram_clocks_per_fill_ = per_sector(pages.read, profile.dram.page_seconds, pages.lone_written,
                                       profile.dram.lone_read);
    dram_clocks_per_displaced_ = kSectorBytes / dram / sample.chip_share;
    const auto clocks_per = [&](std::optional<double> per_second) {  // 0: no limit
      return per_second ? per(*per_second * sample.chip_share / clock_) : 0;
    };
    l2_atomic_clocks_ = clocks_per(profile.l2.atomic_sectors_per_second);
    atomic_clocks_ = profile.l2.atomic_pass_seconds * clock_;
    atomic_float_clocks_ = std::max(profile.l2.atomic_float_again_seconds * clock_, atomic_clocks_);
    dispatch_clocks_ = clocks_per(profile.launch.blocks_per_second);
    l2_clocks_per_sector_ = per(profile.l2.sectors_per_clock.value_or(0) * sample.chip_share);
    l2_clocks_per_load_line_ = clocks_per(profile.l2.load_lines_per_second);
    l2_clocks_per_store_line_ = clocks_per(profile.l2.store_lines_per_second);
    l2_clocks_per_stored_sector_ = clocks_per(profile.l2.stored_sectors_per_second);
    l2_clocks_per_held_sector_ = kCrossing * clocks_per(profile.l2.crossing_sectors_per_second);
    l2_partial_clocks_ = clocks_per(profile.l2.partial_writes_per_second);
    if (trace.lines != nullptr) {
      recorder_.emplace(trace);
      timeline_.emplace(*trace.lines);
      for (Multiprocessor& sm : sms_) {
        sm.record(*recorder_, &sm == &sms_.front() ? &*timeline_ : nullptr);
      }
    }
  }

  SimulatedTime run() {
    for (std::uint32_t round = 0; round < rates_.resident; ++round) {
      for (Multiprocessor& sm : sms_) dispatch(sm, 0);
    }
    run_all_ahead();
    while (next_block_ < trace_.blocks.size() || live_ != 0) {
      if (turns_.empty()) break_deadlock();
      while (!turns_.empty()) {
        const Event turn = turns_.front();
        turns_.pop();
        if (put_off(turn.subject)) continue;
        take_turn(turn.subject);
        run_ahead(turn.subject);
      }
    }
    return outcome();
  }

 private:
  static double per(double rate) { return rate > 0 ? 1 / rate : 0; }

  void dispatch(Multiprocessor& sm, double now) {
    if (next_block_ >= trace_.blocks.size()) return;
    const BlockTrace& block = trace_.blocks[next_block_++];
    dispatched_.push_back(now);
    lived_since_ = 0;
    last_begun_ = now;
    const double start =
        dispatcher_.serve(now, dispatch_clocks_) + profile_.launch.block_seconds * clock_;
    sm.begin(block, trace_.programs, start, numbers_);
    live_ += block.warps.size();
    live_at_last_ = static_cast<double>(live_);
  }

  void run_ahead(std::uint32_t sm) {
    events_[sm] = sms_[sm].run_ahead();
    if (events_[sm].time != Event::kNever) {
      turns_.push({events_[sm].time, events_[sm].rank, sm});
    }
  }

  void run_all_ahead() {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) run_ahead(sm);
  }

  void break_deadlock() {
    for (Multiprocessor& sm : sms_) sm.release_all(end_);
    run_all_ahead();
  }

  // Postpones the request of an SM if the way to L2 is full. Returns whether it did.
  bool put_off(std::uint32_t s) {
    Event& event = events_[s];
    const double room = sms_[s].to_l2.room();
    if (event.time >= room || sms_[s].request(event) == nullptr) return false;
    sms_[s].wait_for_room(event, room);
    event.time = room;
    turns_.push({event.time, event.rank, s});
    return true;
  }

  void take_turn(std::uint32_t s) {
    Multiprocessor& sm = sms_[s];
    const Event& event = events_[s];
    const TracedAccess* request = sm.request(event);
    if (request == nullptr) return end(sm, event);
    const memory::Transaction* transactions = sm.transactions(event);
    const auto works =
        request->atomic_works != 0 ? sm.atomic_works(event) : std::span<const BlockAtomicWork>();
    const double done = sm.pass(event);
    const double answered = request->transactions != 0
                                ? uncached(sm, *request, transactions, done)
                                : below_l1(sm, *request, works, event.time, done);
    if (request->kind == TracedAccess::Kind::kLoad && first_loads_[s] == 0) {
      first_loads_[s] = answered - event.time;
    }
    sm.answer(event, answered);
  }

  void end(Multiprocessor& sm, const Event& event) {
    --live_;
    end_ = std::max(end_, event.time);
    lived_since_ += event.time - last_begun_;
    if (sm.end(event, numbers_)) dispatch(sm, event.time);
  }

  // Requests come here in the order of their turns, but some arrive at the server much later. Such
  // a request is served early, so that it does not hold up the requests that arrive before it.
  static double serve(Server& server, double turn, double arrival, double clocks) {
    constexpr double kAhead = 64;
    return std::max(arrival + clocks, server.serve(std::min(arrival, turn + kAhead), clocks));
  }

  // Passes the SM's port and L2, which looks up lines and moves sectors.
  double ask_l2(Multiprocessor& sm, const TracedAccess& request, double turn, double now) {
    const double sectors = request.sectors;
    const double lines = std::min<double>(request.lines, sectors);  // L1 has the others
    const double moving = sectors * kSectorBytes / profile_.sm.port_bytes_per_clock;
    const bool is_store = request.kind == TracedAccess::Kind::kStore;
    const double asking =
        is_store ? 0 : lines / profile_.sm.port_lines_per_clock.value_or(kAnyRate);
    const double port = sm.port.serve(now, std::max(moving, asking));
    // The rate of atomics, if given, covers all their work in L2.
    const bool is_atomic = request.kind == TracedAccess::Kind::kAtomic;
    const double line_clocks = is_atomic && l2_atomic_clocks_ > 0 ? 0 : l2_clocks_per_load_line_;
    const double returned = request.returns ? profile_.l2.atomic_returned : 1;
    const double sector_clocks = is_atomic
                                     ? std::max(l2_atomic_clocks_ * returned, l2_clocks_per_sector_)
                                     : l2_clocks_per_sector_;
    return serve(l2_, turn, port, std::max(sectors * sector_clocks, lines * line_clocks));
  }

  double store_to_l2(Multiprocessor& sm, const TracedAccess& request, double turn, double now) {
    if (l2_clocks_per_stored_sector_ == 0) return ask_l2(sm, request, turn, now);
    const double sectors = request.sectors;
    const double port =
        sm.stored.serve(now, sectors * kSectorBytes / *profile_.sm.port_stored_bytes_per_clock);
    const double lines = std::min<double>(request.lines, sectors);  // stores before sent the others
    const double with_masks = sectors + std::min<double>(lines, request.partial);
    const double clocks =
        std::max(with_masks * l2_clocks_per_stored_sector_, lines * l2_clocks_per_store_line_);
    return serve(l2_stores_, turn, port, clocks);
  }

  struct AtomicTimes {
    double accepted = 0;  ///< When the last unit begins.
    double done = 0;
  };

  /// Each unit does its part of an atomic, in order. A sum of floats must be ready before the next
  /// number is added to its sector. Meanwhile the unit may work on other sectors, but a number for
  /// this one blocks those behind it.
  AtomicTimes do_atomic(std::span<const BlockAtomicWork> works, double now) {
    double accepted = now;
    double last = now;
    for (const BlockAtomicWork& work : works) {
      const std::size_t number = work.piece % atomic_units_.size();
      const double own = work.passes + work.again;
      recent_[next_recent_++ % kRecent] = number;
      // The SMs that are not simulated use the same units at other times.
      const double others = own * (of_pieces_.at(work.piece) - 1) * atomic_clocks_;
      const std::size_t count = others > 0 ? std::min(next_recent_, kRecent) : 0;
      for (std::size_t i = 0; i < count; ++i) {
        atomic_units_[recent_[i]].serve(now, others / static_cast<double>(count));
      }
      Server& unit = atomic_units_[number];
      const double begin = std::max(now, unit.free_at);
      if (work.sector == 0) {
        accepted = std::max(accepted, begin);
        last = std::max(last, unit.serve(now, own * atomic_clocks_));
        continue;
      }
      double& ready = float_ready_[work.sector];
      accepted = std::max({accepted, begin, ready});
      unit.serve(now, std::max(0.0, ready - begin) + own * atomic_clocks_);
      ready = std::max(ready, begin) + own * of_sectors_.at(work.sector) * atomic_float_clocks_;
      last = std::max(last, ready);
    }
    return {accepted, last};
  }

  double below_l1(Multiprocessor& sm, const TracedAccess& request,
                  std::span<const BlockAtomicWork> works, double turn, double now) {
    const double sectors = request.sectors;
    const bool is_load = request.kind == TracedAccess::Kind::kLoad;
    double done = request.kind == TracedAccess::Kind::kStore ? store_to_l2(sm, request, turn, now)
                                                             : ask_l2(sm, request, turn, now);
    if (!is_load && request.partial != 0) {
      done = l2_partial_.serve(done, request.partial * l2_partial_clocks_);
    }
    const double in_l2 = done;
    if (request.kind == TracedAccess::Kind::kStore)
      sm.to_l2.add(std::max(turn, l2_stores_.free_at));
    const BufferRates& rates = rates_of(request);
    double clocks = sectors * rates_.displaced * dram_clocks_per_displaced_;
    double from_dram = 0;
    if (request.kind != TracedAccess::Kind::kStore) {
      const double fresh = sectors - request.reused - request.lost;
      const double lost = request.lost * rates.lost;
      const double missed = fresh * missed_share(request, rates.read);
      const double held = fresh * rates.held * l2_clocks_per_held_sector_;
      if (held > 0) done = l2_stores_.serve(done, held);
      clocks += (missed * std::max(1.0, rates.read) + lost) * dram_clocks_per_read_;
      from_dram = (missed + lost) / std::max(sectors, 1.0);
    }
    if (!is_load) {
      const double fresh = sectors - request.reused;
      clocks +=
          (fresh * rates.written + request.reused * rates.rewritten) * dram_clocks_per_write_ +
          fresh * rates.filled * dram_clocks_per_fill_;
    }
    if (clocks > 0) done = serve(dram_, turn, done, clocks);
    const double queue = dram_load_.add(done, clocks, !is_load);
    if (request.kind == TracedAccess::Kind::kStore) return in_l2;  // DRAM's part is not awaited
    double extra = 0;
    if (request.kind == TracedAccess::Kind::kAtomic) {
      const AtomicTimes atomic = do_atomic(works, in_l2);
      sm.to_l2.add(atomic.accepted);
      done = std::max(done, atomic.done);
      extra =
          atomic_clocks_ > 0 ? (kAtomicLatencies - 1) * profile_.l2.latency_seconds * clock_ : 0;
    }
    if (is_load) done = std::max(done, sm.to_l2.last());
    const auto pages = request.pages != 0 ? request.pages : request.lines;
    const auto parts = std::min<std::uint32_t>(pages, request.sectors);
    const bool is_fresh = is_load && request.sectors > request.reused + request.lost;
    const double together = is_fresh ? rates.together : 0;
    return done + extra + latency_.next(parts, request.place, from_dram, together, queue);
  }

  /// The part of the request's fresh sectors that L2 does not have, if it has 1 - `read` of its
  /// block's. Concurrent blocks load the same sectors, so another block has usually loaded already
  /// what a block loads last.
  static double missed_share(const TracedAccess& request, double read) {
    const double all = double{request.fresh_end} - request.fresh_begin;
    if (read >= 1 || all <= 0) return std::min(1.0, read);
    return std::clamp((read - request.fresh_begin) / all, 0.0, 1.0);
  }

  const BufferRates& rates_of(const TracedAccess& request) const {
    if (request.buffer == TracedAccess::kLocal) return rates_.local;
    return request.buffer < rates_.buffers.size() ? rates_.buffers[request.buffer] : any_buffer_;
  }

  double uncached(Multiprocessor& sm, const TracedAccess& request,
                  const memory::Transaction* transactions, double now) {
    double last = now;
    for (std::uint32_t i = 0; i < request.transactions; ++i) {
      const memory::Transaction& transaction = transactions[i];
      // A full partition blocks all requests of the SM, because they stay in order.
      const double room = partitions_.admission(now, transaction);
      sm.memory.free_at = std::max(sm.memory.free_at, room);
      const double port = sm.port.serve(room, transaction.bytes / profile_.sm.port_bytes_per_clock);
      const int times = request.kind == TracedAccess::Kind::kAtomic ? 2 : 1;  // a read and a write
      for (int t = 0; t < times; ++t) last = std::max(last, partitions_.serve(port, transaction));
    }
    return last + profile_.dram.latency_seconds * clock_;
  }

  /// The time of the blocks that were not traced, from the pace of blocks that replaced others.
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

  SimulatedTime outcome() const {
    SimulatedTime outcome;
    outcome.seconds = (end_ + extrapolated()) / clock_;
    outcome.first_loads = std::accumulate(first_loads_.begin(), first_loads_.end(), 0.0) / clock_ /
                          static_cast<double>(sms_.size());
    if (live_at_last_ > 0) {
      outcome.tail = std::max(0.0, end_ - last_begun_ - lived_since_ / live_at_last_) / clock_;
    }
    outcome.warp_seconds.resize(trace_.programs.size());
    const double traced = std::max(1.0, static_cast<double>(dispatched_.size()));
    const double scale = sample_.blocks / traced / clock_;
    const double sms = scale / static_cast<double>(sms_.size());
    const double part = sample_.blocks / sample_.chip_share / traced / profile_.sm.count;
    for (const Multiprocessor& sm : sms_) {
      outcome.busy.port += std::max(sm.port.busy, sm.stored.busy) * sms;
      for (std::size_t p = 0; p < sm.busiest_warps.size(); ++p) {
        double& seconds = outcome.warp_seconds[p];
        seconds = std::max(seconds, sm.busiest_warps[p] / clock_);
      }
      outcome.busy.tags += sm.tags * sms;
      outcome.busy.l1_data += sm.l1_data * sms;
      outcome.busy.shared += sm.shared * sms;
      outcome.busy.constants += sm.constants.busy * sms;
      for (std::size_t p = 0; p < kPipes; ++p) {
        outcome.busy.pipes[p] += sm.busy(static_cast<Pipe>(p)) * sms;
      }
      outcome.activity.add(sm.activity(), part);
      for (const Server& scheduler : sm.schedulers()) {
        outcome.busy.issue += scheduler.busy * sms / profile_.sm.schedulers;
      }
    }
    if (recorder_) outcome.lines = recorder_->lines(part);
    if (timeline_) outcome.timeline = timeline_->timeline(outcome.seconds * clock_);
    outcome.busy.l2 = l2_.busy * scale;
    outcome.busy.l2_stores = l2_stores_.busy * scale;
    for (const Server& unit : atomic_units_) {
      outcome.busy.atomic_unit = std::max(outcome.busy.atomic_unit, unit.busy * scale);
    }
    outcome.busy.l2_partial_writes = l2_partial_.busy * scale;
    outcome.busy.dram = (dram_.busy + partitions_.mean_busy()) * scale;
    outcome.busy.partition = partitions_.busiest() * scale;
    // Stores may still be in flight when the last warp has ended; no warp waits for them.
    const Busy& busy = outcome.busy;
    const double blocks_seconds = outcome.seconds;
    outcome.seconds =
        std::max({outcome.seconds, busy.l2, busy.l2_stores, busy.dram, busy.atomic_unit});
    if (blocks_seconds > 0) {
      // On a card the blocks last until then, since stores that no queue has room for hold them up.
      const double longer = outcome.seconds / blocks_seconds;
      outcome.activity.active *= longer;
      outcome.activity.resident *= longer;
    }
    return outcome;
  }

  const device::Profile& profile_;
  const Sample& sample_;
  const Rates& rates_;
  const Trace& trace_;
  double clock_;
  double dram_clocks_per_read_ = 0;
  double dram_clocks_per_write_ = 0;
  double dram_clocks_per_fill_ = 0;
  double dram_clocks_per_displaced_ = 0;
  double l2_atomic_clocks_ = 0;
  double atomic_clocks_ = 0;
  double atomic_float_clocks_ = 0;
  double dispatch_clocks_ = 0;
  double l2_clocks_per_sector_ = 0;
  double l2_clocks_per_load_line_ = 0;
  double l2_clocks_per_store_line_ = 0;
  double l2_clocks_per_stored_sector_ = 0;
  double l2_clocks_per_held_sector_ = 0;
  double l2_partial_clocks_ = 0;
  Partitions partitions_;
  Server dispatcher_;
  Server l2_;
  Server l2_stores_;
  Server l2_partial_;
  AtomicSharing of_pieces_{trace_, &BlockAtomicWork::piece, sample_.sms / sample_.chip_share,
                           sample_.chip_share};
  AtomicSharing of_sectors_{trace_, &BlockAtomicWork::sector, sample_.sms / sample_.chip_share,
                            sample_.chip_share};
  std::vector<Server> atomic_units_ = std::vector<Server>(profile_.l2.atomic_units.value_or(0));
  static constexpr std::size_t kRecent = 32;
  std::array<std::size_t, kRecent> recent_{};  ///< The units that atomics used last.
  std::size_t next_recent_ = 0;
  std::unordered_map<std::uint64_t, double> float_ready_;  ///< By sector.
  Server dram_;
  Load dram_load_;
  BufferRates any_buffer_{
      .read = rates_.dram_read_share, .lost = 1, .written = rates_.dram_write_share};
  AnswerLatency latency_{
      profile_.l2.latency_seconds * clock_, profile_.dram.latency_seconds* clock_,
      profile_.dram.loaded_latency_seconds* clock_, profile_.dram.latency_tail_seconds* clock_};
  std::vector<Multiprocessor> sms_;
  std::vector<Event> events_ = std::vector<Event>(sms_.size());  ///< The next event of each SM that
                                                                 ///< needs the chip.
  EventQueue turns_;                ///< The same in order; the subject is the SM.
  Numbers numbers_;                 ///< Numbers of warps.
  std::vector<double> dispatched_;  ///< Start time of each block.
  std::size_t next_block_ = 0;
  std::uint64_t live_ = 0;                                              ///< Warps.
  std::vector<double> first_loads_ = std::vector<double>(sms_.size());  ///< Clocks, by SM.
  // The block that began last, the warps alive then, and the sum of their clocks since.
  double last_begun_ = 0;
  double live_at_last_ = 0;
  double lived_since_ = 0;
  double end_ = 0;
  std::optional<WarpRecorder> recorder_;  ///< If the trace has lines.
  std::optional<TimelineRecorder> timeline_;
};

}  // namespace

SimulatedTime simulate(const device::Profile& profile, const Sample& sample, const Rates& rates,
                       const Trace& trace) {
  if (trace.blocks.empty()) return {};
  return Simulation(profile, sample, rates, trace).run();
}

}  // namespace warpgrade::timing

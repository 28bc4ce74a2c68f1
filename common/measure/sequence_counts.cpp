// SPDX-License-Identifier: Apache-2.0
#include "common/measure/sequence_counts.h"

#include <algorithm>
#include <utility>

#include "common/measure/model_launch.h"
#include "common/sim/cluster.h"
#include "common/timing/machine_accesses.h"
#include "common/timing/waits.h"

namespace warpgrade::measure {
namespace {

double times(double all, double again) { return all > again ? all / (all - again) : 1; }

// Sets the bytes that DRAM moves: the footprint times the transfers per byte of a sample, because
// L2 evicts some bytes early.
void set_dram(const device::Profile& profile, const memory::Traffic& footprint,
              const timing::DramTraffic& sampled, memory::Totals& totals) {
  const double read =
      static_cast<double>(footprint.dram_read_bytes) * times(sampled.read, sampled.read_again);
  const double written =
      static_cast<double>(footprint.dirty_bytes) * times(sampled.written, sampled.written_again);
  totals.set_dram(
      static_cast<std::uint64_t>(read + sampled.filled) + profile.launch.dram_read_bytes,
      static_cast<std::uint64_t>(std::max(0.0, written - timing::l2_dirty(profile))));
}

// All blocks are counted, so a kernel gains nothing by knowing the draw.
constexpr std::uint64_t kDraw = 1;

// Warp instructions: tracing this many costs a tenth of a second and 40 MB.
constexpr std::uint64_t kMostTraced = std::uint64_t{1} << 20;

}  // namespace

SequenceCounts::SequenceCounts(const device::Profile& profile, const compile::Program& program,
                               const std::vector<run::Buffer>& buffers, Timing timing)
    : profile_(profile), program_(program), timing_(timing), time_(profile) {
  for (const auto& buffer : buffers) buffer_bytes_.push_back(buffer.bytes.size());
}

void SequenceCounts::begin(const ptx::Function& function, const run::Launch& launch,
                           run::Options& options) {
  const auto occupancy = occupancy_of(profile_, kernel_of(program_, launch), launch);
  occupancy_ = occupancy;
  launch_ = launch;
  if (!has_begun_) sum_.occupancy = occupancy;
  has_begun_ = true;
  blocks_ = base::volume(launch.grid);
  auto accesses = timing::machine_accesses(function, profile_, program_.machine_code);
  options.observers.push_back(&counters_.emplace(profile_, accesses));
  options.multiprocessors = profile_.sm.count;
  options.independent_lanes = profile_.has_independent_lanes();
  if (timing_ == Timing::kNone) return;
  const bool has_turns = timing_ == Timing::kTurns || timing_ == Timing::kTurnsBySample;
  if (has_turns) {
    options.turns = timing::turns_of(profile_, occupancy, paces_.at(sum_.launch_seconds.size()));
  }
  auto timed =
      timing_ == Timing::kBySample || timing_ == Timing::kTurnsBySample
          ? timed_blocks(profile_, occupancy, function, launch, kDraw)
          : TimedBlocks{timing_ == Timing::kThird ? timing::third_of_chip(profile_, blocks_)
                                                  : timing::whole_launch(profile_, blocks_),
                        {}};
  if (timing_ != Timing::kBySample) timed.executed = {{0, blocks_}};
  observation_.emplace(profile_, occupancy, std::move(timed.sample), std::move(timed.executed),
                       program_.machine_code, std::move(accesses));
  observation_->attach_beside_counters(options, blocks_);
}

void SequenceCounts::end(const ptx::Function& function, const run::Result& result) {
  counters_->add_spills(result.instructions);
  memory::Totals totals(*counters_, function, result);
  const auto traffic = counters_->traffic();
  memory::add_lines(memory::by_line(*counters_, function), sum_.lines);
  memory::add_instructions(memory::instructions_by_line(function, result), sum_.instruction_lines);
  instructions_ += run::warp_instructions(result);
  if (timing_ != Timing::kNone) {
    auto time = observation_->estimate(result, *counters_, blocks_, buffer_bytes_, time_.place());
    const auto needs =
        timing::turn_needs(function, launch_, result, observation_->trace(), time.is_even);
    if (timing_ == Timing::kBySample) {
      paces_.push_back(timing::pace_of(function, result, 1, time));
    }
    const bool has_turns = !launch_.cooperative && !sim::cluster_of(function, launch_);
    if (has_turns) {
      needs_.waits |= needs.waits;
      needs_.queue |= needs.queue;
      timing::add_waits(profile_, function, result, 1, time);
      waits_ += result.waits;
      has_failed_ = has_failed_ || !result.diagnostics.empty();
    } else if (needs.waits) {
      time.unmodelled.add(timing::Unmodelled::kWaitsBetweenBlocks);
    }
    is_even_ = is_even_ && time.is_even;
    if (time.dram != timing::DramTraffic()) set_dram(profile_, traffic, time.dram, totals);
    sum_.launch_seconds.push_back(time_.add(time));
  }
  totals_ += totals;
  sum_.bytes += traffic.bytes_read + traffic.bytes_written;
}

bool SequenceCounts::has_shown_turns(const SequenceCounts& first) const {
  return !has_failed_ && (waits_ != 0 || first.needs_.queue);
}

Timing SequenceCounts::better_timing() const {
  if (timing_ == Timing::kBySample && needs_.any()) {
    return instructions_ > kMostTraced ? Timing::kTurnsBySample : Timing::kTurns;
  }
  if (timing_ != Timing::kBySample || is_even_ || instructions_ > kMostTracedForAll) {
    return Timing::kNone;
  }
  return instructions_ > kMostTraced ? Timing::kThird : Timing::kWhole;
}

void SequenceCounts::put_into(Measurement& measured) const {
  measured.occupancy = sum_.occupancy;
  measured.metrics = totals_.metrics();
  measured.lines = sum_.lines;
  measured.instruction_lines = sum_.instruction_lines;
  measured.bytes = sum_.bytes;
  measured.launch_seconds = sum_.launch_seconds;
  auto time = time_.total();
  measured.seconds = time.seconds;
  measured.bound_by = time.bound_by;
  measured.shares = std::move(time.shares);
  measured.skew = time.skew;
  measured.unmodelled = time.unmodelled;
}

}  // namespace warpgrade::measure

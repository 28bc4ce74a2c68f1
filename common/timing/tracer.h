// SPDX-License-Identifier: Apache-2.0
// Records the blocks of a sample for the simulation of time, and estimates the time from the
// record.
//
// Observation holds all that the time model observes during a launch: the selected blocks, the
// observers for them, and the estimate. The estimate is the same whether other blocks are
// executed, too, or not. The traffic of a request follows the profile's memory rules, like
// Counters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/machine_access.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/timing/bound.h"
#include "common/timing/dram_demand.h"
#include "common/timing/model.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"
#include "common/timing/waits.h"

namespace warpgrade::timing {

class Tracer final : public run::Observer {
 public:
  /// All must outlive the tracer and its forks. `machine_code` is a cubin, or empty.
  /// With `resident` blocks per SM, the trace knows what they find in L1 of each other's loads.
  Tracer(const device::Profile& profile, const Sample& sample,
         std::span<const char> machine_code = {}, bool follows_lines = false,
         std::uint32_t resident = 0);
  ~Tracer() override;

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  /// Prepares for the launch only if the block is one of the sample.
  void on_launch_beside(const run::LaunchContext& context, run::Observer& /*first*/) override {
    deferred_ = &context;
  }
  void on_block_begin(std::uint64_t linear_block) override;
  bool wants_instructions() const override;
  std::uint64_t on_instruction(std::uint32_t warp, std::uint32_t instruction) override;
  void on_match(std::uint32_t warp, std::uint32_t instruction, std::uint32_t values) override;
  void on_sleep(std::uint32_t warp, std::uint32_t instruction, std::uint32_t nanoseconds) override;
  void on_rare_operands(std::uint32_t warp, std::uint32_t instruction,
                        run::RareOperands rare) override;
  void on_memory(const run::MemoryEvent& event) override {
    if (!event.is_bulk) add(event);
  }
  void on_barrier(const run::BarrierEvent& event) override;
  void on_order(const run::OrderEvent& event) override;
  void on_copy(const run::CopyEvent& event) override;
  /// Adds a bulk copy as requests of its warp. The copy engine works beside the load and store
  /// units and keeps no warp busy. If those units are the bottleneck, the modelled time is too
  /// long.
  void on_bulk(const run::BulkEvent& event) override;
  void on_block_end() override;

  /// After the launch.
  const Trace& trace() const { return *shared_trace(); }
  std::shared_ptr<const Trace> shared_trace() const;

 private:
  void add(const run::MemoryEvent& event, TracedAccess::Copy copy = TracedAccess::Copy::kNone);

  struct State;
  std::unique_ptr<State> state_;
  const run::LaunchContext* deferred_ = nullptr;
};

class Observation {
 public:
  /// Traces `sample` and counts the blocks in `counted`, which contain it. `profile` and
  /// `machine_code`, a cubin if available, must outlive this; `accesses` are the machine_accesses()
  /// of the launch's function for this code. With `follows_lines`, the estimate has the lines.
  Observation(const device::Profile& profile, const Occupancy& occupancy, Sample sample,
              std::vector<run::BlockRange> counted, std::span<const char> machine_code = {},
              memory::MachineAccesses accesses = {}, bool follows_lines = false)
      : profile_(profile),
        occupancy_(occupancy),
        sample_(std::move(sample)),
        tracer_(profile, sample_, machine_code, follows_lines, occupancy.blocks_per_sm),
        locality_(profile, sample_.neighbours, sample_.next_row),
        counters_(profile, std::move(counted), std::move(accesses)) {}
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  void attach(run::Options& options) {
    attach_tracer(options);
    options.observers.push_back(&counters_);
  }
  /// For a caller that counts all `blocks` blocks of the launch: adds counters only if fewer blocks
  /// are to be counted here.
  void attach_beside_counters(run::Options& options, std::uint64_t blocks) {
    attach_tracer(options);
    if (counters_.blocks() != blocks) options.observers.push_back(&counters_);
  }
  /// After a launch of the counted blocks, which gave `result`. `buffer_bytes` has the sizes of its
  /// buffers (empty: unknown).
  TimeEstimate estimate(const run::Result& result, const std::vector<std::uint64_t>& buffer_bytes,
                        LaunchPlace place = LaunchPlace::kFirst) const {
    return estimate(result, counters_.counters(), counters_.blocks(), buffer_bytes, place);
  }
  /// The same after a launch of `blocks` blocks, all of which `counters` has counted. `held` as in
  /// dram_demand().
  TimeEstimate estimate(const run::Result& result, const memory::Counters& counters,
                        std::uint64_t blocks, const std::vector<std::uint64_t>& buffer_bytes,
                        LaunchPlace place, const std::vector<double>& held = {}) const {
    const auto& counted = counters_.blocks() == blocks ? counters : counters_.counters();
    return held_to(result, counters, blocks, time_of_traced(counted, buffer_bytes, place, held));
  }
  /// The same after a second launch, which gave `result`, of `blocks` other blocks of the grid,
  /// counted by `counters`. They determine the work of a mean block.
  TimeEstimate estimate_by_others(const run::Result& result, const memory::Counters& counters,
                                  std::uint64_t blocks,
                                  const std::vector<std::uint64_t>& buffer_bytes) const {
    return held_to(result, counters, blocks,
                   time_of_traced(counters_.counters(), buffer_bytes, LaunchPlace::kFirst, {}));
  }
  const Trace& trace() const { return tracer_.trace(); }

 private:
  /// Blocks at the edges of a matrix, or the last blocks of a sum, may differ from the mean.
  static constexpr double kMostUneven = 1.25;

  TimeEstimate time_of_traced(const memory::Counters& counted,
                              const std::vector<std::uint64_t>& buffer_bytes, LaunchPlace place,
                              const std::vector<double>& held) const {
    auto found = timing::estimate(profile_, sample_, tracer_.shared_trace(), locality_, counted,
                                  {counters_.blocks(), buffer_bytes, held}, occupancy_, place);
    barriers_.add_time(profile_, occupancy_.blocks_per_sm, found);
    return found;
  }

  // A kernel must not gain by knowing the sample: if the traced blocks do less than the mean, the
  // time is scaled up.
  TimeEstimate held_to(const run::Result& result, const memory::Counters& counters,
                       std::uint64_t blocks, TimeEstimate found) const {
    const double times = sample_bias(tracer_.trace(), counters, result, blocks);
    const double longest = long_block(tracer_.trace(), counters_.most_requests());
    found.is_even = times <= kMostUneven && longest == 1 && is_even(tracer_.trace());
    if (times > kMostUneven) lengthen(found, times);
    if (longest > 1) add_long_block(longest, found);
    return found;
  }

  // A block that no trace has may run on after all others, but takes no longer for its work than
  // blocks that run beside others.
  void add_long_block(double times, TimeEstimate& found) const {
    const double resident = static_cast<double>(occupancy_.blocks_per_sm) * sample_.sms;
    const double of_all = std::min(1.0, resident / std::max(sample_.blocks, 1.0));
    found.unmodelled.add(Unmodelled::kLongBlock, found.seconds * of_all * (times - 1));
  }

  void attach_tracer(run::Options& options) {
    options.multiprocessors = profile_.sm.count;
    options.observers.push_back(&tracer_);
    options.observers.push_back(&locality_);
    options.observers.push_back(&barriers_);
  }

  const device::Profile& profile_;
  Occupancy occupancy_;
  Sample sample_;
  Tracer tracer_;
  DramPageLocality locality_;
  WideBarriers barriers_;
  SampleCounters counters_;
};

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample_counters.h"

#include <utility>

#include "common/run/block_ranges.h"

namespace warpgrade::timing {

SampleCounters::SampleCounters(const device::Profile& profile, std::vector<run::BlockRange> ranges,
                               memory::MachineAccesses machine)
    : ranges_(std::move(ranges)), counters_(profile, std::move(machine)) {}

std::unique_ptr<run::Observer> SampleCounters::fork() const {
  return std::make_unique<SampleCounters>(counters_.profile(), ranges_, counters_.machine());
}

void SampleCounters::join(run::Observer& other) {
  counters_.join(dynamic_cast<SampleCounters&>(other).counters_);
}

void SampleCounters::on_launch(const run::LaunchContext& context) { counters_.on_launch(context); }

void SampleCounters::on_launch_beside(const run::LaunchContext& context, run::Observer& first) {
  counters_.on_launch_beside(context, dynamic_cast<SampleCounters&>(first).counters_);
}

void SampleCounters::on_block_begin(std::uint64_t linear_block) {
  is_counted_ = run::contains(ranges_, linear_block);
  if (is_counted_) counters_.on_block_begin(linear_block);
}

void SampleCounters::on_memory(const run::MemoryEvent& event) {
  if (is_counted_) counters_.on_memory(event);
}

void SampleCounters::on_bulk(const run::BulkEvent& event) {
  if (is_counted_) counters_.on_bulk(event);
}

std::uint64_t SampleCounters::blocks() const { return run::block_count(ranges_); }

}  // namespace warpgrade::timing

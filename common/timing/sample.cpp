// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

// Enough for blocks to drift apart as on a whole chip; not a divisor of usual grid widths.
constexpr std::uint32_t kSampledSms = 4;
// A third of fewer busy SMs does not represent them.
constexpr std::uint32_t kFewestForThird = 18;
// How often the sampled SMs are filled: once to start, then in a steady state.
constexpr std::uint64_t kRounds = 10;
// Blocks that are in the same phase at the same time. Twice as many give the same errors.
constexpr std::uint64_t kNeighbours = 32;
constexpr std::uint64_t kWindows = 3;
constexpr std::uint64_t kRoundsPerWindow = 4;
constexpr std::uint64_t kLast = 8;

/// Neighbours in the middle of the grid, from a power of two on, because rows begin there.
run::BlockRange middle(std::uint64_t blocks) {
  const std::uint64_t begin = blocks < 2 * kNeighbours ? 0 : std::bit_floor(blocks / 2);
  return {begin, std::min(begin + kNeighbours, blocks)};
}

Sample few_sms(const device::Profile& profile, std::uint64_t resident, std::uint64_t blocks) {
  const std::uint64_t busy = std::min<std::uint64_t>(profile.sm.count, blocks);
  const std::uint64_t sms = std::min<std::uint64_t>(kSampledSms, busy);
  Sample sample;
  sample.sms = static_cast<std::uint32_t>(sms);
  sample.chip_share = static_cast<double>(sms) / static_cast<double>(busy);
  const std::uint64_t rows = (blocks + busy - 1) / busy;  // a row has one block per SM
  const std::uint64_t traced = std::min(rows, kRounds * resident + 1);
  // The last row need not have a block for each SM, so they get their part of it.
  const auto present = [&](std::uint64_t row) { return std::min(busy, blocks - row * busy); };
  const auto part_of = [&](std::uint64_t row) {
    return std::max<std::uint64_t>((present(row) * sms + busy / 2) / busy, 1);
  };
  sample.blocks = static_cast<double>((rows - 1) * sms + part_of(rows - 1));
  sample.neighbours = middle(blocks);
  // Blocks at the same place of each row could be those of a diagonal of a picture.
  constexpr double kGoldenRatio = 0.6180339887498949;
  for (std::uint64_t i = 0; i < traced; ++i) {
    const std::uint64_t row = i * rows / traced;
    const std::uint64_t count = part_of(row);
    const std::uint64_t places = present(row) / count;
    const double turn = static_cast<double>(i) * kGoldenRatio;
    const auto place =
        static_cast<std::uint64_t>((turn - std::floor(turn)) * static_cast<double>(places));
    const std::uint64_t begin = row * busy + place * count;
    sample.ranges.push_back({begin, begin + count});
  }
  return sample;
}

Sample windows(const device::Profile& profile, std::uint64_t resident, std::uint64_t blocks) {
  Sample sample = whole_launch(profile, blocks);
  const std::uint64_t size = kRoundsPerWindow * resident * profile.sm.count;
  if (blocks <= kWindows * size) return sample;
  sample.ranges.clear();
  for (std::uint64_t w = 0; w < kWindows; ++w) {
    const std::uint64_t begin = (blocks - size) * w / (kWindows - 1);
    sample.ranges.push_back({begin, begin + size});
  }
  return sample;
}

}  // namespace

bool Sample::contains(std::uint64_t linear) const { return run::contains(ranges, linear); }

void Sample::draw(std::uint64_t count, std::uint64_t number, std::uint64_t grid_blocks) {
  std::mt19937_64 random(number);
  for (std::uint64_t i = 0; i < count && grid_blocks != 0; ++i) {
    const auto block = random() % grid_blocks;
    drawn.push_back({block, block + 1});
  }
  drawn.push_back({grid_blocks - std::min(grid_blocks, kLast), grid_blocks});
}

std::vector<run::BlockRange> Sample::executed() const {
  auto all = ranges;
  all.insert(all.end(), drawn.begin(), drawn.end());
  for (const run::BlockRange& range : {neighbours, next_row}) {
    if (range.end > range.begin) all.push_back(range);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::vector<run::BlockRange> merged;
  for (const run::BlockRange& range : all) {
    if (merged.empty() || range.begin > merged.back().end) {
      merged.push_back(range);
    } else {
      merged.back().end = std::max(merged.back().end, range.end);
    }
  }
  return merged;
}

Sample whole_launch(const device::Profile& profile, std::uint64_t blocks) {
  Sample sample;
  sample.sms = profile.sm.count;
  sample.blocks = static_cast<double>(blocks);
  sample.ranges.push_back({0, blocks});
  if (!profile.dram.partitions) sample.neighbours = middle(blocks);
  return sample;
}

Sample third_of_chip(const device::Profile& profile, std::uint64_t blocks) {
  const std::uint64_t busy = std::min<std::uint64_t>(profile.sm.count, blocks);
  Sample sample = whole_launch(profile, blocks);
  if (profile.dram.partitions || busy < kFewestForThird) return sample;
  sample.sms = static_cast<std::uint32_t>(busy / 3);
  sample.chip_share = static_cast<double>(sample.sms) / static_cast<double>(busy);
  sample.ranges.clear();
  std::uint64_t all = 0;
  for (std::uint64_t begin = 0; begin < blocks; begin += busy) {
    sample.ranges.push_back({begin, std::min(begin + sample.sms, blocks)});
    all += sample.ranges.back().end - begin;
  }
  sample.blocks = static_cast<double>(all);
  return sample;
}

Sample choose_sample(const device::Profile& profile, std::uint32_t resident, std::uint64_t blocks,
                     std::uint64_t row) {
  const std::uint64_t fit = std::max(resident, 1U);
  if (profile.dram.partitions) return windows(profile, fit, blocks);
  Sample sample = few_sms(profile, fit, blocks);
  const auto [begin, end] = sample.neighbours;
  if (row != 0 && begin + row < blocks) {
    sample.next_row = {begin + row, std::min(end + row, blocks)};
  }
  return sample;
}

SampleCounters::SampleCounters(const device::Profile& profile, std::vector<run::BlockRange> ranges,
                               memory::MachineAccesses machine)
    : ranges_(std::move(ranges)), counters_(profile, std::move(machine)) {}

std::unique_ptr<run::Observer> SampleCounters::fork() const {
  return std::make_unique<SampleCounters>(counters_.profile(), ranges_, counters_.machine());
}

void SampleCounters::join(run::Observer& other) {
  auto& theirs = dynamic_cast<SampleCounters&>(other);
  counters_.join(theirs.counters_);
  most_requests_ = std::max(most_requests_, theirs.most_requests_);
}

void SampleCounters::on_launch(const run::LaunchContext& context) {
  counters_.on_launch(context);
  most_requests_ = 0;
}

void SampleCounters::on_launch_beside(const run::LaunchContext& context, run::Observer& first) {
  counters_.on_launch_beside(context, dynamic_cast<SampleCounters&>(first).counters_);
}

void SampleCounters::on_block_begin(std::uint64_t linear_block) {
  is_counted_ = run::contains(ranges_, linear_block);
  if (is_counted_) counters_.on_block_begin(linear_block);
  requests_ = 0;
}

void SampleCounters::on_block_end() { most_requests_ = std::max(most_requests_, requests_); }

void SampleCounters::on_memory(const run::MemoryEvent& event) {
  if (!is_counted_) return;
  counters_.on_memory(event);
  ++requests_;
}

void SampleCounters::on_bulk(const run::BulkEvent& event) {
  if (is_counted_) counters_.on_bulk(event);
}

std::uint64_t SampleCounters::blocks() const { return run::block_count(ranges_); }

namespace {

using run::Operation;
using run::Space;

constexpr double kLongest = 4;  // Relative to the mean block.

struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t sectors = 0;
  std::uint64_t wavefronts = 0;
};

Work work_of_block(const BlockTrace& block) {
  Work work;
  work.instructions = block.instructions;
  for (const TracedAccess& request : block.requests) {
    if (request.buffer == TracedAccess::kLocal) continue;
    const bool is_shared = request.kind == TracedAccess::Kind::kShared;
    (is_shared ? work.wavefronts : work.sectors) +=
        is_shared ? request.wavefronts : static_cast<std::uint64_t>(request.sectors + request.more);
  }
  return work;
}

Work traced(const Trace& trace) {
  Work sum;
  for (const BlockTrace& block : trace.blocks) {
    const Work work = work_of_block(block);
    sum.instructions += work.instructions;
    sum.sectors += work.sectors;
    sum.wavefronts += work.wavefronts;
  }
  return sum;
}

Work executed(const memory::Counters& counters, const run::Result& result) {
  Work work;
  work.instructions = run::warp_instructions(result);
  work.sectors = counters.missed_load_sectors();
  for (const auto operation : {Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    work.sectors += counters.total(Space::kGlobal, operation).sectors;
  }
  for (const auto operation :
       {Operation::kLoad, Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    work.wavefronts += counters.total(Space::kShared, operation).wavefronts;
  }
  return work;
}

}  // namespace

double sample_bias(const Trace& trace, const memory::Counters& counters, const run::Result& result,
                   std::uint64_t blocks) {
  if (trace.blocks.empty() || blocks == 0) return 1;
  const Work part = traced(trace);
  const Work all = executed(counters, result);
  const double share = static_cast<double>(trace.blocks.size()) / static_cast<double>(blocks);
  const auto times = [&](std::uint64_t of_all, std::uint64_t of_part) {
    const auto whole = static_cast<double>(of_all);
    return whole * share / static_cast<double>(std::max<std::uint64_t>(of_part, 1));
  };
  return std::max({1.0, times(all.instructions, part.instructions),
                   times(all.sectors, part.sectors), times(all.wavefronts, part.wavefronts)});
}

// Blocks at an edge whose lanes part make up to five times the requests of others, and no trace
// may have one of them.
constexpr double kLongBlock = 6;

double long_block(const Trace& trace, std::uint64_t requests) {
  std::size_t most = 1;
  for (const BlockTrace& block : trace.blocks) most = std::max(most, block.requests.size());
  const double times = static_cast<double>(requests) / static_cast<double>(most);
  return times >= kLongBlock ? times : 1;
}

bool is_even(const Trace& trace) {
  const auto blocks = static_cast<double>(trace.blocks.size());
  const Work all = traced(trace);
  // Relative to the mean block.
  const auto times = [&](std::uint64_t of_block, std::uint64_t of_all) {
    return of_all == 0 ? 1 : static_cast<double>(of_block) * blocks / static_cast<double>(of_all);
  };
  double odd = 0;
  for (const BlockTrace& block : trace.blocks) {
    const double instructions = times(block.instructions, all.instructions);
    const double sectors = times(work_of_block(block).sectors, all.sectors);
    if (std::max(instructions, sectors) >= kLongest) return false;
    if (instructions < 0.5 || instructions > 2) ++odd;
  }
  return odd <= blocks / 4;
}

}  // namespace warpgrade::timing

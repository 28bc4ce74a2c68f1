// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample.h"

#include <algorithm>
#include <bit>
#include <random>

#include "common/run/block_ranges.h"

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
  std::uint64_t all = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    all += std::min(sms, blocks - row * busy);
  }
  sample.blocks = static_cast<double>(all);
  sample.neighbours = middle(blocks);
  for (std::uint64_t i = 0; i < traced; ++i) {
    const std::uint64_t begin = i * rows / traced * busy;
    sample.ranges.push_back({begin, std::min(begin + sms, blocks)});
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

}  // namespace warpgrade::timing

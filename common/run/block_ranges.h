// SPDX-License-Identifier: Apache-2.0
// Ranges of blocks that are ascending and disjoint.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "common/run/runner.h"

namespace warpgrade::run {

inline bool contains(const std::vector<BlockRange>& ranges, std::uint64_t block) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), block,
                       [](std::uint64_t b, const BlockRange& range) { return b < range.begin; });
  return behind != ranges.begin() && block < std::prev(behind)->end;
}

inline std::uint64_t block_count(const std::vector<BlockRange>& ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::uint64_t{0},
      [](std::uint64_t sum, const BlockRange& range) { return sum + range.end - range.begin; });
}

}  // namespace warpgrade::run

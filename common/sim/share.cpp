// SPDX-License-Identifier: Apache-2.0
#include "common/sim/share.h"

#include <algorithm>

#include "common/base/error.h"

namespace warpgrade::sim {

BlockList::BlockList(const std::vector<run::BlockRange>& ranges, std::uint64_t blocks)
    : ranges_(ranges) {
  if (ranges_.empty()) ranges_.push_back({0, blocks});
  std::uint64_t last = 0;
  for (const auto& [begin, end] : ranges_) {
    if (begin < last || end <= begin || end > blocks) {
      throw base::UsageError("the blocks to execute are not ascending ranges of the grid's");
    }
    last = end;
    ends_.push_back(count() + end - begin);
  }
}

std::uint64_t BlockList::at(std::uint64_t place) const {
  const auto i = std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin();
  return ranges_[static_cast<std::size_t>(i)].end - (ends_[static_cast<std::size_t>(i)] - place);
}

void Share::run(const BlockList& list, const BlockOrder& order, std::uint64_t launch_budget,
                Progress& progress) {
  auto& first_fault = progress.first_fault;
  try {
    block.prepare();
    for (auto position = begin; position < end; ++position) {
      if (position > first_fault.load(std::memory_order_relaxed)) return;
      block.run(list.at(order(position)));
      const auto used = block.used();
      const auto all = progress.used.fetch_add(used) + used;
      if (!block.diagnostic) {
        if (all > launch_budget) return;
        continue;
      }
      auto known = first_fault.load();
      while (position < known && !first_fault.compare_exchange_weak(known, position)) {
      }
      return;
    }
  } catch (...) {
    failure = std::current_exception();
  }
}

}  // namespace warpgrade::sim

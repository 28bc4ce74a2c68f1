// SPDX-License-Identifier: Apache-2.0
#include "common/timing/l2_contents.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/footprint.h"
#include "common/memory/l1_cache.h"
#include "common/memory/lines.h"

namespace warpgrade::timing {

L2Contents::L2Contents(const device::Profile& profile,
                       const std::vector<std::uint64_t>& buffer_bytes)
    : reach_(memory::l2_reach(profile) / memory::kSectorBytes),
      capacity_(static_cast<double>(profile.l2.bytes.value_or(0)) / memory::kSectorBytes) {
  for (const auto bytes : buffer_bytes) {
    const double sectors = std::ceil(static_cast<double>(bytes) / memory::kSectorBytes);
    buffers_.push_back({sectors, 0, std::vector<double>(buffer_bytes.size())});
  }
}

double L2Contents::most_used(const memory::BufferCounters& used, std::size_t b) const {
  const auto sectors = static_cast<double>(used.read.sectors + used.written.sectors);
  return std::min(sectors, buffers_[b].sectors);
}

double L2Contents::kept(double used) const {
  if (used <= reach_) return 1;
  return used < capacity_ ? (capacity_ - used) / (capacity_ - reach_) : 0;
}

std::vector<double> L2Contents::held(const std::vector<memory::BufferCounters>& next) const {
  std::vector<double> out(buffers_.size());
  for (std::size_t b = 0; b < std::min(next.size(), buffers_.size()); ++b) {
    const Buffer& buffer = buffers_[b];
    const auto loaded = static_cast<double>(next[b].read.sectors);
    if (buffer.left == 0 || loaded == 0) continue;
    double used = 0;
    for (std::size_t other = 0; other < buffers_.size(); ++other) {
      used +=
          std::min(buffer.since[other] + most_used(next[other], other), buffers_[other].sectors);
    }
    const double common = buffer.left + loaded - buffer.sectors;
    out[b] = kept(used) * std::clamp(common / loaded, 0.0, 1.0);
  }
  return out;
}

void L2Contents::add(const std::vector<memory::BufferCounters>& launch) {
  if (launch.size() != buffers_.size()) return;
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    Buffer& buffer = buffers_[b];
    const auto used = std::max(launch[b].read.sectors, launch[b].written.sectors);
    if (used != 0) {
      buffer.left = static_cast<double>(used);
      std::ranges::fill(buffer.since, 0.0);
    }
    for (std::size_t other = 0; other < buffers_.size(); ++other) {
      buffer.since[other] =
          std::min(buffer.since[other] + most_used(launch[other], other), buffers_[other].sectors);
    }
  }
}

}  // namespace warpgrade::timing

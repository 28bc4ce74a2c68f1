// SPDX-License-Identifier: Apache-2.0
#include "common/timing/spills.h"

#include <algorithm>

namespace warpgrade::timing {
namespace {

constexpr double kSpillSectorBytes = 32;
constexpr std::uint32_t kLaneBytes = 4;  // of a line's 128
// Line numbers of spills: above those of all addresses, with more per warp than its stack needs.
constexpr std::uint64_t kFirstSpillLine = std::uint64_t{1} << 60;
constexpr std::uint64_t kLinesOfWarp = std::uint64_t{1} << 24;

}  // namespace

RecordedAccess spill_request(const SpillAccess& spill, std::uint32_t warp,
                             std::vector<TouchedLine>& touched) {
  constexpr std::uint32_t kAllSectors = 0xf;
  const std::uint32_t lines = std::max<std::uint32_t>(spill.bytes / kLaneBytes, 1);
  RecordedAccess out;
  out.access.kind = spill.is_store ? TracedAccess::Kind::kStore : TracedAccess::Kind::kLoad;
  out.access.buffer = TracedAccess::kSpills;
  out.access.lines = static_cast<std::uint16_t>(lines);
  out.access.wavefronts = out.access.lines;
  out.access.sectors = static_cast<std::uint16_t>(4 * lines);
  out.first_line = static_cast<std::uint32_t>(touched.size());
  out.lines = lines;
  out.is_in_l1 = true;
  const auto first = kFirstSpillLine + kLinesOfWarp * warp +
                     static_cast<std::uint32_t>(spill.offset) % kLinesOfWarp / kLaneBytes;
  for (std::uint32_t i = 0; i < lines; ++i) touched.push_back({first + i, kAllSectors});
  return out;
}

BufferRates spill_rates(const device::Profile& profile, const Trace& trace, double blocks) {
  double sectors = 0;
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) sectors += request.sectors;
  }
  const double traced = std::max(1.0, static_cast<double>(trace.blocks.size()));
  const double bytes = kSpillSectorBytes * sectors / traced * blocks;
  const double kept = bytes > 0 ? std::min(1.0, l2_dirty(profile) / bytes) : 1;
  return {.read = 0, .lost = 1, .written = 1 - kept, .filled = 0};
}

void add_spills(const Trace& trace, const BufferRates& rates, double blocks, DramTraffic& traffic) {
  const double each = kSpillSectorBytes * blocks / static_cast<double>(trace.blocks.size());
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) {
      if (request.buffer != TracedAccess::kSpills) continue;
      if (request.kind == TracedAccess::Kind::kLoad) {
        traffic.read += each * request.lost * rates.lost;
        traffic.read_again += each * request.lost * rates.lost;
      } else {
        traffic.written += each * (request.sectors - request.reused) * rates.written;
      }
    }
  }
}

}  // namespace warpgrade::timing

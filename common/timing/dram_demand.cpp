// SPDX-License-Identifier: Apache-2.0
#include "common/timing/dram_demand.h"

#include <algorithm>

namespace warpgrade::timing {
namespace {

constexpr double kDemandSectorBytes = 32;
constexpr double kMostAlone = 0.5;

double part_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Demand {
 public:
  Demand(const device::Profile& profile, double share)
      : l2_bytes_(static_cast<double>(profile.l2_bytes)),
        by_granules_(profile.l2_fetch_bytes == 64),
        share_(share) {}

  // Sectors of `extent` as DRAM moves them, for each that is touched.
  double moved(const memory::Extent& extent) const {
    return by_granules_ ? 2 * part_of(extent.granules, extent.sectors) : 1;
  }

  // The chance that what was used before is still in L2.
  double hit(double buffer_bytes, std::uint64_t window) const {
    if (static_cast<double>(window) <= l2_bytes_ / 2) return 1;
    return std::min(1.0, l2_bytes_ / buffer_bytes);
  }

  // Sectors, of those that the whole launch asks for, that DRAM moves once and again.
  struct Moves {
    double once = 0;
    double again = 0;
  };
  Moves moves(double sectors_asked, double buffer_bytes, double chance_of_hit) const {
    const double all = sectors_asked / share_;
    const double once = std::min(all, buffer_bytes / kDemandSectorBytes);
    return {once, (all - once) * (1 - chance_of_hit)};
  }

  double share() const { return share_; }

 private:
  double l2_bytes_;
  bool by_granules_;
  double share_;
};

// The part of written sectors that are partly written, where `bytes` of them are: lone words of 4
// bytes make all of them so.
double partial_share(double bytes, double sectors) {
  if (sectors == 0) return 0;
  return std::clamp((1 - bytes / (kDemandSectorBytes * sectors)) * 8 / 7, 0.0, 1.0);
}

}  // namespace

DramDemand dram_demand(const device::Profile& profile,
                       const std::vector<memory::BufferCounters>& buffers,
                       const std::vector<std::uint64_t>& buffer_bytes,
                       const DramPageLocality& locality, double share) {
  const Demand demand(profile, share);
  const double lone_written = locality.pages_per_byte().lone_written;
  DramDemand out;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& buffer = buffers[i];
    const auto bytes = static_cast<double>(buffer_bytes.at(i));
    const auto window = locality.window(buffer.base, buffer.base + buffer_bytes.at(i));
    const auto loads =
        demand.moves(static_cast<double>(buffer.read.sectors) * demand.moved(buffer.read), bytes,
                     demand.hit(bytes, window.read));
    out.read += loads.once + loads.again;

    const double hit = demand.hit(bytes, window.written);
    const auto written = static_cast<double>(buffer.written.sectors);
    // Where most granules lie alone, each leaves L2 by itself; else neighbours complete it there.
    const double moved = lone_written > kMostAlone ? demand.moved(buffer.written) : 1;
    const auto stores = demand.moves(written * moved, bytes, hit);
    out.written += stores.once + stores.again;
    // What neighbours complete soon leaves L2 as the launch leaves it.
    const auto bytes_written = static_cast<double>(buffer.written.bytes);
    const auto final_sectors = demand.moves(written, bytes, 1).once;
    const double final_bytes = std::min(bytes_written / share, bytes);
    const double partial = hit * partial_share(final_bytes, final_sectors) +
                           (1 - hit) * partial_share(bytes_written, written);
    out.read += partial * (stores.once + stores.again);
  }
  out.read *= share;
  out.written *= share;
  return out;
}

}  // namespace warpgrade::timing

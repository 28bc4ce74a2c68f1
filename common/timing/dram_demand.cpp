// SPDX-License-Identifier: Apache-2.0
#include "common/timing/dram_demand.h"

#include <algorithm>
#include <cmath>

#include "common/memory/block_l1.h"

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
      : reach_(memory::l2_reach(profile)),
        dirty_(l2_dirty(profile)),
        by_granules_(profile.l2.fetch_bytes == 64),
        share_(share) {}

  // Sectors that DRAM moves per touched sector of `extent`.
  double moved(const memory::Extent& extent) const {
    return by_granules_ ? 2 * part_of(extent.granules, extent.sectors) : 1;
  }

  // The chance that data used before is still in L2, for an access that uses `line_part` of a line.
  double hit(double buffer_bytes, std::uint64_t window, double line_part) const {
    return chance(reach_, buffer_bytes, window, line_part);
  }
  // The same for data that still has to be written to DRAM.
  double written_hit(double buffer_bytes, std::uint64_t window, double line_part) const {
    return chance(dirty_, buffer_bytes, window, line_part);
  }

  // The launch's sectors that DRAM moves for the first time and again.
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
  double dirty() const { return dirty_; }

 private:
  static double chance(double reach, double buffer_bytes, std::uint64_t window, double line_part) {
    if (static_cast<double>(window) <= reach / 2 || buffer_bytes <= reach) return 1;
    return 1 - std::pow(1 - reach / buffer_bytes, line_part);
  }

  double reach_;
  double dirty_;
  bool by_granules_;
  double share_;
};

// The part of written sectors that are written incompletely, if `bytes` of them are written: with
// lone 4-byte words, all of them are.
double partial_share(double bytes, double sectors) {
  if (sectors == 0) return 0;
  return std::clamp((1 - bytes / (kDemandSectorBytes * sectors)) * 8 / 7, 0.0, 1.0);
}

// The chance that L2 still holds a sector when it is written again. It is `hit`, and 1 for a sector
// that two rows of blocks write, because L2 holds the writes of one row. `split` is the share of
// such sectors among the launch's `sectors`.
double with_next_row(double hit, double split, double sectors, double buffer_bytes) {
  const double again = sectors - std::min(sectors, buffer_bytes / kDemandSectorBytes);
  if (again <= 0) return hit;
  return hit + (1 - hit) * std::min(1.0, split * sectors / again);
}

}  // namespace

bool l2_holds(const device::Profile& profile, double buffer_bytes) {
  return buffer_bytes <= memory::l2_reach(profile);
}

double l2_dirty(const device::Profile& profile) {
  return profile.l2.dirty_bytes ? *profile.l2.dirty_bytes : memory::l2_reach(profile);
}

DramDemand dram_demand(const device::Profile& profile,
                       const std::vector<memory::BufferCounters>& buffers,
                       const std::vector<std::uint64_t>& buffer_bytes,
                       const DramPageLocality& locality, double share) {
  const Demand demand(profile, share);
  const PagesPerByte pages = locality.pages_per_byte();
  DramDemand out;
  double brought = 0;  // into L2, by the whole launch
  double left = 0;     // in L2, still to be written
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& buffer = buffers[i];
    const auto bytes = static_cast<double>(buffer_bytes.at(i));
    const auto window = locality.window(buffer.base, buffer.base + buffer_bytes.at(i));
    // Atomics fetch sectors.
    const bool is_atomic = buffer.load_sectors != 0 && buffer.load_sectors == buffer.store_sectors;
    const double moved_read = is_atomic ? 1 : demand.moved(buffer.read);
    const auto loads = demand.moves(static_cast<double>(buffer.read.sectors) * moved_read, bytes,
                                    demand.hit(bytes, window.read, 1 - pages.lone_read / 2));
    BufferDemand here;
    here.read = loads.once + loads.again;

    // If most granules are alone, each leaves L2 separately; else neighbours complete it in L2.
    const bool is_lone = pages.lone_written > kMostAlone;
    const auto written = static_cast<double>(buffer.written.sectors);
    const double moved = is_lone ? demand.moved(buffer.written) : 1;
    const double line_part = is_lone ? 0.5 / std::max(1.0, moved) : 1;
    const double hit = with_next_row(demand.written_hit(bytes, window.written, line_part),
                                     pages.split_written, written / share, bytes);
    const auto stores = demand.moves(written * moved, bytes, hit);
    here.written = stores.once + stores.again;
    // Sectors that neighbours soon complete leave L2 in their final state.
    const auto bytes_written = static_cast<double>(buffer.written.bytes);
    const auto final_sectors = demand.moves(written, bytes, 1).once;
    const double final_bytes = std::min(bytes_written / share, bytes);
    const double partial = hit * partial_share(final_bytes, final_sectors) +
                           (1 - hit) * partial_share(bytes_written, written);
    // Sectors that loads or atomics read anyway need no fill.
    here.filled = std::max(0.0, partial * here.written - here.read);
    out.traffic.read += kDemandSectorBytes * here.read;
    out.traffic.read_again += kDemandSectorBytes * loads.again;
    const double stored_bytes = kDemandSectorBytes / std::max(1.0, moved);  // of a moved sector
    out.traffic.filled += stored_bytes * here.filled;
    out.traffic.written += stored_bytes * here.written;
    out.traffic.written_again += stored_bytes * stores.again;
    brought += loads.once + stores.once;
    left += stores.once;
    for (double* part : {&here.read, &here.filled, &here.written}) *part *= share;
    out.read += here.read + here.filled;
    out.written += here.written;
    out.buffers.push_back(here);
  }
  if (profile.l2.dirty_bytes) {
    const double most = demand.dirty() / kDemandSectorBytes;
    out.displaced = share * (std::min(most, brought) - std::min(most, left));
  }
  return out;
}

}  // namespace warpgrade::timing

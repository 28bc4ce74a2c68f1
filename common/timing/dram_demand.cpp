// SPDX-License-Identifier: Apache-2.0
#include "common/timing/dram_demand.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/l1_cache.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::timing {
namespace {

// The first accesses of a warp happen at the same time as its neighbours'; only this number counts.
constexpr std::uint32_t kAccessesPerWarp = 8;
constexpr std::uint64_t kSector = 32;
constexpr std::uint64_t kGranule = 64;

using Pages = std::unordered_map<std::uint64_t, std::uint64_t>;

// Bit 2 k: one of the two sectors of granule k is touched.
std::uint64_t granules_of(std::uint64_t touched) {
  return (touched | touched >> 1) & 0x5555555555555555U;
}

// `by_granules`: DRAM moves granules, not sectors.
double per_byte(const Pages& pages, bool by_granules) {
  std::uint64_t bytes = 0;
  for (const auto& [page, touched] : pages) {
    const auto moved = by_granules ? granules_of(touched) : touched;
    bytes += (by_granules ? kGranule : kSector) * static_cast<std::uint64_t>(std::popcount(moved));
  }
  return bytes == 0 ? 0 : static_cast<double>(pages.size()) / static_cast<double>(bytes);
}

// Bit 4 k: one of the four sectors of line k is in `sectors`.
std::uint64_t lines_of(std::uint64_t sectors) {
  const auto pairs = sectors | sectors >> 1;
  return (pairs | pairs >> 2) & 0x1111111111111111U;
}

// The share of granules whose other half of the line is not in `pages` or `later`. Such a granule
// counts less the more of its page is moved, and fully if it is alone there. A sector in both is
// complete later than the rest of its line, which DRAM therefore writes in two turns: both granules
// are lone. Such a granule belongs half to these pages, and so does the one at the other end.
double lone_share(const Pages& pages, const Pages& later, std::uint64_t page_bytes) {
  const double most = static_cast<double>(page_bytes) / kGranule;
  std::uint64_t all = 0;
  double lone = 0;
  for (const auto& [page, touched] : pages) {
    const auto granules = granules_of(touched);
    const auto found = later.find(page);
    const auto there = found == later.end() ? granules : granules | granules_of(found->second);
    const auto others = (there >> 2 & 0x1111111111111111U) | (there & 0x1111111111111111U) << 2;
    const auto split = found == later.end() ? 0 : touched & found->second;
    const auto in_two_turns = lines_of(split) * 5;
    all += static_cast<std::uint64_t>(std::popcount(granules) - std::popcount(granules_of(split)));
    const double rest = (most - std::popcount(there)) / (most - 1);
    lone += std::popcount(granules & ~others & ~in_two_turns) * rest;
    lone += std::popcount(in_two_turns);
  }
  return all == 0 ? 0 : std::min(1.0, lone / static_cast<double>(all));
}

// The share of touched sectors that are in `later`, too.
double split_share(const Pages& pages, const Pages& later) {
  std::uint64_t all = 0;
  std::uint64_t split = 0;
  for (const auto& [page, touched] : pages) {
    all += static_cast<std::uint64_t>(std::popcount(touched));
    const auto found = later.find(page);
    if (found == later.end()) continue;
    split += static_cast<std::uint64_t>(std::popcount(touched & found->second));
  }
  return all == 0 ? 0 : static_cast<double>(split) / static_cast<double>(all);
}

// From the first to the last page of `page_bytes` bytes that begins in [begin, end).
std::uint64_t span_of(const Pages& pages, std::uint64_t page_bytes, std::uint64_t begin,
                      std::uint64_t end) {
  std::uint64_t first = end;
  std::uint64_t last = begin;
  for (const auto& [page, touched] : pages) {
    const auto at = page * page_bytes;
    if (at < begin || at >= end) continue;
    first = std::min(first, at);
    last = std::max(last, at + page_bytes);
  }
  return last > first ? last - first : 0;
}

}  // namespace

DramPageLocality::DramPageLocality(const device::Profile& profile, run::BlockRange window,
                                   run::BlockRange next_row)
    : profile_(&profile), window_(window), next_row_(next_row) {}

std::unique_ptr<run::Observer> DramPageLocality::fork() const {
  return std::make_unique<DramPageLocality>(*profile_, window_, next_row_);
}

void DramPageLocality::join(run::Observer& other) {
  const auto& theirs = dynamic_cast<DramPageLocality&>(other);
  for (const auto& [page, touched] : theirs.read_) read_[page] |= touched;
  for (const auto& [page, touched] : theirs.written_) written_[page] |= touched;
  for (const auto& [page, touched] : theirs.written_later_) written_later_[page] |= touched;
}

void DramPageLocality::on_launch(const run::LaunchContext& context) {
  seen_.resize(context.warps_per_block);
}

void DramPageLocality::on_block_begin(std::uint64_t linear_block) {
  const auto is_in = [&](const run::BlockRange& range) {
    return profile_->dram.page_bytes != 0 && linear_block >= range.begin &&
           linear_block < range.end;
  };
  is_in_next_row_ = is_in(next_row_);
  is_watched_ = is_in(window_);
  std::fill(seen_.begin(), seen_.end(), 0);
}

void DramPageLocality::on_memory(const run::MemoryEvent& event) {
  if (!(is_watched_ || is_in_next_row_) || event.space != run::Space::kGlobal) return;
  if (seen_[event.warp]++ >= kAccessesPerWarp) return;
  const auto mark = [&](Pages& pages) {
    const std::uint64_t bytes = profile_->dram.page_bytes;
    std::uint64_t start = 0;  // page of the previous lane
    std::uint64_t* touched = nullptr;
    for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
      const std::uint64_t address = event.address[std::countr_zero(left)];
      if (touched == nullptr || address - start >= bytes) {
        touched = &pages[address / bytes];
        start = address / bytes * bytes;
      }
      *touched |= std::uint64_t{1} << ((address - start) / kSector);
    }
  };
  const bool is_load = event.operation == run::Operation::kLoad;
  const bool is_later = is_in_next_row_ && !is_watched_;
  if (is_later && event.operation == run::Operation::kStore) mark(written_later_);
  if (is_watched_ && event.operation != run::Operation::kStore) mark(read_);
  if (is_watched_ && !is_load) mark(written_);
}

DramPageLocality::Window DramPageLocality::window(std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t bytes = profile_->dram.page_bytes;
  return {span_of(read_, bytes, begin, end), span_of(written_, bytes, begin, end)};
}

PagesPerByte DramPageLocality::pages_per_byte() const {
  const bool by_granules = profile_->l2.fetch_bytes == kGranule;
  PagesPerByte out{per_byte(read_, by_granules), per_byte(written_, by_granules)};
  if (by_granules) {
    out.lone_read = lone_share(read_, {}, profile_->dram.page_bytes);
    out.lone_written = lone_share(written_, written_later_, profile_->dram.page_bytes);
    out.split_written = split_share(written_, written_later_);
  }
  return out;
}

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
                       const DramPageLocality& locality, double share,
                       const std::vector<double>& held) {
  const Demand demand(profile, share);
  const PagesPerByte pages = locality.pages_per_byte();
  DramDemand out;
  double brought = 0;  // into L2, by the whole launch
  double left = 0;     // in L2, still to be written
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& buffer = buffers[i];
    const auto bytes = static_cast<double>(buffer_bytes.at(i));
    const auto window = locality.window(buffer.base, buffer.base + buffer_bytes.at(i));
    // Atomics fetch a granule first. If L2 has lost it, they fetch a sector, which takes as long.
    const bool is_atomic = buffer.load_sectors != 0 && buffer.load_sectors == buffer.store_sectors;
    const double granules = demand.moved(buffer.read);
    const double line_part_read = is_atomic ? 1 : 1 - pages.lone_read / 2;
    const auto read = static_cast<double>(buffer.read.sectors);
    const auto loads = demand.moves(is_atomic ? read : read * granules, bytes,
                                    demand.hit(bytes, window.read, line_part_read));
    const double all_read = loads.once + loads.again;
    const double left_before = i < held.size() ? held[i] * loads.once : 0;
    BufferDemand here;
    here.read = is_atomic ? demand.moves(read * granules, bytes, 1).once + granules * loads.again
                          : all_read;
    here.read -= left_before;
    here.held = left_before;

    // If most granules are alone, each leaves L2 separately; else neighbours complete it in L2. The
    // sector of an atomic takes the time of a granule, and shares it with the other half if L2
    // still has to write that, too.
    const bool is_lone = pages.lone_written > kMostAlone;
    const auto written = static_cast<double>(buffer.written.sectors);
    const double granule = is_lone ? demand.moved(buffer.written) : 1;
    const double moved = is_atomic ? 1 : granule;
    const double write_times =
        is_atomic ? granule / (1 + (granule - 1) * std::min(1.0, demand.dirty() / bytes)) : 1;
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
    if (profile.dram.fills_partial_sectors)
      here.filled = std::max(0.0, partial * here.written - all_read);
    out.traffic.read += kDemandSectorBytes * all_read;
    out.traffic.read_again += kDemandSectorBytes * loads.again;
    const double stored_bytes = kDemandSectorBytes / std::max(1.0, moved);  // of a moved sector
    out.traffic.filled += stored_bytes * here.filled;
    out.traffic.written += stored_bytes * here.written;
    out.traffic.written_again += stored_bytes * stores.again;
    brought += loads.once - left_before + stores.once;
    left += stores.once;
    here.written *= write_times;
    for (double* part : {&here.read, &here.held, &here.filled, &here.written}) *part *= share;
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

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/dram_page_locality.h"

#include <algorithm>
#include <bit>

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

}  // namespace warpgrade::timing

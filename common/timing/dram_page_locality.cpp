// SPDX-License-Identifier: Apache-2.0
#include "common/timing/dram_page_locality.h"

#include <algorithm>
#include <bit>

namespace warpgrade::timing {
namespace {

// The first accesses of a warp are made at the same time as those of its neighbours; only so many
// count.
constexpr std::uint32_t kAccessesPerWarp = 32;
constexpr std::uint64_t kSector = 32;

double per_byte(const std::unordered_map<std::uint64_t, std::uint64_t>& pages) {
  std::uint64_t sectors = 0;
  for (const auto& [page, touched] : pages) {
    sectors += static_cast<std::uint64_t>(std::popcount(touched));
  }
  if (sectors == 0) return 0;
  return static_cast<double>(pages.size()) / static_cast<double>(kSector * sectors);
}

}  // namespace

DramPageLocality::DramPageLocality(const device::Profile& profile, run::BlockRange window)
    : profile_(&profile), window_(window) {}

std::unique_ptr<run::Observer> DramPageLocality::fork() const {
  return std::make_unique<DramPageLocality>(*profile_, window_);
}

void DramPageLocality::join(run::Observer& other) {
  const auto& theirs = dynamic_cast<DramPageLocality&>(other);
  for (const auto& [page, touched] : theirs.read_) read_[page] |= touched;
  for (const auto& [page, touched] : theirs.written_) written_[page] |= touched;
}

void DramPageLocality::on_launch(const run::LaunchContext& context) {
  seen_.resize(context.warps_per_block);
}

void DramPageLocality::on_block_begin(std::uint64_t linear_block) {
  is_watched_ =
      profile_->dram_page_bytes != 0 && linear_block >= window_.begin && linear_block < window_.end;
  std::fill(seen_.begin(), seen_.end(), 0);
}

void DramPageLocality::on_memory(const run::MemoryEvent& event) {
  if (!is_watched_ || event.space != run::Space::kGlobal) return;
  if (seen_[event.warp]++ >= kAccessesPerWarp) return;
  const auto mark = [&](Pages& pages) {
    const std::uint64_t bytes = profile_->dram_page_bytes;
    std::uint64_t start = 0;  // of the page of the lane before
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
  if (event.operation != run::Operation::kStore) mark(read_);
  if (event.operation != run::Operation::kLoad) mark(written_);
}

PagesPerByte DramPageLocality::pages_per_byte() const {
  return {per_byte(read_), per_byte(written_)};
}

}  // namespace warpgrade::timing

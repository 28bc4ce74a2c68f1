// SPDX-License-Identifier: Apache-2.0
#include "common/memory/footprint.h"

#include <bit>

namespace warpgrade::memory {

Footprint::Page& Footprint::page(std::uint64_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

void Footprint::merge(const Footprint& other) {
  for (const auto& [number, theirs] : other.pages_) {
    Page& ours = page(number);
    for (std::size_t i = 0; i < kLinesPerPage; ++i) {
      for (std::size_t half = 0; half < 2; ++half) {
        ours.read[i][half] |= theirs->read[i][half];
        ours.written[i][half] |= theirs->written[i][half];
      }
    }
  }
}

void Footprint::clear() {
  pages_.clear();
  recent_.fill({});
}

template <Footprint::Bitmap Footprint::Page::*kind>
Footprint::Extent Footprint::extent() const {
  Extent sum;
  for (const auto& [number, page] : pages_) {
    for (const Lines::Bytes& bytes : (*page).*kind) {
      sum.bytes += static_cast<std::uint64_t>(std::popcount(bytes[0]) + std::popcount(bytes[1]));
      sum.sectors += static_cast<std::uint64_t>(std::popcount(sectors_of(bytes)));
      sum.granules += (bytes[0] != 0) + (bytes[1] != 0);
    }
  }
  return sum;
}

template Footprint::Extent Footprint::extent<&Footprint::Page::read>() const;
template Footprint::Extent Footprint::extent<&Footprint::Page::written>() const;

}  // namespace warpgrade::memory

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
    for (std::size_t i = 0; i < kGranulesPerPage; ++i) {
      ours.read[i] |= theirs->read[i];
      ours.written[i] |= theirs->written[i];
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
    for (const std::uint64_t bytes : (*page).*kind) {
      sum.bytes += static_cast<std::uint64_t>(std::popcount(bytes));
      sum.sectors += ((bytes & 0xffffffffU) != 0) + ((bytes >> 32) != 0);
      sum.granules += bytes != 0;
    }
  }
  return sum;
}

template Footprint::Extent Footprint::extent<&Footprint::Page::read>() const;
template Footprint::Extent Footprint::extent<&Footprint::Page::written>() const;

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
#include "common/memory/footprint.h"

#include <bit>
#include <utility>

namespace warpgrade::memory {

Footprint::Page& Footprint::page(std::uint64_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

void Footprint::Marks::take(Marks& other) {
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] |= other.whole[i];
  if (other.partial == nullptr) return;
  if (partial == nullptr) {
    partial = std::move(other.partial);
    return;
  }
  Bitmap& ours = *partial;
  for (std::size_t i = 0; i < kLinesPerPage; ++i) {
    for (std::size_t half = 0; half < 2; ++half) ours[i][half] |= (*other.partial)[i][half];
  }
}

Footprint::Extent Footprint::Marks::extent() const {
  Extent sum;
  for (const std::uint64_t bits : whole) {
    const auto lines = static_cast<std::uint64_t>(std::popcount(bits));
    sum.bytes += 128 * lines;
    sum.sectors += 4 * lines;
    sum.granules += 2 * lines;
  }
  if (partial == nullptr) return sum;
  for (std::uint64_t line = 0; line < kLinesPerPage; ++line) {
    const Lines::Bytes& bytes = (*partial)[place(line)];
    const bool is_counted = (whole[line / 64] >> (line % 64) & 1) != 0;
    if (is_counted || (bytes[0] | bytes[1]) == 0) continue;
    sum.bytes += static_cast<std::uint64_t>(std::popcount(bytes[0]) + std::popcount(bytes[1]));
    sum.sectors += static_cast<std::uint64_t>(std::popcount(sectors_of(bytes)));
    sum.granules += (bytes[0] != 0) + (bytes[1] != 0);
  }
  return sum;
}

// Most pages are one side's alone and move as they are.
void Footprint::take(Footprint& other) {
  for (auto& [number, theirs] : other.pages_) {
    std::unique_ptr<Page>& ours = pages_[number];
    if (ours == nullptr) {
      ours = std::move(theirs);
      continue;
    }
    ours->read.take(theirs->read);
    ours->written.take(theirs->written);
  }
  other.clear();
  // What was found recently may have got its bytes here.
  recently_read_.fill({});
  recently_written_.fill({});
}

void Footprint::clear() {
  pages_.clear();
  recently_read_.fill({});
  recently_written_.fill({});
}

template <Footprint::Marks Footprint::Page::*kind>
Footprint::Extent Footprint::extent() const {
  Extent sum;
  for (const auto& [number, page] : pages_) {
    const Extent here = ((*page).*kind).extent();
    sum.bytes += here.bytes;
    sum.sectors += here.sectors;
    sum.granules += here.granules;
  }
  return sum;
}

template Footprint::Extent Footprint::extent<&Footprint::Page::read>() const;
template Footprint::Extent Footprint::extent<&Footprint::Page::written>() const;

}  // namespace warpgrade::memory

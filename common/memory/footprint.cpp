// SPDX-License-Identifier: Apache-2.0
#include "common/memory/footprint.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "common/memory/lines.h"

namespace warpgrade::memory {
namespace {

/// The 4-byte words of half a line that are touched in full, from one bit per byte.
std::uint64_t whole_words(std::uint64_t bytes) {
  std::uint64_t bits = bytes & bytes >> 1;
  bits = bits & bits >> 2 & 0x1111111111111111U;
  bits = (bits | bits >> 3) & 0x0303030303030303U;
  bits = (bits | bits >> 6) & 0x000f000f000f000fU;
  bits = (bits | bits >> 12) & 0x000000ff000000ffU;
  return (bits | bits >> 24) & 0xffffU;
}

/// The inverse: one bit per byte of up to 16 words.
std::uint64_t bytes_of(std::uint64_t words) {
  std::uint64_t bits = (words | words << 24) & 0x000000ff000000ffU;
  bits = (bits | bits << 12) & 0x000f000f000f000fU;
  bits = (bits | bits << 6) & 0x0303030303030303U;
  return ((bits | bits << 3) & 0x1111111111111111U) * 0xfU;
}

std::uint64_t count(std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }

/// Adds the units that contain any of 64 words.
void add_words(Extent& sum, std::uint64_t words) {
  std::uint64_t any = words | words >> 4;
  any |= any >> 2;
  any = (any | any >> 1) & 0x0101010101010101U;  // one bit per 8 words
  sum.bytes += 4 * count(words);
  sum.sectors += count(any);
  sum.granules += count((any | any >> 8) & 0x0001000100010001U);
}

}  // namespace

void ByteSet::Page::add(std::uint64_t line, const Lines::Bytes& touched) {
  const std::uint64_t whole = whole_words(touched[0]) | whole_words(touched[1]) << 16;
  words[line / 2] |= whole << (line % 2 * 32);
  const Lines::Bytes in_part = {touched[0] & ~bytes_of(whole & 0xffffU),
                                touched[1] & ~bytes_of(whole >> 16)};
  if ((in_part[0] | in_part[1]) == 0) return;
  if (bytes == nullptr) bytes = std::make_unique<Bytes>();
  Lines::Bytes& there = (*bytes)[line];
  there = {there[0] | in_part[0], there[1] | in_part[1]};
}

void ByteSet::Page::take(Page& other) {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
  if (other.bytes == nullptr) return;
  if (bytes == nullptr) {
    bytes = std::move(other.bytes);
    return;
  }
  for (std::size_t line = 0; line < kPageLines; ++line) {
    for (std::size_t half = 0; half < 2; ++half) {
      (*bytes)[line][half] |= (*other.bytes)[line][half];
    }
  }
}

Extent ByteSet::Page::extent() const {
  Extent sum;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (bytes == nullptr) {
      if (words[i] == 0) continue;  // usual if blocks are sampled
      add_words(sum, words[i]);
      continue;
    }
    for (std::size_t half = 0; half < 4; ++half) {
      const std::uint64_t all =
          bytes_of(words[i] >> (16 * half) & 0xffffU) | (*bytes)[2 * i + half / 2][half % 2];
      sum.bytes += count(all);
      sum.sectors += count(sectors_of({all, 0}));
      sum.granules += all != 0 ? 1 : 0;
    }
  }
  return sum;
}

ByteSet::Page& ByteSet::make_page(std::uint64_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

void ByteSet::add_in_pieces(const Range& range) {
  for_each_line(range, [&](std::uint64_t line, const Lines::Bytes& touched) {
    page(line / kPageLines).add(line % kPageLines, touched);
  });
}

void ByteSet::add_waiting() {
  for (std::size_t i = 0; i < waiting_count_; ++i) {
    const Range& range = waiting_[i];
    if ((range.address | range.bytes) % 4 != 0) {
      add_in_pieces(range);
      continue;
    }
    std::uint64_t word = range.address / 4;
    const std::uint64_t end = word + range.bytes / 4;
    while (word != end) {
      const std::uint64_t here = std::min(64 - word % 64, end - word);
      page(word / kPageWords).words[word % kPageWords / 64] |=
          ~std::uint64_t{0} >> (64 - here) << word % 64;
      word += here;
    }
  }
  waiting_count_ = 0;
}

void ByteSet::add(const Lines& lines) {
  for (std::uint32_t i = 0; i < lines.count; ++i) {
    page(lines.index[i] / kPageLines).add(lines.index[i] % kPageLines, lines.bytes[i]);
  }
}

void ByteSet::add(const Apart& apart) {
  const Request& request = apart.request;
  const std::uint64_t words = (std::uint64_t{1} << request.bytes / 4) - 1;
  const std::uint64_t bytes = ~std::uint64_t{0} >> (64 - request.bytes);
  for_each_address(request, request.mask, [&](std::uint64_t address) {
    Page& here = page(address / kPageBytes);
    const std::uint64_t word = address % kPageBytes / 4;
    if ((address | request.bytes) % 4 == 0) {  // within one sector, so within 64 words
      here.words[word / 64] |= words << word % 64;
      return;
    }
    Lines::Bytes touched{};
    touched[address / 64 % 2] = bytes << (address % 64);
    here.add(address / 128 % kPageLines, touched);
  });
}

// Most pages belong to one side only and move without a merge.
void ByteSet::take(ByteSet& other) {
  other.add_waiting();
  for (auto& [number, theirs] : other.pages_) {
    std::unique_ptr<Page>& ours = pages_[number];
    if (ours == nullptr) {
      ours = std::move(theirs);
    } else {
      ours->take(*theirs);
    }
  }
  other.pages_.clear();
  other.recent_.fill({});
}

Extent ByteSet::extent() { return extent(0, ~std::uint64_t{0}); }

Extent ByteSet::extent(std::uint64_t begin, std::uint64_t end) {
  add_waiting();
  Extent sum;
  for (const auto& [number, page] : pages_) {
    if (number < begin / kPageBytes || number >= end / kPageBytes) continue;
    const Extent here = page->extent();
    sum.bytes += here.bytes;
    sum.sectors += here.sectors;
    sum.granules += here.granules;
  }
  return sum;
}

}  // namespace warpgrade::memory

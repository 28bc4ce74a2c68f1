// SPDX-License-Identifier: Apache-2.0
#include "common/verify/indices.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/verify/bits.h"

namespace warpgrade::verify {
namespace {

enum IndexStream : std::uint64_t {
  kBelowStream = 16,
  kStartStream,
  kLongRowStream,
  kEqualStream,
  kEdgeStream
};

// Uniform from 0 to bound - 1, for bounds up to 2^32.
std::uint64_t uniform(std::uint64_t bits, std::uint64_t bound) {
  return (bits >> 32) * bound >> 32;
}

// Start `row` of `rows` with `total` elements together: the even share, and up to one mean length
// more. Starts ascend, because the next even share is at least one mean length further.
std::uint64_t even_start(std::uint64_t row, std::uint64_t rows, std::uint64_t total,
                         std::uint64_t seed) {
  if (row == 0) return 0;
  if (row >= rows) return total;
  return row * total / rows + uniform(Mixer(seed, kStartStream)(row), total / rows);
}

// Elements of long rows before `row`.
std::uint64_t long_elements(std::uint64_t row, std::uint64_t rows, std::uint64_t total,
                            std::uint64_t seed) {
  if (row >= rows) return total;
  const auto groups = (rows + kSkewedRows - 1) / kSkewedRows;
  const auto group = row / kSkewedRows;
  const auto first = group * kSkewedRows;
  const auto place =
      uniform(Mixer(seed, kLongRowStream)(group), std::min(kSkewedRows, rows - first));
  const bool is_behind = row > first + place;
  return (group + (is_behind ? 1 : 0)) * total / groups;
}

// Elements of `rows` rows whose lengths are kEdgeLengths over and over.
std::uint64_t edge_elements(std::uint64_t rows) {
  const auto* const first = kEdgeLengths.begin();
  const auto rest = first + rows % kEdgeLengths.size();
  return rows / kEdgeLengths.size() * std::accumulate(first, kEdgeLengths.end(), std::uint64_t{0}) +
         std::accumulate(first, rest, std::uint64_t{0});
}

std::uint64_t edge_start(std::uint64_t row, std::uint64_t rows, std::uint64_t total,
                         std::uint64_t seed) {
  if (row >= rows) return total;
  const auto skipped = uniform(Mixer(seed, kEdgeStream)(0), kEdgeLengths.size());
  return std::min(edge_elements(row + skipped) - edge_elements(skipped), total);
}

// The high half of an element's bits decides whether it is equal, the low half is its own value.
// Writes one size at a time, because a buffer of bytes has many elements.
template <class Element>
void fill_mostly_equal(std::uint64_t first, std::span<std::byte> to, std::uint64_t percent,
                       std::uint64_t seed) {
  const Mixer mix(seed, kEqualStream);
  const auto common = static_cast<Element>(Mixer(~seed, kEqualStream)(0));
  const auto end = percent * (std::uint64_t{1} << 32) / kAllEqual;
  for (std::size_t at = 0; at + sizeof(Element) <= to.size(); at += sizeof(Element)) {
    const auto index = first + at / sizeof(Element);
    const auto bits = mix(index);
    const auto own = static_cast<Element>(sizeof(Element) == 8 ? mix(~index) : bits);
    const auto value = bits >> 32 < end ? common : own;
    std::memcpy(to.data() + at, &value, sizeof(Element));
  }
}

std::uint64_t element(std::uint64_t index, const IndexFill& how, std::uint64_t seed) {
  const auto rows = how.count - 1;
  switch (how.kind) {
    case IndexKind::kBelow:
      return uniform(Mixer(seed, kBelowStream)(index), how.bound);
    case IndexKind::kStarts:
      return even_start(index, rows, how.bound, seed);
    case IndexKind::kEdgeStarts:
      return edge_start(index, rows, how.bound, seed);
    case IndexKind::kSkewedStarts:
    case IndexKind::kMostlyEqual:  // Has a loop of its own.
      break;
  }
  const auto in_long_rows = how.bound / 2;
  return even_start(index, rows, how.bound - in_long_rows, seed) +
         long_elements(index, rows, in_long_rows, seed);
}

}  // namespace

void fill_indices(ElementType type, std::uint64_t first, std::span<std::byte> to,
                  const IndexFill& how, std::uint64_t seed) {
  const auto size = size_of(type);
  if (how.kind == IndexKind::kMostlyEqual) {
    if (size == 1) return fill_mostly_equal<std::uint8_t>(first, to, how.bound, seed);
    if (size == 2) return fill_mostly_equal<std::uint16_t>(first, to, how.bound, seed);
    if (size == 4) return fill_mostly_equal<std::uint32_t>(first, to, how.bound, seed);
    return fill_mostly_equal<std::uint64_t>(first, to, how.bound, seed);
  }
  for (std::size_t at = 0; at + size <= to.size(); at += size) {
    const auto value = element(first + at / size, how, seed);
    std::memcpy(to.data() + at, &value, size);  // little-endian
  }
}

}  // namespace warpgrade::verify

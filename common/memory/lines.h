// SPDX-License-Identifier: Apache-2.0
// One request of a warp, and the bytes that it touches: distinct 128-byte lines, a bit per byte.
//
// A line is four sectors of 32 bytes, or two granules of 64 bytes, the unit that Hopper's L2
// fetches from DRAM. The coalescing rules, the L1 model and the footprint all use this list.
// Distinct keys are found with a hash table that clears at no cost: an entry holds the number of
// its request.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace warpgrade::memory {

// One memory access of one warp, the input of the coalescing and bank rules.

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kSectorBytes = 32;

/// Addresses are multiples of `bytes` up to 16, as hardware requires; the rules of global memory
/// also accept others.
struct Request {
  const std::uint64_t* address = nullptr;  ///< First byte of each lane; 32 entries.
  std::uint32_t mask = 0;                  ///< Active lanes.
  std::uint32_t bytes = 0;                 ///< Bytes per lane: 1 to 32.
};

/// Calls `use` with the address of each of `lanes` in order; a plain loop if all are active.
template <typename Use>
void for_each_address(const Request& request, std::uint32_t lanes, Use use) {
  const std::uint64_t* const address = request.address;
  if (lanes == ~std::uint32_t{0}) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) use(address[lane]);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) use(address[std::countr_zero(lanes)]);
  }
}

// Finds distinct keys among the few keys of one request, with a hash table that clears at no cost.
//
// An entry contains the number of the request that made it, so entries of earlier requests count as
// free. Requests need no clearing and no allocation.

/// Most keys of one request: 32 lanes of 32 bytes in 4-byte words, each across a boundary.
constexpr std::uint32_t kMaxKeys = 512;

/// Open addressing over the keys that the caller keeps in an array; at most kMaxKeys of them.
class KeyTable {
 public:
  /// Starts a request without keys.
  void clear() {
    if ((++request_ & kLastRequest) != 0) return;
    slots_.fill(0);  // numbers wrap
    request_ = 1;
  }

  /// The position of `key` in keys[0, next). If the key is new, returns `next` and remembers the
  /// key there; the caller must store it.
  std::uint32_t position(std::uint64_t key, const std::uint64_t* keys, std::uint32_t next) {
    // Fibonacci hashing spreads strides that are powers of two.
    std::size_t slot = (key * 0x9e3779b97f4a7c15U) >> (64 - kBits);
    for (; slots_[slot] / kMaxKeys == request_; slot = (slot + 1) % slots_.size()) {
      const std::uint32_t at = slots_[slot] % kMaxKeys;
      if (keys[at] == key) return at;
    }
    slots_[slot] = request_ * kMaxKeys + next;
    return next;
  }

 private:
  static constexpr int kBits = 10;
  static constexpr std::uint32_t kLastRequest = ~std::uint32_t{0} / kMaxKeys;
  std::uint32_t request_ = 0;
  std::array<std::uint32_t, std::size_t{1} << kBits> slots_{};  ///< request * kMaxKeys + position.
};

/// A fast test for distinct keys. Only "distinct" is certain.
class KeyFilter {
 public:
  /// Starts a request without keys.
  void clear() {
    if (++request_ != 0) return;
    seen_in_.fill(0);  // numbers wrap
    request_ = 1;
  }

  /// Remembers `key`. Returns true if the key may be a repeat (1 in 4,096 by chance).
  bool may_repeat(std::uint64_t key) {
    std::uint16_t& seen_in = seen_in_[(key * 0x9e3779b97f4a7c15U) >> (64 - kBits)];
    const bool repeats = seen_in == request_;
    seen_in = request_;
    return repeats;
  }

 private:
  static constexpr int kBits = 12;
  std::uint16_t request_ = 0;
  std::array<std::uint16_t, std::size_t{1} << kBits> seen_in_{};
};

struct Lines {
  /// A line's bytes: bit b of element g is byte 64 * g + b.
  using Bytes = std::array<std::uint64_t, 2>;

  std::uint32_t count = 0;
  std::array<std::uint64_t, kMaxKeys> index;  ///< Address / 128, distinct; the first `count` are
                                              ///< set.
  std::array<Bytes, kMaxKeys> bytes;
  std::array<std::uint8_t, kMaxKeys> sectors;  ///< sectors_of(bytes).
  KeyTable table;                              ///< Scratch.
};

/// The lines of a request with its addresses unchanged; lanes that cross a line are split.
void gather(const Request& request, Lines& out);

/// Adjacent bytes: a request with unit stride.
struct Range {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  ///< At least 1.
};

/// A request in which each lane is within one sector and has its own line.
struct Apart {
  Request request;
  std::int64_t line_step = 0;  ///< Lines between neighbouring lanes, if all lanes are active and it
                               ///< is a whole number. They use the same bytes of their lines.
};

/// Converts `request` with its `stride` (see run::MemoryEvent), which must not be kIrregular.
std::optional<Apart> as_apart(const Request& request, std::int64_t stride);

/// The same for any addresses; rarely returns nullopt by chance. `filter` is scratch.
std::optional<Apart> as_apart(const Request& request, KeyFilter& filter);

/// The lines of a request to local memory. Hardware interleaves the lanes: word w of lane l is at
/// 128 * w + 4 * l, so lanes at the same offset share a line.
void gather_local(const Request& request, Lines& out);

/// Bits [first, first + count) of a line; count is 0 to 128, first + count at most 128.
constexpr Lines::Bytes bit_range(std::uint64_t first, std::uint64_t count) {
  const auto below = [](std::uint64_t end) {  // bits [0, end) of 64
    return end >= 64 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} << end);
  };
  const std::uint64_t end = first + count;
  return {below(end) & ~below(first),
          end <= 64 ? 0 : below(end - 64) & ~(first <= 64 ? 0 : below(first - 64))};
}

/// Calls `use` with the number and the bytes of each line of `range`.
template <typename Use>
void for_each_line(const Range& range, Use use) {
  const std::uint64_t end = range.address + range.bytes;
  for (std::uint64_t at = range.address; at < end; at = (at / 128 + 1) * 128) {
    use(at / 128, bit_range(at % 128, std::min(end - at, 128 - at % 128)));
  }
}

/// A bit for each of a line's four sectors that contains any of the bytes.
inline std::uint32_t sectors_of(const Lines::Bytes& bytes) {
  return ((bytes[0] & 0xffffffffU) != 0 ? 1U : 0U) | (bytes[0] >> 32 != 0 ? 2U : 0U) |
         ((bytes[1] & 0xffffffffU) != 0 ? 4U : 0U) | (bytes[1] >> 32 != 0 ? 8U : 0U);
}

/// The sector of a line that contains `address`, as a bit of sectors_of().
inline std::uint32_t sector_bit(std::uint64_t address) {
  constexpr std::array<std::uint8_t, 4> kBit = {1, 2, 4, 8};  // x86 is slow at shifts by a variable
  return kBit[address / 32 % 4];
}

/// A bit for each sector that contains only set bytes.
inline std::uint32_t full_sectors_of(const Lines::Bytes& bytes) {
  return sectors_of({~bytes[0], ~bytes[1]}) ^ 0xfU;
}

}  // namespace warpgrade::memory

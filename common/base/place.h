// SPDX-License-Identifier: Apache-2.0
// Places, as facts and as text: grids, blocks and indices, and the bytes that a thread accesses.
//
// The simulator knows arrays by name and size. Code that also knows the shape of an array, from
// its declaration or from the manifest of an exercise, adds it. The text then has one index per
// dimension.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::base {

// A triple of extents or indices: a grid, a block, a block index, a thread index.

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// Number of points in an extent; does not overflow for extents that CUDA accepts.
constexpr std::uint64_t volume(const Dim3& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}

/// The index with the linear number `linear` (x fastest, then y, then z) in `extent`.
constexpr Dim3 index_at(std::uint64_t linear, const Dim3& extent) {
  return {static_cast<std::uint32_t>(linear % extent.x),
          static_cast<std::uint32_t>(linear / extent.x % extent.y),
          static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

/// The linear number of the index `at` in `extent`; the inverse of index_at().
constexpr std::uint64_t linear_at(const Dim3& at, const Dim3& extent) {
  return at.x + std::uint64_t{extent.x} * (at.y + std::uint64_t{extent.y} * at.z);
}

/// The quotients of the three numbers, rounded down.
constexpr Dim3 divided(const Dim3& a, const Dim3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

/// Kind of access to memory.
enum class Does : std::uint8_t { kRead, kWrite, kUpdate, kAtomicUpdate, kStartCopy };

/// "reads", "writes", "updates", "atomically updates", "starts to copy".
std::string_view verb(Does does);

struct ArrayShape {
  std::uint32_t element_bytes = 1;
  std::vector<std::uint64_t> extents;  ///< Empty: one dimension of unknown size.

  friend bool operator==(const ArrayShape&, const ArrayShape&) = default;
};

struct Place {
  enum class Memory : std::uint8_t {
    kBuffer,    ///< A buffer of the launch.
    kVariable,  ///< A variable of the module.
    kShared,    ///< Shared memory; without a name if no array is known there.
    kLocal,     ///< Local memory of a thread.
    kHeap,      ///< Memory from malloc() or new: `offset` is the address.
    kAddress,   ///< No memory with a name: `offset` is the address.
  };

  Memory memory{};
  std::string array;                ///< Its name in the source.
  std::int64_t offset = 0;          ///< From the start of the array, in bytes; negative before it.
  std::uint32_t bytes = 0;          ///< Size of the access.
  std::uint64_t array_bytes = 0;    ///< Size of the array.
  std::uint32_t element_bytes = 1;  ///< Size of an element of a buffer; 1 for other memory.
  std::optional<ArrayShape> shape = std::nullopt;  ///< If the source or the manifest has one.
  /// Shared memory of another block of the thread's cluster, by its rank.
  std::optional<std::uint32_t> rank = std::nullopt;

  /// Index of the element at `offset`, rounded down.
  std::int64_t index() const;
  /// Whether the access begins inside the array.
  bool begins_inside() const { return offset >= 0 && index() < elements(); }
  std::int64_t elements() const { return static_cast<std::int64_t>(array_bytes / element_bytes); }

  friend bool operator==(const Place&, const Place&) = default;
};

/// An access outside of its array.
struct OutsideAccess {
  Place place;
  Does does{};
  bool is_extern = false;  ///< The launch gives the array its size.

  friend bool operator==(const OutsideAccess&, const OutsideAccess&) = default;
};

/// "out[5]", or "out[0][5]" if the shape is known; of other memory than buffers "bytes 4 to 7 of
/// count", "tile[0][1]" if the shape is known, "bytes 0 to 3 of shared memory", "4 bytes at 0x50".
std::string text(const Place& place);
/// The same without the shape, as an index in a flat array.
std::string flat_text(const Place& place);
/// "byte 4 of 'in'", "byte 4 of tile" or "tile[0][1]", "address 0x50": where an access begins.
std::string begin_text(const Place& place);

/// "reads a[1024], but a has elements 0 to 1023"; with the shape of a matrix "reads a[8][0], but
/// there are 8 rows of 75"; with a declaration "writes tile[8][0], but tile is declared as
/// [8][32]"; of other memory in bytes: "reads 4 bytes, 4 bytes past the end of tile, which has 128
/// bytes of shared memory".
std::string text(const OutsideAccess& access);

/// "tile[8][0]": the element at byte `offset`, which may be outside; only the first index can be
/// too large or negative.
std::string element_text(std::string_view array, const ArrayShape& shape, std::int64_t offset);
/// "[32][33]".
std::string extents_text(const std::vector<std::uint64_t>& extents);
/// "bytes 4 to 7", or "byte 4" if there is one.
std::string bytes_text(std::uint64_t first, std::uint64_t count);

/// Number of values of an unsigned index.
constexpr std::int64_t kUnsignedRange = std::int64_t{1} << 32;
/// Whether an index is probably a small negative number that became unsigned.
constexpr bool is_wrapped_index(std::int64_t index) {
  constexpr auto kNear = std::int64_t{1} << 24;
  return index < kUnsignedRange && index >= kUnsignedRange - kNear;
}

}  // namespace warpgrade::base

// SPDX-License-Identifier: Apache-2.0
// The memory that malloc() hands out inside a kernel: 8 MiB for a launch, as CUDA's default.
//
// A piece takes 64 bytes more than was asked for, as on an H200, where pieces of 16 bytes lie 80
// apart. That card gives 6 pieces of 1 MiB or 1,888 of 4 KiB and then null, here it is 7 and 2,016:
// how it loses the rest is not known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace warpgrade::sim {

class Heap {
 public:
  static constexpr std::uint64_t kBytes = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kOverhead = 64;  ///< Of a piece.

  /// Offset of `bytes` that nobody has, a multiple of 16, in the least gap that is large enough;
  /// nothing where none is. 0 bytes are a piece too. The bytes hold no useful value.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  /// Gives back what allocate() gave; false where `offset` is no such place.
  bool release(std::uint64_t offset);

  std::span<std::byte> bytes() { return bytes_; }

 private:
  using Gap = std::map<std::uint64_t, std::uint64_t>::iterator;

  void add_gap(std::uint64_t offset, std::uint64_t size);
  void remove_gap(Gap gap);

  std::vector<std::byte> bytes_ = std::vector<std::byte>(kBytes, std::byte{0xff});
  // Offset -> size, a multiple of 16. No two gaps touch.
  std::map<std::uint64_t, std::uint64_t> used_;
  std::map<std::uint64_t, std::uint64_t> gaps_ = {{0, kBytes}};
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_ = {{kBytes, 0}};  // the same gaps
};

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Records which bytes of local memory a block's threads have written, one bit per byte.
//
// Unwritten memory is filled with garbage only when it is read, so a frame costs no more than its
// bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade::sim {

class LocalWritten {
 public:
  /// For `threads` threads of `bytes` bytes each, a multiple of 16.
  void prepare(std::uint64_t threads, std::uint64_t bytes) {
    threads_ = threads;
    stride_ = bytes / 8;
    bits_.assign(threads * stride_, 0);
    used_ = 0;
  }
  /// Marks all bytes as unwritten.
  void clear() {
    for (std::uint64_t t = 0; t < threads_ && used_ != 0; ++t) {
      std::fill_n(bits_.begin() + static_cast<std::ptrdiff_t>(t * stride_), used_, 0);
    }
    used_ = 0;
  }
  /// Marks [offset, offset + bytes) of `thread` as unwritten; both are multiples of 16.
  void begin_frame(std::uint64_t thread, std::uint64_t offset, std::uint64_t bytes) {
    std::fill_n(at(thread, offset), bytes / 8, 0);
  }

  /// Whether all bytes are written, for an access by `thread` of 1, 2, 4, 8 or a multiple of 8
  /// bytes at `offset`, a multiple of `bytes`.
  bool holds(std::uint64_t thread, std::uint64_t offset, std::uint32_t bytes) const {
    const auto* bits = bits_.data() + thread * stride_ + offset / 8;
    const auto wanted = mask(offset, bytes);
    for (std::uint32_t i = 0; i < std::max(bytes / 8, 1U); ++i) {
      if ((wanted & ~bits[i]) != 0) return false;
    }
    return true;
  }
  /// Marks the bytes as written.
  void add(std::uint64_t thread, std::uint64_t offset, std::uint32_t bytes) {
    auto bits = at(thread, offset);
    const auto written = mask(offset, bytes);
    for (std::uint32_t i = 0; i < std::max(bytes / 8, 1U); ++i) {
      bits[i] |= static_cast<std::uint8_t>(written);
    }
    used_ = std::max(used_, (offset + bytes + 7) / 8);
  }
  /// Fills the unwritten bytes at `host` with `garbage`.
  void fill_missing(std::uint64_t thread, std::uint64_t offset, std::uint32_t bytes,
                    std::byte* host, std::byte garbage) const {
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (!holds(thread, offset + i, 1)) host[i] = garbage;
    }
  }

 private:
  static std::uint32_t mask(std::uint64_t offset, std::uint32_t bytes) {
    return bytes >= 8 ? 0xffU : ((1U << bytes) - 1) << offset % 8;
  }
  std::vector<std::uint8_t>::iterator at(std::uint64_t thread, std::uint64_t offset) {
    return bits_.begin() + static_cast<std::ptrdiff_t>(thread * stride_ + offset / 8);
  }

  std::vector<std::uint8_t> bits_;
  std::uint64_t threads_ = 0;
  std::uint64_t stride_ = 0;  // bytes of bits_ per thread
  std::uint64_t used_ = 0;    // used part of a stride: no bit is set after it
};

}  // namespace warpgrade::sim

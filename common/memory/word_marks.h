// SPDX-License-Identifier: Apache-2.0
// The words of a block's shared memory that one pass has seen; clears at no cost.
//
// A table with a number per word: the last pass that saw it. The table covers more than the 227 KB
// that a block can have on any profile; the host only touches the part in use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade::memory {

class WordMarks {
 public:
  /// Starts a pass that has seen no word.
  void forget() {
    if (++pass_ != 0) return;
    std::fill(seen_in_.begin(), seen_in_.end(), 0);  // numbers wrap
    pass_ = 1;
  }

  /// Marks `word`; returns 1 if this pass sees it first. Words 256 KiB apart are not distinguished.
  std::uint8_t mark(std::uint64_t word) {
    std::uint32_t& seen_in = seen_in_[word % kWords];
    const bool is_new = seen_in != pass_;
    seen_in = pass_;
    return is_new ? 1 : 0;
  }

 private:
  static constexpr std::size_t kWords = 65536;
  std::uint32_t pass_ = 0;
  std::vector<std::uint32_t> seen_in_ = std::vector<std::uint32_t>(kWords);
};

}  // namespace warpgrade::memory

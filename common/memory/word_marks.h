// SPDX-License-Identifier: Apache-2.0
// Which words of a block's shared memory one pass has seen; forgets them all in no time.
//
// A table with a number for each word: the number of the pass that saw it last. It spans more than
// the 227 KB that a block can have on any profile, and is only touched where that memory is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade::memory {

class WordMarks {
 public:
  /// Starts a pass that has seen nothing.
  void forget() {
    if (++pass_ != 0) return;
    std::fill(seen_in_.begin(), seen_in_.end(), 0);  // numbers start again
    pass_ = 1;
  }

  /// Marks `word`; 1 where this pass had not seen it. Words 256 KiB apart would be taken for one.
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

// SPDX-License-Identifier: Apache-2.0
// Which words of a block's shared memory one pass has seen; forgets them all in no time.
//
// A table with a number for each word: the number of the pass that saw it last. It grows to the
// shared memory that is used, 256 KB at most for the 227 KB of an H200's block, and is only touched
// where that is touched.
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

  /// Marks `word`; 1 where this pass had not seen it. Words 4 MiB apart would be taken for one.
  std::uint8_t mark(std::uint64_t word) {
    word %= kMostWords;
    if (word >= seen_in_.size()) seen_in_.resize(static_cast<std::size_t>(word) + 1024);
    const bool is_new = seen_in_[word] != pass_;
    seen_in_[word] = pass_;
    return is_new ? 1 : 0;
  }

 private:
  static constexpr std::uint64_t kMostWords = std::uint64_t{1} << 20;  // 4 MiB: more than any has
  std::uint32_t pass_ = 0;
  std::vector<std::uint32_t> seen_in_;
};

}  // namespace warpgrade::memory

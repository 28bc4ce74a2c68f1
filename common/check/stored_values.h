// SPDX-License-Identifier: Apache-2.0
// The values that a block has stored in shared memory, and whether any store since the last barrier
// of the block changed them.
//
// A byte is unchanged if it was stored before the last barrier and every store since has stored
// the same value. The first store of a byte in a block always changes it, because memory that no
// thread has written has no value. So do an atomic, whose value is unknown, and the next store
// after it. A store of the old value after a store of another one does not undo the change: another
// thread may read in between.
//
// One number per 4-byte word: the interval of the last store, its changed bytes, and all bytes
// whose value is known. Intervals are numbered across blocks, so a barrier and a new block cost
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade::check {

class StoredValues {
 public:
  void begin_launch(std::uint32_t words);
  void begin_block();
  /// All threads have met: earlier stores no longer race with later accesses.
  void begin_interval();

  /// A store of `bytes` bytes at `offset`, all in one word. `data` is nullptr if the value is
  /// unknown. value_is() still compares with the previous value, until keep(). A bulk copy always
  /// counts as a change.
  void store(std::uint64_t offset, std::uint32_t bytes, const std::byte* data, bool is_bulk);
  void keep(std::uint64_t offset, std::uint32_t bytes, const std::byte* data);
  /// store() and keep() for `count` words, a multiple of 32, that no store has touched in this
  /// interval.
  void store_words(std::uint64_t begin, std::uint32_t count, const std::byte* data, bool is_bulk);

  /// Whether these bytes, all in one word, hold `data`, for bytes that were stored before.
  bool value_is(std::uint64_t offset, std::uint32_t bytes, const std::byte* data) const;
  /// Whether no store since the last barrier changed these bytes, all in one word.
  bool is_unchanged(std::uint64_t offset, std::uint32_t bytes) const;

 private:
  void restart();
  /// The known bytes of a word, in bits 4 to 7, and those changed in this interval, in bits 0 to 3.
  std::int32_t known(std::int32_t word) const;
  std::int32_t changed(std::int32_t word) const;

  std::int32_t interval_ = kStep;
  std::int32_t block_ = kStep;  // the block's first interval
  std::vector<std::int32_t> words_;
  std::vector<std::byte> values_;

  static constexpr std::int32_t kStep = 0x100;  // bits 0 to 3: changed bytes; 4 to 7: known bytes
};

}  // namespace warpgrade::check

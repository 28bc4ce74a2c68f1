// SPDX-License-Identifier: Apache-2.0
// Banks: the number of wavefronts in which shared memory serves one access of a warp.
//
// In: the addresses, the mask and the size of one request. Out: its wavefronts and conflicts by
// the rule of the GPU's generation. Also the rounds of atomics without an instruction, and the
// words by bank and pass for pictures. Wavefronts of accesses with one stride are looked up.
//
// shared_banks.h describes the rules, their sources and what is only an estimate.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

// The words of a block's shared memory that one pass has seen; clears at no cost.
//
// A table with a number per word: the last pass that saw it. The table covers more than the 227 KB
// that a block can have on any profile; the host only touches the part in use.

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

/// The kind of access.
enum class SharedUse : std::uint8_t { kLoad, kStore, kAtomic, kCompareAndSwap };

struct SharedAccess {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;  ///< Wavefronts beyond the least for this number and width of lanes.

  friend bool operator==(const SharedAccess&, const SharedAccess&) = default;
};

/// Wavefronts of one access; addresses are offsets into the block's shared memory. `marks` is
/// scratch.
SharedAccess shared_access(device::SharedBanks rule, const Request& request, SharedUse use,
                           WordMarks& marks);

/// The same with its own scratch, for single calls.
SharedAccess shared_access(device::SharedBanks rule, const Request& request,
                           SharedUse use = SharedUse::kLoad);

/// Wavefronts of an access by all lanes to 4-byte words that are `stride` bytes apart, a multiple
/// of 4; 32 banks, no atomic. The number of lanes that meet in a bank is the greatest common
/// divisor of 32 and the stride in 4-byte words; lanes on one word share it.
inline SharedAccess words_apart(std::int64_t stride) {
  const int twos = std::countr_zero(static_cast<std::uint64_t>(stride)) - 2;
  const std::uint32_t wavefronts = stride == 0 ? 1 : std::uint32_t{1} << std::min(twos, 5);
  return {wavefronts, wavefronts - 1};
}

/// Whether a load of 8 or 16 bytes per lane runs in groups twice as large (32 banks): for every
/// active lane i, lane i ^ 1 is inactive or has the same address, or the same holds for i ^ 2.
bool joins_groups(const Request& request);

/// Wavefronts do not change if all addresses move by this number of bytes, a power of two: the span
/// of all banks, times the number of columns if banks have columns.
constexpr std::uint64_t bank_period(device::SharedBanks rule) {
  switch (rule) {
    case device::SharedBanks::kSixteenHalfWarp:
      return 64;
    case device::SharedBanks::kThirtyTwo:
      return 128;
    case device::SharedBanks::kKepler32:
    case device::SharedBanks::kKepler64:
      break;
  }
  return 256;
}

// Shared memory atomics without an instruction on the H200: 64-bit arithmetic and logic, and
// additions of floats. The machine code is a loop: load the word (LDS), compute, and store it if no
// other lane has changed it (ATOMS.CAST.SPIN); lanes that lose try again.
//
// This rule matches every counter of 20 probes on an H200 (tests/evidence/golden/h200_outputs,
// atom_u64, and the same patterns with red.shared.add.f32). In a round each group (the warp for 4
// bytes, each half-warp for 8) swaps one lane per bank: the lowest one left. The swap succeeds
// unless the previous group has changed the word in the same round. A group with an active lane
// costs two passes per round for any addresses, and they do not count as conflicts. An operation
// that leaves the word unchanged (a min that is not less) is treated like any other.

struct SharedLoop {
  std::uint32_t rounds = 0;  ///< Loads, and the same number of swaps.
  SharedAccess loads;
  SharedAccess swaps;
  std::uint32_t one_round = 0;  ///< Wavefronts of the first round without bank conflicts.

  friend bool operator==(const SharedLoop&, const SharedLoop&) = default;
};

/// The loop for one atomic of 4 or 8 bytes per lane (32 banks). `marks` is scratch.
SharedLoop shared_loop(const Request& request, WordMarks& marks);

// The wavefronts of accesses to shared memory by one rule; those of regular ones are looked up.

/// Caches the wavefronts of regular accesses (one stride over a full warp). They depend on the
/// address only modulo the period of the banks, so a small table saves most of the work. Collisions
/// overwrite entries; the result does not depend on the table.
class BankMemo {
 public:
  explicit BankMemo(device::SharedBanks rule) : rule_(rule), period_(bank_period(rule)) {}

  /// `marks` are those of the same observer.
  SharedAccess count(const run::MemoryEvent& event, SharedUse use, WordMarks& marks) {
    const auto compute = [&] {
      return shared_access(rule_, {event.address, event.mask, event.bytes}, use, marks);
    };
    if (event.stride == run::kIrregular) return compute();
    const bool is_word = event.bytes == 4 && event.stride % 4 == 0 &&
                         !run::is_atomic(event.operation) &&
                         rule_ == device::SharedBanks::kThirtyTwo;
    return is_word ? words_apart(event.stride) : look_up(event, use, compute);
  }

 private:
  template <typename Function>
  const SharedAccess& look_up(const run::MemoryEvent& event, SharedUse use, Function compute) {
    const auto stride = static_cast<std::uint64_t>(event.stride);
    const std::uint64_t rest = event.address[0] % period_ | std::uint64_t{event.bytes} << 8 |
                               std::uint64_t{static_cast<std::uint8_t>(use)} << 16 |
                               std::uint64_t{1} << 24;
    Entry& entry = entries_[((stride ^ rest << 40) * 0x9e3779b97f4a7c15U) >> (64 - kBits)];
    if (entry.stride != stride || entry.rest != rest) entry = {stride, rest, compute()};
    return entry.result;
  }

  static constexpr int kBits = 8;
  struct Entry {
    std::uint64_t stride = 0;
    std::uint64_t rest = 0;  ///< 0: unused entry.
    SharedAccess result;
  };
  device::SharedBanks rule_;
  std::uint64_t period_;
  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

// The words of one shared memory access by bank and pass, as input for pictures of the
// access.
//
// A bank delivers one word per pass, so the words of one bank form a column in the order of
// the lanes. shared_banks.h has the same rules but only counts. The number of rows equals its
// number of wavefronts (half of it for a compare and swap).

/// A word that a lane gets from a bank. Lanes that share a word have the same row.
struct BankWord {
  std::uint32_t lane = 0;
  std::uint32_t bank = 0;
  std::uint32_t row = 0;  ///< The pass that serves it, from 0.

  friend bool operator==(const BankWord&, const BankWord&) = default;
};

/// In the order of the groups that run at once, then in the order of the lanes.
std::vector<BankWord> bank_words(device::SharedBanks rule, const Request& request, SharedUse use);

/// The number of banks under that rule, and the bytes of a bank's word.
std::uint32_t bank_count(device::SharedBanks rule);
std::uint32_t bank_bytes(device::SharedBanks rule);

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
// The wavefronts of accesses to shared memory by one rule; those of regular ones are looked up.
#pragma once

#include <array>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/memory/word_marks.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

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

}  // namespace warpgrade::memory

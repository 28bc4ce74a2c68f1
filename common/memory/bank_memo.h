// SPDX-License-Identifier: Apache-2.0
// A memo of the wavefronts of regular accesses to shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

/// Caches the wavefronts of regular accesses (one stride over a full warp). They depend on the
/// address only modulo the period of the banks, so a small table saves most of the work. Collisions
/// overwrite entries; the result does not depend on the table.
class BankMemo {
 public:
  explicit BankMemo(device::SharedBanks rule) : period_(bank_period(rule)) {}

  template <typename Function>
  const SharedAccess& get(const run::MemoryEvent& event, SharedUse use, Function compute) {
    const auto stride = static_cast<std::uint64_t>(event.stride);
    const std::uint64_t rest = event.address[0] % period_ | std::uint64_t{event.bytes} << 8 |
                               std::uint64_t{static_cast<std::uint8_t>(use)} << 16 |
                               std::uint64_t{1} << 24;
    Entry& entry = entries_[((stride ^ rest << 40) * 0x9e3779b97f4a7c15U) >> (64 - kBits)];
    if (entry.stride != stride || entry.rest != rest) entry = {stride, rest, compute()};
    return entry.result;
  }

 private:
  static constexpr int kBits = 8;
  struct Entry {
    std::uint64_t stride = 0;
    std::uint64_t rest = 0;  ///< 0: unused entry.
    SharedAccess result;
  };
  std::uint64_t period_;
  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

}  // namespace warpgrade::memory

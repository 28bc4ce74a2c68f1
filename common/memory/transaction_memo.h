// SPDX-License-Identifier: Apache-2.0
// A cache for count_transactions() of warps that access a row of adjacent words.
//
// The result of such a request depends only on its offset from the start of two segments, so each
// offset is computed once. Other requests, and those with more than a few transactions, are
// computed each time. The result does not depend on the cache.
#pragma once

#include <array>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

class TransactionMemo {
 public:
  /// Equals count_transactions(); `transactions` gets list and count.
  GlobalAccess count(device::Coalescing rule, const run::MemoryEvent& event,
                     Transactions& transactions);

 private:
  static constexpr std::uint64_t kPeriod = 256;  // two segments of the longest kind
  static constexpr std::size_t kFew = 6;
  struct Row {
    device::Coalescing rule{};
    std::uint32_t bytes = 0;  ///< Bytes per lane; 0: unused entry.
    std::uint32_t count = 0;
    std::array<Transaction, kFew> list;  ///< Addresses relative to the start of the period.
    GlobalAccess access;
  };
  std::array<Row, kPeriod / 4> rows_{};  ///< By the first lane's 4-byte word in the period.
};

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
// count_transactions() for warps that read or write a row of neighbouring words, from memory.
//
// Such a request is the same wherever it lies, but for its offset from the start of two segments,
// so each offset is counted once. Others, and what needs more than a few transactions, are counted
// each time; the result is the same with and without the memory.
#pragma once

#include <array>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

class TransactionMemo {
 public:
  /// Does what count_transactions() does; `transactions` gets list and count.
  GlobalAccess count(device::Coalescing rule, const run::MemoryEvent& event,
                     Transactions& transactions);

 private:
  static constexpr std::uint64_t kPeriod = 256;  // two segments of the longest kind
  static constexpr std::size_t kFew = 6;
  struct Row {
    device::Coalescing rule{};
    std::uint32_t bytes = 0;  ///< Size of a lane's word; 0: empty.
    std::uint32_t count = 0;
    std::array<Transaction, kFew> list;  ///< Addresses from the start of the period on.
    GlobalAccess access;
  };
  std::array<Row, kPeriod / 4> rows_{};  ///< By the first lane's word of 4 bytes in the period.
};

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
#include "common/memory/transaction_memo.h"

#include <algorithm>

namespace warpgrade::memory {

GlobalAccess TransactionMemo::count(device::Coalescing rule, const run::MemoryEvent& event,
                                    Transactions& transactions) {
  const Request request{event.address, event.mask, event.bytes};
  const bool is_row = event.stride == event.bytes && event.bytes >= 4 && event.address[0] % 4 == 0;
  if (!is_row) return count_transactions(rule, request, transactions);

  const std::uint64_t offset = event.address[0] % kPeriod;
  const std::uint64_t start = event.address[0] - offset;
  Row& row = rows_[offset / 4];
  if (row.bytes == event.bytes && row.rule == rule) {
    transactions.count = row.count;
    for (std::uint32_t i = 0; i < row.count; ++i) {
      transactions.list[i] = {start + row.list[i].address, row.list[i].bytes};
    }
    return row.access;
  }
  const GlobalAccess access = count_transactions(rule, request, transactions);
  if (transactions.count > kFew) return access;
  row = {rule, event.bytes, transactions.count, {}, access};
  for (std::uint32_t i = 0; i < row.count; ++i) {
    row.list[i] = {transactions.list[i].address - start, transactions.list[i].bytes};
  }
  return access;
}

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
// The memo must return the transactions that count_transactions() counts, in any order of calls.
#include "common/memory/transaction_memo.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/memory/patterns.h"

namespace warpgrade::memory::transaction_memo_test {

TEST(TransactionMemo, RemembersNothingThatDoesNotApply) {
  TransactionMemo memo;
  Transactions got;
  Transactions want;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t bytes = 1U << random() % 5;
    const auto stride = static_cast<std::uint64_t>(random() % 4 == 0 ? 2 * bytes : bytes);
    const std::uint64_t first = random() % 2048 * bytes + (random() % 16 == 0 ? 1 : 0);
    const Addresses address = lanes([&](auto lane) { return first + stride * lane; });
    const auto rule = random() % 2 == 0 ? device::Coalescing::kHalfWarpSegments
                                        : device::Coalescing::kHalfWarpStrict;
    run::MemoryEvent event;
    event.address = address.data();
    event.bytes = static_cast<std::uint8_t>(bytes);
    event.mask = random() % 4 == 0 ? static_cast<std::uint32_t>(random()) | 1U : run::kFullMask;
    event.stride =
        event.mask == run::kFullMask ? static_cast<std::int64_t>(stride) : run::kIrregular;
    const auto expected = count_transactions(rule, {address.data(), event.mask, bytes}, want);
    ASSERT_EQ(expected, memo.count(rule, event, got)) << first << ' ' << stride << ' ' << bytes;
    ASSERT_EQ(want.count, got.count);
    for (std::uint32_t t = 0; t < want.count; ++t) ASSERT_EQ(want.list[t], got.list[t]);
  }
}

}  // namespace warpgrade::memory::transaction_memo_test

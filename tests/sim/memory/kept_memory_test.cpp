// SPDX-License-Identifier: Apache-2.0
// Memory that later tables reuse. The sizes occur only in this file, so no table of another test is
// reused here.
#include "common/sim/memory/kept_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "common/base/error.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim::kept_memory_test {

constexpr std::size_t kBytes = std::size_t{48} << 20;
constexpr auto kMark = std::byte{0x5a};

// Creates and destroys a table of `bytes` bytes, of which `touched` count as written. Returns its
// address.
const std::byte* use(std::size_t bytes, std::size_t touched) {
  KeptMemory memory(bytes, FirstBytes::kAny, "table");
  memory.get()[0] = kMark;
  memory.set_touched(touched);
  return memory.get();
}

TEST(KeptMemory, GivesTheNextTableWhatTheLastOneLeft) {
  const auto* const first = use(kBytes, 4096);
  KeptMemory next(kBytes - 5000, FirstBytes::kAny, "next");
  EXPECT_EQ(first, next.get());
  EXPECT_EQ(kMark, next.get()[0]);
}

TEST(KeptMemory, GivesTwoTablesAtATimeMemoryOfTheirOwn) {
  use(kBytes, 4096);
  KeptMemory a(kBytes, FirstBytes::kAny, "a");
  KeptMemory b(kBytes, FirstBytes::kAny, "b");
  EXPECT_NE(a.get(), b.get());
}

TEST(KeptMemory, OfZerosIsNotWhatATableOfAnyBytesLeft) {
  use(kBytes, 4096);
  KeptMemory zeros(kBytes, FirstBytes::kZeros, "zeros");
  EXPECT_EQ(std::byte{0}, zeros.get()[0]);
}

TEST(KeptMemory, IsNotKeptWhereNobodySaidWhatWasTouched) {
  {
    KeptMemory memory(kBytes * 4, FirstBytes::kAny, "table");
    memory.get()[0] = kMark;
  }
  KeptMemory next(kBytes * 4, FirstBytes::kAny, "next");
  EXPECT_EQ(std::byte{0}, next.get()[0]);
}

TEST(KeptMemory, IsNotKeptPastALimit) {
  use(kBytes, KeptMemory::kMostKept + 1);
  EXPECT_LE(KeptMemory::kept(), KeptMemory::kMostKept);
  {
    KeptMemory a(kBytes, FirstBytes::kAny, "a");
    KeptMemory b(kBytes, FirstBytes::kAny, "b");
    a.set_touched(KeptMemory::kMostKept);
    b.set_touched(KeptMemory::kMostKept);
  }
  EXPECT_LE(KeptMemory::kept(), KeptMemory::kMostKept);
}

TEST(KeptMemory, MakesRoomByGivingBackWhatIsOldest) {
  use(kBytes * 2, KeptMemory::kMostKept);
  const auto* const last = use(kBytes, 4096);
  EXPECT_EQ(4096U, KeptMemory::kept());
  KeptMemory next(kBytes, FirstBytes::kAny, "next");
  EXPECT_EQ(last, next.get());
}

TEST(KeptMemory, RemembersWhatEarlierTablesHaveTouched) {
  constexpr std::size_t kTouched = std::size_t{1} << 20;
  use(kBytes * 2, kTouched);
  const auto kept = KeptMemory::kept();
  use(kBytes * 2, 4096);
  EXPECT_EQ(kept, KeptMemory::kept());
}

TEST(KeptMemory, OfMoreThanThereAreAddressesIsAnErrorOfOurs) {
  EXPECT_THROW(KeptMemory(std::size_t{1} << 60, FirstBytes::kAny, "huge"), base::ToolError);
}

run::Pattern filled_with(std::byte value) {
  run::Pattern out;
  out.name = "in";
  out.bytes = out.period = std::uint64_t{96} << 20;
  out.make = [value](std::uint64_t, std::span<std::byte> to) {
    std::fill(to.begin(), to.end(), value);
  };
  return out;
}

TEST(KeptMemory, ShowsNoBufferWhatAnEarlierOneHeld) {
  constexpr std::uint64_t kFar = std::uint64_t{50} << 20;
  {
    SparseBuffer earlier(filled_with(std::byte{1}));
    for (const auto at : {kFar, std::uint64_t{0}, kFar + 128}) *earlier.at(at) = kMark;
  }
  SparseBuffer buffer(filled_with(std::byte{2}));
  EXPECT_TRUE(buffer.made().empty());
  EXPECT_EQ(std::byte{2}, *buffer.at(kFar + 128));
  EXPECT_EQ(std::byte{2}, *buffer.at(kFar));
  EXPECT_EQ(std::byte{2}, *buffer.at(0));
  EXPECT_EQ(3U, buffer.made().size());
}

}  // namespace warpgrade::sim::kept_memory_test

// SPDX-License-Identifier: Apache-2.0
#include "common/check/stored_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace warpgrade::check::stored_values_test {

class StoredValuesTest : public testing::Test {
 protected:
  void SetUp() override {
    values.begin_launch(128);
    values.begin_block();
  }
  template <typename T>
  void store(std::uint64_t offset, T value) {
    std::array<std::byte, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    values.store(offset, sizeof(T), bytes.data(), false);
    values.keep(offset, sizeof(T), bytes.data());
  }
  // Stores 64 words from word `word` on: first `data`, then `rest` in all others.
  void store_words(std::uint64_t word, const std::array<int, 4>& data, bool is_bulk = false,
                   int rest = 0) {
    std::array<int, 64> words{};
    words.fill(rest);
    std::copy(data.begin(), data.end(), words.begin());
    std::array<std::byte, 256> bytes{};
    std::memcpy(bytes.data(), words.data(), bytes.size());
    values.store_words(word, 64, bytes.data(), is_bulk);
  }

  StoredValues values;
};

TEST_F(StoredValuesTest, OnlyTheSameValueBehindABarrierIsUnchanged) {
  store(8, 7);
  EXPECT_FALSE(values.is_unchanged(8, 4));
  values.begin_interval();
  store(8, 7);
  EXPECT_TRUE(values.is_unchanged(8, 4));
  store(8, 6);
  EXPECT_FALSE(values.is_unchanged(8, 4));
  store(8, 7);  // Another thread may have read 6.
  EXPECT_FALSE(values.is_unchanged(8, 4));
  values.begin_interval();
  store(8, 7);
  EXPECT_TRUE(values.is_unchanged(8, 4));
}

TEST_F(StoredValuesTest, MemoryThatNoStoreOfTheBlockHasWrittenHasNoValue) {
  EXPECT_FALSE(values.is_unchanged(0, 4));
  store(0, 0);
  values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(0, 4));
  values.begin_block();
  EXPECT_FALSE(values.is_unchanged(0, 4));
  store(0, 0);
  EXPECT_FALSE(values.is_unchanged(0, 4));
}

TEST_F(StoredValuesTest, ARunOfWordsEqualsStoresOneByOne) {
  store_words(4, {1, 2, 3, 4});
  store(272, 5);
  EXPECT_FALSE(values.is_unchanged(16, 4));
  values.begin_interval();
  store_words(4, {1, 2, 9, 4});
  for (const std::uint64_t offset : {16, 20, 28, 32, 144, 268}) {
    EXPECT_TRUE(values.is_unchanged(offset, 4)) << offset;
  }
  EXPECT_FALSE(values.is_unchanged(24, 4));
  values.begin_interval();
  store_words(5, {2, 9, 4, 0});  // up to the word at 272, which held 5
  for (const std::uint64_t offset : {20, 24, 28, 32, 268}) {
    EXPECT_TRUE(values.is_unchanged(offset, 4)) << offset;
  }
  EXPECT_FALSE(values.is_unchanged(272, 4));
}

TEST_F(StoredValuesTest, BytesOfAWordCountOneByOne) {
  store(4, static_cast<short>(3));
  values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(4, 2));
  EXPECT_FALSE(values.is_unchanged(4, 4));  // Its other half has no value.
  store(6, static_cast<short>(0));
  EXPECT_TRUE(values.is_unchanged(4, 2));
  EXPECT_FALSE(values.is_unchanged(6, 2));
  values.begin_interval();
  store(5, static_cast<char>(1));
  EXPECT_TRUE(values.is_unchanged(4, 1));
  EXPECT_FALSE(values.is_unchanged(4, 2));
  EXPECT_TRUE(values.is_unchanged(6, 2));
}

TEST_F(StoredValuesTest, AnUnknownValueChangesTheWordAndTheNextStoreDoesToo) {
  store(0, 1);
  values.begin_interval();
  values.store(0, 4, nullptr, false);
  EXPECT_FALSE(values.is_unchanged(0, 4));
  values.begin_interval();
  store(0, 1);
  EXPECT_FALSE(values.is_unchanged(0, 4));
  values.begin_interval();
  store(0, 1);
  EXPECT_TRUE(values.is_unchanged(0, 4));
}

TEST_F(StoredValuesTest, ABulkCopyAlwaysChangesWords) {
  store_words(4, {1, 2, 3, 4}, true);
  values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(16, 4));
  store_words(4, {1, 2, 3, 4}, true);
  EXPECT_FALSE(values.is_unchanged(16, 4));
}

TEST_F(StoredValuesTest, IntervalsThatStartAgainKeepTheValues) {
  store(0, 1);
  store(6, static_cast<short>(1));
  values.begin_interval();
  store(8, 1);
  for (int i = 0; i < (1 << 23); ++i) values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(0, 4));
  EXPECT_TRUE(values.is_unchanged(6, 2));
  EXPECT_FALSE(values.is_unchanged(4, 4));
  store(0, 1);
  EXPECT_TRUE(values.is_unchanged(0, 4));
  store(0, 2);
  EXPECT_FALSE(values.is_unchanged(0, 4));
}

}  // namespace warpgrade::check::stored_values_test

// SPDX-License-Identifier: Apache-2.0
// The table of keys has each number of a profile once.
#include "common/device/profile_fields.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "common/base/error.h"

namespace warpgrade::device::profile_fields_test {

// The padding in a Profile: 3 bytes after each of two flags, and 4 bytes after each of four odd
// counts of whole numbers, before the next number or at the end of their group.
constexpr std::size_t kPadding = 22;

/// The number; 0 if it is not set, as in a file.
template <typename Number>
double value_of(const Number& number) {
  return number;
}
template <typename Number>
double value_of(const std::optional<Number>& number) {
  return number.value_or(0);
}

TEST(ProfileFields, EachKeyIsThereOnce) {
  std::set<std::string_view> keys;
  for (const Field& field : fields()) EXPECT_TRUE(keys.insert(field.key).second) << field.key;
}

// sizeof(Profile) minus the keys, and minus the texts and rules that have readers of their own. The
// rest must be padding; otherwise the table lacks a number.
TEST(ProfileFields, EveryNumberOfAProfileHasAKey) {
  std::size_t known = 4 * sizeof(std::string) + 2 * sizeof(std::uint32_t) + sizeof(Coalescing) +
                      sizeof(SharedBanks) + sizeof(TagBanks) + 2 * sizeof(ErrorsByKind);
  for (const Field& field : fields()) {
    known += std::visit([](auto at) { return sizeof(at(std::declval<Profile&>())); }, field.at);
  }
  EXPECT_EQ(kPadding, sizeof(Profile) - known);
}

TEST(ProfileFields, RangesAreNotEmptyAndHoldTheDefault) {
  Profile defaults;
  for (const Field& field : fields()) {
    if (std::holds_alternative<At<bool>>(field.at)) continue;
    EXPECT_LT(field.least, field.most) << field.key;
    if (field.required) continue;
    const double value = std::visit([&](auto at) { return value_of(at(defaults)); }, field.at);
    EXPECT_LE(field.least, value) << field.key;
    EXPECT_GE(field.most, value) << field.key;
  }
}

TEST(ProfileFields, AQuantityIsExact) {
  EXPECT_EQ(145e-9, quantity("145 ns", Unit::kSeconds, 1e9));
  EXPECT_EQ(3e-12, quantity("3 ps", Unit::kSeconds, 1e9));
  EXPECT_EQ(29 / 1.98e9, quantity("29 clocks", Unit::kSeconds, 1.98e9));
  EXPECT_EQ(4.8e12, quantity("4800 GB/s", Unit::kBytesPerSecond, 1e9));
  EXPECT_EQ(228 * 1024.0, quantity("228 KiB", Unit::kBytes, 1e9));
  EXPECT_THROW(quantity("228 KB", Unit::kBytes, 1e9), base::UsageError);
  EXPECT_THROW(quantity("ns", Unit::kSeconds, 1e9), base::UsageError);
  EXPECT_THROW(quantity("1 ns ", Unit::kSeconds, 1e9), base::UsageError);
}

}  // namespace warpgrade::device::profile_fields_test

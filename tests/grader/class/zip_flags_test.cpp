// SPDX-License-Identifier: Apache-2.0
#include "grader/class/zip_flags.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::grader::class_book::zip_flags_test {

// A zip file with one empty entry: a local header, its central header, and the end record.
std::string zip_of(const std::string& name) {
  const auto two = [](std::size_t value) {
    return std::string{static_cast<char>(value & 0xff), static_cast<char>(value >> 8)};
  };
  const auto common = std::string("\x14\0\0\x08", 4) + std::string(18, '\0') + two(name.size());
  const auto local = std::string("PK\x03\x04") + common + two(0) + name;
  const auto central = std::string("PK\x01\x02\x14\0", 6) + common + std::string(16, '\0') + name;
  return local + central + std::string("PK\x05\x06") + std::string(4, '\0') + two(1) + two(1) +
         two(central.size()) + two(0) + two(local.size()) + two(0) + two(0);
}

bool has_flag(const std::string& zip, const char* mark, std::size_t offset) {
  return (zip.at(zip.find(mark) + offset + 1) & 8) != 0;
}

TEST(ZipFlags, AreClearedIfTheNameIsNotUtf8) {
  for (const std::string name : {"plain", "Übung", "李明"}) {
    auto zip = zip_of(name);
    const auto before = zip;
    clear_wrong_utf8_flags(zip);
    EXPECT_EQ(before, zip);
    EXPECT_TRUE(has_flag(zip, "PK\x03\x04", 6));
  }
  auto zip = zip_of("M\xfcller");
  EXPECT_TRUE(has_flag(zip, "PK\x01\x02", 8));
  clear_wrong_utf8_flags(zip);
  EXPECT_FALSE(has_flag(zip, "PK\x03\x04", 6));
  EXPECT_FALSE(has_flag(zip, "PK\x01\x02", 8));
}

TEST(ZipFlags, DamagedBytesAreReadNowhereElse) {
  const auto whole = zip_of("M\xfcller");
  for (std::size_t i = 0; i <= whole.size(); ++i) {
    auto cut = whole.substr(0, i);
    clear_wrong_utf8_flags(cut);
    EXPECT_EQ(i, cut.size());
    auto rest = whole.substr(i);
    clear_wrong_utf8_flags(rest);
    auto changed = whole;
    for (std::size_t j = i; j < std::min(i + 4, changed.size()); ++j) changed[j] = '\xff';
    clear_wrong_utf8_flags(changed);
    EXPECT_EQ(whole.size(), changed.size());
  }
}

}  // namespace warpgrade::grader::class_book::zip_flags_test

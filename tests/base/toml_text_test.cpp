// SPDX-License-Identifier: Apache-2.0
// Converts text to a table and reports invalid TOML.
#include "common/base/toml_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::base::toml_text_test {

TEST(TomlText, KnowsWhereAKeyStands) {
  const auto table = parse_toml("a = 1\n  b = \"x\"\n", "f.toml");
  EXPECT_EQ((SourceLocation{"f.toml", 2, 7}), place_in("f.toml", table.get("b")->source()));
}

TEST(TomlText, ASyntaxErrorHasItsPlaceAndNoControlCharacters) {
  try {
    parse_toml("a = 1\nb = \x1b\n", "f.toml");
    FAIL() << "it was taken";
  } catch (const TomlError& error) {
    EXPECT_EQ(2U, error.where().line);
    EXPECT_THAT(error.what(), testing::StartsWith("f.toml:2:"));
    EXPECT_THAT(error.what(), testing::HasSubstr("not valid TOML"));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\x1b")));
  }
}

TEST(TomlText, DeepKeysAreRefusedBeforeTheyOverflowTheStack) {
  std::string deep = "a";
  for (int i = 0; i < 100000; ++i) deep += ".a";
  EXPECT_THROW(parse_toml(deep + " = 1\n", "f.toml"), TomlError);
}

TEST(TomlText, NamesTypesForPeople) {
  const auto table = parse_toml("a = 1\nb = 1.5\nc = \"\"\nd = true\ne = []\nf = {}\n", "f.toml");
  const auto type = [&](std::string_view key) { return type_name(*table.get(key)); };
  EXPECT_EQ("a whole number", type("a"));
  EXPECT_EQ("a number", type("b"));
  EXPECT_EQ("a string", type("c"));
  EXPECT_EQ("true or false", type("d"));
  EXPECT_EQ("an array", type("e"));
  EXPECT_EQ("a table", type("f"));
}

}  // namespace warpgrade::base::toml_text_test

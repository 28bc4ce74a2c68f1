// SPDX-License-Identifier: Apache-2.0
// Typed keys of a TOML table, each mistake with its place.
#include "grader/text/toml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::text::toml_reader_test {

using testing::ElementsAre;
using testing::HasSubstr;

class TomlReaderTest : public testing::Test {
 protected:
  Table table(const std::string& text) {
    parsed_ = base::parse_toml(text, "lab.toml");
    return {parsed_, "lab.toml", "lab `x`"};
  }
  template <typename Function>
  static std::string error_of(const Function& function) {
    try {
      function();
    } catch (const base::TomlError& error) {
      return error.what();
    }
    return {};
  }
  toml::table parsed_;
};

TEST_F(TomlReaderTest, ReadsEachTypeAndWhatIsLeftOut) {
  auto t = table(
      "a = \"text\"\nb = 2.5\nc = 7\nd = true\ne = [\"x\", \"y\"]\nf = [1, 2]\ng = 3\nh = [0.5, "
      "2]");
  EXPECT_EQ("text", t.text("a"));
  EXPECT_EQ("else", t.text_or("z", "else"));
  EXPECT_EQ(2.5, t.number("b"));
  EXPECT_EQ(7U, t.count("c"));
  EXPECT_TRUE(t.flag_or("d", false));
  EXPECT_TRUE(t.flag_or("y", true));
  EXPECT_THAT(t.texts("e"), ElementsAre("x", "y"));
  EXPECT_THAT(t.integers("f"), ElementsAre(1, 2));
  EXPECT_THAT(t.integers("g"), ElementsAre(3));
  EXPECT_THAT(t.numbers("h"), ElementsAre(0.5, 2));
  EXPECT_FALSE(t.has("z"));
  t.finish();
}

TEST_F(TomlReaderTest, AMissingKeyAndAWrongTypeNameTheKeyAndThePlace) {
  auto t = table("a = 1\nb = \"x\"\n");
  EXPECT_THAT(error_of([&] { t.text("c"); }),
              testing::AllOf(HasSubstr("lab.toml"), HasSubstr("`c`")));
  EXPECT_THAT(error_of([&] { t.text("a"); }), HasSubstr("lab.toml:1:"));
  EXPECT_THAT(error_of([&] { t.number("b"); }), HasSubstr("lab.toml:2:"));
}

TEST_F(TomlReaderTest, AKeyThatNobodyAskedForIsAMistakeWithASuggestion) {
  auto t = table("title = \"x\"\ntitel = \"y\"\n");
  t.text("title");
  const auto message = error_of([&] { t.finish(); });
  EXPECT_THAT(message, HasSubstr("lab.toml:2:"));
  EXPECT_THAT(message, HasSubstr("did you mean `title`"));
}

TEST_F(TomlReaderTest, AKeyThatMayBeThereIsKnown) {
  auto t = table("a = 1\n");
  EXPECT_TRUE(t.accept("a"));
  EXPECT_FALSE(t.accept("b"));
  t.finish();
}

TEST_F(TomlReaderTest, AChoiceIsOneOfItsWords) {
  constexpr std::array<std::string_view, 2> kChoices = {"load", "store"};
  auto t = table("a = \"store\"\nb = \"stroe\"\n");
  EXPECT_EQ(1U, t.choice("a", kChoices));
  EXPECT_EQ(0U, t.choice_or("c", kChoices, 0));
  EXPECT_THAT(error_of([&] { t.choice("b", kChoices); }), HasSubstr("store"));
}

TEST_F(TomlReaderTest, ExtentsThatAreNotGivenAreOne) {
  auto t = table("grid = [\"n / 2\", 3]\nblock = []\nmany = [1, 2, 3, 4]\n");
  const auto grid = t.extents("grid");
  EXPECT_EQ(8, evaluate(grid[0], {{"n", 16}}));
  EXPECT_EQ(3, evaluate(grid[1], {}));
  EXPECT_EQ(1, evaluate(grid[2], {}));
  EXPECT_NE("", error_of([&] { t.extents("block"); }));
  EXPECT_NE("", error_of([&] { t.extents("many"); }));
}

TEST_F(TomlReaderTest, CountsAreWholeAndNotNegative) {
  auto t = table("a = -1\nb = 1.5\nc = 4294967296\n");
  for (const auto* key : {"a", "b", "c"}) {
    EXPECT_NE("", error_of([&] { t.count(key); })) << key;
  }
}

TEST_F(TomlReaderTest, TablesInsideAreTables) {
  auto t = table("[one]\na = 1\n[[many]]\nb = 2\n[[many]]\nb = 3\n");
  EXPECT_EQ(1U, t.table("one").count("a"));
  auto many = t.tables("many");
  ASSERT_EQ(2U, many.size());
  EXPECT_EQ(3U, many[1].count("b"));
  EXPECT_TRUE(t.tables("none").empty());
}

TEST_F(TomlReaderTest, TextThatIsNoTomlIsToldWithItsPlace) {
  EXPECT_THAT(error_of([] { base::parse_toml("a = \n", "lab.toml"); }), HasSubstr("lab.toml:1:"));
}

// Without the limit such a key overflows the stack.
TEST_F(TomlReaderTest, KeysOfVeryManyPartsAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  EXPECT_EQ("lab.toml:2:1: a key has more than 100 parts",
            error_of([&] { table("b = 1\n" + key + " = 1\n"); }));
  EXPECT_EQ("lab.toml:1:1: a key has more than 100 parts",
            error_of([&] { table("[" + key + "]\n"); }));
  EXPECT_EQ("", error_of([&] { table("b = \"" + std::string(200, '.') + "\"\na.b.c = 1\n"); }));
}

}  // namespace warpgrade::grader::text::toml_reader_test

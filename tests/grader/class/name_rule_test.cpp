// SPDX-License-Identifier: Apache-2.0
// Rules for file names of an LMS, and expressions that are invalid or take too long.
#include "grader/class/name_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::name_rule_test {

TEST(NameRule, FindsItsGroups) {
  const NameRule rule(R"(^(?<student>[a-z]+)_(?<time>\d+)_(?P<exercise>\w+)\.cu$)");
  const auto found = rule.match("export/ada_20261120235900_copy.cu");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ("ada", found->student);
  EXPECT_EQ("20261120235900", found->time);
  EXPECT_EQ("copy", found->exercise);
  EXPECT_FALSE(rule.match("ada_20261120235900_copy.cu.bak").has_value());
}

TEST(NameRule, LooksInTheWholePathWhereTheLastPartDoesNotMatch) {
  const NameRule rule(R"(^(?<student>[^/]+)/(?<lab>\w+)/(?<exercise>\w+)\.cu$)");
  const auto found = rule.match("bob/coalescing/copy.cu");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ("bob", found->student);
  EXPECT_EQ("coalescing", found->lab);
}

TEST(NameRule, AMistakeIsNamedWithItsPlace) {
  try {
    NameRule("(?<student>[a-z");
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("at its character"));
  }
  EXPECT_THROW(NameRule("(?<exercise>x)"), base::UsageError);
}

TEST(NameRule, GivesUpWhereItWouldTakeForEver) {
  const NameRule rule("^(?<student>(a+)+)$");
  EXPECT_FALSE(rule.match(std::string(60, 'a') + "!").has_value());
}

}  // namespace warpgrade::grader::class_book::name_rule_test

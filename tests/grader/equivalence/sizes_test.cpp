// SPDX-License-Identifier: Apache-2.0
// Limits on sizes, and the values drawn within them. Expected values follow from the limits.
#include "grader/equivalence/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::grader::equivalence::sizes_test {
namespace {

std::vector<SizeLimits> limits(const std::vector<std::string>& texts) {
  std::vector<SizeLimits> out;
  for (const auto& text : texts) out.push_back(parse_size(text));
  return out;
}

std::set<double> values_of(const std::string& name, const std::vector<text::Variables>& all) {
  std::set<double> out;
  for (const auto& one : all) out.insert(one.find(name)->second);
  return out;
}

}  // namespace

TEST(Sizes, EndsPowersOfTwoAndNeighboursAreDrawn) {
  const auto drawn = values_of("n", draw_sizes(limits({"n=3..40"}), {}, 1, 20));
  for (const double value : {3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 39, 40}) {
    EXPECT_TRUE(drawn.contains(value)) << value;
  }
}

TEST(Sizes, NumbersOfTheCodeAndNeighboursAreDrawn) {
  const auto drawn = values_of("n", draw_sizes(limits({"n=1..1000000"}), {4211}, 1, 90));
  for (const double value : {4210, 4211, 4212, 65535, 65536, 65537, 1, 1000000}) {
    EXPECT_TRUE(drawn.contains(value)) << value;
  }
}

TEST(Sizes, AreInTheOrderOfTheirProducts) {
  const auto drawn = draw_sizes(limits({"a=1..50", "b=1..50"}), {}, 1, 60);
  ASSERT_EQ(60U, drawn.size());
  const auto product = [](const auto& one) { return one.at("a") * one.at("b"); };
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end(), [&](const auto& a, const auto& b) {
    return product(a) < product(b);
  }));
  EXPECT_EQ(1, product(drawn.front()));
  EXPECT_EQ(2500, product(drawn.back()));
}

TEST(Sizes, LimitsDependOnEarlierSizes) {
  const auto all = limits({"width=1..100", "height=1..100/width", "pitch=width+1"});
  for (const auto& one : draw_sizes(all, {}, 1, 80)) {
    EXPECT_LE(one.at("width") * one.at("height"), 100);
    EXPECT_EQ(one.at("width") + 1, one.at("pitch"));
  }
  EXPECT_EQ((text::Variables{{"width", 100}, {"height", 1}, {"pitch", 101}}), largest_sizes(all));
}

TEST(Sizes, AStepPermitsItsMultiplesFromTheLeastOn) {
  const auto all = limits({"n=32..100:32"});
  EXPECT_EQ((std::set<double>{32, 64, 96}), values_of("n", draw_sizes(all, {}, 1, 20)));
  EXPECT_EQ(96, largest_sizes(all).at("n"));
}

TEST(Sizes, ASmallerCaseReducesOneSize) {
  const auto all = limits({"a=1..50", "b=a..50"});
  const text::Variables from = {{"a", 3}, {"b", 10}};
  for (const auto& one : smaller_sizes(all, from)) {
    EXPECT_NE(one.at("a") < 3, one.at("b") < 10);
    EXPECT_LE(one.at("a"), one.at("b"));
  }
  EXPECT_EQ((std::set<double>{1, 2, 3}), values_of("a", smaller_sizes(all, from)));
}

TEST(Sizes, MistakesNameTheOption) {
  for (const auto* text : {"n", "=1..2", "1=2", "n=", "n=1..", "n=..3", "n=1..5:"}) {
    EXPECT_THROW(parse_size(text), base::UsageError) << text;
  }
  for (const auto* text : {"n=5..1", "n=1..5:0", "n=-3..5", "n=m..5"}) {
    EXPECT_THROW(draw_sizes(limits({text}), {}, 1, 5), base::UsageError) << text;
  }
}

}  // namespace warpgrade::grader::equivalence::sizes_test

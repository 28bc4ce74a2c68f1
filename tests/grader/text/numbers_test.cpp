// SPDX-License-Identifier: Apache-2.0
#include "grader/text/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/base/error.h"

namespace warpgrade::grader::text::numbers_test {

// Numbers as bytes: ranges, and halves by the bit patterns of IEEE 754.

TEST(Scalars, HalvesAreTheStandardsBitPatterns) {
  const auto half = [](double value) {
    const auto bytes = *encode(verify::ElementType::kF16, value);
    EXPECT_EQ(2u, bytes.size());
    return std::to_integer<int>(bytes[0]) | std::to_integer<int>(bytes[1]) << 8;
  };
  EXPECT_EQ(0x3c00, half(1.0));
  EXPECT_EQ(0xc000, half(-2.0));
  EXPECT_EQ(0x7bff, half(65504.0));
}

TEST(Scalars, IntegersOutOfRangeAreRefused) {
  EXPECT_TRUE(encode(verify::ElementType::kU32, 4294967295.0));
  EXPECT_FALSE(encode(verify::ElementType::kU32, 4294967296.0));
  EXPECT_FALSE(encode(verify::ElementType::kU32, -1.0));
  EXPECT_FALSE(encode(verify::ElementType::kI32, 0.5));
  EXPECT_FALSE(encode(verify::ElementType::kI32, std::nan("")));
  EXPECT_TRUE(encode(verify::ElementType::kI8, -128.0));
  EXPECT_FALSE(encode(verify::ElementType::kI8, -129.0));
}

TEST(Scalars, CountsAreWholeNumbers) {
  EXPECT_EQ(12u, parse_count("12"));
  EXPECT_EQ(UINT64_MAX, parse_count("18446744073709551615"));
  for (const auto* text : {"", "-1", "1.0", " 1", "1 ", "x", "18446744073709551616", "-0"}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
}

// Expressions of manifests: values by hand, and the place and wording of mistakes.

using testing::HasSubstr;

const Variables kVariables = {{"width", 101}, {"height", 45}};

Expression at(const std::string& text) { return {text, {"lab.toml", 7, 9}}; }

std::string expression_error(const std::string& text) {
  try {
    evaluate(at(text), kVariables);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(Expressions, CeilDivRoundsUpOnlyWhatIsLeft) {
  EXPECT_EQ(4, evaluate(at("ceil_div(width, 32)"), kVariables));
  EXPECT_EQ(2, evaluate(at("ceil_div(64, 32)"), kVariables));
  EXPECT_EQ(1, evaluate(at("ceil_div(1, 32)"), kVariables));
}

TEST(Expressions, FollowTheUsualPrecedence) {
  EXPECT_EQ(101 + 45 * 2, evaluate(at("width + height * 2"), kVariables));
  EXPECT_EQ(5, evaluate(at("mod(width, 32)"), kVariables));
  EXPECT_EQ(3, evaluate(at("floor(width / 32)"), kVariables));
}

// These are evaluated without the parser; in brackets they go through it.
TEST(Expressions, AVariableAndAWholeNumberAreWorthWhatTheyAreInBrackets) {
  for (const auto* text : {"width", "height", "0", "32", "007", "999999999999999"}) {
    std::string in_brackets = "(";
    in_brackets += text;
    in_brackets += ")";
    EXPECT_EQ(evaluate(at(in_brackets), kVariables), evaluate(at(text), kVariables));
  }
  EXPECT_EQ(1e15 + 1, evaluate(at("1000000000000001"), kVariables));
}

TEST(Expressions, UnknownVariableIsShownAtItsColumnWithTheNearestName) {
  // The quote is in column 9, and `widht` follows the nine characters `ceil_div(`: 9 + 1 + 9.
  EXPECT_EQ(
      "lab.toml:7:19: \"ceil_div(widht, 32)\": unknown variable `widht`, did you mean "
      "`width`?; the case has: height, width",
      expression_error("ceil_div(widht, 32)"));
}

TEST(Expressions, WhatIsNoExpressionSaysSo) {
  EXPECT_THAT(expression_error("width *"), HasSubstr("lab.toml:7:"));
  EXPECT_THAT(expression_error("width *"), HasSubstr("this is not an expression"));
  EXPECT_THAT(expression_error("ceil_div(width)"), HasSubstr("this is not an expression"));
  EXPECT_THAT(expression_error(""), HasSubstr("this is not an expression"));
  EXPECT_THAT(expression_error("1, 2"), HasSubstr("more than one expression"));
  EXPECT_THAT(expression_error("1 / 0"), HasSubstr("no finite number"));
  EXPECT_THAT(expression_error("width = 3"), HasSubstr("lab.toml:7:"));
}

TEST(Expressions, VariablesStandInWordsInTheOrderOfTheirNames) {
  EXPECT_EQ("height = 45, width = 101", in_words({{"width", 101}, {"height", 45}}));
  EXPECT_EQ("n = 16777216", in_words({{"n", 16777216}}));
  EXPECT_EQ("", in_words({}));
}

TEST(Expressions, HaveAnEnd) {
  EXPECT_EQ(1, evaluate(at(std::string(999, ' ') + "1"), kVariables));
  EXPECT_THAT(expression_error(std::string(1'000'000, '(')),
              HasSubstr("more than 1000 characters"));
}

TEST(Expressions, CountIsWholeAndNotNegative) {
  EXPECT_EQ(4545u, evaluate_count(at("width * height"), kVariables));
  EXPECT_THROW(evaluate_count(at("width / 2"), kVariables), base::UsageError);
  EXPECT_THROW(evaluate_count(at("height - width"), kVariables), base::UsageError);
  EXPECT_THROW(evaluate_count(at("2 ^ 60"), kVariables), base::UsageError);
}

}  // namespace warpgrade::grader::text::numbers_test

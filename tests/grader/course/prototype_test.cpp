// SPDX-License-Identifier: Apache-2.0
// Prototypes of kernels as manifests write them.
#include "grader/course/prototype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::course::prototype_test {

using testing::HasSubstr;
using testing::StartsWith;
using verify::ElementType;

const base::SourceLocation kPlace{"lab.toml", 3, 10};

Prototype parsed(const std::string& text) { return parse_prototype(text, kPlace, "`kernel`"); }

std::string error_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Prototype, HasNamesTypesAndConstants) {
  const auto out = parsed("copy(float* out, const float *in, unsigned n, bool deep)");
  EXPECT_EQ("copy", out.kernel);
  ASSERT_EQ(4U, out.parameters.size());
  EXPECT_EQ("out", out.parameters[0].name);
  EXPECT_TRUE(out.parameters[0].is_pointer);
  EXPECT_FALSE(out.parameters[0].is_constant);
  EXPECT_TRUE(out.parameters[1].is_constant);
  EXPECT_EQ(ElementType::kF32, out.parameters[1].element);
  EXPECT_EQ(ElementType::kU32, out.parameters[2].element);
  EXPECT_TRUE(out.parameters[3].is_bool);
  EXPECT_EQ("copy(float*, const float*, unsigned int, bool)", out.signature());
}

// Spellings of one type in C++.
TEST(Prototype, KnowsTheSpellingsOfEachType) {
  for (const auto& [text, type] : std::vector<std::pair<std::string, ElementType>>{
           {"signed char", ElementType::kI8},
           {"const unsigned char", ElementType::kU8},
           {"short int", ElementType::kI16},
           {"unsigned short", ElementType::kU16},
           {"int", ElementType::kI32},
           {"unsigned", ElementType::kU32},
           {"long long", ElementType::kI64},
           {"unsigned long long int", ElementType::kU64},
           {"double", ElementType::kF64}}) {
    EXPECT_EQ(type, parsed("k(" + text + "* p)").parameters.at(0).element) << text;
  }
}

TEST(Prototype, TemplateArgumentsBelongToTheName) {
  const auto out = parsed("reduce<{factor}>(float* out, Pair<int, float> p)");
  EXPECT_EQ("reduce<{factor}>", out.kernel);
  EXPECT_EQ("Pair<int, float>", out.parameters.at(1).base);
  EXPECT_FALSE(out.parameters.at(1).element);
}

TEST(Prototype, RestrictAndAConstantPointerChangeNothing) {
  EXPECT_EQ("k(float*, const int*)",
            parsed("k(float* __restrict__ const out, const int* __restrict in)").signature());
}

TEST(Prototype, ANameAloneHasNoList) {
  EXPECT_FALSE(parsed("copy").has_list);
  EXPECT_TRUE(parsed("copy()").has_list);
  EXPECT_TRUE(parsed("copy(void)").parameters.empty());
}

TEST(Prototype, MistakesHaveTheirPlaceAndAnExample) {
  EXPECT_THAT(error_of("copy(float*)"), StartsWith("lab.toml:3:10: `kernel`: "));
  EXPECT_THAT(error_of("copy(float*)"), HasSubstr("write a prototype such as \"copy(float* out"));
  EXPECT_THAT(error_of("copy(int)"), HasSubstr("the parameter `int` has no name"));
  EXPECT_THAT(error_of("copy(int n"), HasSubstr("is not closed"));
  EXPECT_THAT(error_of("copy(int n,, int m)"), HasSubstr("missing between two commas"));
  EXPECT_THAT(error_of("copy(int n, int n)"), HasSubstr("two parameters are called `n`"));
  EXPECT_THAT(error_of("copy(float** out)"), HasSubstr("is a pointer to a pointer"));
  EXPECT_THAT(error_of("(int n)"), HasSubstr("`` is not a valid kernel name"));
}

}  // namespace warpgrade::grader::course::prototype_test

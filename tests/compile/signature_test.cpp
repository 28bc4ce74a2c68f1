// SPDX-License-Identifier: Apache-2.0
#include "common/compile/signature.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::signature_test {

TEST(Signature, OfADeclarationEqualsTheDemangledOne) {
  EXPECT_EQ(parse_signature("copy(float*, float const*, int, int)"),
            parse_signature("copy(float* out, const float* in, int width, int height)"));
}

TEST(Signature, IgnoresTopLevelConstAndRestrict) {
  EXPECT_EQ(
      parse_signature("k(float*, float const*, int)"),
      parse_signature("k(float* __restrict__ o, const float* __restrict__ const i, const int n)"));
}

TEST(Signature, KeepsConstBehindAPointer) {
  EXPECT_NE(parse_signature("k(float*)"), parse_signature("k(const float*)"));
  EXPECT_EQ("k(float* const*)", to_string(parse_signature("k(float* const* p)")));
}

TEST(Signature, KnowsTheSpellingsOfArithmeticTypes) {
  EXPECT_EQ(
      "k(unsigned int, unsigned int, unsigned long, long long, unsigned char, short)",
      to_string(parse_signature(
          "k(unsigned a, unsigned int b, size_t c, long long int d, uint8_t e, short int f)")));
}

TEST(Signature, DropsReturnTypeAndKeepsTemplateArguments) {
  EXPECT_EQ("red<4>(float*, unsigned int)",
            to_string(parse_signature("void red<4>(float*, unsigned int)")));
  EXPECT_EQ("w::red<(E)1,floatconst*>()",
            to_string(parse_signature("void w::red<(E)1, float const*>()")));
  EXPECT_EQ("red(float*, unsigned int)",
            to_string(parse_signature("template <int Factor> red(float* partial, unsigned n)")));
}

TEST(Signature, OfNoParametersIsEmpty) {
  EXPECT_TRUE(parse_signature("k()").parameters.empty());
  EXPECT_TRUE(parse_signature("k(void)").parameters.empty());
  EXPECT_TRUE(parse_signature("k").parameters.empty());
}

TEST(Signature, TreatsBothSixtyFourBitIntegersAsOneType) {
  EXPECT_TRUE(is_same_type("unsigned long", "unsigned long long"));
  EXPECT_FALSE(is_same_type("unsigned long", "long"));
  EXPECT_FALSE(is_same_type("float*", "double*"));
}

TEST(Signature, KnowsSizesOfParameters) {
  EXPECT_EQ(8u, size_of("float const*"));
  EXPECT_EQ(4u, size_of("unsigned int"));
  EXPECT_EQ(8u, size_of("double"));
  EXPECT_EQ(0u, size_of("float4"));
}

}  // namespace warpgrade::compile::signature_test

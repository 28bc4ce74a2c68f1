// SPDX-License-Identifier: Apache-2.0
// Names of parameters, found in the text of a source.
#include "grader/profile/parameter_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::profile::parameter_names_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParameterNames, AreThoseOfTheDefinition) {
  const auto* const source =
      "__global__ void copy(float*, const float*, int);  // declared: copy(a, b)\n"
      "__global__ void copies(int x) {}\n"
      "__global__ void copy(float* __restrict__ out, const float *in, /* rows, */ int width) {\n"
      "  copy(1);\n}\n";
  EXPECT_THAT(parameter_names(source, "copy"), ElementsAre("out", "in", "width"));
  EXPECT_THAT(parameter_names(source, "copies"), ElementsAre("x"));
}

TEST(ParameterNames, OfATemplateInANamespaceWithNestedTypes) {
  const auto* const source =
      "namespace n { template <int F> __global__ void\nreduce (pair<int, float> p, unsigned n = "
      "3,\n"
      "  int (&a)[4], float const unnamed_[]) \n{ } }";
  EXPECT_THAT(parameter_names(source, "n::reduce<4>"), testing::Contains("n"));
  EXPECT_EQ("p", parameter_names(source, "n::reduce<4>").front());
}

TEST(ParameterNames, AreNoneWhereNoDefinitionIsSeen) {
  EXPECT_THAT(parameter_names("KERNEL(copy) { }", "copy"), IsEmpty());
  EXPECT_THAT(parameter_names("void copy(int a", "copy"), IsEmpty());
  EXPECT_THAT(parameter_names("void f() {}", "f"), IsEmpty());
  EXPECT_THAT(parameter_names("", ""), IsEmpty());
  EXPECT_THAT(parameter_names("void f(int) {}", "f"), ElementsAre(""));
}

}  // namespace warpgrade::grader::profile::parameter_names_test

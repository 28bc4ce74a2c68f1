// SPDX-License-Identifier: Apache-2.0
// A submission's outputs against the reference's: bit by bit, or by their total.
#include "grader/cases/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace warpgrade::grader {
namespace outputs_test {

using testing::HasSubstr;

run::Buffer buffer(const std::string& name, const std::vector<float>& values) {
  run::Buffer out;
  out.name = name;
  out.bytes.resize(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}

// out[4] and in[4]; in holds 10, 11, 12, 13 and out should, too.
class OutputsTest : public testing::Test {
 protected:
  OutputsTest() {
    for (const auto* name : {"out", "in"}) {
      Parameter parameter;
      parameter.name = name;
      parameter.role = name == std::string("out") ? Role::kOut : Role::kIn;
      parameter.type = verify::ElementType::kF32;
      parameter.rows = {"1", {}};
      parameter.columns = {"n", {}};
      exercise.parameters.push_back(parameter);
    }
    expected.before = {buffer("out", {-1, -1, -1, -1}), buffer("in", {10, 11, 12, 13})};
    expected.after = {buffer("out", {10, 11, 12, 13}), buffer("in", {})};
  }
  std::string difference(const std::vector<float>& out) const {
    const auto found = first_difference(exercise, {{"n", 4}}, expected,
                                        {buffer("out", out), buffer("in", {10, 11, 12, 13})});
    return found ? found->text : "";
  }
  Exercise exercise;
  Expected expected;
};

TEST_F(OutputsTest, EqualBitsAreRight) { EXPECT_EQ("", difference({10, 11, 12, 13})); }

TEST_F(OutputsTest, TheFirstDifferenceIsToldWithItsCause) {
  EXPECT_THAT(difference({10, 12, 12, 13}),
              testing::AllOf(HasSubstr("out[1]: expected 11, got 12"), HasSubstr("in[2]")));
  EXPECT_THAT(difference({10, -1, 12, 13}), HasSubstr("never written"));
}

TEST_F(OutputsTest, ATotalLooksAtTheSumAlone) {
  exercise.parameters[0].comparison = OutputComparison::kTotal;
  EXPECT_EQ("", difference({46, 0, 0, 0}));
  EXPECT_EQ("the elements of out add up to 45, but should add up to 46", difference({45, 0, 0, 0}));
}

TEST_F(OutputsTest, UlpsAreAnExpressionOfTheCase) {
  exercise.parameters[0].comparison = OutputComparison::kUlps;
  exercise.parameters[0].ulps = Expression{"n / 2", {}};
  EXPECT_EQ("", difference({10, 11 + 0x1p-19F, 12, 13}));  // two steps of 2^-20
  EXPECT_THAT(difference({10, 11 + 0x1.8p-19F, 12, 13}),
              HasSubstr("3 units in the last place apart; 2 are allowed"));
}

TEST_F(OutputsTest, ANanIsNoTotal) {
  exercise.parameters[0].comparison = OutputComparison::kTotal;
  EXPECT_NE("", difference({std::nanf(""), 46, 0, 0}));
}

TEST_F(OutputsTest, InputsAreNotCompared) {
  exercise.parameters[0].role = Role::kIn;
  EXPECT_EQ("", difference({0, 0, 0, 0}));
}

TEST_F(OutputsTest, ABufferInPlaceIsComparedWithWhatItBecomes) {
  exercise.parameters[0].role = Role::kInOut;
  EXPECT_EQ("", difference({10, 11, 12, 13}));
  EXPECT_THAT(difference({10, -1, 12, 13}),
              testing::AllOf(HasSubstr("out[1]: expected 11, got -1"),
                             HasSubstr("unchanged: this is the content from before the launch")));
  EXPECT_THAT(difference({10, 12, 12, 13}), testing::Not(HasSubstr("unchanged")));
}

}  // namespace outputs_test
}  // namespace warpgrade::grader

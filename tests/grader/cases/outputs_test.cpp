// SPDX-License-Identifier: Apache-2.0
// Compares a submission's outputs with the reference's: bit for bit, or by their total.
#include "grader/cases/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace warpgrade::grader::cases::outputs_test {

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
    buffers = {
        {"out", verify::ElementType::kF32, 1, 4, false, course::Poison{}, verify::Tolerance{}},
        {"in", verify::ElementType::kF32, 1, 4, false, verify::Fill{}, course::NotCompared{}},
    };
    expected.before = {buffer("out", {-1, -1, -1, -1}), buffer("in", {10, 11, 12, 13})};
    expected.after = {buffer("out", {10, 11, 12, 13}), buffer("in", {})};
  }
  SizedBuffer& out() { return buffers[0]; }
  std::string difference(const std::vector<float>& out) const {
    const auto found =
        first_difference(buffers, expected, {buffer("out", out), buffer("in", {10, 11, 12, 13})});
    return found ? found->text : "";
  }
  std::vector<SizedBuffer> buffers;
  Expected expected;
};

TEST_F(OutputsTest, EqualBitsAreRight) { EXPECT_EQ("", difference({10, 11, 12, 13})); }

TEST_F(OutputsTest, TheFirstDifferenceIsToldWithItsCause) {
  EXPECT_THAT(difference({10, 12, 12, 13}),
              testing::AllOf(HasSubstr("out[1]: expected 11, got 12"), HasSubstr("in[2]")));
  EXPECT_THAT(difference({10, -1, 12, 13}), HasSubstr("never written"));
}

TEST_F(OutputsTest, ATotalLooksAtTheSumAlone) {
  out().comparison = course::EqualTotal{};
  EXPECT_EQ("", difference({46, 0, 0, 0}));
  EXPECT_EQ("the elements of out add up to 45, but should add up to 46", difference({45, 0, 0, 0}));
}

TEST_F(OutputsTest, AnElementMayBeOffByItsUlps) {
  out().comparison = verify::Tolerance{2};
  EXPECT_EQ("", difference({10, 11 + 0x1p-19F, 12, 13}));  // two steps of 2^-20
  EXPECT_THAT(difference({10, 11 + 0x1.8p-19F, 12, 13}),
              HasSubstr("3 units in the last place apart; 2 are allowed"));
}

TEST_F(OutputsTest, ANanIsNoTotal) {
  out().comparison = course::EqualTotal{};
  EXPECT_NE("", difference({std::nanf(""), 46, 0, 0}));
}

TEST_F(OutputsTest, InputsAreNotCompared) {
  out().content = verify::Fill{};
  out().comparison = course::NotCompared{};
  EXPECT_EQ("", difference({0, 0, 0, 0}));
}

TEST_F(OutputsTest, ABufferInPlaceIsComparedWithWhatItBecomes) {
  out().content = verify::Fill{};
  EXPECT_EQ("", difference({10, 11, 12, 13}));
  EXPECT_THAT(difference({10, -1, 12, 13}),
              testing::AllOf(HasSubstr("out[1]: expected 11, got -1"),
                             HasSubstr("unchanged: this is the content from before the launch")));
  EXPECT_THAT(difference({10, 12, 12, 13}), testing::Not(HasSubstr("unchanged")));
}

}  // namespace warpgrade::grader::cases::outputs_test

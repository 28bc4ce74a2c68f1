// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::study::study_test {

TEST(Part, VariablesAreThePartsTheAxisAndThenTheKernels) {
  Part part;
  part.axis = std::string("n");
  part.variables = {{"word", 4}, {"n", 1}};
  Kernel kernel;
  kernel.variables = {{"word", 8}, {"own", 2}};
  EXPECT_EQ((text::Variables{{"n", 64}, {"word", 4}}), part.variables_at(64));
  EXPECT_EQ((text::Variables{{"n", 64}, {"own", 2}, {"word", 8}}), part.variables_at(64, kernel));
}

TEST(Device, TheLabelTellsKeplersOtherBanks) {
  EXPECT_EQ("k40", (Device{"k40", false}.label()));
  EXPECT_EQ("k40 8-byte", (Device{"k40", true}.label()));
}

}  // namespace warpgrade::grader::study::study_test

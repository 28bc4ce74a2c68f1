// SPDX-License-Identifier: Apache-2.0
// The file with the values of untouched skeletons.
#include "grader/course/skeleton_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::course::skeleton_values_test {

using testing::EndsWith;

Lab bare() { return parse_manifest(kManifest, "labs/small/grader.toml", "small", kVocabulary); }

TEST(SkeletonValues, ReachTheirGates) {
  auto lab = bare();
  EXPECT_FALSE(kernel_in(lab).gates[0].skeleton);
  enter_skeleton_values(kSkeletonValues, "skeletons.toml", lab);
  EXPECT_EQ(1024, kernel_in(lab).gates[0].skeleton);
  EXPECT_EQ(0.1, kernel_in(lab).gates[1].skeleton);
}

TEST(SkeletonValues, AreWrittenAsTheyAreRead) {
  EXPECT_THAT(skeleton_values_text(small_lab()),
              EndsWith("\n[twice]\nstores = 1024\nspeed = 0.1\n"));
  auto lab = bare();
  enter_skeleton_values(skeleton_values_text(small_lab()), "skeletons.toml", lab);
  EXPECT_EQ(skeleton_values_text(small_lab()), skeleton_values_text(lab));
}

TEST(SkeletonValues, WithoutAnyNoFileIsNeeded) { EXPECT_EQ("", skeleton_values_text(bare())); }

TEST(SkeletonValues, OfOtherExercisesAndGatesAreIgnored) {
  auto lab = bare();
  enter_skeleton_values("[gone]\nstores = 1\n[twice]\ngone = 2\n", "skeletons.toml", lab);
  EXPECT_FALSE(kernel_in(lab).gates[0].skeleton);
}

TEST(SkeletonValues, ThatAreNoNumbersHaveTheirPlace) {
  auto lab = bare();
  try {
    enter_skeleton_values("[twice]\nstores = \"many\"\n", "skeletons.toml", lab);
    ADD_FAILURE() << "accepted";
  } catch (const base::UsageError& error) {
    EXPECT_STREQ(
        "skeletons.toml:2:10: exercise `twice`: `stores`: must be a number, but is a string",
        error.what());
  }
}

}  // namespace warpgrade::grader::course::skeleton_values_test

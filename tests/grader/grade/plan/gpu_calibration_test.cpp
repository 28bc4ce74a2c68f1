// SPDX-License-Identifier: Apache-2.0
// Remarks on gates that are waived on a card.
#include "grader/grade/plan/gpu_calibration.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::grade::gpu_calibration_test {

TEST(Waiver, TextsNameTheGateAndTheReason) {
  EXPECT_EQ(
      "gate speed is waived on this card: its memory has no room for a size that its "
      "caches do not hold",
      waiver_text(report::TooLittleMemory(), "speed"));
  EXPECT_EQ(
      "gate speed is waived on this card: the course's own solution reached 0.611 to "
      "0.630 at a bound of 0.6 (2026-11-21)",
      waiver_text(report::NearBound{0.611, 0.63, 0.6, "2026-11-21"}, "speed"));
}

TEST(Waiver, AnUnknownShareNamesTheCaseOrTheTrouble) {
  EXPECT_EQ(
      "gate s is waived on this card: its bound would be a share of the fraction that the course's "
      "own solution reaches here, which is unknown (case large)",
      waiver_text(report::UnknownShare{"large", ""}, "s"));
  EXPECT_TRUE(
      waiver_text(report::UnknownShare{"large", "no solutions"}, "s").ends_with("(no solutions)"));
}

}  // namespace warpgrade::grader::grade::gpu_calibration_test

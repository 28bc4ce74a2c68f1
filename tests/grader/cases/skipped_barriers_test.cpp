// SPDX-License-Identifier: Apache-2.0
// Barriers that some threads skip, as a warning and as the cause of a race.
#include "grader/cases/skipped_barriers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"

namespace warpgrade::grader::cases::skipped_barriers_test {

using testing::EndsWith;
using testing::HasSubstr;

const std::vector<base::SkippedBarrier> kSkipped = {
    {{"a.cu", 7, 5}, {2, 0, 0}, "threads 48 to 63", 48, 64}};

base::Diagnostic race(std::uint32_t line, std::uint32_t other) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"a.cu", line, 3};
  out.facts = base::Race{{}, base::Does::kRead, false, {}, base::BarrierAdvice{}};
  out.related = {{{"a.cu", other, 3}, base::Does::kWrite, {}, {}}};
  return out;
}

TEST(SkippedBarriers, AWarningCountsTheThreadsAndNamesThoseThatEnded) {
  const auto warning = skipped_barriers_warning(kSkipped, "a.cu");
  EXPECT_EQ(base::Severity::kWarning, warning.severity);
  EXPECT_EQ(7U, warning.where.line);
  EXPECT_THAT(
      base::text(warning),
      HasSubstr("the __syncthreads() in line 7 is reached by only 48 of the 64 threads of block "
                "(2, 0, 0): threads 48 to 63 returned before it."));
}

TEST(SkippedBarriers, ARaceAcrossOneIsNotToldToAddABarrier) {
  for (const auto& [line, other] : {std::pair(9U, 6U), std::pair(6U, 9U), std::pair(7U, 7U)}) {
    std::vector<base::Diagnostic> found = {race(line, other)};
    explain_races(found, kSkipped);
    EXPECT_THAT(
        base::text(found[0]),
        HasSubstr(
            "their order is undefined. The __syncthreads() in line 7 is between them, but only "
            "48 of the 64 threads reach it"));
    EXPECT_THAT(base::text(found[0]), EndsWith("so that every thread reaches it."));
  }
}

TEST(SkippedBarriers, OtherFindingsStay) {
  auto left = race(9, 6);
  left.facts = base::BulkLeft{true};
  const std::vector<base::Diagnostic> all = {race(9, 8), race(3, 6), left};
  auto found = all;
  explain_races(found, kSkipped);
  EXPECT_EQ(all, found);
}

}  // namespace warpgrade::grader::cases::skipped_barriers_test

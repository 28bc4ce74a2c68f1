// SPDX-License-Identifier: Apache-2.0
#include "common/base/diagnostic.h"

#include <gtest/gtest.h>

namespace warpgrade::base::diagnostic_test {

// Facts as text: lines, and the lines between which a barrier goes. Also the place in memory of a
// finding.

TEST(Facts, LinesAreNamedAsSeenFromTheFinding) {
  EXPECT_EQ("line 12", text(LineRef{12, 80, ""}));
  EXPECT_EQ("line 7 of tile.h", text(LineRef{7, 80, "tile.h"}));
  EXPECT_EQ("PTX line 80", text(LineRef{0, 80, ""}));
}

TEST(Facts, ABarrierGoesBetweenLinesOrPasses) {
  const LineRef first{10, 1, ""};
  const LineRef second{12, 2, ""};
  EXPECT_EQ("between line 10 and line 12", text(Between{first, second, Between::Form::kLines}));
  EXPECT_EQ("between two iterations of line 10",
            text(Between{first, first, Between::Form::kPasses}));
  EXPECT_EQ("between line 12 and the next iteration of line 10",
            text(Between{second, first, Between::Form::kNext}));
  EXPECT_EQ(
      "between line 10 and line 12 (in a loop, also between line 12 and the next iteration of line "
      "10)",
      text(Between{first, second, Between::Form::kLoop}));
}

TEST(Facts, APlaceInMemoryIsFoundInEachKindThatHasOne) {
  Facts race = CachedRead{{Place::Memory::kShared, "tile", 4, 4}};
  ASSERT_NE(nullptr, place_of(race));
  EXPECT_EQ("tile", place_of(race)->array);
  Facts none = BulkLeft{};
  EXPECT_EQ(nullptr, place_of(none));
}

TEST(Diagnostic, KindsAndSeveritiesHaveTheNamesOfReports) {
  EXPECT_EQ("out_of_bounds", name(DiagnosticKind::kOutOfBounds));
  EXPECT_EQ("compile_error", name(DiagnosticKind::kCompileError));
  EXPECT_EQ("error", name(Severity::kError));
  EXPECT_EQ("warning", name(Severity::kWarning));
}

}  // namespace warpgrade::base::diagnostic_test

// SPDX-License-Identifier: Apache-2.0
#include "common/base/diagnostic.h"

#include <gtest/gtest.h>

namespace warpgrade::base::diagnostic_test {

TEST(Diagnostic, KindsAndSeveritiesHaveTheNamesOfReports) {
  EXPECT_EQ("out_of_bounds", name(DiagnosticKind::kOutOfBounds));
  EXPECT_EQ("compile_error", name(DiagnosticKind::kCompileError));
  EXPECT_EQ("error", name(Severity::kError));
  EXPECT_EQ("warning", name(Severity::kWarning));
}

}  // namespace warpgrade::base::diagnostic_test

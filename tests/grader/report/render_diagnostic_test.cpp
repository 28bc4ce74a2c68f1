// SPDX-License-Identifier: Apache-2.0
// Diagnostics in colours.
#include "grader/report/render_diagnostic.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"

namespace warpgrade::grader::report::render_diagnostic_test {

base::Diagnostic race_at(std::uint32_t line, std::uint32_t column) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"a.cu", line, column};
  out.message = "two race: threads";
  return out;
}

TEST(RenderDiagnostic, PlaceKindAndCaretAreColoured) {
  EXPECT_EQ(
      "\x1b[1ma.cu:1:3: \x1b[0m\x1b[31mrace\x1b[0m: two race: threads\n"
      "    1 | x = y;\n"
      "\x1b[31m      |   ^\x1b[0m\n",
      render_diagnostic(race_at(1, 3), "x = y;\n", text::Style(true)));
}

TEST(RenderDiagnostic, BareItIsTheTextOfTheDiagnostic) {
  const auto diagnostic = race_at(1, 3);
  EXPECT_EQ(base::render(diagnostic, "x = y;\n"),
            render_diagnostic(diagnostic, "x = y;\n", text::Style()));
}

TEST(RenderDiagnostic, AFileNamedAsTheKindIsNoKind) {
  auto diagnostic = race_at(2, 0);
  diagnostic.where.file = "race";
  EXPECT_EQ("\x1b[1mrace:2: \x1b[0m\x1b[31mrace\x1b[0m: two race: threads\n",
            render_diagnostic(diagnostic, "", text::Style(true)));
}

}  // namespace warpgrade::grader::report::render_diagnostic_test

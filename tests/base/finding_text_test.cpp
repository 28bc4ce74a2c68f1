// SPDX-License-Identifier: Apache-2.0
// Sentences for the circumstances of a finding, in their order. The tests of each checker cover the
// wording of its own findings.
#include "common/base/finding_text.h"

#include <gtest/gtest.h>

namespace warpgrade::base::finding_text_test {

Diagnostic local_read() {
  Diagnostic out;
  out.facts = UnwrittenLocal{4};
  return out;
}

TEST(FindingText, FactsGoBeforeTheMessage) {
  Diagnostic found;
  found.message = "words";
  EXPECT_EQ("words", text(found));
  found.facts = BulkLeft{true};
  EXPECT_EQ(std::string::npos, text(found).find("words"));
}

TEST(FindingText, CircumstancesFollowInOneOrder) {
  Diagnostic found;
  found.message = "Wrong.";
  found.seen.occurrences = 3;
  found.seen.left_out = 1;
  found.seen.launch = InLaunch{2, 3, "add"};
  found.seen.replay = "again";
  found.seen.limit = CaseLimit{"small", 400, 100, 7};
  found.seen.timed_size = {{"height", 64}, {"width", 32}};
  EXPECT_EQ(
      "Wrong. This happened 3 times. 1 more finding at other lines is not shown. (in launch 2 of "
      "3, add) (This happened when warps and blocks do not run in numerical order; to reproduce "
      "it: "
      "again. A GPU may run them in any order: look for a place where one thread relies on "
      "another without a barrier.). The limit of case small is 400 units in all its runs and 100 "
      "per "
      "block; the course's reference needs 7 warp instructions (height = 64, width = 32, the size "
      "whose speed is graded)",
      text(found));
}

TEST(FindingText, TheArrayOfAThreadIsTheLastSentence) {
  auto found = local_read();
  found.seen.launch = InLaunch{1, 2, "k"};
  std::get<UnwrittenLocal>(found.facts).array = {"own", 3};
  EXPECT_TRUE(
      text(found).ends_with("in the declaration (in launch 1 of 2, k). own is an array of each "
                            "thread (line 3): is __shared__ missing "
                            "before it?"))
      << text(found);
}

TEST(RenderedDiagnostic, ShowsPlaceLineCaretAndThread) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kOutOfBounds;
  diagnostic.where = {"k.cu", 2, 3};
  diagnostic.message = "reads past the end";
  diagnostic.block = Dim3{1, 0, 0};
  diagnostic.thread = Dim3{31, 7, 0};
  EXPECT_EQ(
      "k.cu:2:3: out_of_bounds: reads past the end\n"
      "    2 |  x = in[i];\n"
      "      |   ^\n"
      "      block (1, 0, 0), thread (31, 7, 0)\n",
      render(diagnostic, "first\n\tx = in[i];\nlast\n"));
}

TEST(RenderedDiagnostic, ShowsOfALongLineWhatIsAroundTheCaret) {
  Diagnostic diagnostic;
  diagnostic.where = {"k.cu", 1, 10001};
  diagnostic.message = "m";
  const auto text = render(diagnostic, std::string(10000, 'a') + "X" + std::string(10000, 'b'));
  const std::string half(77, ' ');
  EXPECT_EQ("k.cu:1:10001: out_of_bounds: m\n    1 | ..." + std::string(77, 'a') + "X" +
                std::string(76, 'b') + "...\n      |    " + half + "^\n",
            text);
}

TEST(RenderedDiagnostic, WithoutAPlaceIsOneLine) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kUnsupported;
  diagnostic.message = "tex";
  EXPECT_EQ("unsupported: tex\n", render(diagnostic, {}));
}

TEST(RenderedDiagnostic, CannotBeForgedByControlCharacters) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kCompileError;
  diagnostic.where = {"a\nPASS\x1b[1m.cu", 1, 0};
  diagnostic.message = "m";
  EXPECT_EQ("a\\x0aPASS\\x1b[1m.cu:1: compile_error: m\n", render(diagnostic, {}));
}

TEST(RenderedDiagnostic, AMessageWithoutEndIsCut) {
  Diagnostic diagnostic;
  diagnostic.message = std::string(3999, 'x');
  EXPECT_EQ(diagnostic.message, shown_message(diagnostic));
  diagnostic.message = std::string(1 << 20, 'x');
  EXPECT_EQ(4000U, shown_message(diagnostic).size());
  EXPECT_TRUE(shown_message(diagnostic).ends_with("xxx..."));
}

}  // namespace warpgrade::base::finding_text_test

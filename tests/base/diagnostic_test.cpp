// SPDX-License-Identifier: Apache-2.0
#include "common/base/diagnostic.h"

#include <gtest/gtest.h>

namespace warpgrade::base {
namespace diagnostic_test {

TEST(Diagnostic, ShowsPlaceLineCaretAndThread) {
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

TEST(Diagnostic, ShowsOfALongLineWhatIsAroundTheCaret) {
  Diagnostic diagnostic;
  diagnostic.where = {"k.cu", 1, 10001};
  diagnostic.message = "m";
  const auto text = render(diagnostic, std::string(10000, 'a') + "X" + std::string(10000, 'b'));
  const std::string half(77, ' ');
  EXPECT_EQ("k.cu:1:10001: out_of_bounds: m\n    1 | ..." + std::string(77, 'a') + "X" +
                std::string(76, 'b') + "...\n      |    " + half + "^\n",
            text);
}

TEST(Diagnostic, WithoutAPlaceIsOneLine) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kUnsupported;
  diagnostic.message = "tex";
  EXPECT_EQ("unsupported: tex\n", render(diagnostic, {}));
}

TEST(Diagnostic, CannotBeForgedByControlCharacters) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kCompileError;
  diagnostic.where = {"a\nPASS\x1b[1m.cu", 1, 0};
  diagnostic.message = "m";
  EXPECT_EQ("a\\x0aPASS\\x1b[1m.cu:1: compile_error: m\n", render(diagnostic, {}));
}

TEST(Diagnostic, AMessageWithoutEndIsCut) {
  Diagnostic diagnostic;
  diagnostic.message = std::string(3999, 'x');
  EXPECT_EQ(diagnostic.message, shown_message(diagnostic));
  diagnostic.message = std::string(1 << 20, 'x');
  EXPECT_EQ(4000U, shown_message(diagnostic).size());
  EXPECT_TRUE(shown_message(diagnostic).ends_with("xxx..."));
}

}  // namespace diagnostic_test
}  // namespace warpgrade::base

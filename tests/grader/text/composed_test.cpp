// SPDX-License-Identifier: Apache-2.0
// Composes letters and their accents; other text stays unchanged.
#include "grader/text/composed.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::text::composed_test {

TEST(Composed, LettersAndTheirMarksAreOne) {
  EXPECT_EQ("Übung", composed_text("U\u0308bung"));
  EXPECT_EQ("Seán", composed_text("Sea\u0301n"));
  EXPECT_EQ("Nguyễn", composed_text("Nguye\u0302\u0303n"));
  EXPECT_EQ("한", composed_text("\u1112\u1161\u11ab"));
  EXPECT_EQ("が", composed_text("か\u3099"));
  EXPECT_EQ("й", composed_text("и\u0306"));
}

TEST(Composed, OtherTextStaysAsItIs) {
  for (const std::string text : {"", "plain", "Übung", "李明", "\xff\xfe", "a\xcc", "\u0308x"}) {
    EXPECT_EQ(text, composed_text(text));
  }
}

}  // namespace warpgrade::grader::text::composed_test

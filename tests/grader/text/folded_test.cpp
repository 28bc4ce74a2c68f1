// SPDX-License-Identifier: Apache-2.0
// Expected values come from Unicode's UnicodeData.txt, through Python's str.lower().
#include "grader/text/folded.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::text::folded_test {

TEST(Folded, LettersOfThreeScriptsBecomeSmall) {
  EXPECT_EQ("jane doe", folded_text("  Jane   DOE "));
  EXPECT_EQ("åse ørsted ñ þ × ÿ", folded_text("Åse ØRSTED Ñ Þ × Ÿ"));
  EXPECT_EQ("łukasz żak čapek źrebię ő", folded_text("ŁUKASZ Żak Čapek Źrebię Ő"));
  EXPECT_EQ("nguyễn văn thuận ơ ư", folded_text("NGUYỄN VĂN THUẬN Ơ Ư"));
  EXPECT_EQ("γιώργοσ ά έ ή ί ό ύ ώ", folded_text("Γιώργος Ά Έ Ή Ί Ό Ύ Ώ"));
  EXPECT_EQ("иван ё ђ џ", folded_text("ИВАН Ё Ђ Џ"));
  EXPECT_EQ("ıçö", folded_text("ıÇÖ"));
}

TEST(Folded, AccentsApartAndBytesThatAreNoTextAreKept) {
  EXPECT_EQ("müller", folded_text("MU\xcc\x88LLER"));
  EXPECT_EQ("m\xffl", folded_text("M\xffL"));
  EXPECT_EQ("李 明", folded_text("李\xc2\xa0明"));
}

TEST(Folded, OnlyLettersAndDigitsAreLeft) {
  EXPECT_EQ("team1", squashed_text("Team_1"));
  EXPECT_EQ("équipe2", squashed_text("Équipe 2!"));
  EXPECT_EQ("oneiltom", squashed_text("O’Neil, Tom"));
  EXPECT_EQ("", squashed_text("--"));
}

}  // namespace warpgrade::grader::text::folded_test

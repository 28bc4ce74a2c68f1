// SPDX-License-Identifier: Apache-2.0
#include "grader/text/rot13.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::text::rot13_test {

TEST(Rot13, TurnsLettersAndNothingElse) {
  EXPECT_EQ("nopqrstuvwxyzabcdefghijklm", rot13("abcdefghijklmnopqrstuvwxyz"));
  EXPECT_EQ("Jurer vf genafcbfr[0]? \xc3\xa4", rot13("Where is transpose[0]? \xc3\xa4"));
}

TEST(Rot13, TwiceIsTheTextAgain) { EXPECT_EQ("A to Z, a-z", rot13(rot13("A to Z, a-z"))); }

}  // namespace warpgrade::grader::text::rot13_test

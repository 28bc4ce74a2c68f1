// SPDX-License-Identifier: Apache-2.0
#include "grader/text/markup.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::text::markup_test {

TEST(EscapeMarkup, LeavesNothingThatIsMarkup) {
  EXPECT_EQ("&lt;/script&gt; &amp;amp; a=&quot;b&quot;", escape_markup("</script> &amp; a=\"b\""));
  EXPECT_EQ(
      "tile[8][0], it's Gr\xc3\xb6\xc3\x9f"
      "e",
      escape_markup("tile[8][0], it's Gr\xc3\xb6\xc3\x9f"
                    "e"));
  EXPECT_EQ("", escape_markup(""));
}

}  // namespace warpgrade::grader::text::markup_test

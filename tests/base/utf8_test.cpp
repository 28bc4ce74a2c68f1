// SPDX-License-Identifier: Apache-2.0
// Which bytes are UTF-8, by the table of RFC 3629.
#include "common/base/utf8.h"

#include <gtest/gtest.h>

namespace warpgrade::base {
namespace utf8_test {

TEST(ReplaceInvalidUtf8, KeepsCharactersAndTheLength) {
  EXPECT_EQ("a\xc3\xb6\xe2\x82\xac?b", replace_invalid_utf8("a\xc3\xb6\xe2\x82\xac\xff"
                                                            "b"));
  EXPECT_EQ("??", replace_invalid_utf8("\xc0\x80"));    // overlong
  EXPECT_EQ("x??", replace_invalid_utf8("x\xe2\x82"));  // cut short
}

}  // namespace utf8_test
}  // namespace warpgrade::base

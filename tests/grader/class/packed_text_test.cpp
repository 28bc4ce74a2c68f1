// SPDX-License-Identifier: Apache-2.0
#include "grader/class/packed_text.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::packed_text_test {
namespace {

TEST(PackedText, ComesBackAsItWas) {
  EXPECT_EQ("<p>a\0b</p>", unpack_text(pack_text("<p>a\0b</p>")));
  EXPECT_EQ(std::string(1'000'000, 'x'), unpack_text(pack_text(std::string(1'000'000, 'x'))));
}

TEST(PackedText, TheSameTextIsTheSameBytesAndSmall) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(pack_text(text), pack_text(text));
  EXPECT_LT(pack_text(text).size(), 1000U);
}

TEST(PackedText, NothingIsAnEmptyText) { EXPECT_EQ("", unpack_text("")); }

TEST(PackedText, DamageAndBombsAreTold) {
  const auto packed = pack_text(std::string(100'000, 'x'));
  EXPECT_THROW(unpack_text("no gzip at all"), base::ToolError);
  EXPECT_THROW(unpack_text(packed.substr(0, packed.size() / 2)), base::ToolError);
  EXPECT_THROW(unpack_text(packed, 99'999), base::ToolError);
  EXPECT_EQ(100'000U, unpack_text(packed, 100'000).size());
}

}  // namespace
}  // namespace warpgrade::grader::class_book::packed_text_test

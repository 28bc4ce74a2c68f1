// SPDX-License-Identifier: Apache-2.0
#include "common/verify/pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::verify::pieces_test {

using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

// Content from before the launch.
const Words kBefore = {90, 91, 92, 93, 94, 95, 96, 97};
// Three pieces, four elements apart: 1 2 3, nothing, and 7 8.
const Words kExpected = {1, 2, 3, 93, 7, 8, 96, 97};

Matrix row(const Words& words) {
  return {ElementType::kU32, 1, words.size(), std::as_bytes(std::span(words)), "out"};
}

std::string difference(const Words& got, const Words& expected = kExpected,
                       std::uint64_t length = 4) {
  const auto found =
      compare_pieces(row(expected), row(got), std::as_bytes(std::span(kBefore)), length);
  return found ? found->text : "";
}

TEST(Pieces, AnyOrderOfPiecesIsRight) {
  EXPECT_EQ("", difference({1, 2, 3, 7, 8, 95, 96, 97}));
  EXPECT_EQ("", difference({7, 8, 1, 2, 3, 95, 96, 97}));
}

TEST(Pieces, ElementsBehindThemAreNotCompared) {
  EXPECT_EQ("", difference({7, 8, 1, 2, 3, 5, 1, 0}));
}

TEST(Pieces, EmptyPiecesAreNowhere) {
  EXPECT_EQ("", difference({1, 5, 5, 5, 5, 5, 5, 5}, {90, 91, 92, 93, 1, 95, 96, 97}));
  EXPECT_EQ("", difference({5, 5, 5, 5, 5, 5, 5, 5}, kBefore));
}

TEST(Pieces, TheLastPieceMayBeShorter) {
  EXPECT_EQ("", difference({7, 8, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8}, 6));
}

TEST(Pieces, OrderCountsWithinAPiece) {
  EXPECT_EQ(
      "out[3]: expected 2, element 1 of a piece of 3, got 3 (this is element 2 of a piece of 3)",
      difference({7, 8, 1, 3, 2, 95, 96, 97}));
}

TEST(Pieces, ThePlaceWhereNoPieceBeginsIsNamed) {
  EXPECT_EQ("out[0]: expected the begin of a piece, got 2 (this is element 1 of a piece of 3)",
            difference({2, 3, 1, 7, 8, 95, 96, 97}));
  EXPECT_EQ("out[3]: expected the begin of a piece, got 5 (no piece contains this element)",
            difference({1, 2, 3, 5, 7, 8, 96, 97}));
}

TEST(Pieces, AGapIsUnwritten) {
  EXPECT_EQ(
      "out[3]: expected the begin of a piece, got 93 (never written: this is the content from "
      "before the launch)",
      difference(kExpected));
}

TEST(Pieces, APieceIsThereOnce) {
  EXPECT_THAT(difference({7, 8, 7, 8, 1, 2, 3, 97}), HasSubstr("out[2]: expected a piece that is"));
}

TEST(Pieces, PiecesThatBeginAlikeAreTheReferencesMistake) {
  EXPECT_THROW(difference(kBefore, {1, 2, 92, 93, 1, 3, 96, 97}), base::ToolError);
}

TEST(Pieces, WithoutTheContentFromBeforeNothingIsRight) {
  EXPECT_TRUE(compare_pieces(row(kExpected), row(kExpected), {}, 4));
}

}  // namespace warpgrade::verify::pieces_test

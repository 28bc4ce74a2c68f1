// SPDX-License-Identifier: Apache-2.0
// Pieces of an input that are not kept, but made again at a later read.
#include "common/sim/memory/recent_pieces.h"

#include <gtest/gtest.h>

namespace warpgrade::sim::recent_pieces_test {

constexpr auto kPiece = SparseBuffer::kPiece;

// Each byte is its piece's number modulo 251, plus `first`. `made` counts the pieces that were
// made.
run::Pattern input(std::uint64_t pieces, std::uint8_t first, int& made) {
  run::Pattern out;
  out.name = "in";
  out.read_only = true;
  out.bytes = out.period = pieces * kPiece;
  out.make = [first, &made](std::uint64_t begin, std::span<std::byte> to) {
    ++made;
    for (auto& byte : to) byte = static_cast<std::byte>(begin / kPiece % 251 + first);
  };
  return out;
}

TEST(RecentPieces, APieceIsMadeOnceWhileItIsRecent) {
  int made = 0;
  SparseBuffer buffer(input(100, 0, made));
  RecentPieces recent;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t piece = 0; piece < 100; ++piece) {
      EXPECT_EQ(static_cast<std::byte>(piece), *recent.at(buffer, piece * kPiece));
    }
  }
  EXPECT_EQ(100, made);
  EXPECT_EQ(100 * kPiece, buffer.bytes_read());
  EXPECT_TRUE(buffer.made().empty());
}

// This must hold for any earlier reads: a piece that is found again may be the next one to be
// replaced.
TEST(RecentPieces, AnAccessHoldsItsPieces) {
  constexpr auto kHeld = RecentPieces::kHeld;
  int made = 0;
  SparseBuffer buffer(input(3 * RecentPieces::kSlots, 0, made));
  for (std::uint64_t before = RecentPieces::kSlots - 2 * kHeld;
       before < RecentPieces::kSlots + kHeld; before += 7) {
    RecentPieces recent;
    for (std::uint64_t piece = 0; piece < before; ++piece) recent.at(buffer, piece * kPiece);
    std::vector<std::byte*> held = {recent.at(buffer, 0)};
    for (std::uint64_t i = 1; i < kHeld; ++i) {
      held.push_back(recent.at(buffer, (before + i) * kPiece));
    }
    EXPECT_EQ(std::byte{0}, *held[0]);
    for (std::uint64_t i = 1; i < kHeld; ++i) {
      ASSERT_EQ(static_cast<std::byte>((before + i) % 251), held[i][kPiece - 1]);
    }
  }
}

TEST(RecentPieces, PiecesOfAnotherBufferAreOthers) {
  int made = 0;
  RecentPieces recent;
  for (std::uint8_t first = 1; first < 5; ++first) {  // usually at the same address
    const auto buffer = std::make_unique<SparseBuffer>(input(4, first, made));
    EXPECT_EQ(static_cast<std::byte>(first + 3), *recent.at(*buffer, 3 * kPiece));
  }
}

TEST(RecentPieces, AnInputThatWasWrittenIsKept) {
  int made = 0;
  SparseBuffer buffer(input(4, 0, made));
  EXPECT_TRUE(buffer.is_only_read());
  buffer.mark_written();
  EXPECT_FALSE(buffer.is_only_read());
  *buffer.at(kPiece) = std::byte{99};
  EXPECT_EQ(std::byte{99}, *buffer.at(kPiece));
  EXPECT_EQ(kPiece, buffer.bytes_read());
}

}  // namespace warpgrade::sim::recent_pieces_test

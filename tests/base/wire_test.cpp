// SPDX-License-Identifier: Apache-2.0
// Encodes and decodes messages, cuts them off at every byte, and changes every byte.
#include "common/base/wire.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpgrade::base::wire_test {

enum class Colour : std::uint8_t { kRed, kGreen };
constexpr Colour wire_last(Colour /*type*/) { return Colour::kGreen; }

struct Leaf {
  std::string text;
  double number = 0;
  friend bool operator==(const Leaf&, const Leaf&) = default;
};
auto wire_fields(Leaf& leaf) { return std::tie(leaf.text, leaf.number); }

struct Tree {
  std::uint16_t small = 0;
  bool flag = false;
  Colour colour{};
  std::vector<Leaf> leaves;
  std::vector<std::byte> bytes;
  std::optional<std::int32_t> maybe;
  std::variant<std::uint8_t, Leaf> either;
  friend bool operator==(const Tree&, const Tree&) = default;
};
auto wire_fields(Tree& tree) {
  return std::tie(tree.small, tree.flag, tree.colour, tree.leaves, tree.bytes, tree.maybe,
                  tree.either);
}

Tree example() {
  Tree tree;
  tree.small = 0x1234;
  tree.flag = true;
  tree.colour = Colour::kGreen;
  tree.leaves = {{std::string("a\0b", 3), -1.5}, {"", std::numeric_limits<double>::infinity()}};
  tree.bytes = {std::byte{0}, std::byte{255}};
  tree.maybe = -7;
  tree.either = Leaf{"last", 2};
  return tree;
}

TEST(Wire, WhatIsSentComesBack) {
  EXPECT_EQ(example(), decode<Tree>(encode(example())));
  EXPECT_EQ(Tree(), decode<Tree>(encode(Tree())));
}

TEST(Wire, NumbersTakeTheirOwnSizeAndSequencesTheirLengthAndElements) {
  EXPECT_EQ(2u, encode(std::uint16_t{1}).size());
  EXPECT_EQ(1u, encode(Colour::kGreen).size());
  EXPECT_EQ(std::string("\3\0\0\0\0\0\0\0abc", 11), encode(std::string("abc")));
  EXPECT_EQ(8u + 2, encode(std::vector(2, std::byte{1})).size());
  EXPECT_EQ(8u + 16, encode(std::vector(2, 1.0)).size());
}

TEST(Wire, AMessageThatIsCutOffAtAnyByteDecodesToNothing) {
  const auto whole = encode(example());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(decode<Tree>(whole.substr(0, size)).has_value()) << size;
  }
}

TEST(Wire, AMessageThatIsTooLongDecodesToNothing) {
  EXPECT_FALSE(decode<Tree>(encode(example()) + "x").has_value());
}

// A message with a changed byte decodes to another value, which survives a round trip, or does not
// decode.
TEST(Wire, AnyByteThatIsChangedGivesAnotherMessageOrNothing) {
  const auto whole = encode(example());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 2, 0x80, 0xff}) {
      auto other = whole;
      other[at] = static_cast<char>(other[at] ^ change);
      const auto found = decode<Tree>(other);
      if (!found) continue;
      EXPECT_NE(example(), *found) << at;
      EXPECT_EQ(other, encode(*found)) << at;
    }
  }
}

TEST(Wire, ALengthThatIsTooGreatDecodesToNothingAndAllocatesNothing) {
  for (const auto length : {std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    EXPECT_FALSE(decode<std::string>(encode(length)).has_value());
    EXPECT_FALSE(decode<std::vector<Leaf>>(encode(length)).has_value());
    EXPECT_FALSE(decode<std::vector<std::byte>>(encode(length)).has_value());
  }
}

TEST(Wire, ValuesThatTheirTypeDoesNotHaveDecodeToNothing) {
  EXPECT_FALSE(decode<bool>("\2").has_value());
  EXPECT_FALSE(decode<Colour>("\2").has_value());
  EXPECT_EQ(Colour::kGreen, decode<Colour>("\1"));
  EXPECT_FALSE((decode<std::variant<bool, Colour>>(encode(std::uint64_t{2}) + "\1").has_value()));
}

TEST(Wire, ValuesMayBeTakenOneByOne) {
  WireWriter writer;
  writer(std::uint8_t{7}, std::string("seven"));
  const auto message = writer.take();
  EXPECT_EQ("", writer.take());
  WireReader reader(message);
  std::uint8_t number = 0;
  std::string text;
  reader(number);
  EXPECT_TRUE(reader.is_ok());
  EXPECT_FALSE(reader.is_complete());
  reader(text);
  EXPECT_TRUE(reader.is_complete());
  EXPECT_EQ(7, number);
  EXPECT_EQ("seven", text);
  reader(number);
  EXPECT_FALSE(reader.is_ok());
}

}  // namespace warpgrade::base::wire_test

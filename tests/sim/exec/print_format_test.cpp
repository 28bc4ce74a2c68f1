// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/print_format.h"

#include <gtest/gtest.h>

#include <bit>

namespace warpgrade::sim::print_format_test {

// Formats with `words` as arguments; the text at address 16 is "abc".
std::string format(std::string_view text, std::vector<std::uint64_t> words = {}) {
  std::size_t position = 0;
  PrintSource source;
  source.next = [&](std::uint32_t) -> std::optional<std::uint64_t> {
    if (position == words.size()) return std::nullopt;
    return words[position++];
  };
  source.text = [](std::uint64_t address) -> std::optional<std::string> {
    return address == 16 ? std::optional<std::string>("abc") : std::nullopt;
  };
  const auto printed = format_print(text, source);
  return printed ? printed->text : "(nothing)";
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(PrintFormat, IntegersHaveTheSizeThatTheFormatSays) {
  EXPECT_EQ("-1 4294967295 ffffffff", format("%d %u %x", {0xffffffff, 0xffffffff, 0xffffffff}));
  EXPECT_EQ("-1", format("%ld", {~std::uint64_t{0}}));
  EXPECT_EQ("18446744073709551615", format("%llu", {~std::uint64_t{0}}));
  EXPECT_EQ("-2 65534 -2 254", format("%hd %hu %hhd %hhu", {0xfffe, 0xfffe, 0xfe, 0xfe}));
  EXPECT_EQ("17 FF", format("%o %X", {15, 255}));
}

TEST(PrintFormat, FlagsWidthAndPrecisionAreHonoured) {
  EXPECT_EQ("[   42][42   ][00042][+42][0x2a][ 42]",
            format("[%5d][%-5d][%05d][%+d][%#x][% d]", {42, 42, 42, 42, 42, 42}));
  EXPECT_EQ("[  3.14][ab][  abc]", format("[%6.2f][%.2s][%5s]", {bits(3.14159), 16, 16}));
  EXPECT_EQ("[   7]", format("[%*d]", {4, 7}));
  EXPECT_EQ("[7   ]", format("[%*d]", {0xfffffffc, 7}));  // a negative width is a minus flag
}

TEST(PrintFormat, FloatsOfEveryForm) {
  EXPECT_EQ("1.500000 1.500000e+00 1.5 0x1.8p+0",
            format("%f %e %g %a", {bits(1.5), bits(1.5), bits(1.5), bits(1.5)}));
  EXPECT_EQ("inf NAN", format("%f %F", {0x7ff0000000000000, 0x7ff8000000000000}));
}

TEST(PrintFormat, CharactersStringsPointersAndPercents) {
  EXPECT_EQ("x|abc|(null)|0x7f00|100%", format("%c|%s|%s|%p|100%%", {'x', 16, 0, 0x7f00}));
}

// %zu and %.*f are printed unchanged, as on an H200 with driver 580.
TEST(PrintFormat, WhatIsNoConversionStandsAsItIs) {
  EXPECT_EQ("%y %", format("%y %"));
  EXPECT_EQ("[%zu]", format("[%zu]", {8}));
  EXPECT_EQ("[%.*f]", format("[%.*f]", {2, bits(2.5)}));
  EXPECT_EQ("", format(""));
}

TEST(PrintFormat, AHugeWidthIsCut) { EXPECT_EQ(4096U, format("%999999999999d", {1}).size()); }

TEST(PrintFormat, AnArgumentThatCannotBeReadIsNothing) {
  EXPECT_EQ("(nothing)", format("%d %d", {1}));
  EXPECT_EQ("(nothing)", format("%s", {17}));
}

}  // namespace warpgrade::sim::print_format_test

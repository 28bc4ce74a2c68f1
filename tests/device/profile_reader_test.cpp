// SPDX-License-Identifier: Apache-2.0
// A profile's file: its keys, their units, and the message for each mistake.
#include "common/device/profile_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::device::profile_reader_test {

// A card of its own generation: the file has every required key.
constexpr std::string_view kParent = R"(
product = "Parent"
compute = "7.5"
validated = "its own measurements"
coalescing = "sectors"
shared_banks = "plain_32"
sm_count = 40
sm_clock = "1 GHz"
schedulers_per_sm = 4
warp_instructions_per_clock_per_sm = 2
alu_latency_clocks = 4
division_slots = 24
division_clocks = 130
predicated_slots = 12
max_threads_per_block = 1024
max_warps_per_sm = 32
max_blocks_per_sm = 16
registers_per_sm = 65536
register_unit = 256
max_registers_per_thread = 255
shared_bytes_per_sm = "64 KiB"
shared_unit = 256
max_shared_bytes_per_block = 65536
l2_bytes = "4 MiB"
l2_sectors_per_clock = 40
l2_partial_writes_per_second = "17 /clock"
dram_bandwidth = "320 GB/s"
dram_efficiency = 0.8
port_bytes_per_clock_per_sm = 64
tag_lookups_per_clock_per_sm = 4
shared_wavefronts_per_clock_per_sm = 1
l2_latency = "200 clocks"
dram_latency = "450 ns"
dram_loaded_latency = "0.7 us"
shared_latency = "32 clocks"
barrier_clocks = 13
barrier_clocks_per_warp = 2
block_launch = "200 ns"
launch_overhead = "4 us"
dram_page_bytes = 1024
dram_page = "16 ps"
)";

std::string_view text_of(std::string_view name) {
  if (name == "parent") return kParent;
  if (name == "ring") return "like = \"ring\"";
  throw base::UsageError("there is no device");
}

Profile read(std::string_view text) { return read_profile(text, "my.toml", "my", text_of); }

std::string mistake_in(const std::string& text) {
  try {
    read(text);
  } catch (const base::TomlError& error) {
    return error.what();
  }
  return "none";
}

/// The message for a file like the parent with `lines` added from line 3 on.
std::string mistake(const std::string& lines) {
  return mistake_in("like = \"parent\"\nproduct = \"Mine\"\n" + lines);
}

TEST(ProfileReader, TakesFromTheProfileThatItIsLikeWhatItDoesNotSay) {
  const Profile p = read("like = \"parent\"\nproduct = \"Mine\"\nsm_count = 24\n");
  EXPECT_EQ("my", p.name);
  EXPECT_EQ("Mine", p.product);
  EXPECT_EQ(24U, p.sm.count);
  EXPECT_EQ(7U, p.compute.major);
  EXPECT_EQ(5U, p.compute.minor);
  EXPECT_EQ(1U, p.sm.pipes.multiply_slots) << "the default of profile.h, for neither says it";
  EXPECT_EQ("", p.validated) << "what the other was held to says nothing of this one";
}

TEST(ProfileReader, ConvertsUnits) {
  const Profile p = read(kParent);
  EXPECT_EQ(1e9, p.sm.clock_hz);
  EXPECT_EQ(64U * 1024, p.shared.bytes);
  EXPECT_EQ(65536U, p.shared.max_bytes_per_block);
  EXPECT_EQ(4U * 1024 * 1024, p.l2.bytes);
  EXPECT_EQ(320e9, p.dram.bytes_per_second);
  EXPECT_EQ(450e-9, p.dram.latency_seconds);
  EXPECT_EQ(0.7e-6, p.dram.loaded_latency_seconds);
  EXPECT_EQ(16e-12, p.dram.page_seconds);
}

TEST(ProfileReader, ZeroUnsetsAnOptionalNumberOfTheOtherProfile) {
  const std::string like = "like = \"parent\"\n";
  EXPECT_TRUE(read(like).l2.partial_writes_per_second);
  EXPECT_EQ(std::nullopt,
            read(like + "l2_partial_writes_per_second = 0\n").l2.partial_writes_per_second);
  EXPECT_EQ(std::nullopt, read(like).l2.dirty_bytes);
  EXPECT_EQ(1024U, read(like + "l2_dirty_bytes = \"1 KiB\"\n").l2.dirty_bytes);
}

TEST(ProfileReader, ClocksAreThoseOfTheCardItself) {
  const Profile p = read("like = \"parent\"\nsm_clock = \"2000 MHz\"\n");
  EXPECT_EQ(200 / 2e9, p.l2.latency_seconds);
  EXPECT_EQ(17 * 2e9, p.l2.partial_writes_per_second);
  EXPECT_EQ(450e-9, p.dram.latency_seconds);
}

TEST(ProfileReader, CompilesForTheCardItselfFromTuringOn) {
  const auto architecture = [](const std::string& compute) {
    return read("like = \"parent\"\ncompute = \"" + compute + "\"\n").architecture;
  };
  EXPECT_EQ("sm_75", architecture("3.5"));
  EXPECT_EQ("sm_75", architecture("7.0"));
  EXPECT_EQ("sm_89", architecture("8.9"));
  EXPECT_EQ("sm_100", architecture("10.0"));
}

TEST(ProfileReader, AnUnknownKeyIsToldWithTheNearest) {
  EXPECT_EQ("my.toml:3:13: `sm_cuont`: unknown key, did you mean `sm_count`?",
            mistake("sm_cuont =  3\n"));
  EXPECT_EQ("my.toml:3:10: `colour`: unknown key", mistake("colour = 3\n"));
}

TEST(ProfileReader, AMissingKeyIsNamed) {
  std::string text(kParent);
  text.erase(text.find("sm_count"), 14);
  try {
    read(text);
    FAIL() << "it was taken";
  } catch (const base::TomlError& error) {
    EXPECT_STREQ(
        "my.toml:1:1: `sm_count`: the key is missing; `like = \"h200\"` would take it from that "
        "profile",
        error.what());
  }
}

TEST(ProfileReader, ANumberIsWithinItsRange) {
  EXPECT_EQ("my.toml:3:12: `sm_count`: is 0; must be from 1 to 1024", mistake("sm_count = 0\n"));
  EXPECT_EQ("my.toml:3:12: `sm_count`: is -3; must be from 1 to 1024", mistake("sm_count = -3\n"));
  EXPECT_EQ("my.toml:3:19: `dram_efficiency`: is 1.5; must be from 0.1 to 1",
            mistake("dram_efficiency = 1.5\n"));
  EXPECT_EQ("my.toml:3:19: `dram_efficiency`: is nan; must be from 0.1 to 1",
            mistake("dram_efficiency = nan\n"));
  EXPECT_EQ("my.toml:3:12: `sm_count`: must be a whole number", mistake("sm_count = 2.5\n"));
  EXPECT_EQ("my.toml:3:12: `l2_bytes`: is 4.29497e+09; must be from 0 to 4.29497e+09",
            mistake("l2_bytes = \"4096 MiB\"\n"))
      << "one more than 32 bits hold";
  EXPECT_EQ("my.toml:3:23: `shared_bytes_per_sm`: is 4.29497e+09; must be from 1024 to 4.29497e+09",
            mistake("shared_bytes_per_sm = 4294967296\n"));
  EXPECT_EQ("my.toml:3:12: `sm_clock`: is 1.98e+12; must be from 1e+08 to 1e+10",
            mistake("sm_clock = \"1980 GHz\"\n"));
}

TEST(ProfileReader, AValueHasTheTypeAndUnitOfItsKey) {
  EXPECT_EQ("my.toml:3:12: `sm_count`: must be a number, but is a string",
            mistake("sm_count = \"40\"\n"));
  EXPECT_EQ("my.toml:3:12: `sm_count`: must be a number, but is an array",
            mistake("sm_count = [40]\n"));
  EXPECT_EQ("my.toml:3:21: `registers_by_warp`: must be true or false",
            mistake("registers_by_warp = 1\n"));
  EXPECT_EQ("my.toml:3:11: `product`: must be a string, but is a whole number",
            mistake_in("like = \"parent\"\n\nproduct = 3\n"));
  EXPECT_EQ(
      "my.toml:3:14: `l2_latency`: must have its unit, such as \"145 ns\", \"1980 MHz\", \"900 "
      "GB/s\"",
      mistake("l2_latency = 145\n"));
  EXPECT_EQ(
      "my.toml:3:14: `l2_latency`: must be a number and a unit (s, ms, us, ns, ps, clocks), but is "
      "`145 MHz`",
      mistake("l2_latency = \"145 MHz\"\n"));
  EXPECT_THAT(mistake("l2_latency = \"145ns\"\n"), testing::HasSubstr("but is `145ns`"));
  EXPECT_THAT(mistake("l2_latency = \"\"\n"), testing::HasSubstr("but is ``"));
  EXPECT_THAT(mistake("l2_latency = \"\\u001b[2J\"\n"), testing::HasSubstr("but is `\\x1b[2J`"));
}

TEST(ProfileReader, AComputeCapabilityHasTwoParts) {
  for (const char* text : {"8", "8.", ".9", "89", "8.9.0", "a.b", "0.9", "100.0", "-8.9"}) {
    EXPECT_EQ("my.toml:3:11: `compute`: must be a compute capability such as \"8.9\"",
              mistake("compute = \"" + std::string(text) + "\"\n"))
        << text;
  }
}

TEST(ProfileReader, ARuleIsOneOfThoseThatThereAre) {
  EXPECT_EQ(
      "my.toml:3:16: `shared_banks`: there is no `plain32`, did you mean `plain_32`?; it is one "
      "of: half_warp_16, kepler_4_byte, kepler_8_byte, plain_32",
      mistake("shared_banks = \"plain32\"\n"));
}

TEST(ProfileReader, NumbersGoTogether) {
  EXPECT_THAT(mistake("l2_bytes = 0\n"), testing::HasSubstr("3:12: `l2_bytes`: must not be 0"));
  EXPECT_THAT(mistake("l2_latency = \"500 ns\"\n"), testing::HasSubstr("at most `dram_latency`"));
  EXPECT_THAT(mistake("dram_loaded_latency = \"300 ns\"\n"),
              testing::HasSubstr("at least `dram_latency`"));
  EXPECT_THAT(mistake("partitions = 8\n"), testing::HasSubstr("`partitions`: must be 0"));
  EXPECT_THAT(mistake("l2_fetch_bytes = 48\n"), testing::HasSubstr("must be 32 or 64"));
  EXPECT_THAT(mistake("max_warps_per_sm = 16\n"), testing::HasSubstr("`max_threads_per_block`"));
  EXPECT_THAT(mistake("shared_reserved_per_block = 1024\n"),
              testing::HasSubstr("`max_shared_bytes_per_block`"));
  EXPECT_THAT(mistake("l1_most_bytes = 1024\n"), testing::HasSubstr("more than `l1_bytes`"));
}

TEST(ProfileReader, WhatItIsLikeMustExistAndEnd) {
  EXPECT_THROW(read("like = \"nobody\"\n"), base::TomlError);
  EXPECT_THROW(read("like = 3\n"), base::TomlError);
  EXPECT_THROW(read("like = \"ring\"\n"), base::TomlError);
}

TEST(ProfileReader, ABrokenFileIsToldWithItsPlace) {
  EXPECT_THAT(mistake("sm_count = = 3\n"), testing::StartsWith("my.toml:3:"));
  EXPECT_THROW(read("\xff\xfe"), base::TomlError);
  EXPECT_THROW(read(""), base::TomlError);
}

}  // namespace warpgrade::device::profile_reader_test

// SPDX-License-Identifier: Apache-2.0
#include "common/device/profile_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/toml_text.h"
#include "common/device/profile.h"

namespace warpgrade::device::profile_reader_test {

// The table of keys has each number of a profile once.

// The padding in a Profile: 3 bytes after each of two flags, and 4 bytes after each of four odd
// counts of whole numbers, before the next number or at the end of their group. A third flag has
// 3 bytes behind it, and the two counts that follow have 4.
constexpr std::size_t kPadding = 29;

/// The number; 0 if it is not set, as in a file.
template <typename Number>
double value_of(const Number& number) {
  return number;
}
template <typename Number>
double value_of(const std::optional<Number>& number) {
  return number.value_or(0);
}

TEST(ProfileFields, EachKeyIsThereOnce) {
  std::set<std::string_view> keys;
  for (const Field& field : fields()) EXPECT_TRUE(keys.insert(field.key).second) << field.key;
}

// sizeof(Profile) minus the keys, and minus the texts and rules that have readers of their own. The
// rest must be padding; otherwise the table lacks a number.
TEST(ProfileFields, EveryNumberOfAProfileHasAKey) {
  std::size_t known = 4 * sizeof(std::string) + 2 * sizeof(std::uint32_t) + sizeof(Coalescing) +
                      sizeof(SharedBanks) + sizeof(TagBanks) + 2 * sizeof(ErrorsByKind);
  for (const Field& field : fields()) {
    known += std::visit([](auto at) { return sizeof(at(std::declval<Profile&>())); }, field.at);
  }
  EXPECT_EQ(kPadding, sizeof(Profile) - known);
}

TEST(ProfileFields, RangesAreNotEmptyAndHoldTheDefault) {
  Profile defaults;
  for (const Field& field : fields()) {
    if (std::holds_alternative<At<bool>>(field.at)) continue;
    EXPECT_LT(field.least, field.most) << field.key;
    if (field.required) continue;
    const double value = std::visit([&](auto at) { return value_of(at(defaults)); }, field.at);
    EXPECT_LE(field.least, value) << field.key;
    EXPECT_GE(field.most, value) << field.key;
  }
}

TEST(ProfileFields, AQuantityIsExact) {
  EXPECT_EQ(145e-9, quantity("145 ns", Unit::kSeconds, 1e9));
  EXPECT_EQ(3e-12, quantity("3 ps", Unit::kSeconds, 1e9));
  EXPECT_EQ(29 / 1.98e9, quantity("29 clocks", Unit::kSeconds, 1.98e9));
  EXPECT_EQ(4.8e12, quantity("4800 GB/s", Unit::kBytesPerSecond, 1e9));
  EXPECT_EQ(228 * 1024.0, quantity("228 KiB", Unit::kBytes, 1e9));
  EXPECT_THROW(quantity("228 KB", Unit::kBytes, 1e9), base::UsageError);
  EXPECT_THROW(quantity("ns", Unit::kSeconds, 1e9), base::UsageError);
  EXPECT_THROW(quantity("1 ns ", Unit::kSeconds, 1e9), base::UsageError);
}

// A profile's file: its keys, their units, and the message for each mistake.

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

// The profiles: found by name, complete, and equal to data sheets.

namespace fs = std::filesystem;

std::string message_for(std::string_view name) {
  try {
    find(name);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "found";
}

const std::vector<std::string_view> kOldestFirst = {
    "g80",     "gtx280", "c1060", "k20x",    "k40", "titan_black", "v100",
    "t4",      "a100",   "a40",   "rtx3060", "l40", "rtx4090",     "l4",
    "rtx4060", "h100",   "gh200", "h200",    "b200"};

// "; devices: g80, gtx280, ...": the end of a message.
std::string listed() {
  std::string out;
  for (const auto name : kOldestFirst) {
    out += (out.empty() ? "; devices: " : ", ") + std::string(name);
  }
  return out;
}

TEST(Profiles, AreOldestFirst) {
  std::vector<std::string_view> names;
  for (const Profile* profile : profiles()) names.push_back(profile->name);
  EXPECT_EQ(kOldestFirst, names);
}

TEST(Profiles, AreFoundByName) { EXPECT_EQ("NVIDIA Tesla K40", find("k40").product); }

TEST(Profiles, AnUnknownNameIsAnsweredWithTheNearestAndTheList) {
  EXPECT_EQ("unknown device 'k4' (did you mean 'k40'?)" + listed(), message_for("k4"));
}

TEST(Profiles, ANameLikeNoneGetsTheListOnly) {
  EXPECT_EQ("unknown device 'radeon'" + listed(), message_for("radeon"));
  EXPECT_THAT(message_for(""), testing::Not(testing::HasSubstr("did you mean")));
}

TEST(Profiles, AnUnknownNameCannotMoveTheCursor) {
  EXPECT_THAT(message_for("\x1b[2J"), testing::HasSubstr("'\\x1b[2J'"));
}

// Some numbers of each kind, as their TOML files state them.
TEST(Profiles, AreReadToTheNumbersThatTheyHad) {
  const Profile& h200 = find("h200");
  EXPECT_EQ(1.98e9, h200.sm.clock_hz);
  EXPECT_EQ(4 * 2048 / 6.0, h200.tensor.products_per_clock);
  EXPECT_EQ(145e-9, h200.l2.latency_seconds);
  EXPECT_EQ(29 / 1.98e9, h200.shared.latency_seconds);
  EXPECT_EQ(1.8e-6, h200.launch.gap_seconds);
  EXPECT_EQ(7.5e-12, h200.dram.written_page_seconds);
  EXPECT_EQ(205U * 1024, h200.l1.max_cache_bytes);
  EXPECT_EQ(0.19, h200.errors.speed);
  const Profile& k40 = find("k40");
  EXPECT_EQ(17 * 745e6, k40.l2.partial_writes_per_second);
  EXPECT_EQ(350 / 745e6, k40.dram.latency_seconds);
  EXPECT_EQ(0.31, k40.errors.speed);
  EXPECT_EQ(SharedBanks::kKepler32, k40.rules.shared_banks);
  const Profile& c1060 = find("c1060");
  EXPECT_EQ(1.5e-6, c1060.launch.block_seconds);
  EXPECT_EQ(Coalescing::kHalfWarpSegments, c1060.rules.coalescing);
  EXPECT_EQ(500 / 1.35e9, find("g80").dram.latency_seconds);
  EXPECT_FALSE(find("g80").sm.limits.registers_by_warp);
  EXPECT_EQ(kLargestSpeedError, find("v100").errors.speed);
}

class ProfileFile : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) const {
    const auto file = fs::path(testing::TempDir()) / name;
    std::ofstream(file) << text;
    return file.string();
  }
};

TEST_F(ProfileFile, IsFoundByItsPathAndKeepsItsAddress) {
  const auto file = write("my_card.toml", "like = \"v100\"\nproduct = \"Mine\"\nsm_count = 3\n");
  const Profile& mine = find(file);
  EXPECT_EQ("my_card", mine.name);
  EXPECT_EQ(3U, mine.sm.count);
  EXPECT_EQ(&mine, &find(file));
  EXPECT_EQ(profiles().end(), std::ranges::find(profiles(), &mine));
}

TEST_F(ProfileFile, HasErrorsByKindOfItsOwnOnly) {
  const auto copies = std::optional(KernelKind::kCopy);
  const auto& h200 = find("h200").errors;
  EXPECT_LT(h200.of_speed(copies), h200.speed);
  EXPECT_EQ(h200.speed, h200.of_speed(std::nullopt));
  EXPECT_EQ(h200.speed, find(write("like.toml", "like = \"h200\"\n")).errors.of_speed(copies));
  const std::string like = "like = \"h200\"\n[speed_errors]\n";
  EXPECT_THAT(message_for(write("typo.toml", like + "copies = 0.2\n")),
              testing::HasSubstr("typo.toml:3:10: `copies`: unknown kind of kernel; it is one of: "
                                 "copy, transpose"));
  EXPECT_THAT(message_for(write("far.toml", like + "copy = 23\n")),
              testing::HasSubstr("`copy`: must be between 0 and 1"));
}

TEST_F(ProfileFile, MayNotTakeTheNameOfAnother) {
  EXPECT_THAT(message_for(write("h200.toml", "like = \"h200\"\n")),
              testing::HasSubstr("the program has a profile called `h200`"));
}

TEST_F(ProfileFile, IsAFile) {
  const auto folder = fs::path(testing::TempDir()) / "folder.toml";
  fs::create_directories(folder);
  EXPECT_EQ(folder.string() + ": is not a file", message_for(folder.string()));
}

// Each line with a value has a source, or is in a group of lines with one; the head of the file
// lists the sources of the data sheet's values. Estimates are marked.
TEST(Profiles, EachNewNumberHasASourceOrIsMarkedAsAnEstimate) {
  std::size_t numbers = 0;
  // These profiles state their sources in another form.
  const std::set<std::string_view> exempt = {"g80", "gtx280",      "c1060", "k20x",
                                             "k40", "titan_black", "v100",  "h200"};
  for (const auto name : kOldestFirst) {
    if (exempt.contains(name)) continue;
    std::ifstream in(fmt::format("{}/{}.toml", WARPGRADE_PROFILES, name));
    std::string head;
    bool in_head = true;
    for (std::string line; std::getline(in, line);) {
      in_head = in_head && line.starts_with("#");
      if (in_head) head += line;
      const bool is_rate = line.find("_per_second = ") != std::string::npos ||
                           line.find("_latency = ") != std::string::npos ||
                           line.starts_with("dram_bandwidth = ") ||
                           line.starts_with("dram_efficiency = ");
      if (!is_rate) continue;
      ++numbers;
      const bool is_listed = line.starts_with("l2_") && line.find('#') == std::string::npos;
      EXPECT_TRUE(is_listed || line.find("  # ") != std::string::npos) << name << ": " << line;
    }
    EXPECT_THAT(head, testing::HasSubstr("Sources: ")) << name;
    EXPECT_THAT(head, testing::HasSubstr("[est]")) << name;
  }
  EXPECT_LT(80U, numbers);
}

TEST_F(ProfileFile, ThatIsNotThereIsSaidToBeMissing) {
  EXPECT_EQ("no/such.toml: no such file", message_for("no/such.toml"));
  EXPECT_EQ("/tmp/\\x1b.toml: no such file", message_for("/tmp/\x1b.toml"));
}

// Bus width times data rate, from the data sheets.
TEST(Profiles, PeakBandwidthIsBusWidthTimesDataRate) {
  EXPECT_NEAR(384 / 8 * 2 * 0.900e9, find("g80").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(512 / 8 * 2 * 1.107e9, find("gtx280").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(512 / 8 * 2 * 0.800e9, find("c1060").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 2.600e9, find("k20x").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 3.004e9, find("k40").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 3.500e9, find("titan_black").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(4096 / 8 * 2 * 0.877e9, find("v100").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(256 / 8 * 2 * 5.001e9, find("t4").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(5120 / 8 * 2 * 1.593e9, find("a100").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 7.251e9, find("a40").dram.bytes_per_second, 0.2e9);
  EXPECT_NEAR(192 / 8 * 2 * 7.501e9, find("rtx3060").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 9.001e9, find("l40").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 21e9, find("rtx4090").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(192 / 8 * 2 * 6.251e9, find("l4").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(128 / 8 * 17e9, find("rtx4060").dram.bytes_per_second, 0.1e9);
  EXPECT_NEAR(5120 / 8 * 2 * 2.619e9, find("h100").dram.bytes_per_second, 0.4e9);
  EXPECT_NEAR(6144 / 8 * 2 * 2.619e9, find("gh200").dram.bytes_per_second, 0.4e9);
  EXPECT_NEAR(7680 / 8 * 2 * 3.996e9, find("b200").dram.bytes_per_second, 0.4e9);
}

// From the CUDA C++ Programming Guide's table of technical specifications, by compute capability:
// warps, blocks and kilobytes of shared memory per multiprocessor, and kilobytes per block.
TEST(Profiles, LimitsAreThoseOfTheComputeCapability) {
  struct Limits {
    std::uint32_t warps, blocks, shared, shared_a_block;
  };
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Limits> table = {
      {{7, 0}, {64, 32, 96, 96}},   {{7, 5}, {32, 16, 64, 64}},  {{8, 0}, {64, 32, 164, 163}},
      {{8, 6}, {48, 16, 100, 99}},  {{8, 9}, {48, 24, 100, 99}}, {{9, 0}, {64, 32, 228, 227}},
      {{10, 0}, {64, 32, 228, 227}}};
  for (const Profile* p : profiles()) {
    if (p->compute.major < 7) continue;
    SCOPED_TRACE(p->name);
    const Limits& limits = table.at({p->compute.major, p->compute.minor});
    EXPECT_EQ(limits.warps, p->sm.limits.warps);
    EXPECT_EQ(limits.blocks, p->sm.limits.blocks);
    EXPECT_EQ(limits.shared * 1024, p->shared.bytes);
    EXPECT_EQ(limits.shared_a_block * 1024, p->shared.max_bytes_per_block);
    EXPECT_EQ(p->compute.major >= 8 ? 1024U : 0U, p->shared.reserved_bytes_per_block);
    EXPECT_EQ(p->compute.major >= 8 ? 128U : 256U, p->shared.unit_bytes);
    EXPECT_EQ(65536U, p->sm.limits.registers);
    EXPECT_EQ(255U, p->sm.limits.registers_per_thread);
  }
}

// gpu-benches measured 2 clocks for a warp's load of floats in the L1 of an A40 and an L40. An A100
// and an H200 take 1. Loads of 16 bytes a lane need 4 clocks on an RTX 4090 (Luo et al., 2024), and
// 8 on an RTX 2080 Ti (tests/evidence/published).
TEST(Profiles, L1OfGraphicsChipsFillsTheRegistersOfHalfAWarpAClock) {
  for (const Profile* p : profiles()) {
    if (p->compute.major < 7) continue;
    const bool is_later = p->compute.major == 8 && p->compute.minor != 0;
    EXPECT_EQ(is_later ? std::optional(16.0) : std::nullopt, p->l1.loaded_lanes_per_clock)
        << p->name;
    EXPECT_EQ(p->name == "t4" ? std::optional(64.0) : std::nullopt, p->l1.loaded_bytes_per_clock)
        << p->name;
  }
}

// L2 has two halves on the A100 (20 MB each, from mt4g), the H100 (25 MB each, from mt4g), devices
// with the same chips, and the B200.
TEST(Profiles, L2OfDataCentreChipsHasTwoHalves) {
  for (const Profile* p : profiles()) {
    const bool is_large = p->compute.major >= 8 && (p->compute.major > 8 || p->compute.minor == 0);
    EXPECT_EQ(is_large ? 2U : 1U, p->l2.halves) << p->name;
  }
}

// From Turing on, a profile compiles for its own architecture. CUDA 13 supports no older ones.
TEST(Profiles, CompileForTheirOwnArchitecture) {
  EXPECT_EQ("sm_75", find("k40").architecture);
  EXPECT_EQ("sm_75", find("v100").architecture);
  EXPECT_EQ("sm_75", find("t4").architecture);
  EXPECT_EQ("sm_80", find("a100").architecture);
  EXPECT_EQ("sm_86", find("rtx3060").architecture);
  EXPECT_EQ("sm_89", find("rtx4090").architecture);
  EXPECT_EQ("sm_90", find("h100").architecture);
  EXPECT_EQ("sm_100", find("b200").architecture);
}

// CUDA cores on the data sheet are the SMs times the lanes of f32 per clock.
TEST(Profiles, FloatLanesTimesSmsIsTheNumberOfCores) {
  const auto cores = [](std::string_view name) {
    const Profile& p = find(name);
    return p.sm.count * p.sm.float_instructions_per_clock() * 32;
  };
  EXPECT_EQ(128, cores("g80"));
  EXPECT_EQ(240, cores("gtx280"));
  EXPECT_EQ(240, cores("c1060"));
  EXPECT_EQ(2688, cores("k20x"));
  EXPECT_EQ(2880, cores("k40"));
  EXPECT_EQ(2880, cores("titan_black"));
  EXPECT_EQ(5120, cores("v100"));
  EXPECT_EQ(2560, cores("t4"));
  EXPECT_EQ(6912, cores("a100"));
  EXPECT_EQ(10752, cores("a40"));
  EXPECT_EQ(3584, cores("rtx3060"));
  EXPECT_EQ(18176, cores("l40"));
  EXPECT_EQ(16384, cores("rtx4090"));
  EXPECT_EQ(7424, cores("l4"));
  EXPECT_EQ(3072, cores("rtx4060"));
  EXPECT_EQ(16896, cores("h100"));
  EXPECT_EQ(16896, cores("h200"));
  EXPECT_EQ(18944, cores("b200"));
}

TEST(Profiles, NoneLeavesANumberOutThatTheModelsDivideBy) {
  for (const Profile* p : profiles()) {
    SCOPED_TRACE(std::string(p->name));
    EXPECT_LT(0, p->sm.clock_hz);
    EXPECT_LT(0, p->dram.bytes_per_second);
    EXPECT_LT(0, p->dram.efficiency);
    EXPECT_GT(1, p->dram.efficiency);
    EXPECT_LT(0, p->sm.port_bytes_per_clock);
    EXPECT_LT(0, p->l1.tag_lookups_per_clock);
    EXPECT_LT(0, p->shared.wavefronts_per_clock);
    EXPECT_LT(0U, p->sm.limits.register_unit);
    EXPECT_LT(0U, p->shared.unit_bytes);
    EXPECT_LT(0U, p->sm.limits.warp_unit);
    EXPECT_EQ(p->l2.bytes.has_value(), p->l2.sectors_per_clock.has_value());
    EXPECT_EQ(p->dram.partitions.has_value(), p->dram.partition_width != 0);
    EXPECT_LE(p->sm.limits.threads_per_block, p->sm.limits.warps * 32);
  }
}

TEST(Profiles, OnlyTheUncachedGenerationsInterleaveTheirPartitionsPlainly) {
  for (const Profile* p : profiles())
    EXPECT_NE(p->l2.bytes.has_value(), p->dram.partitions.has_value()) << p->name;
}

}  // namespace warpgrade::device::profile_reader_test

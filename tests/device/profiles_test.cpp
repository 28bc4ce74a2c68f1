// SPDX-License-Identifier: Apache-2.0
// The profiles: found by name, complete, and equal to data sheets.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/device/profile.h"

namespace warpgrade::device::profiles_test {

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
  EXPECT_EQ(0.13, find("h200").errors.of_speed(copies));
  EXPECT_EQ(0.19, find("h200").errors.of_speed(std::nullopt));
  EXPECT_EQ(0.19, find(write("like.toml", "like = \"h200\"\n")).errors.of_speed(copies));
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
// and an H200 take 1.
TEST(Profiles, L1OfGraphicsChipsFills64BytesOfRegistersAClock) {
  for (const Profile* p : profiles()) {
    if (p->compute.major < 8) continue;
    const bool is_graphics_chip = p->compute.major == 8 && p->compute.minor != 0;
    EXPECT_EQ(is_graphics_chip ? std::optional(64.0) : std::nullopt, p->l1.loaded_bytes_per_clock)
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

// CUDA cores on the data sheet are the SMs times the lanes that issue per clock.
TEST(Profiles, IssueRateTimesSmsIsTheNumberOfCores) {
  const auto cores = [](std::string_view name) {
    const Profile& p = find(name);
    return p.sm.count * p.sm.warp_instructions_per_clock * 32;
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

}  // namespace warpgrade::device::profiles_test

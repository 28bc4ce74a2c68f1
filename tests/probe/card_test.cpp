// SPDX-License-Identifier: Apache-2.0
// The numbers that probes find on a fake card, whose times all follow from a few numbers. Expected
// values are calculated by hand.
#include "common/probe/card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "common/base/error.h"

namespace warpgrade::probe::card_test {

using testing::HasSubstr;

constexpr double kOverhead = 4e-6;
constexpr double kCopied = 1.7e12;        // Bytes per second, read and written.
constexpr double kLinesASecond = 100e9;   // For any request, with many blocks ...
constexpr double kLinesOfABlock = 0.5e9;  // ... or with few.
constexpr std::uint32_t kL1Bytes = 200 << 10;

class FakeCard : public Card {
 public:
  FakeCard() {
    info_.name = "Some GPU";
    info_.compute_major = 9;
    info_.sm_count = 128;
    info_.max_threads_per_sm = 2048;
    info_.max_threads_per_block = 1024;
    info_.l2_bytes = 60 << 20;
    info_.memory_bytes = std::uint64_t{80} << 30;
    info_.memory_bytes_per_second = 2e12;
    info_.driver_cuda = 13000;
  }
  const gpu::DeviceInfo& info() const override { return info_; }

  std::array<std::uint32_t, 2> words(const Probe& probe) override {
    const auto [a, b, c] = probe.numbers;
    const std::uint32_t warps = probe.threads / 32;
    if (probe.kernel == "clock_rate") return {4 * a, 2 * a};  // 4 clocks in 2 ns
    if (probe.kernel == "chain") return {4 * a, 0};
    if (probe.kernel == "issue") return {a * warps / 2, 0};
    if (probe.kernel == "shared_chain") return {23 * a, 0};
    if (probe.kernel == "shared_strides") return {a * warps * (b < bank_rule ? b : bank_rule), 0};
    if (probe.kernel == "barriers") return {a * (13 + 2 * warps), 0};
    if (probe.kernel == "l1_twice") return {4 * a / (4 * a <= kL1Bytes ? 64 : 24), 0};
    if (probe.kernel == "l1_lines") return {a * warps * (c == 0 ? 9 : same_bank ? 4 : 2), 0};
    if (probe.kernel == "load_chain") return {a * (c != 0 ? 290 : 660), 0};
    ADD_FAILURE() << probe.kernel;
    return {};
  }

  double seconds(const Probe& probe) override { return kOverhead + busy(probe); }
  double seconds_of_many(const Probe& probe, std::uint32_t launches) override {
    return kOverhead + launches * busy(probe) + (launches - 1) * 1.5e-6;
  }
  double copy_seconds(std::uint64_t bytes) override {
    return kOverhead + 2 * static_cast<double>(bytes) / kCopied;
  }

  std::uint32_t bank_rule = 32;
  bool same_bank = false;
  gpu::DeviceInfo info_;

 private:
  static double busy(const Probe& probe) {
    const auto [a, b, c] = probe.numbers;
    const double warps = probe.blocks * (probe.threads / 32.0);
    if (probe.kernel == "chain") return a * 2e-9;
    if (probe.kernel == "nothing") return probe.blocks / 1e9;
    if (probe.kernel.starts_with("lines_")) {
      return warps * a * 32 / c /
             (probe.blocks < 100 ? kLinesOfABlock * probe.blocks : kLinesASecond);
    }
    if (probe.kernel.starts_with("stream_")) return warps * a * 512 / 6.4e12;
    if (probe.kernel == "warp_copies") return a * 700e-9;
    if (probe.kernel == "gaps") return b == 8 ? 1e-3 : 0.9e-3;
    ADD_FAILURE() << probe.kernel;
    return 0;
  }
};

std::map<std::string, std::string> found_on(FakeCard& card) {
  std::map<std::string, std::string> out;
  for (const auto& number : card_numbers(card, [](const std::string&) {})) {
    EXPECT_TRUE(out.emplace(number.key, number.value).second) << number.key;
    EXPECT_FALSE(number.how.empty()) << number.key;
  }
  return out;
}

TEST(CardNumbers, AreThoseThatTheTimesFollowFrom) {
  FakeCard card;
  const std::map<std::string, std::string> expected = {
      {"product", "\"Some GPU\""},
      {"compute", "\"9.0\""},
      {"sm_count", "128"},
      {"max_threads_per_block", "1024"},
      {"max_warps_per_sm", "64"},
      {"shared_reserved_per_block", "0"},
      {"l2_bytes", "62914560"},
      {"sm_clock", "\"2000 MHz\""},
      {"alu_latency_clocks", "4"},
      {"warp_instructions_per_clock_per_sm", "2"},
      {"shared_latency", "\"23 clocks\""},
      {"shared_banks", "\"plain_32\""},
      {"barrier_clocks", "13.0"},
      {"barrier_clocks_per_warp", "2.00"},
      {"l1_most_bytes", "\"200 KiB\""},
      {"tag_lookups_per_clock_per_sm", "4"},  // 32 lines in 9 clocks: 3.6
      {"tag_banks", "\"hopper\""},
      {"launch_overhead", "\"4.0 us\""},
      {"launch_gap", "\"1500 ns\""},
      {"blocks_per_second", "1e+09"},
      {"l2_latency", "\"145 ns\""},
      {"port_bytes_per_clock_per_sm", "32.0"},  // 0.5e9 lines of 128 bytes at 2 GHz
      {"port_stored_bytes_per_clock_per_sm", "32.0"},
      {"l2_load_lines_per_second", "1e+11"},
      {"l2_store_lines_per_second", "1e+11"},
      {"l2_atomic_sectors_per_second", "2e+11"},
      {"l2_sectors_per_clock", "100"},  // 6.4e12 / 32 / 2e9
      {"l2_stored_sectors_per_second", "2e+11"},
      {"dram_bandwidth", "\"2000 GB/s\""},
      {"dram_efficiency", "0.847"},  // 2 GiB in 1267.2 us
      {"dram_latency", "\"330 ns\""},
      {"dram_loaded_latency", "\"700 ns\""},
      {"l2_fetch_bytes", "64"},
  };
  EXPECT_EQ(expected, found_on(card));
}

TEST(CardNumbers, ACopyStandsInForABandwidthThatTheDriverDoesNotKnow) {
  FakeCard card;
  card.info_.memory_bytes_per_second = 0;
  const auto found = found_on(card);
  EXPECT_EQ("\"1883 GB/s\"", found.at("dram_bandwidth"));  // 1694.6 / 0.9
  EXPECT_EQ("0.900", found.at("dram_efficiency"));
}

TEST(CardNumbers, LinesThatShareABankOfTagsAreAnAmperes) {
  FakeCard card;
  card.same_bank = true;
  EXPECT_EQ("\"ampere\"", found_on(card).at("tag_banks"));
}

TEST(CardNumbers, ACardWithOtherBanksIsNone) {
  FakeCard card;
  card.bank_rule = 16;
  try {
    found_on(card);
    FAIL() << "no error";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("2.0 clocks at stride 2 and 16.0 at stride 32"));
  }
}

// The file is readable and equals the nearest profile except for the measured values.
TEST(CardNumbers, MakeAProfile) {
  FakeCard card;
  const auto& like = device::find("h200");
  const auto numbers = card_numbers(card, [](const std::string&) {});
  const auto text = profile_text(card.info(), like, numbers, "2026-11-23");
  EXPECT_THAT(text, HasSubstr("# Some GPU: what the driver says and what probes measured, "
                              "2026-11-23, CUDA driver 13.0.\n"));
  EXPECT_THAT(text, HasSubstr("l2_latency = \"145 ns\"  # measured: 290 clocks"));
  const auto file = testing::TempDir() + "a_measured_card.toml";
  std::ofstream(file) << text;
  const auto& profile = device::find(file);
  EXPECT_EQ(128U, profile.sm.count);
  EXPECT_DOUBLE_EQ(145e-9, profile.l2.latency_seconds);
  EXPECT_EQ(like.sm.limits.registers, profile.sm.limits.registers);
  EXPECT_EQ(like.errors.speed, profile.errors.speed);

  card.info_.compute_major = 12;
  EXPECT_THAT(profile_text(card.info(), like, numbers, "2026-11-23"),
              HasSubstr("speed_error = 0.35"));
}

}  // namespace warpgrade::probe::card_test

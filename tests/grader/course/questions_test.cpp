// SPDX-License-Identifier: Apache-2.0
// Right answers by hand: greatest common divisors for banks, the lecture's arithmetic for
// coarsening.
#include "grader/course/questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace warpgrade::grader::course::questions_test {

using testing::ElementsAre;
using testing::HasSubstr;

Question asked_on(std::string device, QuestionRule rule) {
  Question out;
  out.device = std::move(device);
  out.rule = rule;
  return out;
}

Question wavefronts(std::string device, std::uint32_t word_bytes, std::uint32_t strides) {
  return asked_on(std::move(device), SharedWavefronts{word_bytes, strides});
}

Question factor(std::string device, CoarseningLevel level) {
  return asked_on(std::move(device), CoarseningFactor{level, {512, 16, 2048}});
}

Question in_flight(std::string device, InFlight asked, std::uint32_t latency_ns) {
  return asked_on(std::move(device), LittlesLaw{asked, {64, 32, 49152}, latency_ns});
}

TEST(SharedWavefronts, OfWordsOnH200AreTheCommonDivisorWith32) {
  std::vector<std::int64_t> expected;
  for (std::int64_t stride = 1; stride <= 33; ++stride) expected.push_back(std::gcd(stride, 32));
  EXPECT_EQ(expected, right_answers(wavefronts("h200", 4, 33)));
}

TEST(SharedWavefronts, OfWideWordsOnH200AddUpOverGroups) {
  // Two half-warps of 16 lanes on 16 pairs of banks; four quarters of 8 lanes on 8 fours of banks.
  EXPECT_THAT(right_answers(wavefronts("h200", 8, 4)), ElementsAre(2, 4, 2, 8));
  EXPECT_THAT(right_answers(wavefronts("h200", 16, 4)), ElementsAre(4, 8, 4, 16));
}

TEST(SharedWavefronts, OnK40ShareRowsOf256Bytes) {
  // Stride 2: lanes i and i + 16 meet in a bank, 128 bytes apart, in one row. Stride 4: lanes i,
  // i + 8, i + 16, i + 24 meet, 128 bytes apart each, two to a row.
  EXPECT_THAT(right_answers(wavefronts("k40", 4, 4)), ElementsAre(1, 1, 1, 2));
  EXPECT_EQ(16, right_answers(wavefronts("k40", 4, 32)).back());
}

TEST(SharedWavefronts, AreExplainedByTheBusiestBank) {
  EXPECT_EQ(
      "All 32 lanes are served together; a bank serves one 4-byte word per wavefront. Bank "
      "0 "
      "must serve words 0, 32, 64, 96, for lanes 0, 8, 16, 24.",
      reasoning(wavefronts("h200", 4, 33), 3, 2));
  EXPECT_EQ(
      "16 lanes are served at a time, and the wavefronts of the 2 groups add up; a bank serves one "
      "4-byte word per wavefront. Bank 0 must serve words 0, 32, for lanes 0, 8 of the first "
      "group.",
      reasoning(wavefronts("h200", 8, 33), 1, 2));
  EXPECT_EQ(
      "All 32 lanes are served together, and a bank serves all its words in one row of 256 bytes "
      "in one wavefront. Bank 0 must serve row 0, first for lane 0.",
      reasoning(wavefronts("k40", 4, 33), 1, 2));
  EXPECT_EQ("stride 2", subject(wavefronts("k40", 4, 33), 1));
}

TEST(SharedWavefronts, AreAskedForWhere32BanksServeAWarp) {
  EXPECT_TRUE(explains_wavefronts("h200"));
  EXPECT_TRUE(explains_wavefronts("titan_black"));
  EXPECT_FALSE(explains_wavefronts("gtx280"));
}

TEST(CoarseningFactor, IsThatOfTheLectureOnTitanBlack) {
  // Thread level: 512 / 4 threads, 16 blocks per SM. Block level: 4 blocks of 8192 bytes in 48 KB.
  EXPECT_THAT(right_answers(factor("titan_black", CoarseningLevel::kThread)), ElementsAre(4));
  EXPECT_THAT(right_answers(factor("titan_black", CoarseningLevel::kBlock)), ElementsAre(4));
}

TEST(CoarseningFactor, IsLargerOnH200) {
  // Thread level: 32 blocks of 64 threads are 2048 threads; 32 blocks of 32 threads are fewer.
  // Block level: 4 blocks of 32 KB and 1 KB reserved fit into 228 KB.
  EXPECT_THAT(right_answers(factor("h200", CoarseningLevel::kThread)), ElementsAre(8));
  EXPECT_THAT(right_answers(factor("h200", CoarseningLevel::kBlock)), ElementsAre(16));
}

TEST(CoarseningFactor, IsExplainedByWhatFits) {
  const auto thread = factor("titan_black", CoarseningLevel::kThread);
  EXPECT_EQ(
      "With factor 8, a block has 64 threads and 2,048 bytes of shared memory. A multiprocessor of "
      "titan_black holds 16 such blocks (limit: blocks), so 1,024 threads are active instead of "
      "2,048 with factor 1: the factor is too large.",
      reasoning(thread, 0, 8));
  EXPECT_THAT(
      reasoning(thread, 0, 2),
      HasSubstr("With factor 4, a block has 128 threads and 2,048 bytes of shared memory. A "
                "multiprocessor of titan_black holds 16 such blocks"));
  EXPECT_THAT(reasoning(thread, 0, 2), HasSubstr("as many as with factor 1, so 2 is too small."));
  EXPECT_EQ("The factors to choose from are 1, 2, 4, 8 and 16.", reasoning(thread, 0, 3));
  EXPECT_EQ("", subject(thread, 0));
}

// By hand: 320 B/ns * 315 ns / 40 = 2520; 2039 * 391 / 108 = 7381.9; 4800 * 333 / 132 = 12109.1.
TEST(LittlesLaw, SharesTheBytesInFlightAmongMultiprocessors) {
  EXPECT_THAT(right_answers(in_flight("t4", InFlight::kBytes, 315)), ElementsAre(2520));
  EXPECT_THAT(right_answers(in_flight("a100", InFlight::kBytes, 391)), ElementsAre(7382));
  EXPECT_THAT(right_answers(in_flight("h200", InFlight::kBytes, 333)), ElementsAre(12110));
}

// 48 KB fits once into 64 KB. With the reserved 1 KB, 49 KB fits three times into 164 KB and four
// times into 228 KB.
TEST(LittlesLaw, CountsTheWarpsOfBlocksThatFit) {
  EXPECT_THAT(right_answers(in_flight("t4", InFlight::kWarps, 315)), ElementsAre(2));
  EXPECT_THAT(right_answers(in_flight("a100", InFlight::kWarps, 391)), ElementsAre(6));
  EXPECT_THAT(right_answers(in_flight("h200", InFlight::kWarps, 333)), ElementsAre(8));
}

// 2520 / 256 = 9.8; 7382 / 768 = 9.6; 12110 / 1024 = 11.8.
TEST(LittlesLaw, DividesThemByTheBytesOfOneLoadOfAllWarps) {
  EXPECT_THAT(right_answers(in_flight("t4", InFlight::kLoads, 315)), ElementsAre(10));
  EXPECT_THAT(right_answers(in_flight("a100", InFlight::kLoads, 391)), ElementsAre(10));
  EXPECT_THAT(right_answers(in_flight("h200", InFlight::kLoads, 333)), ElementsAre(12));
}

TEST(LittlesLaw, IsExplainedByTheStepToTheAnswer) {
  EXPECT_EQ(
      "DRAM moves 320 bytes per nanosecond. Multiply by the latency of 315 ns, divide by 40 "
      "multiprocessors, and round up.",
      reasoning(in_flight("t4", InFlight::kBytes, 315), 0, 1));
  EXPECT_EQ(
      "A block has 2 warps and 49,152 bytes of shared memory. Count the blocks that fit on a "
      "multiprocessor; the limit is shared memory.",
      reasoning(in_flight("h200", InFlight::kWarps, 333), 0, 64));
  EXPECT_THAT(reasoning(in_flight("h200", InFlight::kLoads, 333), 0, 1),
              HasSubstr("keeps 128 bytes per resident warp in flight"));
}

// A launch of 560 blocks of 16 warps on an H200: four fit on a multiprocessor.
Question of_a_profile(ProfileAsked asked) {
  LaunchFacts facts;
  facts.bottleneck = measure::Bottleneck::kGrid;
  facts.occupancy = {4, 64, timing::Limit::kWarps};
  facts.resident_warps = 51.2;
  facts.bytes_in_flight = 1234.4;
  facts.blocks = 560;
  facts.dram = 7.5;
  facts.l2 = 11;
  facts.l1 = 8.4;
  facts.sm = 12;
  facts.command = "warpgrade profile k.cu";
  return asked_on("h200", LaunchProfile{asked, "ones", facts});
}

TEST(LaunchProfile, AnswersAreAWordPercentOfTheWarpsOrBytes) {
  const auto limit = of_a_profile(ProfileAsked::kLimit);
  ASSERT_EQ(1U, answer_count(limit));
  EXPECT_EQ("grid", answer_words(limit)[static_cast<std::size_t>(right_answers(limit)[0])]);
  const auto occupancy = of_a_profile(ProfileAsked::kOccupancy);
  EXPECT_THAT(right_answers(occupancy), ElementsAre(80));  // 51.2 of 64
  EXPECT_THAT(right_answers(of_a_profile(ProfileAsked::kBytes)), ElementsAre(1234));
  EXPECT_TRUE(answer_words(occupancy).empty());
}

TEST(LaunchProfile, NumbersAreRightWithinTheirTolerance) {
  const auto occupancy = of_a_profile(ProfileAsked::kOccupancy);
  EXPECT_TRUE(is_right(occupancy, 70, 80));
  EXPECT_TRUE(is_right(occupancy, 90, 80));
  EXPECT_FALSE(is_right(occupancy, 69, 80));
  EXPECT_FALSE(is_right(occupancy, 91, 80));
  const auto bytes = of_a_profile(ProfileAsked::kBytes);
  EXPECT_TRUE(is_right(bytes, 750, 1000));
  EXPECT_TRUE(is_right(bytes, 1250, 1000));
  EXPECT_FALSE(is_right(bytes, 749, 1000));
  EXPECT_FALSE(is_right(bytes, 1251, 1000));
  EXPECT_FALSE(is_right(of_a_profile(ProfileAsked::kLimit), 6, 7));
  EXPECT_FALSE(is_right(factor("h200", CoarseningLevel::kThread), 4, 8));
}

TEST(LaunchProfile, IsExplainedByItsFactsAndTheCommandThatShowsThem) {
  EXPECT_EQ(
      "DRAM reaches 8 % of its throughput, L2 11 %, L1 8 % and the SM 12 %. A multiprocessor has "
      "room for 64 warps; 64 of them fit, and 51 are there on average. warpgrade profile k.cu "
      "shows more.",
      reasoning(of_a_profile(ProfileAsked::kLimit), 0, 1));
  EXPECT_EQ(
      "4 blocks fit on a multiprocessor (limit: warps), a wave of 528, and the grid has 560. Find "
      "the mean of the resident warps in the time in which a multiprocessor has a block, in "
      "percent "
      "of 64. warpgrade profile k.cu shows sm__warps_active.",
      reasoning(of_a_profile(ProfileAsked::kOccupancy), 0, 100));
  EXPECT_THAT(reasoning(of_a_profile(ProfileAsked::kBytes), 0, 1),
              HasSubstr("345 ns from an idle DRAM and 650 ns from a busy one"));
}

TEST(LaunchProfile, AsksByItsKernelAndCard) {
  const LaunchProfile rule{ProfileAsked::kOccupancy, "ones", {}};
  EXPECT_EQ("Achieved occupancy of `ones` on h200, in percent, within 10 points.",
            default_meaning(rule, "h200"));
}

}  // namespace warpgrade::grader::course::questions_test

// SPDX-License-Identifier: Apache-2.0
// The stopping rule must reach the same verdict in every process, on samples measured on a card.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "common/measure/comparison.h"
#include "csv.h"

namespace warpgrade::golden::abba_samples_test {

using measure::AbbaSample;
using measure::Side;
using Series = std::map<std::string, std::vector<AbbaSample>>;

// Samples by kernel, then by process.
const std::map<std::string, Series>& recorded() {
  static const auto kRead = [] {
    std::map<std::string, Series> out;
    for (const auto& row : read_csv(std::string(WARPGRADE_GOLDEN) + "/h200_abba/samples.csv")) {
      const auto time = [&](const char* name) { return std::stod(row.at(name)); };
      out[row.at("kernel")][row.at("series")].push_back(
          {time("copy_1"), time("kernel_1"), time("kernel_2"), time("copy_2")});
    }
    return out;
  }();
  return kRead;
}

// The verdict of a grade with one bound. Samples of the process repeat if the rule needs more.
Side verdict(const std::vector<AbbaSample>& samples, double bound, std::size_t* taken = nullptr) {
  measure::StoppingOptions options;
  options.bounds = {bound};
  measure::StoppingRule rule(options);
  for (std::size_t i = 0; !rule.is_done(1); ++i) rule.add(samples[i % samples.size()]);
  if (taken != nullptr) *taken = rule.samples().size();
  return side_of(rule.estimate(), bound);
}

// Earlier measured fractions of copy, from medians of 21 launches each (h200_grades).
const std::map<std::string, double> kFractions = {{"coalescing/copy", 0.979},
                                                  {"coalescing/transpose", 0.865}};

TEST(RecordedSamples, FractionsAreWithinTwoPercentOfThoseMeasuredBefore) {
  ASSERT_EQ(2U, recorded().size());
  for (const auto& [kernel, series] : recorded()) {
    for (const auto& [name, samples] : series) {
      ASSERT_GE(samples.size(), 14U);
      measure::StoppingRule rule({});
      for (const auto& sample : samples) rule.add(sample);
      EXPECT_NEAR(kFractions.at(kernel), rule.estimate().value, 0.02 * kFractions.at(kernel))
          << name;
    }
  }
}

TEST(RecordedSamples, FivePercentBesideABoundIsDecidedInEachProcess) {
  for (const auto& [kernel, series] : recorded()) {
    for (const auto& [name, samples] : series) {
      std::size_t taken = 0;
      EXPECT_EQ(Side::kAbove, verdict(samples, kFractions.at(kernel) * 0.93, &taken)) << name;
      EXPECT_LE(taken, 31U) << name;
      EXPECT_EQ(Side::kBelow, verdict(samples, kFractions.at(kernel) * 1.05, &taken)) << name;
      EXPECT_LE(taken, 31U) << name;
    }
  }
}

// Grades kernels with bounds just below and above their speed, in 200 processes. Each process draws
// its samples from those of a recorded process. No two may disagree.
TEST(RecordedSamples, NoBoundIsBothPassedAndFailed) {
  for (const auto& [kernel, series] : recorded()) {
    for (double beside = 0.97; beside < 1.03; beside += 0.005) {
      int above = 0;
      int below = 0;
      for (unsigned process = 0; process < 200; ++process) {
        std::mt19937 random(process);
        auto drawn =
            std::next(series.begin(), static_cast<std::ptrdiff_t>(process % series.size()))->second;
        const auto from = drawn;
        drawn.resize(160);
        for (auto& sample : drawn) sample = from[random() % from.size()];
        const auto side = verdict(drawn, kFractions.at(kernel) * beside);
        above += side == Side::kAbove ? 1 : 0;
        below += side == Side::kBelow ? 1 : 0;
      }
      EXPECT_EQ(0, std::min(above, below)) << kernel << " " << beside;
    }
  }
}

}  // namespace warpgrade::golden::abba_samples_test

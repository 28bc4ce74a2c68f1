// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/copy_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/grader/grade/fakes.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::copy_times_test {

// Predicted copy times are stored. Damaged files, and files of another program or compiler, are
// ignored.

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

class CopyTimesTest : public testing::Test {
 protected:
  CopyTimesTest() { fs::remove_all(folder_); }
  ~CopyTimesTest() override { fs::remove_all(folder_); }
  void write(const std::string& text) {
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "warpgrade_copy_times";
  fs::path file_ = folder_ / "cache" / "copy_times.json";
};

TEST_F(CopyTimesTest, WhatIsKeptIsThereTheNextTimeToTheLastBit) {
  constexpr double kSeconds = 0.1 + 0.2;
  CopyTimes(file_, "services").keep({{"c1060", {{64, kSeconds}, {128, 1e-300}}}});
  CopyTimes again(file_, "services");
  EXPECT_THAT(again.of("c1060"), UnorderedElementsAre(Pair(64, kSeconds), Pair(128, 1e-300)));
  EXPECT_THAT(again.of("h200"), IsEmpty());
  again.keep({{"h200", {{64, 2}}}});
  again.keep({{"c1060", {{256, 3}}}});
  const CopyTimes last(file_, "services");
  EXPECT_EQ(3U, last.of("c1060").size());
  EXPECT_THAT(last.of("h200"), UnorderedElementsAre(Pair(64, 2)));
}

TEST_F(CopyTimesTest, AnotherProgramsOrCompilersCountForNothing) {
  CopyTimes(file_, "services").keep({{"c1060", {{64, 1}}}});
  CopyTimes other(file_, "other services");
  EXPECT_THAT(other.of("c1060"), IsEmpty());
  other.keep({{"c1060", {{128, 2}}}});
  EXPECT_THAT(CopyTimes(file_, "other services").of("c1060"), UnorderedElementsAre(Pair(128, 2)));
  EXPECT_THAT(CopyTimes(file_, "services").of("c1060"), IsEmpty());
}

TEST_F(CopyTimesTest, WhatIsBrokenCountsForNothing) {
  const std::string head = R"({"schema": "warpgrade.copy_times/1", "services": "t", "devices": )";
  for (const auto& text : {std::string(), std::string("{"), std::string("[]"), head + "3}",
                           head + R"({"c1060": {"many": 1}}})", head + R"({"c1060": {"64": "1"}}})",
                           head + R"({"c1060": {"64": 0}}})", head + R"({"c1060": {"64": -1}}})",
                           head + R"({"c1060": {"64": null}}})"}) {
    write(text);
    EXPECT_THAT(CopyTimes(file_, "t").of("c1060"), IsEmpty()) << text;
  }
  write(head + R"({"c1060": {"64": 1}}})");
  EXPECT_THAT(CopyTimes(file_, "t").of("c1060"), UnorderedElementsAre(Pair(64, 1)));
}

TEST_F(CopyTimesTest, AFolderThatCannotBeWrittenToIsNoError) {
  CopyTimes times("/proc/no/such/copy_times.json", "services");
  times.keep({{"c1060", {{64, 1}}}});
  EXPECT_THAT(times.of("c1060"), UnorderedElementsAre(Pair(64, 1)));
}

TEST_F(CopyTimesTest, NothingNewIsNotWritten) {
  CopyTimes times(file_, "services");
  times.keep({{"c1060", {{64, 1}}}});
  fs::remove(file_);
  times.keep({{"c1060", {{64, 1}}}});
  EXPECT_FALSE(fs::exists(file_));
}

// The sizes whose copies a judge predicts before submissions need them.

using testing::ElementsAre;

class CopiesAheadTest : public testing::Test {
 protected:
  CopiesAheadTest()
      : exercise_(exercise_with({gate_of("fast", "fraction_of_copy", "0.5", "", {"large"})})) {
    exercise_.bytes = text::Expression{"n", {}};
  }
  void time_at(const std::string& n) {
    exercise_.cases[1].timed_variables = text::VariableExpressions{{"n", {n, {}}}};
  }
  std::vector<std::uint64_t> predicted_by(int submissions) {
    FakeSimBench bench("h200", "sm_90", [](auto&, auto&) {});
    const std::vector<Target> targets = {{"h200", &bench}};
    const auto plan = plan_gates(exercise_, "lab/twice", targets, nullptr);
    CopiesAhead ahead;
    for (int i = 0; i < submissions; ++i) ahead.predict(exercise_, targets, plan);
    return bench.copied;
  }
  course::KernelExercise exercise_;
};

TEST_F(CopiesAheadTest, ASizeThatAllSubmissionsNeedIsPredictedOnce) {
  time_at("1024");
  EXPECT_THAT(predicted_by(3), ElementsAre(1024));
}

TEST_F(CopiesAheadTest, DrawnSizesArePredictedOneWithEachSubmission) {
  time_at("1024 + 64 * mod(draw, 3)");
  EXPECT_THAT(predicted_by(2), ElementsAre(1152, 1088));
  EXPECT_THAT(predicted_by(5), ElementsAre(1152, 1088, 1024));
}

TEST_F(CopiesAheadTest, SizesThatFewSubmissionsShareAreLeftToThem) {
  time_at("1024 + 64 * draw");
  EXPECT_THAT(predicted_by(3), IsEmpty());
}

TEST_F(CopiesAheadTest, ExercisesWithoutASpeedNeedNone) {
  exercise_.gates.clear();
  EXPECT_THAT(predicted_by(3), IsEmpty());
}

}  // namespace warpgrade::grader::grade::copy_times_test

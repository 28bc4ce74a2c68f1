// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/student_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "tests/compile/compiling.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::watch::student_progress_test {

// The number of seen hints: stored by exercise; failure to store it is harmless.

TEST(SeenHints, TheFirstIsSeenFromTheStart) {
  EXPECT_EQ(1U, seen_hints("/proc/none/hints.json", "/labs/a"));
}

TEST(SeenHints, AreKeptByExercise) {
  const compile::TemporaryFolder folder;
  const auto file = folder.path() / "hints.json";
  keep_seen_hints(file, "/labs/a", 3);
  keep_seen_hints(file, "/labs/b", 2);
  EXPECT_EQ(3U, seen_hints(file, "/labs/a"));
  EXPECT_EQ(2U, seen_hints(file, "/labs/b"));
  EXPECT_EQ(1U, seen_hints(file, "/labs/c"));
}

TEST(SeenHints, ADamagedFileIsNone) {
  const compile::TemporaryFolder folder;
  for (const auto* text : {"", "[1]", "{\"/labs/a\": -2}", "{\"/labs/a\": 0}"}) {
    folder.write("hints.json", text);
    EXPECT_EQ(1U, seen_hints(folder.path() / "hints.json", "/labs/a")) << text;
  }
}

// The message about two attempts, from handmade reports.

using testing::ElementsAre;
using testing::IsEmpty;

// A report with only gates and points; the reason comes from a gate.
report::ExerciseReport attempt(double loads, double speed, std::uint32_t points) {
  auto out = report::slow_copy().exercises[0];
  out.gates = {report::gate("loads", loads, false), report::gate("speed", speed, true)};
  out.points = points;
  return out;
}

TEST(AttemptChange, PointsThenGatesThatTurnedThenNumbersThatMoved) {
  EXPECT_THAT(changes_between(attempt(4, 0.1, 3), attempt(32, 0.3, 5)),
              ElementsAre(AttemptChange{"points: 3 -> 5 of 7", Direction::kBetter},
                          AttemptChange{"loads: 4 -> 32, passes now", Direction::kBetter},
                          AttemptChange{"speed: 0.1 -> 0.3", Direction::kMoved}));
}

TEST(AttemptChange, AStepBackIsTold) {
  EXPECT_THAT(changes_between(attempt(32, 0.7, 7), attempt(4, 0.7, 3)),
              ElementsAre(AttemptChange{"points: 7 -> 3 of 7", Direction::kWorse},
                          AttemptChange{"loads: 32 -> 4, fails now", Direction::kWorse}));
}

TEST(AttemptChange, NothingIsToldOfTheSame) {
  EXPECT_THAT(changes_between(attempt(4, 0.1, 3), attempt(4, 0.1, 3)), IsEmpty());
}

TEST(AttemptChange, HowFarItComesIsTold) {
  auto before = attempt(4, 0.1, 0);
  auto after = before;
  before.reason = report::Reason::kCompile;
  after.reason = report::Reason::kDiagnostic;
  const auto only = [](const std::vector<AttemptChange>& all) { return all.at(0); };
  EXPECT_EQ((AttemptChange{"It now fails with an error.", Direction::kBetter}),
            only(changes_between(before, after)));
  EXPECT_EQ((AttemptChange{"It no longer compiles.", Direction::kWorse}),
            only(changes_between(after, before)));
  before.reason = report::Reason::kIncorrect;
  EXPECT_EQ((AttemptChange{"It now runs to the end, with a wrong result.", Direction::kBetter}),
            only(changes_between(after, before)));
  after.reason = report::Reason::kMechanism;
  EXPECT_EQ((AttemptChange{"The result is now right.", Direction::kBetter}),
            only(changes_between(before, after)));
}

TEST(AttemptChange, AGateThatWasNotMeasuredHasNotMoved) {
  auto before = attempt(4, 0.1, 3);
  before.gates[0].decision.reset();
  before.gates[1].decision.reset();
  EXPECT_THAT(changes_between(before, attempt(32, 0.3, 3)), IsEmpty());
}

TEST(AttemptChange, AnswersAreCounted) {
  auto before = attempt(4, 0.1, 3);
  before.wrong_answers = {{"q", "", 1, ""}, {"q", "", 2, ""}};
  auto after = before;
  after.wrong_answers.pop_back();
  EXPECT_THAT(changes_between(before, after),
              ElementsAre(AttemptChange{"wrong answers: 2 -> 1", Direction::kBetter}));
}

// The student's progress file: appended to, damaged, not writable.

class StudentProgressTest : public testing::Test {
 protected:
  ExerciseProgress copy() const {
    const auto all = read_progress(file_, "/course");
    const auto found = all.find("coalescing/copy");
    return found == all.end() ? ExerciseProgress{} : found->second;
  }
  void write(const std::string& text) const {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }

  compile::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "state" / "progress.json";
};

TEST_F(StudentProgressTest, KeepsTheBestAndTheLast) {
  auto report = report::slow_copy();
  report.exercises[0].points = 5;
  EXPECT_EQ("", keep_progress(file_, "/course", report));
  report.exercises[0].points = 3;
  keep_progress(file_, "/course", report);
  EXPECT_EQ((ExerciseProgress{5, 3, 7, false, 2}), copy());
}

TEST_F(StudentProgressTest, WhatIsPassedStaysPassed) {
  auto report = report::slow_copy();
  report.exercises[0].verdict = report::Verdict::kPass;
  keep_progress(file_, "/course", report);
  keep_progress(file_, "/course", report::slow_copy());
  EXPECT_TRUE(copy().passed);
}

TEST_F(StudentProgressTest, WhatNobodyCouldJudgeIsNoAttempt) {
  auto report = report::slow_copy();
  for (const auto verdict : {report::Verdict::kError, report::Verdict::kInconclusive}) {
    report.exercises[0].verdict = verdict;
    keep_progress(file_, "/course", report);
  }
  EXPECT_EQ(ExerciseProgress{}, copy());
}

TEST(NextExercise, IsTheNextOpenOneBehindTheLastOrTheFirstOpenOne) {
  course::Course course;
  course.labs.resize(2);
  course.labs[0].id = "a";
  course.labs[1].id = "b";
  for (auto& lab : course.labs) lab.exercises = {{"one", {}, {}, {}}, {"two", {}, {}, {}}};
  const auto next = [&](const StudentProgress& progress, std::string_view after) {
    const auto found = next_exercise(course, progress, after);
    return found ? found->lab->id + "/" + found->exercise->id : "none";
  };
  ExerciseProgress passed;
  passed.passed = true;
  EXPECT_EQ("a/one", next({}, ""));
  EXPECT_EQ("b/two", next({{"b/one", passed}}, "b/one"));
  EXPECT_EQ("a/one", next({{"b/two", passed}}, "b/two"));
  EXPECT_EQ("b/one", next({{"a/one", passed}, {"b/two", passed}, {"a/two", passed}}, "b/two"));
  EXPECT_EQ(
      "none",
      next({{"a/one", passed}, {"a/two", passed}, {"b/one", passed}, {"b/two", passed}}, "a/one"));
}

TEST_F(StudentProgressTest, CoursesAreKeptApart) {
  keep_progress(file_, "/other", report::slow_copy());
  EXPECT_THAT(read_progress(file_, "/course"), IsEmpty());
  keep_progress(file_, "/course", report::slow_copy());
  EXPECT_EQ(1U, read_progress(file_, "/other").size());
}

TEST_F(StudentProgressTest, ADamagedFileIsNoProgressAndIsReplaced) {
  for (const auto* text : {"", "{", "[]", "{\"schema\": \"warpgrade.progress/1\"}",
                           "{\"schema\": \"warpgrade.progress/1\", \"courses\": []}",
                           "{\"schema\": \"warpgrade.progress/1\", \"courses\": {\"/course\": 3}}",
                           "{\"schema\": 1, \"courses\": {}}",
                           "{\"schema\": \"warpgrade.progress/1\", \"courses\": {\"/course\": "
                           "{\"coalescing/copy\": {\"best\": \"x\"}}}}"}) {
    write(text);
    EXPECT_EQ(ExerciseProgress{}, copy()) << text;
    keep_progress(file_, "/course", report::slow_copy());
    EXPECT_EQ((ExerciseProgress{3, 3, 7, false, 1}), copy()) << text;
  }
}

TEST_F(StudentProgressTest, WhereItCannotBeWrittenItSaysWhy) {
  EXPECT_THAT(keep_progress("/proc/none/progress.json", "/course", report::slow_copy()),
              testing::HasSubstr("/proc/none/progress.json: cannot be written"));
  EXPECT_EQ("", keep_progress("state/progress.json", "/course", report::slow_copy()));
  EXPECT_FALSE(std::filesystem::exists("state/progress.json"));
}

// As in a read-only folder: the message must name the failure to make the folder, not the later
// failure to open a file in it.
TEST_F(StudentProgressTest, AFolderThatCannotBeMadeIsTheReason) {
  std::filesystem::create_symlink("nowhere/at/all", folder_.path() / "state");
  EXPECT_THAT(keep_progress(file_, "/course", report::slow_copy()),
              testing::AllOf(testing::HasSubstr("progress.json: cannot be written: "),
                             testing::Not(testing::HasSubstr("No such file"))));
}

TEST_F(StudentProgressTest, ProgramsAtTheSameTimeLoseNothing) {
  constexpr int kPrograms = 4;
  constexpr int kAttempts = 25;
  for (int i = 0; i < kPrograms; ++i) {
    if (fork() != 0) continue;
    for (int k = 0; k < kAttempts; ++k) keep_progress(file_, "/course", report::slow_copy());
    _exit(0);
  }
  for (int i = 0; i < kPrograms; ++i) wait(nullptr);
  EXPECT_EQ(kPrograms * kAttempts, static_cast<int>(copy().attempts));
}

}  // namespace warpgrade::grader::watch::student_progress_test

// SPDX-License-Identifier: Apache-2.0
// The student's progress file: appended to, damaged, not writable.
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

using testing::IsEmpty;

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

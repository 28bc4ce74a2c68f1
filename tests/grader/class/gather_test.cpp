// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gather.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::gather_test {

constexpr std::int64_t kDeadline = 1'000'000;

// Number of files of an export that keep their times. Each file belongs to a different student.
std::ptrdiff_t times_kept(const std::vector<std::int64_t>& times, bool is_stamped = true,
                          bool has_archives = true) {
  std::vector<GivenFile> files;
  for (std::size_t i = 0; i < times.size(); ++i) {
    GivenFile one;
    one.file.path = "copy.cu";
    one.file.shown = "export.zip/" + std::to_string(i) + "/copy.cu";
    one.file.time = times[i];
    one.student = std::to_string(i);
    one.is_stamped = is_stamped;
    files.push_back(std::move(one));
  }
  Rules rules;
  rules.deadlines[""] = kDeadline;
  HandedIn out;
  doubt_times(rules, has_archives, files, out);
  const auto kept =
      std::ranges::count_if(files, [](const GivenFile& one) { return one.file.time.has_value(); });
  EXPECT_EQ(kept == 0, out.problems.size() == 1);
  return kept;
}

TEST(GatherDoubts, EqualTimesAreThoseOfTheExport) {
  EXPECT_EQ(0, times_kept({kDeadline + 5, kDeadline + 5}));
  EXPECT_EQ(1, times_kept({kDeadline + 5}));
  EXPECT_EQ(2, times_kept({kDeadline + 5, kDeadline + 5}, false));
}

TEST(GatherDoubts, LateTimesInTheOrderOfTheArchiveAreThoseOfTheExport) {
  EXPECT_EQ(0, times_kept({kDeadline + 5, kDeadline + 6, kDeadline + 6, kDeadline + 900}));
  EXPECT_EQ(3, times_kept({kDeadline + 6, kDeadline + 5, kDeadline + 7}));     // another order
  EXPECT_EQ(3, times_kept({kDeadline + 5, kDeadline + 6, kDeadline + 9000}));  // too long
  EXPECT_EQ(3, times_kept({kDeadline - 5, kDeadline + 6, kDeadline + 7}));     // one is on time
  EXPECT_EQ(2, times_kept({kDeadline + 5, kDeadline + 6}));                    // too few
}

TEST(GatherDoubts, AFolderHasNoOrder) {
  EXPECT_EQ(0, times_kept({kDeadline + 6, kDeadline + 5, kDeadline + 7}, true, false));
  EXPECT_EQ(3, times_kept({kDeadline + 6, kDeadline - 5, kDeadline + 7}, true, false));
  EXPECT_EQ(2, times_kept({kDeadline + 6, kDeadline + 5}, true, false));
}

// Reads a class's folders from disk. tests/classes covers archives, through the whole program.

namespace fs = std::filesystem;

class GatherTest : public testing::Test {
 protected:
  GatherTest() {
    course::Lab lab;
    lab.id = "coalescing";
    lab.exercises.emplace_back();
    lab.exercises.back().id = "copy";
    course_.labs = {lab};
  }
  ~GatherTest() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  course::Course course_;
  fs::path folder_ = fs::path(testing::TempDir()) / "warpgrade_gather";
};

TEST_F(GatherTest, EachFolderIsAStudentAlsoAnEmptyOne) {
  write("ada/coalescing/copy.cu", "kernel");
  fs::create_directories(folder_ / "bob");
  const auto found = gather(course_, {}, folder_);
  EXPECT_THAT(found.students, testing::ElementsAre("ada", "bob"));
  ASSERT_EQ(1U, found.attempts.size());
  EXPECT_EQ("ada", found.attempts[0].student);
  EXPECT_EQ("kernel", files_of(found.attempts[0]).at(0).bytes);
}

TEST_F(GatherTest, LinksAndPipesAreRefusedAndNotWaitedFor) {
  write("ada/coalescing/x", "");
  fs::create_symlink("/etc/passwd", folder_ / "ada/coalescing/copy.cu");
  ASSERT_EQ(0, mkfifo((folder_ / "ada/copy.cu").c_str(), 0600));
  fs::create_symlink(folder_ / "ada", folder_ / "eve");
  const auto found = gather(course_, {}, folder_);
  EXPECT_TRUE(found.attempts.empty());
  EXPECT_THAT(found.students, testing::ElementsAre("ada"));
  ASSERT_EQ(4U, found.problems.size());
  for (const auto* what : {"refused: it is a link", "refused: it is not a file"}) {
    EXPECT_THAT(found.problems, testing::Contains(testing::Field(&HandInProblem::what, what)));
  }
}

TEST_F(GatherTest, AFolderOfManyFilesIsReadAsFarAsItsLimit) {
  for (int i = 0; i < 2100; ++i) write("ada/f" + std::to_string(i), "");
  const auto found = gather(course_, {}, folder_);
  EXPECT_THAT(found.problems, testing::Contains(testing::Field(&HandInProblem::unread, true)));
}

TEST_F(GatherTest, NamesakesDoNotMerge) {
  write("Jane Doe_1_assignsubmission_file_/copy.cu", "one");
  write("Jane Doe_2_assignsubmission_file_/copy.cu", "two");
  write("Bob_3_assignsubmission_file_/copy.cu", "three");
  const auto found = gather(course_, {}, folder_);
  EXPECT_THAT(found.students, testing::ElementsAre("Bob", "Jane Doe_1", "Jane Doe_2"));
  ASSERT_EQ(3U, found.attempts.size());
  EXPECT_EQ("one", files_of(found.attempts[1]).at(0).bytes);
  EXPECT_EQ("2", found.identities.at("Jane Doe_2").number);
}

TEST_F(GatherTest, OneStudentOfBrightspaceHandsInTwice) {
  write("12-345 - Jane Doe - Nov 20, 2026 1159 AM/copy.cu", "one");
  write("12-345 - Jane Doe - Nov 20, 2026 1158 PM/copy.cu", "two");
  write("13-345 - Jane Doe - Nov 20, 2026 1158 PM/copy.cu", "other");
  EXPECT_THAT(gather(course_, {}, folder_).students,
              testing::ElementsAre("Jane Doe_12", "Jane Doe_13"));
}

TEST_F(GatherTest, WhatIsNotThereIsAWrongCall) {
  EXPECT_THROW(gather(course_, {}, folder_ / "nothing"), base::UsageError);
}

}  // namespace warpgrade::grader::class_book::gather_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/class/hand_in.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpgrade::grader::class_book::hand_in_test {

// Files whose names are not quite an exercise's.

class LooseNames : public testing::Test {
 protected:
  LooseNames() {
    lab_.id = "lab";
    for (const auto* id : {"copy", "reduce", "reduce_many"}) {
      lab_.exercises.emplace_back().id = id;
      course::Step step;
      step.kernel = std::string(id) + "_kernel<{n}>";
      lab_.exercises.back().kernel()->steps = {step};
    }
    for (const auto& one : lab_.exercises) selected_.push_back({&lab_, &one});
  }
  std::string found(const std::string& path, const std::string& text = "") const {
    const auto one = loosely_named(selected_, path, text);
    return one ? one->exercise.exercise->id : "";
  }
  course::Lab lab_;
  std::vector<course::Selected> selected_;
};

TEST_F(LooseNames, CaseSuffixAndNumbersDoNotMatter) {
  for (const auto* path : {"Copy.CU", "copy (1).cu", "copy(12).cu", "my copy.cu", "copy.cpp",
                           "copy-3.cu", "copy.cu.txt", "x/COPY_final.cu", "Copy of copy.cu"}) {
    EXPECT_EQ("copy", found(path)) << path;
  }
  EXPECT_TRUE(loosely_named(selected_, "copy (1).cu", "")->is_copy);
  EXPECT_EQ(3, loosely_named(selected_, "copy-3.cu", "")->number);
  EXPECT_FALSE(loosely_named(selected_, "my copy.cu", "")->is_copy);
}

TEST_F(LooseNames, TheLongerNameIsMeant) {
  EXPECT_EQ("reduce_many", found("my reduce-many.cu"));
  EXPECT_EQ("reduce", found("reduce v2.cu"));
}

TEST_F(LooseNames, TwoThatFitAreNone) {
  EXPECT_EQ("", found("copy and reduce.cu"));
  EXPECT_EQ("", found("photocopying.cu"));
  EXPECT_EQ("", found("copy.pdf"));
}

TEST_F(LooseNames, AKernelNamesItsExerciseIfOnlyOneHasIt) {
  const std::string copy =
      "template <int N> __global__ void __launch_bounds__(256, 2) copy_kernel(";
  EXPECT_EQ("copy", found("main.cu", copy + "float* x) {}"));
  EXPECT_EQ("", found("main.cu", copy + ") {}\n__global__ void reduce_kernel(int*) {}"));
  EXPECT_EQ("", found("main.cu", "int main() {}"));
  EXPECT_THAT(kernels_in(copy), testing::ElementsAre("copy_kernel"));
}

// Decides whether files are attempts, and accounts for the rest.

course::Exercise exercise(const std::string& id, bool asks = false) {
  course::Exercise out;
  out.id = id;
  if (asks) out.form = course::QuestionsExercise{};
  return out;
}

course::Course course() {
  course::Course out;
  course::Lab first;
  first.id = "coalescing";
  first.exercises = {exercise("copy"), exercise("transpose")};
  course::Lab second;
  second.id = "banks";
  second.exercises = {exercise("transpose"), exercise("predict", true)};
  out.labs = {first, second};
  return out;
}

FoundFile file(std::string path, std::string bytes, std::string refused, std::int64_t time) {
  FoundFile out;
  out.path = std::move(path);
  out.bytes = std::move(bytes);
  out.refused = std::move(refused);
  out.time = time;
  return out;
}

HandedIn sorted(const std::vector<FoundFile>& files) {
  HandedIn out;
  static const course::Course kCourse = course();
  sort_files(kCourse, select(kCourse, {}), "ada", "ada/", files, out);
  settle_attempts(out, /*is_best=*/false);
  return out;
}

TEST(Sorting, ALabsFolderOrANameThatIsUniqueNamesTheExercise) {
  const auto found =
      sorted({file("coalescing/transpose.cu", "1", "", 7), file("x/banks/transpose.cu", "2", "", 8),
              file("copy.cu", "3", "", 9), file("predict.toml", "4", "", 9)});
  EXPECT_TRUE(found.problems.empty());
  ASSERT_EQ(4U, found.attempts.size());
  EXPECT_EQ("predict", found.attempts[0].exercise);
  EXPECT_EQ("banks", found.attempts[1].lab);
  EXPECT_EQ("copy", found.attempts[2].exercise);
  EXPECT_EQ("transpose", found.attempts[3].exercise);
  EXPECT_EQ(7, found.attempts[3].submitted_at);
}

TEST(Sorting, WhatNobodyCanPlaceIsReported) {
  const auto found =
      sorted({file("transpose.cu", "two labs have it", "", 0),
              file("coalescing/cpy.cu", "k", "", 0), file("notes.txt", "", "", 0),
              file(".DS_Store", "", "", 0), file("coalescing/copy.cu", "", "it is a link", 0)});
  EXPECT_TRUE(found.attempts.empty());
  ASSERT_EQ(4U, found.problems.size());
  EXPECT_EQ("refused: it is a link", found.problems[0].what);
  EXPECT_THAT(found.problems[1].what, testing::HasSubstr("no exercise"));
  EXPECT_THAT(found.problems[3].what, testing::HasSubstr("notes.txt"));
}

TEST(Sorting, TwoFilesForOneExerciseAreBothAttemptsAndReported) {
  const auto found = sorted({file("a/copy.cu", "1", "", 1), file("b/copy.cu", "2", "", 2)});
  EXPECT_EQ(2U, found.attempts.size());
  ASSERT_EQ(1U, found.problems.size());
  EXPECT_THAT(found.problems[0].what, testing::HasSubstr("a second file for coalescing/copy"));
}

TEST(Sorting, ABuildFolderIsIgnoredUnlessNothingElseCame) {
  const FoundFile built = file("build/copy.cu", "1", "", 1);
  const auto alone = sorted({built});
  ASSERT_EQ(1U, alone.received.size());
  EXPECT_EQ(FileState::kOpen, alone.received[0].state);
  const auto both = sorted({built, file("coalescing/copy.cu", "2", "", 1)});
  EXPECT_EQ(1U, both.attempts.size());
  EXPECT_EQ(FileState::kIgnored, both.received[0].state);
}

course::Course one_kernel() {
  course::Course out = course();
  out.labs[0].exercises.resize(1);
  out.labs[0].exercises[0].kernel()->steps.emplace_back().kernel = "copy";
  out.labs.resize(1);
  return out;
}

std::string states(const std::vector<FoundFile>& files) {
  static const course::Course kCourse = one_kernel();
  HandedIn found;
  sort_files(kCourse, select(kCourse, {}), "ada", "ada/", files, found);
  settle_attempts(found, /*is_best=*/false);
  std::string out;
  for (const auto& one : found.received) {
    out += one.name + (one.state == FileState::kAttempt ? "+ "
                       : one.state == FileState::kOpen  ? "? "
                                                        : "- ");
  }
  return out;
}

TEST(Sorting, FilesThatFitOnlyLooselyAreOpenIfNothingSaysWhichOneCounts) {
  const std::string right = "__global__ void copy() {}";
  const auto one = [&](const char* name, const std::string& text, std::int64_t time) {
    return file(name, text, "", time);
  };
  EXPECT_EQ("a.cu? b.cu? ", states({one("a.cu", right, 1), one("b.cu", right + " ", 1)}));
  EXPECT_EQ("copy new.cu? copy old.cu? ",
            states({one("copy new.cu", right, 1), one("copy old.cu", "x", 1)}));
  // Equal contents, different times, a numbered name or an exact name settle which one counts.
  EXPECT_EQ("a.cu+ b.cu+ ", states({one("a.cu", right, 1), one("b.cu", right, 1)}));
  EXPECT_EQ("a.cu+ b.cu+ ", states({one("a.cu", right, 1), one("b.cu", right + " ", 2)}));
  EXPECT_EQ("a.cu+ copy (1).cu+ ", states({one("a.cu", right, 1), one("copy (1).cu", "x", 1)}));
  EXPECT_EQ("a.cu- copy.cu+ ", states({one("a.cu", right, 1), one("copy.cu", "x", 1)}));
}

TEST(Sorting, TheHighestFolderCountsAndFoldersOfOldWorkDoNot) {
  for (const auto* other :
       {"lab/old/copy.cu", "a/old/copy.cu", "lab/x/copy.cu", "Backup/copy.cu"}) {
    const auto found = sorted({file("lab/copy.cu", "new", "", 1), file(other, "old", "", 1)});
    ASSERT_EQ(2U, found.attempts.size());
    EXPECT_EQ("new", found.attempts.back().files.front().bytes) << other;
  }
}

// The contents of the attempts in their order; "?" if nothing says which one counts.
std::string latest(const std::vector<std::string>& paths, bool has_attempts = false) {
  std::vector<FoundFile> files;
  for (const auto& path : paths) {
    auto one = file(path, path, "", 1);
    if (has_attempts) one.attempt = std::stoll(path);
    files.push_back(std::move(one));
  }
  const auto found = sorted(files);
  return found.attempts.empty() ? "?" : found.attempts.back().files.front().bytes;
}

TEST(Sorting, NumbersInNamesCompareAsNumbers) {
  EXPECT_EQ("Version 10/copy.cu", latest({"Version 2/copy.cu", "Version 10/copy.cu"}));
  EXPECT_EQ("copy_v10.cu", latest({"copy_v9.cu", "copy_v10.cu", "copy_v1.cu"}));
  EXPECT_EQ("2/x10/copy.cu", latest({"2/x9/copy.cu", "2/x10/copy.cu", "1/x11/copy.cu"}));
  EXPECT_EQ("?", latest({"a/copy.cu", "b/copy.cu"}));
  EXPECT_EQ("?", latest({"a/copy.cu", "a2/copy.cu", "a10/copy.cu"}));
  EXPECT_EQ("10/b/copy.cu", latest({"2/a/copy.cu", "10/b/copy.cu"}, /*has_attempts=*/true));
}

TEST(Sorting, TwoNamesOfOneStudentAreInNoOrder) {
  HandedIn all;
  for (const auto* given : {"Ada", "ADA"}) {
    HandIn one{"ada", "lab", "copy", {{"copy.cu", given}}, 1, std::string(given) + "/copy.cu"};
    one.path = "/copy.cu";
    all.attempts.push_back(one);
    all.received.push_back(
        {"ada", one.source, "copy.cu", FileState::kAttempt, "lab", "copy", "", 1, 1, ""});
  }
  auto same = all;
  same.attempts[0].files = same.attempts[1].files;
  settle_attempts(all, /*is_best=*/false);
  EXPECT_EQ(0U, all.attempts.size());
  EXPECT_EQ(FileState::kOpen, all.received[0].state);
  settle_attempts(same, /*is_best=*/false);
  EXPECT_EQ(2U, same.attempts.size());
}

TEST(Sorting, TimesThatContradictNumbersOfAttemptsAreUnknown) {
  auto first = file("a/copy.cu", "1", "", 200);
  auto second = file("b/copy.cu", "2", "", 100);
  first.attempt = 1;
  second.attempt = 2;
  const auto found = sorted({first, second});
  ASSERT_EQ(2U, found.attempts.size());
  EXPECT_EQ("2", found.attempts.back().files.front().bytes);
  EXPECT_EQ(std::nullopt, found.attempts.back().submitted_at);
  second.time = 300;
  EXPECT_EQ(300, sorted({first, second}).attempts.back().submitted_at);
}

TEST(Sorting, WhatIsNoSourceTextIsOpenAndUtf16IsConverted) {
  EXPECT_EQ("copy.cu+ ", states({file("copy.cu",
                                      std::string("\xff\xfe"
                                                  "k\0",
                                                  4),
                                      "", 1)}));
  EXPECT_EQ("copy.cu+ ", states({file("copy.cu", std::string("\0k\0;", 4), "", 1)}));
  for (const std::string& text :
       {std::string(), std::string(" \r\n"), std::string("PK\3\4 word"), std::string("{\\rtf1 k"),
        std::string("<!DOCTYPE html>"), std::string("version https://git-lfs.github.com/spec/v1"),
        std::string("k\0\1\2", 4), std::string("\xd0\xcf\x11\xe0 old")}) {
    EXPECT_EQ("copy.cu? ", states({file("copy.cu", text, "", 1)})) << text;
  }
  EXPECT_EQ("~$copy.cu? ", states({file("~$copy.cu", "ada", "", 1)}));
  EXPECT_EQ("copy.cu+ ~$copy.cu- ",
            states({file("copy.cu", "k", "", 1), file("~$copy.cu", "ada", "", 1)}));
}

TEST(Sorting, ASkeletonBesideOtherWorkIsOpen) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "warpgrade_skeleton";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "copy.cu") << "skeleton\n";
  auto with_skeleton = one_kernel();
  with_skeleton.labs[0].folder = folder;
  const auto states_of = [&](const std::vector<FoundFile>& files, bool is_best = false) {
    HandedIn found;
    sort_files(with_skeleton, select(with_skeleton, {}), "ada", "ada/", files, found);
    settle_attempts(found, is_best);
    std::string out;
    for (const auto& one : found.received) out += one.state == FileState::kOpen ? "?" : "+";
    return out;
  };
  const auto skeleton = file("copy.cu", "skeleton\r\n", "", 1);
  EXPECT_EQ("+", states_of({skeleton}));
  EXPECT_EQ("+", states_of({file("copy.cu", "work", "", 1)}));
  EXPECT_EQ("?+", states_of({skeleton, file("copy_v2.cu", "work", "", 1)}));
  EXPECT_EQ("??", states_of({skeleton, file("final/copy.cu", "work", "", 1)}));
  EXPECT_EQ("++", states_of({skeleton, file("final/copy.cu", "work", "", 1)}, /*is_best=*/true));
  EXPECT_EQ("++", states_of({skeleton, file("final/copy.cu", "work", "", 2)}));
  EXPECT_EQ("++", states_of({skeleton, file("old/copy.cu", "skeleton", "", 1)}));
  std::filesystem::remove_all(folder);
}

TEST(Sorting, AKernelOfTheClassCountsInAFileNamedAfterAnotherExercise) {
  static const course::Course kCourse = [] {
    course::Course out = course();
    out.labs[0].exercises[0].kernel()->steps.emplace_back().kernel = "copy";
    return out;
  }();
  HandedIn found;
  auto copy_alone = select(kCourse, {});
  copy_alone.resize(1);
  sort_files(kCourse, copy_alone, "ada", "ada/",
             {file("coalescing/transpose.cu", "__global__ void copy() {}", "", 1)}, found);
  ASSERT_EQ(1U, found.attempts.size());
  EXPECT_EQ("copy", found.attempts[0].exercise);
}

TEST(Sorting, HeadersBesideAFileAreOfItsContent) {
  const auto found =
      sorted({file("coalescing/copy.cu", "k", "", 0), file("coalescing/b.h", "b", "", 0),
              file("coalescing/a.cuh", "a", "", 0), file("banks/c.h", "c", "", 0)});
  ASSERT_EQ(1U, found.attempts.size());
  const auto& files = found.attempts[0].files;
  ASSERT_EQ(3U, files.size());
  EXPECT_EQ("copy.cu", files[0].name);
  EXPECT_EQ("a.cuh", files[1].name);
  auto other = files;
  other[2].bytes = "changed";
  EXPECT_NE(bundle_of(files), bundle_of(other));
}

TEST(Sorting, NamesAreSafeToPrint) { EXPECT_EQ("a\\x1b[2J", shown_name_of("a\x1b[2J")); }

}  // namespace warpgrade::grader::class_book::hand_in_test

// SPDX-License-Identifier: Apache-2.0
// Parses names as the platforms write them.
#include "grader/class/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::layout_test {

std::optional<LayoutParts> split_path(Layout layout, const std::string& path) {
  const auto all = splits_of(layout, path, {});
  return all.empty() ? std::nullopt : std::optional(all.front());
}

LayoutParts parts(Layout layout, const std::string& path) {
  return split_path(layout, path).value_or(LayoutParts{});
}

std::vector<std::string> students(Layout layout, const std::string& path) {
  std::vector<std::string> out;
  for (const auto& one : splits_of(layout, path, {})) out.push_back(one.student);
  return out;
}

TEST(Layout, CanvasMarksLateWorkAndNumbersResubmissions) {
  const auto found = parts(Layout::kCanvas, "doejane_LATE_12345_678_my_copy-2.cu");
  EXPECT_EQ("doejane_12345", found.student);
  EXPECT_EQ("12345", found.identity.number);
  EXPECT_EQ("my_copy.cu", found.rest);
  EXPECT_EQ(2, found.number);
  EXPECT_TRUE(found.late_mark);
  EXPECT_FALSE(parts(Layout::kCanvas, "李明_12345_678_copy.cu").late_mark);
  EXPECT_EQ("李明_12345", parts(Layout::kCanvas, "李明_12345_678_copy.cu").student);
}

TEST(Layout, CanvasKeepsUnderscoresAndHasTextsAndAnonymousWork) {
  const auto long_name = split_path(Layout::kCanvas, "doe_x_jane_LATE_12_34_my_copy.cu");
  ASSERT_TRUE(long_name);
  EXPECT_EQ("doe_x_jane_12", long_name->student);
  EXPECT_TRUE(long_name->late_mark);
  EXPECT_EQ("my_copy.cu", long_name->rest);
  const auto text = split_path(Layout::kCanvas, "doejane_12_text.html");
  ASSERT_TRUE(text);
  EXPECT_EQ("doejane_12", text->student);
  EXPECT_EQ("text.html", text->rest);
  const auto anonymous = split_path(Layout::kCanvas, "LATE_anon_8kLpQ_34_copy-2.cu");
  ASSERT_TRUE(anonymous);
  EXPECT_EQ("anon_8kLpQ", anonymous->student);
  EXPECT_TRUE(anonymous->late_mark);
  EXPECT_EQ("copy.cu", anonymous->rest);
  EXPECT_EQ(2, anonymous->number);
  EXPECT_FALSE(split_path(Layout::kCanvas, "doejane_copy.cu"));
}

TEST(Layout, BlackboardsTextFileMayHoldWork) {
  const std::string none =
      "Submission Field:\nThere is no student submission text data for this assignment.\n\n";
  EXPECT_FALSE(has_blackboard_text(none + "Comments:\nHello\n"));
  EXPECT_FALSE(has_blackboard_text("Name: A (a)\n"));
  EXPECT_TRUE(has_blackboard_text("Submission Field:\r\n<p>kernel</p>\r\n\r\nComments:\r\n"));
}

TEST(Layout, MoodleHasFoldersOrNot) {
  for (const auto* path :
       {"Jane Doe_123_assignsubmission_file_/copy.cu", "Jane Doe_123_assignsubmission_file/copy.cu",
        "Jane Doe_123_assignsubmission_file_copy.cu"}) {
    const auto found = parts(Layout::kMoodle, path);
    EXPECT_EQ("Jane Doe", found.student) << path;
    EXPECT_EQ("copy.cu", found.rest) << path;
  }
}

TEST(Layout, BlackboardHasTimesAndCompanions) {
  const auto found =
      parts(Layout::kBlackboard, "Lab 1_jdoe_attempt_2026-11-20-23-59-00_my_copy.cu");
  EXPECT_EQ("jdoe", found.student);
  EXPECT_EQ("my_copy.cu", found.rest);
  EXPECT_EQ(1795219140, found.time);
  EXPECT_TRUE(
      parts(Layout::kBlackboard, "Lab 1_jdoe_attempt_2026-11-20-23-59-00.txt").is_companion);
  const auto people = blackboard_students("Name: Jane Doe (jdoe), Seán Ó (so)\nAssignment: 1\n");
  ASSERT_EQ(2U, people.size());
  EXPECT_EQ("Jane Doe", people[0].name);
  EXPECT_EQ("so", people[1].login);
}

TEST(Layout, BrightspaceHasTheTimeInTheFolder) {
  const auto found =
      parts(Layout::kBrightspace, "12345-678 - Jane Doe - Nov 20, 2026 1159 PM/copy.cu");
  EXPECT_EQ("Jane Doe", found.student);
  EXPECT_EQ(1795219140, found.time);
  EXPECT_EQ("copy.cu", found.rest);
}

TEST(Layout, GradescopeNamesPartnersInItsMetadata) {
  const auto found = gradescope_metadata(
      "submission_98:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '123'\n    :email: j@x.edu\n"
      "  - :name: Bob\n    :email: b@x.edu\n  :created_at: 2026-11-20 23:59:00.123456000 Z\n"
      "  :history:\n    - :created_at: 2026-10-01 00:00:00 Z\nsubmission_99:\n  :submitters:\n"
      "  - :name: Eve\n");
  ASSERT_EQ(2U, found.size());
  EXPECT_EQ("submission_98", found[0].group);
  ASSERT_EQ(2U, found[0].students.size());
  EXPECT_EQ("123", found[0].students[0].number);
  EXPECT_EQ("b@x.edu", found[0].students[1].email);
  EXPECT_EQ(1795219140, found[0].time);
  EXPECT_EQ("submission_98", parts(Layout::kGradescope, "export/submission_98/copy.cu").group);
}

TEST(Layout, GithubNbgraderAndFolders) {
  EXPECT_EQ("jdoe", parts(Layout::kGithub, "lab1-submissions/lab1-jdoe/copy.cu").student);
  EXPECT_EQ("jdoe", parts(Layout::kGithub, "jdoe/copy.cu").student);
  EXPECT_EQ("jdoe", parts(Layout::kNbgrader, "submitted/jdoe/lab1/copy.cu").student);
  EXPECT_EQ("jdoe", parts(Layout::kNbgrader, "jdoe/lab1/copy.cu").student);
  EXPECT_TRUE(parts(Layout::kNbgrader, "jdoe/lab1/timestamp.txt").is_companion);
  EXPECT_EQ("coalescing/copy.cu", parts(Layout::kFolders, "Übung/coalescing/copy.cu").rest);
}

TEST(Layout, ANameMayHaveSeveralSplits) {
  using testing::ElementsAre;
  EXPECT_THAT(students(Layout::kBlackboard, "Lab 1_anna_lee_attempt_2026-11-20-23-59-00_a_b.cu"),
              ElementsAre("anna_lee", "lee"));
  EXPECT_THAT(students(Layout::kAutolab, "a_b@uni.edu_1_2_copy.cu"),
              ElementsAre("a_b@uni.edu", "a_b@uni.edu_1"));
  EXPECT_THAT(students(Layout::kGithub, "lab1-anna-lee/copy.cu"),
              ElementsAre("lab1-anna-lee", "anna-lee", "lee"));
}

TEST(Layout, AutolabAndSubmittyNumberAttempts) {
  const auto autolab = parts(Layout::kAutolab, "jdoe_10_my_copy.cu");
  EXPECT_EQ("jdoe", autolab.student);
  EXPECT_EQ(10, autolab.attempt);
  EXPECT_EQ("my_copy.cu", autolab.rest);
  const auto submitty = parts(Layout::kSubmitty, "jdoe/10/src/2/copy.cu");
  EXPECT_EQ("jdoe", submitty.student);
  EXPECT_EQ(10, submitty.attempt);
  EXPECT_EQ("src/2/copy.cu", submitty.rest);
  EXPECT_FALSE(split_path(Layout::kSubmitty, "jdoe/copy.cu"));
}

TEST(Layout, FoldersOfSakaiAndIliasHaveIdentities) {
  EXPECT_EQ("jdoe", identity_in("Doe, Jane(jdoe)").login);
  EXPECT_EQ("Doe, Jane", identity_in("Doe, Jane(jdoe)").name);
  EXPECT_EQ("j_doe", identity_in("Doe_Jane_j_doe_1234").login);
  EXPECT_EQ("Jane Doe", identity_in("Doe_Jane_j_doe_1234").name);
  EXPECT_EQ("", identity_in("jane_doe").login);
}

TEST(Layout, AGuessCountsTheFilesThatFit) {
  const auto guess = guess_layout({"a.cu", "b.cu", "ada/copy.cu"});
  EXPECT_EQ(Layout::kFolders, guess.layout);
  EXPECT_EQ(1U, guess.fitting);
  EXPECT_EQ(3U, guess.all);
}

TEST(Layout, IsGuessedFromTheNames) {
  const auto guess = [](const std::vector<std::string>& paths) {
    return guess_layout(paths).layout;
  };
  EXPECT_EQ(Layout::kCanvas, guess({"a_1_2_copy.cu", "b_LATE_1_2_copy.cu", "odd.txt"}));
  EXPECT_EQ(Layout::kMoodle, guess({"J D_1_assignsubmission_file_/copy.cu"}));
  EXPECT_EQ(Layout::kBlackboard, guess({"L_j_attempt_2026-11-20-23-59-00_copy.cu"}));
  EXPECT_EQ(Layout::kBrightspace, guess({"1-2 - J D - Nov 2, 2026 905 AM/copy.cu", "index.html"}));
  EXPECT_EQ(Layout::kGradescope, guess({"e/submission_1/copy.cu", "e/submission_metadata.yml"}));
  EXPECT_EQ(Layout::kNbgrader, guess({"submitted/j/lab1/copy.cu"}));
  EXPECT_EQ(Layout::kGithub, guess({"l-j/copy.cu", "l-j/.git/HEAD"}));
  EXPECT_EQ(Layout::kAutolab, guess({"ada_1_copy.cu", "bob_2_copy.cu"}));
  EXPECT_EQ(Layout::kSubmitty, guess({"lab1/ada/1/copy.cu", "lab1/ada/1/.submit.timestamp"}));
  EXPECT_EQ(Layout::kFolders, guess({"Lab/Doe, J(j)/copy.cu", "Lab/Doe, J(j)/timestamp.txt"}));
  EXPECT_EQ(Layout::kFolders, guess({"ada/copy.cu", "bob/coalescing/copy.cu"}));
}

}  // namespace warpgrade::grader::class_book::layout_test

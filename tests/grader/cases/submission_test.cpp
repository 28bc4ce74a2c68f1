// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::cases::submission_test {

TEST(InputSalt, IsTheStartOfTheDigestOfTheTokens) {
  // printf 'abc\0+\0' | sha256sum
  EXPECT_EQ(0x75d82347533134ddU, input_salt("abc+"));
}

TEST(InputSalt, FollowsFromTheTokensAndTheirOrder) {
  EXPECT_NE(input_salt("a b"), input_salt("b a"));
  EXPECT_NE(input_salt("a b"), input_salt("ab"));
  EXPECT_NE(input_salt("f(\"a b\")"), input_salt("f(\"ab\")"));
}

TEST(InputSalt, CommentsAndSpaceDoNotMatter) {
  EXPECT_EQ(input_salt("a = b;"), input_salt("// Assigns.\n  a=b ; /* done */\n"));
}

// Seeds of other orders of warps and blocks, and the command that reproduces a finding.

TEST(Schedules, ALaunchThatIsShortRunsInFurtherOrders) {
  measure::Measurement measured;
  measured.result.instructions = {{4, 100}};
  const auto seeds = schedule_seeds(7, measured, 100);
  ASSERT_FALSE(seeds.empty());
  for (const auto seed : seeds) EXPECT_NE(0U, seed);
  EXPECT_EQ(seeds, schedule_seeds(7, measured, 100));
  EXPECT_NE(seeds, schedule_seeds(8, measured, 100));
  EXPECT_TRUE(schedule_seeds(7, measured, 99).empty());
}

TEST(Schedules, WhatIsFoundSaysHowToSeeItAgainButForRaces) {
  std::vector<base::Diagnostic> found(2);
  found[0].kind = base::DiagnosticKind::kRace;
  found[1].kind = base::DiagnosticKind::kDeadlock;
  add_replay(found, "warpgrade grade x");
  EXPECT_EQ("", found[0].seen.replay);
  EXPECT_EQ("warpgrade grade x", found[1].seen.replay);
}

using testing::HasSubstr;

// From printf 'abc' | sha256sum, and likewise for '\xef\xbb\xbfabc' and 'a\0b'.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kMarked = "1c28dc3f1f804a1ad9c9b4b4cf5e2658d16ad4ed08e3020d04a8d2865018947c";
constexpr const char* kNull = "59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138";

class ReadSubmission : public testing::Test {
 protected:
  Submission read(std::string_view bytes) {
    return read_submission(folder_.write("twice.cu", std::string(bytes)), "labs/small/twice.cu");
  }

  compile::TemporaryFolder folder_;
};

TEST_F(ReadSubmission, HasItsTextUnderTheNameThatIsShown) {
  const auto submission = read("abc");
  EXPECT_EQ("labs/small/twice.cu", submission.shown);
  const auto& source = std::get<compile::CompileRequest>(submission.content);
  EXPECT_EQ("abc", source.source);
  EXPECT_EQ("labs/small/twice.cu", source.file);
  EXPECT_EQ(kAbc, submission.sha256);
}

TEST_F(ReadSubmission, TheDigestIsOfTheFilesBytesWithTheirMark) {
  const auto submission = read(
      "\xef\xbb\xbf"
      "abc");
  EXPECT_EQ("abc", std::get<compile::CompileRequest>(submission.content).source);
  EXPECT_EQ(kMarked, submission.sha256);
}

TEST_F(ReadSubmission, TextThatIsNoSourceIsADiagnosticWithADigest) {
  const auto submission = read(std::string_view("a\0b", 3));
  const auto& found = std::get<std::vector<base::Diagnostic>>(submission.content);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ("labs/small/twice.cu", found[0].where.file);
  EXPECT_EQ(kNull, submission.sha256);
}

TEST_F(ReadSubmission, AFileThatIsNotReadWholeHasNoDigest) {
  const auto submission = read(std::string(compile::kMostSourceBytes + 1, 'x'));
  EXPECT_TRUE(std::holds_alternative<std::vector<base::Diagnostic>>(submission.content));
  EXPECT_EQ("", submission.sha256);
}

TEST_F(ReadSubmission, AFileThatIsNotThereIsUnreadable) {
  const auto submission = read_submission("no/such/file.cu", "file.cu");
  EXPECT_THAT(std::get<Unreadable>(submission.content).why, HasSubstr("No such file"));
  EXPECT_EQ("", submission.sha256);
}

// A folder `ada` with a file named after the exercise, one of the same name in a subfolder, another
// file, and links.
class ReadFolder : public testing::Test {
 protected:
  ReadFolder() {
    folder_.write("ada/twice.cu", "first");
    folder_.write("ada/small/twice.cu", "second");
    folder_.write("ada/deep/other.cu", "third");
    folder_.write("secret.cu", "secret");
    std::filesystem::create_symlink("../secret.cu", ada() / "link.cu");
    std::filesystem::create_symlink("twice.cu", ada() / "inner.cu");
  }
  std::filesystem::path ada() const { return folder_.path() / "ada"; }
  Submission read(const std::filesystem::path& file = {},
                  const std::vector<std::filesystem::path>& names = {"twice.cu"}) const {
    return read_folder(ada(), file, names, [](const auto& path) { return path.string(); });
  }
  static std::string text(const Submission& submission) {
    return std::get<compile::CompileRequest>(submission.content).source;
  }
  std::string folder_error(const std::filesystem::path& file,
                           const std::vector<std::filesystem::path>& names = {"twice.cu"}) const {
    try {
      read(file, names);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return {};
  }
  compile::TemporaryFolder folder_;
};

TEST_F(ReadFolder, TakesTheFirstNameThatIsThere) {
  const auto submission = read();
  EXPECT_EQ("first", text(submission));
  EXPECT_EQ(ada(), std::get<compile::CompileRequest>(submission.content).root);
  EXPECT_EQ(ada() / "twice.cu", submission.file);
  EXPECT_EQ("second", text(read({}, {"none.cu", "small/twice.cu"})));
  EXPECT_EQ("--folder " + ada().string() + " --file " + (ada() / "twice.cu").string(),
            submission.options);
}

TEST_F(ReadFolder, TakesTheFileThatIsNamedFromHereOrFromTheFolder) {
  EXPECT_EQ("third", text(read("deep/other.cu")));
  const auto submission = read(ada() / "deep" / "other.cu");
  EXPECT_EQ("third", text(submission));
  const auto& request = std::get<compile::CompileRequest>(submission.content);
  EXPECT_EQ(ada(), request.root);
  EXPECT_EQ(ada() / "deep", request.folder);
  EXPECT_EQ("first", text(read("inner.cu")));
}

TEST_F(ReadFolder, AFileThatIsNotInItIsAMistakeOfTheCommandLine) {
  EXPECT_THAT(folder_error("../secret.cu"), HasSubstr("no such file in the folder"));
  EXPECT_THAT(folder_error(folder_.path() / "secret.cu"), HasSubstr("no such file"));
  EXPECT_THAT(folder_error("none.cu"), HasSubstr("no such file"));
  EXPECT_THAT(folder_error({}, {"none.cu", "small/none.cu"}),
              HasSubstr("holds neither none.cu nor small/none.cu; name the file by --folder"));
}

TEST_F(ReadFolder, ALinkOutOfItIsTheSubmissionsMistake) {
  const auto submission = read("link.cu");
  const auto& found = std::get<std::vector<base::Diagnostic>>(submission.content);
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found[0].kind);
  EXPECT_THAT(found[0].message, HasSubstr("a link to a file outside the submission's folder"));
  EXPECT_EQ("", submission.sha256);
}

}  // namespace warpgrade::grader::cases::submission_test

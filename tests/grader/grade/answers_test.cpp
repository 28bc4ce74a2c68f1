// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader::grade::answers_test {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::string_view kManifest = R"toml(title = "Small"
summary = "For tests."

[[exercise]]
id = "predict"
title = "Predict"
hints = ["one"]

[[exercise.questions]]
id = "strides"
rule = "shared_wavefronts"
on = "h200"
word_bytes = 4
strides = 3
points = 2
meaning = "Wavefronts for strides 1 to 3."

[[exercise.questions]]
id = "factor"
rule = "coarsening_factor"
on = "titan_black"
level = "block"
threads = 512
registers = 16
shared_bytes = 2048
points = 3
meaning = "The factor."
)toml";

const course::Vocabulary kVocabulary = {{}, {"gtx280", "h200", "titan_black"}};

class Answers : public testing::Test {
 protected:
  Answers()
      : lab_(parse_manifest(kManifest, "grader.toml", "small", kVocabulary)),
        file_(fs::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
               "_answers.toml")) {}
  ~Answers() override { fs::remove(file_); }

  report::ExerciseReport grade(std::string_view text, const std::string& own_device = {}) {
    std::ofstream(file_, std::ios::binary) << text;
    return grade_answers(
        {&lab_, &lab_.exercises.front(), cases::read_submission(file_, "predict.toml")},
        own_device);
  }

  course::Lab lab_;
  fs::path file_;
};

// A T4 has the same banks as an H200, so its answers must stay hidden until then.
TEST_F(Answers, OnceRightTheyComeWithThoseOfTheStudentsCard) {
  const auto report = grade("strides = [1, 2, 1]\nfactor = 4\n", "t4");
  ASSERT_EQ(2U, report.warnings.size());
  EXPECT_EQ("On t4 words of 4 bytes at strides 1 to 3 take 1, 2, 1 wavefronts.",
            report.warnings[0]);
  EXPECT_TRUE(grade("strides = [1, 2, 2]\nfactor = 4\n", "t4").warnings.empty());
  EXPECT_TRUE(grade("strides = [1, 2]\nfactor = 4\n", "t4").warnings.empty());
  EXPECT_TRUE(grade("strides = [1, 2, 1]\nfactor = 4\n").warnings.empty());
}

TEST_F(Answers, AllRightEarnAllPoints) {
  const auto report = grade("strides = [1, 2, 1]\nfactor = 4\n");
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(report::Reason::kNone, report.reason);
  EXPECT_TRUE(report.correct);
  EXPECT_EQ(5U, report.points);
  EXPECT_EQ(5U, report.max_points);
  EXPECT_TRUE(report.wrong_answers.empty());
}

TEST_F(Answers, AWrongOneOfSeveralCostsAPointAndOtherQuestionsNone) {
  const auto report = grade("strides = [1, 1, 1]\nfactor = 4\n");
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_FALSE(report.correct);
  EXPECT_EQ(4U, report.points);
  EXPECT_EQ(2.0, report.gates.at(0).value());
  EXPECT_EQ(3.0, report.gates.at(0).bounds.min);
  EXPECT_TRUE(report.gates.at(0).has_failed());
  ASSERT_EQ(1U, report.wrong_answers.size());
  EXPECT_EQ("strides", report.wrong_answers[0].question);
  EXPECT_EQ("stride 2", report.wrong_answers[0].subject);
  EXPECT_EQ(1, report.wrong_answers[0].given);
}

TEST_F(Answers, TooFewAreTheStudentsMistakeWithItsPlace) {
  const auto report = grade("strides = [1, 2]\nfactor = 4\n");
  EXPECT_EQ(report::Reason::kCompile, report.reason);
  EXPECT_EQ(3U, report.points) << "those of the other question";
  EXPECT_FALSE(report.gates.at(0).decision);
  EXPECT_EQ(5U, report.max_points);
  ASSERT_EQ(1U, report.diagnostics.size());
  EXPECT_EQ((base::SourceLocation{"predict.toml", 1, 11}), report.diagnostics[0].where);
  EXPECT_EQ("answers: `strides`: expected 3 answers, found 2", report.diagnostics[0].message);
}

TEST_F(Answers, AMisspeltKeyIsNamedAndCostsItsQuestionAlone) {
  for (const auto& [text, key, points] :
       std::vector<std::tuple<std::string, std::string, unsigned>>{
           {"stride = [1, 2, 1]\nfactor = 4\n", "unknown key `stride`, did you mean `strides`?", 3},
           {"strides = [1, 2, 1]\nfactr = 4\n", "unknown key `factr`, did you mean `factor`?", 2},
           {"strides = [1, 2, 1]\n", "`factor`", 2},
       }) {
    const auto report = grade(text);
    ASSERT_EQ(1U, report.diagnostics.size()) << text;
    EXPECT_THAT(report.diagnostics[0].message, HasSubstr(key));
    EXPECT_EQ(points, report.points) << text;
    EXPECT_THAT(report.next, HasSubstr("the answer there was not graded"));
  }
}

TEST_F(Answers, EachMistakeIsNamed) {
  const auto report = grade("strides = [1, 2]\nfactor = \"four\"\n");
  EXPECT_EQ(2U, report.diagnostics.size());
  EXPECT_EQ(0U, report.points);
}

TEST_F(Answers, NoTomlWrongTypesAndUnknownKeysAreTheStudents) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"strides = [1, 2,\n= 4", "not valid TOML"},
           {"strides = [1, 2.5, 1]\nfactor = 4\n", "must be an array of whole numbers"},
           {"strides = \"one\"\nfactor = 4\n", "must be a whole number or an array of them"},
           {"strides = [1, 2, 1]\nfactr = 4\n", "unknown key `factr`, did you mean `factor`?"},
           {"strides = [1, 2, 1]\nfactor = 4\nmore = 1\n", "unknown key `more`"},
           {"", "the file is empty"},
       }) {
    const auto report = grade(text);
    EXPECT_EQ(report::Reason::kCompile, report.reason) << text;
    ASSERT_EQ(1U, report.diagnostics.size()) << text;
    EXPECT_THAT(report.diagnostics[0].message, HasSubstr(message));
  }
}

TEST_F(Answers, AFileThatIsNotThereIsNoWrongAnswer) {
  const auto report =
      grade_answers({&lab_, &lab_.exercises.front(),
                     cases::read_submission(file_ / "nowhere.toml", "nowhere.toml")});
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_EQ(report::Reason::kTool, report.reason);
  EXPECT_THAT(report.tool_trouble, testing::HasSubstr("nowhere.toml': No such file"));
  EXPECT_FALSE(report.correct);
}

TEST(Questions, AreReadWithTheirDevicesAndFileName) {
  const auto lab = parse_manifest(kManifest, "grader.toml", "small", kVocabulary);
  const auto& exercise = lab.exercises.front();
  EXPECT_EQ("predict.toml", exercise.file_name());
  EXPECT_EQ(5U, exercise.max_points());
  EXPECT_THAT(exercise.devices(), ElementsAre("h200", "titan_black"));
}

TEST(Questions, MistakesInAManifestAreNamed) {
  for (const auto& [from, to, message] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"on = \"h200\"", "on = \"gtx280\"", "its banks are not those of this rule"},
           {"word_bytes = 4", "word_bytes = 5", "must be 4, 8 or 16"},
           {"strides = 3", "strides = 0", "must be from 1 to 64"},
           {"rule = \"shared_wavefronts\"", "rule = \"shared_wavefrons\"",
            "did you mean `shared_wavefronts`?"},
           {"threads = 512", "threads = 2048", "must be from 32 to 1024"},
           {"level = \"block\"", "lvel = \"block\"", "unknown key `lvel`, did you mean `level`?"},
       }) {
    std::string text(kManifest);
    text.replace(text.find(from), from.size(), to);
    try {
      parse_manifest(text, "grader.toml", "small", kVocabulary);
      ADD_FAILURE() << to << " was accepted";
    } catch (const base::UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

}  // namespace warpgrade::grader::grade::answers_test

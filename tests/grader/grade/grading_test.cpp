// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/grading.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "grader/grade/execute/profiled_launches.h"
#include "grader/grade/plan/target.h"
#include "grader/report/render_json.h"
#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade::grading_test {

// The answers for a student's own card, calculated by hand.

using testing::ElementsAre;
using testing::IsEmpty;

course::Question asked_of(std::string device, course::QuestionRule rule) {
  course::Question out;
  out.device = std::move(device);
  out.rule = rule;
  return out;
}

course::Question factor_on(std::string device, course::CoarseningLevel level) {
  return asked_of(std::move(device), course::CoarseningFactor{level, {512, 16, 2048}});
}

course::Question strides_on(std::string device) {
  return asked_of(std::move(device), course::SharedWavefronts{4, 4});
}

// A T4 has 1024 threads, 16 blocks and 64 KB per SM. Factor 8 leaves 16 blocks of 64 threads;
// factor 16 would need 32 blocks. At block level, two blocks of 16 times 2048 bytes fill the 64 KB.
TEST(OwnCard, GetsTheFactorsOfItsOwnLimits) {
  EXPECT_THAT(answers_on({factor_on("k40", course::CoarseningLevel::kThread),
                          factor_on("k40", course::CoarseningLevel::kBlock)},
                         "t4"),
              ElementsAre("On t4 the best factor at thread level is 8: 16 blocks of 64 threads and "
                          "2048 bytes fit on a multiprocessor, 1024 active threads.",
                          "On t4 the best factor at block level is 16: 2 blocks of 512 threads and "
                          "32768 bytes fit on a multiprocessor, 1024 active threads."));
}

TEST(OwnCard, IsToldOnceWhatIsAskedOfSeveral) {
  EXPECT_THAT(answers_on({strides_on("k40"), strides_on("h200")}, "t4"),
              ElementsAre("On t4 words of 4 bytes at strides 1 to 4 take 1, 2, 1, 4 wavefronts."));
}

TEST(OwnCard, IsNotToldWhatTheExerciseAsksOfIt) {
  EXPECT_THAT(answers_on({strides_on("k40"), strides_on("h200")}, "h200"), IsEmpty());
}

// 32 KB and the reserved 1 KB fit into 100 KB three times.
TEST(OwnCard, GetsItsResidentWarps) {
  const course::BlockNeeds block{64, 32, 32768};
  const auto warps = asked_of("h200", course::LittlesLaw{course::InFlight::kWarps, block});
  const auto bytes = asked_of("h200", course::LittlesLaw{course::InFlight::kBytes, block});
  EXPECT_THAT(answers_on({bytes, warps}, "rtx4060"),
              ElementsAre("On rtx4060 6 warps of such blocks are resident on a multiprocessor."));
}

TEST(OwnCard, WhoseBanksAreNotExplainedIsToldNothingOfThem) {
  EXPECT_THAT(answers_on({strides_on("k40")}, "g80"), IsEmpty());
}
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
  EXPECT_EQ(3.0, report.gates.at(0).deciding_bounds().min);
  EXPECT_TRUE(report.gates.at(0).has_failed());
  ASSERT_EQ(1U, report.wrong_answers.size());
  EXPECT_EQ("strides", report.wrong_answers[0].question);
  EXPECT_EQ("stride 2", report.wrong_answers[0].subject);
  EXPECT_EQ(1, report.wrong_answers[0].given);
  EXPECT_THAT(report.wrong_answers[0].reasoning, HasSubstr("bank"));
}

TEST_F(Answers, TheMethodIsOnlyForThoseWhoHaveTried) {
  const auto report = grade("strides = [0, 1, 1]\nfactor = 4\n");
  ASSERT_EQ(2U, report.wrong_answers.size());
  EXPECT_EQ("Replace it by your own answer.", report.wrong_answers[0].reasoning);
  EXPECT_THAT(report.wrong_answers[1].reasoning, HasSubstr("bank"));
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

constexpr std::string_view kProfiled = R"toml(title = "Small"
summary = "For tests."

[[exercise]]
id = "predict"
title = "Predict"
hints = ["one"]
launches = [
  { kernel = "scale(float* out, const float* in)", grid = [4], block = [32, 2], shared = 64, shapes = { out = 256, in = "16 x 16" } },
]

[[exercise.questions]]
id = "limit"
rule = "profile"
on = "h200"
of = "scale"
asked = "limit"
points = 2

[[exercise.questions]]
id = "bytes"
rule = "profile"
on = "h200"
of = "scale"
asked = "bytes"
points = 1
)toml";

const course::Vocabulary kCards = {{}, {"h200", "t4"}};

class ProfileAnswers : public Answers {
 protected:
  ProfileAnswers() { lab_ = parse_manifest(kProfiled, "grader.toml", "small", kCards); }

  report::ExerciseReport grade_with(std::string_view text, measure::Bottleneck limit) {
    std::ofstream(file_, std::ios::binary) << text;
    facts_.bottleneck = limit;
    facts_.bytes_in_flight = 1000;
    return grade_answers(
        {&lab_, &lab_.exercises.front(), cases::read_submission(file_, "predict.toml")}, {},
        [this](const course::Lab& lab, const course::AskedLaunch& launch,
               const std::string& device) -> const course::LaunchFacts& {
          EXPECT_EQ(&lab_, &lab);
          EXPECT_EQ("scale", launch.kernel);
          EXPECT_EQ("h200", device);
          return facts_;
        });
  }

  course::LaunchFacts facts_;
};

TEST_F(ProfileAnswers, AreWordsAndNumbersNearTheProfiles) {
  const auto report =
      grade_with("limit = \"bytes in flight\"\nbytes = 1250\n", measure::Bottleneck::kInFlight);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(3U, report.points);
  EXPECT_EQ("What limits `scale` on h200.", report.gates.at(0).definition.meaning);
}

TEST_F(ProfileAnswers, AWrongWordIsShownAsItWasGiven) {
  const auto report =
      grade_with("limit = \"dram\"\nbytes = 1000\n", measure::Bottleneck::kInFlight);
  EXPECT_EQ(1U, report.points);
  ASSERT_EQ(1U, report.wrong_answers.size());
  EXPECT_EQ("dram", report.wrong_answers[0].text());
  EXPECT_THAT(report.wrong_answers[0].reasoning, HasSubstr("DRAM reaches"));
}

TEST_F(ProfileAnswers, NoWordIsNoAnswerAndAnUnknownOneAMistake) {
  auto report = grade_with("limit = \"?\"\nbytes = 0\n", measure::Bottleneck::kInFlight);
  EXPECT_EQ(0U, report.points);
  ASSERT_EQ(2U, report.wrong_answers.size());
  EXPECT_EQ("Replace it by your own answer.", report.wrong_answers[0].reasoning);
  EXPECT_EQ("?", report.wrong_answers[0].text());
  report = grade_with("limit = \"drum\"\nbytes = 1000\n", measure::Bottleneck::kInFlight);
  ASSERT_EQ(1U, report.diagnostics.size());
  EXPECT_THAT(report.diagnostics[0].message,
              HasSubstr("there is no `drum`, did you mean `dram`?; it is one of: dram, l2, l1"));
}

TEST_F(ProfileAnswers, ALaunchWithoutOneLimitIsTheCoursesMistake) {
  EXPECT_THROW(grade_with("limit = \"dram\"\nbytes = 1\n", measure::Bottleneck::kUnknown),
               base::ToolError);
}

TEST_F(ProfileAnswers, TheCommandShowsTheLaunchToTheStudent) {
  const auto& form = std::get<course::QuestionsExercise>(lab_.exercises.front().form);
  EXPECT_EQ(base::program_call() +
                " profile labs/small/reference.cu --kernel scale --grid 4 --block 32,2 --device "
                "h200 --shared 64 --arg out:f32:256 --arg in:f32:256:zeros",
            profile_command("small", form.launch_of("scale"), "h200"));
}

TEST(ProfileQuestions, MistakesInAManifestAreNamed) {
  for (const auto& [from, to, message] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"of = \"scale\"", "of = \"scales\"",
            "`launches` has no kernel `scales`, did you mean `scale`?"},
           {"on = \"h200\"", "on = \"t4\"", "its Speed of Light is not modelled"},
           {"asked = \"limit\"", "asked = \"limits\"", "did you mean `limit`?"},
           {"block = [32, 2]", "block = [64, 32]", "a block of 2048 threads"},
           {"const float* in)", "const float* in, int n)", "must be buffers"},
           {"shared = 64", "sharde = 64", "unknown key `sharde`, did you mean `shared`?"},
       }) {
    std::string text(kProfiled);
    text.replace(text.find(from), from.size(), to);
    try {
      parse_manifest(text, "grader.toml", "small", kCards);
      ADD_FAILURE() << to << " was accepted";
    } catch (const base::UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
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

// Grading with fake services: the runs, their order, and the result of each failure.

using testing::AllOf;
using testing::Each;
using testing::Not;

TEST_F(Grade, ARightSubmissionPassesOnEveryDeviceThatAGateNames) {
  const auto report = grade(right);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(6u, report.points);
  EXPECT_EQ(3u, h200_->launches.size());
  EXPECT_EQ(3u, k40_->launches.size());
  EXPECT_EQ(3, runner_.launches);  // the reference, once per case
  EXPECT_EQ(128, report.gates[0].value());
  EXPECT_DOUBLE_EQ(0.9, *report.gates[1].value());
  EXPECT_DOUBLE_EQ(0.9, *number_of(*report.fraction_of_copy()));
  // 1024 floats in and 1024 out. The copy is also requested ahead; a bench caches it.
  EXPECT_THAT(k40_->copied, AllOf(Not(IsEmpty()), Each(8192u)));
}

TEST_F(Grade, LaunchesFollowTheManifest) {
  grade(right);
  const auto& launch = h200_->launches[1];  // n = 300
  EXPECT_EQ("twice", launch.kernel);
  EXPECT_EQ((base::Dim3{2, 1, 1}), launch.grid);
  EXPECT_EQ((base::Dim3{256, 1, 1}), launch.block);
  ASSERT_EQ(3u, launch.arguments.size());
  const std::int32_t n = 300;
  std::vector<std::byte> bytes(4);
  std::memcpy(bytes.data(), &n, 4);
  EXPECT_EQ(bytes, std::get<run::ValueArgument>(launch.arguments[2]));
}

TEST_F(Grade, OutputsArePoisonedAndInputsAreTheSameOnEveryDevice) {
  grade(right);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& buffers = h200_->before[i];
    EXPECT_THAT(floats(buffers[0]), Each(testing::IsNan()));
    EXPECT_FALSE(buffers[0].defined);
    EXPECT_TRUE(buffers[1].read_only);
    EXPECT_EQ(buffers[1].bytes, k40_->before[i][1].bytes);
  }
}

TEST_F(Grade, AWrongSmallCaseIsShownAndNothingIsMeasured) {
  const auto report = grade([](auto& buffers, auto&) {
    twice(buffers);
    auto values = floats(buffers[0]);
    if (values.size() == 300) values[299] = 5000;
    put(buffers[0], values);
  });
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_EQ(0u, report.points);
  EXPECT_EQ(report::Case::State::kPassed, report.cases[0].state);
  EXPECT_EQ(report::Case::State::kIncorrect, report.cases[1].state);
  EXPECT_THAT(report.cases[1].difference->text, HasSubstr("299"));
  EXPECT_THAT(report.cases[1].difference->text, HasSubstr("got 5000"));
  EXPECT_EQ("out[299]", report.cases[1].difference->element);
  EXPECT_THAT(report.cases[1].difference->indices, ElementsAre(299));
  EXPECT_EQ("5000", report.cases[1].difference->got);
  EXPECT_EQ(&report.cases[1], report.first_incorrect());
  EXPECT_EQ(2u, h200_->launches.size());
  EXPECT_FALSE(report.gates[0].decision);
  EXPECT_EQ(report::Case::State::kNotRun, report.cases.back().state);
}

TEST_F(Grade, TheMeasuredLaunchIsTheCheckedLaunch) {
  const auto report = grade([](auto& buffers, auto&) {
    if (floats(buffers[0]).size() < 1024) twice(buffers);
  });
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_FALSE(report.gates[0].decision);
  EXPECT_EQ(0u, report.points);
}

// A single device uses the inputs without copying them, and needs them again to explain the error.
TEST_F(Grade, AWrongMeasuredCaseIsExplainedOnOneDeviceAsOnTwo) {
  const auto inputs_instead = [](auto& buffers, auto&) {
    if (floats(buffers[0]).size() < 1024) return twice(buffers);
    buffers[0].bytes = buffers[1].bytes;
  };
  const auto on_two = grade(inputs_instead);
  const auto on_one = grade(inputs_instead, "h200");
  const auto difference = [](const report::ExerciseReport& report) {
    const auto* wrong = report.first_incorrect();
    return wrong == nullptr ? std::string() : wrong->difference->text;
  };
  EXPECT_THAT(difference(on_two), HasSubstr("this is in[0]"));
  EXPECT_THAT(difference(on_one), HasSubstr("this is in[0]"));
}

TEST_F(Grade, WrongOnOneDeviceOnlyIsWrong) {
  int launches = 0;
  const auto report = grade([&](auto& buffers, auto&) {
    if (++launches <= 2) twice(buffers);  // the small cases on h200
  });
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_EQ("k40", report.cases[2].device);
  EXPECT_EQ(report::Case::State::kIncorrect, report.cases[2].state);
}

TEST_F(Grade, ARunawayIsToldTheLimitAndTheNeedsOfTheReference) {
  const auto report = grade([](auto&, auto& measured) {
    measured.result.diagnostics = {
        {base::DiagnosticKind::kRunaway, {"twice.cu", 1, 0}, "it does not end", {}, {}}};
  });
  EXPECT_EQ(report::Reason::kDiagnostic, report.reason);
  ASSERT_EQ(1u, report.diagnostics.size());
  // One block of 256 threads.
  const auto share = kLeastCaseWork + 4096 * 256;
  EXPECT_EQ(share, h200_->budgets.at(0));
  EXPECT_EQ(fmt::format(
                "it does not end. The limit of case {} is {} units in all its runs and {} per "
                "block; the course's reference needs 42 warp instructions",
                report.cases[0].name, base::grouped(share), base::grouped(block_limit(share, 42))),
            base::text(report.diagnostics[0]));
}

// Each case uses a third of the limit for all cases.
TEST_F(Grade, SmallCasesTogetherHaveALimitOfWork) {
  const auto report = grade([](auto& buffers, auto& measured) {
    twice(buffers);
    measured.result.work = kSmallWork / 3;
  });
  ASSERT_EQ(1u, report.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, report.diagnostics[0].kind);
  EXPECT_THAT(base::text(report.diagnostics[0]),
              HasSubstr("all of them together may take 2,684,354,560: let each"));
}

// Each launch waits for a launch of another case.
TEST_F(Grade, CasesRunAtATimeWhereTheyMay) {
  cases_at_once_ = 2;
  std::barrier two(2);
  const auto report = grade([&](auto& buffers, auto&) {
    two.arrive_and_wait();
    twice(buffers);
  });
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(Grade, ReportsAreTheSameHoweverManyCasesRunAtATime) {
  const auto race_in_the_second = [](auto& buffers, auto& measured) {
    twice(buffers);
    if (floats(buffers[0]).size() != 300) return;
    base::Diagnostic race;
    race.kind = base::DiagnosticKind::kRace;
    race.where = {"twice.cu", 1, 0};
    measured.result.diagnostics = {race};
  };
  const auto text = [&](const FakeBody& body) {
    report::Report report;
    report.exercises.push_back(grade(body));
    return render_json(report);
  };
  for (const FakeBody& body : {FakeBody(right), FakeBody(race_in_the_second)}) {
    cases_at_once_ = 1;
    const auto expected = text(body);
    cases_at_once_ = 3;
    EXPECT_EQ(expected, text(body));
  }
  const auto report = grade(race_in_the_second);
  EXPECT_EQ(report::Case::State::kPassed, report.cases[0].state);
  EXPECT_EQ(report::Case::State::kDiagnostic, report.cases[1].state);
  EXPECT_EQ(report::Case::State::kNotRun, report.cases[2].state);  // whatever its own outcome
}

TEST_F(Grade, WrongInAnotherOrderIsWrongAndTellsHowToSeeItAgain) {
  in_other_orders_ = [](auto& buffers, auto&) { put(buffers.at(0), floats(buffers.at(1))); };
  const auto report = grade(right);
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_FALSE(report.correct);
  EXPECT_THAT(report.cases.front().difference->text,
              HasSubstr("when warps and blocks do not run in numerical order; to reproduce it: "
                        "warpgrade grade small/twice --file twice.cu --seed 7"));
}

TEST_F(Grade, ADiagnosticInAnotherOrderEndsItAndTellsHowToSeeItAgain) {
  in_other_orders_ = [](auto&, measure::Measurement& found) {
    for (const auto kind : {base::DiagnosticKind::kDeadlock, base::DiagnosticKind::kRace}) {
      auto& diagnostic = found.result.diagnostics.emplace_back();
      diagnostic.kind = kind;
      diagnostic.message = "It is wrong.";
    }
  };
  const auto report = grade(right);
  EXPECT_EQ(report::Reason::kDiagnostic, report.reason);
  ASSERT_EQ(2U, report.diagnostics.size());
  EXPECT_THAT(base::text(report.diagnostics[0]), HasSubstr("--seed 7"));
  EXPECT_EQ("It is wrong.", base::text(report.diagnostics[1]));  // found in any order
}

TEST_F(Grade, AWrongResultIsRunInOneFurtherOrder) {
  const auto wrong = [](auto& buffers, auto&) { put(buffers.at(0), floats(buffers.at(1))); };
  const auto report = grade(wrong);
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_THAT(report.cases.front().difference->text, testing::Not(HasSubstr("another order")));
  const auto seeds = h200_->schedule_seeds;
  grade(right);
  EXPECT_EQ(h200_->schedule_seeds.size(), 2 * seeds.size());
}

TEST_F(Grade, OrdersFollowFromTheSeedAndAreNotThoseByNumber) {
  grade(right);
  const auto seeds = h200_->schedule_seeds;
  ASSERT_FALSE(seeds.empty());
  EXPECT_THAT(seeds, testing::Not(testing::Contains(0U)));
  EXPECT_NE(seeds[0], seeds[1]);
  EXPECT_EQ(seeds, k40_->schedule_seeds);
  grade(right);
  EXPECT_EQ(seeds, h200_->schedule_seeds);
}

TEST_F(Grade, ALaunchThatDoesNotFitTheKernelIsTheKernelsFault) {
  const auto report = grade([](auto&, auto&) { throw base::UsageError("4 bytes too many"); });
  EXPECT_EQ(report::Reason::kCompile, report.reason);
  ASSERT_EQ(1u, report.diagnostics.size());
  EXPECT_THAT(base::text(report.diagnostics[0]), HasSubstr("4 bytes too many"));
}

TEST_F(Grade, AFailedMechanismGateKeepsTheOthersPointsAndSaysWhatNext) {
  const auto report = grade([](auto& buffers, auto& measured) {
    twice(buffers);
    measured.metrics["sectors"] = 129;
  });
  EXPECT_EQ(report::Reason::kMechanism, report.reason);
  EXPECT_TRUE(report.correct);
  EXPECT_EQ(4u, report.points);  // 3 for the result, 1 for speed
  EXPECT_EQ("Store along rows.", report.next);
  EXPECT_EQ("hint 1 of 2: first hint", report.hint);
}

TEST_F(Grade, AToolThatFailsOnASubmissionCostsThatSubmissionOnly) {
  const auto report = grade([](std::vector<run::Buffer>&, measure::Measurement&) {
    throw base::ToolError("PTX line 37: expected ';'");
  });
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_EQ(report::Reason::kTool, report.reason);
  EXPECT_EQ(0u, report.points);
  ASSERT_EQ(1u, report.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, report.diagnostics[0].kind);
  EXPECT_EQ("case one could not be run: PTX line 37: expected ';'",
            base::text(report.diagnostics[0]));
}

// A real compiler may give the same file other registers the next time.
TEST_F(Grade, ContentsOfAMeasuredCaseFollowFromTheSourceAndNotFromItsCode) {
  const auto contents = [&](const std::string& source, const std::string& ptx) {
    std::ofstream(folder_ / "twice.cu") << source;
    compile_ = [ptx](const compile::CompileRequest& request) -> compile::Result {
      auto result = compile_well(request);
      std::get<compile::Program>(result).ptx = {ptx, request.file};
      return result;
    };
    EXPECT_EQ(report::Verdict::kPass, grade(right).verdict);
    EXPECT_EQ(h200_->before[2][1].bytes, k40_->before.back()[1].bytes);
    return std::pair(h200_->before[1][1].bytes, h200_->before[2][1].bytes);  // ragged, large
  };
  const auto first = contents(kSource, "one program");
  const auto same = contents(kSource, "another");
  const auto other = contents(std::string(kSource) + "__device__ int more;\n", "one program");
  EXPECT_EQ(first, same);
  EXPECT_EQ(first.first, other.first);
  EXPECT_NE(first.second, other.second);
}

TEST_F(Grade, ABrokenReferenceIsOurFault) {
  compile_ = [](const compile::CompileRequest& request) -> compile::Result {
    if (request.file == "twice.cu") return compile_well(request);
    return std::vector{base::Diagnostic{}};
  };
  EXPECT_THROW(grade(right), base::ToolError);
}

}  // namespace warpgrade::grader::grade::grading_test

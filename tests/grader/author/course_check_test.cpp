// SPDX-License-Identifier: Apache-2.0
#include "grader/author/course_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/error.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::author::course_check_test {

// The course's self-check: claims of wrong solutions, and broken expectations.

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Claim, IsReadFromTheHead) {
  const auto claim =
      read_claim("// SPDX\n// fails: mechanism gate=stores_coalesced\n// prose\n", "a.cu");
  ASSERT_TRUE(claim);
  EXPECT_EQ(report::Reason::kMechanism, claim->reason);
  EXPECT_EQ("stores_coalesced", claim->gate);
  EXPECT_EQ("race", read_claim("// fails: diagnostic race", "a.cu")->diagnostic);
  EXPECT_EQ("wide", read_claim("// fails: incorrect case=wide\r\n", "a.cu")->case_name);
  EXPECT_FALSE(read_claim("// SPDX\nint fails;\n", "a.cu"));
}

TEST(Claim, AWrongOneIsRefusedWithItsLine) {
  for (const auto* text :
       {"// fails: slow", "// fails:", "// fails: diagnostic", "// fails: incorrect because"}) {
    try {
      read_claim(text, "a.cu");
      FAIL() << text;
    } catch (const base::UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("a.cu:1: ")) << text;
    }
  }
}

TEST(Claim, StatesTheCauseAndItsLine) {
  const auto claim =
      read_claim("// SPDX\n// fails: diagnostic race\n// cause: missing_barrier line=7\n", "a.cu");
  ASSERT_TRUE(claim);
  EXPECT_EQ(course::CauseId::kMissingBarrier, claim->cause);
  EXPECT_EQ(7U, claim->line);
  EXPECT_FALSE(read_claim("// fails: diagnostic race", "a.cu")->cause);
  EXPECT_EQ(0U, read_claim("// fails: incorrect\n// cause: unwritten", "a.cu")->line);
}

TEST(Claim, AWrongCauseIsRefusedWithItsLine) {
  for (const auto* text : {"// cause: barrier", "// cause:", "// cause: unwritten line=x",
                           "// cause: unwritten in line 7"}) {
    try {
      read_claim(std::string("// fails: incorrect\n") + text, "a.cu");
      FAIL() << text;
    } catch (const base::UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("a.cu:2: ")) << text;
    }
  }
}

report::ExerciseReport failed(report::Reason reason) {
  report::ExerciseReport out;
  out.verdict = report::Verdict::kFail;
  out.reason = reason;
  return out;
}

TEST(Claim, HoldsForExactlyItsReason) {
  Claim claim;
  claim.reason = report::Reason::kIncorrect;
  EXPECT_THAT(broken_claim(claim, failed(report::Reason::kIncorrect)), IsEmpty());
  EXPECT_THAT(broken_claim(claim, failed(report::Reason::kDiagnostic)),
              HasSubstr("reason diagnostic"));
  report::ExerciseReport passed;
  passed.verdict = report::Verdict::kPass;
  passed.reason = report::Reason::kNone;
  EXPECT_THAT(broken_claim(claim, passed), HasSubstr("verdict is pass"));
}

TEST(Claim, ItsCauseIsTheReports) {
  auto report = failed(report::Reason::kDiagnostic);
  Claim claim;
  claim.reason = report::Reason::kDiagnostic;
  claim.cause = course::CauseId::kMissingBarrier;
  EXPECT_EQ("states the cause `missing_barrier`, but the report names `none`",
            broken_claim(claim, report));
  report.cause = report::Cause{course::CauseId::kRace, 4, 9, "", ""};
  EXPECT_EQ("states the cause `missing_barrier`, but the report names `race`",
            broken_claim(claim, report));
  report.cause->id = course::CauseId::kMissingBarrier;
  EXPECT_THAT(broken_claim(claim, report), IsEmpty());
  for (const auto line : {4U, 9U}) {
    claim.line = line;
    EXPECT_THAT(broken_claim(claim, report), IsEmpty());
  }
  claim.line = 5;
  EXPECT_EQ("states the cause in line 5, but the report names line 4", broken_claim(claim, report));
}

TEST(Claim, NamesTheDiagnosticAndTheGate) {
  auto report = failed(report::Reason::kDiagnostic);
  report.diagnostics.emplace_back().kind = base::DiagnosticKind::kOutOfBounds;
  Claim claim;
  claim.reason = report::Reason::kDiagnostic;
  claim.diagnostic = "race";
  EXPECT_EQ("no diagnostic `race`, but `out_of_bounds`", broken_claim(claim, report));
  claim.diagnostic = "out_of_bounds";
  EXPECT_THAT(broken_claim(claim, report), IsEmpty());

  report = failed(report::Reason::kMechanism);
  report.gates.resize(1);
  report.gates[0].definition.id = "stores";
  report.gates[0].decision = report::GateOutcome::kFailed;
  claim = {};
  claim.reason = report::Reason::kMechanism;
  claim.gate = "stores";
  EXPECT_THAT(broken_claim(claim, report), IsEmpty());
  report.gates[0].decision = report::GateOutcome::kPassed;
  EXPECT_EQ("the gate `stores` does not fail", broken_claim(claim, report));
}

TEST(Expectation, SkeletonsFailAndSolutionsEarnEverything) {
  Expectation skeleton;
  skeleton.kind = Expectation::Kind::kSkeleton;
  EXPECT_THAT(broken_expectation(skeleton, failed(report::Reason::kMechanism)), IsEmpty());
  EXPECT_THAT(broken_expectation(skeleton, failed(report::Reason::kCompile)), HasSubstr("compile"));
  report::ExerciseReport passed;
  passed.verdict = report::Verdict::kPass;
  passed.points = passed.max_points = 6;
  EXPECT_THAT(broken_expectation(skeleton, passed), HasSubstr("must fail"));
  Expectation solution;
  solution.kind = Expectation::Kind::kSolution;
  EXPECT_THAT(broken_expectation(solution, passed), IsEmpty());
  passed.points = 5;
  EXPECT_THAT(broken_expectation(solution, passed), HasSubstr("all 6 points, but earns 5"));
}

// A skeleton with correct results that fails its one gate and earns nothing. `said` is the value in
// skeletons.toml, `measured` the gate's.
report::ExerciseReport skeleton_with(std::optional<double> said, double measured) {
  auto report = failed(report::Reason::kMechanism);
  report.correct = true;
  report.gates.resize(1);
  report.gates[0].definition.id = "sectors";
  report.gates[0].definition.skeleton = said;
  report.gates[0].worst = {"large", measured, report::GateOutcome::kFailed};
  return report;
}

TEST(Expectation, ASkeletonEarnsNothing) {
  Expectation skeleton;
  skeleton.kind = Expectation::Kind::kSkeleton;
  auto report = skeleton_with(1024, 1024);
  EXPECT_EQ("", broken_expectation(skeleton, report));
  report.points = 2;
  report.max_points = 10;
  EXPECT_EQ("a skeleton must earn nothing, but earns 2 of 10 points",
            broken_expectation(skeleton, report));
}

// A skeleton earns points only while skeletons.toml lacks its values, so the remedy comes first.
TEST(Expectation, MissingSkeletonValuesAreNamedBeforePoints) {
  Expectation skeleton;
  skeleton.kind = Expectation::Kind::kSkeleton;
  auto report = skeleton_with(std::nullopt, 458750);
  report.points = 2;
  EXPECT_THAT(broken_expectation(skeleton, report), HasSubstr("run `warpgrade check --write`"));
}

TEST(SkeletonValues, AreTakenFromItsReport) {
  course::KernelExercise exercise;
  exercise.gates.resize(1);
  exercise.gates[0].id = "sectors";
  const auto taken = [&](const report::ExerciseReport& report) {
    take_skeleton_values(report, exercise);
    return exercise.gates[0].skeleton;
  };
  EXPECT_EQ(458750, taken(skeleton_with(std::nullopt, 458750)));
  EXPECT_EQ(0.487, taken(skeleton_with(std::nullopt, 0.4874)));
  EXPECT_EQ(0.487, taken(skeleton_with(std::nullopt, 0.491)));
  auto wrong = skeleton_with(std::nullopt, 32);
  wrong.correct = false;
  EXPECT_EQ(std::nullopt, taken(wrong));
}

TEST(Expectation, TheFileOfValuesHoldsWhatIsMeasured) {
  Expectation skeleton;
  skeleton.kind = Expectation::Kind::kSkeleton;
  EXPECT_EQ(
      "gate `sectors`: skeletons.toml has 0, but 458750 was measured; run `warpgrade check "
      "--write`",
      broken_expectation(skeleton, skeleton_with(0, 458750)));
  EXPECT_EQ(
      "gate `sectors`: skeletons.toml has no value, but 458750 was measured; run `warpgrade check "
      "--write`",
      broken_expectation(skeleton, skeleton_with(std::nullopt, 458750)));
  EXPECT_EQ("", broken_expectation(skeleton, skeleton_with(0.49, 0.4874)));
  EXPECT_EQ(
      "gate `sectors`: skeletons.toml has 0.51, but 0.4874 was measured; run `warpgrade check "
      "--write`",
      broken_expectation(skeleton, skeleton_with(0.51, 0.4874)));
}

// 0.5 % of 458,750 is 2,293.
TEST(Expectation, CountersOfRandomInputsBesideAGpuNeedNotBeEqual) {
  Expectation skeleton;
  skeleton.kind = Expectation::Kind::kSkeleton;
  const auto difference = [&](double said) {
    auto report = skeleton_with(said, 458750);
    report.gates.emplace_back().backend = run::Backend::kGpu;
    return broken_expectation(skeleton, report);
  };
  EXPECT_EQ("", difference(458750 - 2290));
  EXPECT_THAT(difference(458750 - 2300), HasSubstr("skeletons.toml has 456450"));
  EXPECT_THAT(broken_expectation(skeleton, skeleton_with(458749, 458750)),
              HasSubstr("skeletons.toml has 458749"));
}

TEST(Expectation, AWrongSkeletonHasNoValues) {
  Expectation skeleton;
  skeleton.kind = Expectation::Kind::kSkeleton;
  auto report = skeleton_with(32, 32);
  report.correct = false;
  EXPECT_EQ(
      "gate `sectors`: skeletons.toml has 32, but its result is wrong; run `warpgrade check "
      "--write`",
      broken_expectation(skeleton, report));
}

TEST(Expectation, FilesOfACourseAreAllAccountedFor) {
  const auto root = fs::path(testing::TempDir()) / "warpgrade_course";
  const auto write = [&](const std::string& path, const std::string& text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  };
  write("labs/small/grader.toml", course::kManifest);
  write("labs/small/reference.cu", "");
  write("labs/small/twice.cu", "");
  write("labs/small/twice.cu~", "");
  write("labs/small/include/course/a.h", "");
  write("solutions/small/wrong/twice_slow.cu", "// fails: performance\n");
  write("solutions/small/wrong/twice_silent.cu", "");
  write("solutions/small/wrong/thrice.cu", "// fails: incorrect\n");
  write("solutions/small/wrong/notes.txt", "");
  write("solutions/small/further/limit.cu", "");
  write("solutions/small/further/limit.csv", "");
  course::Course course{
      root, {course::parse_manifest(course::kManifest, "m", "small", course::kVocabulary)}};
  course.labs[0].folder = root / "labs/small";
  course.labs[0].include_folders = {fs::weakly_canonical(root / "labs/small/include")};
  std::vector<std::string> findings;
  const auto all = expectations(course, findings);
  EXPECT_THAT(
      findings,
      UnorderedElementsAre(
          "solutions/small/twice.cu: missing",
          "solutions/small/wrong/twice_silent.cu: no line `// fails: REASON` in its head",
          "solutions/small/wrong/thrice.cu: the name must begin with an exercise's id and _",
          "labs/small/twice.cu~: a stray file: it belongs to no exercise",
          "solutions/small/further/limit.csv: a stray file: it belongs to no exercise",
          "solutions/small/wrong/notes.txt: a stray file: it belongs to no exercise"));
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ(Expectation::Kind::kSkeleton, all[0].kind);
  EXPECT_EQ(Expectation::Kind::kWrong, all[1].kind);
  fs::remove_all(root);
}

using testing::ElementsAre;

report::Gate speed(double value) {
  report::Gate out;
  out.definition.id = "speed";
  out.definition.metric = course::kFractionOfCopy;
  out.definition.device = "h200";
  out.bounds["large"].min = 0.5;
  out.decision = outcome_of(value, out.bounds["large"]);
  out.worst = {"large", value, *out.decision};
  return out;
}

class Margins : public testing::Test {
 protected:
  void add(Expectation::Kind kind, const std::string& file, report::Gate gate) {
    expectations_.push_back({kind, {&lab_, &exercise_, {file, file, {}, {}}}, {}});
    report::ExerciseReport report;
    report.lab = "small";
    report.exercise = "twice";
    report.file = file;
    report.gates.push_back(std::move(gate));
    reports_.push_back(std::move(report));
  }
  Margin only() {
    auto all = margins(expectations_, reports_);
    EXPECT_EQ(1u, all.size());
    return all.at(0);
  }

  course::Lab lab_;
  course::Exercise exercise_;
  std::vector<Expectation> expectations_;
  std::vector<report::ExerciseReport> reports_;
};

TEST_F(Margins, HoldTheSolutionAndTheBestThatTheGateStops) {
  add(Expectation::Kind::kSkeleton, "skeleton.cu", speed(0.1));
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.9));
  add(Expectation::Kind::kWrong, "lazy.cu", speed(0.3));
  add(Expectation::Kind::kWrong, "fails_elsewhere.cu", speed(0.8));
  const auto margin = only();
  EXPECT_EQ("small/twice", margin.exercise);
  EXPECT_EQ(0.9, margin.solution);
  EXPECT_EQ(0.3, margin.best_outside);
  EXPECT_EQ("lazy.cu", margin.best_outside_file);
  EXPECT_THAT(too_near(margin), IsEmpty());
}

TEST_F(Margins, NothingIsStoppedWhereNothingFails) {
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.9));
  EXPECT_FALSE(only().best_outside);
}

TEST_F(Margins, ABoundWithinThreePercentOfTheSolutionIsAFinding) {
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.514));
  EXPECT_THAT(
      too_near(only()),
      ElementsAre(
          "small/twice: gate speed: the solution reaches 0.514, within 3 % of the bound 0.5"));
}

TEST_F(Margins, ABoundWithinThreePercentOfWhatItStopsIsAFinding) {
  add(Expectation::Kind::kSolution, "solution.cu", speed(0.9));
  add(Expectation::Kind::kWrong, "lazy.cu", speed(0.486));
  EXPECT_THAT(too_near(only()),
              ElementsAre("small/twice: gate speed: lazy.cu reaches 0.486, within 3 % of the bound "
                          "0.5"));
}

TEST_F(Margins, CountersAreExactAndMayTouchTheirBounds) {
  auto gate = speed(0.5);
  gate.definition.metric = "sectors";
  add(Expectation::Kind::kSolution, "solution.cu", gate);
  EXPECT_THAT(too_near(only()), IsEmpty());
}

// With a model error of 20 %, only speeds below 0.4 miss a bound of 0.5.
report::Gate modelled(double value) {
  auto out = speed(value);
  out.model_margin = 0.2;
  out.definition.points = 1;
  return out;
}

TEST_F(Margins, AModelledGateSaysWhatItsErrorLetsThrough) {
  add(Expectation::Kind::kSolution, "solution.cu", modelled(0.9));
  EXPECT_EQ("", too_wide(only()));
  add(Expectation::Kind::kWrong, "slow.cu", modelled(0.38));
  EXPECT_EQ("", too_wide(only()));
  add(Expectation::Kind::kWrong, "lazy.cu", modelled(0.45));
  EXPECT_EQ(
      "small/twice: gate speed: the time model's margin is 20 % on h200, so lazy.cu passes with "
      "0.45",
      too_wide(only()));
  EXPECT_THAT(too_near(only()), IsEmpty());
}

TEST_F(Margins, AModelledGateThatTheSkeletonPassesIsToldToo) {
  auto gate = modelled(0.9);
  gate.definition.skeleton = 0.42;
  add(Expectation::Kind::kSolution, "solution.cu", gate);
  EXPECT_EQ(
      "small/twice: gate speed: the time model's margin is 20 % on h200, so the skeleton passes "
      "with 0.42",
      too_wide(only()));
}

TEST_F(Margins, WhatIsNearWhereAModelledGateStopsIsAFinding) {
  add(Expectation::Kind::kSolution, "solution.cu", modelled(0.9));
  add(Expectation::Kind::kWrong, "slow.cu", modelled(0.395));
  EXPECT_THAT(too_near(only()),
              ElementsAre("small/twice: gate speed: slow.cu reaches 0.395, within 3 % of the bound "
                          "0.4"));
}

}  // namespace warpgrade::grader::author::course_check_test

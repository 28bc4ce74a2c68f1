// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/judge/judged.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::findings_test {

// The findings that each outcome of a case leaves in a report.

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using State = report::Case::State;

class RunFindings : public testing::Test {
 protected:
  RunFindings() {
    exercise_.steps[0].signature = "twice(float*, int)";
    task_.exercise = &whole_;
    task_.submission.shown = "twice.cu";
  }

  // The findings if the first case ends with this outcome and the second one does not run.
  report::ExerciseReport after(CaseOutcome outcome) const {
    report::ExerciseReport found;
    add_cases(task_, {small(std::move(outcome)), large({})}, found);
    return found;
  }

  PlannedCase small(std::optional<CaseOutcome> outcome) const {
    auto out = planned_of(target_, exercise_, exercise_.cases[0]);
    out.outcome = std::move(outcome);
    return out;
  }
  PlannedCase large(std::optional<CaseOutcome> outcome) const {
    auto out = planned_of(target_, exercise_, exercise_.cases[1]);
    out.outcome = std::move(outcome);
    return out;
  }

  course::Exercise whole_{"twice", "Twice as much", {}, exercise_with({})};
  course::KernelExercise& exercise_ = *whole_.kernel();
  Target target_ = on_gpu("h200");
  GradingTask task_;
};

TEST_F(RunFindings, AReportNamesItsSubmission) {
  course::Lab lab;
  lab.id = "small";
  compile::CompileRequest source;
  source.source = "the text";
  const auto report =
      report_on({&lab, &whole_, {"folder/twice.cu", "twice.cu", "ba7816bf", source}});
  EXPECT_EQ("small", report.lab);
  EXPECT_EQ("twice", report.exercise);
  EXPECT_EQ("Twice as much", report.title);
  EXPECT_EQ("twice.cu", report.file);
  EXPECT_EQ("ba7816bf", report.sha256);
  EXPECT_EQ("the text", report.source);
}

TEST_F(RunFindings, ACaseIsNamedWithItsPlaceAndItsVariablesThere) {
  const auto found = after(CaseOutcome());
  ASSERT_THAT(found.cases, SizeIs(2));
  EXPECT_EQ("large", found.cases[1].name);
  EXPECT_EQ((text::Variables{{"n", 1024}}), found.cases[1].variables);
  EXPECT_EQ("h200", found.cases[1].device);
  EXPECT_EQ(run::Backend::kGpu, found.cases[1].backend);
}

TEST_F(RunFindings, ARightCaseHasPassedAndOneWithoutARunIsNotRun) {
  const auto found = after(CaseOutcome());
  EXPECT_EQ(State::kPassed, found.cases[0].state);
  EXPECT_EQ(State::kNotRun, found.cases[1].state);
  EXPECT_EQ("", found.tool_trouble);
}

TEST_F(RunFindings, AWrongCaseHasItsDifferenceAndTheOwnLinesThatStoreEachOnce) {
  CaseOutcome outcome;
  verify::OutputDifference difference;
  difference.element = "out[3]";
  outcome.ending = WrongResult{difference};
  constexpr memory::MemoryOperation kLoad{run::Space::kGlobal, run::Operation::kLoad};
  constexpr memory::MemoryOperation kStore{run::Space::kGlobal, run::Operation::kStore};
  outcome.measured.lines = {{"twice.cu", 3, kLoad, 1, 4, 0},
                            {"twice.cu", 5, kStore, 1, 4, 0},
                            {"tile.h", 6, kStore, 1, 4, 0},
                            {"twice.cu", 5, kStore, 1, 4, 0}};
  const auto found = after(outcome);
  EXPECT_EQ(State::kIncorrect, found.cases[0].state);
  EXPECT_EQ("out[3]", found.cases[0].difference->element);
  EXPECT_THAT(found.result_lines, ElementsAre(5));
  EXPECT_THAT(found.diagnostics, IsEmpty());
}

TEST_F(RunFindings, FaultsAreToldEachOnce) {
  base::Diagnostic race;
  race.kind = base::DiagnosticKind::kRace;
  race.where = {"twice.cu", 4, 0};
  const auto found = after(ended_by(FoundFaults{{race, race}}));
  EXPECT_EQ(State::kDiagnostic, found.cases[0].state);
  EXPECT_THAT(found.diagnostics, SizeIs(1));
}

TEST_F(RunFindings, AKernelThatCannotBeLaunchedIsACompileErrorOfTheFile) {
  const auto found = after(ended_by(NotLaunchable{"4 bytes too many"}));
  EXPECT_EQ(State::kNotRun, found.cases[0].state);
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found.diagnostics[0].kind);
  EXPECT_EQ("twice.cu", found.diagnostics[0].where.file);
  EXPECT_EQ("the kernel cannot be launched as twice(float*, int): 4 bytes too many",
            base::text(found.diagnostics[0]));
}

TEST_F(RunFindings, MoreThan48KilobytesOfSharedMemoryAreANoteOnce) {
  compile::Program program;
  program.kernels.resize(1);
  program.kernels[0].name = "twice";
  const auto notes_with = [&](const std::string& bytes) {
    auto& geometry = exercise_.steps[0].geometry;
    for (auto* extents : {&geometry.grid, &geometry.block}) {
      for (auto& extent : *extents) extent = {"1", {}};
    }
    geometry.shared_bytes = {bytes, {}};
    std::vector<PlannedCase> cases = {small(CaseOutcome()), large(CaseOutcome())};
    for (auto& one : cases) {
      one.program = &program;
      one.kernels = {&program.kernels[0]};
    }
    report::ExerciseReport found;
    add_cases(task_, cases, found);
    return found.warnings;
  };
  EXPECT_THAT(notes_with("49152"), IsEmpty());
  EXPECT_THAT(notes_with("65536"),
              ElementsAre(testing::AllOf(
                  testing::StartsWith("note: "),
                  testing::HasSubstr("cudaFuncAttributeMaxDynamicSharedMemorySize, 65536"))));
}

TEST_F(RunFindings, ACaseThatTheSimulatorCouldNotRunIsUnsupported) {
  const auto found = after(ended_by(NotSimulated{"PTX line 37"}));
  EXPECT_EQ(State::kDiagnostic, found.cases[0].state);
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, found.diagnostics[0].kind);
  EXPECT_EQ("case small could not be run: PTX line 37", base::text(found.diagnostics[0]));
}

TEST_F(RunFindings, TroubleWithTheGpuIsTheToolsAndNoVerdictOnTheCase) {
  const auto found = after(ended_by(GpuTrouble{"the GPU is gone"}));
  EXPECT_EQ(State::kNotRun, found.cases[0].state);
  EXPECT_EQ("the GPU is gone", found.tool_trouble);
  EXPECT_THAT(found.diagnostics, IsEmpty());
}

TEST_F(RunFindings, AnImpossibleTimeLeavesTheResultRight) {
  const auto found = after(ended_by(ImpossibleTime{"0.1 us"}));
  EXPECT_EQ(State::kPassed, found.cases[0].state);
  EXPECT_EQ("0.1 us", found.tool_trouble);
}

TEST_F(RunFindings, WarningsNameTheirCaseAndTheFirstPrintedTextIsKept) {
  CaseOutcome outcome;
  outcome.warnings = {"the machine is noisy"};
  outcome.measured.result.printed = "hello\n";
  auto found = after(outcome);
  EXPECT_THAT(found.warnings, ElementsAre("case small: the machine is noisy"));
  EXPECT_EQ("hello\n", found.printed);
  EXPECT_EQ("small", found.printed_case);
  outcome.measured.result.printed = "later\n";
  add_cases(task_, {large(outcome)}, found);
  EXPECT_EQ("hello\n", found.printed);
}

TEST_F(RunFindings, ABarrierThatThreadsHaveLeftBeforeIsWarnedOfOnceALine) {
  CaseOutcome outcome;
  auto& skipped = outcome.measured.result.skipped_barriers;
  skipped = {{{"twice.cu", 11, 0}, {3, 0, 0}, "threads 64 to 127", 64, 128},
             {{"tile.cuh", 4, 0}, {0, 1, 0}, "thread 5", 127, 128}};
  auto found = after(outcome);
  EXPECT_EQ(State::kPassed, found.cases[0].state);
  EXPECT_THAT(found.diagnostics, IsEmpty());
  ASSERT_THAT(found.warnings, SizeIs(1));
  EXPECT_EQ(
      "warning: the __syncthreads() in line 11 is reached by only 64 of the 128 threads of block "
      "(3, "
      "0, 0): threads 64 to 127 ended without it. Since Volta, a barrier does not wait for "
      "threads that have ended; on older GPUs the behaviour is undefined. Move it out of the "
      "if, or put an if "
      "around the work instead of a return before it, so that every thread reaches it. The same is "
      "true of line 4 of tile.cuh.",
      found.warnings[0]);
  report::ExerciseReport both;
  add_cases(task_, {small(outcome), large(outcome)}, both);
  EXPECT_THAT(both.warnings, SizeIs(1));
  EXPECT_EQ(found.warnings, both.warnings);
  auto further = outcome;
  further.measured.result.skipped_barriers.push_back(
      {{"twice.cu", 15, 0}, {0, 0, 0}, "thread 5", 127, 128});
  both = {};
  add_cases(task_, {small(outcome), large(further)}, both);
  ASSERT_THAT(both.warnings, SizeIs(1));
  EXPECT_THAT(both.warnings[0], testing::EndsWith("is true of line 4 of tile.cuh, line 15."));
}

// The rubric: the order of reasons, and that a wrong result earns no points for speed.

using base::DiagnosticKind;

report::Case case_in(report::Case::State state) {
  report::Case out;
  out.state = state;
  return out;
}

report::Gate gate(bool is_performance, report::GateOutcome decision) {
  report::Gate out;
  out.definition.metric = is_performance ? course::kFractionOfCopy : "sectors";
  out.definition.points = 2;
  out.decision = decision;
  return out;
}

base::Diagnostic diagnostic(DiagnosticKind kind) {
  base::Diagnostic out;
  out.kind = kind;
  return out;
}

constexpr auto kPassed = report::GateOutcome::kPassed;
constexpr auto kFailed = report::GateOutcome::kFailed;
constexpr std::uint32_t kCorrectnessPoints = 3;

// Everything right: 3 points for correctness, 2 for each of the two gates.
report::ExerciseReport right() {
  report::ExerciseReport out;
  out.cases = {case_in(report::Case::State::kPassed)};
  out.gates = {gate(false, kPassed), gate(true, kPassed)};
  return out;
}

report::ExerciseReport judged(report::ExerciseReport found) {
  judge(kCorrectnessPoints, found);
  return found;
}

void expect(report::Verdict verdict, report::Reason reason, std::uint32_t points,
            const report::ExerciseReport& found) {
  const auto judgement = judged(found);
  EXPECT_EQ(verdict, judgement.verdict);
  EXPECT_EQ(reason, judgement.reason);
  EXPECT_EQ(points, judgement.points);
  EXPECT_EQ(7u, judgement.max_points);
}

TEST(Rubric, AllRightEarnsAllPoints) {
  expect(report::Verdict::kPass, report::Reason::kNone, 7, right());
}

// The skeleton's result is correct. It fails the first gate and passes the second.
report::ExerciseReport with_right_skeleton(report::GateOutcome first) {
  auto found = right();
  for (auto& one : found.gates) one.bounds[{}].min = 1;
  found.gates[0].definition.id = "work";
  found.gates[0].decision = first;
  found.gates[0].definition.skeleton = 0.5;
  found.gates[1].definition.skeleton = 1;
  return found;
}

TEST(Rubric, WhatTheSkeletonHasAlreadyEarnsNothingByItself) {
  const auto found = with_right_skeleton(kFailed);
  expect(report::Verdict::kFail, report::Reason::kMechanism, 0, found);
  EXPECT_EQ("work", judged(found).gates[1].lacks);
  EXPECT_TRUE(judged(found).correct);
}

TEST(Rubric, WhatTheSkeletonHasAlreadyCountsBesideWork) {
  expect(report::Verdict::kPass, report::Reason::kNone, 7, with_right_skeleton(kPassed));
}

// A waived gate: everybody passes it, although the skeleton misses its bound.
report::Gate waived() {
  auto out = gate(true, kPassed);
  out.bounds[{}].min = 1;
  out.definition.skeleton = 0.1;
  out.waiver = report::TooLittleMemory();
  out.definition.points = 0;
  return out;
}

TEST(Rubric, AGateThatIsWaivedIsNoWork) {
  auto found = with_right_skeleton(kFailed);
  found.gates.push_back(waived());
  expect(report::Verdict::kFail, report::Reason::kMechanism, 0, found);
  EXPECT_EQ("work", judged(found).gates[2].lacks);
}

TEST(Rubric, WhereEverythingThatTellsIsWaivedARightKernelEarnsItsPoints) {
  auto found = with_right_skeleton(kPassed);
  found.gates[0].waiver = report::TooLittleMemory();
  found.gates.push_back(waived());
  expect(report::Verdict::kPass, report::Reason::kNone, 7, found);
}

TEST(Rubric, WorkWithoutTheGuardThatItNeedsIsNone) {
  auto found = with_right_skeleton(kPassed);
  found.gates.push_back(gate(false, kFailed));
  found.gates.back().definition.id = "guard";
  found.gates.back().definition.points = 0;
  found.gates.back().definition.skeleton = 0;
  found.gates[0].definition.needs = {"guard"};
  expect(report::Verdict::kFail, report::Reason::kMechanism, 0, found);
  EXPECT_EQ("guard", judged(found).gates[0].lacks);
  EXPECT_EQ("guard", judged(found).gates[1].lacks) << "not the work, which is passed in vain";
}

TEST(Rubric, ARightResultIsWorkWhereTheSkeletonsIsWrong) {
  auto found = right();
  found.gates = {gate(false, kFailed), gate(true, kFailed)};
  expect(report::Verdict::kFail, report::Reason::kMechanism, 3, found);
}

TEST(Rubric, AGateEarnsNothingWithoutTheGuardThatItNeeds) {
  auto found = right();
  found.gates[0].definition.id = "mean";
  found.gates[0].definition.needs = {"sectors", "left_out_by_the_device"};
  auto guard = gate(false, kPassed);
  guard.definition.id = "sectors";
  guard.definition.points = 0;
  found.gates.push_back(guard);
  expect(report::Verdict::kPass, report::Reason::kNone, 7, found);
  found.gates[2].decision = kFailed;
  expect(report::Verdict::kFail, report::Reason::kMechanism, 5, found);
  const auto gates = judged(found).gates;
  EXPECT_EQ("sectors", gates.at(0).lacks);
  EXPECT_EQ(0u, gates.at(0).points);
  EXPECT_EQ("", gates.at(1).lacks);
  EXPECT_EQ(2u, gates.at(1).points);
}

TEST(Rubric, AGuardThatWasNotMeasuredTakesNoPoints) {
  auto found = right();
  found.gates[0].definition.needs = {"sectors"};
  found.gates[1].decision = kFailed;
  found.gates.push_back(gate(false, kPassed));
  found.gates[2].definition.id = "sectors";
  found.gates[2].decision.reset();
  EXPECT_EQ("", judged(found).gates.at(0).lacks);
  EXPECT_EQ(2u, judged(found).gates.at(0).points);
}

TEST(Rubric, ReasonsComeInTheContractsOrder) {
  // Everything is wrong at once; removing the first reason reveals the next.
  auto found = right();
  found.gates = {gate(false, kFailed), gate(true, kFailed)};
  found.cases = {case_in(report::Case::State::kIncorrect)};
  found.diagnostics = {diagnostic(DiagnosticKind::kRace), diagnostic(DiagnosticKind::kUnsupported),
                       diagnostic(DiagnosticKind::kCompileError)};
  expect(report::Verdict::kFail, report::Reason::kCompile, 0, found);
  found.diagnostics.pop_back();
  expect(report::Verdict::kFail, report::Reason::kDiagnostic, 0, found);
  found.diagnostics.clear();
  expect(report::Verdict::kFail, report::Reason::kIncorrect, 0, found);
  found.cases = {case_in(report::Case::State::kPassed)};
  expect(report::Verdict::kFail, report::Reason::kMechanism, 3, found);
  found.gates[0].decision = kPassed;
  expect(report::Verdict::kFail, report::Reason::kPerformance, 5, found);
  found.gates[1].decision = kPassed;
  expect(report::Verdict::kPass, report::Reason::kNone, 7, found);
}

TEST(Rubric, UnsupportedIsNeverAWrongAnswer) {
  auto found = right();
  found.cases.push_back(case_in(report::Case::State::kDiagnostic));
  found.diagnostics = {diagnostic(DiagnosticKind::kUnsupported)};
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
}

TEST(Rubric, WhatWasLeftOutIsNoPass) {
  auto found = right();
  found.gates[1].decision.reset();
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
  found = right();
  found.cases.push_back(case_in(report::Case::State::kNotRun));
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
  found = right();
  found.cases.clear();
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
}

TEST(Rubric, AWrongResultEarnsNoPointsForItsGates) {
  auto found = right();
  found.cases.push_back(case_in(report::Case::State::kIncorrect));
  expect(report::Verdict::kFail, report::Reason::kIncorrect, 0, found);
}

TEST(Rubric, AnUndecidedGateIsNoVerdictOnTheSubmission) {
  auto found = right();
  found.gates[1].decision = report::GateOutcome::kUndecided;
  expect(report::Verdict::kInconclusive, report::Reason::kTool, 5, found);
  EXPECT_TRUE(judged(found).correct);
  found.gates[0].decision = kFailed;
  expect(report::Verdict::kFail, report::Reason::kMechanism, 3, found);
}

TEST(Rubric, AToolThatFailedIsAnErrorWhateverElsePassed) {
  auto found = right();
  found.tool_trouble = "the GPU is gone";
  expect(report::Verdict::kError, report::Reason::kTool, 0, found);
}

TEST(Rubric, QuestionsEarnTheirPointsEachAlone) {
  report::ExerciseReport found;
  found.gates = {gate(false, kPassed), gate(false, kFailed)};
  auto judgement = found;
  judge_answers(judgement);
  EXPECT_EQ(report::Verdict::kFail, judgement.verdict);
  EXPECT_EQ(report::Reason::kIncorrect, judgement.reason);
  EXPECT_EQ(2u, judgement.points);
  EXPECT_EQ(4u, judgement.max_points);
  found.gates[1].decision = kPassed;
  judgement = found;
  judge_answers(judgement);
  EXPECT_EQ(report::Verdict::kPass, judgement.verdict);
  EXPECT_TRUE(judgement.correct);
  EXPECT_EQ(4u, judgement.points);
}

// Each wrong answer costs a point: of 33 answers for 2 points, one mistake leaves 1 point and two
// leave none. A list that is half guessed loses almost everything.
TEST(Rubric, AWrongAnswerOfSeveralCostsOnePoint) {
  const auto points = [](double right, double of, std::uint32_t most) {
    report::ExerciseReport found;
    auto asked = gate(false, kFailed);
    asked.definition.points = most;
    asked.definition.ideal = of;
    asked.worst = report::GateMeasurement{{}, right, kFailed};
    found.gates = {asked};
    judge_answers(found);
    return found.points;
  };
  EXPECT_EQ(1U, points(32, 33, 2));
  EXPECT_EQ(0U, points(31, 33, 2));
  EXPECT_EQ(0U, points(0, 1, 2));
  EXPECT_EQ(0U, points(32, 33, 1));
  EXPECT_EQ(2U, points(32, 33, 3));
  EXPECT_EQ(1U, points(16, 33, 18));
}

}  // namespace warpgrade::grader::grade::findings_test

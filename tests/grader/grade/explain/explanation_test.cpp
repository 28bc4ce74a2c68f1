// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/course/vocabulary.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/time/timed_runs.h"
#include "tests/grader/grade/gate_cases.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::explanation_test {

// The remarks on files, with their text.

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SourceRemarks, ThrustIsTheHosts) {
  EXPECT_THAT(
      source_remarks("#include <thrust/sort.h>\n__global__ void copy() {}", "copy"),
      ElementsAre("thrust is called by the host, and only device code is graded: its headers and "
                  "what uses them take no part. Write the work into the kernel."));
}

TEST(SourceRemarks, AKernelInAnIncludedFileIsNamed) {
  EXPECT_THAT(source_remarks("#include \"kernel.cuh\"\n", "copy"),
              ElementsAre("This file has no kernel of its own: copy is taken from a file that it "
                          "includes."));
}

TEST(SourceRemarks, OtherFilesGetNone) {
  EXPECT_THAT(source_remarks("#include \"tile.h\"\n__global__ void copy() {}", "copy"), IsEmpty());
  EXPECT_THAT(source_remarks("// #include <thrust/sort.h>\n", "copy"), IsEmpty());
  EXPECT_THAT(source_remarks("const char* a = \"#include <thrust/sort.h>\";", "copy"), IsEmpty());
  EXPECT_THAT(source_remarks("", "copy"), IsEmpty());
}

// The advice for each reason, and the hint that comes with it.

using testing::HasSubstr;
using testing::StartsWith;

course::Exercise exercise() {
  course::KernelExercise out;
  out.steps.emplace_back().signature = "twice(float*, int)";
  return {"twice", {}, {"nudge", "push", "answer"}, out};
}

// `found` with a verdict and its advice.
report::ExerciseReport advised(report::ExerciseReport found, report::Verdict verdict,
                               report::Reason reason, const course::Exercise& of = exercise()) {
  found.verdict = verdict;
  found.reason = reason;
  add_advice(of, found);
  return found;
}

// A gate with a minimum of 1.
report::Gate gate(const std::string& id, report::GateOutcome decision,
                  bool is_performance = false) {
  report::Gate out;
  out.definition.id = id;
  out.definition.metric = is_performance ? course::kFractionOfCopy : "sectors";
  out.definition.next = "Mend " + id + ".";
  out.bounds[{}].min = 1;
  out.decision = decision;
  return out;
}

report::ExerciseReport failed(report::Reason reason, const std::vector<report::Gate>& gates) {
  report::ExerciseReport found;
  found.gates = gates;
  return advised(found, report::Verdict::kFail, reason);
}

// report::ExerciseReport with one wrong element.
struct WrongElement {
  WrongElement(const std::string& element, std::vector<std::uint64_t> indices) {
    difference().element = element;
    difference().indices = std::move(indices);
  }
  verify::OutputDifference& difference() { return *found.cases[0].difference; }
  std::string next() const {
    return advised(found, report::Verdict::kFail, report::Reason::kIncorrect).next;
  }

  report::ExerciseReport found = [] {
    report::ExerciseReport out;
    out.cases.resize(1);
    out.cases[0].difference.emplace();
    return out;
  }();
};

constexpr auto kPassed = report::GateOutcome::kPassed;
constexpr auto kFailed = report::GateOutcome::kFailed;

TEST(Advice, APassNeedsNone) {
  const auto advice = advised({}, report::Verdict::kPass, report::Reason::kNone);
  EXPECT_EQ("", advice.next);
  EXPECT_EQ("", advice.hint);
}

TEST(Advice, AFileThatDoesNotCompileIsToldItsSignatureAndNoHint) {
  const auto advice = failed(report::Reason::kCompile, {});
  EXPECT_EQ("Make the file compile as twice(float*, int); the first message matters most.",
            advice.next);
  EXPECT_EQ("", advice.hint);
}

TEST(Advice, TooMuchSharedMemoryIsNoMatterOfTheSignature) {
  report::ExerciseReport found;
  found.diagnostics.resize(1);
  found.diagnostics[0].facts = base::SharedTooLarge{"twice", 56832, 49152};
  EXPECT_EQ("Which array can be smaller, have fewer copies, or be kept in registers?",
            advised(found, report::Verdict::kFail, report::Reason::kCompile).next);
}

TEST(Advice, AFileOfAnswersThatCannotBeReadHasNoSignature) {
  auto questions = exercise();
  questions.form = course::QuestionsExercise{};
  const auto advice = advised({}, report::Verdict::kFail, report::Reason::kCompile, questions);
  EXPECT_EQ("Fix the file at the position shown; nothing was graded.", advice.next);
}

// The lab's hints are about being fast.
TEST(Advice, ADiagnosticHasNoHint) {
  report::ExerciseReport found;
  found.diagnostics.resize(1);
  found.diagnostics[0].thread = base::Dim3{1, 0, 0};
  const auto advice = advised(found, report::Verdict::kFail, report::Reason::kDiagnostic);
  EXPECT_EQ(
      "Compute the index by hand for the block and thread shown. Is each row length right, and "
      "which condition should have kept this thread from the access?",
      advice.next);
  EXPECT_EQ("", advice.hint);
}

TEST(Advice, ADiagnosticOrAWrongResultHasTheHintThatTheExerciseNamesForItsCause) {
  auto of = exercise();
  of.hint_for[course::CauseId::kWeakWait] = 1;
  report::ExerciseReport found;
  found.diagnostics.resize(1);
  found.cases.resize(1);
  found.cause.emplace().id = course::CauseId::kWeakWait;
  for (const auto reason : {report::Reason::kDiagnostic, report::Reason::kIncorrect}) {
    EXPECT_EQ("hint 2 of 3: push", advised(found, report::Verdict::kFail, reason, of).hint);
  }
  found.cause->id = course::CauseId::kRace;
  EXPECT_EQ("", advised(found, report::Verdict::kFail, report::Reason::kDiagnostic, of).hint);
}

TEST(Advice, EachKindOfDiagnosticHasAFirstStepOfItsOwn) {
  const auto next = [&](base::DiagnosticKind kind, bool names_thread) {
    report::ExerciseReport found;
    found.diagnostics.resize(1);
    found.diagnostics[0].kind = kind;
    if (names_thread) found.diagnostics[0].thread = base::Dim3{1, 0, 0};
    return advised(found, report::Verdict::kFail, report::Reason::kDiagnostic).next;
  };
  using Kind = base::DiagnosticKind;
  EXPECT_EQ(
      "Decide which of the two accesses must come first. What makes the other thread wait for it? "
      "If both threads only add to this element, use atomicAdd().",
      next(Kind::kRace, true));
  EXPECT_THAT(next(Kind::kUninitializedRead, true), testing::HasSubstr("Which thread makes it"));
  EXPECT_THAT(next(Kind::kUninitializedRead, false), testing::HasSubstr("the variable"))
      << "a variable without a value names no thread";
  EXPECT_EQ(next(Kind::kDeadlock, true), next(Kind::kDivergentBarrier, true));
}

TEST(Advice, AKernelThatTheCourseCannotLaunchCompiles) {
  report::ExerciseReport found;
  found.cases.resize(1);
  const auto advice = advised(found, report::Verdict::kFail, report::Reason::kCompile);
  EXPECT_EQ(
      "The file compiles. Change the property that the message names, so that the course's launch "
      "fits the kernel.",
      advice.next);
}

TEST(Advice, AnElementThatIsNeverWrittenHasNoThreadToFollow) {
  report::ExerciseReport found;
  found.cases.resize(2);
  found.cases[1].difference.emplace();
  found.cases[1].difference->element = "out[0][3]";
  found.cases[1].difference->indices = {0, 3};
  found.cases[1].difference->kind = verify::CauseKind::kUnwritten;
  const auto advice = advised(found, report::Verdict::kFail, report::Reason::kIncorrect);
  EXPECT_EQ(
      "No thread writes out[0][3]. Which thread should, and which condition, loop bound or "
      "return keeps it from doing so?",
      advice.next);
}

// The hints are about being fast.
TEST(Advice, AWrongResultIsTracedByHandWithoutAHint) {
  const auto advice = failed(report::Reason::kIncorrect, {});
  EXPECT_THAT(advice.next, StartsWith("Trace one wrong element by hand"));
  EXPECT_EQ("", advice.hint);
}

TEST(Advice, AWrongElementIsTracedByItsName) {
  WrongElement wrong("out[0][3]", {0, 3});
  EXPECT_THAT(wrong.next(), StartsWith("Trace out[0][3] by hand"));
  wrong.difference().indices.clear();  // Only the sum is compared.
  EXPECT_THAT(wrong.next(), HasSubstr("is any element left out, or added twice?"));
  wrong.found.cases[0].depends_on_order = true;
  EXPECT_THAT(wrong.next(), StartsWith("The result depends on the order of warps and blocks."));
}

TEST(Advice, AWrongElementWithALikelyCauseHasAStepOfItsOwn) {
  WrongElement wrong("c[0][3]", {0, 3});
  const auto next = [&](verify::CauseKind kind) {
    wrong.difference().kind = kind;
    return wrong.next();
  };
  using verify::CauseKind;
  EXPECT_THAT(next(CauseKind::kWholeNumbers), StartsWith("Look for an int on the way to c[0][3]"));
  EXPECT_THAT(next(CauseKind::kHalf), HasSubstr("Add in float"));
  EXPECT_THAT(next(CauseKind::kNarrowInteger), HasSubstr("unsigned short"));
  EXPECT_THAT(next(CauseKind::kTransposed), HasSubstr("exchange"));
  EXPECT_THAT(next(CauseKind::kTwice), StartsWith("Something counts twice"));
  wrong.difference().deviation.difference = -1;
  EXPECT_THAT(next(CauseKind::kCount), HasSubstr("does no thread count in c[0][3]?"));
  wrong.difference().deviation.difference = 1;
  EXPECT_THAT(next(CauseKind::kCount), HasSubstr("counted twice"));
}

TEST(Advice, AnInaccurateElementIsJudgedByTheSizeOfItsError) {
  WrongElement wrong("c[0][3]", {0, 3});
  wrong.difference().kind = verify::CauseKind::kInaccurate;
  const auto next = [&](double relative) {
    wrong.difference().deviation.relative = relative;
    return wrong.next();
  };
  EXPECT_THAT(next(-1.2e-7), StartsWith("c[0][3] is off by only 1e-07 of its value, so no term is "
                                        "missing. Look for a constant"));
  EXPECT_THAT(next(5e-4), HasSubstr("fewer bits than float, such as half"));
  EXPECT_THAT(next(-0.4), HasSubstr("Which term of c[0][3] is missing"));
}

TEST(Advice, AFewWrongElementsAreLookedAtTogether) {
  WrongElement one("bins[19]", {19});
  const auto next = [&](std::uint64_t wrong) {
    one.difference().deviation.wrong = wrong;
    one.difference().deviation.elements = 256;
    return one.next();
  };
  EXPECT_THAT(next(8), StartsWith("8 of 256 elements are wrong: an edge"));
  EXPECT_THAT(next(8), HasSubstr("Trace bins[19] by hand"));
  EXPECT_THAT(next(1), StartsWith("1 of 256 elements is wrong"));
  EXPECT_THAT(next(200), StartsWith("Trace bins[19] by hand"));
  one.difference().indices = {64};
  EXPECT_THAT(next(192), StartsWith("The elements before bins[19] are right. What begins there"));
}

TEST(Advice, ARaceBetweenIterationsIsBetweenIterations) {
  report::ExerciseReport found;
  auto& diagnostic = found.diagnostics.emplace_back();
  diagnostic.kind = base::DiagnosticKind::kRace;
  diagnostic.where.line = 15;
  base::BarrierAdvice barrier;
  barrier.one_line = true;
  barrier.is_repeated = true;
  base::Race race;
  race.advice = barrier;
  diagnostic.facts = race;
  const auto advice = advised(found, report::Verdict::kFail, report::Reason::kDiagnostic);
  EXPECT_THAT(advice.next, StartsWith("Line 15 runs once per iteration."));
  EXPECT_THAT(advice.next, HasSubstr("use atomicAdd()"));
}

TEST(Advice, ARaceNamesItsLinesOrTheOwnerOfTheElement) {
  report::ExerciseReport found;
  auto& diagnostic = found.diagnostics.emplace_back();
  diagnostic.kind = base::DiagnosticKind::kRace;
  diagnostic.where.line = 13;
  base::Race race;
  race.other_line = base::LineRef{17, 0, ""};
  race.advice = base::BarrierAdvice{};
  diagnostic.facts = race;
  const auto next = [&] {
    return advised(found, report::Verdict::kFail, report::Reason::kDiagnostic).next;
  };
  EXPECT_THAT(next(), StartsWith("Decide which access must come first, the one in line 13 or the "
                                 "one in line 17."));
  std::get<base::Race>(diagnostic.facts).other_line.reset();
  EXPECT_THAT(next(), StartsWith("Decide which of the two accesses must come first."));
  std::get<base::Race>(diagnostic.facts).advice = base::BlocksAdvice::kOwnElement;
  EXPECT_THAT(next(), StartsWith("Two threads write this element."));
}

TEST(Advice, AWrongAnswerIsDoneAgain) {
  auto questions = exercise();
  questions.form = course::QuestionsExercise{};
  const auto advice = advised({}, report::Verdict::kFail, report::Reason::kIncorrect, questions);
  EXPECT_THAT(advice.next, StartsWith("Redo the first wrong answer by hand"));
  EXPECT_EQ("hint 1 of 3: nudge", advice.hint);
  report::ExerciseReport untouched;
  untouched.wrong_answers = {{"q", {}, 0, {}}};
  const auto next =
      advised(untouched, report::Verdict::kFail, report::Reason::kIncorrect, questions).next;
  EXPECT_THAT(next, StartsWith("Write an answer into the file"));
}

TEST(Advice, AFailedGateSaysWhatToTryTheFirstOfItsKind) {
  const std::vector<report::Gate> gates = {gate("speed", kFailed, true), gate("loads", kPassed),
                                           gate("stores", kFailed), gate("banks", kFailed)};
  EXPECT_EQ("Mend stores.", failed(report::Reason::kMechanism, gates).next);
  EXPECT_EQ("Mend speed.", failed(report::Reason::kPerformance, gates).next);
}

TEST(Advice, AGateThatIsNotDecidedSaysNothing) {
  auto open = gate("loads", kFailed);
  open.decision.reset();
  EXPECT_EQ("Mend stores.",
            failed(report::Reason::kMechanism, {open, gate("stores", kFailed)}).next);
}

TEST(Advice, TheHintIsTheFirstHoweverFarTheSubmissionHasCome) {
  EXPECT_EQ("hint 1 of 3: nudge",
            failed(report::Reason::kMechanism, {gate("a", kPassed), gate("b", kFailed)}).hint);
  EXPECT_EQ(
      "hint 1 of 3: nudge",
      failed(report::Reason::kPerformance, std::vector<report::Gate>(5, gate("a", kPassed))).hint);
}

TEST(Advice, WithoutAVerdictItIsNotTheSubmissionsFault) {
  report::ExerciseReport found;
  const auto inconclusive = advised(found, report::Verdict::kInconclusive, report::Reason::kTool);
  EXPECT_THAT(inconclusive.next, HasSubstr("not the submission's fault"));
  EXPECT_EQ("", inconclusive.hint);
  EXPECT_THAT(advised(found, report::Verdict::kError, report::Reason::kTool).next,
              StartsWith("No fault of the submission was found"));
  found.tool_trouble = "the GPU is gone";
  EXPECT_EQ("This grader could not judge the submission: the GPU is gone",
            advised(found, report::Verdict::kError, report::Reason::kTool).next);
}

// The remarks of a report, in their order.

namespace {

class Explanation : public Stage {
 protected:
  report::ExerciseReport explained() {
    auto execution = execute(*plan_);
    auto gates = time_cases(*plan_, execution);
    auto report = judge_cases(*plan_, execution, std::move(gates));
    explain(*plan_, execution.cases, report);
    return report;
  }
};

TEST_F(Explanation, RemarksOnThePlanGoBeforeThoseOnTheText) {
  std::ofstream(folder_ / "twice.cu") << "#include <thrust/sort.h>\n" << kSource;
  begin(right);
  services_.gpu.emplace();
  FakeGpuBench card("h100", "sm_90", right);
  services_.gpu->bench = &card;
  services_.gpu->counters = true;
  EXPECT_THAT(explained().warnings,
              ElementsAre(StartsWith("no counters of the card"), HasSubstr("thrust")));
}

TEST_F(Explanation, ADeviceWithoutAGateIsNamed) {
  begin(right);
  plan_.emplace(services_, task_, std::vector<Target>{{"k20", k40_.get()}}, "k20");
  EXPECT_THAT(explained().warnings, ElementsAre(HasSubstr("No gate of this exercise is for k20")));
}

}  // namespace

}  // namespace warpgrade::grader::grade::explanation_test

// SPDX-License-Identifier: Apache-2.0
// The findings that each outcome of a case leaves in a report.
#include "grader/grade/judge/run_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::run_findings_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using State = report::CaseResult::State;

class RunFindings : public testing::Test {
 protected:
  RunFindings() {
    exercise_.steps[0].signature = "twice(float*, int)";
    task_.exercise = &whole_;
    task_.submission.shown = "twice.cu";
  }

  // The findings if the first case ends with this outcome and the second one does not run.
  Findings after(CaseOutcome outcome) const {
    const std::vector<Place> places = {place_of(target_, exercise_, exercise_.cases[0]),
                                       place_of(target_, exercise_, exercise_.cases[1])};
    Findings found;
    add_runs(task_, places, {{places[0], std::move(outcome)}}, found);
    return found;
  }

  course::Exercise whole_{"twice", {}, {}, exercise_with({})};
  course::KernelExercise& exercise_ = *whole_.kernel();
  Target target_ = on_gpu("h200");
  GradingTask task_;
};

TEST_F(RunFindings, ACaseIsNamedWithItsPlaceAndItsVariablesThere) {
  const auto found = after({});
  ASSERT_THAT(found.cases, SizeIs(2));
  EXPECT_EQ("large", found.cases[1].name);
  EXPECT_EQ((text::Variables{{"n", 1024}}), found.cases[1].variables);
  EXPECT_EQ("h200", found.cases[1].device);
  EXPECT_EQ(run::Backend::kGpu, found.cases[1].backend);
}

TEST_F(RunFindings, ARightCaseHasPassedAndOneWithoutARunIsNotRun) {
  const auto found = after({});
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
  EXPECT_TRUE(found.refuses_launch);
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
      for (auto& extent : *extents) extent.text = "1";
    }
    geometry.shared_bytes.text = bytes;
    std::vector<Place> places;
    std::vector<CaseRun> runs;
    for (const auto& item : exercise_.cases) {
      places.push_back(place_of(target_, exercise_, item));
      places.back().program = &program;
      places.back().kernels = {&program.kernels[0]};
      runs.push_back({places.back(), {}});
    }
    Findings found;
    add_runs(task_, places, runs, found);
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
  const auto large = place_of(target_, exercise_, exercise_.cases[1]);
  outcome.measured.result.printed = "later\n";
  add_runs(task_, {large}, {{large, outcome}}, found);
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
      "0, 0): threads 64 to 127 returned before it. Since Volta, a barrier does not wait for "
      "threads that have returned; on older GPUs the behaviour is undefined. Move it out of the "
      "if, or put an if "
      "around the work instead of a return before it, so that every thread reaches it. The same is "
      "true of line 4 of tile.cuh.",
      found.warnings[0]);
  const auto large = place_of(target_, exercise_, exercise_.cases[1]);
  const auto small = place_of(target_, exercise_, exercise_.cases[0]);
  Findings both;
  add_runs(task_, {small, large}, {{small, outcome}, {large, outcome}}, both);
  EXPECT_THAT(both.warnings, SizeIs(1));
  EXPECT_EQ(found.warnings, both.warnings);
  auto further = outcome;
  further.measured.result.skipped_barriers.push_back(
      {{"twice.cu", 15, 0}, {0, 0, 0}, "thread 5", 127, 128});
  both = {};
  add_runs(task_, {small, large}, {{small, outcome}, {large, further}}, both);
  ASSERT_THAT(both.warnings, SizeIs(1));
  EXPECT_THAT(both.warnings[0], testing::EndsWith("is true of line 4 of tile.cuh, line 15."));
}

}  // namespace warpgrade::grader::grade::run_findings_test

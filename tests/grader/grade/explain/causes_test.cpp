// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <variant>

#include "tests/grader/grade/stage_fixture.h"

// Causes of findings: what the facts of a diagnostic and the source lead to. Causes of wrong
// results need cases that ran: the wrong solutions of the labs are the test, by `warpgrade check`.
namespace warpgrade::grader::grade::causes_test {

using course::CauseId;
using testing::IsEmpty;

report::ExerciseReport found(base::Diagnostic diagnostic, std::string source = {}) {
  report::ExerciseReport out;
  out.verdict = report::Verdict::kFail;
  out.reason = report::Reason::kDiagnostic;
  out.source = std::move(source);
  out.diagnostics = {std::move(diagnostic)};
  return out;
}

base::Diagnostic race(base::RaceAdvice advice, std::uint32_t line = 2) {
  base::Race facts;
  facts.place.memory = base::Place::Memory::kShared;
  facts.place.array = "bins";
  facts.place.bytes = 4;
  facts.does = base::Does::kWrite;
  facts.advice = std::move(advice);
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"a.cu", line, 0};
  out.facts = facts;
  return out;
}

base::BarrierAdvice barrier_between(std::uint32_t first, std::uint32_t second) {
  base::BarrierAdvice out;
  out.between.first.line = first;
  out.between.second.line = second;
  return out;
}

report::Cause first_cause(const report::ExerciseReport& report) {
  const auto all = ranked_causes({}, report);
  return all.empty() ? report::Cause{CauseId::kOther, 0, 0, "none", ""} : all.front();
}

TEST(Causes, APassHasNone) { EXPECT_THAT(ranked_causes({}, {}), IsEmpty()); }

TEST(Causes, ARaceBetweenWarpsLacksABarrier) {
  const auto cause = first_cause(found(race(barrier_between(1, 2))));
  EXPECT_EQ(CauseId::kMissingBarrier, cause.id);
  EXPECT_EQ(2U, cause.line);
  EXPECT_EQ(
      "A __syncthreads() is missing between line 1 and line 2: one thread writes bytes 0 to 3 of "
      "bins while another still uses it.",
      cause.why);
}

TEST(Causes, LanesOfAWarpLackABarrierOfTheWarpUnlessWarpsRaceToo) {
  auto within = barrier_between(1, 2);
  within.for_warp = true;
  auto report = found(race(within));
  EXPECT_EQ(CauseId::kMissingSyncwarp, first_cause(report).id);
  report.diagnostics.push_back(race(barrier_between(1, 3), 3));
  EXPECT_EQ(CauseId::kMissingBarrier, first_cause(report).id);
  EXPECT_EQ(3U, first_cause(report).line);
}

// The element outside of an array is a consequence of the value that one lane has stored by chance.
TEST(Causes, LanesThatStoreToOneElementComeBeforeAnAccessOutside) {
  auto advice = barrier_between(2, 2);
  advice.for_warp = advice.both_write = advice.one_line = true;
  base::Diagnostic outside;
  outside.kind = base::DiagnosticKind::kOutOfBounds;
  outside.where = {"a.cu", 9, 0};
  outside.facts = base::OutsideAccess{};
  auto report = found(outside);
  EXPECT_EQ(CauseId::kOutOfBounds, first_cause(report).id);
  report.diagnostics.push_back(race(advice));
  EXPECT_EQ(CauseId::kRace, first_cause(report).id);
  EXPECT_EQ(2U, first_cause(report).line);
}

// A barrier does not save updates that threads lose in one step.
TEST(Causes, AnUpdateOfOneElementLacksAnAtomic) {
  auto advice = barrier_between(2, 2);
  advice.one_line = advice.is_repeated = true;
  for (const auto* statement : {"++bins[in[i]];", "bins[v] += 1;", "*s += x;", "bins[v]++;",
                                "for (int i = 0; i < n; ++i) mine[in[i]] |= bit;"}) {
    const auto report = found(race(advice), std::string("int a;\n") + statement + "\n");
    EXPECT_EQ(CauseId::kMissingAtomic, first_cause(report).id) << statement;
  }
  // The steps of a tree read another element: these lack a barrier.
  for (const auto* statement :
       {"bins[t] += bins[t + half];", "for (int w = 0; w < 8; ++w) sum += bins[w];"}) {
    const auto report = found(race(advice), std::string("int a;\n") + statement + "\n");
    EXPECT_EQ(CauseId::kMissingBarrier, first_cause(report).id) << statement;
  }
}

TEST(Causes, APollOfAPlainFlagIsAWeakWait) {
  const auto report = found(race(base::BlocksAdvice::kHandOver), "int a;\nwhile (*flag == 0) {}\n");
  EXPECT_EQ(CauseId::kWeakWait, first_cause(report).id);
}

// A read in line 9 of `stages`, to which line 4 starts copies.
base::Diagnostic copy_race(base::CopyRace::Advice advice, std::uint64_t left = 0) {
  base::CopyRace facts;
  facts.place.memory = base::Place::Memory::kShared;
  facts.place.array = "stages";
  facts.start.line = 4;
  facts.wait.line = 7;
  facts.advice = advice;
  facts.left = left;
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"a.cu", 9, 0};
  out.facts = facts;
  return out;
}

TEST(Causes, AWaitThatLeavesTheCopyPendingIsNamedWithItsGroups) {
  using Advice = base::CopyRace::Advice;
  const auto why = [](Advice advice, std::uint64_t left) {
    const auto cause = first_cause(found(copy_race(advice, left)));
    EXPECT_EQ(CauseId::kWeakWait, cause.id);
    EXPECT_EQ(7U, cause.line);
    EXPECT_EQ(9U, cause.other_line);
    return cause.why;
  };
  EXPECT_EQ(
      "The wait in line 7 does not cover the copies of line 4 to stages: no group contains them.",
      why(Advice::kCommit, 0));
  EXPECT_EQ(
      "The wait in line 7 does not cover the copies of line 4 to stages: they are in the newest "
      "group, which it leaves pending.",
      why(Advice::kLeaveFewer, 1));
  EXPECT_EQ(
      "The wait in line 7 does not cover the copies of line 4 to stages: they are in the 2 newest "
      "groups, which it leaves pending.",
      why(Advice::kLeaveFewer, 2));
}

TEST(Causes, AUseOfACopyWithoutAWaitIsNamedByTheCopy) {
  const auto cause = first_cause(found(copy_race(base::CopyRace::Advice::kWait)));
  EXPECT_EQ(CauseId::kWeakWait, cause.id);
  EXPECT_EQ(9U, cause.line);
  EXPECT_EQ("Line 9 uses stages before a wait for the copies of line 4.", cause.why);
}

TEST(Causes, AReadOfAnAbsentLaneIsNoReadOfMemory) {
  base::Diagnostic read;
  read.kind = base::DiagnosticKind::kUninitializedRead;
  read.where = {"a.cu", 2, 0};
  read.message = "lane 0 takes a value of lane 16";
  EXPECT_EQ("Line 2 takes a value from a lane that does not take part.",
            first_cause(found(read, "int a;\na += __shfl_xor_sync(~0u, a, 16);\n")).why);
  EXPECT_EQ("Line 2 reads a value, which nothing has written.",
            first_cause(found(read, "int a;\nb = a;\n")).why);
}

TEST(Causes, BlocksThatExchangeDataLackAnOrder) {
  EXPECT_EQ(CauseId::kMissingGridSync, first_cause(found(race(base::BlocksAdvice::kHandOver))).id);
  EXPECT_EQ(CauseId::kRace, first_cause(found(race(base::BlocksAdvice::kOwnElement))).id);
}

TEST(Causes, ASkippedBarrierIsNamedByItsOwnLine) {
  base::SkippedBarrier skipped;
  skipped.where.line = 7;
  const auto cause = first_cause(found(race(skipped)));
  EXPECT_EQ(CauseId::kDivergentBarrier, cause.id);
  EXPECT_EQ(7U, cause.line);
}

// A weaker barrier between the two lines is the place.
TEST(Causes, AFenceIsNoBarrier) {
  const auto report = found(race(barrier_between(1, 3), 3),
                            "tile[y] = in[x];\n__threadfence_block();\nout[x] = tile[z];\n");
  auto with_other = report;
  std::get<base::Race>(with_other.diagnostics[0].facts).other_line = base::LineRef{1, 0, {}};
  const auto cause = first_cause(with_other);
  EXPECT_EQ(CauseId::kMissingBarrier, cause.id);
  EXPECT_EQ(2U, cause.line);
  EXPECT_EQ(3U, cause.other_line);
}

// In a loop that ends with a barrier, one more between its passes would not help.
TEST(Causes, AllThreadsOfAStepAreTooMany) {
  auto advice = barrier_between(3, 3);
  advice.one_line = advice.is_repeated = true;
  const std::string loop = "void f() {\nfor (int h = 8; h > 0; h /= 2) {\n";
  const auto all =
      found(race(advice, 3), loop + "bins[t] += bins[t + h];\n__syncthreads();\n}\n}\n");
  EXPECT_EQ(CauseId::kRace, first_cause(all).id);
  // The barrier may be in an outer loop.
  const auto nested = found(race(advice, 3),
                            "void f() {\nfor (int h = 8; h > 0; h /= 2) {\n"
                            "for (int c = 0; c < n; ++c) bins[t] += bins[t - h];\n"
                            "__syncthreads();\n}\n}\n");
  EXPECT_EQ(CauseId::kRace, first_cause(nested).id);
  const auto some = found(race(advice, 3),
                          loop + "if (t >= h) bins[t] += bins[t - h];\n__syncthreads();\n}\n}\n");
  EXPECT_EQ(CauseId::kMissingBarrier, first_cause(some).id);
  EXPECT_THAT(first_cause(some).why,
              testing::HasSubstr("between the loads and the store of line 3"));
}

// Warps that skip a barrier meet the others at a later one.
TEST(Causes, ABarrierForSomeWarpsOnlyIsDivergent) {
  const std::string head = "void f(int n) {\nint w = threadIdx.x / 32;\n";
  const std::string tail = "  __syncthreads();\nbins[w] = 1;\n__syncthreads();\nx = bins[0];\n}\n";
  const auto by_warp = found(race(barrier_between(5, 7), 7), head + "if (w == n)\n" + tail);
  EXPECT_EQ(CauseId::kDivergentBarrier, first_cause(by_warp).id);
  EXPECT_EQ(4U, first_cause(by_warp).line);
  const auto by_size = found(race(barrier_between(5, 7), 7), head + "if (n == 1)\n" + tail);
  EXPECT_EQ(CauseId::kMissingBarrier, first_cause(by_size).id);
}

base::Diagnostic runaway(std::uint32_t line) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRunaway;
  out.where = {"a.cu", line, 0};
  return out;
}

TEST(Causes, ALoopThatCannotEndIsNamedByItsHead) {
  const auto unsigned_loop =
      found(runaway(1), "void f() {\n\nfor (unsigned h = 8; h >= 0; h /= 2) {\n  g(h);\n}\n}\n");
  EXPECT_EQ(CauseId::kInfiniteLoop, first_cause(unsigned_loop).id);
  EXPECT_EQ(3U, first_cause(unsigned_loop).line);
  const auto unchanged =
      found(runaway(3), "void f(int n) {\nwhile (j < n) {\n  out[j] = 1;\n}\n}\n");
  EXPECT_EQ(2U, first_cause(unchanged).line);
}

// The launch was stopped for its work; the loop makes progress.
TEST(Causes, TooMuchWorkIsNoEndlessLoop) {
  const auto report =
      found(runaway(3), "void f(int n) {\nfor (int i = 0; i < n; ++i)\n  g(i);\n}\n");
  EXPECT_EQ(CauseId::kIssueBound, first_cause(report).id);
}

TEST(Causes, AKernelThatAnIfdefLeavesOutIsNamedByIt) {
  base::Diagnostic missing;
  missing.kind = base::DiagnosticKind::kCompileError;
  missing.where = {"a.cu", 4, 0};
  auto report = found(missing, "#define B\n#ifdef A\n#ifdef B\nkernel\n#endif\n#endif\n");
  report.reason = report::Reason::kCompile;
  EXPECT_EQ(2U, first_cause(report).line);
}

// Causes of a time: a launch of 100 us whose parts are given, without inputs to ask the model
// again.

class CausesOfTime : public Stage {
 protected:
  using Set = std::function<void(measure::Measurement& measured)>;

  /// The first cause if the launch of the large case has these parts.
  report::Cause first_of(const Set& set) {
    begin(right);
    for (auto& one : compiled_.cases) {
      if (one.target->device != "h200" || one.item->name != "large") continue;
      one.outcome = CaseOutcome{RightResult{}, {}, {}, {}, {}, {}};
      one.outcome->measured.seconds = 100e-6;
      one.outcome->measured.launch_seconds = {100e-6};
      one.outcome->measured.bound_by = timing::Bound::kDram;
      set(one.outcome->measured);
    }
    report::ExerciseReport slow;
    slow.verdict = report::Verdict::kFail;
    slow.reason = report::Reason::kPerformance;
    slow.file = "twice.cu";
    slow.source = "__global__ void twice(float* out) {\n  __syncthreads();\n}\n";
    report::Gate gate;
    gate.definition.metric = "fraction_of_copy";
    gate.definition.device = "h200";
    gate.decision = report::GateOutcome::kFailed;
    gate.worst = report::GateMeasurement{"large", 0.1, report::GateOutcome::kFailed};
    slow.gates = {gate};
    const auto all = ranked_causes(compiled_.cases, slow);
    return all.empty() ? report::Cause{CauseId::kOther, 0, 0, "none", ""} : all.front();
  }
};

TEST_F(CausesOfTime, ManyLaunchesCostTheirOverhead) {
  const auto cause = first_of([](auto& measured) {
    measured.parts.launch = 60e-6;
    measured.launch_seconds.assign(20, 5e-6);
  });
  EXPECT_EQ(CauseId::kLaunches, cause.id);
  EXPECT_EQ("20 launches cost 60 % of the time.", cause.why);
}

TEST_F(CausesOfTime, OneLaunchIsNotTooMany) {
  EXPECT_EQ(CauseId::kOther, first_of([](auto& measured) { measured.parts.launch = 60e-6; }).id);
}

TEST_F(CausesOfTime, TimeWithoutFurtherBlocksIsATail) {
  const auto cause = first_of([](auto& measured) { measured.parts.tail = 45e-6; });
  EXPECT_EQ(CauseId::kTail, cause.id);
  EXPECT_EQ("45 % of the time is lost at the end, when no block is left to start.", cause.why);
}

// The large case needs 1,024 floats in and out: 8,192 bytes.
TEST_F(CausesOfTime, DataThatMovesTwiceIsAnExtraPass) {
  const auto cause = first_of([](auto& measured) {
    measured.launch_seconds = {50e-6, 50e-6};
    measured.bytes = 16384;
  });
  EXPECT_EQ(CauseId::kExtraPass, cause.id);
}

TEST_F(CausesOfTime, WaitsAtBarriersAreNamedByTheLineOfTheBarrier) {
  const auto cause = first_of([](auto& measured) {
    measured.parts.waiting[static_cast<std::size_t>(timing::WarpState::kBarrier)] = 30e-6;
    measured.instruction_lines = {{"twice.cu", 2, 64, 2048}};
  });
  EXPECT_EQ(CauseId::kBarriers, cause.id);
  EXPECT_EQ(2U, cause.line);
}

TEST_F(CausesOfTime, BlocksThatWaitForOthersLoseTheirTime) {
  const auto cause = first_of([](auto& measured) { measured.parts.other_blocks = 80e-6; });
  EXPECT_EQ(CauseId::kWaitsOfBlocks, cause.id);
}

}  // namespace warpgrade::grader::grade::causes_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

// Causes of findings: what the facts of a diagnostic and the source lead to. Wrong results and
// waste need cases that ran: the wrong solutions of the labs are the test, by `warpgrade check`.
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

}  // namespace warpgrade::grader::grade::causes_test

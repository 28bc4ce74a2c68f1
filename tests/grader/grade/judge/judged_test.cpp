// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/judge/judged.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/device/profile.h"
#include "grader/course/vocabulary.h"
#include "grader/grade/time/timed_runs.h"
#include "tests/grader/grade/gate_cases.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::judged_test {

// The source lines behind a gate that does not count memory accesses.

constexpr std::string_view kDivisions = "warpgrade__ptx_integer_divisions.sum";

// A division of integers in lines 3 and 7, one of floats in line 5, one in a header's line 9.
constexpr const char* kPtx = R"ptx(
.version 8.0
.target sm_75
.address_size 64
.visible .entry f(.param .u32 n)
{
	.reg .u32 %r<4>;
	.reg .f32 %f<3>;
	.loc 1 3 1
	ld.param.u32 %r1, [n];
	rem.u32 %r2, %r1, 3;
	.loc 1 7 1
	div.s32 %r3, %r1, %r2;
	.loc 1 5 1
	cvt.rn.f32.u32 %f1, %r3;
	div.rn.f32 %f2, %f1, %f1;
	.loc 2 9 1
	div.u32 %r3, %r1, %r2;
	ret;
}
	.file	1 "a.cu"
	.file	2 "b.h"
)ptx";

std::string text_of(std::string_view metric, const std::string& ptx, const std::string& source) {
  compile::Program program;
  program.file = "a.cu";
  program.ptx = {ptx, program.file};
  program.source = source;
  PlannedCase planned;
  planned.program = &program;
  return places_text(metric, planned);
}

TEST(GatePlaces, LinesWithIntegerDivisionsOfTheFile) {
  EXPECT_EQ("Integer / and % are in lines 3, 7.", text_of(kDivisions, kPtx, ""));
}

TEST(GatePlaces, SharedArraysWithTheirBytes) {
  EXPECT_EQ(
      "tile[32][33] (line 2) uses 4,224 bytes.",
      text_of(course::kStaticSharedBytes, "", "float own[3];\n__shared__ float tile[32][33];"));
  EXPECT_EQ("", text_of(course::kStaticSharedBytes, "", "extern __shared__ float sums[];"));
}

TEST(GatePlaces, OtherMetricsHaveNone) {
  EXPECT_TRUE(has_places(kDivisions));
  EXPECT_TRUE(has_places(course::kStaticSharedBytes));
  EXPECT_FALSE(has_places("dram__bytes_read.sum"));
  EXPECT_EQ("", text_of("dram__bytes_read.sum", "", ""));
}

// Decides gates from handmade runs.

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kSpeed(course::kFractionOfCopy);
constexpr memory::MemoryOperation kGlobalLoad{run::Space::kGlobal, run::Operation::kLoad};
constexpr memory::MemoryOperation kGlobalStore{run::Space::kGlobal, run::Operation::kStore};

class Gates : public testing::Test {
 protected:
  report::ExerciseReport decide() const {
    report::ExerciseReport out;
    out.gates = plan_gates(exercise_, "small/twice", targets_, nullptr);
    decide_gates(runs_.all, out);
    return out;
  }
  /// A gate with a maximum of 10 sectors over both cases.
  static course::Gate over_both() {
    return gate_of("stores", kStores, "", "10", {"small", "large"});
  }
  const course::Case& small() const { return exercise_.cases[0]; }
  const course::Case& large() const { return exercise_.cases[1]; }

  course::KernelExercise exercise_ =
      exercise_with({gate_of("stores", kStores, "", "n / 8", {"large"})});
  std::vector<Target> targets_ = {simulated("h200")};
  Runs runs_{targets_[0], exercise_};
};

TEST_F(Gates, WithoutARunAGateHasNeitherMeasurementNorDecision) {
  const auto decided = decide();
  ASSERT_THAT(decided.gates, SizeIs(1));
  EXPECT_EQ("stores", decided.gates[0].definition.id);
  EXPECT_FALSE(decided.gates[0].worst);
  EXPECT_FALSE(decided.gates[0].decision);
  EXPECT_EQ(8, decided.gates[0].deciding_bounds().max);  // n is 64
  EXPECT_THAT(decided.lines, IsEmpty());
}

TEST_F(Gates, AValueAtItsBoundPassesAndOneBeyondFails) {
  runs_.add(large(), kStores, 8);
  EXPECT_TRUE(decide().gates[0].has_passed());
  runs_.all[0].outcome->measured.metrics[kStores] = 9;
  EXPECT_TRUE(decide().gates[0].has_failed());
  EXPECT_EQ(9, decide().gates[0].value());
  EXPECT_EQ("large", decide().gates[0].worst->case_name);
}

TEST_F(Gates, ACaseThatTheGateDoesNotNameHasNoSay) {
  runs_.add(small(), kStores, 1000);
  EXPECT_FALSE(decide().gates[0].worst);
}

TEST_F(Gates, ARunThatIsNotRightHasNoSay) {
  runs_.add(large(), kStores, 8).outcome->ending = WrongResult{};
  EXPECT_FALSE(decide().gates[0].worst);
  runs_.all[0].outcome->ending = ImpossibleTime{};
  EXPECT_FALSE(decide().gates[0].worst);
}

TEST_F(Gates, NoAccessAndARatioOverNoneFail) {
  exercise_.gates = {gate_of("bytes", kBytesPerSector, "28", "", {"large"})};
  runs_.add(large(), kBytesPerSector, std::nullopt);
  EXPECT_TRUE(decide().gates[0].has_failed());
  EXPECT_FALSE(decide().gates[0].value());
  runs_.all[0].outcome->measured.metrics[kBytesPerSector] =
      std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(decide().gates[0].has_failed());
  EXPECT_FALSE(decide().gates[0].value());
}

TEST_F(Gates, ACountThatIsMissingOrNoNumberDecidesNothing) {
  runs_.add(large(), kStores, std::nullopt);
  EXPECT_EQ(report::GateOutcome::kUndecided, decide().gates[0].decision);
  EXPECT_FALSE(decide().gates[0].value());
  runs_.all[0].outcome->measured.metrics[kStores] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(report::GateOutcome::kUndecided, decide().gates[0].decision);
}

TEST_F(Gates, ASpeedThatNobodyMeasuredDecidesNothing) {
  exercise_.gates = {gate_of("speed", kSpeed, "0.5", "", {"large"})};
  runs_.add(large(), kStores, 1);
  EXPECT_EQ(report::GateOutcome::kUndecided, decide().gates[0].decision);
  EXPECT_FALSE(decide().gates[0].value());
}

TEST_F(Gates, TheWorstCaseDecidesWhicheverComesFirst) {
  exercise_.gates = {over_both()};
  for (const auto& [first, second] : {std::pair{12.0, 11.0}, std::pair{11.0, 12.0}}) {
    runs_.all.clear();
    runs_.add(small(), kStores, first);
    runs_.add(large(), kStores, second);
    const auto gate = decide().gates[0];
    EXPECT_EQ(12, gate.value());
    EXPECT_EQ(first > second ? "small" : "large", gate.worst->case_name);
    EXPECT_TRUE(gate.has_failed());
  }
}

TEST_F(Gates, ACaseWithoutAccessIsWorseThanAnyNumber) {
  exercise_.gates = {gate_of("bytes", kBytesPerSector, "28", "", {"small", "large"})};
  runs_.add(small(), kBytesPerSector, 4);
  runs_.add(large(), kBytesPerSector, std::nullopt);
  EXPECT_FALSE(decide().gates[0].value());
}

TEST_F(Gates, AMinimumIsWorstWhereItIsLeast) {
  exercise_.gates = {gate_of("bytes", kStores, "28", "", {"small", "large"})};
  runs_.add(small(), kStores, 30);
  runs_.add(large(), kStores, 29);
  EXPECT_EQ(29, decide().gates[0].value());
  EXPECT_TRUE(decide().gates[0].has_passed());
}

TEST_F(Gates, AFailureIsWorseThanAPassWhateverTheValues) {
  exercise_.gates = {gate_of("stores", kStores, "", "n", {"small", "large"})};
  runs_.add(small(), kStores, 9);   // of 8 at most
  runs_.add(large(), kStores, 60);  // of 64
  const auto gate = decide().gates[0];
  EXPECT_EQ(9, gate.value());
  EXPECT_EQ(8, gate.deciding_bounds().max);
  EXPECT_TRUE(gate.has_failed());
}

TEST_F(Gates, TheBoundsShownAreThoseOfTheCaseThatDecides) {
  exercise_.gates = {gate_of("stores", kStores, "", "n", {"small", "large"})};
  runs_.add(small(), kStores, 7);   // of 8 at most
  runs_.add(large(), kStores, 70);  // of 64
  EXPECT_EQ(64, decide().gates[0].deciding_bounds().max);
}

TEST_F(Gates, AGateThatLacksACaseShowsItsValueAndIsNotDecided) {
  exercise_.gates = {over_both()};
  runs_.add(small(), kStores, 5);
  const auto gate = decide().gates[0];
  EXPECT_EQ(5, gate.value());
  EXPECT_EQ(report::GateOutcome::kPassed, gate.worst->outcome);
  EXPECT_FALSE(gate.decision);
}

TEST_F(Gates, ResourcesOfTheKernelAreMetricsToo) {
  exercise_.gates = {
      gate_of("shared", std::string(course::kStaticSharedBytes), "4096", "4096", {"large"})};
  compile::Kernel kernel;
  kernel.resources.static_shared_bytes = 4096;
  runs_.add(large(), kStores, 1).kernels = {&kernel};
  EXPECT_TRUE(decide().gates[0].has_passed());
  kernel.resources.static_shared_bytes = 4224;
  EXPECT_TRUE(decide().gates[0].has_failed());
}

TEST_F(Gates, WavesAreBlocksOfTheGridForThoseThatAllMultiprocessorsHold) {
  exercise_.gates = {gate_of("waves", std::string(course::kWaves), "2", "2", {"large"})};
  exercise_.steps[0].geometry.grid = {text::Expression{"n", {}}, text::Expression{"11", {}},
                                      text::Expression{"3", {}}};
  for (auto& extent : exercise_.steps[0].geometry.block) extent = text::Expression{"1", {}};
  exercise_.steps[0].geometry.shared_bytes = text::Expression{"0", {}};
  auto& occupancy = runs_.add(large(), kStores, 1).outcome->measured.occupancy;
  occupancy.blocks_per_sm = 8;
  // 64 * 11 * 3 = 2112 blocks; 132 multiprocessors hold 8 each, 1056.
  EXPECT_EQ(2.0, decide().gates[0].value());
  EXPECT_TRUE(decide().gates[0].has_passed());
  occupancy.blocks_per_sm = 16;
  EXPECT_EQ(1.0, decide().gates[0].value());
  EXPECT_TRUE(decide().gates[0].has_failed());
  occupancy.blocks_per_sm = 3;  // 396 at a time: a third of a wave is left over
  EXPECT_DOUBLE_EQ(16.0 / 3, *decide().gates[0].value());
  occupancy.blocks_per_sm = 0;
  EXPECT_FALSE(decide().gates[0].value());
}

// A modelled speed on h200 may be off by its profile's speed_error.
TEST_F(Gates, AModelledSpeedFailsBeyondTheModelsErrorOnly) {
  exercise_.gates = {gate_of("speed", kSpeed, "0.5", "", {"large"})};
  auto& value = runs_.add(large(), kStores, 1).outcome->fraction_of_roof;
  const double error = device::find("h200").errors.speed;
  value = 0.5 * (1 - error) + 1e-6;
  EXPECT_TRUE(decide().gates[0].is_spared());
  value = 0.5 * (1 - error) - 1e-6;
  EXPECT_TRUE(decide().gates[0].has_failed());
  EXPECT_EQ(error, decide().gates[0].model_error);
}

// A bound of 0.5, less the model's error. The speed is 0.6, or 0.3, at one second.
TEST_F(Gates, ASpeedIsDecidedIfAllTimesInItsRangeAre) {
  using timing::Unmodelled;
  exercise_.gates = {gate_of("speed", kSpeed, "0.5", "", {"large"})};
  auto& outcome = *runs_.add(large(), kStores, 1).outcome;
  auto& measured = outcome.measured;
  measured.seconds = 1;
  const auto decided = [&](double speed, double longer, double shorter) {
    outcome.fraction_of_roof = speed;
    measured.unmodelled = {};
    measured.unmodelled.add(Unmodelled::kMemoryDuringWaits, longer, shorter);
    return decide().gates[0];
  };
  EXPECT_TRUE(decided(0.6, 0, 0).has_passed());
  EXPECT_TRUE(decided(2, 1, 0).has_passed());  // at least 1
  EXPECT_TRUE(decided(0.6, 0, 1).has_passed());
  EXPECT_TRUE(decided(0.3, timing::UnmodelledSet::kUnknown, 0.1).has_failed());
  const auto slower = decided(0.6, 1, 0);  // at least 0.3
  EXPECT_EQ(report::GateOutcome::kUndecided, slower.decision);
  EXPECT_FALSE(slower.value());
  EXPECT_TRUE(slower.unmodelled().has(Unmodelled::kMemoryDuringWaits));
  EXPECT_EQ(report::GateOutcome::kUndecided,
            decided(2, timing::UnmodelledSet::kUnknown, 0).decision);
  EXPECT_EQ(report::GateOutcome::kUndecided, decided(0.3, 0, 0.5).decision);  // at most 0.6
  EXPECT_EQ(report::GateOutcome::kUndecided, decided(0.3, 0, 1).decision);
}

// Modelled speeds of copies on an H200 are at most 10 % too low (tests/evidence/launches/bands.py).
// A C1060 has no error of its own for copies.
TEST_F(Gates, AModelledSpeedHasTheErrorOfItsKind) {
  exercise_.kind = device::KernelKind::kCopy;
  exercise_.gates = {gate_of("speed", kSpeed, "0.5", "", {"large"})};
  auto& value = runs_.add(large(), kStores, 1).outcome->fraction_of_roof;
  value = 0.5 * 0.91;
  EXPECT_TRUE(decide().gates[0].is_spared());
  value = 0.5 * 0.89;
  EXPECT_TRUE(decide().gates[0].has_failed());
  EXPECT_EQ(device::KernelKind::kCopy, decide().gates[0].kind);
  EXPECT_EQ(0.15, device::find("c1060").errors.of_speed(exercise_.kind));
}

TEST_F(Gates, ACounterHasNoError) {
  runs_.add(large(), kStores, 9);
  EXPECT_EQ(0, decide().gates[0].model_error);
  EXPECT_TRUE(decide().gates[0].has_failed());
}

TEST_F(Gates, AnIntervalThatHoldsTheBoundIsNotDecided) {
  targets_ = {on_gpu("h200")};
  exercise_.gates = {gate_of("speed", kSpeed, "0.5", "", {"large"})};
  auto& value = runs_.add(large(), kStores, 1).outcome->fraction_of_roof;
  value = report::MeasuredInterval{0.52, 0.49, 0.55, {}};
  EXPECT_EQ(report::GateOutcome::kUndecided, decide().gates[0].decision);
  value = report::MeasuredInterval{0.52, 0.5, 0.55, {}};
  EXPECT_EQ(report::GateOutcome::kPassed, decide().gates[0].decision);
  value = report::MeasuredInterval{0.48, 0.45, 0.499, {}};
  EXPECT_EQ(report::GateOutcome::kFailed, decide().gates[0].decision);
}

TEST_F(Gates, AWaivedGatePassesWhateverWasMeasured) {
  exercise_.gates = {gate_of("speed", kSpeed, "0.5", "", {"large"})};
  runs_.add(large(), kStores, 1).outcome->fraction_of_roof =
      report::MeasuredInterval{0.1, 0.1, 0.1, {}};
  report::ExerciseReport report;
  report.gates = plan_gates(exercise_, "small/twice", targets_, nullptr);
  report.gates[0].waiver = report::NearBound{0.6, 0.61, 0.6, "2026-11-21"};
  decide_gates(runs_.all, report);
  const auto& gate = report.gates[0];
  EXPECT_TRUE(gate.has_passed());
}

TEST_F(Gates, AFailedGateOnStoresHasTheLinesThatStore) {
  auto& measured = runs_.add(large(), kStores, 9).outcome->measured;
  measured.lines = {{"twice.cu", 3, kGlobalLoad, 1, 4, 0}, {"twice.cu", 4, kGlobalStore, 1, 32, 0}};
  measured.bound_by = timing::Bound::kDram;
  const auto decided = decide();
  ASSERT_THAT(decided.lines, SizeIs(1));
  EXPECT_EQ("stores", decided.lines[0].gate);
  EXPECT_EQ("h200", decided.lines[0].device);
  EXPECT_EQ(timing::Bound::kNone, decided.lines[0].bound_by);
  ASSERT_THAT(decided.lines[0].lines, SizeIs(1));
  EXPECT_EQ(4u, decided.lines[0].lines[0].line);
}

TEST_F(Gates, AFailedGateOnInstructionsHasTheLinesThatExecuteThem) {
  exercise_.gates = {gate_of("work", "warpgrade__ptx_warp_instructions.sum", "", "10", {"large"})};
  auto& measured = runs_.add(large(), exercise_.gates[0].metric, 12).outcome->measured;
  measured.lines = {{"twice.cu", 3, kGlobalLoad, 1, 4, 0}};
  measured.instruction_lines = {{"twice.cu", 3, 4}, {"twice.cu", 5, 8}};
  auto decided = decide();
  keep_lines_that_matter(decided);
  const auto& tables = decided.lines;
  ASSERT_THAT(tables, SizeIs(1));
  EXPECT_EQ("work", tables[0].gate);
  EXPECT_THAT(tables[0].lines, IsEmpty());
  EXPECT_EQ(measured.instruction_lines, tables[0].instructions);
}

TEST_F(Gates, AFailedGateOnAtomicsOrSpeedHasAllLines) {
  exercise_.gates = {
      gate_of("atomics", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "", "0", {"large"}),
      gate_of("speed", kSpeed, "0.5", "", {"large"})};
  auto& run = runs_.add(large(), exercise_.gates[0].metric, 7);
  run.outcome->measured.lines = {{"twice.cu", 3, kGlobalLoad, 1, 4, 0},
                                 {"twice.cu", 4, kGlobalStore, 1, 32, 0}};
  run.outcome->measured.bound_by = timing::Bound::kDram;
  run.outcome->fraction_of_roof = 0.2;
  const auto decided = decide();
  ASSERT_THAT(decided.lines, SizeIs(2));
  EXPECT_THAT(decided.lines[0].lines, SizeIs(2));
  EXPECT_EQ(timing::Bound::kNone, decided.lines[0].bound_by);
  EXPECT_THAT(decided.lines[1].lines, SizeIs(2));
  EXPECT_EQ(timing::Bound::kDram, decided.lines[1].bound_by);
}

TEST_F(Gates, AFailedGateOnAtomicsHasTheirContention) {
  exercise_.gates = {
      gate_of("shared", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "", "0",
              {"large"}),
      gate_of("global", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "", "0", {"large"}),
      gate_of("loads", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "", "0", {"large"})};
  auto& measured = runs_.add(large(), exercise_.gates[0].metric, 7).outcome->measured;
  measured.metrics[exercise_.gates[1].metric] = 7;
  measured.metrics[exercise_.gates[2].metric] = 7;
  measured.skew = timing::Contention{run::Space::kShared, 32, 29};
  const auto decided = decide();
  ASSERT_THAT(decided.lines, SizeIs(3));
  EXPECT_EQ(measured.skew, decided.lines[0].skew);
  EXPECT_EQ(timing::Skew(), decided.lines[1].skew);
  EXPECT_EQ(timing::Skew(), decided.lines[2].skew);
}

TEST_F(Gates, ThePlaceOfAnEarlierFailureGoesWithTheWorseCase) {
  exercise_.gates = {over_both()};
  runs_.add(small(), kStores, 11).outcome->measured.lines = {
      {"twice.cu", 3, kGlobalStore, 1, 4, 0}};
  runs_.add(large(), kStores, 12).outcome->measured.lines = {
      {"twice.cu", 4, kGlobalStore, 1, 4, 0}};
  const auto decided = decide();
  ASSERT_THAT(decided.lines, SizeIs(1));
  EXPECT_EQ(4u, decided.lines[0].lines.at(0).line);
}

// Decided gates named `ids`, each with a table of one line. Names that begin with "speed" are speed
// gates.
report::ExerciseReport with_tables(const std::vector<std::string>& ids) {
  report::ExerciseReport out;
  for (const auto& id : ids) {
    auto& gate = out.gates.emplace_back().definition;
    gate.id = id;
    gate.metric = id.starts_with("speed") ? kSpeed : kStores;
    report::LineTable table;
    table.gate = id;
    table.lines.emplace_back();
    out.lines.push_back(table);
  }
  return out;
}

std::vector<std::string> kept(report::ExerciseReport decided) {
  std::vector<std::string> out;
  keep_lines_that_matter(decided);
  for (const auto& table : decided.lines) out.push_back(table.gate);
  return out;
}

TEST(LinesThatMatter, AreThoseOfMechanismGatesWhereThereAreAny) {
  EXPECT_THAT(kept(with_tables({"speed", "loads", "speed_k40", "stores"})),
              ElementsAre("loads", "stores"));
}

TEST(LinesThatMatter, ElseTheFirstOfASpeedGate) {
  EXPECT_THAT(kept(with_tables({"speed", "speed_k40"})), ElementsAre("speed"));
}

TEST(LinesThatMatter, ATableWithoutLinesIsNone) {
  auto decided = with_tables({"loads", "speed"});
  decided.lines[0].lines.clear();
  EXPECT_THAT(kept(decided), ElementsAre("speed"));
  decided.lines[1].lines.clear();
  EXPECT_THAT(kept(decided), IsEmpty());
}

// Findings, gates and points of a submission on fake devices.

namespace {

class JudgedTest : public Stage {
 protected:
  report::ExerciseReport judged() {
    auto execution = execute(*plan_);
    auto gates = time_cases(*plan_, execution);
    return judge_cases(*plan_, execution, std::move(gates));
  }
};

TEST_F(JudgedTest, ARightAndFastSubmissionHasAllPoints) {
  begin(right);
  const auto out = judged();
  EXPECT_EQ(report::Verdict::kPass, out.verdict);
  EXPECT_EQ(6U, out.points);
  EXPECT_EQ(6U, out.cases.size());
  EXPECT_TRUE(out.gates[1].has_passed());
}

TEST_F(JudgedTest, CasesBehindAFaultHaveNotRun) {
  begin(race_at(300));
  const auto out = judged();
  EXPECT_EQ(0U, out.points);
  ASSERT_EQ(6U, out.cases.size());
  EXPECT_EQ(report::Case::State::kPassed, out.cases[0].state);
  EXPECT_EQ(report::Case::State::kDiagnostic, out.cases[1].state);
  EXPECT_EQ(report::Case::State::kNotRun, out.cases[5].state);
}

TEST_F(JudgedTest, WhatCannotBeCompiledIsNoVerdictOnTheSubmission) {
  compile_ = [](const auto&) -> compile::Result { throw base::ToolError("no compiler"); };
  begin(right);
  const auto out = judged();
  EXPECT_EQ("no compiler", out.tool_trouble);
  EXPECT_EQ(report::Verdict::kError, out.verdict);
}

}  // namespace

}  // namespace warpgrade::grader::grade::judged_test

// SPDX-License-Identifier: Apache-2.0
// Reports made by hand, for the tests of renderers.
#pragma once

#include <string>

#include "grader/report/profile_report.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

inline Gate gate(const std::string& id, double value, bool is_performance) {
  Gate out;
  out.definition.id = id;
  out.definition.metric = is_performance ? "fraction_of_copy" : "bytes_per_sector";
  out.definition.device = "h200";
  out.definition.skeleton = is_performance ? 0.1 : 4;
  out.definition.ideal = is_performance ? 1 : 32;
  out.definition.points = 2;
  out.definition.meaning = "What " + id + " counts.";
  out.definition.cases = {"square"};
  auto& bounds = out.bounds["square"];
  bounds.min = is_performance ? 0.6 : 28;
  out.decision = outcome_of(value, bounds);
  out.worst = {"square", value, *out.decision};
  return out;
}

// A right but slow copy: 3 points for the result, none for its two gates.
inline Report slow_copy() {
  ExerciseReport item;
  item.lab = "coalescing";
  item.exercise = "copy";
  item.title = "A copy";
  item.file = "labs/coalescing/copy.cu";
  item.source = "// head\n  out[i] = in[i * 32];\n";
  item.sha256 = "ba7816bf";
  for (const auto* name : {"square", "ragged"}) {
    Case run;
    run.name = name;
    run.device = "h200";
    run.backend = run::Backend::kSim;
    run.state = Case::State::kPassed;
    item.cases.push_back(run);
  }
  item.gates = {gate("loads", 4, false), gate("speed", 0.1, true)};
  LineTable table;
  table.gate = "loads";
  table.device = "h200";
  table.lines = {{item.file, 2, {run::Space::kGlobal, run::Operation::kLoad}, 10, 320, 0}};
  item.lines = {table};
  item.cause = Cause{
      course::CauseId::kUncoalescedLoad, 2, 0,
      "Line 2 uses 4 of the 32 bytes in each sector that it loads; at least 28 are needed.", ""};
  item.next = "Load along rows.";
  item.hint = "hint 1 of 2: Which index?";
  item.verdict = Verdict::kFail;
  item.reason = Reason::kMechanism;
  item.correct = true;
  item.points = 3;
  item.max_points = 7;
  Report report;
  report.backend = run::Backend::kSim;
  report.device = "h200";
  report.seed = 7;
  report.exercises = {item};
  return report;
}

// slow_copy() as an exercise with operations: 4.2 MB at 4.2 TB/s take 1 us, 268 MFLOP at 67 TFLOP/s
// take 4 us, and the kernel takes 40 us.
inline Report with_roofline() {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  for (auto& one : item.gates) {
    if (one.definition.is_performance()) one.definition.metric = "fraction_of_roofline";
  }
  Case roof;
  roof.name = "large";
  roof.timed_variables = {{"n", 512}};
  roof.device = "h200";
  roof.state = Case::State::kPassed;
  roof.roofline = measure::Roofline{4.2e6, 268e6, 1e-6, 4e-6, 40e-6};
  item.cases.push_back(roof);
  return report;
}

// A launch on a card that counts 17 sectors; the simulator counts 16.
inline ProfileReport counted_on_a_gpu() {
  ProfileReport report;
  report.kernel = "copy";
  report.device = "h200";
  report.backend = run::Backend::kGpu;
  report.launch.kernel = "copy";
  report.measurement.metrics = {{"both", 16}, {"none", 0}, {"only_gpu", 3}};
  report.simulated.metrics = {{"both", 17}, {"none", 2}, {"warpgrade__own", 5}};
  return report;
}

// slow_copy() whose speed was measured on a card.
inline Report on_a_gpu(bool undecided) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.gates[0] = gate("loads", 32, false);
  item.gates[0].points = 2;
  auto& speed = item.gates[1];
  speed.backend = run::Backend::kGpu;
  const double spread = undecided ? 0.008 : 0.001;
  const MeasuredInterval measured{
      0.6012, 0.6012 - spread, 0.6012 + spread, {{1e-4, 2e-4, 3e-4, 4e-4}}};
  speed.bounds["large"] = speed.deciding_bounds();
  speed.decision = outcome_of(measured, speed.bounds["large"]);
  speed.worst = {"large", measured, *speed.decision};
  speed.points = undecided ? 0 : 2;
  item.verdict = undecided ? Verdict::kInconclusive : Verdict::kPass;
  item.reason = undecided ? Reason::kTool : Reason::kNone;
  item.points = undecided ? 5 : 7;
  item.warnings = {"case large: 2 samples were measured again: the card was slowed down"};
  item.lines.clear();
  return report;
}

}  // namespace warpgrade::grader::report

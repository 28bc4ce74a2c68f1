// SPDX-License-Identifier: Apache-2.0
// What grading found, as plain structs. The renderers for text and JSON only read them, so the two
// cannot disagree. Units are SI and raw counts; formatting is the renderers'.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/memory/metrics.h"
#include "common/run/backend.h"
#include "common/timing/model.h"
#include "grader/report/provenance.h"

namespace warpgrade::grader {

enum class Verdict { kPass, kFail, kInconclusive, kError };
enum class Reason { kNone, kCompile, kDiagnostic, kIncorrect, kMechanism, kPerformance, kTool };

std::string_view name(Verdict verdict);
std::string_view name(Reason reason);

/// One case on one device.
struct CaseResult {
  enum class State { kNotRun, kPassed, kIncorrect, kDiagnostic };
  std::string name;
  std::string variables;  ///< "height = 45, width = 101".
  std::string device;
  run::Backend backend{};
  State state = State::kNotRun;
  std::string difference;  ///< Where incorrect: the first difference.
};

struct GateResult {
  std::string id;
  std::string metric;
  std::string device;
  run::Backend backend{};       ///< Where it is measured.
  std::string case_name;        ///< That decides it; with several, the one where it is worst.
  std::size_t cases_left = 1;   ///< That have not been measured.
  bool is_performance = false;  ///< A gate on fraction_of_copy.
  bool measured = false;        ///< False where the result was wrong before it came to this.
  std::optional<double> value;  ///< Nothing, too, where the kernel makes no such access.
  std::optional<double> low;    ///< Of a value that was measured on a GPU: the interval that the
  std::optional<double> high;   ///< true one lies in.
  bool undecided = false;       ///< The bound lies within that interval: neither passed nor failed.
  bool waived = false;          ///< Given to everybody, since this card cannot decide it.
  std::vector<std::array<double, 4>> samples;  ///< Seconds: copy, kernel, kernel, copy.
  std::optional<double> min;
  std::optional<double> max;
  double skeleton = 0;
  double ideal = 0;
  std::uint32_t points = 0;
  std::uint32_t max_points = 0;
  bool passed = false;
  std::vector<std::string> needs;  ///< Gates without which it earns nothing.
  std::string lacks;               ///< Where it passed and earned nothing: the one that failed.
  std::string meaning;
  std::string next;
};

/// An answer that is not the right one.
struct WrongAnswer {
  std::string question;
  std::string subject;  ///< "stride 3"; empty where the question has one answer.
  std::int64_t given = 0;
  std::string reasoning;  ///< Leads to the right one.
};

/// The counters of the source lines behind a failed gate, on its device.
struct LineTable {
  std::string gate;
  std::string device;
  std::vector<memory::LineCounters> lines;
  std::string bound_by;               ///< What the time model says; empty for a counter's gate.
  std::vector<timing::Share> shares;  ///< Of a performance gate.
};

/// What the card has counted of the launch of a measured case, where that was asked for. It decides
/// nothing.
struct CountedCase {
  std::string name;
  std::string variables;  ///< "height = 2048, width = 2048".
  std::string device;
  memory::Metrics gpu;
  memory::Metrics simulated;  ///< Of the same launch.
  std::string reason;         ///< Why the card has none; empty where it has.
};

struct ExerciseReport {
  std::string lab;
  std::string exercise;
  std::string title;
  std::string file;    ///< As shown.
  std::string source;  ///< The submission's text, for excerpts.
  std::uint32_t points = 0;
  std::uint32_t max_points = 0;
  std::uint32_t correctness_points = 0;  ///< Of max_points, those for right results.
  Verdict verdict = Verdict::kError;
  Reason reason = Reason::kTool;
  bool correct = false;
  std::optional<double> fraction_of_copy;
  std::optional<double> fraction_low;  ///< Its interval, where it was measured on a GPU.
  std::optional<double> fraction_high;
  std::vector<std::string> warnings;  ///< What the reader should know of the measurements.
  std::string tool_trouble;           ///< Why this grader cannot judge it; then it is an error.
  std::vector<CaseResult> cases;
  std::vector<GateResult> gates;
  std::vector<CountedCase> counted;
  std::vector<base::Diagnostic> diagnostics;  ///< Each once, whatever the number of devices.
  std::vector<LineTable> lines;
  std::vector<WrongAnswer> wrong_answers;   ///< Of an exercise that asks questions.
  std::vector<std::uint32_t> result_lines;  ///< Where wrong: lines that store to global memory.
  std::string printed;       ///< What the kernel printed in the first case in which it printed.
  std::string printed_case;  ///< That case.
  std::string next;          ///< What to try next; empty where all passed.
  std::string hint;          ///< The lab's hint for how far it has come, likewise.
};

struct Report {
  run::Backend backend{};  ///< The one that was asked for, `auto` resolved.
  std::string device;      ///< Names of the devices graded on, ", " between.
  std::uint64_t seed = 0;
  Provenance provenance;
  std::vector<std::string> notes;  ///< What the reader should know of how it was graded.
  std::vector<ExerciseReport> exercises;

  std::uint32_t points() const;
  std::uint32_t max_points() const;
  /// 0 all passed; 3 where a verdict is an error or inconclusive, which is none on the submission;
  /// else 1.
  int exit_code() const;
};

}  // namespace warpgrade::grader

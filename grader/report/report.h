// SPDX-License-Identifier: Apache-2.0
// The results of grading as plain structs. The renderers for text and JSON only read them, so the
// two cannot disagree. Units are SI and raw counts; formatting is the renderers'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/memory/line_instructions.h"
#include "common/memory/metrics.h"
#include "common/run/backend.h"
#include "common/timing/model.h"
#include "grader/report/case_report.h"
#include "grader/report/gate_report.h"
#include "grader/report/pictures.h"
#include "grader/report/provenance.h"

namespace warpgrade::grader::report {

enum class Verdict { kPass, kFail, kInconclusive, kError };
enum class Reason { kNone, kCompile, kDiagnostic, kIncorrect, kMechanism, kPerformance, kTool };

std::string_view name(Verdict verdict);
std::string_view name(Reason reason);

/// An answer that is not the right one.
struct WrongAnswer {
  std::string question;
  std::string subject;  ///< "stride 3"; empty if the question has one answer.
  std::int64_t given = 0;
  std::string reasoning;  ///< Leads to the right one.
};

/// The counters of the source lines behind a failed gate, on its device.
struct LineTable {
  std::string gate;
  std::string device;
  std::vector<memory::LineCounters> lines;
  std::vector<memory::LineInstructions> instructions;  ///< Instead, for a gate on their number.
  timing::Bound bound_by{};           ///< The time model's; kNone for the gate of a counter.
  std::vector<timing::Share> shares;  ///< For a performance gate, like the next.
  timing::Skew skew;                  ///< Uneven work, if it causes the failure.
  timing::UnmodelledSet unmodelled;   ///< For a modelled speed.
};

/// One submission for one exercise; assemble() fills it.
struct ExerciseReport {
  std::string lab;
  std::string exercise;
  std::string title;
  std::string file;    ///< The name that is shown.
  std::string sha256;  ///< SHA-256 of the submission's bytes in hex; empty if it was not read.
  std::string source;  ///< The submission's text, for excerpts.
  std::uint32_t points = 0;
  std::uint32_t max_points = 0;
  Verdict verdict = Verdict::kError;
  Reason reason = Reason::kTool;
  bool correct = false;
  std::vector<std::string> warnings;  ///< Remarks on the measurements for the reader.
  std::string left_out;               ///< Names the host code that was not compiled.
  std::string tool_trouble;           ///< Why this grader cannot judge it; then it is an error.
  std::vector<CaseResult> cases;
  std::vector<GateReport> gates;
  std::vector<CaseRoofline> rooflines;  ///< For exercises with operations, after their speed.
  std::vector<CountedCase> counted;
  std::vector<base::Diagnostic> diagnostics;    ///< Each once, for any number of devices.
  std::vector<base::Diagnostic> race_warnings;  ///< The same; they cost no points.
  std::vector<LineTable> lines;
  std::vector<WrongAnswer> wrong_answers;  ///< For an exercise that asks questions.
  std::vector<std::uint32_t>
      result_lines;          ///< Lines that store to global memory, if a result is wrong.
  std::string printed;       ///< By the kernel in its first wrong case, else the first that prints.
  std::string printed_case;  ///< The name of that case.
  /// The thread that writes the first wrong element, if it printed; `printed_first` is its text,
  /// and `printed` the text of all others.
  std::string printed_thread;
  std::string printed_first;
  std::optional<Pictures> pictures;  ///< If requested and possible.
  std::string next;                  ///< The next thing to try; empty if all passed.
  std::string hint;                  ///< The lab's hint for how far it has come, likewise.

  /// The value of the first gate on a speed that is decided and has one.
  std::optional<GateValue> fraction_of_roofline() const;
  /// The same; nullopt for an exercise with operations.
  std::optional<GateValue> fraction_of_copy() const;
  /// The first case with a wrong result; nullptr if all are right.
  const CaseResult* first_incorrect() const;
};

struct Report {
  run::Backend backend{};  ///< The requested one, `auto` resolved.
  std::string device;      ///< Names of the devices graded on, ", " between.
  std::uint64_t seed = 0;
  Provenance provenance;
  std::vector<std::string> notes;  ///< Remarks for the reader on how it was graded.
  std::vector<ExerciseReport> exercises;

  std::uint32_t points() const;
  std::uint32_t max_points() const;
  /// 0: all passed; 3: an error or an inconclusive measurement, which does not judge the
  /// submission; 1: otherwise.
  int exit_code() const;
};

}  // namespace warpgrade::grader::report

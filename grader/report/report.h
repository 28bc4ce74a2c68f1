// SPDX-License-Identifier: Apache-2.0
// The results of grading as plain structs. The renderers for text, JSON and HTML only read them,
// so they cannot disagree. Units are SI and raw counts; formatting is the renderers'.
// The stages of a grade fill them: a gate is planned, then measured, then decided, then earns
// points.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/device/profile.h"
#include "common/measure/baselines.h"
#include "common/measure/measurement.h"
#include "common/memory/metrics.h"
#include "common/run/launch.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/verify/compare.h"
#include "grader/course/cause_id.h"
#include "grader/course/exercise.h"
#include "grader/report/pictures.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::report {

// The program, compiler and time of a report, so that the grade can be reproduced. They decide
// nothing.

struct Provenance {
  std::string version;  ///< This program's: "0.2.0".
  std::string commit;   ///< "6885a25", "6885a25-dirty" or "unknown".
  std::string toolkit;  ///< The CUDA compiler's release: "13.0.88"; empty without a compiler.
  std::string time;     ///< UTC: "2026-11-22T14:20:00Z".
};

/// One case on one device.
struct Case {
  enum class State { kNotRun, kPassed, kIncorrect, kDiagnostic };
  std::string name;
  text::Variables variables;
  std::string device;
  run::Backend backend{};
  State state = State::kNotRun;
  std::optional<verify::OutputDifference> difference;  ///< Set if the case is incorrect.
  bool depends_on_order = false;    ///< The difference needs another order of warps and blocks.
  text::Variables timed_variables;  ///< The size whose speed is graded.
  /// With the submission's time at that size; for a speed of an exercise with operations.
  std::optional<measure::Roofline> roofline;
  /// A GPU's counts of the same launch, if requested, or why it has none. They decide nothing.
  std::optional<measure::GpuCounters> counted;
  memory::Metrics simulated;  ///< The simulator's counts, for comparison with `counted`.
};

// One gate of an exercise: the manifest's, with what the stages of a grade add to it.
//
// A gate that was not measured has no measurement, and a gate without one of its cases has no
// decision, so no default value can become a verdict.

struct GateBounds {
  std::optional<double> min;
  std::optional<double> max;

  /// Bounds are inclusive; NaN is never within them.
  bool contain(double value) const;
  /// Bounds widened for a modelled value with a relative error of up to `error`. If the modelled
  /// value is outside of them, the true value is outside of these bounds.
  GateBounds for_model(double error) const;
};

/// Not measured, or the result is not a number: it decides nothing.
struct NotMeasured {};

/// The true value of a modelled speed is in this range, if the model's error is within its known
/// bound.
struct ModelRange {
  double low = 0;
  double high = 0;
};

/// The kernel makes no access of the kind that the metric is about.
struct NoAccess {};

/// A modelled speed that these parts of the time could move to the other side of a bound: it
/// decides nothing.
struct NotModelled {
  timing::UnmodelledSet parts;
};

/// A value that was measured on a GPU: the true one is between `low` and `high`. It always has
/// numbers.
struct MeasuredInterval {
  MeasuredInterval(double middle, double least, double most,
                   std::vector<std::array<double, 4>> all = {})
      : value(middle), low(least), high(most), samples(std::move(all)) {}

  double value;
  double low;
  double high;
  std::vector<std::array<double, 4>> samples;  ///< Seconds: copy, kernel, kernel, copy.
};

/// NotMeasured by default.
using GateValue = std::variant<NotMeasured, NoAccess, NotModelled, double, MeasuredInterval>;

/// `seconds` of the copy over those of the kernel; NotMeasured unless both are numbers above zero.
GateValue quotient_of(double copy_seconds, double seconds);

/// The number; nullopt if the value has none.
std::optional<double> number_of(const GateValue& value);

/// kUndecided (the default): a bound is within the interval, or the gate was not measured.
enum class GateOutcome { kUndecided, kPassed, kFailed };

/// Judges `value` by all of its interval. NoAccess fails; NotMeasured and NaN decide nothing.
GateOutcome outcome_of(const GateValue& value, const GateBounds& bounds);

struct GateMeasurement {
  std::string case_name;
  GateValue value;
  GateOutcome outcome{};
  std::string size = {};  ///< "n = 131072" if the speed is graded at another size than the case's.
};

// The reasons for which everybody passes a gate on a GPU.

/// The card's memory is too small for a size that exceeds its caches.
struct TooLittleMemory {
  friend bool operator==(const TooLittleMemory&, const TooLittleMemory&) = default;
};

/// The course's own solution is too close to the bound.
struct NearBound {
  double low = 0;  ///< Interval of its speed in the calibration of `date`.
  double high = 0;
  double bound = 0;
  std::string date;

  friend bool operator==(const NearBound&, const NearBound&) = default;
};

/// The bound is a share of the speed of the course's solution, which is unknown.
struct UnknownShare {
  std::string case_name;
  std::string trouble;  ///< The reason; empty if only this case is missing.

  friend bool operator==(const UnknownShare&, const UnknownShare&) = default;
};

using Waiver = std::variant<TooLittleMemory, NearBound, UnknownShare>;

struct Gate {
  /// The manifest's gate, with the name of the device that measures it. If several gates are
  /// measured as one, it has the points and needs of all.
  course::Gate definition;
  run::Backend backend{};             ///< Measures it.
  std::optional<Waiver> waiver = {};  ///< Set if everybody passes it, since this GPU cannot decide.
  std::map<std::string, GateBounds> bounds = {};  ///< By case, at its size on the device.
  /// The bounds as shares of the value that the course's solution reaches on this GPU. `bounds`
  /// are empty until that is known.
  std::optional<GateBounds> share = {};
  /// The relative error of a modelled speed (device::ModelErrors::of_speed); 0 for counted or
  /// measured values.
  double model_error = 0;
  double model_margin = 0;  ///< The same for device::ModelErrors::margin_of_speed.
  std::optional<device::KernelKind> kind = {};  ///< Whose errors these are; nullopt: of any kernel.
  /// The gate's worst case of those measured so far; nullopt if none was.
  std::optional<GateMeasurement> worst = {};
  /// Nullopt if a case of the gate was not measured.
  std::optional<GateOutcome> decision = {};
  std::uint32_t points = 0;  ///< Earned.
  /// The required gate that failed, if this one passed and earned nothing.
  std::string lacks = {};

  bool has_passed() const { return decision == GateOutcome::kPassed; }
  bool has_failed() const { return decision == GateOutcome::kFailed; }
  /// None for a case whose bounds are not known.
  GateBounds bounds_in(const std::string& case_name) const;
  /// On the case that decides; before one is measured, on the first.
  GateBounds deciding_bounds() const;
  /// Whether the untouched skeleton passes, by its value.
  bool skeleton_passes() const;
  /// Whether it passes only because the time model may be wrong.
  bool is_spared() const;
  /// The measured number, if any.
  std::optional<double> value() const;
  /// The range of a modelled speed; nullopt for counted or measured values.
  std::optional<ModelRange> model_range() const;
  /// The parts that the model does not time exactly, if they leave the gate undecided.
  timing::UnmodelledSet unmodelled() const;
  /// The interval that was measured on a GPU; nullptr for other values.
  const MeasuredInterval* interval() const;
};

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
  std::string word = {};  ///< The answer itself, if it is a word.

  /// `given` as the student wrote it.
  std::string text() const { return word.empty() ? std::to_string(given) : word; }
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

/// The mistake behind a failure, with its text (grade/explain/causes.h).
struct Cause {
  course::CauseId id{};
  std::uint32_t line = 0;        ///< A line of the submission; 0: none.
  std::uint32_t other_line = 0;  ///< A second one: see docs/causes.md.
  std::string why;               ///< A sentence about the kernel.
  std::string next;              ///< What to try; empty: nothing better than the gate's advice.
  bool is_of_result = false;     ///< It explains a wrong result, not a finding.
};

/// One submission for one exercise. grade/judge makes it, and grade/explain completes it.
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
  std::vector<Case> cases;
  std::vector<Gate> gates;
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
  std::optional<Cause> cause;        ///< The cause of the failure, if known.
  std::string next;                  ///< The next thing to try; empty if all passed.
  std::string hint;                  ///< The lab's hint for how far it has come, likewise.

  /// The value of the first gate on a speed that is decided and has one.
  std::optional<GateValue> fraction_of_roofline() const;
  /// The same; nullopt for an exercise with operations.
  std::optional<GateValue> fraction_of_copy() const;
  /// Whether a case has a roofline.
  bool has_roofline() const;
  /// The first case with a wrong result; nullptr if all are right.
  const Case* first_incorrect() const;
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

// SPDX-License-Identifier: Apache-2.0
// The results of a study: one run for each device, kernel and value of the axis, the numbers for
// tables and figures, beside the published ones, and the tables as text and as CSV.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/timing/bound.h"
#include "grader/study/access_picture.h"
#include "grader/study/study.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::study {

/// One launch of a study.
struct Run {
  enum class State {
    kDone,
    kLeftOut,     ///< The kernel's `when` is 0 here.
    kDoesNotFit,  ///< A block does not fit the device; `note` has the reason.
    kFailed,      ///< There is a diagnostic.
  };
  State state = State::kLeftOut;
  std::string note;
  double seconds = 0;
  double bytes = 0;              ///< Counted by the study; 0 if it does not.
  double copy_seconds = 0;       ///< The grader's baseline, if the part compares with it.
  std::optional<double> metric;  ///< The one that the part shows.
  std::optional<double> rule;    ///< Wavefronts by the part's rule.
  timing::Bound bound_by{};
};

/// The indices of a run in its part.
struct PointIndex {
  std::size_t device = 0;
  std::size_t kernel = 0;
  std::size_t value = 0;
};

struct PartResult {
  const Part* part = nullptr;
  std::vector<Run> runs;  ///< By device, then kernel, then value.

  const Run& at(const PointIndex& point) const;
  Run& at(const PointIndex& point);
  /// The value that the part shows for this run; nullopt for a run without one.
  std::optional<double> shown(const PointIndex& point) const;
  /// The published value for this run.
  std::optional<double> published(const PointIndex& point) const;
  /// shown / published - 1, if both exist.
  std::optional<double> deviation(const PointIndex& point) const;
  /// Whether `point` is the baseline of others, which cannot deviate.
  bool is_baseline(const PointIndex& point) const;
  /// The axis value at which `kernel` is best, and at which it was published to be.
  std::optional<double> best(std::size_t device, std::size_t kernel) const;
  std::optional<double> published_best(std::size_t device, std::size_t kernel) const;
  /// All points, in the order of runs.
  std::vector<PointIndex> points() const;
};

struct Result {
  const Study* study = nullptr;
  std::vector<PartResult> parts;
  std::vector<AccessResult> accesses;
  std::vector<std::string> diagnostics;  ///< Rendered, one for each kernel that failed.
  bool only_unsupported = true;          ///< No diagnostic is the kernel's fault.

  /// 0: all agree; 1: a kernel failed; 3: the simulator lacks a feature, or a count differs from
  /// its rule.
  int exit_code() const;
};

/// How far one device's values are from the published ones.
struct Agreement {
  std::string device;
  std::size_t values = 0;
  double mean = 0;     ///< Mean of the absolute deviations.
  double largest = 0;  ///< With its sign.
  std::string largest_at;
  std::size_t pairs = 0;               ///< Kernels side by side, published values over 5 % apart.
  std::vector<std::string> misplaced;  ///< Those the wrong way round: "a before b at 2048".
};

/// One for each device with published values, in the order of the parts.
std::vector<Agreement> agreements(const Result& result);

/// "n = 2048"; empty if the part has only one value.
std::string value_text(const Part& part, std::size_t value);

/// If the axis has one value, a table with one row per kernel; else one row per value and one
/// column per kernel (or device). Published values are beside the simulator's, and the differences
/// are below all tables.
std::string render_text(const Result& result, const text::Style& style);
/// One line per run, numbers in SI units.
std::string render_csv(const Result& result);

/// A value of `part` for people, in the unit of its label: GB/s, not bytes per second.
double in_shown_unit(const Part& part, double value);

/// One table of a part: the variable of its columns, and the constant ones.
struct TableView {
  std::string title;
  std::vector<PointIndex> columns;  ///< Their `value` is the first.
  std::vector<std::string> names;   ///< One per column: ids of kernels, or devices.
  std::vector<std::string> labels;  ///< The same for a legend.
};

/// The tables of a part, in order.
std::vector<TableView> tables_of(const Part& part);

}  // namespace warpgrade::grader::study

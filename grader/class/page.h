// SPDX-License-Identifier: Apache-2.0
// The instructor's page of a class: one file without scripts, network access or other files. Its
// numbers are plain structs: files that need a person, the distribution of points, the obstacles by
// student, the times of attempts, and slow grades. It links to the students' feedback pages if they
// were written. All pages of a class share its frame: head, style and end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/explain.h"
#include "grader/class/hand_in.h"
#include "grader/class/identities.h"
#include "grader/class/near_copies.h"
#include "grader/class/status.h"
#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {

/// A reason, gate or kind of diagnostic, and the students whom it stops.
struct NamedStudents {
  std::string name;
  std::vector<std::string> students;
};

struct ExerciseNumbers {
  std::string lab;
  std::string exercise;
  double max_points = 0;
  std::vector<double> points;  ///< One per student with a grade, before deductions, ascending.
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t missing = 0;
  std::int64_t open = 0;
  std::int64_t excused = 0;
  std::int64_t attempts = 0;
  std::vector<NamedStudents> reasons;   ///< Reasons of grades that failed: "compile", ...
  std::vector<NamedStudents> gates;     ///< Decided and not passed, the most first.
  std::vector<NamedStudents> findings;  ///< Kinds of diagnostics, the most first.
};

struct AttemptTime {
  std::int64_t at = 0;  ///< Seconds since 1970.
  bool late = false;
};

struct SlowGrade {
  std::string student;
  std::string exercise;
  double seconds = 0;
  std::string outcome;  ///< "pass", or the reason of a failure.
};

/// An attempt without a grade.
struct OpenWork {
  std::string student;
  std::string exercise;  ///< "LAB/EXERCISE".
  std::string reason;
};

struct StudentNumbers {
  std::string student;
  std::string name;
  double points = 0;
  double max_points = 0;  ///< Without excused exercises.
  struct Cell {
    Standing standing{};  ///< kOpen if no grade exists yet.
    double points = 0;
  };
  std::vector<Cell> cells;  ///< One per exercise.
};

struct Numbers {
  TimeZone zone;
  std::string last_run;  ///< As prose; empty before the first run.
  std::string policy;
  std::vector<ExerciseNumbers> exercises;
  std::vector<AttemptTime> attempts;  ///< By time.
  std::vector<SlowGrade> slowest;     ///< At most ten.
  std::vector<UnmatchedStudent> unmatched;
  std::vector<OpenFile> files;  ///< Those of unknown students first.
  std::vector<OpenWork> open;
  std::vector<HandInProblem> remarks;  ///< Others of the last run.
  std::vector<WaivedGates> waived;
  std::vector<StudentException> exceptions;
  std::vector<StudentNumbers> students;
};

Numbers read_numbers(Sqlite& book);

/// A whole page with `body`, which is HTML; `title` is text.
std::string html_page(std::string_view title, std::string_view body);

/// `<span class="badge ...">` of a standing; "open" without a verdict.
std::string badge(Standing standing);

/// A bar of `share` (0 to 1) of a track.
std::string bar(double share, std::string_view css_class = "fill");

/// Counts of `points`: one for 0, one for each tenth of `most`, and one for all points: 12 in
/// total. A tenth includes its upper end, but not its lower one. The last tenth excludes `most`.
std::vector<std::int64_t> points_histogram(const std::vector<double>& points, double most);

/// Small bars of points_histogram(), for a cell of a table; none and all points are coloured.
std::string points_figure(const std::vector<double>& points, double most);

struct TimeBin {
  std::int64_t begin = 0;  ///< Seconds since 1970.
  std::int64_t on_time = 0;
  std::int64_t late = 0;
};

/// Attempts by time, in at most 60 bins of a whole number of hours or days that cover the first
/// attempt to the last. `attempts` are sorted by time. Days begin at midnight of a clock that is
/// `ahead_of_utc` seconds ahead of UTC.
std::vector<TimeBin> attempt_bins(const std::vector<AttemptTime>& attempts,
                                  std::int64_t ahead_of_utc);

/// Bars of attempt_bins() with local times, the late ones on top.
std::string attempts_figure(const std::vector<AttemptTime>& attempts, const TimeZone& zone);

/// The address of a student's feedback, relative to the page; may be empty.
using FeedbackAddress = std::function<std::string(const std::string& student)>;

std::string class_page(const Numbers& numbers, const std::vector<NearCopy>& near_copies,
                       const FeedbackAddress& feedback);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// The outcome of a task: a grade, or the reason for its absence.
//
// In: the report of a grading. Out: points, the report as JSON for the instructor, and text and
// page for the student.
// The student's text and page hide names, sizes and results of secret cases. Pages are compressed
// (gzip) for the book: 100 KB shrink to a tenth.
// The judge makes an outcome, workers pass it on as a message of common/base/wire.h, and the book
// stores it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "common/run/launch.h"
#include "grader/course/exercise.h"
#include "grader/report/report.h"

namespace warpgrade::run {
constexpr Backend wire_last(Backend /*type*/) { return Backend::kGpu; }
}  // namespace warpgrade::run

namespace warpgrade::grader::report {
constexpr Verdict wire_last(Verdict /*type*/) { return Verdict::kError; }
constexpr Reason wire_last(Reason /*type*/) { return Reason::kTool; }
inline auto wire_fields(Provenance& provenance) {
  return std::tie(provenance.version, provenance.commit, provenance.toolkit, provenance.time);
}
}  // namespace warpgrade::grader::report

namespace warpgrade::grader::class_book {

// A student's view of a report in a class: it hides names, sizes and results of secret cases. The
// instructor's report, in JSON, has them all.

/// `report` of one submission for `exercise`. Faults in secret cases alone become one remark, and
/// the next step is to try other sizes.
report::Report student_view(report::Report report, const course::Exercise& exercise);

// Compresses text for the book (gzip): a page of 100 KB shrinks to a tenth.

/// Throws base::ToolError if memory runs out.
std::string pack_text(std::string_view text);

/// Inverse of pack_text(); empty for an empty text. Throws base::ToolError if pack_text() did not
/// write the bytes, or if they hold more than `most_bytes`.
std::string unpack_text(std::string_view packed, std::size_t most_bytes = std::size_t{64} << 20);

/// A row of the book's table `grade`.
struct BookGrade {
  double points = 0;
  double max_points = 0;
  report::Verdict verdict{};
  report::Reason reason{};
  std::string device;  ///< As in Report.
  std::string card;    ///< The GPU's name; empty if it was simulated.
  report::Provenance provenance;
  double seconds = 0;
  std::string report;               ///< JSON, warpgrade.grade/1.
  std::string text;                 ///< For the student (outcome.h).
  std::string page;                 ///< HTML for the student, packed (outcome.h).
  std::vector<std::string> waived;  ///< Gates that everybody passes on this card.
};

/// The reason for a missing grade.
struct Trouble {
  enum class Kind : std::uint8_t {
    kNoGrade,      ///< The grader failed or its process ended; another try may succeed.
    kNoisy,        ///< No measurement was good enough; a quieter machine may grade it.
    kJudgeFailed,  ///< The judge can grade no task here: the disk is full, for example.
  };
  Kind kind{};
  std::string why;  ///< For the instructor.
};

struct Outcome {
  using Result = std::variant<BookGrade, Trouble>;

  std::string key;         ///< The task's.
  std::string worker;      ///< Set by the worker.
  run::Backend backend{};  ///< The judge's.
  Result result;

  const BookGrade* grade() const { return std::get_if<BookGrade>(&result); }
  const Trouble* trouble() const { return std::get_if<Trouble>(&result); }
};

inline bool is_trouble(const Outcome::Result& result, Trouble::Kind kind) {
  const auto* trouble = std::get_if<Trouble>(&result);
  return trouble != nullptr && trouble->kind == kind;
}

inline auto wire_fields(BookGrade& grade) {
  return std::tie(grade.points, grade.max_points, grade.verdict, grade.reason, grade.device,
                  grade.card, grade.provenance, grade.seconds, grade.report, grade.text, grade.page,
                  grade.waived);
}
constexpr Trouble::Kind wire_last(Trouble::Kind /*type*/) { return Trouble::Kind::kJudgeFailed; }
inline auto wire_fields(Trouble& trouble) { return std::tie(trouble.kind, trouble.why); }
inline auto wire_fields(Outcome& outcome) {
  return std::tie(outcome.key, outcome.worker, outcome.backend, outcome.result);
}

/// The result of a report on one submission for `exercise`. It is a grade only if the verdict
/// judges the submission. The caller sets the card.
Outcome::Result result_of(const report::Report& report, const course::Exercise& exercise,
                          double seconds);

}  // namespace warpgrade::grader::class_book

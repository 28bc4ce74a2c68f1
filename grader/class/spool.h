// SPDX-License-Identifier: Apache-2.0
// Tasks of a run and their outcomes, and the folder through which they pass between the run and its
// workers.
//
// An outcome is a grade, or the reason for its absence. The judge makes it, workers pass it on as a
// message of common/base/wire.h, and the book stores it. Workers, also those of other machines,
// never open the book.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "common/run/launch.h"
#include "grader/class/hand_in.h"
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

/// `report` of one submission for `exercise` as its student sees it: without names, sizes and
/// results of secret cases. Faults in these alone become one remark, and the next step is to try
/// other sizes.
report::Report student_view(report::Report report, const course::Exercise& exercise);

/// `text` in the form of gzip: a page of 100 KB shrinks to a tenth. Throws base::ToolError if
/// memory runs out.
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
  std::string text;                 ///< For the student.
  std::string page;                 ///< HTML for the student, packed.
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

/// A worker's input; its output is an Outcome.
struct Task {
  std::string key;  ///< The grade's: content, manifest, program, backend.
  std::string lab;
  std::string exercise;
  std::vector<HandedFile> files;  ///< The exercise's first.
  std::string cards;              ///< JSON of CardFacts; empty unless it is graded on a card.
};

inline auto wire_fields(Task& task) {
  return std::tie(task.key, task.lab, task.exercise, task.files, task.cards);
}

class Spool {
 public:
  /// The time between two looks at the folder.
  static constexpr std::chrono::milliseconds kGlance{20};

  explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Creates the folders. Throws base::ToolError on failure.
  void make();
  /// Removes all tasks, claims and results.
  void clear();
  /// Removes all tasks and claims; results remain.
  void clear_tasks();
  void put(std::size_t number, const Task& task);

  /// Lets workers that find no task wait for one, until end_announcement().
  void announce();
  /// Call it once all tasks are put.
  void end_announcement();
  bool is_announced() const;

  struct Claim {
    std::string name;
    Task task;
  };
  /// Claims the next task for `worker`; nullopt if none is left.
  std::optional<Claim> claim(const std::string& worker);
  /// Hands in the result of a claim: written whole, then the claim is gone.
  void finish(const Claim& claim, const std::string& worker, const Outcome& outcome);
  /// The claims of a worker that has ended become tasks again. Returns their keys.
  std::vector<std::string> give_back(const std::string& worker);

  /// Removes a task, so that no worker tries it again.
  void drop(const std::string& key);

  struct Result {
    std::filesystem::path file;
    Outcome outcome;
  };
  /// Finished results; removes unreadable ones.
  std::vector<Result> results() const;
  bool has_tasks() const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::vector<std::string> names(const char* part) const;

  void clear(const char* part);
  std::filesystem::path announcement() const { return folder_ / "announced"; }

  std::filesystem::path folder_;
  std::vector<std::string> known_;  // Listed tasks, last one first.
};

}  // namespace warpgrade::grader::class_book

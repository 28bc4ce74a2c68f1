// SPDX-License-Identifier: Apache-2.0
// The state of a class as text: the summary of the submissions before grading, the tasks that
// remain for a person, and `class status`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/rules.h"
#include "grader/course/course.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {

/// Writes a line, or with `transient` one that the next replaces if the terminal can. The command
/// line passes the function; tests and other programs may pass another.
using Say = std::function<void(const std::string& line, bool transient)>;

/// Tasks for a person before every grade of a class is final. `class status` begins with them,
/// `class run` ends with them.
enum class NeedKind : std::uint8_t {
  kUnmatched,  ///< Students with work who are not in the roster.
  kFiles,      ///< Files that may be work and were not graded.
  kNotJudged,  ///< Submissions that the grader could not judge.
  kWaived,     ///< Grades that a strict class does not accept: the card cannot decide a gate.
  kNotGraded,  ///< Submissions that no run has graded yet.
};

struct Need {
  NeedKind kind = NeedKind::kFiles;
  std::size_t count = 0;
  std::vector<std::string> lines;  ///< One for each: student, file, reason.
  std::string command;             ///< The next one.
};

/// `book_file` is the book's path for commands. Empty if all work is done.
std::vector<Need> find_needs(Sqlite& book, const std::string& book_file);

/// The commands that decide whose the work under the name `given` is, one per student of the
/// roster.
std::string match_choices(Sqlite& book, const std::string& book_file, const std::string& given);

/// Students with points of a gate that the card cannot decide, by exercise.
struct WaivedGates {
  std::string exercise;  ///< "LAB/EXERCISE"
  std::string gates;     ///< "speed, speed_2"
  std::size_t students = 0;
};
std::vector<WaivedGates> waived_gates(Sqlite& book);
/// "coalescing/copy: 3 students have the points of speed, which the card cannot decide".
std::string described(const WaivedGates& one);

/// "2 files were received and not graded".
std::string title(const Need& need);

/// The needs as lines of text; at most `most` lines of each.
std::string needs_text(const std::vector<Need>& needs, std::size_t most);

/// A file that may be work and was not graded.
struct OpenFile {
  std::string student;  ///< Empty if unknown; of a group's work all members: "ada, bob".
  std::string path;
  std::string reason;
};
/// Each file once, those of unknown students first.
std::vector<OpenFile> open_files(Sqlite& book);

/// "ada: ada/copy.cu", or the path alone if it begins with the student's name.
std::string subject_of(const std::string& student, const std::string& file);

/// A run's summary of the submissions, before grading. Writes all problems to `all`. Throws
/// base::ToolError if it cannot be written.
void report_intake(const HandedIn& handed_in, const Rules& rules, const std::filesystem::path& all,
                   const Say& say);

/// Points that runs changed by grading the same content again: "copy: 1 of 5 regraded changed: s2
/// 10 to 9". Only those of the last run, or all with the times of the runs, the newest first.
std::string regrades_text(Sqlite& book, bool only_last);

/// Labs of the class whose manifest, reference or solutions differ from those of the last run.
std::vector<std::string> labs_changed_since(Sqlite& book, const course::Course& course);

/// Text for a terminal, with a newline at its end. Open tasks come first. `book_file` is the book's
/// path for commands; `changed_labs` are those of labs_changed_since().
std::string status_text(Sqlite& book, const std::string& book_file,
                        const std::vector<std::string>& changed_labs, const text::Style& style);

}  // namespace warpgrade::grader::class_book

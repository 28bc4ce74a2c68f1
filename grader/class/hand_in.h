// SPDX-License-Identifier: Apache-2.0
// Submissions as plain structs: attempts at exercises, and the use of every file.
//
// sort_files() and its helpers decide which exercise a file is for, also by names that are not
// quite right, and which headers belong to it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grader/class/found_file.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// A file of a submission.
struct HandedFile {
  std::string name;  ///< In the submission's folder.
  std::string bytes;
};

inline auto wire_fields(HandedFile& file) { return std::tie(file.name, file.bytes); }

/// One student's attempt at one exercise.
struct HandIn {
  std::string student;
  std::string lab;
  std::string exercise;
  /// The exercise's file first, then the headers beside it by name.
  std::vector<HandedFile> files;
  std::optional<std::int64_t> submitted_at;  ///< Seconds since 1970; nullopt if unknown.
  std::string source;                        ///< The file's path, for people.
  bool late_mark = false;                    ///< The platform marked it as late.
  std::int64_t number = 0;                   ///< Attempt number, if the platform counts.
  std::string given = {};    ///< `student` as the submissions name them; empty: the same.
  std::int64_t attempt = 0;  ///< The platform's or the rule's number: it counts more than times.
  std::string path = {};     ///< In the student's hand-ins.
  int rank = 0;  ///< Orders attempts of one time: the exact name, no old folder, its depth.
  bool is_skeleton = false;                     ///< It is the course's untouched file.
  std::string bundle = {};                      ///< bundle_of() the files; empty until put_aside().
  std::shared_ptr<const Scratch> scratch = {};  ///< Has the files after put_aside().
  std::uint64_t offset = 0;                     ///< Their place in it.
  std::uint64_t size = 0;                       ///< Their bytes in it.
};

/// Moves the files of an attempt to `scratch`, so that a class needs no memory for them.
void put_aside(HandIn& attempt, const std::shared_ptr<Scratch>& scratch);

/// The files of an attempt, also after put_aside().
std::vector<HandedFile> files_of(const HandIn& attempt);

/// A finding about the submissions that an instructor has to know.
struct HandInProblem {
  std::string student;  ///< Empty if the student is not known.
  std::string file;
  std::string what;
  /// A submission may be in the file, so a run with this problem does not count as complete.
  bool unread = false;
};

/// How a file was used.
enum class FileState : std::uint8_t {
  kAttempt,  ///< It is an attempt, which is graded.
  kPart,     ///< A header that belongs to an attempt.
  kOpen,     ///< It may be work, and was not graded.
  kUnused,   ///< Not work by its kind or its place.
  kIgnored,  ///< A system or the platform put it there.
};

/// "attempt", "part", "open", "unused" or "ignored": as in the book.
std::string_view name(FileState state);

struct ReceivedFile {
  std::string student;  ///< Empty if the student is not known.
  std::string path;     ///< From SUBMISSIONS, through archives, for people.
  std::string name;     ///< As the student named it.
  FileState state = FileState::kOpen;
  std::string lab;       ///< Empty if it was not assigned.
  std::string exercise;  ///< The same.
  std::string reason;    ///< Why it is open, unused or ignored, or how it was assigned.
  std::optional<std::int64_t> time;
  std::uint64_t size = 0;
  std::string sha256;          ///< Empty if it was not read.
  std::string given = {};      ///< `student` as the submissions name them; empty: the same.
  bool is_copy = false;        ///< Another member of the group has a row of the same file.
  bool may_be_work = false;    ///< By its kind, and it is not the course's own file.
  std::string spare_for = {};  ///< The LAB/EXERCISE that another file of the student has.
};

/// A student's identity on the platform, for matching with a roster; empty fields are unknown.
struct HandedIdentity {
  std::string name;
  std::string login;
  std::string number;
  std::string email;
};

struct HandedIn {
  std::vector<HandIn> attempts;  ///< As sort_attempts() orders them.
  std::vector<HandInProblem> problems;
  std::vector<std::string> students;  ///< All that have a folder or a file, sorted.
  std::vector<ReceivedFile> received;
  std::map<std::string, HandedIdentity> identities;  ///< By student; not every student has one.
  std::string source;                                ///< The absolute path of SUBMISSIONS.
  std::string layout;
  bool lacks_times = false;  ///< The export has no times of submission, and the roster has.
  /// Students without a row of the roster, with the possible rows (empty: any row).
  std::map<std::string, std::vector<std::string>> unmatched = {};
};

/// A number in hex that names the content of an attempt: files' names and bytes.
std::string bundle_of(const std::vector<HandedFile>& files);
/// The same of an attempt, also after put_aside().
std::string bundle_of(const HandIn& attempt);

/// By student, lab, exercise, attempt and time; the last of one exercise counts as the latest.
void sort_attempts(std::vector<HandIn>& attempts);

/// Sorts the attempts. Leaves them open if nobody knows which one counts: nothing orders different
/// contents, or the one that counts is the untouched skeleton and the student has other
/// work. `best`: all attempts are graded, so none is open.
void settle_attempts(HandedIn& handed_in, bool is_best);

/// The exercise of a file whose name is not quite the exercise's: "Copy.CU", "copy (1).cu",
/// "my copy.cu", "copy.cpp", or "main.cu" with that exercise's kernel.
struct LooseMatch {
  course::Selected exercise;
  std::string why;          ///< "its name", "its kernel copy".
  bool is_copy = false;     ///< "copy (1).cu", "copy-2.cu": the same name with a number.
  std::int64_t number = 0;  ///< That number.
};

/// Nullopt if several exercises of the class fit, or none.
std::optional<LooseMatch> loosely_named(const std::vector<course::Selected>& selected,
                                        std::string_view path, std::string_view bytes);

/// The names of the kernels that a source defines or declares, in order, each once.
std::vector<std::string> kernels_in(std::string_view source);

/// The exercise that a path or a rule's groups name: "LAB/EXERCISE.cu", "EXERCISE.cu", or
/// "EXERCISE" if only one lab has it. Its folder in the path may be deeper. Nullopt if it does not
/// exist.
std::optional<course::Selected> named_exercise(const course::Course& course, std::string_view path);
/// The same among the exercises of the class.
std::optional<course::Selected> named_exercise(const std::vector<course::Selected>& selected,
                                               std::string_view path);

/// Sorts the `files` of one student into `out`; `source` names the place before their paths. Files
/// that no exercise of the course names are assigned to one of `selected`, if only one fits.
void sort_files(const course::Course& course, const std::vector<course::Selected>& selected,
                const std::string& student, const std::string& source, std::vector<FoundFile> files,
                HandedIn& out);

/// Whether a system or a build put the file there and not a student (".DS_Store", "__MACOSX/").
bool is_by_the_way(std::string_view path);

/// Whether macOS put it into an archive beside a file: "__MACOSX/._copy.cu".
bool is_mac_copy(std::string_view path);

/// A path safe to print, cut if it is very long.
std::string shown_name_of(std::string_view path);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// Submissions as plain structs: attempts at exercises, and the use of every file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

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
  std::string given = {};  ///< `student` as the submissions name them; empty: the same.
};

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
  std::string sha256;      ///< Empty if it was not read.
  std::string given = {};  ///< `student` as the submissions name them; empty: the same.
  bool is_copy = false;    ///< Another member of the group has a row of the same file.
};

/// A student's identity on the platform, for matching with a roster; empty fields are unknown.
struct HandedIdentity {
  std::string name;
  std::string login;
  std::string number;
  std::string email;
};

/// Students who hand in together (groups.h).
struct WorkingGroup {
  std::string name;
  std::vector<std::string> members;  ///< Keys of students.
};

struct HandedIn {
  std::vector<HandIn> attempts;  ///< By student, lab, exercise and time; the last counts as latest.
  std::vector<HandInProblem> problems;
  std::vector<std::string> students;  ///< All that have a folder or a file, sorted.
  std::vector<ReceivedFile> received;
  std::map<std::string, HandedIdentity> identities;  ///< By student; not every student has one.
  std::string source;                                ///< The absolute path of SUBMISSIONS.
  std::string layout;
  /// Students without a row of the roster, with the possible rows (empty: any row).
  std::map<std::string, std::vector<std::string>> unmatched = {};
  std::vector<WorkingGroup> groups = {};  ///< From class.toml.
};

/// A number in hex that names the content of an attempt: files' names and bytes.
std::string bundle_of(const std::vector<HandedFile>& files);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// What students handed in, as plain structs.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace warpgrade::grader {

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
  std::int64_t submitted_at = 0;  ///< Seconds since 1970.
  std::string source;             ///< The place where it was found, for people.
};

/// Something that an instructor has to know of the submissions.
struct HandInProblem {
  std::string student;  ///< Empty where no student can be told.
  std::string file;
  std::string what;
  /// A submission may be in it: the class is not graded as a whole while it is there.
  bool unread = false;
};

struct HandedIn {
  std::vector<HandIn> attempts;  ///< By student, lab, exercise and time.
  std::vector<HandInProblem> problems;
  std::vector<std::string> students;  ///< All that have a folder or a file, sorted.
};

/// A number in hex that names the content of an attempt: files' names and bytes.
std::string bundle_of(const std::vector<HandedFile>& files);

}  // namespace warpgrade::grader

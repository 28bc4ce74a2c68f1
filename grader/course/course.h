// SPDX-License-Identifier: Apache-2.0
// The course on disk: its root, its labs, and the exercises that a command line selects. A hash
// names the files that grades of a lab depend on.
// A lab is a folder labs/LAB with a grader.toml. A selection is LAB, LAB/EXERCISE, an EXERCISE
// that only one lab has, or the path of a skeleton.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/exercise.h"
#include "grader/course/vocabulary.h"

namespace warpgrade::grader::course {

// Names the parts of a course that grades of a lab depend on.

/// A hash of the lab's manifest, reference, included folders and solutions. Changing it requires
/// regrading.
std::string manifest_hash(const Lab& lab);

/// The folder that contains labs/: WARPGRADE_ROOT if set; otherwise find_own_root(); otherwise
/// installed_course() of the executable. Throws base::UsageError if no course is found.
std::filesystem::path find_root();

/// The same for a course with studies/. A course of students has none, but an installed one does.
std::filesystem::path find_root_of_studies();

/// find_root() for commands that read or explain a student's own files, which an installed course
/// does not have. Without a course it throws base::UsageError, which names the command that makes
/// one, or a course in a folder below the working folder.
std::filesystem::path find_working_root();

/// The course in or above the working folder, or in or above the executable's folder.
std::optional<std::filesystem::path> find_own_root();

/// The labs of the course in `root`, sorted.
std::vector<std::string> lab_names(const std::filesystem::path& root);

/// The names that manifests of the course in `root` may use.
Vocabulary course_vocabulary(const std::filesystem::path& root);

/// The course that was installed with `program`: PREFIX/share/warpgrade for PREFIX/bin/warpgrade;
/// empty if it has no course.
std::filesystem::path installed_course(const std::filesystem::path& program);

struct Course {
  std::filesystem::path root;
  std::vector<Lab> labs;  ///< In the course's order.
};

/// Reads the manifests of the labs in `selections`; of all labs if it is empty. Throws
/// base::UsageError if a named lab does not exist, or with the first mistake of each lab that it
/// reads, a line each.
Course read_course(const std::filesystem::path& root, const std::vector<std::string>& selections);

/// All labs except those with a mistake in their manifest; `mistakes` receives one message for
/// each.
Course read_usable_labs(const std::filesystem::path& root, std::vector<std::string>& mistakes);

/// Throws base::UsageError if there are `mistakes`; its text has a line for each.
void expect_no_mistakes(const std::vector<std::string>& mistakes);

/// One exercise of a lab; pointers into the course.
struct Selected {
  const Lab* lab = nullptr;
  const Exercise* exercise = nullptr;
};

/// The selected exercises, each once; all exercises if `selections` is empty. Throws
/// base::UsageError with the nearest name if one does not exist.
std::vector<Selected> select(const Course& course, const std::vector<std::string>& selections);

/// `file` for a reader in the working folder: relative if it is inside, otherwise whole. Control
/// characters are escaped.
std::string path_from_here(const std::filesystem::path& file);

/// `file` for reports, which do not depend on the working folder: relative to the course's root if
/// it is inside.
std::string shown_path(const Course& course, const std::filesystem::path& file);

}  // namespace warpgrade::grader::course

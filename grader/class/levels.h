// SPDX-License-Identifier: Apache-2.0
// The level of folders at which the students of a class are: in "Lab 1/ada/copy.cu" it is 1.
//
// Programs that pack a folder put its name before all paths, and some platforms add sections or
// assignments. With a roster, the level is the one whose folders are called after its students.
// Without a roster, a single folder is left out if several folders in it have a file of the same
// name. What remains unclear is not decided here: folders_like_students() and doubtful_levels()
// find it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/class/gradebook.h"

namespace warpgrade::grader::class_book {

/// The names under which a roster knows its students, squashed.
class RosterNames {
 public:
  explicit RosterNames(const std::vector<Enrolled>& roster);
  bool is_empty() const { return names_.empty(); }
  /// Adds a student's name, login, number or address, or the name of a group.
  void add(const std::string& text);
  /// Whether a student has exactly this name, login, number or address.
  bool has_exactly(const std::string& name) const;
  /// Whether a folder is called after a student, also in the forms of identity_in().
  bool has(const std::string& name) const;

 private:
  std::set<std::string> names_;
  mutable std::unordered_map<std::string, bool> known_;  // Answers so far: paths repeat names.
};

/// The name of an archive without its suffixes: "ada" of "ada.tar.gz".
std::string archive_stem(const std::string& name);

class StudentLevel {
 public:
  /// The level of the students in the `paths` of one export. `course` has the names of labs and
  /// exercises, and `level` comes from class.toml. `names` must outlive the object.
  StudentLevel(const std::vector<std::string>& paths, const RosterNames& names,
               const std::set<std::string>& course, std::optional<std::size_t> level);

  struct Place {
    std::string path;   ///< From the student's folder on: "ada/copy.cu".
    std::string doubt;  ///< Why no student is known, if none is.
  };
  Place place(const std::string& path) const;
  std::size_t level() const { return level_; }
  /// Whether class.toml or the roster decided it.
  bool is_certain() const { return is_given_ || is_by_roster_; }

 private:
  void find_by_roster(const std::vector<std::string>& paths);
  void leave_out_single_folders(const std::vector<std::string>& paths,
                                const std::set<std::string>& course);

  const RosterNames& names_;
  std::size_t level_ = 0;
  bool is_given_ = false;
  bool is_by_roster_ = false;
  std::string above_;  // The folders that are left out, with '/'.
  std::map<std::string, std::set<std::string>>
      students_in_;  // Students of the roster, by the path of a folder around them.
};

/// The level of folders whose work is in numbered folders; nullopt if no level has such folders.
std::optional<std::size_t> level_above_numbers(const std::vector<std::string>& paths);

/// A level at which the students may be.
struct LevelChoice {
  std::size_t level = 0;
  std::vector<std::string> folders;  ///< Its first folders.
};

/// The possible levels, the likeliest first, if the `paths` of an export do not decide it: a folder
/// in a single folder may be the student, and a folder that is called after a lab or an assignment
/// is not a student's. Empty if the topmost folders are the students'.
std::vector<LevelChoice> doubtful_levels(const std::vector<std::string>& paths,
                                         const std::set<std::string>& course);

/// Whether a folder is called as an assignment is, and not as a student: "Lab 1", "Aufgabe 3".
bool is_like_an_assignment(const std::string& folder);

/// The folders that hold a file of the same name each, if they may be students' folders: neither
/// labs, nor attempts, nor old work. Paths begin in the folder around them.
std::vector<std::string> folders_like_students(const std::vector<std::string>& paths,
                                               const std::set<std::string>& course);

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// The book of a class: attempts, grades and open problems, in one SQLite file.
//
// In: the submissions that a run finds, and outcomes. Out: rows of the book, and the tasks of
// attempts without a grade. One process writes; a grade is written once.
// A run replaces what earlier runs found in the same place, or in a folder above or below it.
// Attempts that it does not find again stay in the book and do not count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/rules.h"
#include "grader/class/spool.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// The program and the machine it runs on: the same content has one grade for each of these.
struct GradingIdentity {
  std::string program;  ///< Version, commit, toolkit; on cards also digest_of() their facts.
  run::Backend backend{};
};

/// A content that has yet to be graded.
struct WantedGrade {
  std::string key;
  std::string lab;
  std::string exercise;
  std::string bundle;
};

/// A run as it begins.
struct RunStart {
  std::string engine;
  std::int64_t workers = 0;
  run::Backend backend{};
  std::string sandbox;
  std::string program;
};

class Book {
 public:
  /// To write: made or brought up to date. Throws base::ToolError.
  explicit Book(const std::filesystem::path& file);

  std::int64_t begin_run(const RunStart& start);
  /// Keeps what the run changed for content that an earlier run had graded.
  void end_run(std::int64_t run);
  /// Stores exercises with their manifests, students, attempts, received files and problems in one
  /// transaction. Attempts that an earlier run found in the same place and this run did not find
  /// stop counting. For the attempts of `students` (empty: all), the grade of this run's program
  /// becomes the one that counts; for everyone, the grade of each exercise's current manifest does.
  void take_in(std::int64_t run, const std::vector<course::Selected>& exercises, const Rules& rules,
               const HandedIn& handed_in, const std::vector<std::string>& students = {});
  /// Removes the student from all exports until a run finds work of theirs; adjustments stay.
  void forget(const std::string& student);
  /// The missing grades of counted attempts by `students` (empty: all) in the selected exercises,
  /// each once. Without `retry`, attempts that could not be judged before are left out. With it,
  /// those remain out about whose work a person decided.
  std::vector<WantedGrade> wanted(const GradingIdentity& identity,
                                  const std::vector<course::Selected>& exercises,
                                  const std::vector<std::string>& students, bool retry);
  Task task_of(const WantedGrade& wanted);
  /// Writes grades, or reasons for missing ones, in one transaction. Existing grades stay.
  void keep(const std::vector<Outcome>& outcomes, const std::vector<WantedGrade>& of);
  Sqlite& database() { return database_; }

 private:
  Sqlite database_;
};

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// A book for tests of students' identities: a roster of ada, bob and cyd, one exercise, and one
// place that runs read.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "grader/class/book.h"
#include "grader/class/identities.h"

namespace warpgrade::grader::class_book {

class PeopleBook {
 public:
  explicit PeopleBook(const std::string& name) : folder_(new_folder(name)) {
    lab_.id = "lab";
    lab_.folder = folder_;
    lab_.exercises.resize(1);
    lab_.exercises[0].id = "copy";
    lab_.exercises[0].kernel()->correctness_points = 10;
    rules_.roster = {enrolled("ada"), enrolled("bob"), enrolled("cyd")};
    rules_.roster_bytes = "student,login\nada,ada\nbob,bob\ncyd,cyd\n";
    found_.source = "/in";
    found_.layout = "folders";
  }
  ~PeopleBook() { std::filesystem::remove_all(folder_); }
  PeopleBook(const PeopleBook&) = delete;
  PeopleBook& operator=(const PeopleBook&) = delete;

  static Enrolled enrolled(const std::string& student) {
    return {student, "", student, "", "", "", "", ""};
  }
  void add(const std::string& student, const std::string& text, std::int64_t time = 1) {
    const auto path = student + "/copy.cu";
    found_.attempts.push_back({student, "lab", "copy", {{"copy.cu", text}}, time, path});
    found_.students.push_back(student);
    found_.received.push_back(
        {student, path, "copy.cu", FileState::kAttempt, "lab", "copy", "", time, text.size(), "x"});
  }
  void add_open(const std::string& student, const std::string& name, const std::string& reason) {
    found_.received.push_back(
        {student, student + "/" + name, name, FileState::kOpen, "", "", reason, 1, 1, ""});
    if (!student.empty()) found_.students.push_back(student);
  }
  /// Stores the added attempts, with the roster's keys and manual decisions.
  void run() {
    const std::vector<course::Selected> selected = {{&lab_, lab_.exercises.data()}};
    const GradingIdentity identity{"v1", run::Backend::kSim};
    const auto run = book_.begin_run({"local", 2, identity.backend, "none", "v1"});
    auto found = found_;
    match_roster(found, rules_.roster, decided_students(book_.database(), rules_.roster));
    share_group_work(found, rules_.groups, rules_.roster);
    book_.take_in(run, selected, rules_, found);
    for (const auto& one : book_.wanted(identity, selected, {}, true)) {
      BookGrade out;
      out.points = 8;
      out.max_points = 10;
      out.verdict = report::Verdict::kFail;
      out.reason = report::Reason::kPerformance;
      out.provenance.time = "2026-11-20T12:00:00Z";
      out.waived = waived;
      book_.keep({{"", "", identity.backend, out}}, {one});
    }
  }
  /// The points of all students, as in "ada 8.0; bob open".
  std::string said() {
    Statement ask(book_.database(),
                  "SELECT group_concat(student || ' ' || coalesce(points, 'open'), '; ') FROM "
                  "(SELECT * FROM standing ORDER BY student)");
    return ask.step() ? ask.text(0) : std::string();
  }
  std::vector<std::string> waived;  ///< Gates of later grades that their card cannot decide.
  Sqlite& database() { return book_.database(); }
  Book& book() { return book_; }
  Rules& rules() { return rules_; }
  HandedIn& found() { return found_; }

 private:
  static std::filesystem::path new_folder(const std::string& name) {
    auto out = std::filesystem::path(testing::TempDir()) / ("warpgrade_people_" + name);
    std::filesystem::remove_all(out);
    std::filesystem::create_directories(out);
    return out;
  }
  std::filesystem::path folder_;
  course::Lab lab_;
  Rules rules_;
  HandedIn found_;
  Book book_{folder_ / "book.db"};
};

}  // namespace warpgrade::grader::class_book

// SPDX-License-Identifier: Apache-2.0
// The book's record of a run: ungraded work, attempts that have disappeared, manifests that change
// and change back, and forgotten students.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "grader/class/book.h"
#include "grader/class/csv.h"
#include "grader/course/course_hash.h"

namespace warpgrade::grader::class_book::book_intake_test {

namespace fs = std::filesystem;

class BookIntake : public testing::Test {
 protected:
  BookIntake() {
    write_manifest("manifest");
    lab_.id = "lab";
    lab_.folder = folder_;
    lab_.exercises.resize(2);
    lab_.exercises[0].id = "copy";
    lab_.exercises[0].kernel()->correctness_points = 10;
    lab_.exercises[1].id = "other";
    selected_ = {{&lab_, lab_.exercises.data()}, {&lab_, &lab_.exercises[1]}};
    found_.source = "/in";
  }
  ~BookIntake() override { fs::remove_all(folder_); }

  void write_manifest(const std::string& text) { std::ofstream(folder_ / "grader.toml") << text; }
  void add(const std::string& student, const std::string& text, std::int64_t time = 1) {
    found_.attempts.push_back(
        {student, "lab", "copy", {{"copy.cu", text}}, time, student + "/lab/copy.cu"});
    found_.students.push_back(student);
  }
  void add_open(const std::string& student, const std::string& name, const std::string& exercise,
                const std::string& reason, std::int64_t time = 1) {
    found_.received.push_back({student, student + "/" + name, name, FileState::kOpen,
                               exercise.empty() ? "" : "lab", exercise, reason, time, 1, ""});
    if (!student.empty()) found_.students.push_back(student);
  }
  void run(const std::vector<std::string>& only = {}) {
    const auto run = book_.begin_run({"local", 2, identity_.backend, "none", identity_.program});
    book_.take_in(run, selected_, rules_, found_, only);
  }
  void grade(double points, const std::vector<std::string>& only = {}) {
    for (const auto& one : book_.wanted(identity_, selected_, only, true)) {
      BookGrade out;
      out.points = points;
      out.max_points = 10;
      out.verdict = points == 10 ? report::Verdict::kPass : report::Verdict::kFail;
      out.provenance.time = "2026-11-20T12:00:00Z";
      book_.keep({{"", "", identity_.backend, out}}, {one});
    }
  }
  std::string said(const std::string& exercise = "copy") {
    Statement ask(book_.database(),
                  "SELECT student || ' ' || coalesce(points, 'open: ' || open_reason) FROM "
                  "standing WHERE exercise = :exercise ORDER BY student");
    ask.bind(":exercise", exercise);
    std::string out;
    while (ask.step()) out += (out.empty() ? "" : "; ") + ask.text(0);
    return out;
  }

  static fs::path new_folder() {
    const auto out = fs::path(testing::TempDir()) / "warpgrade_book_intake";
    fs::create_directories(out);
    return out;
  }
  fs::path folder_ = new_folder();
  course::Lab lab_;
  std::vector<course::Selected> selected_;
  Rules rules_;
  HandedIn found_;
  GradingIdentity identity_{"v1", run::Backend::kSim};
  Book book_{folder_ / "book.db"};
};

TEST_F(BookIntake, AManifestThatIsRestoredFindsItsGradesAgain) {
  add("ada", "kernel");
  run();
  grade(10);
  write_manifest("min = 99");
  run();
  EXPECT_EQ("ada open: not graded yet", said());
  grade(3);
  EXPECT_EQ("ada 3.0", said());
  write_manifest("manifest");
  run();
  EXPECT_EQ("ada 10.0", said());
  EXPECT_TRUE(book_.wanted(identity_, selected_, {}, true).empty());
}

TEST_F(BookIntake, AProgramThatIsRestoredFindsItsGradesAgain) {
  add("ada", "kernel");
  run();
  grade(10);
  identity_.program = "v2";
  run();
  grade(2);
  EXPECT_EQ("ada 2.0", said());
  identity_.program = "v1";
  run();
  EXPECT_EQ("ada 10.0", said());
}

TEST_F(BookIntake, ARunForSomeStudentsLeavesTheGradesOfTheOthers) {
  add("ada", "a");
  add("bob", "b");
  run();
  grade(10);
  identity_.program = "v2";
  run({"ada"});
  grade(5, {"ada"});
  EXPECT_EQ("ada 5.0; bob 10.0", said());
}

TEST_F(BookIntake, AnotherSolutionIsAnotherManifest) {
  course::Lab lab = lab_;
  lab.folder = folder_ / "labs" / "lab";
  fs::create_directories(lab.folder);
  const auto without = manifest_hash(lab);
  fs::create_directories(folder_ / "solutions" / "lab");
  std::ofstream(folder_ / "solutions" / "lab" / "copy.cu") << "solution";
  EXPECT_NE(without, manifest_hash(lab));
}

TEST_F(BookIntake, WorkThatIsNotGradedIsOpenAndNoZero) {
  add("ada", "kernel");
  add_open("bob", "copy.cu", "copy", "it is larger than 4 MiB");
  add_open("cyd", "main.cu", "", "no exercise has this name");
  found_.students.emplace_back("dan");
  found_.received.push_back(
      {"dan", "dan/", "", FileState::kUnused, "", "", "it is empty", {}, 0, ""});
  run();
  grade(10);
  EXPECT_EQ(
      "ada 10.0; bob open: we received copy.cu; it was not graded because it is larger than 4 MiB; "
      "cyd open: we received main.cu; it was not graded because no exercise has this name; dan 0.0",
      said());
  // The exercise of cyd's file is unknown. Bob's file is for the first exercise.
  EXPECT_EQ(
      "ada 0.0; bob 0.0; cyd open: we received main.cu; it was not graded because no exercise has "
      "this name; dan 0.0",
      said("other"));
  EXPECT_THAT(csv_text(book_.database()), testing::HasSubstr("bob,lab,copy,,10,error,tool,"));
}

TEST_F(BookIntake, WorkOfAnUnknownStudentLeavesThoseOpenOfWhomNothingCame) {
  rules_.roster.emplace(2);
  rules_.roster->at(0).student = "ada";
  rules_.roster->at(1).student = "bob";
  add("ada", "kernel");
  found_.received.push_back(
      {"ada", "ada/lab/copy.cu", "lab/copy.cu", FileState::kAttempt, "lab", "copy", "", 1, 6, ""});
  add_open("", "stray.cu", "", "the rule of class.toml does not match its name");
  run();
  grade(10);
  EXPECT_EQ(
      "ada 10.0; bob open: files of an unknown student were received; one may be the work for this "
      "exercise",
      said());
}

TEST_F(BookIntake, ALaterFileThatCouldNotBeReadLeavesTheLatestOpen) {
  add("ada", "kernel", 100);
  add_open("ada", "copy.cu", "copy", "it is damaged", 200);
  run();
  grade(3);
  EXPECT_THAT(said(), testing::HasSubstr("it is damaged"));
  rules_.policy = Policy::kFirst;
  run();
  EXPECT_EQ("ada 3.0", said());
}

TEST_F(BookIntake, AttemptsThatAreNotFoundAgainDoNotCount) {
  add("submitted", "wrong rule");
  run();
  grade(10);
  found_ = {};
  found_.source = "/in/submitted";
  add("ada", "kernel");
  run();
  grade(10);
  EXPECT_EQ("ada 10.0", said());
  Statement kept(book_.database(), "SELECT count(*) FROM attempt");
  ASSERT_TRUE(kept.step());
  EXPECT_EQ(2, kept.integer(0));
}

TEST_F(BookIntake, AnotherExportIsReadBesideTheFirst) {
  add("ada", "kernel");
  run();
  grade(10);
  found_ = {};
  found_.source = "/in2";
  add("bob", "kernel");
  run();
  EXPECT_EQ("ada 10.0; bob 10.0", said());
}

TEST_F(BookIntake, AForgottenStudentComesBackWithTheirAdjustments) {
  add("ada", "kernel");
  run();
  grade(3);
  book_.database().run(
      "INSERT INTO adjustment (student, lab, exercise, points, who, why) VALUES ('ada', 'lab', "
      "'copy', 9, 'eve', 'was ill')");
  book_.forget("ada");
  EXPECT_EQ("", said());
  run();
  EXPECT_EQ("ada 9.0", said());
}

TEST_F(BookIntake, AStudentOfWhomOnlyAnAdjustmentIsLeftStays) {
  add("ada", "kernel");
  run();
  book_.database().run(
      "INSERT INTO adjustment (student, lab, exercise, points, who, why) VALUES ('ada', 'lab', "
      "'copy', 9, 'eve', 'was ill')");
  found_ = {};
  found_.source = "/in";
  run();
  EXPECT_EQ("ada 9.0", said());
}

TEST_F(BookIntake, ExercisesThatAreNotSelectedAnyMoreCostNothing) {
  add("ada", "kernel");
  run();
  EXPECT_EQ("ada 0.0", said("other"));
  selected_.pop_back();
  run();
  EXPECT_EQ("", said("other"));
}

TEST_F(BookIntake, OfAttemptsOfOneTimeTheLastOneCounts) {
  add("ada", "zebra", 5);
  add("ada", "ape", 5);
  run();
  const auto counted = [&] {
    Statement ask(book_.database(),
                  "SELECT f.bytes FROM standing JOIN bundle_file AS f USING (bundle)");
    return ask.step() ? ask.text(0) : std::string();
  };
  EXPECT_EQ("ape", counted());
  std::swap(found_.attempts[0], found_.attempts[1]);
  run();
  EXPECT_EQ("zebra", counted());
}

}  // namespace warpgrade::grader::class_book::book_intake_test

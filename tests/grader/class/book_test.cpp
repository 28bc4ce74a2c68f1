// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/error.h"
#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/exports.h"
#include "grader/class/status.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book::book_test {

// The book: what it keeps, what it refuses to change, which attempt counts, and its CSV.

namespace fs = std::filesystem;

HandIn hand_in(const std::string& student, const std::string& text, std::int64_t time = 1) {
  return {student, "lab", "copy", {{"copy.cu", text}}, time, student + "/lab/copy.cu"};
}

class BookTest : public testing::Test {
 protected:
  BookTest() {
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
  ~BookTest() override { fs::remove_all(folder_); }

  void write_manifest(const std::string& text) { std::ofstream(folder_ / "grader.toml") << text; }
  void add(const std::string& student, const std::string& text, std::int64_t time = 1) {
    found_.attempts.push_back(hand_in(student, text, time));
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
  /// A run that finds only these attempts.
  void take_in(const std::vector<HandIn>& attempts) {
    found_ = {};
    found_.source = "/in";
    found_.attempts = attempts;
    for (const auto& one : attempts) found_.students.push_back(one.student);
    run();
  }
  std::vector<WantedGrade> wanted(bool retry = false) {
    return book_.wanted(identity_, selected_, {}, retry);
  }
  void grade(double points, const std::vector<std::string>& only = {}) {
    for (const auto& one : book_.wanted(identity_, selected_, only, true)) {
      book_.keep({outcome(points)}, {one});
    }
  }
  static Outcome outcome(double points) {
    BookGrade out;
    out.points = points;
    out.max_points = 10;
    out.verdict = points == 10 ? report::Verdict::kPass : report::Verdict::kFail;
    out.reason = points == 10 ? report::Reason::kNone : report::Reason::kIncorrect;
    out.device = "k40, h200";
    out.provenance.time = "2026-11-20T12:00:00Z";
    return {"", "w1", run::Backend::kSim, out};
  }
  /// Sets ada's points by hand; NULL takes that back.
  void adjust(const std::string& points) {
    book_.database().run(
        "INSERT INTO adjustment (student, lab, exercise, points, who, why) VALUES ('ada', 'lab', "
        "'copy', " +
        points + ", 'eve', 'was ill')");
  }
  std::string standing(const std::string& what) {
    Statement ask(book_.database(), "SELECT " + what + " FROM standing WHERE exercise = 'copy'");
    ask.step();
    return ask.is_null(0) ? "null" : ask.text(0);
  }
  std::string said(const std::string& exercise = "copy") {
    return listed("coalesce(points, 'open: ' || open_reason)", "standing", exercise);
  }
  /// Each student of a view with the value that is asked for, unless that is NULL.
  std::string listed(const std::string& value, const std::string& view,
                     const std::string& exercise = "copy") {
    Statement ask(book_.database(),
                  "SELECT group_concat(student || ' ' || value, '; ') FROM (SELECT student, " +
                      value + " AS value FROM " + view +
                      " WHERE exercise = :exercise ORDER BY student)");
    return ask.bind(":exercise", exercise).step() ? ask.text(0) : std::string();
  }

  static fs::path new_folder() {
    const auto out = fs::path(testing::TempDir()) / "warpgrade_book";
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

TEST_F(BookTest, TheSameContentIsGradedOnceAndCreditedToEach) {
  take_in({hand_in("ada", "same", 1), hand_in("bob", "same", 2), hand_in("cyd", "other", 3)});
  EXPECT_EQ(2U, wanted().size());
  grade(10);
  EXPECT_TRUE(wanted().empty());
  Statement ask(book_.database(), "SELECT count(*) FROM standing WHERE verdict = 'pass'");
  ASSERT_TRUE(ask.step());
  EXPECT_EQ(3, ask.integer(0));
}

TEST_F(BookTest, AnotherManifestOrProgramMakesAnotherGradeAndTheOldOneStays) {
  take_in({hand_in("ada", "k", 1)});
  grade(3);
  identity_.program = "v2";
  EXPECT_EQ(1U, wanted().size());
  grade(10);
  std::ofstream(folder_ / "grader.toml") << "changed";
  take_in({hand_in("ada", "k", 1)});
  EXPECT_EQ(1U, wanted().size());
  // The current manifest has no grade yet, and the old manifest's grade does not count.
  EXPECT_EQ("not graded yet", standing("open_reason"));
  Statement ask(book_.database(), "SELECT group_concat(points) FROM grade");
  ASSERT_TRUE(ask.step());
  EXPECT_EQ("3.0,10.0", ask.text(0));
}

TEST_F(BookTest, EachFactOfAGradeHasItsColumn) {
  take_in({hand_in("ada", "k", 1)});
  const BookGrade grade{7,
                        9,
                        report::Verdict::kFail,
                        report::Reason::kPerformance,
                        "h200",
                        "NVIDIA H200",
                        {"0.2.0", "6885a25", "13.0.88", "2026-11-22T14:20:00Z"},
                        2.5,
                        "{}",
                        "seen",
                        "page",
                        {"speed", "speed_2"}};
  const auto one = wanted().front();
  book_.keep({{"", "w1", run::Backend::kGpu, grade}}, {one});
  Statement ask(book_.database(),
                "SELECT points, max_points, verdict, reason, backend, device, card, "
                "grader_version, grader_commit, toolkit, graded_at, seconds, worker, report, text, "
                "CAST(page AS TEXT), waived, key, lab, exercise FROM grade");
  ASSERT_TRUE(ask.step());
  std::vector<std::string> row;
  for (int column = 0; column < 20; ++column) row.push_back(ask.text(column));
  EXPECT_THAT(
      row, testing::ElementsAre("7.0", "9.0", "fail", "performance", "gpu", "h200", "NVIDIA H200",
                                "0.2.0", "6885a25", "13.0.88", "2026-11-22T14:20:00Z", "2.5", "w1",
                                "{}", "seen", "page", "speed, speed_2", one.key, "lab", "copy"));
}

TEST_F(BookTest, AGradeCannotBeChangedNorDeleted) {
  take_in({hand_in("ada", "k", 1)});
  grade(3);
  EXPECT_THROW(book_.database().run("UPDATE grade SET points = 10"), base::ToolError);
  EXPECT_THROW(book_.database().run("DELETE FROM grade"), base::ToolError);
  EXPECT_THROW(book_.database().run("INSERT INTO attempt VALUES (9, 'nobody', 'lab', 'copy', '', "
                                    "'', '', 0, '', '')"),
               base::ToolError);
}

TEST_F(BookTest, WhatCouldNotBeJudgedStaysOpenUntilItIsTakenAgain) {
  take_in({hand_in("ada", "k", 1)});
  const Trouble trouble{Trouble::Kind::kNoGrade, "no compiler"};
  book_.keep({{"", "w1", run::Backend::kSim, trouble}}, {wanted().front()});
  EXPECT_TRUE(wanted().empty());
  EXPECT_EQ("null", standing("points"));
  EXPECT_EQ("no compiler", standing("open_reason"));
  EXPECT_THAT(csv_text(book_.database()), testing::HasSubstr("ada,lab,copy,,10,error,tool,"));
  EXPECT_EQ(1U, wanted(true).size());
  grade(10);
  EXPECT_EQ("10.0", standing("points"));
  EXPECT_EQ("null", standing("open_reason"));
}

TEST_F(BookTest, ThePolicySaysWhichAttemptCounts) {
  const std::vector<HandIn> all = {hand_in("ada", "first", 100), hand_in("ada", "second", 200),
                                   hand_in("ada", "third", 300)};
  rules_.policy = Policy::kBest;
  take_in(all);
  ASSERT_EQ(3U, wanted().size());
  for (const auto& one : wanted()) {
    const auto text = book_.task_of(one).files.at(0).bytes;
    book_.keep({outcome(text == "first" ? 2 : text == "second" ? 7 : 5)}, {one});
  }
  EXPECT_EQ("7.0", standing("points"));
  rules_.policy = Policy::kFirst;
  take_in(all);
  EXPECT_EQ("2.0", standing("points"));
  rules_.policy = Policy::kLatest;
  take_in(all);
  EXPECT_EQ("5.0", standing("points"));
  EXPECT_EQ("3", standing("attempts"));
}

TEST_F(BookTest, LateWorkLosesItsShareAndHandsMayChangePoints) {
  rules_.deadlines[""] = 100;
  rules_.late.share_a_day = 0.25;
  take_in({hand_in("ada", "k", 101)});
  grade(10);
  EXPECT_EQ("7.5", standing("points"));
  EXPECT_EQ("10.0", standing("full_points"));
  adjust("9");
  EXPECT_EQ("9.0", standing("points"));
  EXPECT_EQ("was ill", standing("adjusted_why"));
  EXPECT_THROW(book_.database().run("DELETE FROM adjustment"), base::ToolError);
  adjust("NULL");
  EXPECT_EQ("7.5", standing("points"));
}

TEST_F(BookTest, CsvHasARowForEachStudentAndExercise) {
  take_in({hand_in("=cmd()", "k", 0)});
  grade(10);
  const auto csv = csv_text(book_.database());
  EXPECT_THAT(csv, testing::StartsWith("student,lab,exercise,points,max_points,verdict,reason,"
                                       "sha256,backend,device,submitted_at,graded_at,"));
  // The apostrophe keeps spreadsheets from reading the name as a formula.
  EXPECT_THAT(csv, testing::HasSubstr("\r\n'=cmd(),lab,copy,10,10,pass,none,"));
  EXPECT_THAT(csv, testing::HasSubstr("\"k40, h200\",1970-01-01T00:00:00Z,2026-11-20T12:00:00Z,"));
  EXPECT_THAT(csv, testing::HasSubstr("\r\n'=cmd(),lab,other,0,0,missing,none,,,,,,"));
}

TEST_F(BookTest, StatusTellsWhatIsOpen) {
  take_in({hand_in("ada", "k", 1)});
  EXPECT_THAT(status_text(book_.database(), "book.db", {}, text::Style(false)),
              testing::HasSubstr("ada lab/copy: not graded yet"));
}

TEST(BookSchema, RefusesWhatIsNoBookAndWhatIsOfAnotherProgram) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade_other.db";
  fs::remove(file);
  {
    Sqlite other(file, Sqlite::Open::kWrite);
    other.run("CREATE TABLE mine (x)");
  }
  EXPECT_THROW(Book{file}, base::ToolError);
  fs::remove(file);
  { Book book{file}; }
  for (const char* version : {"5", "99"}) {
    {
      Sqlite other(file, Sqlite::Open::kWrite);
      other.run(std::string("PRAGMA user_version = ") + version);
    }
    try {
      Book book{file};
      ADD_FAILURE() << version;
    } catch (const base::ToolError& error) {
      EXPECT_THAT(error.what(),
                  testing::HasSubstr(std::string("the book is of version ") + version));
      EXPECT_THAT(error.what(), testing::HasSubstr("`warpgrade class export BOOK`"));
    }
  }
  fs::remove(file);
}

// Ungraded work, attempts that have disappeared, manifests that change and change back, and
// forgotten students.

TEST_F(BookTest, AManifestThatIsRestoredFindsItsGradesAgain) {
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

TEST_F(BookTest, AProgramThatIsRestoredFindsItsGradesAgain) {
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

TEST_F(BookTest, ARunForSomeStudentsLeavesTheGradesOfTheOthers) {
  add("ada", "a");
  add("bob", "b");
  run();
  grade(10);
  identity_.program = "v2";
  run({"ada"});
  grade(5, {"ada"});
  EXPECT_EQ("ada 5.0; bob 10.0", said());
}

TEST_F(BookTest, AnotherSolutionIsAnotherManifest) {
  course::Lab lab = lab_;
  lab.folder = folder_ / "labs" / "lab";
  fs::create_directories(lab.folder);
  const auto without = manifest_hash(lab);
  fs::create_directories(folder_ / "solutions" / "lab");
  std::ofstream(folder_ / "solutions" / "lab" / "copy.cu") << "solution";
  EXPECT_NE(without, manifest_hash(lab));
}

TEST_F(BookTest, WorkThatIsNotGradedIsOpenAndNoZero) {
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

TEST_F(BookTest, WorkOfAnUnknownStudentLeavesThoseOpenOfWhomNothingCame) {
  rules_.roster.resize(2);
  rules_.roster.at(0).student = "ada";
  rules_.roster.at(1).student = "bob";
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

TEST_F(BookTest, ALaterFileThatCouldNotBeReadLeavesTheLatestOpen) {
  add("ada", "kernel", 100);
  add_open("ada", "copy.cu", "copy", "it is damaged", 200);
  run();
  grade(3);
  EXPECT_THAT(said(), testing::HasSubstr("it is damaged"));
  rules_.policy = Policy::kFirst;
  run();
  EXPECT_EQ("ada 3.0", said());
}

TEST_F(BookTest, TheStateOfWorkSaysWhatItsPointsDependOn) {
  for (const auto* student : {"ada", "bob", "cyd", "dan", "eve", "flo"}) {
    rules_.roster.emplace_back().student = student;
  }
  add("ada", "kernel");
  run();
  grade(10);
  add("bob", "another");
  add_open("cyd", "copy.cu", "copy", "it is damaged");
  run();
  const std::int64_t later = 4'000'000'000;
  grant(book_.database(),
        {"dan", "lab", "", ExceptionKind::kExtension, later, 0, "eve", "ill", ""});
  grant(book_.database(), {"eve", "", "", ExceptionKind::kExcuse, 0, 0, "eve", "ill", ""});
  const auto states = [&] { return listed("state", "decided_work"); };
  EXPECT_EQ("ada graded; bob ungraded; cyd unread; dan not due; eve excused; flo missing",
            states());
  add("gus", "kernel");
  run();
  EXPECT_EQ(
      "ada graded; bob ungraded; cyd unread; dan unmatched; eve excused; flo unmatched; gus graded",
      states());
  EXPECT_EQ("ada kernel; bob another; gus kernel",
            listed("(SELECT bytes FROM bundle_file AS f WHERE f.bundle = w.bundle)",
                   "expected_work AS w"));
  EXPECT_EQ("cyd copy.cu; dan gus; eve gus; flo gus",
            listed("coalesce(file_name, stranger)", "possible_work"));
}

TEST_F(BookTest, TheMostSpecificExceptionAndTheNewestAdjustmentHold) {
  add("ada", "kernel");
  run();
  auto& book = book_.database();
  grant(book,
        {"ada", "lab", "copy", ExceptionKind::kExtension, 100, 0, "eve", "of the exercise", ""});
  grant(book, {"ada", "lab", "", ExceptionKind::kExtension, 200, 0, "eve", "of the lab", ""});
  grant(book, {"ada", "", "", ExceptionKind::kExtension, 300, 0, "eve", "of all", ""});
  EXPECT_EQ("ada of the exercise", listed("why", "held_exception"));
  take_back(book, {"ada", "lab", "copy", ExceptionKind::kExtension, 0, 0, "eve", "over", ""});
  EXPECT_EQ("ada of the lab", listed("why", "held_exception"));
  for (const auto* points : {"3", "NULL", "5"}) adjust(points);
  EXPECT_EQ("ada 5.0", listed("points", "newest_adjustment"));
}

TEST_F(BookTest, AttemptsThatAreNotFoundAgainDoNotCount) {
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

TEST_F(BookTest, AnotherExportIsReadBesideTheFirst) {
  add("ada", "kernel");
  run();
  grade(10);
  found_ = {};
  found_.source = "/in2";
  add("bob", "kernel");
  run();
  EXPECT_EQ("ada 10.0; bob 10.0", said());
}

TEST_F(BookTest, AForgottenStudentComesBackWithTheirAdjustments) {
  add("ada", "kernel");
  run();
  grade(3);
  adjust("9");
  book_.forget("ada");
  EXPECT_EQ("", said());
  run();
  EXPECT_EQ("ada 9.0", said());
}

TEST_F(BookTest, AStudentOfWhomOnlyAnAdjustmentIsLeftStays) {
  add("ada", "kernel");
  run();
  adjust("9");
  take_in({});
  EXPECT_EQ("ada 9.0", said());
}

TEST_F(BookTest, ExercisesThatAreNotSelectedAnyMoreCostNothing) {
  add("ada", "kernel");
  run();
  EXPECT_EQ("ada 0.0", said("other"));
  selected_.pop_back();
  run();
  EXPECT_EQ("", said("other"));
}

TEST_F(BookTest, OfAttemptsOfOneTimeTheLastOneCounts) {
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

TEST(Lock, IsOnesUntilItGoes) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade.lock";
  {
    const Lock first(file);
    EXPECT_THROW(Lock second(file), base::UsageError);
  }
  EXPECT_NO_THROW(Lock third(file));
  EXPECT_THROW(Lock(fs::path("/nowhere/x.lock")), base::ToolError);
  fs::remove(file);
}

}  // namespace warpgrade::grader::class_book::book_test

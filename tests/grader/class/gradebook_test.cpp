// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gradebook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::gradebook_test {

/// A grade of `exercise`, of 10 points at most; no `points` while the work is open.
report::ClassGrade gradebook_grade(const std::string& student, const std::string& exercise,
                                   std::optional<double> points) {
  report::ClassGrade out;
  out.student = student;
  out.lab = "lab";
  out.exercise = exercise;
  out.points = points;
  out.max_points = 10;
  return out;
}

/// Work that the student is excused from.
report::ClassGrade excused_grade(const std::string& student, const std::string& exercise) {
  auto out = gradebook_grade(student, exercise, std::nullopt);
  out.excused = true;
  return out;
}

/// The text of `file` with the grades filled in.
std::string filled_gradebook(const std::string& file, const std::vector<report::ClassGrade>& grades,
                             const std::map<std::string, std::string>& titles = {}) {
  return fill_gradebook(read_gradebook(file, "roster.csv"), grades, {titles});
}

// CSV files of every platform are written back unchanged.

TEST(CsvTable, UnchangedFilesAreTheSameBytes) {
  const std::string utf16("\xff\xfe\"\0N\0\"\0\t\0\xdc\0\r\0\n\0", 16);
  for (const auto& bytes : {std::string("a,\"b, \"\"c\"\"\"\r\n1,2\r\n"), std::string("a;b\n1;2"),
                            std::string("\xef\xbb\xbf\"a\"\t\"b\"\n"), std::string("a\n\nb\n"),
                            std::string("a,\"two\r\nlines\"\n"), utf16}) {
    EXPECT_EQ(bytes, CsvTable(bytes).bytes());
  }
}

TEST(CsvTable, CellsAreReadWithoutTheirQuotes) {
  const CsvTable table("Student,ID\r\n\"Doe, \"\"J\"\"\",1\r\n");
  EXPECT_EQ("Doe, \"J\"", table.text(1, 0));
  EXPECT_EQ("1", table.text(1, 1));
  EXPECT_EQ("", table.text(1, 2));
  const CsvTable wide(std::string_view("\xff\xfeN\0\t\0\xfc\0\x3d\xd8\x00\xde", 12));
  EXPECT_EQ("\xc3\xbc\xf0\x9f\x98\x80", wide.text(0, 1));
}

TEST(CsvTable, ChangedCellsAreQuotedAsTheFileIs) {
  CsvTable plain("a,b\n1,2\n");
  plain.put(1, 1, "7.5");
  EXPECT_EQ("a,b\n1,7.5\n", plain.bytes());
  CsvTable quoted("\"a\"\t\"b\"\n\"1\"\t\n");
  quoted.put(1, 1, "7.5");
  EXPECT_EQ("\"a\"\t\"b\"\n\"1\"\t\"7.5\"\n", quoted.bytes());
  plain.insert_column(1);
  EXPECT_EQ("a,,b\n1,,7.5\n", plain.bytes());
}

// Gradebooks of each platform: read, filled in, written back. The files have the forms that the
// platforms document:
//   Canvas       community.canvaslms.com, "How do I import grades in the Gradebook?": columns
//                Student, ID, SIS User ID, SIS Login ID, Section, then "Title (assignment ID)".
//                The second row has the points possible; EX marks an excused student.
//   Moodle       docs.moodle.org, "Grade export" and "Grade import": identity columns, then
//                "Assignment: Title (Real)"; "-" is an empty grade.
//   Blackboard   help.blackboard.com, "Work Offline with Grade Data": tab-delimited UTF-16, titles
//                with "[Total Pts: 10 Score] |column ID".
//   Brightspace  documentation.brightspace.com, "Import grades": OrgDefinedId and Username begin
//                with "#"; then "Title Points Grade <Numeric MaxPoints:10>", End-of-Line Indicator.

constexpr const char* kCanvas =
    "Student,ID,SIS User ID,SIS Login ID,Section,Copy (4711),Essay (4712),Final Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,10,5,(read only)\r\n"
    "\"Doe, Jane\",101,S1,jdoe,Lab A,,4,80\r\n"
    "\"King, Ada, Countess\",102,S2,ada,Lab A,EX,,\r\n"
    "\"Roe, Bob\",103,S3,bob,Lab A,3,,\r\n"
    "\"Student, Test\",199,,0f0f,Lab A,,,\r\n";

TEST(GradebookTest, CanvasGetsItsFileBackWithPoints) {
  const auto book = read_gradebook(kCanvas, "");
  EXPECT_EQ(GradebookKind::kCanvas, book.kind);
  ASSERT_EQ(3U, book.students.size());
  EXPECT_EQ("jdoe", book.students[0].student);
  EXPECT_EQ("Jane Doe", book.students[0].name);
  EXPECT_EQ("101", book.students[0].id);
  EXPECT_EQ("S1", book.students[0].number);
  // Ada is excused, and Bob's work is open: his old grade does not count any more.
  EXPECT_EQ(
      "Student,ID,SIS User ID,SIS Login ID,Section,Copy (4711),Essay (4712),Final Score,"
      "lab/other\r\n"
      ",,,,,Manual Posting,,,\r\n"
      "    Points Possible,,,,,10,5,(read only),10\r\n"
      "\"Doe, Jane\",101,S1,jdoe,Lab A,7.5,4,80,2\r\n"
      "\"King, Ada, Countess\",102,S2,ada,Lab A,EX,,,0\r\n"
      "\"Roe, Bob\",103,S3,bob,Lab A,,,,\r\n"
      "\"Student, Test\",199,,0f0f,Lab A,,,,\r\n",
      filled_gradebook(kCanvas,
                       {gradebook_grade("jdoe", "copy", 7.5), gradebook_grade("jdoe", "other", 2),
                        gradebook_grade("ada", "copy", 0), gradebook_grade("ada", "other", 0),
                        gradebook_grade("bob", "copy", std::nullopt),
                        gradebook_grade("bob", "other", std::nullopt)}));
}

TEST(GradebookTest, MoodleKeepsTheDashOfWorkWithoutAGrade) {
  const std::string file =
      "\"First name\",\"Last name\",\"ID number\",\"Email address\",\"Assignment: Copy (Real)\","
      "\"Last downloaded from this course\"\n"
      "Jane,Doe,1001,jane@x.edu,-,1\nJane,Doe,1002,jd2@x.edu,-,1\n\xe6\x98\x8e,\xe6\x9d\x8e,1003,"
      "li@x.edu,5.00,1\n";
  const auto book = read_gradebook(file, "");
  EXPECT_EQ(GradebookKind::kMoodle, book.kind);
  ASSERT_EQ(3U, book.students.size());
  EXPECT_EQ("jane@x.edu", book.students[0].student);
  EXPECT_EQ("jd2@x.edu", book.students[1].student);
  const auto out =
      filled_gradebook(file, {gradebook_grade("jane@x.edu", "copy", 10),
                              gradebook_grade("jd2@x.edu", "copy", std::nullopt),
                              gradebook_grade(book.students[2].student, "copy", std::nullopt)});
  EXPECT_THAT(out, testing::HasSubstr("Jane,Doe,1001,jane@x.edu,\"10\",1\n"));
  EXPECT_THAT(out, testing::HasSubstr("Jane,Doe,1002,jd2@x.edu,-,1\n"));
  EXPECT_THAT(out, testing::HasSubstr("li@x.edu,\"\",1\n"));
  EXPECT_EQ(file.substr(0, file.find('\n')), out.substr(0, out.find('\n')));
}

TEST(GradebookTest, MoodlesGradingWorksheetHasTheNumbersOfParticipants) {
  const auto book = read_gradebook(
      "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\"\n"
      "\"Participant 123\",\"Jane Doe\",j@x.edu,Submitted,,10.00\n",
      "");
  EXPECT_EQ(GradebookKind::kMoodle, book.kind);
  EXPECT_EQ("123", book.students.at(0).id);
}

TEST(GradebookTest, BlackboardStaysUtf16WithTabs) {
  const auto wide = [](const std::string& text) {
    std::string out = "\xff\xfe";
    for (const char c : text) out += std::string(1, c) + '\0';
    return out;
  };
  const std::string head =
      "\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Student ID\"\t\"Last Access\"\t"
      "\"Availability\"\t\"Copy [Total Pts: 10 Score] |_99_1\"\n";
  const auto row = std::string("\"Doe\"\t\"Jane\"\t\"jdoe\"\t\"S1\"\t\"\"\t\"Yes\"\t\"");
  const auto book = read_gradebook(wide(head + row + "\"\n"), "");
  EXPECT_EQ(GradebookKind::kBlackboard, book.kind);
  EXPECT_EQ("jdoe", book.students.at(0).student);
  EXPECT_EQ(wide(head + row + "7.5\"\n"),
            filled_gradebook(wide(head + row + "\"\n"), {gradebook_grade("jdoe", "copy", 7.5)}));
  EXPECT_EQ(
      wide(head + row + "Exempt\"\n"),
      filled_gradebook(wide(head + row + "Exempt\"\n"), {gradebook_grade("jdoe", "copy", 0)}));
}

TEST(GradebookTest, BrightspaceHasItsEndMarkLast) {
  const std::string head =
      "OrgDefinedId,Username,Last Name,First Name,Email,Copy Points Grade <Numeric MaxPoints:10>,";
  const std::string row = "#1001,#jdoe,Doe,Jane,j@x.edu,";
  const auto book = read_gradebook(head + "End-of-Line Indicator\r\n" + row + ",#\r\n", "");
  EXPECT_EQ(GradebookKind::kBrightspace, book.kind);
  EXPECT_EQ("jdoe", book.students.at(0).student);
  EXPECT_EQ("1001", book.students.at(0).number);
  EXPECT_EQ(head + "lab/other Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\r\n" + row +
                "7.5,3,#\r\n",
            filled_gradebook(
                head + "End-of-Line Indicator\r\n" + row + ",#\r\n",
                {gradebook_grade("jdoe", "copy", 7.5), gradebook_grade("jdoe", "other", 3)}));
}

TEST(GradebookTest, StudentsThatNothingTellsApartAreAMistake) {
  EXPECT_THROW(read_gradebook("student,name\nada,A\nada,B\n", "r"), base::UsageError);
  EXPECT_THROW(read_gradebook("First name,Last name,Email address\nJane,Doe,\nJane,Doe,\n", "r"),
               base::UsageError);
  EXPECT_THROW(read_gradebook("points,remark\n1,2\n", "r"), base::UsageError);
  EXPECT_THROW(read_gradebook("", "r"), base::UsageError);
}

TEST(GradebookTest, NamesAreSplitAtTheComma) {
  EXPECT_EQ(std::pair(std::string("Jane"), std::string("Doe")), split_name("Doe, Jane"));
  EXPECT_EQ(std::pair(std::string("Jane M."), std::string("Doe")), split_name("Jane M. Doe"));
  EXPECT_EQ(std::pair(std::string(), std::string("Prince")), split_name("Prince"));
}

// The gradebook columns that get points: by titles in class.toml, by exercise and by lab.

TEST(GradebookFill, AColumnOfALabGetsTheSumAndIsBlankIfOneIsOpen) {
  const std::string head = "student;name;Week 1\n";
  const auto file = head + "ada;Ada;\nbob;Bob;\n";
  EXPECT_EQ(head + "ada;Ada;5.5\nbob;Bob;\n",
            filled_gradebook(
                file,
                {gradebook_grade("ada", "copy", 3), gradebook_grade("ada", "other", 2.5),
                 gradebook_grade("bob", "copy", 3), gradebook_grade("bob", "other", std::nullopt)},
                {{"lab", "Week 1"}}));
}

// Moodle's assignments have 100 points by default.
TEST(GradebookFill, AnotherMaximumIsNamedAndMayScaleThePoints) {
  const std::string head = "Identifier,Full name,Grade,Maximum grade,Feedback comments\n";
  const auto file = head + "Participant 1,Ada,,100.00,\nParticipant 2,Bob,,100.00,kept\n";
  const auto book = read_gradebook(file, "");
  const std::vector<report::ClassGrade> grades = {gradebook_grade("Ada", "copy", 7.5),
                                                  gradebook_grade("Bob", "copy", std::nullopt)};
  FillRules rules;
  rules.titles = {{"lab/copy", "Grade"}};
  rules.feedback = {{"Ada", "two\nlines"}, {"Bob", "other"}};
  const auto other = other_maxima(book, grades, rules.titles);
  ASSERT_EQ(1U, other.size());
  EXPECT_EQ(
      "lab/copy has 10 points, and its column `Grade` has 100: full points appear there as 10 of "
      "100; "
      "set the column's maximum to 10 on the platform, or write scale = \"column\" into class.toml",
      described(other[0], PointScale::kPoints));
  EXPECT_EQ(head + "Participant 1,Ada,7.5,100.00,\"two\nlines\"\nParticipant 2,Bob,,100.00,kept\n",
            fill_gradebook(book, grades, rules));
  rules.scale = PointScale::kColumn;
  EXPECT_EQ(head + "Participant 1,Ada,75,100.00,\"two\nlines\"\nParticipant 2,Bob,,100.00,kept\n",
            fill_gradebook(book, grades, rules));
  const auto canvas = read_gradebook(kCanvas, "");
  EXPECT_TRUE(other_maxima(canvas, {gradebook_grade("ada", "copy", 1)}, {}).empty());
  EXPECT_EQ(1U, other_maxima(canvas, {gradebook_grade("ada", "essay", 1)}, {}).size());
}

// Canvas imports EX as excused; imports of other platforms have no mark for it.
TEST(GradebookFill, ExcusedWorkIsMarkedInCanvasAndBlankElsewhere) {
  const std::string canvas = "Student,ID,SIS User ID,SIS Login ID,Section,copy (7)\n";
  const std::vector<report::ClassGrade> excused = {excused_grade("ada", "copy")};
  EXPECT_EQ(canvas + "Ada,1,S1,ada,A,EX\n",
            filled_gradebook(canvas + "Ada,1,S1,ada,A,0\n", excused));
  EXPECT_EQ("student,copy\nada,\n", filled_gradebook("student,copy\nada,0\n", excused));
  const std::string moodle = "First name,Last name,ID number,Email address,copy\n";
  auto grade = excused_grade("a@b.c", "copy");
  EXPECT_EQ(moodle + "Ada,L,1,a@b.c,-\n", filled_gradebook(moodle + "Ada,L,1,a@b.c,-\n", {grade}));
}

TEST(GradebookFill, AColumnOfALabLeavesExcusedWorkOut) {
  const std::string head = "Student,ID,SIS User ID,SIS Login ID,Section,Week 1\n";
  EXPECT_EQ(head + "Ada,1,S1,ada,A,3\nBob,2,S2,bob,A,EX\nCyd,3,S3,cyd,A,\n",
            filled_gradebook(
                head + "Ada,1,S1,ada,A,\nBob,2,S2,bob,A,\nCyd,3,S3,cyd,A,\n",
                {gradebook_grade("ada", "copy", 3), excused_grade("ada", "other"),
                 excused_grade("bob", "copy"), excused_grade("bob", "other"),
                 gradebook_grade("cyd", "copy", std::nullopt), excused_grade("cyd", "other")},
                {{"lab", "Week 1"}}));
}

}  // namespace warpgrade::grader::class_book::gradebook_test

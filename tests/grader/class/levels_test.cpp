// SPDX-License-Identifier: Apache-2.0
// Finds the level of the students in exports that people and platforms pack.
#include "grader/class/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::levels_test {

using testing::ElementsAre;

const std::set<std::string> kCourse = {"coalescing", "copy", "transpose"};

// "STUDENT" of each path, or "?".
std::vector<std::string> students(const std::vector<std::string>& paths,
                                  const std::vector<Enrolled>& roster = {},
                                  std::optional<std::size_t> level = {}) {
  const RosterNames names(roster);
  const StudentLevel found(paths, names, kCourse, level);
  std::vector<std::string> out;
  for (const auto& path : paths) {
    const auto place = found.place(path);
    EXPECT_EQ(place.path.empty(), !place.doubt.empty()) << path;
    out.push_back(place.path.empty() ? "?" : place.path.substr(0, place.path.find('/')));
  }
  return out;
}

Enrolled named(const std::string& login, const std::string& first, const std::string& last) {
  return {login, first + " " + last, login, "", "", login + "@uni.edu", first, last};
}

const std::vector<Enrolled> kRoster = {named("ada", "Ada", "King"), named("bob", "Bob", "Ek"),
                                       named("zoe", "Zoë", "Döe")};

TEST(StudentLevel, SingleFoldersAboveStudentsAreLeftOut) {
  EXPECT_THAT(students({"Lab 1/ada/copy.cu", "Lab 1/bob/copy.cu", "__MACOSX/Lab 1/._ada"}),
              ElementsAre("ada", "bob", "?"));
  EXPECT_THAT(students({"x/Lab 1/ada/a/copy.cu", "x/Lab 1/bob/copy.cu", "x/.DS_Store"}),
              ElementsAre("ada", "bob", "?"));
  EXPECT_THAT(students({"L/ada/work.zip", "L/bob/work.zip"}), ElementsAre("ada", "bob"));
}

TEST(StudentLevel, AStudentsOwnFoldersAreNoStudents) {
  EXPECT_THAT(students({"ada/coalescing/copy.cu", "ada/transpose/copy.cu"}),
              ElementsAre("ada", "ada"));
  EXPECT_THAT(students({"ada/1/copy.cu", "ada/2/copy.cu"}), ElementsAre("ada", "ada"));
  EXPECT_THAT(students({"ada/v1/copy.cu", "ada/final/copy.cu"}), ElementsAre("ada", "ada"));
  EXPECT_THAT(students({"ada/x/copy.cu", "ada/y/transpose.cu"}), ElementsAre("ada", "ada"));
  EXPECT_THAT(students({"ada/copy.cu", "bob/x/copy.cu", "bob/y/copy.cu"}),
              ElementsAre("ada", "bob", "bob"));
}

TEST(StudentLevel, TheRosterDecides) {
  EXPECT_THAT(students({"A/ada/copy.cu", "B/bob/copy.cu", "B/new/copy.cu"}, kRoster),
              ElementsAre("ada", "bob", "new"));
  EXPECT_THAT(students({"L/Döe, Zoë(zoe)/t/copy.cu", "L/King_Ada_ada_12/copy.cu"}, kRoster),
              ElementsAre("Döe, Zoë(zoe)", "King_Ada_ada_12"));
  EXPECT_THAT(students({"ada/Lab/copy.cu"}, kRoster), ElementsAre("ada"));
  EXPECT_THAT(students({"L/ada.zip", "L/bob.tar.gz"}, kRoster), ElementsAre("ada", "bob"));
  // A section beside a student.
  EXPECT_THAT(students({"ada/copy.cu", "zoe/copy.cu", "S/bob/copy.cu"}, kRoster),
              ElementsAre("ada", "zoe", "?"));
  EXPECT_THAT(students({"ada/copy.cu", "L/zoe/copy.cu", "L/bob/copy.cu", "L/new/copy.cu"}, kRoster),
              ElementsAre("ada", "zoe", "bob", "new"));
}

TEST(StudentLevel, AStrangersFolderIsNotThatOfTheStudentInIt) {
  EXPECT_THAT(students({"ada/copy.cu", "zoe/copy.cu", "new/bob/copy.cu"}, kRoster),
              ElementsAre("ada", "zoe", "?"));
  EXPECT_THAT(students({"ada/bob/copy.cu", "zoe/copy.cu"}, kRoster), ElementsAre("ada", "zoe"));
}

// "LEVEL FOLDER" of each choice.
std::vector<std::string> doubts(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const auto& one : doubtful_levels(paths, kCourse)) {
    out.push_back(std::to_string(one.level) + " " + one.folders.front());
  }
  return out;
}

TEST(DoubtfulLevels, AreThoseOfAFolderInASingleOne) {
  EXPECT_THAT(doubts({"Lab 1/ada/copy.cu", "__MACOSX/Lab 1/ada/._copy.cu"}),
              ElementsAre("1 ada", "0 Lab 1"));
  EXPECT_THAT(doubts({"ada/notes/copy.cu"}), ElementsAre("0 ada", "1 notes"));
  EXPECT_THAT(doubts({"x/Lab 1/ada/v2/copy.cu"}), ElementsAre("0 x", "2 ada"));
  EXPECT_THAT(doubts({"Lab 1/ada/copy.cu", "Lab 1/bob/transpose.cu"}),
              ElementsAre("1 ada", "0 Lab 1"));
  EXPECT_THAT(doubts({"Woche/ada.zip", "Woche/bob.zip"}), ElementsAre("0 Woche", "1 ada"));
}

TEST(DoubtfulLevels, AreAlsoThoseOfFoldersThatAreCalledAsAssignmentsAre) {
  EXPECT_THAT(doubts({"Lab 1/copy.cu"}), ElementsAre("0 Lab 1"));
  EXPECT_THAT(doubts({"Lab 1/copy.cu", "Lab 2/copy.cu"}), ElementsAre("0 Lab 1"));
  EXPECT_THAT(doubts({"coalescing/copy.cu"}), ElementsAre("0 coalescing"));
  EXPECT_THAT(doubts({"Section 1/ada/copy.cu", "Section 2/bob/copy.cu"}),
              ElementsAre("1 ada", "0 Section 1"));
}

TEST(DoubtfulLevels, MayHaveNumbersForStudents) {
  EXPECT_THAT(doubts({"Lab 1/1/copy.cu", "Lab 1/2/copy.cu"}), ElementsAre("1 1", "0 Lab 1"));
  EXPECT_EQ(1U, level_above_numbers({"lab/ada/3/copy.cu", "lab/bob/1/a/copy.cu", "lab/x.json"}));
  EXPECT_EQ(std::nullopt, level_above_numbers({"ada/3/copy.cu", "lab/bob/1/copy.cu"}));
}

TEST(DoubtfulLevels, DoNotExistInAStudentsFolder) {
  EXPECT_THAT(doubts({"ada/copy.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/work.zip"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/coalescing/copy.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/coalescing/my/copy.cu", "ada/notes/x.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/v1/copy.cu", "ada/final/copy.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/lab1/copy.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/copy.cu", "ada/more/copy.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"ada/x/copy.cu", "bob/y/copy.cu"}), ElementsAre());
  EXPECT_THAT(doubts({"copy.cu"}), ElementsAre());
}

TEST(DoubtfulLevels, KnowAssignmentsInSeveralLanguages) {
  for (const auto* name : {"Lab 1", "lab_02", "HW3", "Übungsblatt 4", "Aufgabe-5", "TP6", "作业 7",
                           "Лабораторная работа №8", "Práctica 9", "Άσκηση 1", "submissions"}) {
    EXPECT_TRUE(is_like_an_assignment(name)) << name;
  }
  for (const auto* name : {"ada", "jdoe12", "Laban", "lab", "Team 1", "301", "Doe, Jane(jdoe)"}) {
    EXPECT_FALSE(is_like_an_assignment(name)) << name;
  }
}

TEST(StudentLevel, ClassTomlSetsIt) {
  EXPECT_THAT(students({"A/B/ada/copy.cu", "copy.cu"}, {}, 2), ElementsAre("ada", "?"));
}

TEST(FoldersLikeStudents, HoldFilesOfTheSameName) {
  EXPECT_THAT(folders_like_students({"a/copy.cu", "b/x/Copy.CU", "c/transpose.cu"}, kCourse),
              ElementsAre("a", "b"));
  EXPECT_THAT(folders_like_students({"copy/x.cu", "b/x.cu", "2/x.cu", "old/x.cu"}, kCourse),
              ElementsAre());
}

}  // namespace warpgrade::grader::class_book::levels_test

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

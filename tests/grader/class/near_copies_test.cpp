// SPDX-License-Identifier: Apache-2.0
#include "grader/class/near_copies.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "grader/class/book.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::near_copies_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string kernel_of(int number, const char* name) {
  std::string out = "__global__ void copy(float* out) {\n";
  for (int i = 0; i < 20; ++i) {
    out += fmt::format("  float {}{} = out[{}] / {} - {};\n", name, i, 100 * number + i, i,
                       7 * number);
  }
  return out + "}\n";
}

class ClassSimilarTest : public testing::Test {
 protected:
  ClassSimilarTest() {
    course_.root = folder_.path();
    auto& lab = course_.labs.emplace_back();
    lab.id = "lab";
    lab.folder = course_.root / "labs/lab";
    lab.exercises.emplace_back().id = "copy";
    std::filesystem::create_directories(lab.folder);
    std::ofstream(lab.folder / "copy.cu") << kernel_of(9, "given");
    book_.database().run(
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm')");
  }

  void hand_in(const std::string& student, const std::string& text) {
    Statement put(book_.database(),
                  "INSERT INTO student (student, name, in_roster) VALUES (:student, '', 1)");
    put.bind(":student", student).run();
    const auto bundle = bundle_of({{"copy.cu", text}});
    Statement file(book_.database(),
                   "INSERT OR IGNORE INTO bundle_file VALUES (:bundle, 0, 'copy.cu', :bytes)");
    file.bind(":bundle", bundle).bind_bytes(":bytes", text).run();
    Statement attempt(
        book_.database(),
        "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
        "source, seen_at) VALUES (:student, 'lab', 'copy', :bundle, 's', 't', 0, 'f', 't')");
    attempt.bind(":student", student).bind(":bundle", bundle).run();
  }

  compile::TemporaryFolder folder_;
  course::Course course_;
  Book book_{folder_.path() / "book.db"};
};

TEST_F(ClassSimilarTest, FindsTheRenamedAndTheSameFileAndNotTheGivenOne) {
  hand_in("ada", kernel_of(1, "x"));
  hand_in("bob", kernel_of(1, "renamed"));
  hand_in("cyd", kernel_of(2, "x"));
  hand_in("dan", kernel_of(2, "x"));
  hand_in("eve", kernel_of(3, "x"));
  hand_in("fay", kernel_of(9, "given"));
  hand_in("gil", kernel_of(9, "given"));
  const auto found = near_copies(book_.database(), course_);
  ASSERT_EQ(2U, found.size());
  EXPECT_THAT(found[0].students, ElementsAre("cyd", "dan"));
  EXPECT_TRUE(found[0].other_students.empty());
  EXPECT_THAT(found[1].students, ElementsAre("ada"));
  EXPECT_THAT(found[1].other_students, ElementsAre("bob"));
  EXPECT_DOUBLE_EQ(1, found[1].share);
}

TEST(SimilarCsv, HasALineForEachPair) {
  const auto text = similar_csv({{"lab/copy", {"=ada", "bob"}, {"cyd"}, 0.875, 9, 3, 5}});
  EXPECT_THAT(text, HasSubstr("exercise,students,other_students,share,shared,line,other_line\r\n"));
  EXPECT_THAT(text, HasSubstr("lab/copy,'=ada bob,cyd,0.88,9,3,5\r\n"));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::near_copies_test

// SPDX-License-Identifier: Apache-2.0
// Chooses the chapters of the book, or makes no book. A script replaces `make_book.sh` here.
#include "grader/author/course_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/text/files.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::author::course_book_test {

class CourseBook : public testing::Test {
 protected:
  CourseBook() {
    for (const auto* id : {"second", "first", "bare"}) course_.labs.emplace_back().id = id;
    for (const auto* file : {"handouts/first.md", "handouts/second.md", "handouts/other.md"}) {
      folder_.write(file, "# A chapter\n");
    }
  }
  // Makes the book by a script that runs `body` with the variables `out` and `figures`; its
  // arguments are the chapters.
  bool make(const std::string& body) {
    folder_.write("handouts/make_book.sh", "set -e\nout=$2\nfigures=$3\nshift 3\n" + body + "\n");
    return make_course_book(course_, folder_.path());
  }
  std::string book() const { return text::read_file(book_of(folder_.path()), "book.html"); }

  compile::TemporaryFolder folder_;
  course::Course course_;
};

TEST_F(CourseBook, HasTheChaptersOfTheLabsInTheirOrder) {
  ASSERT_TRUE(
      make("for one; do basename \"$one\"; done >\"$out\"; basename \"$figures\" >>\"$out\""));
  EXPECT_EQ("second.md\nfirst.md\nhandouts\n", book());
}

TEST_F(CourseBook, IsLeftOutWithoutPandocOrChapters) {
  EXPECT_FALSE(make("exec no-such-pandoc"));
  course_.labs.clear();
  EXPECT_FALSE(make(": >\"$out\""));
}

TEST_F(CourseBook, SaysWhereItCannotBeMade) {
  try {
    make("exit 3");
    ADD_FAILURE() << "made";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), testing::EndsWith("pandoc could not make the book of the chapters"));
  }
}

}  // namespace warpgrade::grader::author::course_book_test

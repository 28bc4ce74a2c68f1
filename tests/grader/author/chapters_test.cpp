// SPDX-License-Identifier: Apache-2.0
#include "grader/author/chapters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "common/base/error.h"
#include "grader/text/files.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::author::chapters_test {

// Finds the figures that chapters show, and the missing ones.

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FiguresIn, AreTheImagesOfTheFiguresFolder) {
  EXPECT_THAT(figures_in("a ![one](figures/banks.svg) b ![two](figures/camping.svg)"),
              ElementsAre("banks", "camping"));
  EXPECT_THAT(figures_in("![x](figures/photo.png) [y](other/banks.svg) figures/banks.svg"),
              IsEmpty());
}

TEST(FiguresOf, AFolderAreNamedOnceAndMissingOnesAreTold) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "warpgrade-figures-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::filesystem::create_directories(folder / "handouts" / "figures");
  std::ofstream(folder / "handouts" / "b.md") << "![](figures/two.svg) ![](figures/one.svg)";
  std::ofstream(folder / "handouts" / "a.md") << "![](figures/one.svg)";
  std::ofstream(folder / "handouts" / "notes.txt") << "![](figures/three.svg)";
  std::ofstream(folder / "handouts" / "figures" / "one.svg") << "<svg/>";
  std::ofstream(folder / "handouts" / "figures" / "two.svg");  // empty
  EXPECT_THAT(figures_of(folder), ElementsAre("one", "two"));
  EXPECT_THAT(missing_figures(folder),
              ElementsAre("a chapter shows handouts/figures/two.svg, which is not there"));
  std::filesystem::remove_all(folder);
  EXPECT_THAT(figures_of(folder), IsEmpty());
}

// Chooses the chapters of the book, or makes no book. A script replaces `make_book.sh` here.

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

}  // namespace warpgrade::grader::author::chapters_test

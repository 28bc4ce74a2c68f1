// SPDX-License-Identifier: Apache-2.0
#include "grader/author/pack.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "common/base/error.h"
#include "grader/text/files.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::author::pack_test {

std::string rest_of(const std::string& text, std::size_t expected) {
  std::size_t count = 0;
  auto out = without_secret_cases(text, count);
  EXPECT_EQ(expected, count) << text;
  return out;
}

TEST(SecretCases, LinesOfASetAreTakenOut) {
  EXPECT_EQ("[cases.all]\na = { n = 1 }\nc = { n = 3 }  # stays\n",
            rest_of("[cases.all]\na = { n = 1 }\nb = { n = 2, secret = true }  # goes\n"
                    "c = { n = 3 }  # stays\n",
                    1));
}

TEST(SecretCases, SectionsOfASetAreTakenOut) {
  EXPECT_EQ("[cases.all.a]\nn = 1\n\n[cases.all.c]\nn = 3\n",
            rest_of("[cases.all.a]\nn = 1\n\n[cases.all.b]\nn = 2\nsecret = true\n\n"
                    "[cases.all.c]\nn = 3\n",
                    1));
}

TEST(SecretCases, ElementsOfAnExerciseAreTakenOut) {
  EXPECT_EQ("[[exercise]]\ncases = [\n  \"all\",\n  { name = \"c\", n = 3 },\n]\n",
            rest_of("[[exercise]]\ncases = [\n  \"all\",\n"
                    "  { name = \"b\", n = 2, secret = true },\n  { name = \"c\", n = 3 },\n]\n",
                    1));
  EXPECT_EQ("[[exercise]]\ncases = [{ name = \"a\", n = 1 }]\n",
            rest_of("[[exercise]]\ncases = [{ name = \"a\", n = 1 }, "
                    "{ name = \"b\", n = 2, secret = true }]\n",
                    1));
  EXPECT_EQ("[[exercise]]\n[[exercise.cases]]\nname = \"a\"\nn = 1\n\n[[exercise]]\n",
            rest_of("[[exercise]]\n[[exercise.cases]]\nname = \"a\"\nn = 1\n\n"
                    "[[exercise.cases]]\nname = \"b\"\nn = 2\nsecret = true\n\n[[exercise]]\n",
                    1));
}

TEST(SecretCases, OtherTextStays) {
  const std::string text =
      "title = \"\u00e9 secret = true\"\n[cases.all]\na = { n = 1, secret = false }\n# the end";
  EXPECT_EQ(text, rest_of(text, 0));
}

TEST(SecretCases, AnotherFormIsRefused) {
  std::size_t count = 0;
  EXPECT_THROW(without_secret_cases("[cases.all]\nb.n = 2\nb.secret = true\n", count),
               base::UsageError);
}

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = std::filesystem;

TEST(HiddenHints, ReadAsBefore) {
  EXPECT_EQ("hints_rot13 = [\n  \"Jurer?\\n\",\n  \"Gurer.\",\n]\ntitle = \"x\"\n",
            with_hidden_hints("hints = [\n  \"Where?\\n\",\n  \"There.\",\n]\ntitle = \"x\"\n"));
  EXPECT_EQ("hints_rot13 = [\"a[0]\", \"Gurer\"]\ntitle = \"x\"",
            with_hidden_hints("hints = [\"n[0]\", \"There\"]\ntitle = \"x\""));
}

// A course with one lab of one question, its solution, and files that no student should get.
class Pack : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        (std::string("pack_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    write("LICENSE", "license");
    write("labs/small/grader.toml", kManifest);
    write("labs/small/predict.toml", "factor = 0\n");
    write("solutions/small/predict.toml", "factor = 4\n");
    write("tests/labs/small/right/other.cu", "another right one");
    write("handouts/small.md", "for students");
    write("handouts/instructors.md", "for instructors");
    write("handouts/README.md", "the plan of the course");
    write("subprojects/fmt.wrap", "wrap");
    write("subprojects/fmt/fmt.h", "unpacked");
    write("notes_of_mine.txt", "somebody's");
    course_ = course::read_course(folder_ / "course", {});
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const fs::path& file, std::string_view text) {
    fs::create_directories((folder_ / "course" / file).parent_path());
    std::ofstream(folder_ / "course" / file) << text;
  }
  std::vector<std::string> files_in(const fs::path& folder) const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        out.push_back(entry.path().lexically_relative(folder).generic_string());
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  static constexpr std::string_view kManifest = R"toml(title = "Small"
summary = "For tests."

[[exercise]]
id = "predict"
title = "Predict"
hints = ["one"]

[[exercise.questions]]
id = "factor"
rule = "coarsening_factor"
on = "k40"
level = "block"
threads = 512
registers = 16
shared_bytes = 2048
points = 3
meaning = "The factor."
)toml";

  static constexpr std::string_view kStudy = R"toml(title = "Who stores what"
summary = "For tests."
devices = ["h200"]

[[access]]
title = "who stores"
device = "h200"
file = "who.cu"
kernel = "store"
grid = [1]
block = [8]
memory = "out"
operation = "store"
rows = 1
columns = 8
element_bytes = 4
labels = ["thread"]
colour = "thread"
parameters = "float* out"
shapes = { out = 8 }
)toml";

  fs::path folder_;
  course::Course course_;
};

TEST_F(Pack, HoldsWhatStudentsNeedAndNothingElse) {
  const auto packed = pack(course_, folder_ / "packed");
  EXPECT_THAT(files_in(folder_ / "packed"),
              ElementsAre("LICENSE", "handouts/small.md", "labs/small/grader.toml",
                          "labs/small/predict.toml", "subprojects/fmt.wrap"));
  EXPECT_EQ(5u, packed.files);
  EXPECT_THAT(leaks(course_, folder_ / "packed"), IsEmpty());
}

TEST_F(Pack, OpensInARoomOfItsOwn) {
  write(".devcontainer/devcontainer.json", "{}");
  pack(course_, folder_ / "packed");
  EXPECT_THAT(files_in(folder_ / "packed"), Contains(".devcontainer/devcontainer.json"));
  write_course_folder(course_, folder_ / "mine", "warpgrade");
  EXPECT_THAT(files_in(folder_ / "mine"), Not(Contains(".devcontainer/devcontainer.json")));
}

TEST_F(Pack, AFolderToWorkInHasTheCourseAndNoSources) {
  write("common/main.cpp", "source");
  const auto written = write_course_folder(course_, folder_ / "mine", "warpgrade");
  EXPECT_THAT(files_in(folder_ / "mine"),
              ElementsAre(".clangd", ".clangd_cuda/cuda_fp16.h", ".clangd_cuda/cuda_pipeline.h",
                          ".clangd_cuda/declarations.h", ".clangd_cuda/mma.h", "LICENSE",
                          "compile_flags.txt", "handouts/small.md", "labs/small/grader.toml",
                          "labs/small/predict.toml"));
  EXPECT_EQ(4u, written.files);
  EXPECT_THAT(leaks(course_, folder_ / "mine"), IsEmpty());
  EXPECT_THROW(write_course_folder(course_, folder_ / "mine", "warpgrade"), base::UsageError);
}

TEST_F(Pack, AFolderToWorkInMakesAnotherOne) {
  write_course_folder(course_, folder_ / "mine", "warpgrade");
  write_course_folder(course::read_course(folder_ / "mine", {}), folder_ / "another", "warpgrade");
  EXPECT_EQ(files_in(folder_ / "mine"), files_in(folder_ / "another"));
  std::ifstream in(folder_ / "another" / "labs/small/grader.toml");
  const std::string manifest{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(manifest, HasSubstr("hints_rot13 = [\"bar\"]"));
}

TEST_F(Pack, TheReadmeIsTheStudents) {
  write("README.md", "for who works on it");
  write("handouts/students.md", "for students");
  pack(course_, folder_ / "pack");
  std::ifstream readme(folder_ / "pack" / "README.md");
  std::string text;
  std::getline(readme, text);
  EXPECT_EQ("for students", text);
  EXPECT_FALSE(fs::exists(folder_ / "pack" / "handouts" / "students.md"));
}

TEST_F(Pack, BringsTheIncludeFoldersAlong) {
  write("labs/small/grader.toml",
        "include_folders = [\"own\", \"../../course_headers\"]\n" + std::string(kManifest));
  write("labs/small/own/a.h", "a");
  write("course_headers/course/b.h", "b");
  write("course_headers/__pycache__/c", "c");
  course_ = course::read_course(folder_ / "course", {});
  pack(course_, folder_ / "packed");
  EXPECT_THAT(files_in(folder_ / "packed"),
              ElementsAre("LICENSE", "course_headers/course/b.h", "handouts/small.md",
                          "labs/small/grader.toml", "labs/small/own/a.h", "labs/small/predict.toml",
                          "subprojects/fmt.wrap"));
  EXPECT_THAT(leaks(course_, folder_ / "packed"), IsEmpty());
  fs::remove_all(folder_ / "packed/course_headers");
  EXPECT_THAT(
      leaks(course_, folder_ / "packed"),
      ElementsAre(HasSubstr("include folder `../../course_headers`: the folder does not exist")));
}

TEST_F(Pack, AFigureThatAChapterShowsAndThatIsNotThereIsAFinding) {
  write("handouts/small.md", "![Who](figures/who.svg)\n\nand ![what](figures/what.svg)\n");
  write("handouts/figures/what.svg", "<svg></svg>");
  pack(course_, folder_ / "packed");
  EXPECT_THAT(missing_figures(folder_ / "packed"),
              ElementsAre("a chapter shows handouts/figures/who.svg, which is not there"));
}

TEST_F(Pack, FiguresAreDrawnByTheStudiesThatStayBehind) {
  if (std::system("command -v gnuplot > /dev/null") != 0) GTEST_SKIP() << "no gnuplot";
  write("handouts/small.md", "![Who](figures/who.svg)\n");
  write("studies/who.toml", kStudy);
  write("studies/who.cu", "__global__ void store(float* out) { out[threadIdx.x] = 1; }\n");
  pack(course_, folder_ / "packed");
  std::vector<std::string> drawn;
  const FigureSource source{
      folder_ / "course", {}, [&](std::size_t number, std::size_t all, const std::string& name) {
        drawn.push_back(fmt::format("{} of {}: {}", number, all, name));
      }};
  EXPECT_EQ(1u, add_figures(source, folder_ / "packed"));
  EXPECT_THAT(drawn, ElementsAre("1 of 1: who"));
  EXPECT_THAT(missing_figures(folder_ / "packed"), IsEmpty());
  EXPECT_THAT(files_in(folder_ / "packed"), Contains("handouts/figures/who.svg"));
  EXPECT_THAT(files_in(folder_ / "packed"), Not(Contains(HasSubstr("studies"))));
  std::ifstream in(folder_ / "packed" / "handouts/figures/who.svg");
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(svg, HasSubstr("who stores"));
}

TEST_F(Pack, FinishedFiguresAreCopiedAndThoseOfTheCourseAreKept) {
  write("handouts/small.md", "![a](figures/a.svg) ![b](figures/b.svg) ![c](figures/c.svg)\n");
  write("handouts/figures/a.svg", "a of the course");
  write("drawn/a.svg", "another a");
  write("drawn/b.svg", "b");
  write_course_folder(course_, folder_ / "mine", "warpgrade");
  const FigureSource source{folder_ / "course", folder_ / "course/drawn", {}};
  // c is in neither folder, and this course has no studies.
  EXPECT_THROW(add_figures(source, folder_ / "mine"), base::ToolError);
  const auto text_of = [&](const char* figure) {
    std::ifstream in(folder_ / "mine/handouts/figures" / figure);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  EXPECT_EQ("a of the course", text_of("a.svg"));
  EXPECT_EQ("b", text_of("b.svg"));
  write("drawn/c.svg", "c");
  EXPECT_EQ(3u, add_figures(source, folder_ / "mine"));
  EXPECT_THAT(missing_figures(folder_ / "mine"), IsEmpty());
}

TEST(ChapterFigures, AreThoseOfTheFiguresFolder) {
  EXPECT_THAT(
      figures_in("![a](figures/b.svg) [c](figures/d.md) ![e](f/g.svg)\n![h](figures/i.svg)"),
      ElementsAre("b", "i"));
}

TEST_F(Pack, ASolutionInASkeletonsPlaceIsALeak) {
  write("labs/small/predict.toml", "factor = 4\n");
  pack(course_, folder_ / "packed");
  EXPECT_THAT(
      leaks(course_, folder_ / "packed"),
      ElementsAre("labs/small/predict.toml has the content of solutions/small/predict.toml"));
}

TEST_F(Pack, AFolderThatIsInUseOrInsideTheProjectIsRefused) {
  pack(course_, folder_ / "packed");
  EXPECT_THROW(pack(course_, folder_ / "packed"), base::UsageError);
  EXPECT_THROW(pack(course_, folder_ / "course" / "inside"), base::UsageError);
}

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
    course_.root = folder_.path();
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

}  // namespace warpgrade::grader::author::pack_test

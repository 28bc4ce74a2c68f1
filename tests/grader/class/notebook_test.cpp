// SPDX-License-Identifier: Apache-2.0
// The work in notebooks, by the magic of a cell.
#include "grader/class/notebook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::class_book::notebook_test {

using testing::ElementsAre;
using testing::HasSubstr;

// A lab `small` whose exercise `twice` has the kernel `twice`.
class Notebooks : public testing::Test {
 protected:
  Notebooks() {
    course_.labs.push_back(course::parse_manifest(course::kManifest, "labs/small/grader.toml",
                                                  "small", course::kVocabulary));
    for (const auto& one : course_.labs[0].exercises) selected_.push_back({&course_.labs[0], &one});
  }
  static std::string notebook(const std::vector<std::string>& cells) {
    nlohmann::json out = {{"cells", nlohmann::json::array()}};
    for (const auto& text : cells) {
      out["cells"].push_back({{"cell_type", "code"}, {"source", text}});
    }
    return out.dump();
  }
  // "path: text" of each file that remains.
  std::vector<std::string> read(const std::string& bytes) {
    out_ = {};
    FoundFile file;
    file.path = "work.ipynb";
    file.bytes = bytes;
    std::vector<FoundFile> files = {file};
    take_notebooks(course_, selected_, "ada", "ada/", files, out_);
    std::vector<std::string> texts;
    for (const auto& one : files) texts.push_back(one.path + ": " + one.bytes);
    return texts;
  }
  FileState state() const { return out_.received.at(0).state; }
  const std::string& reason() const { return out_.received.at(0).reason; }

  course::Course course_;
  std::vector<course::Selected> selected_;
  HandedIn out_;
};

constexpr const char* kKernel = "__global__ void twice(float* out, const float* in, int n) {}";

TEST_F(Notebooks, TheLastCellOfAnExerciseIsTheSubmission) {
  EXPECT_THAT(read(notebook({"%load_ext warpgrade", "%%grade small/twice --backend sim\nfirst",
                             "%%grade --device h200 small/twice\nlast", "x = 1"})),
              ElementsAre("work.ipynb/small/twice.cu: last"));
  EXPECT_EQ(FileState::kPart, state());
}

TEST_F(Notebooks, AFileThatACellWritesIsOneAndMayBeContinued) {
  EXPECT_THAT(read(notebook({"%%writefile twice.cu\na\n", "%%writefile -a twice.cu\nb\n",
                             "%%writefile notes.txt\nc"})),
              ElementsAre("work.ipynb/notes.txt: c", "work.ipynb/small/twice.cu: a\nb\n"));
  // The graded cell is the student's own choice.
  EXPECT_THAT(read(notebook({"%%grade twice\nmine", "%%writefile twice.cu\nother"})),
              ElementsAre("work.ipynb/small/twice.cu: mine"));
}

TEST_F(Notebooks, AKernelIsWorkIfItsNameFitsAndNoHostProgramIsAroundIt) {
  EXPECT_THAT(
      read(notebook({std::string("%%cu\n") + kKernel, "%%cuda\n__global__ void other() {}"})),
      ElementsAre(std::string("work.ipynb/small/twice.cu: ") + kKernel));
  EXPECT_TRUE(
      read(notebook({std::string("%%cu\n") + kKernel + "\nint main() { return 0; }"})).empty());
  EXPECT_EQ(FileState::kOpen, state());
  EXPECT_THAT(reason(), HasSubstr("its cell 1 is a whole program with main(); hand in the kernel "
                                  "alone, in a cell that begins with %%grade small/twice"));
}

TEST_F(Notebooks, WhatIsNoWorkIsOpenWithItsReason) {
  EXPECT_TRUE(read(notebook({"print(1)"})).empty());
  EXPECT_EQ(FileState::kOpen, state());
  EXPECT_THAT(reason(), HasSubstr("no cell of it is work"));
  read("{ not json");
  EXPECT_THAT(reason(), HasSubstr("it is not a notebook"));
  read(notebook({"%%grade small/thrice\nx"}));
  EXPECT_THAT(reason(),
              HasSubstr("its cell 1 has %%grade small/thrice, which the course does not have"));
  read(R"({"cells":[1,{"cell_type":"code"},{"cell_type":"code","source":[1,2]}]})");
  EXPECT_EQ(FileState::kOpen, state());
}

TEST_F(Notebooks, LinesAndCellsOfOlderFormatsAreRead) {
  EXPECT_THAT(
      read(R"({"worksheets":[{"cells":[{"cell_type":"code","input":["%%grade twice\n","x"]}]}]})"),
      ElementsAre("work.ipynb/small/twice.cu: x"));
}

}  // namespace warpgrade::grader::class_book::notebook_test

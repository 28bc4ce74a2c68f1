// SPDX-License-Identifier: Apache-2.0
// A file to grade is read under the name that is shown.
#include "grader/cases/submission.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace {

class SubmissionTest : public testing::Test {
 protected:
  SubmissionTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "warpgrade-submission-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~SubmissionTest() override { std::filesystem::remove_all(folder); }
  Submission file_with(const std::string& text) const {
    std::ofstream(folder / "k.cu", std::ios::binary) << text;
    return {folder / "k.cu", "labs/a/k.cu"};
  }
  std::filesystem::path folder;
};

TEST_F(SubmissionTest, ItsTextHasTheShownName) {
  const auto read = read_submission(file_with("// a kernel\n"));
  const auto* request = std::get_if<compile::CompileRequest>(&read);
  ASSERT_NE(nullptr, request);
  EXPECT_EQ("labs/a/k.cu", request->file);
  EXPECT_EQ("// a kernel\n", request->source);
}

TEST_F(SubmissionTest, WhatIsNoSourceIsADiagnosticAtTheShownName) {
  const auto read = read_submission(file_with(std::string("a\n\0b", 4)));
  const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&read);
  ASSERT_NE(nullptr, wrong);
  EXPECT_EQ("labs/a/k.cu", wrong->front().where.file);
  EXPECT_EQ(2U, wrong->front().where.line);
}

TEST_F(SubmissionTest, AFileThatCannotBeReadIsNoFaultOfItsAuthor) {
  EXPECT_THROW(read_submission({folder / "none.cu", "none.cu"}), base::ToolError);
}

}  // namespace
}  // namespace warpgrade::grader

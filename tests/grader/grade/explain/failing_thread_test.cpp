// SPDX-License-Identifier: Apache-2.0
// Finds the thread of the first wrong element and its printed text, with the real compiler and
// simulator.
#include "grader/grade/explain/failing_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/grade/grading_session.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::grade::failing_thread_test {

class FailingThread : public testing::Test {
 protected:
  FailingThread() : cache_("XDG_CACHE_HOME", (folder_.path() / "cache").string()) {
    folder_.write(
        "labs/small/grader.toml",
        course::manifest_with("\"sectors\"", "\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\""));
    folder_.write("labs/small/reference.cu",
                  "__global__ void twice_reference(float* out, const float* in, int n) {\n"
                  "  out[blockIdx.x] = 2 * in[blockIdx.x];\n"
                  "}\n");
  }

  // Grades a kernel whose threads execute `body` for each element i below n.
  report::ExerciseReport grade(const std::string& body) {
    const auto file = folder_.write(
        "labs/small/twice.cu",
        "#include <cstdio>\n__global__ void twice(float* out, const float* in, int n) {\n"
        "  const int i = blockIdx.x * 256 + threadIdx.x;\n  if (i >= n) return;\n" +
            body + "}\n");
    const auto course = course::read_course(folder_.path(), {});
    const auto task = file_task(course, select(course, {"small/twice"}).front(), file);
    return GradingSession(run::Backend::kSim, "", 7).grade({task}).exercises.at(0);
  }

  compile::TemporaryFolder folder_;
  compile::ScopedVariable cache_;
};

// Thread 299 - 257 = 42 of block 0 writes element 257, which alone is wrong.
TEST_F(FailingThread, ItsTextStandsBeforeThatOfTheOthers) {
  const auto report = grade(
      "  const int j = n - 1 - i;\n"
      "  if (i % 42 == 0) printf(\"i %d j %d\\n\", i, j);\n"
      "  out[j] = 2 * in[j] + (j == 257);\n");
  EXPECT_EQ("ragged", report.printed_case);
  EXPECT_EQ("thread (42, 0, 0) of block (0, 0, 0), which writes out[257]", report.printed_thread);
  EXPECT_EQ("i 42 j 257\n", report.printed_first);
  EXPECT_EQ("i 0 j 299\ni 84 j 215\ni 126 j 173\ni 168 j 131\ni 210 j 89\ni 252 j 47\ni 294 j 5\n",
            report.printed);
}

TEST_F(FailingThread, OneThatPrintsNothingChangesNothing) {
  const auto report =
      grade("  if (i == 0) printf(\"here\\n\");\n  out[i] = 2 * in[i] + (i == 7);\n");
  EXPECT_EQ("", report.printed_first);
  EXPECT_EQ("here\n", report.printed);
}

TEST_F(FailingThread, AnElementThatNobodyWritesHasNone) {
  const auto report = grade("  printf(\"here\\n\");\n  if (i != 7) out[i] = 2 * in[i];\n");
  EXPECT_EQ("", report.printed_first);
  EXPECT_EQ(300U * 5, report.printed.size());
}

}  // namespace warpgrade::grader::grade::failing_thread_test

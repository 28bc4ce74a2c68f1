// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "grader/grade/explain/explanation.h"
#include "grader/grade/grading_session.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::grade::wrong_result_test {

// Finds the thread of the first wrong element and its printed text, with the real compiler and
// simulator.

class FailingThread : public testing::Test {
 protected:
  FailingThread() : cache_("XDG_CACHE_HOME", (folder_.path() / "cache").string()) {
    course::write_lab_of_stores(folder_);
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

// Patterns of wrong elements as text, and the map of an output.

std::string pattern(std::uint64_t rows, std::uint64_t columns,
                    const std::function<bool(std::uint64_t, std::uint64_t)>& is_set) {
  std::vector<bool> all;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    all.push_back(is_set(i / columns, i % columns));
  }
  return pattern_text(all, rows, columns);
}

TEST(WrongMap, WholeRowsAndColumnsAreNamed) {
  EXPECT_EQ("rows 8 to 31", pattern(32, 40, [](auto r, auto) { return r >= 8; }));
  EXPECT_EQ("row 5", pattern(32, 40, [](auto r, auto) { return r == 5; }));
  EXPECT_EQ("columns 0 and 30 to 39",
            pattern(9, 40, [](auto, auto c) { return c == 0 || c > 29; }));
  EXPECT_EQ("all rows and columns", pattern(9, 40, [](auto, auto) { return true; }));
}

TEST(WrongMap, ARectangleIsNamedByBoth) {
  EXPECT_EQ("rows 1 to 3 in column 7",
            pattern(9, 40, [](auto r, auto c) { return r >= 1 && r <= 3 && c == 7; }));
}

TEST(WrongMap, ElementsOfAVectorAreNamed) {
  EXPECT_EQ("elements 3 to 5", pattern(1, 9, [](auto, auto c) { return c >= 3 && c <= 5; }));
  EXPECT_EQ("of each 32 elements: elements 16 to 31",
            pattern(1, 300, [](auto, auto c) { return c % 32 >= 16; }));
}

TEST(WrongMap, WhatEachTileRepeatsIsSaidOnce) {
  EXPECT_EQ("in each tile of 32 x 32: rows 8 to 31",
            pattern(96, 64, [](auto r, auto) { return r % 32 >= 8; }));
  EXPECT_EQ("in each tile of 32 x 32: all elements off its diagonal",
            pattern(70, 64, [](auto r, auto c) { return r % 32 != c % 32; }));
}

TEST(WrongMap, AnUntransposedMatrixIsWrongOffItsDiagonal) {
  EXPECT_EQ("all off the diagonal", pattern(40, 40, [](auto r, auto c) { return r != c; }));
}

TEST(WrongMap, WithoutAPatternTheCornersAreNamed) {
  EXPECT_EQ("scattered over rows 2 to 7, columns 4 to 9",
            pattern(20, 20, [](auto r, auto c) { return r + 2 == c && r >= 2 && r <= 7; }));
}

// The exercise of kManifest with 300 elements: before, right and got.
class WrongMapOfOutputTest : public testing::Test {
 protected:
  WrongMapOfOutputTest()
      : lab_(course::parse_manifest(course::kManifest, "m.toml", "small", course::kVocabulary)) {
    expected_.before.resize(2);
    expected_.before[0].bytes = floats([](auto) { return -7.0F; });
    expected_.after.resize(2);
    expected_.after[0].bytes = floats([](auto i) { return static_cast<float>(i); });
    got_.resize(2);
    got_[0].bytes = expected_.after[0].bytes;
  }

  static std::vector<std::byte> floats(const std::function<float(std::size_t)>& value) {
    std::vector<std::byte> out(4 * 300);
    for (std::size_t i = 0; i < 300; ++i) {
      const float one = value(i);
      std::memcpy(&out[4 * i], &one, 4);
    }
    return out;
  }
  void put(std::size_t element, float value) {
    std::memcpy(&got_[0].bytes[4 * element], &value, 4);
  }
  std::optional<report::WrongMap> map() const {
    return wrong_map(cases::size_buffers(kernel_in(lab_).parameters, {{"n", 300}}), expected_,
                     got_);
  }

  course::Lab lab_;
  cases::Expected expected_;
  std::vector<run::Buffer> got_;
};

TEST_F(WrongMapOfOutputTest, ThereIsNoneWhereAllIsRight) { EXPECT_FALSE(map()); }

TEST_F(WrongMapOfOutputTest, WrongAndUnwrittenElementsAreToldApart) {
  put(10, -7);  // As before the launch.
  put(11, 3);
  const auto found = map();
  ASSERT_TRUE(found);
  EXPECT_EQ("out", found->output);
  EXPECT_EQ(2U, found->wrong);
  EXPECT_EQ(1U, found->unwritten);
  EXPECT_EQ("2 of 300 elements of out are wrong, 1 of them never written: elements 10 to 11",
            found->text);
  EXPECT_EQ(5U, found->cell_columns);  // 300 elements in 60 cells.
  ASSERT_EQ(60U, found->cells.size());
  EXPECT_EQ(2U, found->cells[2].wrong);
  EXPECT_EQ(1U, found->cells[2].unwritten);
}

TEST_F(WrongMapOfOutputTest, ANaNIsNeverRight) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&expected_.after[0].bytes[0], &nan, 4);
  put(0, nan);
  EXPECT_EQ("1 of 300 elements of out is wrong: element 0", map()->text);
}

}  // namespace warpgrade::grader::grade::wrong_result_test

// SPDX-License-Identifier: Apache-2.0
// Messages with elements in place of bytes. The messages before are those of common/check and
// common/sim, which tests there hold to their wording.
#include "grader/grade/student_terms.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::grader {
namespace student_terms_test {

using base::DiagnosticKind;

constexpr std::string_view kSource =
    "__shared__ float tile[8][33];\n"
    "void f() {\n"
    "  float own[4];\n"
    "  __syncthreads();\n"
    "  x = own[threadIdx.x];\n"
    "  x = other[threadIdx.x];\n"
    "}\n"
    "extern __shared__ float sums[];\n";

std::string in_terms(DiagnosticKind kind, const std::string& message, std::uint32_t line = 5,
                     std::string_view source = kSource) {
  base::Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.where = {"a.cu", line, 1};
  diagnostic.message = message;
  use_student_terms(diagnostic,
                    {{"in", 1, 75, true}, {"out", 75, 9, true}, {"partial", 1, 8, false}},
                    declared_arrays(kSource), source);
  return diagnostic.message;
}

// 8 * 75 = 600.
TEST(StudentTerms, AnElementOutsideAMatrixHasItsIndices) {
  EXPECT_EQ("reads in[8][0], but there is 1 row of 75; check the index against the size",
            in_terms(DiagnosticKind::kOutOfBounds,
                     "reads 4 bytes, 2104 bytes past the end of 'in' (index 600), which has 75 "
                     "elements of 4 bytes; check the index against the size"));
  EXPECT_EQ("writes out[-1][8], but there are 75 rows of 9; check",
            in_terms(DiagnosticKind::kOutOfBounds,
                     "writes 4 bytes, 4 bytes before the start of 'out' (index -1), which has 675 "
                     "elements of 4 bytes; check"));
}

TEST(StudentTerms, AVectorThatBeginsInsideStaysBytes) {
  const std::string message =
      "reads 16 bytes, 8 bytes past the end of 'in' (index 73), which has 75 elements of 4 bytes; "
      "check";
  EXPECT_EQ(message, in_terms(DiagnosticKind::kOutOfBounds, message));
}

// The launch has the size of `extern __shared__`: 2048 / 4 elements.
TEST(StudentTerms, DynamicSharedMemoryHasOneIndex) {
  EXPECT_EQ("thread (0, 0, 0) reads sums[256], which no thread of the block has written yet.",
            in_terms(DiagnosticKind::kUninitializedRead,
                     "thread (0, 0, 0) reads bytes 1024 to 1027 of sums, which no thread of the "
                     "block has written yet."));
  EXPECT_EQ("writes sums[512], but sums has 512 elements; check",
            in_terms(DiagnosticKind::kOutOfBounds,
                     "writes 4 bytes, 4 bytes past the end of sums, which has 2048 bytes of shared "
                     "memory; check"));
}

TEST(StudentTerms, OneOutsideAListHasOneIndex) {
  EXPECT_EQ("updates partial[8], but there are 8 elements; check",
            in_terms(DiagnosticKind::kOutOfBounds,
                     "updates 4 bytes, 4 bytes past the end of 'partial' (index 8), which has 8 "
                     "elements of 4 bytes; check"));
}

TEST(StudentTerms, AnElementOutsideASharedArrayHasItsIndices) {
  EXPECT_EQ("writes tile[8][0], but tile is declared as [8][33]; check",
            in_terms(DiagnosticKind::kOutOfBounds,
                     "writes 4 bytes, 4 bytes past the end of tile, which has 1056 bytes of shared "
                     "memory; check"));
  EXPECT_EQ("reads tile[-1][31], but tile is declared as [8][33]; check",
            in_terms(DiagnosticKind::kOutOfBounds,
                     "reads 4 bytes, 8 bytes before the start of tile, which has 1056 bytes of "
                     "shared memory; check"));
}

TEST(StudentTerms, AnArrayOfAnotherSizeStaysBytes) {
  const std::string message =
      "writes 4 bytes, 4 bytes past the end of tile, which has 99 bytes of shared memory; check";
  EXPECT_EQ(message, in_terms(DiagnosticKind::kOutOfBounds, message));
}

TEST(StudentTerms, SharedElementsOfARaceHaveTheirIndices) {
  EXPECT_EQ("thread (8, 0, 0) reads tile[2][8], which thread (0, 0, 0) writes in line 6",
            in_terms(DiagnosticKind::kRace,
                     "thread (8, 0, 0) reads bytes 296 to 299 of tile, which thread (0, 0, 0) "
                     "writes in line 6"));
  EXPECT_EQ("reads byte 3 of other", in_terms(DiagnosticKind::kRace, "reads byte 3 of other"));
  EXPECT_EQ("reads bytes 0 to 7 of tile",
            in_terms(DiagnosticKind::kRace, "reads bytes 0 to 7 of tile"))
      << "two elements";
}

TEST(StudentTerms, ElementsOfAMatrixHaveRowAndColumn) {
  EXPECT_EQ("thread (1, 0, 0) writes out[4][1], which",
            in_terms(DiagnosticKind::kRace, "thread (1, 0, 0) writes out[37], which"));
  EXPECT_EQ("writes partial[7] and out[4][1] and layout[37]",
            in_terms(DiagnosticKind::kRace, "writes partial[7] and out[4][1] and layout[37]"));
}

TEST(StudentTerms, AnArrayOfEachThreadThatTheyMeantToShareIsAskedAbout) {
  const std::string message =
      "reads 4 bytes of a local array, which the thread has not written yet. Local arrays do not "
      "start as zeros";
  EXPECT_EQ(message + ". own is an array of each thread (line 3): is __shared__ missing before it?",
            in_terms(DiagnosticKind::kUninitializedRead, message));
  EXPECT_EQ(message, in_terms(DiagnosticKind::kUninitializedRead, message, 6));
  EXPECT_EQ(message, in_terms(DiagnosticKind::kUninitializedRead, message, 1, "x = own[0];"))
      << "no barrier, nothing to share";
}

TEST(StudentTerms, TooMuchSharedMemoryPointsToTheLargestArray) {
  base::Diagnostic diagnostic;
  diagnostic.where = {"a.cu", 1, 17};
  diagnostic.message =
      "declares 65668 bytes of static shared memory; at most 49152 (48 KB) are possible";
  point_at_array(diagnostic,
                 declared_arrays("\n__shared__ float a[33];\n\n__shared__ float b[128][128];"
                                 "float c[999][99];"));
  EXPECT_EQ((base::SourceLocation{"a.cu", 4, 0}), diagnostic.where);
  EXPECT_EQ(
      "declares 65668 bytes of static shared memory; at most 49152 (48 KB) are possible. "
      "b[128][128] takes 65536 of them",
      diagnostic.message);
}

}  // namespace student_terms_test
}  // namespace warpgrade::grader

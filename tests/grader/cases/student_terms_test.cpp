// SPDX-License-Identifier: Apache-2.0
// Messages with elements in place of bytes. The messages before are those of common/check and
// common/sim, which tests there hold to their wording.
#include "grader/cases/student_terms.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::grader {
namespace student_terms_test {

using base::DiagnosticKind;
using Memory = base::OutsideAccess::Memory;

constexpr std::string_view kSource =
    "__shared__ float tile[8][33];\n"
    "void f() {\n"
    "  float own[4];\n"
    "  __syncthreads();\n"
    "  x = own[threadIdx.x];\n"
    "  x = other[threadIdx.x];\n"
    "}\n"
    "extern __shared__ float sums[];\n"
    "__device__ int table[5];\n";

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

std::string outside_in_terms(const base::OutsideAccess& access) {
  base::Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kOutOfBounds;
  diagnostic.message = base::text(access) + "; check";
  diagnostic.outside = access;
  use_student_terms(diagnostic,
                    {{"in", 1, 75, true}, {"out", 75, 9, true}, {"partial", 1, 8, false}},
                    declared_arrays(kSource), kSource);
  return diagnostic.message;
}

// 8 * 75 = 600.
TEST(StudentTerms, AnElementOutsideAMatrixHasItsIndices) {
  EXPECT_EQ("reads in[8][0], but there is 1 row of 75; check",
            outside_in_terms({Memory::kBuffer, "in", "reads", 2400, 4, 300, 4}));
  EXPECT_EQ("writes out[-1][8], but there are 75 rows of 9; check",
            outside_in_terms({Memory::kBuffer, "out", "writes", -4, 4, 2700, 4}));
}

TEST(StudentTerms, AVectorThatBeginsInsideHasOneIndex) {
  EXPECT_EQ("reads 16 bytes from in[73] on, but in has elements 0 to 74; check",
            outside_in_terms({Memory::kBuffer, "in", "reads", 292, 16, 300, 4}));
}

// The launch has the size of `extern __shared__`: 2048 / 4 elements.
TEST(StudentTerms, DynamicSharedMemoryHasOneIndex) {
  EXPECT_EQ("thread (0, 0, 0) reads sums[256], which no thread of the block has written yet.",
            in_terms(DiagnosticKind::kUninitializedRead,
                     "thread (0, 0, 0) reads bytes 1024 to 1027 of sums, which no thread of the "
                     "block has written yet."));
  EXPECT_EQ("writes sums[512], but sums has elements 0 to 511; check",
            outside_in_terms({Memory::kShared, "sums", "writes", 2048, 4, 2048, 1}));
}

TEST(StudentTerms, OneOutsideAListHasOneIndex) {
  EXPECT_EQ("updates partial[8], but partial has elements 0 to 7; check",
            outside_in_terms({Memory::kBuffer, "partial", "updates", 32, 4, 32, 4}));
}

TEST(StudentTerms, AnElementOutsideASharedArrayHasItsIndices) {
  EXPECT_EQ("writes tile[8][0], but tile is declared as [8][33]; check",
            outside_in_terms({Memory::kShared, "tile", "writes", 1056, 4, 1056, 1}));
  EXPECT_EQ("reads tile[-1][31], but tile is declared as [8][33]; check",
            outside_in_terms({Memory::kShared, "tile", "reads", -8, 4, 1056, 1}));
}

TEST(StudentTerms, AnElementOutsideAVariableOfTheModuleHasItsIndex) {
  EXPECT_EQ("writes table[5], but table has elements 0 to 4; check",
            outside_in_terms({Memory::kVariable, "table", "writes", 20, 4, 20, 1}));
}

TEST(StudentTerms, AnArrayOfAnotherSizeStaysBytes) {
  EXPECT_EQ(
      "writes 4 bytes, 4 bytes past the end of tile, which has 99 bytes of shared memory; check",
      outside_in_terms({Memory::kShared, "tile", "writes", 99, 4, 99, 1}));
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

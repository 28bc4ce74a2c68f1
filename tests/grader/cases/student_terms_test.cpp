// SPDX-License-Identifier: Apache-2.0
// Adds array shapes to the facts of diagnostics. tests/base/place_test.cpp tests their text.
#include "grader/cases/student_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/finding_text.h"

namespace warpgrade::grader::cases::student_terms_test {

using base::DiagnosticKind;
using base::Place;
using Memory = base::Place::Memory;
using testing::EndsWith;
using testing::Not;
using testing::StartsWith;

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

const std::vector<SizedBuffer> kBuffers = {{"in", {}, 1, 75, true, {}, {}},
                                           {"out", {}, 75, 9, true, {}, {}},
                                           {"partial", {}, 1, 8, false, {}, {}}};

std::string in_terms(base::Facts facts, std::uint32_t line = 5, std::string_view source = kSource) {
  base::Diagnostic diagnostic;
  diagnostic.where = {"a.cu", line, 1};
  diagnostic.facts = std::move(facts);
  add_shapes(diagnostic, kBuffers, declared_arrays(kSource), source);
  return base::text(diagnostic);
}

std::string outside_in_terms(Place place) {
  return in_terms(base::OutsideAccess{std::move(place), base::Does::kWrite});
}

std::string place_in_terms(Place place) {
  base::Facts facts = base::InputWrite{std::move(place)};
  base::Diagnostic diagnostic;
  diagnostic.facts = std::move(facts);
  add_shapes(diagnostic, kBuffers, declared_arrays(kSource), kSource);
  return base::text(*base::place_of(diagnostic.facts));
}

// 8 * 75 = 600.
TEST(StudentTerms, AnElementOutsideAMatrixHasItsIndices) {
  EXPECT_THAT(outside_in_terms({Memory::kBuffer, "in", 2400, 4, 300, 4}),
              StartsWith("writes in[8][0], but in has 1 row of 75; check the index"));
}

TEST(StudentTerms, OneOutsideAListHasOneIndex) {
  EXPECT_THAT(outside_in_terms({Memory::kBuffer, "partial", 32, 4, 32, 4}),
              StartsWith("writes partial[8], but partial has elements 0 to 7;"));
}

// The launch sets the size of `extern __shared__` memory: 2048 / 4 elements.
TEST(StudentTerms, DynamicSharedMemoryHasOneIndex) {
  EXPECT_EQ("sums[256]", place_in_terms({Memory::kShared, "sums", 1024, 4, 2048}));
  EXPECT_THAT(outside_in_terms({Memory::kShared, "sums", 2048, 4, 2048}),
              StartsWith("writes sums[512], but sums has elements 0 to 511;"));
}

TEST(StudentTerms, AnArrayIsInItsOwnMemoryAndOfItsOwnSize) {
  EXPECT_THAT(outside_in_terms({Memory::kShared, "tile", 1056, 4, 1056}),
              StartsWith("writes tile[8][0], but tile is declared as [8][33];"));
  EXPECT_THAT(outside_in_terms({Memory::kVariable, "table", 20, 4, 20}),
              StartsWith("writes table[5], but table has elements 0 to 4;"));
  EXPECT_THAT(outside_in_terms({Memory::kShared, "table", 20, 4, 20}),
              StartsWith("writes bytes 20 to 23 of table,"));
  EXPECT_THAT(outside_in_terms({Memory::kShared, "tile", 99, 4, 99}),
              StartsWith("writes bytes 99 to 102 of tile,"));
}

TEST(StudentTerms, ElementsOfSharedArraysAndMatricesHaveTheirIndices) {
  EXPECT_EQ("tile[2][8]", place_in_terms({Memory::kShared, "tile", 296, 4, 1056}));
  EXPECT_EQ("byte 3 of other", place_in_terms({Memory::kShared, "other", 3, 1, 8}));
  EXPECT_EQ("out[4][1]", place_in_terms({Memory::kBuffer, "out", 148, 4, 2700, 4}));
  EXPECT_EQ("partial[7]", place_in_terms({Memory::kBuffer, "partial", 28, 4, 32, 4}));
  EXPECT_EQ("layout[37]", place_in_terms({Memory::kBuffer, "layout", 148, 4, 2700, 4}));
}

TEST(StudentTerms, AnArrayOfEachThreadThatTheyMeantToShareIsAskedAbout) {
  const std::string question =
      ". own is an array of each thread (line 3): is __shared__ missing before it?";
  EXPECT_THAT(in_terms(base::UnwrittenLocal{4}), EndsWith(question));
  EXPECT_THAT(in_terms(base::UnwrittenLocal{4}, 6), Not(EndsWith(question)));
  EXPECT_THAT(in_terms(base::UnwrittenLocal{4}, 1, "x = own[0];"), Not(EndsWith(question)))
      << "no barrier, nothing to share";
}

TEST(StudentTerms, TooMuchSharedMemoryPointsToTheLargestArray) {
  base::Diagnostic diagnostic;
  diagnostic.where = {"a.cu", 1, 17};
  diagnostic.facts = base::SharedTooLarge{"k", 65668, 49152};
  point_at_array(diagnostic,
                 declared_arrays("\n__shared__ float a[33];\n\n__shared__ float b[128][128];"
                                 "float c[999][99];"));
  EXPECT_EQ((base::SourceLocation{"a.cu", 4, 0}), diagnostic.where);
  EXPECT_EQ(
      "the kernel 'k' declares 65,668 bytes of static shared memory, more than the limit of 49,152 "
      "bytes (48 KB). b[128][128] uses 65,536 of them",
      base::text(diagnostic));
}

}  // namespace warpgrade::grader::cases::student_terms_test

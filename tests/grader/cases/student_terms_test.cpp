// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/student_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/finding_text.h"

namespace warpgrade::grader::cases::student_terms_test {

// Finds a source's arrays with known extents.

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DeclaredArrays, NumbersDefinesAndConstantsAreExtents) {
  EXPECT_THAT(
      declared_arrays("#define TILE 32\n"
                      "constexpr int kRows = TILE / 4;\n"
                      "__shared__ float tile[TILE][TILE + 1];\n"
                      "void f() { volatile __shared__ double2 sums[kRows]; int own[3]; }\n"),
      ElementsAre(DeclaredArray{"tile", 3, 4, {32, 33}, true},
                  DeclaredArray{"sums", 4, 16, {8}, true}, DeclaredArray{"own", 4, 4, {3}, false}));
}

TEST(DeclaredArrays, WhatIsNotKnownIsLeftOut) {
  EXPECT_THAT(declared_arrays("__shared__ T tile[4];\n"
                              "__shared__ float unknown[kTile];\n"
                              "extern float sums[];\n"
                              "float half[3 / 2];\n"
                              "float huge[1 << 30];\n"
                              "float much[4096][4096][4096];\n"
                              "out[4] = in[3];\n"
                              "// float comment[3];\n"
                              "const char* text = \"float text[3];\";\n"
                              "float open[3"),
              IsEmpty());
}

TEST(DeclaredArrays, DynamicSharedMemoryHasNoExtents) {
  EXPECT_THAT(declared_arrays("extern __shared__ double sums[];\n"),
              ElementsAre(DeclaredArray{"sums", 1, 8, {}, true}));
}

TEST(DeclaredArrays, AnArrayIsFoundByItsNameUnlessTypesDiffer) {
  const auto arrays = declared_arrays("float a[1]; float b[2]; float b[3];");
  EXPECT_EQ(&arrays[0], array_called(arrays, "a"));
  EXPECT_EQ(nullptr, array_called(arrays, "b"));
  EXPECT_EQ(nullptr, array_called(arrays, "c"));
  const auto alike = declared_arrays("__shared__ int s[64]; void f(); __shared__ int s[64];");
  ASSERT_EQ(2U, alike.size());
  EXPECT_EQ(&alike[0], array_called(alike, "s"));
}

TEST(DeclaredArrays, EachArrayOfAListHasTheTypeInFrontOfIt) {
  const auto arrays = declared_arrays(
      "constexpr int kTile = 16;\n"
      "__shared__ float a[kTile][kTile + 1], b[2 * (kTile)][kTile], one, c[4];\n");
  EXPECT_THAT(arrays, ElementsAre(DeclaredArray{"a", 2, 4, {16, 17}, true},
                                  DeclaredArray{"b", 2, 4, {32, 16}, true},
                                  DeclaredArray{"c", 2, 4, {4}, true}));
  EXPECT_THAT(declared_arrays("float x; f(x, a[1]); return x, a[1]; float* p, q[3];"), IsEmpty());
  EXPECT_THAT(declared_arrays("float x = y[0], a[1];"), IsEmpty());
}

// The text of a finding about byte `offset` of the array `name`, of `bytes` bytes, in `line`.
std::string named(std::string_view source, std::string name, std::int64_t offset,
                  std::uint64_t bytes, std::uint32_t line = 0) {
  base::Place place{base::Place::Memory::kShared, std::move(name), offset, 4, bytes};
  place.shape = shape_called(all_arrays(source), {place.array, true, bytes, line});
  return base::text(place);
}

// 32 * 4 = 128; 33 * 4 = 132; row 1 of 16 columns of 8 bytes begins at byte 128.
TEST(ShapeCalled, ATypeOrAnExtentFollowsFromTheSize) {
  EXPECT_EQ("s[32]", named("__shared__ T s[256];", "s", 128, 1024));
  EXPECT_EQ("t[1][0]", named("__shared__ T t[8][16];", "t", 128, 8 * 16 * 8).substr(0, 7));
  EXPECT_EQ("s[1][0]", named("__shared__ float s[N][33];", "s", 132, 4 * 33 * 8));
  EXPECT_EQ("s[1][0]", named("__shared__ float s[8][kColumns];", "s", 132, 4 * 33 * 8));
  EXPECT_EQ("s[1][0]", named("__shared__ float s[N][N + 1];", "s", 132, 4 * 33 * 32));
  EXPECT_EQ("p[2]", named("__shared__ float* p[4];", "p", 16, 32).substr(0, 4));
}

TEST(ShapeCalled, TwoUnknownThingsStayUnknown) {
  EXPECT_EQ("bytes 128 to 131 of s", named("__shared__ T s[N];", "s", 128, 1024));
  EXPECT_EQ("bytes 128 to 131 of s", named("__shared__ float s[N][M];", "s", 128, 1024));
  EXPECT_EQ("bytes 128 to 131 of s", named("__shared__ float s[N][N + 1];", "s", 128, 1024));
  EXPECT_EQ("bytes 128 to 131 of s", named("__shared__ T s[7];", "s", 128, 1024));
}

TEST(ShapeCalled, OfArraysOfOneNameTheSizeOrTheLineDecides) {
  constexpr std::string_view kTwo =
      "__global__ void a() {\n  __shared__ float s[8][33];\n  s[1][0] = 1;\n}\n"
      "__global__ void b() {\n  __shared__ float s[64];\n  s[33] = 1;\n}\n";
  EXPECT_EQ("s[1][0]", named(kTwo, "s", 132, 8 * 33 * 4));
  EXPECT_EQ("s[33]", named(kTwo, "s", 132, 64 * 4));
  constexpr std::string_view kAlike =
      "__global__ void a() {\n  __shared__ float s[4][16];\n}\n"
      "__global__ void b() {\n  __shared__ float s[64];\n}\n";
  EXPECT_EQ("s[2][1]", named(kAlike, "s", 132, 256, 3));
  EXPECT_EQ("s[33]", named(kAlike, "s", 132, 256, 6));
  EXPECT_EQ("bytes 132 to 135 of s", named(kAlike, "s", 132, 256));
}

TEST(DeclaredArrays, ExtentsAreReadAsC) {
  EXPECT_THAT(
      declared_arrays("enum { kTile = 1 << 4, kMore = 3 };\n"
                      "__shared__ float a[kTile + 1u], b[sizeof(double) * kMore];\n"
                      "__shared__ int c[static_cast<int>(kTile)], d[(int)kTile * 0x2];\n"),
      ElementsAre(DeclaredArray{"a", 2, 4, {17}, true}, DeclaredArray{"b", 2, 4, {24}, true},
                  DeclaredArray{"c", 3, 4, {16}, true}, DeclaredArray{"d", 3, 4, {32}, true}));
}

// 8 * 33 * 4 = 1056.
TEST(DeclaredArrays, AnArrayHasASizeAndAShape) {
  const DeclaredArray tile{"tile", 1, 4, {8, 33}, true};
  EXPECT_EQ(1056U, tile.bytes());
  EXPECT_EQ((base::ArrayShape{4, {8, 33}}), tile.shape());
}

TEST(DeclaredArrays, HostileTextIsRead) {
  std::string text = "float a";
  for (int i = 0; i < 1000; ++i) text += "[1]";
  EXPECT_THAT(declared_arrays(text + ";"), IsEmpty());
  EXPECT_THAT(declared_arrays("#"), IsEmpty());
  EXPECT_THAT(declared_arrays("#define\n[[[]]]="), IsEmpty());
  EXPECT_THAT(declared_arrays("float a[-1]; float b[0]; float c[1e9]; float d[(((]; const int x ="),
              IsEmpty());
}

// Barriers that some threads skip, as a warning and as the cause of a race.

using testing::EndsWith;
using testing::HasSubstr;

const std::vector<base::SkippedBarrier> kSkipped = {
    {{"a.cu", 7, 5}, {2, 0, 0}, "threads 48 to 63", 48, 64}};

base::Diagnostic race(std::uint32_t line, std::uint32_t other) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {"a.cu", line, 3};
  out.facts = base::Race{{}, base::Does::kRead, false, {}, base::BarrierAdvice{}};
  out.related = {{{"a.cu", other, 3}, base::Does::kWrite, {}, {}}};
  return out;
}

TEST(SkippedBarriers, AWarningCountsTheThreadsAndNamesThoseThatEnded) {
  const auto warning = skipped_barriers_warning(kSkipped, "a.cu");
  EXPECT_EQ(base::Severity::kWarning, warning.severity);
  EXPECT_EQ(7U, warning.where.line);
  EXPECT_THAT(
      base::text(warning),
      HasSubstr("the __syncthreads() in line 7 is reached by only 48 of the 64 threads of block "
                "(2, 0, 0): threads 48 to 63 ended without it."));
}

TEST(SkippedBarriers, ARaceAcrossOneIsNotToldToAddABarrier) {
  for (const auto& [line, other] : {std::pair(9U, 6U), std::pair(6U, 9U), std::pair(7U, 7U)}) {
    std::vector<base::Diagnostic> found = {race(line, other)};
    explain_races(found, kSkipped);
    EXPECT_THAT(
        base::text(found[0]),
        HasSubstr(
            "their order is undefined. The __syncthreads() in line 7 is between them, but only "
            "48 of the 64 threads reach it"));
    EXPECT_THAT(base::text(found[0]), EndsWith("so that every thread reaches it."));
  }
}

TEST(SkippedBarriers, OtherFindingsStay) {
  auto left = race(9, 6);
  left.facts = base::BulkLeft{true};
  const std::vector<base::Diagnostic> all = {race(9, 8), race(3, 6), left};
  auto found = all;
  explain_races(found, kSkipped);
  EXPECT_EQ(all, found);
}

// Adds array shapes to the facts of diagnostics. tests/base/place_test.cpp tests their text.

using base::DiagnosticKind;
using base::Place;
using Memory = base::Place::Memory;
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
  add_shapes(diagnostic, kBuffers, all_arrays(kSource), source);
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

// SPDX-License-Identifier: Apache-2.0
// Finds a source's arrays with known extents.
#include "grader/cases/declared_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warpgrade::grader::cases::declared_arrays_test {

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

}  // namespace warpgrade::grader::cases::declared_arrays_test

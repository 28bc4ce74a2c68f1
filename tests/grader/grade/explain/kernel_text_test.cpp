// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/kernel_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::grade::kernel_text_test {

using testing::ElementsAre;

constexpr const char* kKernel = R"(__global__ void copy(float* out, const float* in, int width) {
  __shared__ float tile[32][33], sums[8];
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int index = (row + 1) * width + column;  // width * 2
  if (column < width - 1 && row < height) {
    out[(row + 1) * width + column] = in[index];
  }
  for (int j = 0; j < 4; ++j) ++counts[in[j]];
})";

TEST(KernelText, FindsTheStatementOfALine) {
  const KernelText text(kKernel);
  EXPECT_EQ("out [ ( row + 1 ) * width + column ] = in [ index ] ;", text.statement_at(6));
  EXPECT_EQ("+ + counts [ in [ j ] ] ;", KernelText::without_heads(text.statement_at(8)));
}

TEST(KernelText, FindsComparisonsNearALine) {
  const auto tests = KernelText(kKernel).tests_near(6);
  ASSERT_EQ(2U, tests.size());
  EXPECT_EQ("column", tests[0].left);
  EXPECT_EQ("width - 1", tests[0].right);
  EXPECT_EQ("<", tests[0].comparison);
  EXPECT_EQ("row", tests[1].left);
  EXPECT_EQ(5U, tests[1].line);
}

TEST(KernelText, SplitsTheIndexOfAMatrix) {
  const KernelText text(kKernel);
  const auto subscript = KernelText::subscript_of("out", text.statement_at(6));
  EXPECT_EQ("( row + 1 ) * width + column", subscript);
  for (const auto& given : {subscript, std::string("index")}) {
    const auto index = text.matrix_index(given);
    ASSERT_TRUE(index) << given;
    EXPECT_EQ("row + 1", index->row);
    EXPECT_EQ("width", index->length);
    EXPECT_EQ("column", index->column);
  }
  EXPECT_FALSE(text.matrix_index("row + column"));
}

TEST(KernelText, NamesArraysInSharedMemory) {
  EXPECT_THAT(KernelText(kKernel).shared_arrays(), ElementsAre("tile", "sums"));
}

TEST(KernelText, FindsIndicesThatAreComputedInFloat) {
  EXPECT_FALSE(KernelText(kKernel).has_float_index());
  EXPECT_EQ(2U, KernelText("float i = x;\nsum += in[unsigned(i)];").float_index_line());
  EXPECT_EQ(2U, KernelText("float y = 1;\nint at = y * n;\nsum += in[at];").float_index_line());
  // The conversion in line 2 alone is not the place.
  EXPECT_EQ(1U,
            KernelText("float y = t * n;\nint at = (int)y;\nsum += in[at];").float_index_line());
  EXPECT_FALSE(KernelText("float y = in[0];\nint at = n;\nsum += y * in[at];").has_float_index());
}

TEST(KernelText, CallsParametersAsTheManifestDoes) {
  const KernelText text(
      "__device__ float at(const float* p, int i) { return p[i]; }\n"
      "__global__ void copy(float* dst, const float* src, int w) {\n"
      "  dst[0] = at(src, w) + v.w;\n"
      "}",
      {{"copy", {"out", "in", "width"}}});
  EXPECT_EQ("out [ 0 ] = at ( in , width ) + v . w ;", text.statement_at(3));
  EXPECT_TRUE(text.has_word("in"));
  EXPECT_FALSE(text.has_word("p"));
}

TEST(KernelText, ExpandsMacrosInTheLinesOfTheirUses) {
  const KernelText text("#define W 32\n#define AT(r, c) ((r) * W + (c))\nout[AT(y + 1, x)] = 0;");
  EXPECT_EQ("out [ ( ( y + 1 ) * 32 + ( x ) ) ] = 0 ;", text.statement_at(3));
}

TEST(KernelText, AShiftIsNoComparison) {
  EXPECT_THAT(KernelText("if (x >> 5 == 0) half >>= 1;").tests(), testing::IsEmpty());
}

TEST(KernelText, FindsAProductWhoseUpperHalfIsLost) {
  EXPECT_EQ(1U, KernelText("q = (unsigned long long)(n * r) >> 32;").late_widening_line());
  EXPECT_EQ(0U, KernelText("q = (unsigned long long)n * r >> 32;").late_widening_line());
}

}  // namespace warpgrade::grader::grade::kernel_text_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/kernel_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/grade/explain/kernel_text.h"

namespace warpgrade::grader::grade::kernel_flow_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kKernel = R"(__global__ void sum(float* out, const float* in, unsigned n) {
  __shared__ float sums[256];
  const unsigned warp = threadIdx.x / 32, first = blockIdx.x * 256;
  const float* mine = in + first;
  float total = 0;
  for (unsigned i = threadIdx.x; i < n; i += 256) {
    total += mine[i];
  }
  if (warp == 0) {
    __syncthreads();
  } else if (n > 1)
    sums[threadIdx.x] = total;
  while (sums[0] == 0) {
  }
  do ++total; while (total < 1);
  short z = 0;
  out[first] = total;
})";

std::vector<std::uint32_t> lines(const std::vector<const KernelFlow::Branch*>& branches) {
  std::vector<std::uint32_t> out;
  for (const auto* one : branches) out.push_back(one->line);
  return out;
}

class KernelFlows : public testing::Test {
 protected:
  const KernelText text{kKernel};
  const KernelFlow flow{text};
};

TEST_F(KernelFlows, FindTheLoopsAndConditionsAroundALine) {
  EXPECT_THAT(lines(flow.loops_around(7)), ElementsAre(6U));
  EXPECT_THAT(lines(flow.loops_around(6)), ElementsAre(6U));
  EXPECT_THAT(lines(flow.loops_around(9)), IsEmpty());
  EXPECT_THAT(lines(flow.conditions_around(10)), ElementsAre(9U));
  EXPECT_THAT(lines(flow.conditions_around(12)), ElementsAre(11U, 11U));
  EXPECT_THAT(lines(flow.loops_around(15)), ElementsAre(15U));
}

TEST_F(KernelFlows, FindLoopsThatOnlyWait) { EXPECT_THAT(lines(flow.polls()), ElementsAre(13U)); }

TEST_F(KernelFlows, FollowAVariableToItsDefinitions) {
  EXPECT_TRUE(flow.depends_on("warp == 0", 9, "threadIdx"));
  EXPECT_FALSE(flow.depends_on("first", 9, "threadIdx"));
  EXPECT_EQ("in", flow.array_behind("mine", 7));
  const auto all = flow.before("total", 17);
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ(7U, all[0]->line);
  EXPECT_TRUE(all[0]->is_compound);
  EXPECT_EQ("float", all[1]->type);
  EXPECT_EQ("const unsigned", flow.before("first", 17).at(0)->type);
}

TEST_F(KernelFlows, TellElementsFromVariables) {
  const auto all = flow.before("sums", 17);
  ASSERT_EQ(1U, all.size());
  EXPECT_TRUE(all[0]->is_element);
  EXPECT_EQ(12U, all[0]->line);
  EXPECT_EQ("total", all[0]->value);
}

TEST_F(KernelFlows, FindNarrowVariables) {
  ASSERT_EQ(1U, flow.narrow().size());
  EXPECT_EQ("z", flow.narrow()[0].name);
  EXPECT_EQ(1U << 15, flow.narrow()[0].values);
}

TEST(KernelFlow, KnowsConstantsAndTheFirstLineOfALoop) {
  const KernelText text(
      "constexpr int kLong = 64;\n"
      "__global__ void f(int n) {\n"
      "  int k = 0;\n"
      "  while (n > k) {\n"
      "    n -= kLong;\n"
      "  }\n"
      "}\n");
  const KernelFlow flow(text);
  EXPECT_EQ(1U, flow.constant("kLong"));
  EXPECT_EQ(0U, flow.constant("k"));
  EXPECT_EQ(5U, flow.first_line_in(flow.branches().at(0)));
}

TEST_F(KernelFlows, FindTheLinesOfAFunction) {
  EXPECT_EQ(1U, flow.function_at(7).first);
  EXPECT_EQ(18U, flow.function_called("sum").last);
  EXPECT_THAT(flow.lines_of({"__syncthreads"}, 1, 18), ElementsAre(10U));
}

}  // namespace warpgrade::grader::grade::kernel_flow_test

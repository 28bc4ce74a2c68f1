// SPDX-License-Identifier: Apache-2.0
// The barrier that a race report recommends (for the warp or for the block), and its place.
#include "common/check/race_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/finding_text.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check::race_advice_test {

using testing::HasSubstr;
using testing::Not;

// The message of the only race in `body`, which begins at line 4. `s` has 128 elements in shared
// memory.
std::string message(const std::string& body) {
  const auto found =
      found_in("__shared__ int s[128]; s[t] = x[i]; s[t + 64] = 1; __syncthreads();\n" + body +
               "\n__syncthreads(); out[i] = s[t];");
  EXPECT_EQ(1U, found.size()) << body;
  return found.empty() ? "" : base::text(found[0]);
}

// A __syncthreads() in the branch would wait for threads that never reach it.
TEST(RaceAdvice, WithinAWarpItIsABarrierOfTheWarp) {
  const std::string bodies[] = {
      "if (t < 32) s[t] += s[t + 16];",
      "if (t / 32 == 0) s[t] += s[t + 16];",
      "if (threadIdx.x < 16) s[t] += s[t + 8];",
  };
  for (const auto& body : bodies) {
    const auto text = message(body);
    EXPECT_THAT(text,
                HasSubstr("Both threads are in one warp, whose lanes need not run in lockstep. "
                          "Read into a variable, call __syncwarp(), then store."))
        << body;
    EXPECT_THAT(text, Not(HasSubstr("__syncthreads"))) << body;
    EXPECT_THAT(text, Not(HasSubstr("two passes"))) << body;
  }
}

TEST(RaceAdvice, BetweenTwoLinesOfAWarpToo) {
  const auto text = message("if (t < 32) s[t] = t;\nif (t < 32) out[i] = s[31 - t];");
  EXPECT_THAT(text, HasSubstr("one warp, whose lanes need not run in lockstep. Put a __syncwarp() "
                              "between line 4 and line 5."));
}

TEST(RaceAdvice, OneStatementOfTheBlockNeedsAVariable) {
  const auto text = message("s[t] += s[t + 32];");
  EXPECT_THAT(text, HasSubstr("Read into a variable, call __syncthreads(), then store."));
  EXPECT_THAT(text, Not(HasSubstr("one warp")));
  EXPECT_THAT(text, Not(HasSubstr("two passes")));
}

// Lanes of one warp race, and so do warps. A __syncwarp() would fix only the race within the warp.
TEST(RaceAdvice, ARaceBetweenWarpsCountsBeforeOneWithinAWarp) {
  const auto text = message("s[t] += s[t + 1];");
  EXPECT_THAT(text, HasSubstr("call __syncthreads(), then store."));
  EXPECT_THAT(text, Not(HasSubstr("__syncwarp")));
}

TEST(RaceAdvice, InALoopTheBarrierGoesBetweenTwoPasses) {
  for (const std::string pragma : {"#pragma unroll 1\n", "#pragma unroll\n"}) {
    const auto text =
        message(pragma + "for (int k = 64; k > 0; k /= 2)\n  if (t < k) s[t] += s[t + k];");
    EXPECT_THAT(text, HasSubstr("Put a __syncthreads() between two iterations of line 6."))
        << pragma;
  }
}

TEST(RaceAdvice, WithoutALoopNoNextPassIsNamed) {
  const auto text = message("out[i + 128] = s[63 - t];\ns[t] = 7;");
  EXPECT_THAT(text, HasSubstr("Put a __syncthreads() between line 4 and line 5."));
}

TEST(RaceAdvice, TwoStoresToOneElementNeedNoBarrier) {
  const auto text = message("if (t < 32) s[0] = t;");
  EXPECT_THAT(text,
              HasSubstr("Let only one thread write there, or give each thread its own element."));
}

TEST(RaceAdvice, InGlobalMemoryItIsTheSame) {
  const auto found = found_in("if (t < 32) x[i] += x[i + 16];");
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(base::text(found[0]),
              HasSubstr("Read into a variable, call __syncwarp(), then store."));
}

}  // namespace warpgrade::check::race_advice_test

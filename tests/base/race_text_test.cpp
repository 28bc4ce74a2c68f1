// SPDX-License-Identifier: Apache-2.0
// Sentences about races that the tests in tests/check do not cover.
#include "common/base/race_text.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"

namespace warpgrade::base::race_text_test {

Diagnostic race_between(const Dim3& block, const Dim3& other_block, RaceAdvice advice) {
  Diagnostic out;
  out.kind = DiagnosticKind::kRace;
  out.block = block;
  out.thread = Dim3{1, 0, 0};
  Race facts;
  facts.place = {Place::Memory::kBuffer, "out", 20, 4, 400, 4};
  facts.does = Does::kWrite;
  facts.in_global = true;
  facts.advice = std::move(advice);
  out.facts = facts;
  out.related = {{{}, Does::kRead, other_block, Dim3{2, 0, 0}}};
  return out;
}

TEST(RaceText, AnotherBlockIsNamed) {
  EXPECT_EQ(
      "thread (1, 0, 0) writes out[5], which thread (2, 0, 0) of block (3, 0, 0) reads in the same "
      "line, with nothing to order them: their order is undefined. Blocks run concurrently and in "
      "any order: let one block do both, split the kernel in two, or publish the value with "
      "__threadfence() and an atomic.",
      text(race_between({0, 0, 0}, {3, 0, 0}, BlocksAdvice::kHandOver)));
}

TEST(RaceText, AMissingFenceHasTwoPlaces) {
  const auto found = race_between({0, 0, 0}, {3, 0, 0}, FenceAdvice{{3, 0, ""}, {9, 0, ""}, true});
  EXPECT_EQ(
      "thread (1, 0, 0) writes out[5], which thread (2, 0, 0) of block (3, 0, 0) reads in the same "
      "line, with nothing to order them: their order is undefined. A flag, a counter or a lock "
      "orders accesses to other words only with fences. Put a __threadfence() between line 3 and "
      "the access that sets the flag, and one between the access that reads the flag and line 9. "
      "__threadfence_block() orders only threads of one block.",
      text(found));
}

TEST(RaceText, ASkippedBarrierTakesThePlaceOfTheAdvice) {
  const auto found =
      race_between({0, 0, 0}, {0, 0, 0}, SkippedBarrier{{"a.cu", 7, 5}, {}, "thread 63", 63, 64});
  EXPECT_EQ(
      "thread (1, 0, 0) writes out[5], which thread (2, 0, 0) reads in the same line, with nothing "
      "to order them: their order is undefined. The __syncthreads() in line 7 is "
      "between them, but only 63 of the 64 threads reach it: thread 63 returned before it. Move it "
      "out of the if, or put an if around the work instead of a return before it, so that every "
      "thread reaches it.",
      text(found));
}

TEST(RaceText, SkippedBarriersOfOtherFilesHaveTheirFile) {
  const SkippedBarrier own{{"a.cu", 7, 5}, {2, 0, 0}, "thread 63", 63, 64};
  const SkippedBarrier other{{"b.cuh", 4, 1}, {2, 0, 0}, "thread 63", 63, 64};
  const auto out = skipped_barriers_text({{own, other}, "a.cu"});
  EXPECT_TRUE(
      out.starts_with("the __syncthreads() in line 7 is reached by only 63 of the 64 threads of "
                      "block (2, 0, 0): thread 63 returned before it."))
      << out;
  EXPECT_TRUE(out.ends_with("The same is true of line 4 of b.cuh.")) << out;
}

}  // namespace warpgrade::base::race_text_test

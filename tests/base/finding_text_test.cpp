// SPDX-License-Identifier: Apache-2.0
#include "common/base/finding_text.h"

#include <gtest/gtest.h>

namespace warpgrade::base::finding_text_test {

// Sentences about races that the tests in tests/check do not cover.

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
      "between them, but only 63 of the 64 threads reach it: thread 63 ended without it. Move it "
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
                      "block (2, 0, 0): thread 63 ended without it."))
      << out;
  EXPECT_TRUE(out.ends_with("The same is true of line 4 of b.cuh.")) << out;
}

// Sentences for the circumstances of a finding, in their order. The tests of each checker cover the
// wording of its own findings.

Diagnostic local_read() {
  Diagnostic out;
  out.facts = UnwrittenLocal{4};
  return out;
}

TEST(FindingText, FactsGoBeforeTheMessage) {
  Diagnostic found;
  found.message = "words";
  EXPECT_EQ("words", text(found));
  found.facts = BulkLeft{true};
  EXPECT_EQ(std::string::npos, text(found).find("words"));
}

TEST(FindingText, CircumstancesFollowInOneOrder) {
  Diagnostic found;
  found.message = "Wrong.";
  found.seen.occurrences = 3;
  found.seen.left_out = 1;
  found.seen.launch = InLaunch{2, 3, "add"};
  found.seen.replay = "again";
  found.seen.limit = CaseLimit{"small", 400, 100, 7};
  found.seen.timed_size = {{"height", 64}, {"width", 32}};
  EXPECT_EQ(
      "Wrong. This happened 3 times. 1 more finding at other lines is not shown. (in launch 2 of "
      "3, add) (This happened when warps and blocks do not run in numerical order; to reproduce "
      "it: "
      "again. A GPU may run them in any order: look for a place where one thread relies on "
      "another without a barrier.). The limit of case small is 400 units in all its runs and 100 "
      "per "
      "block; the course's reference needs 7 warp instructions (height = 64, width = 32, the size "
      "whose speed is graded)",
      text(found));
}

TEST(FindingText, TheArrayOfAThreadIsTheLastSentence) {
  auto found = local_read();
  found.seen.launch = InLaunch{1, 2, "k"};
  std::get<UnwrittenLocal>(found.facts).array = {"own", 3};
  EXPECT_TRUE(
      text(found).ends_with("in the declaration (in launch 1 of 2, k). own is an array of each "
                            "thread (line 3): is __shared__ missing "
                            "before it?"))
      << text(found);
}

TEST(RenderedDiagnostic, ShowsPlaceLineCaretAndThread) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kTrap;
  diagnostic.where = {"k.cu", 2, 3};
  diagnostic.message = "stopped";
  diagnostic.block = Dim3{1, 0, 0};
  diagnostic.thread = Dim3{31, 7, 0};
  EXPECT_EQ(
      "k.cu:2:3: trap: stopped\n"
      "    2 |  x = in[i];\n"
      "      |   ^\n"
      "      block (1, 0, 0), thread (31, 7, 0)\n",
      render(diagnostic, "first\n\tx = in[i];\nlast\n"));
}

TEST(RenderedDiagnostic, ShowsOfALongLineWhatIsAroundTheCaret) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kTrap;
  diagnostic.where = {"k.cu", 1, 10001};
  diagnostic.message = "m";
  const auto text = render(diagnostic, std::string(10000, 'a') + "X" + std::string(10000, 'b'));
  const std::string half(77, ' ');
  EXPECT_EQ("k.cu:1:10001: trap: m\n    1 | ..." + std::string(77, 'a') + "X" +
                std::string(76, 'b') + "...\n      |    " + half + "^\n",
            text);
}

// The caret below `line`, of which the compiler has placed the statement at column 3, for a read
// past the end of x.
std::string caret_below(const std::string& line) {
  Place place;
  place.memory = Place::Memory::kBuffer;
  place.array = "x";
  Diagnostic diagnostic;
  diagnostic.where = {"k.cu", 1, 3};
  diagnostic.facts = OutsideAccess{place, Does::kRead};
  return rendered(diagnostic, line).caret;
}

TEST(RenderedDiagnostic, TheCaretOfAnAccessIsAtTheOnlyUseOfItsArray) {
  EXPECT_EQ("      | " + std::string(17, ' ') + "^", caret_below("  if (i < n) y = x[i];"));
  EXPECT_EQ("      |   ^", caret_below("  x[threadIdx.x] = p->x + xx;"));
}

TEST(RenderedDiagnostic, AnAccessThatCouldBeOneOfSeveralHasNoCaret) {
  EXPECT_EQ("", caret_below("  y = x[i] + x[i + 1];"));
  EXPECT_EQ("", caret_below("  y = READ(i);"));
}

TEST(RenderedDiagnostic, WithoutAPlaceIsOneLine) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kUnsupported;
  diagnostic.message = "tex";
  EXPECT_EQ("unsupported: tex\n", render(diagnostic, {}));
}

TEST(RenderedDiagnostic, CannotBeForgedByControlCharacters) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kCompileError;
  diagnostic.where = {"a\nPASS\x1b[1m.cu", 1, 0};
  diagnostic.message = "m";
  EXPECT_EQ("a\\x0aPASS\\x1b[1m.cu:1: compile_error: m\n", render(diagnostic, {}));
}

TEST(RenderedDiagnostic, AMessageWithoutEndIsCut) {
  Diagnostic diagnostic;
  diagnostic.message = std::string(3999, 'x');
  EXPECT_EQ(diagnostic.message, shown_message(diagnostic));
  diagnostic.message = std::string(1 << 20, 'x');
  EXPECT_EQ(4000U, shown_message(diagnostic).size());
  EXPECT_TRUE(shown_message(diagnostic).ends_with("xxx..."));
}

}  // namespace warpgrade::base::finding_text_test

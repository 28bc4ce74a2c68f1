// SPDX-License-Identifier: Apache-2.0
// The glossary has every word that the program prints by name, and finds words as people type them.
#include "grader/text/glossary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "grader/course/vocabulary.h"
#include "grader/report/render_measurements.h"

namespace warpgrade::grader::text {
namespace glossary_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> without_entry(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const auto& word : words) {
    if (!word.empty() && explained(word).empty()) out.push_back(word);
  }
  return out;
}

TEST(Glossary, HasTheBoundOfEachLaunch) {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(timing::Bound::kXuPipe); ++i) {
    const auto bound = static_cast<timing::Bound>(i);
    words.emplace_back(timing::name(bound));
    words.emplace_back(report::bound_in_words(bound));
  }
  EXPECT_EQ("xu pipe", words.back());
  EXPECT_THAT(without_entry(words), IsEmpty());
}

TEST(Glossary, HasEachPartOfATime) {
  timing::TimeParts parts;
  parts.launch = parts.first_loads = parts.tail = parts.other_blocks = 1;
  parts.waiting.fill(1);
  const auto by_name = parts.by_name();
  std::vector<std::string> words;
  for (const auto& [name, seconds] : by_name) words.push_back(name);
  EXPECT_EQ(14U, words.size());  // Ten states in which a warp waits, and the four above.
  EXPECT_THAT(without_entry(words), IsEmpty());
}

TEST(Glossary, HasEachLimitOfOccupancy) {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(timing::Limit::kBarriers); ++i) {
    words.emplace_back(timing::name(static_cast<timing::Limit>(i)));
  }
  EXPECT_THAT(without_entry(words), IsEmpty());
}

TEST(Glossary, HasEachKindOfFinding) {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(base::DiagnosticKind::kCompileError); ++i) {
    words.emplace_back(base::name(static_cast<base::DiagnosticKind>(i)));
  }
  EXPECT_THAT(without_entry(words), IsEmpty());
}

TEST(Glossary, HasEachMetric) { EXPECT_THAT(without_entry(course::metric_names()), IsEmpty()); }

TEST(Glossary, FindsWordsInAnyCaseAndNumber) {
  ASSERT_EQ(1U, explained("Wavefronts").size());
  EXPECT_EQ("The machine", explained("Wavefronts").front()->section);
  ASSERT_EQ(1U, explained("out of bounds").size());
  EXPECT_THAT(explained("out of bounds").front()->terms,
              ElementsAre("access outside memory", "out_of_bounds"));
  EXPECT_THAT(explained("grid").front()->terms, ElementsAre("block", "grid"));
}

TEST(Glossary, NamesTheNearestWords) {
  EXPECT_THAT(nearest_terms("wavefornt"), ElementsAre("wavefront"));
  EXPECT_THAT(
      nearest_terms("scoreboard"),
      ElementsAre("long scoreboard", "short scoreboard",
                  "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                  "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"));
  EXPECT_THAT(nearest_terms("xyzzyxyzzy"), IsEmpty());
  EXPECT_THAT(nearest_terms(""), IsEmpty());
}

TEST(Glossary, EachTermHasOneMeaning) {
  for (const auto& entry : glossary()) {
    ASSERT_FALSE(entry.terms.empty());
    EXPECT_FALSE(entry.meaning.empty()) << entry.terms.front();
    for (const auto& term : entry.terms) EXPECT_EQ(1U, explained(term).size()) << term;
  }
}

}  // namespace glossary_test
}  // namespace warpgrade::grader::text

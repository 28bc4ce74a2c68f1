// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gather_doubts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace warpgrade::grader::class_book::gather_doubts_test {

constexpr std::int64_t kDeadline = 1'000'000;

// Number of files of an export that keep their times. Each file belongs to a different student.
std::ptrdiff_t times_kept(const std::vector<std::int64_t>& times, bool is_stamped = true,
                          bool has_archives = true) {
  std::vector<GivenFile> files;
  for (std::size_t i = 0; i < times.size(); ++i) {
    GivenFile one;
    one.file.path = "copy.cu";
    one.file.shown = "export.zip/" + std::to_string(i) + "/copy.cu";
    one.file.time = times[i];
    one.student = std::to_string(i);
    one.is_stamped = is_stamped;
    files.push_back(std::move(one));
  }
  Rules rules;
  rules.deadlines[""] = kDeadline;
  HandedIn out;
  doubt_times(rules, has_archives, files, out);
  const auto kept =
      std::ranges::count_if(files, [](const GivenFile& one) { return one.file.time.has_value(); });
  EXPECT_EQ(kept == 0, out.problems.size() == 1);
  return kept;
}

TEST(GatherDoubts, EqualTimesAreThoseOfTheExport) {
  EXPECT_EQ(0, times_kept({kDeadline + 5, kDeadline + 5}));
  EXPECT_EQ(1, times_kept({kDeadline + 5}));
  EXPECT_EQ(2, times_kept({kDeadline + 5, kDeadline + 5}, false));
}

TEST(GatherDoubts, LateTimesInTheOrderOfTheArchiveAreThoseOfTheExport) {
  EXPECT_EQ(0, times_kept({kDeadline + 5, kDeadline + 6, kDeadline + 6, kDeadline + 900}));
  EXPECT_EQ(3, times_kept({kDeadline + 6, kDeadline + 5, kDeadline + 7}));     // another order
  EXPECT_EQ(3, times_kept({kDeadline + 5, kDeadline + 6, kDeadline + 9000}));  // too long
  EXPECT_EQ(3, times_kept({kDeadline - 5, kDeadline + 6, kDeadline + 7}));     // one is on time
  EXPECT_EQ(2, times_kept({kDeadline + 5, kDeadline + 6}));                    // too few
}

TEST(GatherDoubts, AFolderHasNoOrder) {
  EXPECT_EQ(0, times_kept({kDeadline + 6, kDeadline + 5, kDeadline + 7}, true, false));
  EXPECT_EQ(3, times_kept({kDeadline + 6, kDeadline - 5, kDeadline + 7}, true, false));
  EXPECT_EQ(2, times_kept({kDeadline + 6, kDeadline + 5}, true, false));
}

}  // namespace warpgrade::grader::class_book::gather_doubts_test

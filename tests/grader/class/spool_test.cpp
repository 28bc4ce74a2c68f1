// SPDX-License-Identifier: Apache-2.0
// Tasks, claims and results as files that move between folders.
#include "grader/class/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/wire.h"

namespace warpgrade::grader::class_book::spool_test {

namespace fs = std::filesystem;

class SpoolTest : public testing::Test {
 protected:
  SpoolTest() { spool_.make(); }
  ~SpoolTest() override { fs::remove_all(spool_.folder()); }
  static Task task(const std::string& key) { return {key, "lab", "copy", {{"copy.cu", "k"}}, {}}; }
  Spool spool_{fs::path(testing::TempDir()) / "warpgrade_spool"};
};

TEST_F(SpoolTest, ATaskIsOneWorkersInOrder) {
  spool_.put(2, task("b"));
  spool_.put(1, task("a"));
  Spool other(spool_.folder());
  EXPECT_EQ("a", spool_.claim("w1")->task.key);
  EXPECT_EQ("b", other.claim("w2")->task.key);
  EXPECT_FALSE(spool_.claim("w1").has_value());
}

TEST_F(SpoolTest, AResultTakesTheClaimsPlace) {
  spool_.put(1, task("a"));
  const auto claim = spool_.claim("w1");
  BookGrade grade;
  grade.points = 7;
  spool_.finish(*claim, "w1", {"a", "w1", run::Backend::kSim, grade});
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "claims"));
  ASSERT_EQ(1U, spool_.results().size());
  EXPECT_EQ(7, spool_.results()[0].outcome.grade()->points);
}

TEST_F(SpoolTest, ADeadWorkersClaimIsATaskAgainUnlessItsResultIsThere) {
  spool_.put(1, task("a"));
  spool_.put(2, task("b"));
  spool_.put(3, task("c"));
  const auto a = spool_.claim("w1");
  spool_.claim("w1");
  spool_.claim("w2");
  // The result exists, but w1's claim remains, as after a crash between the two steps.
  spool_.finish({a->name, a->task}, "nobody", {"a", "nobody", run::Backend::kSim, {}});
  EXPECT_THAT(spool_.give_back("w1"), testing::ElementsAre("b"));
  EXPECT_EQ("b", spool_.claim("w3")->task.key);
}

TEST_F(SpoolTest, HalfAResultAndOneOfAnotherTaskAreNone) {
  std::ofstream(spool_.folder() / "results" / "000001-a") << "half";
  spool_.put(2, task("b"));
  const auto claim = spool_.claim("w");
  spool_.finish(*claim, "w", {"forged", "w", run::Backend::kSim, {}});
  EXPECT_TRUE(spool_.results().empty());
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "results"));
}

// Until 0.2.0 an outcome had 19 fields: the key, the trouble or nothing, two numbers, eight texts,
// the time, five texts.
TEST_F(SpoolTest, ResultsOfAnEarlierProgramAreNone) {
  const std::vector<std::string> texts = {"pass", "none",     "sim", "h200",
                                          "",     "6885a25-", "13",  "2026-11-22T14:20:00Z"};
  for (const std::string trouble : {"", "no compiler"}) {
    base::WireWriter old;
    old(std::string("a"), trouble, 7.0, 10.0);
    for (const auto& text : texts) old(trouble.empty() ? text : std::string());
    old(1.5);
    for (const auto* text : {"w1", "{}", "text", "page", ""}) {
      old(std::string(trouble.empty() ? text : ""));
    }
    std::ofstream(spool_.folder() / "results" / "000001-a", std::ios::binary) << old.take();
    EXPECT_TRUE(spool_.results().empty());
    EXPECT_TRUE(fs::is_empty(spool_.folder() / "results"));
  }
}

TEST_F(SpoolTest, TasksAreAnnouncedUntilAllArePut) {
  EXPECT_FALSE(spool_.is_announced());
  spool_.announce();
  Spool of_a_worker(spool_.folder());
  EXPECT_TRUE(of_a_worker.is_announced());
  spool_.clear();
  EXPECT_TRUE(of_a_worker.is_announced());
  spool_.end_announcement();
  EXPECT_FALSE(of_a_worker.is_announced());
}

TEST_F(SpoolTest, ResultsOutliveTasksAndClaims) {
  for (const auto* key : {"a", "b", "c"}) spool_.put(1, task(key));
  const auto done = spool_.claim("w1");
  spool_.finish(*done, "w1", {done->task.key, "w1", run::Backend::kSim, {}});
  spool_.claim("w1");
  spool_.clear_tasks();
  EXPECT_FALSE(spool_.has_tasks());
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "claims"));
  EXPECT_EQ(1U, spool_.results().size());
}

TEST_F(SpoolTest, ADroppedTaskIsNobodys) {
  spool_.put(1, task("a"));
  spool_.drop("a");
  EXPECT_FALSE(spool_.has_tasks());
}

}  // namespace warpgrade::grader::class_book::spool_test

// SPDX-License-Identifier: Apache-2.0
// Tasks, claims and results as files that change places.
#include "grader/class/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace warpgrade::grader {
namespace spool_test {

namespace fs = std::filesystem;

class SpoolTest : public testing::Test {
 protected:
  SpoolTest() { spool_.make(); }
  ~SpoolTest() override { fs::remove_all(spool_.folder()); }
  static ClassTask task(const std::string& key) {
    return {key, "lab", "copy", {{"copy.cu", "k"}}, {}};
  }
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
  Outcome outcome;
  outcome.key = "a";
  outcome.points = 7;
  spool_.finish(*claim, "w1", outcome);
  EXPECT_TRUE(fs::is_empty(spool_.folder() / "claims"));
  ASSERT_EQ(1U, spool_.results().size());
  EXPECT_EQ(7, spool_.results()[0].outcome.points);
}

TEST_F(SpoolTest, ADeadWorkersClaimIsATaskAgainUnlessItsResultIsThere) {
  spool_.put(1, task("a"));
  spool_.put(2, task("b"));
  spool_.put(3, task("c"));
  const auto a = spool_.claim("w1");
  spool_.claim("w1");
  spool_.claim("w2");
  // Written, but the claim was not taken away any more.
  Outcome outcome;
  outcome.key = "a";
  spool_.finish({a->name, a->task}, "nobody", outcome);
  EXPECT_THAT(spool_.give_back("w1"), testing::ElementsAre("b"));
  EXPECT_EQ("b", spool_.claim("w3")->task.key);
}

TEST_F(SpoolTest, HalfAResultAndOneOfAnotherTaskAreNone) {
  std::ofstream(spool_.folder() / "results" / "000001-a") << "half";
  spool_.put(2, task("b"));
  const auto claim = spool_.claim("w");
  Outcome outcome;
  outcome.key = "forged";
  spool_.finish(*claim, "w", outcome);
  EXPECT_TRUE(spool_.results().empty());
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
  Outcome outcome;
  outcome.key = done->task.key;
  spool_.finish(*done, "w1", outcome);
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

}  // namespace spool_test
}  // namespace warpgrade::grader

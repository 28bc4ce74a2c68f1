// SPDX-License-Identifier: Apache-2.0
#include "common/compile/child.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "common/base/error.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::child_test {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;

class PatienceTest : public testing::Test {
 protected:
  // The time limit that the patience gives to a wait that lasts `time`.
  milliseconds wait(microseconds time) {
    return patience_.wait([&](milliseconds most) {
      now_ += time;
      return most;
    });
  }

  microseconds now_{0};
  Patience patience_{250ms, [this] { return Clock::result_type(now_); }};
};

TEST_F(PatienceTest, IsOverWhenItsTimeHasBeenWaited) {
  EXPECT_EQ(Patience::kTurn, wait(100ms));
  EXPECT_EQ(Patience::kTurn, wait(100ms));
  EXPECT_FALSE(patience_.is_over());
  EXPECT_EQ(50ms, wait(50ms));
  EXPECT_TRUE(patience_.is_over());
  EXPECT_EQ(0ms, wait(10ms));
  EXPECT_EQ(0ms, wait(0ms));
}

TEST_F(PatienceTest, CountsAWaitForATurnAtMost) {
  wait(10h);
  EXPECT_FALSE(patience_.is_over());
  wait(10h);
  EXPECT_FALSE(patience_.is_over());
  wait(10h);
  EXPECT_TRUE(patience_.is_over());
}

TEST_F(PatienceTest, CountsShortWaitsForAMillisecond) {
  for (int i = 0; i < 249; ++i) wait(1us);
  EXPECT_FALSE(patience_.is_over());
  wait(1us);
  EXPECT_TRUE(patience_.is_over());
}

TEST_F(PatienceTest, DoesNotCountWhatPassesBetweenWaits) {
  now_ += 10h;
  wait(100ms);
  now_ += 10h;
  EXPECT_FALSE(patience_.is_over());
}

TEST(Child, GetsItsInputAndGivesItsOutput) {
  const std::string input(1 << 20, 'x');
  const auto result = run_child({"/bin/cat", {}}, input, 10s);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(0, result.exit_code);
  EXPECT_EQ(input, result.output);
}

TEST(Child, GetsItsArguments) {
  EXPECT_EQ("a b,c", run_child({"/bin/echo", {"-n", "a b,c"}}, "", 10s).output);
}

// The clock jumps by an hour at each of the first readings, as when a suspended machine resumes.
TEST(Child, IsNotTimedWhileItsParentIsSuspended) {
  int calls = 0;
  const auto clock = [&] { return Clock::result_type(std::chrono::hours(std::min(++calls, 4))); };
  const auto result = run_child({"/bin/echo", {"done"}}, "", 1s, clock);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ("done\n", result.output);
}

// The clock starts only when the child hangs, so a slow start of the child does not matter.
TEST(Child, ThatHangsIsKilledWithWhatItHasStarted) {
  const TemporaryFolder folder;
  const auto begun = folder.path() / "begun";
  int calls = 0;
  const auto clock = [&] {
    if (std::filesystem::exists(begun)) ++calls;
    return Clock::result_type(std::chrono::seconds(calls));
  };
  const auto script = "echo begun; : >" + begun.string() + "; sleep 1000";
  const auto result = run_child({"/bin/sh", {"-c", script}}, "", 200ms, clock);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ("begun\n", result.output);
}

TEST(Child, ThatWritesOnAndOnInTricklesIsOutOfTimeAllTheSame) {
  const std::string script = "while true; do echo x; sleep 0.001; done";
  int calls = 0;
  const auto clock = [&] { return Clock::result_type(std::chrono::microseconds(++calls)); };
  EXPECT_TRUE(run_child({"/bin/sh", {"-c", script}}, "", 20ms, clock).timed_out);
}

TEST(Child, ThatDoesNotExistIsAToolError) {
  EXPECT_THROW(run_child({"/nonexistent", {}}, "", 1s), base::ToolError);
}

}  // namespace warpgrade::compile::child_test

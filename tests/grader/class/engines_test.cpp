// SPDX-License-Identifier: Apache-2.0
#include "grader/class/engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <thread>

namespace warpgrade::grader::class_book::engines_test {
namespace {

cpu_set_t cores(std::initializer_list<int> numbers) {
  cpu_set_t out;
  CPU_ZERO(&out);
  for (const int number : numbers) CPU_SET(number, &out);
  return out;
}

TEST(WorkerCores, AWorkerForEachCoreKeepsIts) {
  EXPECT_EQ(0, core_of_worker(cores({0, 1}), 0, 2));
  EXPECT_EQ(1, core_of_worker(cores({0, 1}), 1, 2));
}

TEST(WorkerCores, OnlyCoresThatTheRunMayUseCount) {
  EXPECT_EQ(3, core_of_worker(cores({3, 70}), 0, 2));
  EXPECT_EQ(70, core_of_worker(cores({3, 70}), 1, 2));
}

TEST(WorkerCores, MoreWorkersThanCoresShareThemEvenly) {
  EXPECT_EQ(3, core_of_worker(cores({3, 4}), 2, 4));
  EXPECT_EQ(4, core_of_worker(cores({3, 4}), 3, 4));
}

TEST(WorkerCores, FewerWorkersThanCoresUseAll) {
  EXPECT_EQ(std::nullopt, core_of_worker(cores({0, 1, 2}), 0, 2));
}

TEST(WorkerCores, AProcessIsLeftWithItsCore) {
  cpu_set_t before;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof before, &before));
  const auto count = static_cast<std::size_t>(CPU_COUNT(&before));
  cpu_set_t after;
  std::thread([&] {  // of this thread alone, so that other tests keep all cores
    keep_to_core(count - 1, count);
    sched_getaffinity(0, sizeof after, &after);
  })
      .join();
  EXPECT_EQ(1, CPU_COUNT(&after));
  EXPECT_TRUE(CPU_ISSET(*core_of_worker(before, count - 1, count), &after));
}

}  // namespace

// Parses squeue's output and writes the array's script. tests/classes runs the engine with Slurm's
// daemons.

TEST(Slurm, WorkersThatWaitOrRunHaveNotEnded) {
  const auto* squeue =
      "17_1 RUNNING\n17_2 COMPLETED\n17_3 NODE_FAIL\n17_[4-5,7%2] PENDING\n171_6 RUNNING\n";
  EXPECT_THAT(slurm_workers(squeue, "17", 8),
              testing::ElementsAre("slurm17-1", "slurm17-4", "slurm17-5", "slurm17-7"));
  EXPECT_TRUE(slurm_workers("", "17", 8).empty());
}

TEST(Slurm, TheScriptNamesTheWorkerByItsJobAndAsksForAGpu) {
  WorkerOptions options{"/a b/spool", "@", run::Backend::kGpu, true, false};
  const auto script = slurm_script(options, "/opt/it's/warpgrade", "/course", 4);
  EXPECT_THAT(script, testing::HasSubstr("#SBATCH --array=1-4\n"));
  EXPECT_THAT(script, testing::HasSubstr("#SBATCH --gres=gpu:1\n"));
  EXPECT_THAT(script,
              testing::HasSubstr("exec '/opt/it'\\''s/warpgrade' 'class-worker' '/a b/spool' "
                                 "\"slurm${SLURM_ARRAY_JOB_ID}-${SLURM_ARRAY_TASK_ID}\" 'gpu'"));
  options.backend = run::Backend::kSim;
  EXPECT_THAT(slurm_script(options, "/w", "/course", 4), testing::Not(testing::HasSubstr("gres")));
}

}  // namespace warpgrade::grader::class_book::engines_test

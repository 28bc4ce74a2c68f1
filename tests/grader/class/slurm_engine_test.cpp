// SPDX-License-Identifier: Apache-2.0
// Parses squeue's output and writes the array's script. tests/classes runs the engine with Slurm's
// daemons.
#include "grader/class/slurm_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::slurm_engine_test {

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

}  // namespace warpgrade::grader::class_book::slurm_engine_test

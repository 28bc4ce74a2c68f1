// SPDX-License-Identifier: Apache-2.0
// Runs and renders a study on a bench with scripted times: tables, CSV, misfits, failures, and
// differences from published values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/study/small_study.h"

namespace warpgrade::grader::study::run_study_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class RunStudy : public SmallStudy {};

// slow: 128 and 256 GB in 1 s (published: 100 and 200 GB/s). fast: 256 GB in 0.5 s (300 GB/s).
TEST_F(RunStudy, ASweepIsATableWithWhatWasPublished) {
  const auto study = parse(kStudy);
  EXPECT_EQ(
      "Small (simulated)\n"
      "For tests.\n"
      "\n"
      "Copies, k40: GB/s\n"
      "   n  slow  published  deviation  fast  published  deviation\n"
      "  32   128        100    +28.0 %     -\n"
      "  64   256        200    +28.0 %   512        300    +70.7 %\n"
      "\n"
      "Beside what was published\n"
      "  device  values  mean deviation  largest  pairs in order\n"
      "  k40          3          42.2 %  +70.7 %          1 of 1\n"
      "  k40: largest at fast, n = 64\n"
      "\n"
      "published: A paper, 2010.\n",
      render_text(run_small(study, take_time), text::Style()));
}

// 128 and 256 GB in the 2 s of a sample. No launch is executed in full.
TEST_F(RunStudy, ASampledPartHasTheTimeOfASample) {
  const auto study = parse(replaced(kStudy, "\"bandwidth\"", "\"bandwidth\"\nsampled = true"));
  const auto result = run_small(study, take_time);
  EXPECT_EQ(64e9, result.parts.front().shown({0, 0, 0}));
  EXPECT_EQ(128e9, result.parts.front().shown({0, 1, 1}));
}

// The 1 s and 0.5 s of the launches, since the sample does not represent them.
TEST_F(RunStudy, ASampledPartIsExecutedInFullIfItsBlocksDiffer) {
  const auto study = parse(replaced(kStudy, "\"bandwidth\"", "\"bandwidth\"\nsampled = true"));
  const auto result = run_small(study, take_time, compile_small, /*is_even=*/false);
  EXPECT_EQ(128e9, result.parts.front().shown({0, 0, 0}));
  EXPECT_EQ(512e9, result.parts.front().shown({0, 1, 1}));
}

// L1's two stages take 2 s and 1 s. At 745 MHz that is 15 million clocks for each of 149 loads.
TEST_F(RunStudy, ClocksOfL1AreThoseOfItsStagesForEachLoad) {
  write("published/small.csv", "# x\ndevice,kernel,n,clocks\nk40,slow,32,10000000\n");
  auto text = replaced(kStudy, "\"bandwidth\"", "\"l1_clocks\"");
  const auto study = parse(replaced(text, "\"GB_per_s\"", "\"clocks\""));
  const auto result = run_small(study, [](const std::string&, const run::Launch&,
                                          measure::Measurement& measured) {
    measured.seconds = 7;
    measured.shares = {
        {timing::Bound::kL1Data, 2}, {timing::Bound::kDram, 5}, {timing::Bound::kTagLookups, 1}};
    measured.metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 149;
  });
  EXPECT_NEAR(15e6, *result.parts.front().shown({0, 0, 0}), 1);
  const auto found = agreements(result);
  ASSERT_EQ(1U, found.size());
  EXPECT_NEAR(0.5, found.front().mean, 1e-6);
  EXPECT_EQ(0U, found.front().pairs);
}

TEST_F(RunStudy, OneValueIsATableWithARowAKernel) {
  auto text = replaced(kStudy, "[32, 64]", "[64]");
  text = replaced(text, "\"bandwidth\"", "\"fraction\"\nbaseline = \"slow\"");
  text = replaced(text, "\"GB/s\"", "\"fraction of slow\"");
  const auto study = parse(text);
  const auto out = render_text(run_small(study, take_time), text::Style());
  EXPECT_THAT(
      out,
      HasSubstr("Copies, k40\n"
                "  kernel          time  GB/s  fraction of slow  published  deviation  bound by\n"
                "  the slow one     1 s   256                 1          1             dram\n"
                "  the fast one  500 ms   512                 2        1.5    +33.3 %  dram\n"));
}

TEST_F(RunStudy, TheBaselineDoesNotCountAsRight) {
  auto text = replaced(kStudy, "\"bandwidth\"", "\"fraction\"\nbaseline = \"slow\"");
  const auto study = parse(text);
  const auto found = agreements(run_small(study, take_time));
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(1u, found.front().values);
  EXPECT_NEAR(1.0 / 3, found.front().mean, 1e-12);
}

TEST_F(RunStudy, AStepIsTheSpeedUpOnTheKernelBefore) {
  const auto study = parse(replaced(kStudy, "\"bandwidth\"", "\"step\""));
  const auto result = run_small(study, take_time);
  const auto& part = result.parts.front();
  EXPECT_FALSE(part.shown({0, 0, 1}));
  EXPECT_EQ(2, part.shown({0, 1, 1}));
  EXPECT_EQ(1.5, part.published({0, 1, 1}));
}

TEST_F(RunStudy, TimesPublishedAreTurnedIntoSpeeds) {
  write("published/small.csv", "# x\ndevice,kernel,n,ms\nk40,slow,64,6\nk40,fast,64,4\n");
  auto text = replaced(kStudy, "\"bandwidth\"", "\"fraction\"\nbaseline = \"slow\"");
  const auto study = parse(replaced(text, "\"GB_per_s\"", "\"ms\""));
  EXPECT_EQ(1.5, run_small(study, take_time).parts.front().published({0, 1, 1}));
}

TEST_F(RunStudy, TheOrderIsJudgedWherePublishedValuesDiffer) {
  const auto study = parse(kStudy);
  const auto with_fast = [](double seconds) {
    return [seconds](const std::string& kernel, const run::Launch&, measure::Measurement& out) {
      out.seconds = kernel == "slow" ? 1 : seconds;
    };
  };
  EXPECT_THAT(agreements(run_small(study, with_fast(2))).front().misplaced,
              ElementsAre("slow before fast at n = 64"));
  EXPECT_THAT(agreements(run_small(study, with_fast(1))).front().misplaced,
              ElementsAre("slow level with fast at n = 64"));
  // Published values within 5 % of each other accept either order.
  write("published/small.csv", replaced(kPublished, "fast,64,300", "fast,64,209"));
  EXPECT_EQ(0u, agreements(run_small(parse(kStudy), with_fast(2))).front().pairs);
}

TEST_F(RunStudy, CsvHasALineARun) {
  const auto study = parse(replaced(kStudy, "\"GB/s\"", "\"GB/s, \\\"read\\\"\""));
  EXPECT_EQ(
      "part,device,kernel,axis,axis_value,seconds,bytes,shown,shown_unit,published,deviation,rule,"
      "bound_by,note\n"
      "main,k40,slow,n,32,1,1.28e+11,128,\"GB/s, \"\"read\"\"\",100,0.28,,dram,\n"
      "main,k40,slow,n,64,1,2.56e+11,256,\"GB/s, \"\"read\"\"\",200,0.28,,dram,\n"
      "main,k40,fast,n,64,0.5,2.56e+11,512,\"GB/s, \"\"read\"\"\",300,0.706666667,,dram,\n",
      render_csv(run_small(study, take_time)));
}

TEST_F(RunStudy, WhatDoesNotFitIsSaidAndNotRun) {
  const auto study =
      parse(replaced(kStudy, "block = [32]", "block = [\"16 * n\"]\nshared = 60000"));
  const auto result = run_small(study, [](auto&, auto&, auto&) { FAIL() << "it was run"; });
  EXPECT_EQ(0, result.exit_code());
  const auto out = render_text(result, text::Style());
  EXPECT_THAT(
      out, HasSubstr("no fit: slow on k40: 60000 bytes of shared memory a block, 49152 at most"));
  EXPECT_THAT(render_csv(result), HasSubstr("main,k40,slow,n,32,,,,GB/s,100,,,,\"60000 bytes"));
}

TEST_F(RunStudy, AKernelThatFailsIsToldOnceAndTheOthersGoOn) {
  const auto study = parse(kStudy);
  const auto result = run_small(study, [](auto& kernel, auto& launch, auto& measured) {
    take_time(kernel, launch, measured);
    if (kernel != "slow") return;
    base::Diagnostic found;
    found.kind = base::DiagnosticKind::kOutOfBounds;
    found.where = {"small.cu", 1, 1};
    found.message = "it wrote past the end";
    measured.result.diagnostics.push_back(found);
  });
  EXPECT_EQ(1, result.exit_code());
  ASSERT_EQ(1u, result.diagnostics.size());
  EXPECT_THAT(result.diagnostics.front(), HasSubstr("kernel `slow`: small.cu:1:1: out_of_bounds"));
  const auto out = render_text(result, text::Style());
  EXPECT_THAT(out, HasSubstr("failed"));
  EXPECT_THAT(out, HasSubstr("512"));
}

TEST_F(RunStudy, WhatTheSimulatorLacksIsNotTheKernelsFault) {
  const auto study = parse(kStudy);
  const auto result = run_small(study, [](auto&, auto&, auto& measured) {
    base::Diagnostic found;
    found.kind = base::DiagnosticKind::kUnsupported;
    measured.result.diagnostics.push_back(found);
  });
  EXPECT_EQ(3, result.exit_code());
}

TEST_F(RunStudy, AFileThatDoesNotCompileIsToldForEachKernel) {
  const auto study = parse(kStudy);
  const auto result = run_small(study, take_time, [](const compile::CompileRequest&) {
    base::Diagnostic wrong;
    wrong.kind = base::DiagnosticKind::kCompileError;
    wrong.message = "no";
    return compile::Result(std::vector<base::Diagnostic>{wrong});
  });
  EXPECT_EQ(1, result.exit_code());
  EXPECT_EQ(2u, result.diagnostics.size());
}

TEST_F(RunStudy, MissingSourceIsWrongUsage) {
  const auto study = parse(replaced(kStudy, "kernels/small.cu", "kernels/none.cu"));
  EXPECT_THROW(run_small(study, take_time), base::UsageError);
}

TEST_F(RunStudy, ACountThatIsNotTheRulesIsOurFault) {
  const std::string metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  auto text = replaced(kStudy, "\"bandwidth\"", "\"" + metric + "\"");
  text =
      replaced(text, "[[part.published]]\nfile = \"published/small.csv\"\nvalue = \"GB_per_s\"\n",
               "[part.rule]\naddress = \"lane * n\"\nbytes = \"word\"\n");
  const auto study = parse(text);
  const auto with = [&](double wavefronts) {
    return run_small(study, [&](auto& kernel, auto& launch, auto& measured) {
      take_time(kernel, launch, measured);
      // On a K40, strides of 8 and 16 words put 8 and 16 lanes on a bank, and two of them share a
      // row: 4 and 8 wavefronts.
      measured.metrics[metric] = wavefronts * launch.grid.x;
    });
  };
  EXPECT_EQ(0, with(4).exit_code());
  EXPECT_THAT(render_text(with(4), text::Style()),
              HasSubstr("3 counts are what the rule of the banks"));
  EXPECT_EQ(3, with(5).exit_code());
  EXPECT_THAT(render_text(with(5), text::Style()),
              HasSubstr("slow on k40 at n = 32: counted 5, the rule gives 4\n"));
}

TEST_F(RunStudy, CurvesAreHeldAgainstTheRest) {
  auto text = replaced(kStudy, "[32, 64]", "[32, 64, 96, 128]");
  text += "\n[[part.curve]]\nlabel = \"slow sizes\"\nkernels = [\"slow\"]\nwhen = \"n == 64\"\n";
  const auto study = parse(text);
  const auto result = run_small(study, [](auto&, auto& launch, auto& measured) {
    // 128 GB/s, and half of that at 64.
    measured.seconds = (launch.grid.x == 2 ? 2.0 : 1.0) * launch.grid.x;
  });
  EXPECT_THAT(render_text(result, text::Style()),
              HasSubstr("slow sizes                                        0.5   0.5\n"));
}

TEST_F(RunStudy, BestIsTheValueOfTheAxisWithTheMost) {
  write("best.csv", "# x\ndevice,kernel,best\nk40,slow,32\n");
  auto text = kStudy + "\n[[part.best]]\nfile = \"best.csv\"\n";
  const auto study = parse(replaced(text, "when = \"n > 32\"\n", ""));
  const auto result = run_small(study, take_time);
  EXPECT_EQ(64, result.parts.front().best(0, 0));
  EXPECT_EQ(32, result.parts.front().published_best(0, 0));
  EXPECT_FALSE(result.parts.front().published_best(0, 1));
  EXPECT_THAT(render_text(result, text::Style()), Not(HasSubstr("failed")));
}

TEST_F(RunStudy, TellsHowFarItIs) {
  const auto study = parse(kStudy);
  cases::Compilations compilations(compile_small, 1);
  StudyBench bench("k40", take_time);
  std::vector<std::size_t> seen;
  Tools services{&compilations, [&](const Device&) -> measure::SimBench& { return bench; },
                 [&](std::size_t done, std::size_t all) {
                   EXPECT_EQ(4u, all);
                   seen.push_back(done);
                 }};
  run_study(study, services);
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(3, bench.launches);
}

}  // namespace warpgrade::grader::study::run_study_test

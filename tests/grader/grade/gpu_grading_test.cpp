// SPDX-License-Identifier: Apache-2.0
// Grades the coalescing lab through the GPU path, on a driver made of the simulator. The compiler,
// bench, worker process, session and the course's files are real.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/baselines.h"
#include "grader/cases/submission.h"
#include "grader/course/course.h"
#include "grader/grade/grading.h"
#include "grader/grade/grading_session.h"
#include "sim_driver.h"

namespace warpgrade::grader::grade::gpu_grading_test {

using testing::HasSubstr;

const std::filesystem::path kRoot = WARPGRADE_SOURCE_ROOT;
constexpr std::int64_t kSide = 640;  // side of the matrix that is timed on the "card"

compile::Result compile_to_ptx(const compile::CompileRequest& request) {
  auto result = compile::compile(request);
  auto* program = std::get_if<compile::Program>(&result);
  if (program == nullptr) return result;
  return gpu::testing::as_ptx(std::move(*program));
}

class GpuGrading : public testing::Test {
 protected:
  GpuGrading()
      : course_(course::read_course(kRoot, {"coalescing"})), compilations_(compile_to_ptx, 2) {
    for (auto& lab : course_.labs) {
      for (auto& exercise : lab.exercises) {
        if (exercise.kernel() == nullptr) continue;
        for (auto& item : exercise.kernel()->cases) {
          if (!item.timed_variables) continue;
          for (auto& [name, number] : *item.timed_variables) {
            number = {std::to_string(kSide), number.where()};
          }
        }
      }
    }
    gpu::testing::know(measure::copy_program("sm_90"));
    gpu::testing::know(gpu::fingerprint_program("sm_90"));
    const auto platform = gpu::testing::sim_platform();
    measure::GpuBenchOptions options;
    options.lock_folder = testing::TempDir();
    const auto runner = [&] {
      return std::make_unique<gpu::GpuRunner>(platform, gpu::GpuRunner::kTimeLimit);
    };
    gpu_ = measure::gpu_bench(runner(), options);
    runner_ = runner();
  }

  report::ExerciseReport grade(const std::string& exercise, const std::filesystem::path& file) {
    cases::Reference reference(cases::simulate, "sm_90", compilations_, cases::kDefaultSeed);
    cases::Reference gpu_reference(cases::in_turn_on(*runner_), "sm_90", compilations_,
                                   cases::kDefaultSeed);
    GradingServices services;
    services.compilations = &compilations_;
    services.simulator.reference = &reference;
    services.simulator.bench = [this](const std::string& device) -> measure::SimBench& {
      auto& bench = sims_[device];
      if (!bench) bench = measure::sim_bench(device::find(device));
      return *bench;
    };
    services.seed = cases::kDefaultSeed;
    services.gpu.emplace();
    services.gpu->bench = gpu_.get();
    services.gpu->reference = &gpu_reference;
    services.gpu->counters = counters_;
    const auto selected = select(course_, {"coalescing/" + exercise}).front();
    const auto task = file_task(course_, selected, file);
    return Grading(services, task, {}).grade();
  }
  static const report::Gate& gate(const report::ExerciseReport& report, const std::string& id) {
    return *std::find_if(report.gates.begin(), report.gates.end(),
                         [&](const report::Gate& item) { return item.definition.id == id; });
  }

  bool counters_ = false;
  course::Course course_;
  cases::Compilations compilations_;
  std::map<std::string, std::unique_ptr<measure::SimBench>> sims_;
  std::unique_ptr<measure::GpuBench> gpu_;
  std::unique_ptr<gpu::GpuRunner> runner_;
};

TEST_F(GpuGrading, SolutionsEarnFullPointsWithTheSpeedMeasured) {
  for (const std::string exercise : {"copy", "transpose"}) {
    const auto report = grade(exercise, kRoot / "solutions/coalescing" / (exercise + ".cu"));
    EXPECT_EQ(report::Verdict::kPass, report.verdict) << exercise;
    EXPECT_EQ(10U, report.points) << exercise;
    EXPECT_EQ(run::Backend::kGpu, gate(report, "speed_h200").backend);
    EXPECT_EQ(2U,
              gate(report, "speed_h200").definition.points);  // Includes the points of speed_k40.
    EXPECT_EQ(run::Backend::kSim, gate(report, "loads_coalesced").backend);
    // A tile with plain loads and stores reaches 0.9 of the copy on the real card at 8192 x 8192.
    EXPECT_GT(gate(report, "speed_h200").value().value_or(0), 0.8);
    const auto measured =
        std::count_if(report.cases.begin(), report.cases.end(), [](const report::Case& item) {
          return item.backend == run::Backend::kGpu && item.name == "large";
        });
    EXPECT_EQ(1, measured);
  }
}

TEST_F(GpuGrading, WhatAProfilerCountsStandsInTheReport) {
  const auto script = testing::TempDir() + "ncu_of_a_grade";
  std::ofstream(script) << R"(#!/bin/sh
while [ $# -gt 0 ]; do
  [ "$1" = --log-file ] && log=$2
  [ "$1" = --kernel-name ] && kernel=$2
  shift
done
name=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
printf '"ID","Kernel Name","%s"\n"","","sector"\n"0","%s","524,288"\n' $name $kernel > $log
)";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ::setenv("WARPGRADE_NCU", script.c_str(), 1);
  counters_ = true;
  const auto report = grade("copy", kRoot / "solutions/coalescing/copy.cu");
  ::unsetenv("WARPGRADE_NCU");
  const auto found =
      std::ranges::find_if(report.cases, [](const auto& one) { return one.counted.has_value(); });
  ASSERT_NE(report.cases.end(), found);
  const auto& counted = *found;
  EXPECT_EQ("", counted.counted->reason);
  // 2048 x 2048 floats, the size for which the counter gates are written: 8 floats per sector.
  EXPECT_EQ((text::Variables{{"height", 2048}, {"width", 2048}}), counted.variables);
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  EXPECT_EQ(524288, counted.counted->metrics.at(loads));
  EXPECT_EQ(524288, counted.simulated.at(loads));
  EXPECT_EQ(gate(report, "sectors_loaded").value(), counted.simulated.at(loads));
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(GpuGrading, ASkeletonEarnsNothingThoughItIsRight) {
  const auto report = grade("copy", kRoot / "labs/coalescing/copy.cu");
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kMechanism, report.reason);
  EXPECT_TRUE(report.correct);
  EXPECT_EQ(0U, report.points);
  EXPECT_LT(gate(report, "speed_h200").value().value_or(1), 0.6);
}

TEST_F(GpuGrading, AKernelThatIsWrongOnTheCardOnlyIsFoundThere) {
  const auto file = std::filesystem::path(testing::TempDir()) / "wrong_on_the_card.cu";
  std::ifstream right(kRoot / "solutions/coalescing/copy.cu");
  std::ofstream wrong(file);
  // Only the card runs the large size.
  wrong << "#define copy copy_all\n"
        << right.rdbuf() << R"(
#undef copy
__global__ void copy(float* out, const float* in, int width, int height) {
  if (width == 640) {
    out[1ull << 40] = 1;
    return;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
)";
  wrong.close();
  const auto report = grade("copy", file);
  EXPECT_EQ(report::Reason::kDiagnostic, report.reason);
  EXPECT_EQ(0U, report.points);
  ASSERT_EQ(1U, report.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, report.diagnostics[0].kind);
  EXPECT_THAT(base::text(report.diagnostics[0]), HasSubstr("an address that belongs to no buffer"));
  // The card is available to the next submission.
  EXPECT_EQ(10U, grade("copy", kRoot / "solutions/coalescing/copy.cu").points);
}

}  // namespace warpgrade::grader::grade::gpu_grading_test

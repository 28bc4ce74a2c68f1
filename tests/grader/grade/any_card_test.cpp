// SPDX-License-Identifier: Apache-2.0
// Grades each lab on cards without a profile, through the GPU path. The driver is the simulator; it
// reports the attributes of those cards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "common/base/error.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/baselines.h"
#include "common/measure/card_profile.h"
#include "grader/cases/submission.h"
#include "grader/course/course.h"
#include "grader/grade/grading.h"
#include "grader/grade/grading_session.h"
#include "grader/grade/time/course_on_card.h"
#include "sim_driver.h"

namespace warpgrade::grader::grade::any_card_test {

using testing::Contains;
using testing::HasSubstr;

const std::filesystem::path kRoot = WARPGRADE_SOURCE_ROOT;

// A grade takes seconds, so no card grades every lab. Every card grades coalescing/copy, and every
// lab runs on at least two cards.
struct Card {
  const char* name;
  std::string architecture;
  gpu::testing::SimScript script;
  std::vector<std::string> labs;
  int ordinal = 0;
};

gpu::testing::SimScript script_of(const std::string& profile, const std::string& name,
                                  std::map<int, int> attributes) {
  gpu::testing::SimScript out;
  out.device = profile;
  out.names = {name};
  out.attributes = std::move(attributes);
  return out;
}

// Attributes as deviceQuery prints them. L2 keeps the small size of the simulated driver, because
// overwriting a larger one is slow here. Other limits, and times, come from the profile.
Card t4() {
  auto script = script_of("t4", "Tesla T4",
                          {{gpu::kComputeMajor, 7},
                           {gpu::kComputeMinor, 5},
                           {gpu::kMaxThreadsPerSm, 1024},
                           {gpu::kMaxBlocksPerSm, 16},
                           {gpu::kSharedPerSm, 65536},
                           {gpu::kMemoryClockKilohertz, 5001000},
                           {gpu::kMemoryWidthBits, 256}});
  return {
      "t4", "sm_75", script, {"bank_conflicts", "coalescing", "coarsening", "partition_camping"}};
}

// This card and the next do not report the memory clock, like some drivers, so the bandwidth comes
// from their own copies.
Card rtx3050_laptop() {
  return {"rtx3050_laptop",
          "sm_86",
          script_of("rtx3060", "NVIDIA GeForce RTX 3050 Laptop GPU",
                    {{gpu::kMaxThreadsPerSm, 1536},
                     {gpu::kMaxBlocksPerSm, 16},
                     {gpu::kSharedPerSm, 102400},
                     {gpu::kHasWatchdog, 1}}),
          {"coalescing", "coarsening"}};
}

Card a100_slice() {
  return {
      "a100_slice",
      "sm_80",
      script_of(
          "a100", "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
          {{gpu::kMaxThreadsPerSm, 2048}, {gpu::kMaxBlocksPerSm, 32}, {gpu::kSharedPerSm, 167936}}),
      {"bank_conflicts", "coalescing", "partition_camping"}};
}

Card second_of_two() {
  auto out = t4();
  out.name = "second_of_two";
  out.labs = {"coalescing"};
  out.script.names = {"NVIDIA GeForce RTX 3050 Laptop GPU", "Tesla T4"};
  out.ordinal = 1;
  return out;
}

compile::Result compile_for_sim(const compile::CompileRequest& request) {
  auto result = compile::compile(request);
  auto* program = std::get_if<compile::Program>(&result);
  if (program == nullptr) return result;
  return gpu::testing::as_ptx(std::move(*program));
}

// The exercise of each lab that is graded here. kSizes makes its timed sizes small.
const std::map<std::string, std::string> kExercises = {{"bank_conflicts", "padded"},
                                                       {"coalescing", "copy"},
                                                       {"coarsening", "reduce_many"},
                                                       {"partition_camping", "diagonal_fast"}};
using Sizes = std::map<std::string, std::string>;
const Sizes kSizes = {
    {"width", "384"}, {"height", "384"}, {"n", "262144"}, {"blocks", "64"}, {"threads", "512"}};

void PrintTo(const Card& card, std::ostream* out) { *out << card.name; }

class OnCard : public testing::Test {
 protected:
  OnCard() : course_(course::read_course(kRoot, {})), compilations_(compile_for_sim, 2) {
    time_at(kSizes);
  }

  void time_at(const Sizes& sizes) {
    for (auto& lab : course_.labs) {
      for (auto& exercise : lab.exercises) {
        if (exercise.kernel() == nullptr) continue;
        for (auto& item : exercise.kernel()->cases) {
          if (!item.timed_variables) continue;
          for (auto& [name, number] : *item.timed_variables) {
            if (sizes.contains(name)) number = {sizes.at(name), number.where()};
          }
        }
      }
    }
  }

  void open(const Card& card) {
    card_ = &card;
    gpu::testing::know(measure::copy_program(card.architecture));
    gpu::testing::know(gpu::fingerprint_program(card.architecture));
    auto platform = gpu::testing::sim_platform(card.script);
    platform.ordinal = card.ordinal;
    const auto runner = [&] {
      return std::make_unique<gpu::GpuRunner>(platform, gpu::GpuRunner::kTimeLimit);
    };
    measure::GpuBenchOptions options;
    options.lock_folder = testing::TempDir();
    options.is_card_unknown = true;
    gpu_ = measure::gpu_bench(runner(), options);
    runner_ = runner();
  }

  report::ExerciseReport grade(const std::string& lab, const std::string& exercise, bool solution) {
    cases::Reference reference(cases::simulate, "sm_90", compilations_, cases::kDefaultSeed);
    cases::Reference on_gpu(cases::in_turn_on(*runner_), card_->architecture, compilations_,
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
    services.gpu->reference = &on_gpu;
    CourseOnCard course_on_card(services);
    services.gpu->course_values = [&](const GradingTask& task) { return course_on_card.of(task); };
    const auto selected = select(course_, {lab + "/" + exercise}).front();
    const auto task = solution ? solution_task(course_, selected) : student_task(course_, selected);
    return Grading(services, task, {}).grade();
  }

  const Card* card_ = nullptr;
  course::Course course_;
  cases::Compilations compilations_;
  std::map<std::string, std::unique_ptr<measure::SimBench>> sims_;
  std::unique_ptr<measure::GpuBench> gpu_;
  std::unique_ptr<gpu::GpuRunner> runner_;
};

class AnyCard : public OnCard, public testing::WithParamInterface<Card> {};

TEST_P(AnyCard, SolutionsOfEachLabEarnFullPoints) {
  open(GetParam());
  EXPECT_EQ(measure::kUnknownCard, gpu_->profile().name);
  for (const auto& lab : GetParam().labs) {
    const auto& exercise = kExercises.at(lab);
    const auto report = grade(lab, exercise, true);
    EXPECT_EQ(report::Verdict::kPass, report.verdict) << exercise;
    EXPECT_EQ(report.max_points, report.points) << exercise;
    const auto measured =
        std::count_if(report.gates.begin(), report.gates.end(), [](const report::Gate& gate) {
          return gate.definition.device == measure::kUnknownCard && gate.interval() != nullptr;
        });
    // Only an old card camps on partitions.
    EXPECT_EQ(lab == "partition_camping" ? 0 : 1, measured) << exercise;
  }
}

std::string card_name(const testing::TestParamInfo<Card>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cards, AnyCard,
                         testing::Values(t4(), rtx3050_laptop(), a100_slice(), second_of_two()),
                         card_name);

TEST_F(OnCard, ABoundIsAShareOfWhatTheSolutionReachesAndASkeletonFails) {
  const auto card = rtx3050_laptop();
  open(card);
  const auto report = grade("coalescing", "copy", false);
  EXPECT_EQ(report::Verdict::kFail, report.verdict);
  EXPECT_EQ(report::Reason::kMechanism, report.reason);
  EXPECT_EQ(0U, report.points);
  EXPECT_EQ(10U, report.max_points);
  const auto gate = std::find_if(report.gates.begin(), report.gates.end(),
                                 [](const auto& one) { return one.definition.is_performance(); });
  // 0.6 of the solution's speed; the solution is as fast as the copy kernel.
  EXPECT_NEAR(0.6, gate->deciding_bounds().min.value_or(0), 0.06);
  EXPECT_NEAR(gate->value().value_or(1), gate->definition.skeleton.value_or(0), 0.01);
  EXPECT_TRUE(gate->has_failed());
  EXPECT_EQ(2U, gate->definition.points);
}

// A card that is faster than its memory allows is an error: here an H200 claims to be a T4.
TEST_F(OnCard, TheFloorOfPhysicsIsThatOfTheMemoryThatTheDriverTells) {
  auto card = t4();
  card.script.device = "h200";
  open(card);
  time_at({{"width", "640"}, {"height", "640"}});  // A smaller copy is mostly its launch.
  const auto report = grade("coalescing", "copy", true);
  EXPECT_EQ(report::Verdict::kError, report.verdict);
  EXPECT_EQ(report::Reason::kTool, report.reason);
}

// Students get a course without solutions. With nothing to compare with, nobody loses points.
TEST_F(OnCard, WithoutSolutionsTheGateOnSpeedIsWaived) {
  const auto card = t4();
  open(card);
  for (auto& lab : course_.labs) {
    if (lab.id != "coalescing") continue;
    const auto folder = std::filesystem::path(testing::TempDir()) / "any_card/labs/coalescing";
    std::filesystem::create_directories(folder.parent_path());
    std::filesystem::remove_all(folder);
    std::filesystem::copy(lab.folder, folder);
    std::filesystem::copy_file(kRoot / "solutions/coalescing/copy.cu", folder / "copy.cu",
                               std::filesystem::copy_options::overwrite_existing);
    lab.folder = folder;
  }
  const auto report = grade("coalescing", "copy", false);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("this course holds no solutions")));
}

TEST_F(OnCard, ANumberThatNoCardHasIsRefusedWithThoseThereAre) {
  auto platform = gpu::testing::sim_platform(second_of_two().script);
  platform.ordinal = 2;
  try {
    const gpu::GpuRunner runner(platform, gpu::GpuRunner::kTimeLimit);
    FAIL() << "it was opened";
  } catch (const base::UsageError& error) {
    EXPECT_STREQ(
        "--gpu 2: no such GPU; the NVIDIA driver shows 2: 0 is NVIDIA GeForce RTX 3050 "
        "Laptop GPU, 1 is Tesla T4",
        error.what());
  }
}

}  // namespace warpgrade::grader::grade::any_card_test

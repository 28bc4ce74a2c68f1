// SPDX-License-Identifier: Apache-2.0
// GpuRunner and its worker process, with a fake driver in the worker.
#include "common/gpu/gpu_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/gpu/device_info.h"
#include "fake_driver.h"

namespace warpgrade::gpu::gpu_runner_test {

using testing::fake;

class GpuRunnerTest : public ::testing::Test {
 protected:
  GpuRunnerTest() {
    driver_ = testing::fake_driver();
    fake().parameter_sizes = {8};
    program_.file = "fill.cu";
    program_.machine_code.resize(16);
    launch_.kernel = "fill";
    launch_.arguments = {run::BufferArgument{0}};
    buffers_.resize(1);
    buffers_[0].name = "out";
    buffers_[0].bytes.assign(4, std::byte{0});
    fake().kernels["fill"] = [](void** arguments) {
      std::memset(*static_cast<void**>(arguments[0]), 7, 4);
    };
    fake().kernels["fault"] = [](void**) { fake().failures["event_query"] = 700; };
    fake().kernels["print"] = [](void**) { std::printf("hello\n"); };
    fake().kernels["count"] = [](void**) {  // The launches of its process.
      static int launches = 0;
      std::printf("%d", ++launches);
    };
    fake().kernels["hang"] = [](void**) { fake().never_ends = true; };
    fake().kernels["crash"] = [](void**) { std::abort(); };
  }

  // Each test creates its `runner` after it has set up the fake, because the worker gets a copy of
  // the fake.
  run::Result launch(GpuRunner& runner, const std::string& kernel) {
    launch_.kernel = kernel;
    return runner.launch(launch_, buffers_, {});
  }

  Driver driver_;
  compile::Program program_;
  run::Launch launch_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(GpuRunnerTest, NoDeviceIsAToolErrorWithTheReason) {
  fake().device_count = 0;
  try {
    const GpuRunner runner(driver_, 1);
    FAIL() << "no exception";
  } catch (const base::ToolError& error) {
    EXPECT_STREQ("the GPU failed: the NVIDIA driver finds no GPU", error.what());
  }
}

TEST_F(GpuRunnerTest, LaunchNeedsAProgram) {
  GpuRunner runner(driver_, 1);
  EXPECT_THROW(launch(runner, "fill"), base::UsageError);
}

TEST_F(GpuRunnerTest, ResultsComeBackFromTheWorker) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  const run::Result result = launch(runner, "fill");
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_EQ(std::vector<std::byte>(4, std::byte{7}), buffers_[0].bytes);
  EXPECT_NEAR(2e-3, result.seconds, 1e-9);
}

TEST_F(GpuRunnerTest, PrintedTextComesBack) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  EXPECT_EQ("hello\n", launch(runner, "print").printed);
  EXPECT_EQ("", launch(runner, "fill").printed);
}

TEST_F(GpuRunnerTest, NextLaunchAfterAFaultWorks) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  const run::Result faulty = launch(runner, "fault");
  ASSERT_EQ(1U, faulty.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, faulty.diagnostics[0].kind);
  EXPECT_EQ("fill.cu", faulty.diagnostics[0].where.file);
  EXPECT_TRUE(launch(runner, "fill").diagnostics.empty());
  EXPECT_EQ(std::vector<std::byte>(4, std::byte{7}), buffers_[0].bytes);
}

TEST_F(GpuRunnerTest, NextLaunchAfterARunawayWorks) {
  GpuRunner runner(driver_, 0.01);
  runner.load(program_);
  const run::Result endless = launch(runner, "hang");
  ASSERT_EQ(1U, endless.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, endless.diagnostics[0].kind);
  EXPECT_TRUE(launch(runner, "fill").diagnostics.empty());
}

TEST_F(GpuRunnerTest, EachProgramHasAProcessOfItsOwn) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  EXPECT_EQ("1", launch(runner, "count").printed);
  runner.load(program_);
  EXPECT_EQ("2", launch(runner, "count").printed);  // still the same process
  compile::Program other = program_;
  other.machine_code.back() = 1;
  runner.load(other);
  EXPECT_EQ("1", launch(runner, "count").printed);
  runner.load(other);
  runner.load(program_);
  EXPECT_EQ("1", launch(runner, "count").printed);
}

TEST_F(GpuRunnerTest, ATwinHasAProcessOfItsOwnWithItsFirstLaunch) {
  GpuRunner runner(driver_, 1);
  fake().device_count = 0;  // A process that starts now would find no device.
  const auto twin = runner.twin();
  EXPECT_EQ(runner.device(), twin->device());
  EXPECT_EQ(runner.l2_bytes(), twin->l2_bytes());
  EXPECT_THROW(twin->load(program_), base::ToolError);
  fake().device_count = 1;
  twin->load(program_);
  EXPECT_TRUE(launch(*twin, "fill").diagnostics.empty());
}

TEST_F(GpuRunnerTest, AfterARestANewProcessRunsTheSameProgram) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  EXPECT_EQ("1", launch(runner, "count").printed);
  runner.rest();
  EXPECT_EQ("1", launch(runner, "count").printed);
}

TEST_F(GpuRunnerTest, FreeMemoryIsThatOfTheFirstOpening) {
  static std::size_t free_now = 1000;
  driver_.memory_info = [](std::size_t* free, std::size_t* total) {
    *free = *total = free_now;
    return kSuccess;
  };
  GpuRunner runner(driver_, 1);
  runner.rest();
  free_now = 500;
  runner.load(program_);
  EXPECT_EQ(1000U, runner.info().free_bytes);
}

TEST_F(GpuRunnerTest, CrashOfTheWorkerIsAToolErrorAndTheNextLaunchWorks) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  EXPECT_THROW(launch(runner, "crash"), base::ToolError);
  EXPECT_TRUE(launch(runner, "fill").diagnostics.empty());
}

TEST_F(GpuRunnerTest, WrongGeometryIsUsageAndTheWorkerLivesOn) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  launch_.block = {4096, 1, 1};
  EXPECT_THROW(launch(runner, "fill"), base::UsageError);
  launch_.block = {1, 1, 1};
  EXPECT_TRUE(launch(runner, "fill").diagnostics.empty());
}

TEST_F(GpuRunnerTest, TimeGivesASampleALaunch) {
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  run::Result result;
  EXPECT_EQ(5U, runner.time(launch_, buffers_, 5, result).seconds.size());
  EXPECT_NEAR(2e-3, runner.memcpy_seconds(4096, 3), 1e-9);
}

}  // namespace warpgrade::gpu::gpu_runner_test

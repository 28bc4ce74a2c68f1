// SPDX-License-Identifier: Apache-2.0
// GpuRunner and its worker process, with a fake driver in the worker.
#include "common/gpu/gpu_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/gpu/message.h"
#include "common/gpu/worker.h"
#include "fake_driver.h"

namespace warpgrade::gpu {
namespace {

using testing::fake;
using ::testing::HasSubstr;

constexpr double kPatience = 10;

Bytes text(const std::string& t) {
  const auto bytes = std::as_bytes(std::span(t));
  return {bytes.begin(), bytes.end()};
}

TEST(Worker, AnswersMessagesInItsOwnProcess) {
  int asked = 0;
  Worker worker([&]() -> Worker::Handler {
    return [&](const Bytes& message) {
      ++asked;
      Bytes doubled = message;
      doubled.insert(doubled.end(), message.begin(), message.end());
      return Worker::Answer{doubled, false};
    };
  });
  EXPECT_EQ(text("abab"), worker.ask(text("ab"), kPatience));
  EXPECT_EQ(text("cc"), worker.ask(text("c"), kPatience));
  EXPECT_EQ(0, asked);
}

TEST(Worker, LargeMessagesArriveWhole) {
  Worker worker([]() -> Worker::Handler {
    return [](const Bytes& message) { return Worker::Answer{message, false}; };
  });
  Bytes large(10'000'019);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::byte>(i * 31 % 251);
  EXPECT_EQ(large, worker.ask(large, kPatience));
}

TEST(Worker, DeathIsNoAnswer) {
  Worker worker(
      []() -> Worker::Handler { return [](const Bytes&) -> Worker::Answer { std::abort(); }; });
  EXPECT_EQ(std::nullopt, worker.ask(text("x"), kPatience));
}

TEST(Worker, SilenceIsNoAnswerAndDoesNotHang) {
  Worker worker([]() -> Worker::Handler {
    return [](const Bytes&) -> Worker::Answer {
      for (;;) {
      }
    };
  });
  EXPECT_EQ(std::nullopt, worker.ask(text("x"), 0.01));
}

TEST(Worker, OutputIsTakenOnceAndCut) {
  Worker worker([]() -> Worker::Handler {
    return [](const Bytes& message) {
      std::printf("%s", reinterpret_cast<const char*>(message.data()));
      return Worker::Answer{text(take_printed(4)), false};
    };
  });
  EXPECT_EQ(text("abc"), worker.ask(text(std::string("abc\0", 4)), kPatience));
  EXPECT_EQ(text("defg\n(2 more bytes printed)\n"),
            worker.ask(text(std::string("defghi\0", 7)), kPatience));
  EXPECT_EQ(text(""), worker.ask(text(std::string("\0", 1)), kPatience));
}

TEST(Message, ShortMessageIsAnError) {
  MessageWriter writer;
  writer.put<std::uint32_t>(5);
  MessageReader reader(writer.bytes());
  EXPECT_THROW(reader.get<std::uint64_t>(), base::ToolError);
}

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
    fake().kernels["hang"] = [](void**) { fake().never_ends = true; };
    fake().kernels["crash"] = [](void**) { std::abort(); };
  }

  // Of a runner that is made here, after the test has set the fake: the worker has a copy of it.
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
  fake().kernels["count"] = [](void**) {
    static int launches = 0;
    std::printf("%d", ++launches);
  };
  GpuRunner runner(driver_, 1);
  runner.load(program_);
  EXPECT_EQ("1", launch(runner, "count").printed);
  runner.load(program_);
  EXPECT_EQ("2", launch(runner, "count").printed);  // Still the same one.
  compile::Program other = program_;
  other.machine_code.back() = 1;
  runner.load(other);
  EXPECT_EQ("1", launch(runner, "count").printed);
  runner.load(other);
  runner.load(program_);
  EXPECT_EQ("1", launch(runner, "count").printed);
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
  EXPECT_EQ(5U, runner.time(launch_, buffers_, 5, result).size());
  EXPECT_NEAR(2e-3, runner.memcpy_seconds(4096, 3), 1e-9);
}

}  // namespace
}  // namespace warpgrade::gpu

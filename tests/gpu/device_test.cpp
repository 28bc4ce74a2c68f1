// SPDX-License-Identifier: Apache-2.0
// GpuRunner on a real GPU; skipped (exit code 77) without one. Compiled with WARPGRADE_SIM_DRIVER,
// it runs on a driver made of the simulator, which must behave like a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "common/compile/compiler.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "device_programs.h"
#ifdef WARPGRADE_SIM_DRIVER
#include "sim_driver.h"
#endif

namespace warpgrade::gpu::device_test {

using base::DiagnosticKind;
using ::testing::HasSubstr;

#ifdef WARPGRADE_SIM_DRIVER
constexpr double kLimit = 0.05;  // Work that is not ready at once never becomes ready there.
Availability device() { return {true, "", "NVIDIA H200", "sm_90"}; }
Driver driver() { return testing::sim_driver(); }
compile::Program loadable(compile::Program program) { return testing::as_ptx(std::move(program)); }
#else
constexpr double kLimit = 2;
Availability device() { return availability(); }
Driver driver() { return std::get<Driver>(load_driver()); }
compile::Program loadable(compile::Program program) { return program; }
#endif

const compile::Program& program() {
  static const compile::Program compiled = [] {
    compile::CompileRequest request;
    request.file = "device_programs.cu";
    request.source = testing::kPrograms;
    request.architecture = device().architecture;
    auto result = compile::compile(request);
    if (const auto* errors = std::get_if<std::vector<base::Diagnostic>>(&result)) {
      throw base::ToolError(errors->front().message);
    }
    return loadable(std::get<compile::Program>(std::move(result)));
  }();
  return compiled;
}

// One runner for all tests, so each test also shows that the test before left the device usable.
GpuRunner& runner() {
  static GpuRunner made(driver(), kLimit);
  return made;
}

class DeviceTest : public ::testing::Test {
 protected:
  DeviceTest() {
    launch_.block.x = 32;
    run::ValueArgument count(sizeof(kCount));
    std::memcpy(count.data(), &kCount, sizeof(kCount));
    launch_.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, count};
    buffers_.resize(2);
    buffers_[0].name = "out";
    buffers_[0].bytes.resize(kCount * sizeof(float));
    buffers_[1].name = "in";
    buffers_[1].read_only = true;
    buffers_[1].bytes.resize(kCount * sizeof(float));
    for (int i = 0; i < kCount; ++i) set(buffers_[1], i, static_cast<float>(i + 1));
  }

  static void set(run::Buffer& buffer, int index, float value) {
    std::memcpy(buffer.bytes.data() + sizeof(float) * static_cast<std::size_t>(index), &value,
                sizeof(value));
  }
  float out(int index) const {
    float value = 0;
    std::memcpy(&value, buffers_[0].bytes.data() + sizeof(float) * static_cast<std::size_t>(index),
                sizeof(value));
    return value;
  }
  run::Result run(const std::string& kernel) {
    runner().load(program());
    launch_.kernel = kernel;
    return runner().launch(launch_, buffers_, {});
  }
  // The kind of the kernel's only diagnostic. Expects that a correct kernel still runs afterwards.
  DiagnosticKind only_kind(const std::string& kernel) {
    const auto result = run(kernel);
    EXPECT_EQ(1U, result.diagnostics.size());
    if (result.diagnostics.empty()) return DiagnosticKind::kUnsupported;
    EXPECT_TRUE(run("scale").diagnostics.empty());
    EXPECT_EQ(8.0F, out(3));
    return result.diagnostics[0].kind;
  }

  static constexpr int kCount = 20;
  run::Launch launch_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(DeviceTest, RightKernelGivesItsResult) {
  const auto result = run("scale");
  EXPECT_TRUE(result.diagnostics.empty());
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(2.0F * static_cast<float>(i + 1), out(i));
  EXPECT_GT(result.seconds, 0);
  EXPECT_LT(result.seconds, 0.1);
}

TEST_F(DeviceTest, VariablesStartAfreshForEachLaunchAndSample) {
  run("count_calls");
  EXPECT_EQ(1.0F, out(0));
  run("count_calls");
  EXPECT_EQ(2.0F, out(0));  // The buffer kept its 1; the variable started at 0 again.
  run::Result result;
  EXPECT_EQ(5U, runner().time(launch_, buffers_, 5, result).seconds.size());
  EXPECT_EQ(3.0F, out(0));
}

TEST_F(DeviceTest, WritePastTheEndIsOutOfBounds) {
  EXPECT_THAT(run("past_end").diagnostics.at(0).message,
              HasSubstr("past the end of out, first at byte 80 (out has 80 bytes)"));
  EXPECT_EQ(DiagnosticKind::kOutOfBounds, only_kind("past_end"));
}
TEST_F(DeviceTest, WriteToAnInputIsFound) {
  const auto result = run("writes_input");
  ASSERT_EQ(1U, result.diagnostics.size());
  EXPECT_EQ(DiagnosticKind::kInputModified, result.diagnostics[0].kind);
}
TEST_F(DeviceTest, IllegalAddressIsOutOfBounds) {
  EXPECT_EQ(DiagnosticKind::kOutOfBounds, only_kind("far_away"));
}
TEST_F(DeviceTest, MisalignedAddressIsMisaligned) {
  EXPECT_EQ(DiagnosticKind::kMisaligned, only_kind("misaligned"));
}
TEST_F(DeviceTest, TrapIsATrap) { EXPECT_EQ(DiagnosticKind::kTrap, only_kind("traps")); }
TEST_F(DeviceTest, FailedAssertIsATrapWithLineAndThread) {
  const auto result = run("asserts");
  ASSERT_EQ(1U, result.diagnostics.size());
  EXPECT_EQ("the kernel asserts failed the assertion n < 0", result.diagnostics[0].message);
  EXPECT_EQ(19U, result.diagnostics[0].where.line);
  EXPECT_TRUE(result.diagnostics[0].block && result.diagnostics[0].thread);
  EXPECT_EQ(DiagnosticKind::kTrap, only_kind("asserts"));
}
TEST_F(DeviceTest, AddressOutsideOfSharedMemoryEndsTheKernel) {
  const DiagnosticKind kind = only_kind("outside_shared");
  EXPECT_TRUE(kind == DiagnosticKind::kTrap || kind == DiagnosticKind::kOutOfBounds);
}
TEST_F(DeviceTest, EndlessKernelIsARunaway) {
  EXPECT_EQ(DiagnosticKind::kRunaway, only_kind("endless"));
}

TEST_F(DeviceTest, PrintedTextComesBack) {
  EXPECT_EQ("thread 0 of 20\nthread 1 of 20\n", run("prints").printed);
  EXPECT_EQ("", run("scale").printed);
}

TEST_F(DeviceTest, DeviceHeapWorks) {
  EXPECT_TRUE(run("uses_heap").diagnostics.empty());
  EXPECT_EQ(20.0F, out(0));
}

TEST_F(DeviceTest, DynamicSharedMemoryBeyond48KiBWorksAndTooMuchIsUsage) {
  launch_.dynamic_shared_bytes = (40000 + 32) * sizeof(float);
  EXPECT_TRUE(run("much_shared").diagnostics.empty());
  EXPECT_EQ(20.0F, out(0));
  launch_.dynamic_shared_bytes = 1 << 20;
  EXPECT_THROW(run("much_shared"), base::UsageError);
}

TEST_F(DeviceTest, WrongLaunchesAreUsage) {
  launch_.block.x = 1025;
  EXPECT_THROW(run("scale"), base::UsageError);
  launch_.block.x = 32;
  EXPECT_THROW(run("no_such_kernel"), base::UsageError);
  launch_.arguments.pop_back();
  EXPECT_THROW(run("scale"), base::UsageError);
}

}  // namespace warpgrade::gpu::device_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto found = warpgrade::gpu::device_test::device();
  if (!found.available) {
    std::printf("skipped: %s\n", found.reason.c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}

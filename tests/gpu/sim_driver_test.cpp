// SPDX-License-Identifier: Apache-2.0
// Calls the driver made of the simulator as a harness would.
//
// The expected behaviour comes from cuda.h's manual and an H200. Expected times come from the time
// model, which is independent of this driver.
#include "sim_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim_driver_programs.h"

namespace warpgrade::gpu::sim_driver_test {

using ::testing::Each;
using testing::MatrixCase;
using testing::modelled;
using testing::programs;
using testing::SimScript;
using testing::solution;

// Calls the functions of the driver's table directly, as a harness would.
class SimDriverTest : public ::testing::Test {
 protected:
  void start(const SimScript& script = {}) { driver_ = testing::sim_driver(script); }
  Handle function(const char* name) {
    Handle module = nullptr;
    EXPECT_EQ(kSuccess, driver_.module_load_data(&module, ptx_.machine_code.data()));
    Handle found = nullptr;
    EXPECT_EQ(kSuccess, driver_.module_get_function(&found, module, name));
    return found;
  }
  DevicePointer allocate(std::size_t bytes) {
    DevicePointer address = 0;
    EXPECT_EQ(kSuccess, driver_.memory_allocate(&address, bytes));
    return address;
  }
  // Launches one block of 32 threads of a kernel in kPrograms.
  Status launch(Handle kernel, DevicePointer out, DevicePointer in, int n) {
    void* arguments[] = {&out, &in, &n};
    return driver_.launch_kernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  }
  float first(DevicePointer address) {
    float number = 0;
    EXPECT_EQ(kSuccess, driver_.copy_to_host(&number, address, sizeof number));
    return number;
  }
  void set_first(DevicePointer address, float number) {
    EXPECT_EQ(kSuccess, driver_.copy_to_device(address, &number, sizeof number));
  }
  // Milliseconds between two events around a launch.
  float launch_time(Handle kernel, DevicePointer out, DevicePointer in, int n) {
    Handle events[2] = {};
    for (auto& event : events) EXPECT_EQ(kSuccess, driver_.event_create(&event, 0));
    EXPECT_EQ(kSuccess, driver_.event_record(events[0], nullptr));
    EXPECT_EQ(kSuccess, launch(kernel, out, in, n));
    EXPECT_EQ(kSuccess, driver_.event_record(events[1], nullptr));
    float milliseconds = 0;
    EXPECT_EQ(kSuccess, driver_.event_elapsed(&milliseconds, events[0], events[1]));
    for (auto* event : events) EXPECT_EQ(kSuccess, driver_.event_destroy(event));
    return milliseconds;
  }

  compile::Program ptx_ = testing::as_ptx(programs());
  Driver driver_;
};

TEST_F(SimDriverTest, AModulesVariablesLiveAsLongAsTheModule) {
  start();
  const auto out = allocate(256);
  auto* counter = function("count_calls");
  set_first(out, 0);
  launch(counter, out, out, 1);
  EXPECT_EQ(1.0F, first(out));
  launch(counter, out, out, 1);
  EXPECT_EQ(3.0F, first(out));  // 1 + 2
  launch(function("count_calls"), out, out, 1);
  EXPECT_EQ(4.0F, first(out));  // a module of its own: 3 + 1
}

TEST_F(SimDriverTest, LaunchesRunInOrderOnMemoryThatStays) {
  start();
  const auto a = allocate(256);
  const auto b = allocate(256);
  set_first(a, 1);
  launch(function("scale"), b, a, 1);
  launch(function("scale"), a, b, 1);
  EXPECT_EQ(4.0F, first(a));
}

TEST_F(SimDriverTest, AWriteALittlePastABufferLandsInTheNextWithoutAFault) {
  start();
  const auto a = allocate(512);
  const auto b = allocate(512);
  ASSERT_EQ(a + 512, b);
  set_first(b, 7);
  launch(function("past_end"), a, a, 128);
  EXPECT_EQ(1.0F, first(b));
}

TEST_F(SimDriverTest, AFaultIsStickyForEveryLaterCall) {
  start();
  const auto out = allocate(256);
  auto* kernel = function("far_away");
  auto* right = function("scale");
  Handle event = nullptr;
  ASSERT_EQ(kSuccess, driver_.event_create(&event, 0));
  EXPECT_EQ(kSuccess, launch(kernel, out, out, 1));  // the fault is reported later
  EXPECT_EQ(700, driver_.event_query(event));
  EXPECT_EQ(700, driver_.context_synchronize());
  EXPECT_EQ(700, launch(right, out, out, 1));
  DevicePointer other = 0;
  EXPECT_EQ(700, driver_.memory_allocate(&other, 16));
  EXPECT_EQ(700, driver_.memory_free(out));
}

TEST_F(SimDriverTest, EachFaultHasTheDriversNumber) {
  const std::vector<std::pair<const char*, Status>> expected = {
      {"far_away", 700}, {"asserts", 710}, {"misaligned", 716}, {"traps", 719}};
  for (const auto& [name, status] : expected) {
    start();
    const auto out = allocate(256);
    launch(function(name), out, out, 1);
    EXPECT_EQ(status, driver_.context_synchronize()) << name;
  }
}

TEST_F(SimDriverTest, BehindAKernelThatDoesNotEndNothingIsEverReady) {
  start();
  const auto out = allocate(256);
  auto* right = function("scale");
  Handle before = nullptr;
  Handle after = nullptr;
  driver_.event_create(&before, 0);
  driver_.event_create(&after, 0);
  driver_.event_record(before, nullptr);
  launch(function("endless"), out, out, 1);
  EXPECT_EQ(kSuccess, launch(right, out, out, 1));
  driver_.event_record(after, nullptr);
  EXPECT_EQ(kSuccess, driver_.event_query(before));
  EXPECT_EQ(kNotReady, driver_.event_query(after));
  EXPECT_DEATH(driver_.context_synchronize(), "would wait for a kernel that never ends");
}

TEST_F(SimDriverTest, MemoryIsLimitedAndUsedAgain) {
  SimScript script;
  script.memory_bytes = 4096;
  start(script);
  const auto a = allocate(1000);
  DevicePointer b = 0;
  EXPECT_EQ(2, driver_.memory_allocate(&b, 3500));
  const auto c = allocate(512);
  EXPECT_EQ(0U, c % 256);
  EXPECT_EQ(kSuccess, driver_.memory_free(a));
  EXPECT_EQ(kInvalidValue, driver_.memory_free(a));
  EXPECT_EQ(512U, testing::allocated_bytes());
  EXPECT_EQ(a, allocate(1024));
}

TEST_F(SimDriverTest, TextThatIsNoPtxAndMachineCodeOfNoKnownProgramAreRefused) {
  start();
  Handle module = nullptr;
  EXPECT_EQ(218, driver_.module_load_data(&module, "not PTX {"));
  EXPECT_EQ(801, driver_.module_load_data(&module, programs().machine_code.data()));
  testing::know(programs());
  EXPECT_EQ(kSuccess, driver_.module_load_data(&module, programs().machine_code.data()));
  Handle function = nullptr;
  EXPECT_EQ(500, driver_.module_get_function(&function, module, "no_such_kernel"));
}

TEST_F(SimDriverTest, TheClockGoesOnByTheModelledTime) {
  start();
  const auto program = solution("copy.cu");
  const auto& kernel = program.kernels.at(0);
  MatrixCase item(512, 512);
  const auto in = allocate(item.buffers[0].bytes.size());
  const auto out = allocate(item.buffers[0].bytes.size());
  Handle module = nullptr;
  const auto loadable = testing::as_ptx(program);
  driver_.module_load_data(&module, loadable.machine_code.data());
  Handle function = nullptr;
  driver_.module_get_function(&function, module, kernel.name.c_str());
  int side = 512;
  auto from = in;
  auto to = out;
  void* arguments[] = {&to, &from, &side, &side};
  const double before = testing::device_clock();
  driver_.launch_kernel(function, 16, 16, 1, 32, 8, 1, 0, nullptr, arguments, nullptr);
  // The device knows only the PTX, not the start of buffers. This launch stores 1 MB, so it writes
  // back less of the earlier contents of L2.
  const double model = modelled(loadable, loadable.kernels.at(0), item);
  EXPECT_NEAR(model, testing::device_clock() - before, 0.06 * model);
}

TEST_F(SimDriverTest, FillsAndCopiesTakeBytesOverBandwidth) {
  start();
  const std::size_t bytes = std::size_t{64} << 20;
  const auto a = allocate(bytes);
  const auto b = allocate(bytes);
  const double rate = 4250e9;  // cudaMemcpy device to device, measured on an H200.
  const double start_time = testing::device_clock();
  driver_.fill(a, 1, bytes, nullptr);
  const double filled = testing::device_clock();
  driver_.copy_on_device(b, a, bytes, nullptr);
  const double copied = testing::device_clock();
  const auto size = static_cast<double>(bytes);
  EXPECT_NEAR(size / rate, filled - start_time, 0.1 * size / rate);
  EXPECT_NEAR(2 * size / rate, copied - filled, 0.1 * size / rate);
}

TEST_F(SimDriverTest, NoiseIsSeededAndWithinItsBounds) {
  const auto times = [&](double noise) {
    SimScript script;
    script.noise = noise;
    script.seed = 3;
    start(script);
    const auto out = allocate(256);
    auto* kernel = function("scale");
    std::vector<float> found;
    for (int i = 0; i < 8; ++i) found.push_back(launch_time(kernel, out, out, 1));
    return found;
  };
  const auto exact = times(0);
  EXPECT_THAT(exact, Each(exact[0]));
  const auto noisy = times(0.05);
  EXPECT_EQ(noisy, times(0.05));
  EXPECT_NE(noisy[0], noisy[1]);
  EXPECT_THAT(noisy, Each(::testing::FloatNear(exact[0], 0.051F * exact[0])));
}

TEST_F(SimDriverTest, ThrottlingAndFaultsComeAtTheScriptedLaunch) {
  SimScript script;
  script.throttled_from = 2;
  script.throttle = 1.5;
  script.faults[3] = 719;
  start(script);
  const auto out = allocate(256);
  auto* kernel = function("scale");
  const float usual = launch_time(kernel, out, out, 1);
  EXPECT_FLOAT_EQ(usual, launch_time(kernel, out, out, 1));
  EXPECT_NEAR(1.5F * usual, launch_time(kernel, out, out, 1), 1e-6F);
  EXPECT_EQ(kSuccess, launch(kernel, out, out, 1));
  EXPECT_EQ(719, driver_.context_synchronize());
}

}  // namespace warpgrade::gpu::sim_driver_test

// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "common/base/finding_text.h"
#include "fake_driver.h"

namespace warpgrade::gpu::session_test {

// Guards on both sides of a buffer, with a fake driver whose memory is host memory.

using testing::fake;
using testing::fake_driver;

class DeviceMemoryTest : public ::testing::Test {
 protected:
  Driver driver = fake_driver();
  std::byte* at(const GuardedMemory& memory, std::ptrdiff_t offset) {
    return reinterpret_cast<std::byte*>(memory.address()) + offset;
  }
};

TEST_F(DeviceMemoryTest, ContentGoesThereAndBack) {
  const GuardedMemory memory(driver, 100);
  std::vector<std::byte> content(100, std::byte{7});
  memory.write(content);
  std::vector<std::byte> got(100);
  memory.read(got);
  EXPECT_EQ(content, got);
  EXPECT_EQ(100U, memory.size());
  EXPECT_FALSE(memory.damage("out"));
}

TEST_F(DeviceMemoryTest, AWritePastTheEndIsToldWithItsFirstByte) {
  const GuardedMemory memory(driver, 100);
  *at(memory, 100) ^= std::byte{1};
  EXPECT_EQ("wrote 1 byte past the end of out, first at byte 100 (out has 100 bytes)",
            memory.damage("out"));
  *at(memory, 103) ^= std::byte{1};
  EXPECT_EQ("wrote 2 bytes past the end of out, first at byte 100 (out has 100 bytes)",
            memory.damage("out"));
}

TEST_F(DeviceMemoryTest, AWriteBeforeTheStartIsToldWithItsNearestByte) {
  const GuardedMemory memory(driver, 100);
  *at(memory, -8) ^= std::byte{1};
  *at(memory, -20) ^= std::byte{1};
  EXPECT_EQ("wrote 2 bytes before the start of out, nearest at byte -8", memory.damage("out"));
}

TEST_F(DeviceMemoryTest, MemoryOfSomebodyElseIsNotFreed) {
  const Allocation room(driver, GuardedMemory::room_for(64));
  {
    const GuardedMemory memory(driver, 64, room.address());
    EXPECT_EQ(room.address() + kGuardBytes, memory.address());
  }
  EXPECT_EQ(1U, fake().memory.size());
  { const GuardedMemory own(driver, 64); }
  EXPECT_EQ(1U, fake().memory.size());
}

using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::pointer;

constexpr double kLimit = 5;

// A clock that advances by one second per reading.
std::function<double()> ticking() {
  return [time = 0.0]() mutable { return time += 1; };
}

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    driver_ = testing::fake_driver();
    launch_.kernel = "copy";
    launch_.grid = {2, 1, 1};
    launch_.block = {32, 1, 1};
    const int n = 4;
    run::ValueArgument count(sizeof(n));
    std::memcpy(count.data(), &n, sizeof(n));
    launch_.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, count};
    buffers_.resize(2);
    buffers_[0].name = "out";
    buffers_[0].bytes = bytes_of({0, 0, 0, 0});
    buffers_[1].name = "in";
    buffers_[1].bytes = bytes_of({1, 2, 3, 4});
    buffers_[1].read_only = true;
    fake().kernels["copy"] = [](void** arguments) {
      int count_given = 0;
      std::memcpy(&count_given, arguments[2], sizeof(count_given));
      std::copy_n(pointer(arguments, 1), count_given, pointer(arguments, 0));
    };
  }

  LaunchOutcome run(std::uint32_t samples = 1, bool flush = false) {
    Session session(driver_, kLimit, ticking());
    session.load(std::vector<char>(8));
    fake().calls.clear();
    return session.run(launch_, buffers_, samples, flush);
  }

  Driver driver_;
  run::Launch launch_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(SessionTest, TellsTheDevice) {
  const Session session(driver_, kLimit, ticking());
  EXPECT_EQ("Fake GPU", session.device().name);
  EXPECT_EQ("sm_90", session.device().architecture);
  EXPECT_EQ(std::uint64_t{1} << 20, session.device().l2_bytes);
}

TEST_F(SessionTest, NoDeviceIsAToolError) {
  fake().device_count = 0;
  EXPECT_THROW(Session(driver_, kLimit, ticking()), base::ToolError);
}

TEST_F(SessionTest, KernelGetsItsArgumentsAndBuffersComeBack) {
  const LaunchOutcome outcome = run();
  EXPECT_TRUE(outcome.diagnostics.empty());
  EXPECT_EQ(bytes_of({1, 2, 3, 4}), buffers_[0].bytes);
  EXPECT_THAT(outcome.seconds, ElementsAre(::testing::DoubleNear(2e-3, 1e-9)));
}

TEST_F(SessionTest, LaunchStandsBetweenTheTwoEvents) {
  run();
  std::vector<std::string> calls;
  for (const auto& call : fake().calls) {
    if (call == "event_record" || call == "launch_kernel" || call == "event_query" ||
        call == "context_synchronize" || call == "event_elapsed") {
      calls.push_back(call);
    }
  }
  EXPECT_THAT(calls, ElementsAre("event_record", "launch_kernel", "event_record", "event_query",
                                 "context_synchronize", "event_elapsed"));
}

TEST_F(SessionTest, ACooperativeLaunchIsOneOfTheDriver) {
  run();
  EXPECT_EQ(0U, fake().count("launch_cooperative"));
  launch_.cooperative = true;
  run();
  EXPECT_EQ(1U, fake().count("launch_cooperative"));
  EXPECT_EQ(bytes_of({1, 2, 3, 4}), buffers_[0].bytes);
  driver_.launch_cooperative = nullptr;
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(SessionTest, ALaunchWithClustersHasTheirSize) {
  launch_.cluster = {{1, 1, 1}};
  run();
  EXPECT_EQ(1U, fake().count("launch_extended"));
  EXPECT_EQ((std::array<unsigned, 3>{1, 1, 1}), fake().cluster);
  EXPECT_EQ(bytes_of({1, 2, 3, 4}), buffers_[0].bytes);
  driver_.launch_extended = nullptr;
  EXPECT_THROW(run(), base::UsageError);
}

// copy(out, in), then copy(second, out).
class SequenceSessionTest : public SessionTest {
 protected:
  SequenceSessionTest() {
    buffers_.emplace_back().name = "second";
    buffers_[2].bytes = bytes_of({7, 7, 7, 7});
    auto second = launch_;
    second.arguments[0] = run::BufferArgument{2};
    second.arguments[1] = run::BufferArgument{0};
    sequence_.launches = {launch_, second};
  }
  LaunchOutcome run(std::uint32_t samples = 1) {
    Session session(driver_, kLimit, ticking());
    session.load(std::vector<char>(8));
    fake().calls.clear();
    return session.run(sequence_, buffers_, samples, /*flush=*/false);
  }
  run::Sequence sequence_;
};

TEST_F(SequenceSessionTest, LaunchesAreTimedAsOneBehindARunInWhichEachIsWaitedFor) {
  const auto outcome = run();
  EXPECT_TRUE(outcome.diagnostics.empty());
  EXPECT_EQ(bytes_of({1, 2, 3, 4}), buffers_[2].bytes);
  EXPECT_EQ(1U, outcome.seconds.size());
  EXPECT_EQ(2U, outcome.launch_seconds.size());
  std::vector<std::string> calls;
  for (const auto& call : fake().calls) {
    if (call == "event_record" || call == "launch_kernel") calls.push_back(call);
  }
  EXPECT_THAT(calls, ElementsAre("event_record", "launch_kernel", "event_record",  //
                                 "event_record", "launch_kernel", "event_record",  //
                                 "event_record", "launch_kernel", "launch_kernel", "event_record"));
}

TEST_F(SequenceSessionTest, EachRunBeginsWithTheSameContentInAFreshModule) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 0)[0] += 1; };
  const auto outcome = run(3);
  EXPECT_EQ(3U, outcome.seconds.size());
  EXPECT_EQ(bytes_of({8, 7, 7, 7}), buffers_[2].bytes);
  EXPECT_EQ(4U, fake().count("module_load_data"));
}

TEST_F(SequenceSessionTest, AFaultNamesItsLaunch) {
  fake().kernels["copy"] = [launches = 0](void**) mutable {
    if (++launches == 2) fake().failures["event_query"] = 700;
  };
  const auto outcome = run();
  EXPECT_TRUE(outcome.device_lost);
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_THAT(base::text(outcome.diagnostics[0]), EndsWith("(in launch 2 of 2, copy)"));
}

TEST_F(SequenceSessionTest, BuffersThatChangePlacesAreFoundByTheirNames) {
  fake().kernels["copy"] = [](void** arguments) {
    pointer(arguments, 0)[0] = 10 * pointer(arguments, 1)[0];
  };
  sequence_.places = {2, 1, 0};
  run();
  EXPECT_EQ(bytes_of({100, 7, 7, 7}), buffers_[0].bytes);
  EXPECT_EQ(bytes_of({10, 0, 0, 0}), buffers_[2].bytes);
  EXPECT_EQ("out", buffers_[0].name);
}

TEST_F(SessionTest, FreesAllThatItAllocates) {
  run(3, true);
  EXPECT_EQ(0U, fake().memory.size());
  EXPECT_EQ(0U, fake().live_modules);
}

TEST_F(SessionTest, EverySampleStartsFromTheSameContentAndAFreshModule) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 0)[0] += 1; };
  const LaunchOutcome outcome = run(3);
  EXPECT_EQ(3U, outcome.seconds.size());
  EXPECT_EQ(bytes_of({1, 0, 0, 0}), buffers_[0].bytes);
  EXPECT_EQ(3U, fake().count("module_load_data"));
}

TEST_F(SessionTest, FlushWritesOutsideOfTheTimedWindow) {
  run(1, true);
  const auto& calls = fake().calls;
  const auto flush = std::find(calls.begin(), calls.end(), "fill");
  const auto begin = std::find(calls.begin(), calls.end(), "event_record");
  ASSERT_NE(calls.end(), flush);
  EXPECT_LT(flush - calls.begin(), begin - calls.begin());
  EXPECT_EQ(1U, fake().count("fill"));
}

TEST_F(SessionTest, WritePastTheEndIsFoundByTheGuard) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 0)[5] = 1; };
  const LaunchOutcome outcome = run();
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, outcome.diagnostics[0].kind);
  EXPECT_THAT(base::text(outcome.diagnostics[0]),
              HasSubstr("past the end of out, first at byte 20 (out has 16 bytes)"));
}

TEST_F(SessionTest, WriteBeforeTheStartIsFoundByTheGuard) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 1)[-2] = -1; };
  const LaunchOutcome outcome = run();
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, outcome.diagnostics[0].kind);
  EXPECT_THAT(base::text(outcome.diagnostics[0]),
              HasSubstr("before the start of in, nearest at byte -5"));
}

TEST_F(SessionTest, WriteToAnInputIsFound) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 1)[2] = 9; };
  const LaunchOutcome outcome = run();
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kInputModified, outcome.diagnostics[0].kind);
  EXPECT_EQ("the kernel copy wrote to its input in, first at element 2",
            base::text(outcome.diagnostics[0]));
}

TEST_F(SessionTest, FaultIsADiagnosticAndLosesTheDevice) {
  fake().failures["event_query"] = 700;
  const LaunchOutcome outcome = run();
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, outcome.diagnostics[0].kind);
  EXPECT_TRUE(outcome.device_lost);
}

TEST_F(SessionTest, KernelThatNeverEndsIsARunawayAndNothingWaitsForIt) {
  fake().never_ends = true;
  const LaunchOutcome outcome = run();
  ASSERT_EQ(1U, outcome.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, outcome.diagnostics[0].kind);
  EXPECT_THAT(base::text(outcome.diagnostics[0]), HasSubstr("did not end within 5 s"));
  EXPECT_TRUE(outcome.device_lost);
  // These calls would wait for the kernel.
  EXPECT_EQ(0U, fake().count("context_synchronize"));
  EXPECT_EQ(0U, fake().count("memory_free"));
  EXPECT_EQ(0U, fake().count("module_unload"));
}

TEST_F(SessionTest, OutOfMemoryIsOurs) {
  fake().failures["memory_allocate"] = 2;
  EXPECT_THROW(run(), base::ToolError);
}

TEST_F(SessionTest, BlockTooLargeIsUsage) {
  launch_.block = {64, 32, 1};
  EXPECT_THROW(run(), base::UsageError);
  EXPECT_EQ(0U, fake().count("launch_kernel"));
}

TEST_F(SessionTest, EmptyGridIsUsage) {
  launch_.grid.y = 0;
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(SessionTest, RefusedLaunchIsUsage) {
  fake().failures["launch_kernel"] = 701;
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(SessionTest, MissingKernelIsUsage) {
  launch_.kernel = "other";
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(SessionTest, WrongNumberOrSizeOfArgumentsIsUsage) {
  launch_.arguments.pop_back();
  EXPECT_THROW(run(), base::UsageError);
  launch_.arguments.emplace_back(run::ValueArgument(8));
  EXPECT_THROW(run(), base::UsageError);
  launch_.arguments.back() = run::ValueArgument(4);
  launch_.arguments.emplace_back(run::ValueArgument(4));
  EXPECT_THROW(run(), base::UsageError);
  EXPECT_EQ(0U, fake().count("launch_kernel"));
}

TEST_F(SessionTest, ArgumentThatNamesNoBufferIsUsage) {
  launch_.arguments[0] = run::BufferArgument{2};
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(SessionTest, MuchDynamicSharedMemoryIsAskedFor) {
  launch_.dynamic_shared_bytes = 48 << 10;
  run();
  EXPECT_EQ(0U, fake().count("function_set_attribute"));
  launch_.dynamic_shared_bytes += 4;
  run();
  EXPECT_EQ(1U, fake().count("function_set_attribute"));
  fake().failures["function_set_attribute"] = 1;
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(SessionTest, CopyTimesEachSampleWithL2Flushed) {
  Session session(driver_, kLimit, ticking());
  fake().calls.clear();
  EXPECT_EQ(3U, session.copy(4096, 3).size());
  EXPECT_EQ(3U, fake().count("copy_on_device"));
  EXPECT_EQ(4U, fake().count("fill"));  // one for the content, one per sample
}

}  // namespace warpgrade::gpu::session_test

// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::access_test {

// The message about an access outside all buffers, variables and arrays.

using base::DiagnosticKind;
using testing::Each;

TEST(Faults, OutOfBoundsNamesBufferSizeAndThread) {
  const auto run = run_body("st.global.u64 [%rd1+8], %rd2;");
  expect_fault(DiagnosticKind::kOutOfBounds, "writes out[32], but out has elements 0 to 31", run);
  EXPECT_EQ(31U, run.result.diagnostics[0].thread->x);
  EXPECT_EQ(1U, run.result.diagnostics[0].where.line);
}

TEST(Faults, NullAndMisalignedPointersAreToldApart) {
  expect_fault(DiagnosticKind::kOutOfBounds, "null pointer",
               run_body("mov.u64 %rd5, 0; ld.global.u32 %r1, [%rd5];"));
  expect_fault(DiagnosticKind::kMisaligned, "not a multiple of 8",
               run_body("ld.global.u64 %rd5, [%rd2+4];"));
}

TEST(Faults, SharedAndLocalMemoryHaveEnds) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 tile[64];";
  launch.body = "mov.u64 %rd5, tile; ld.shared.u32 %r1, [%rd5+64];";
  expect_fault(DiagnosticKind::kOutOfBounds,
               "reads bytes 64 to 67 of tile, which has 64 bytes of shared memory",
               run_ptx(launch));
}

TEST(Faults, ASharedArrayEndsWhereTheNextBegins) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 a[64]; .shared .align 4 .b8 b[64];";
  launch.body = "mov.u64 %rd5, a; st.shared.u32 [%rd5+60], 1; st.shared.u32 [%rd5+64], 2;";
  expect_fault(DiagnosticKind::kOutOfBounds, "writes bytes 64 to 67 of a, which has",
               run_ptx(launch));
  launch.body = "mov.u64 %rd5, b; st.shared.u32 [%rd5], 1; st.shared.u32 [%rd5+-8], 2;";
  expect_fault(DiagnosticKind::kOutOfBounds, "beginning 8 bytes before b, which has 64 bytes",
               run_ptx(launch));
}

TEST(Faults, ADynamicArrayHasWhatTheLaunchGivesIt) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 a[64]; .extern .shared .align 4 .b8 d[];";
  launch.dynamic_shared_bytes = 32;
  launch.body =
      "mov.u64 %rd5, d; mov.u64 %rd6, a; st.shared.u32 [%rd5+28], 1; st.shared.u32 [%rd6], 2;"
      "mov.u32 %r1, %total_smem_size; cvt.u64.u32 %rd7, %r1; st.global.u64 [%rd1], %rd7;";
  const auto right = run_ptx(launch);
  EXPECT_TRUE(right.result.diagnostics.empty());
  EXPECT_THAT(right.out, Each(96U));
  launch.body = "mov.u64 %rd5, d; st.shared.u32 [%rd5+32], 1;";
  expect_fault(DiagnosticKind::kOutOfBounds,
               "writes bytes 32 to 35 of d, which has 32 bytes of shared memory; the launch sets "
               "the size of an extern array",
               run_ptx(launch));
}

TEST(Faults, APlaceBeforeABufferIsTold) {
  expect_fault(DiagnosticKind::kOutOfBounds, "out[-1], but out has elements 0 to 31",
               run_body("st.global.u64 [%rd1+-8], %rd2;"));
}

TEST(Faults, LocalArraysAreToldTogether) {
  expect_fault(DiagnosticKind::kOutOfBounds, "of the thread's local arrays, which have 64 bytes",
               run_body(".local .align 8 .b8 own[64]; mov.u64 %rd5, own;"
                        "st.local.u64 [%rd5+64], %rd2;"));
}

// A generic pointer to shared memory with a negative index points before the window.
TEST(Faults, AGenericAddressBeforeTheArrayIsOneOfSharedMemory) {
  PtxLaunch launch;
  launch.before = ".shared .align 8 .b8 tile[64];";
  launch.body = "mov.u64 %rd5, tile; cvta.shared.u64 %rd6, %rd5; ld.u64 %rd7, [%rd6+-8];";
  expect_fault(DiagnosticKind::kOutOfBounds, "beginning 8 bytes before tile", run_ptx(launch));
}

TEST(Faults, AnAddressFarFromEverythingIsShownAsItIs) {
  expect_fault(DiagnosticKind::kOutOfBounds, "at address 0x123456789, outside every buffer",
               run_body("mov.u64 %rd5, 0x123456789; ld.global.u8 %r1, [%rd5];"));
}

TEST(Faults, VariablesOfTheModuleAreNamed) {
  PtxLaunch launch;
  launch.before = ".global .align 8 .b8 table[24];";
  launch.body = "ld.global.u64 %rd5, [table+24];";
  expect_fault(DiagnosticKind::kOutOfBounds, "reads bytes 24 to 31 of table, which has 24 bytes",
               run_ptx(launch));
}

// Observers get the stride of an access only if all lanes follow it.

// Records the strides of loads.
class Strides final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Strides>(); }
  void join(run::Observer& other) override {
    const auto& more = dynamic_cast<Strides&>(other).seen;
    seen.insert(seen.end(), more.begin(), more.end());
  }
  void on_memory(const run::MemoryEvent& event) override {
    if (event.operation != run::Operation::kLoad) return;
    seen.push_back(event.stride);
    for (std::uint32_t lane = 0; lane < run::kWarpSize && event.stride != run::kIrregular; ++lane) {
      EXPECT_EQ(event.address[0] + lane * static_cast<std::uint64_t>(event.stride),
                event.address[lane]);
    }
  }
  std::vector<std::int64_t> seen;
};

// Reported strides for a load of in[%r1] by 32 lanes; `index` computes %r1 from the lane, %r29.
std::vector<std::int64_t> strides(const std::string& index) {
  Strides observer;
  PtxLaunch launch;
  launch.body = index + R"(
  ld.param.u64 %rd3, [p_in];
  mul.wide.u32 %rd4, %r1, 8;
  add.s64 %rd3, %rd3, %rd4;
  ld.global.u64 %rd5, [%rd3];
  st.global.u64 [%rd1], %rd5;)";
  launch.options.observers = {&observer};
  EXPECT_TRUE(run_ptx(launch).result.diagnostics.empty());
  return observer.seen;
}

TEST(Access, TheStrideIsToldWhereAllLanesKeepToIt) {
  EXPECT_EQ(std::vector<std::int64_t>{8}, strides("mov.u32 %r1, %r29;"));
  EXPECT_EQ(std::vector<std::int64_t>{0}, strides("mov.u32 %r1, 7;"));
  EXPECT_EQ(std::vector<std::int64_t>{-8}, strides("sub.u32 %r1, 31, %r29;"));
}

TEST(Access, OneLaneThatLeavesTheStrideMakesItIrregular) {
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    const auto index = fmt::format(
        "setp.eq.u32 %p1, %r29, {};\n  xor.b32 %r2, %r29, 1;\n  selp.u32 %r1, %r2, %r29, %p1;",
        lane);
    EXPECT_EQ(std::vector<std::int64_t>{run::kIrregular}, strides(index)) << lane;
  }
}

}  // namespace warpgrade::sim::access_test

// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/platform.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "fake_driver.h"

namespace warpgrade::gpu::platform_test {

TEST(Driver, MissingLibraryIsExplained) {
  const auto loaded = load_driver("libno_such_driver.so.1");
  EXPECT_EQ("this machine has no NVIDIA driver (libno_such_driver.so.1 was not found)",
            std::get<std::string>(loaded));
}

TEST(Driver, LibraryWithoutTheSymbolsIsTooOld) {
  const auto loaded = load_driver("libc.so.6");
  EXPECT_EQ("the NVIDIA driver is too old: libc.so.6 has no cuInit", std::get<std::string>(loaded));
}

TEST(Driver, FailureNamesFileLineCallAndError) {
  const Driver driver = testing::fake_driver();
  try {
    check(driver, 2, "memory_allocate", "common/gpu/session.cpp", 12);
    FAIL() << "no exception";
  } catch (const DriverError& error) {
    EXPECT_STREQ("session.cpp:12: memory_allocate: CUDA_ERROR_OUT_OF_MEMORY", error.what());
    EXPECT_EQ(2, error.status());
  }
}

TEST(Driver, ErrorWithoutANameIsItsNumber) {
  EXPECT_EQ("CUDA error 12345", error_name(testing::fake_driver(), 12345));
}

TEST(Faults, EachFaultOfAKernelHasItsKind) {
  using base::DiagnosticKind;
  const std::vector<std::pair<Status, DiagnosticKind>> expected = {
      {700, DiagnosticKind::kOutOfBounds}, {702, DiagnosticKind::kRunaway},
      {710, DiagnosticKind::kTrap},        {714, DiagnosticKind::kTrap},
      {715, DiagnosticKind::kTrap},        {716, DiagnosticKind::kMisaligned},
      {717, DiagnosticKind::kOutOfBounds}, {718, DiagnosticKind::kTrap},
      {719, DiagnosticKind::kTrap}};
  for (const auto& [status, kind] : expected) {
    const auto found = kernel_fault(status, "copy");
    ASSERT_TRUE(found.has_value()) << status;
    EXPECT_EQ(kind, found->kind) << status;
  }
}

TEST(Faults, OutOfMemoryIsNotTheKernels) { EXPECT_FALSE(kernel_fault(2, "copy").has_value()); }

TEST(Faults, AnIllegalAddressSaysWhatToDo) {
  EXPECT_EQ(
      "the kernel copy read or wrote an address that belongs to no buffer; check every index "
      "against the size of what it indexes (a run on the simulator names line and thread)",
      kernel_fault(700, "copy")->message);
}

TEST(Faults, AssertionsTextLineAndThreadComeFromTheDriversOutput) {
  std::vector diagnostics = {*kernel_fault(710, "asserts")};
  add_assertion(
      diagnostics, "asserts",
      "before\nlab.cu:19: void asserts(float *, const float *, int): block: [2,0,1], "
      "thread: [3,4,0] Assertion `n < 0 && \"why\"` failed.\nlab.cu:19: void asserts(float "
      "*): block: [0,0,0], thread: [9,0,0] Assertion `n < 0` failed.\n");
  const auto& diagnostic = diagnostics[0];
  EXPECT_EQ("the kernel asserts failed the assertion n < 0 && \"why\"", diagnostic.message);
  EXPECT_EQ(19U, diagnostic.where.line);
  EXPECT_EQ((base::Dim3{2, 0, 1}), diagnostic.block);
  EXPECT_EQ((base::Dim3{3, 4, 0}), diagnostic.thread);
}

TEST(Faults, AnAssertionIsNoOtherFaults) {
  const std::vector before = {*kernel_fault(700, "asserts")};
  auto diagnostics = before;
  add_assertion(diagnostics, "asserts",
                "lab.cu:19: void asserts(): block: [0,0,0], thread: [9,0,0] Assertion `n` failed.");
  EXPECT_EQ(before, diagnostics);
}

TEST(Faults, OutputWithoutAnAssertionChangesNothing) {
  const std::vector before = {*kernel_fault(719, "traps")};
  auto diagnostics = before;
  add_assertion(diagnostics, "traps", "Assertion `x` failed.\nlab.cu:1: hello\n");
  EXPECT_EQ(before, diagnostics);
}

// Conditions of a card: when it is slowed down, and what is unknown without the library.

constexpr std::uint64_t kPowerCap = 0x4;
constexpr std::uint64_t kHardware = 0x8;
constexpr std::uint64_t kThermal = 0x20;

Conditions with(std::uint64_t reasons) {
  Conditions out;
  out.known = true;
  out.reasons = reasons;
  return out;
}

TEST(Conditions, APowerCapIsHowLargeCardsRun) {
  EXPECT_FALSE(is_slowed_down(with(0)));
  EXPECT_FALSE(is_slowed_down(with(kPowerCap)));
  EXPECT_EQ("", slowdown_text(with(kPowerCap)));
}

TEST(Conditions, HeatAndHardwareSlowItDown) {
  for (const auto reasons : {kHardware, kThermal, kThermal | kPowerCap}) {
    EXPECT_TRUE(is_slowed_down(with(reasons))) << reasons;
    EXPECT_NE("", slowdown_text(with(reasons))) << reasons;
  }
}

TEST(Nvml, ALibraryThatIsNotThereIsNoError) {
  EXPECT_FALSE(load_nvml("/no/such/library.so"));
  EXPECT_FALSE(load_nvml("libm.so.6"));
  EXPECT_EQ("", driver_version(std::nullopt));
}

TEST(Monitor, WithoutTheLibraryConditionsAreUnknown) {
  const Monitor monitor(std::nullopt, "0000:00:00.0", [](pid_t) { return false; });
  EXPECT_FALSE(monitor.conditions().known);
}

TEST(Monitor, AsksForClocksAndReasons) {
  const auto platform = testing::fake_platform();
  testing::fake().clock_reasons = kThermal;
  const Monitor monitor(platform.nvml, "0000:00:00.0", [](pid_t) { return false; });
  const auto now = monitor.conditions();
  EXPECT_TRUE(now.known);
  EXPECT_EQ(1980U, now.sm_mhz);
  EXPECT_TRUE(is_slowed_down(now));
}

TEST(IsSibling, IsWhatThisProgramsParentStarted) {
  EXPECT_TRUE(is_sibling(getpid()));
  EXPECT_FALSE(is_sibling(1));
}

}  // namespace warpgrade::gpu::platform_test

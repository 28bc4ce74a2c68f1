// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/driver.h"

#include <gtest/gtest.h>

#include "common/gpu/faults.h"
#include "fake_driver.h"

namespace warpgrade::gpu::driver_test {

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

}  // namespace warpgrade::gpu::driver_test

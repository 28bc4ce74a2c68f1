// SPDX-License-Identifier: Apache-2.0
// The machine instruction of each PTX atomic. Expected values come from the sm_90 machine code of
// one kernel per operation.
#include "common/memory/atomics.h"

#include <gtest/gtest.h>

#include <string>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/ptx/parser.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::atomics_test {

using OnShared = AtomicForm::OnShared;

ptx::Module atomics_module(const std::string& body) {
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<3>;\n"
      ".reg .f64 %fd<3>;\n" +
          body + "\nret;\n}\n",
      "k.cu");
}

AtomicForm form(const std::string& body) {
  return atomic_forms(atomics_module(body).functions.at(0), device::find("h200")).at(0);
}

TEST(Atomics, AResultThatNobodyReadsMakesAReduction) {
  EXPECT_TRUE(form("atom.global.add.u32 %r1, [%rd1], %r2;").is_reduction);
  EXPECT_TRUE(form("red.global.add.u32 [%rd1], %r2;").is_reduction);
  EXPECT_FALSE(form("atom.global.add.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;").is_reduction);
  EXPECT_FALSE(
      form("atom.global.add.u64 %rd2, [%rd1], %rd3;\nst.global.u32 [%rd2], %r1;").is_reduction);
}

TEST(Atomics, AddingOneWithoutResultCountsLanes) {
  EXPECT_EQ(OnShared::kCount, form("atom.shared.add.u32 %r1, [%rd1], 1;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.add.u32 %r1, [%rd1], 2;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.add.u32 %r1, [%rd1], %r2;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne,
            form("atom.shared.add.u32 %r1, [%rd1], 1;\nadd.u32 %r3, %r1, 1;").on_shared);
}

TEST(Atomics, FloatsAnd64BitArithmeticLoop) {
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.add.f32 %f1, [%rd1], %f2;").on_shared);
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.add.f64 %fd1, [%rd1], %fd2;").on_shared);
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.min.u64 %rd2, [%rd1], %rd3;").on_shared);
  EXPECT_EQ(OnShared::kLoop, form("atom.shared.and.b64 %rd2, [%rd1], %rd3;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.max.u32 %r2, [%rd1], %r3;").on_shared);
  EXPECT_EQ(OnShared::kOneByOne, form("atom.shared.exch.b64 %rd2, [%rd1], %rd3;").on_shared);
  EXPECT_EQ(OnShared::kCompareAndSwap,
            form("atom.shared.cas.b64 %rd2, [%rd1], 0, %rd3;").on_shared);
}

// From the sm_90 and sm_75 machine code of one kernel per operation.
TEST(Atomics, OneLaneDoesItForAllWhoseAddressIsKnownToBeOne) {
  const std::string counter = "mov.u64 %rd1, 4096;\n";
  const auto by_one_lane = [&](const std::string& body, const char* device = "h200") {
    const auto module = atomics_module(counter + body);
    return atomic_forms(module.functions.at(0), device::find(device)).at(1).by_one_lane;
  };
  EXPECT_TRUE(by_one_lane("red.global.add.u32 [%rd1], %r2;"));
  EXPECT_TRUE(by_one_lane("red.global.max.s32 [%rd1], %r2;"));
  EXPECT_TRUE(by_one_lane("atom.global.add.u32 %r1, [%rd1], 1;\nadd.u32 %r3, %r1, 1;"));
  EXPECT_TRUE(by_one_lane("atom.global.add.u64 %rd2, [%rd1], 1;"));
  EXPECT_FALSE(by_one_lane("atom.global.add.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;"));
  EXPECT_FALSE(by_one_lane("atom.global.max.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;"));
  EXPECT_FALSE(by_one_lane("red.global.add.u64 [%rd1], %rd2;"));
  EXPECT_FALSE(by_one_lane("red.global.add.f32 [%rd1], %f2;"));
  EXPECT_FALSE(by_one_lane("red.global.inc.u32 [%rd1], %r2;"));
  EXPECT_FALSE(by_one_lane("red.global.add.u32 [%rd3], %r2;"));
  EXPECT_FALSE(by_one_lane("red.shared.add.u32 [%rd1], 1;"));  // ATOMS.POPC.INC
  EXPECT_TRUE(by_one_lane("red.global.add.u32 [%rd1], 1;", "t4"));
  EXPECT_FALSE(by_one_lane("red.global.add.u32 [%rd1], %r2;", "t4"));  // no REDUX
  EXPECT_FALSE(by_one_lane("red.global.add.u32 [%rd1], 1;", "k40"));
}

TEST(Atomics, TheLastLaneStandsForThemAll) {
  const auto module = atomics_module("mov.u64 %rd1, 4096;\nred.global.add.u32 [%rd1], %r2;");
  const auto forms = atomic_forms(module.functions.at(0), device::find("h200"));
  run::MemoryEvent event;
  event.instruction = 1;
  event.operation = run::Operation::kReduction;
  event.mask = 0x70;
  EXPECT_EQ(0x40U, as_executed(forms[1], event).mask);
  EXPECT_EQ(0x70U, as_executed({}, event).mask);
}

TEST(Atomics, LoadsOfALoopCountAsSharedLoads) {
  const ptx::Module module = atomics_module("atom.shared.add.f32 %f1, [%rd1], %f2;");
  run::LaunchContext context;
  context.warps_per_block = 1;
  context.function = &module.functions.at(0);
  Counters counters(device::find("h200"));
  counters.on_launch(context);
  counters.on_block_begin(0);
  const auto fork = counters.fork();
  auto& part = dynamic_cast<Counters&>(*fork);
  access(part, 0, run::Space::kShared, run::Operation::kAtomic, lanes([](auto) { return 0; }), 4);
  counters.join(*fork);
  const Metrics all = metrics(counters, {}, {});
  EXPECT_EQ(32, all.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"));
  EXPECT_EQ(64, all.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"));
  EXPECT_EQ(32, all.at("warpgrade__shared_requests_op_ld.sum"));
  const std::vector<LineCounters> lines = by_line(counters, *context.function);
  ASSERT_EQ(2U, lines.size());
  EXPECT_EQ("shared load", name(lines[0].operation));
  EXPECT_EQ("shared reduction", name(lines[1].operation));
}

}  // namespace warpgrade::memory::atomics_test

// SPDX-License-Identifier: Apache-2.0
// Which machine instruction an atomic of PTX becomes; expected values are the machine code for
// sm_90 of one kernel an operation.
#include "common/memory/atomics.h"

#include <gtest/gtest.h>

#include <string>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/ptx/parser.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory {
namespace atomics_test {

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
  return atomic_forms(atomics_module(body).functions.at(0)).at(0);
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

}  // namespace atomics_test
}  // namespace warpgrade::memory

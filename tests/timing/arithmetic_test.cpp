// SPDX-License-Identifier: Apache-2.0
// Operations of small kernels, counted by hand.
#include "common/timing/arithmetic.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::timing::arithmetic_test {

constexpr auto kFadd = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum";
constexpr auto kFmul = "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum";
constexpr auto kFfma = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr auto kDadd = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum";
constexpr auto kDfma = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum";

// Two warps execute `body`, 50 threads in all.
Arithmetic counted(const std::string& body, const std::string& device = "h200") {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<4>;\n.reg .f32 %f<20>;\n.reg .f64 %d<9>;\n.reg .b16 %h<9>;\n"
      ".reg .b32 %r<29>;\n.reg .b64 %rd<9>;\n" +
          body + "\nret;\n}\n",
      "k.cu");
  const auto& function = module.functions.at(0);
  run::Result result;
  result.instructions.assign(function.instructions.size(), {2, 50});
  return {device::find(device), function, result, {}};
}

TEST(Arithmetic, AFusedMultiplyAddIsTwoOperations) {
  const auto found =
      counted("fma.rn.f32 %f1, %f2, %f3, %f4; add.rn.f32 %f5, %f1, %f1; mul.rn.f32 %f6, %f5, %f1;");
  EXPECT_EQ((2 + 1 + 1) * 50, found.operations(ArithmeticKind::kF32));
  EXPECT_EQ(50, found.metrics().at(kFfma));
  EXPECT_EQ(50, found.metrics().at(kFadd));
  EXPECT_EQ(50, found.metrics().at(kFmul));
  EXPECT_EQ(0, found.metrics().at(kDfma));
}

// ptxas makes one fma of a product and a sum that nothing keeps apart.
TEST(Arithmetic, AProductAndItsSumAreOneInstruction) {
  const auto found = counted("mul.f32 %f1, %f2, %f3; add.f32 %f4, %f1, %f5;");
  EXPECT_EQ(50, found.metrics().at(kFfma));
  EXPECT_EQ(0, found.metrics().at(kFmul));
  EXPECT_EQ(0, found.metrics().at(kFadd));
  EXPECT_EQ(100, found.operations(ArithmeticKind::kF32));
}

TEST(Arithmetic, DoublesAreApart) {
  const auto found = counted("sub.rn.f64 %d1, %d2, %d3; fma.rn.f64 %d4, %d1, %d1, %d2;");
  EXPECT_EQ(50, found.metrics().at(kDadd));
  EXPECT_EQ(50, found.metrics().at(kDfma));
  EXPECT_EQ(150, found.operations(ArithmeticKind::kF64));
  EXPECT_EQ(0, found.operations(ArithmeticKind::kF32));
}

TEST(Arithmetic, APairOfHalvesIsTwoOperationsAndFourFused) {
  const auto found = counted(
      "add.rn.f16 %h1, %h2, %h3; add.rn.f16x2 %r1, %r2, %r3; fma.rn.bf16x2 %r4, %r1, %r2, %r3;");
  EXPECT_EQ((1 + 2 + 4) * 50, found.operations(ArithmeticKind::kF16));
  EXPECT_EQ(350, found.metrics().at("warpgrade__f16_operations.sum"));
}

// 16 x 8 results of 16 products each, per warp.
TEST(Arithmetic, AProductOfMatricesCountsEachProductAndEachSum) {
  const auto found = counted(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, "
      "%r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};");
  EXPECT_EQ(2 * 16 * 8 * 16 * 2, found.operations(ArithmeticKind::kTensorF16));
  EXPECT_EQ(8192, found.metrics().at("warpgrade__tensor_operations.sum"));
}

TEST(Arithmetic, IntegersAreThoseOfPtxWithoutComparisonsAndMoves) {
  const auto found = counted(
      "add.s32 %r1, %r2, %r3; mad.lo.s32 %r4, %r1, %r2, %r3; and.b32 %r5, %r4, %r1; "
      "setp.lt.s32 %p1, %r1, %r2; mov.b32 %r6, %r1; and.pred %p2, %p1, %p1; cvt.u64.u32 %rd1, "
      "%r1;");
  EXPECT_EQ((1 + 2 + 1) * 50, found.operations(ArithmeticKind::kInteger));
  EXPECT_EQ(0, found.operations(ArithmeticKind::kF32));
}

TEST(Arithmetic, ComparisonsExtremesAndFunctionsOfATableDoNotCount) {
  const auto found = counted(
      "max.f32 %f1, %f2, %f3; setp.lt.f32 %p1, %f1, %f2; neg.f32 %f4, %f1; abs.f32 %f5, %f1; "
      "rcp.approx.ftz.f32 %f6, %f1; div.rn.f32 %f7, %f1, %f2;");
  EXPECT_EQ(0, found.operations(ArithmeticKind::kF32));
}

TEST(Arithmetic, LaunchesAddUp) {
  auto sum = counted("add.rn.f32 %f1, %f2, %f3;");
  sum += counted("add.rn.f32 %f1, %f2, %f3; add.s32 %r1, %r2, %r3;");
  EXPECT_EQ(100, sum.operations(ArithmeticKind::kF32));
  EXPECT_EQ(50, sum.operations(ArithmeticKind::kInteger));
}

TEST(Arithmetic, HasEachOfItsNames) {
  std::vector<std::string> names;
  for (const auto& [name, value] : Arithmetic().metrics()) names.push_back(name);
  EXPECT_EQ(arithmetic_names(), names);
}

// NVIDIA's data sheets: 67 TFLOP/s of floats, 34 of doubles on an H200; 65 of f16 on a T4. The
// boost clock of the sheet is the profile's within 2 %.
TEST(PeakRate, IsThatOfTheDataSheet) {
  const auto tera = [](const char* device, ArithmeticKind kind) {
    return peak_rate(device::find(device), kind).value() / 1e12;
  };
  EXPECT_NEAR(67, tera("h200", ArithmeticKind::kF32), 0.02 * 67);
  EXPECT_NEAR(34, tera("h200", ArithmeticKind::kF64), 0.02 * 34);
  EXPECT_NEAR(312, tera("a100", ArithmeticKind::kTensorF16), 0.02 * 312);
  EXPECT_NEAR(156, tera("a100", ArithmeticKind::kTensorTf32), 0.02 * 156);
  EXPECT_NEAR(624, tera("a100", ArithmeticKind::kTensorInt8), 0.02 * 624);
  EXPECT_NEAR(19.5, tera("a100", ArithmeticKind::kTensorF64), 0.02 * 19.5);
}

TEST(PeakRate, IsUnknownIfTheProfileHasNoRate) {
  EXPECT_FALSE(peak_rate(device::find("h200"), ArithmeticKind::kInteger));
  EXPECT_FALSE(peak_rate(device::find("k40"), ArithmeticKind::kTensorF16));
}

}  // namespace warpgrade::timing::arithmetic_test

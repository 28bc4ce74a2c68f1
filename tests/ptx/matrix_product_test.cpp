// SPDX-License-Identifier: Apache-2.0
// Machine instructions of matrix products. Expected values come from cuobjdump on the output of
// ptxas 13.0.
#include "common/ptx/matrix_product.h"

#include <gtest/gtest.h>

#include "common/ptx/parser.h"

namespace warpgrade::ptx::matrix_product_test {

std::optional<MatrixProduct> product(const std::string& text, std::uint32_t cc = 90) {
  const auto module = parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n"
      ".reg .b64 %w<9>;\n" +
          text + "\nret;\n}\n",
      "k.ptx");
  return matrix_product(module.functions.at(0).instructions.at(0), cc);
}

const std::string kHalf =
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r1}, {%r1}, {%r1}, {%r1};";
const std::string kByte =
    "wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32 {%r1}, {%r1}, {%r1}, {%r1};";

TEST(MatrixProduct, AWmmaOfHalvesIsTwoHmmaAndFourOnTuring) {
  EXPECT_EQ(2U, product(kHalf)->instructions);
  EXPECT_EQ(2048U, product(kHalf)->multiplications);
  EXPECT_EQ(4U, product(kHalf, 75)->instructions);
  EXPECT_EQ(2U, product(kHalf, 80)->instructions);
}

TEST(MatrixProduct, AWmmaOfBytesIsTwoImmaAndFourOnTuring) {
  EXPECT_EQ(MatrixProduct::Pipe::kImma, product(kByte)->pipe);
  EXPECT_EQ(2U, product(kByte)->instructions);
  EXPECT_EQ(4U, product(kByte, 75)->instructions);
}

TEST(MatrixProduct, AWmmaOfTf32IsFourHmma) {
  const auto tf32 = product(
      "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%r1}, {%r1}, {%r1}, {%r1};");
  EXPECT_EQ(4U, tf32->instructions);
  EXPECT_EQ(512U, tf32->multiplications);
  EXPECT_EQ(32U, tf32->source_bits);
}

TEST(MatrixProduct, AnMmaIsOneInstruction) {
  for (const auto* form : {"m16n8k8.row.col.f32.f16.f16.f32", "m16n8k16.row.col.f32.bf16.bf16.f32",
                           "m16n8k8.row.col.f32.tf32.tf32.f32", "m8n8k16.row.col.s32.s8.s8.s32",
                           "m16n8k16.row.col.f64.f64.f64.f64"}) {
    EXPECT_EQ(1U, product(std::string("mma.sync.aligned.") + form + " {%r1}, {%r1}, {%r1}, {%r1};")
                      ->instructions)
        << form;
  }
}

TEST(MatrixProduct, OthersAreNone) {
  EXPECT_FALSE(product("add.u32 %r1, %r1, %r1;"));
  EXPECT_FALSE(product("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%w1], 16;"));
}

}  // namespace warpgrade::ptx::matrix_product_test

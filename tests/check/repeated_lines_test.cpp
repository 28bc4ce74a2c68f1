// SPDX-License-Identifier: Apache-2.0
// Lines in loops, in unrolled loops, and outside loops.
#include "common/check/repeated_lines.h"

#include <gtest/gtest.h>

#include <string>

#include "common/ptx/parser.h"

namespace warpgrade::check::repeated_lines_test {

// Whether the line of the first store in `body` is repeated.
bool first_store_is_repeated(const std::string& body) {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.visible .entry k() {\n"
      ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n" +
          body + " ret; }\n",
      "k.cu");
  const auto& function = *ptx::find_function(module, "k");
  std::uint32_t store = 0;
  while (function.instructions[store].opcode != ptx::Opcode::st) ++store;
  return RepeatedLines(function).is_repeated(store);
}

TEST(RepeatedLines, OneStoreOutsideOfLoopsIsNot) {
  EXPECT_FALSE(first_store_is_repeated(".loc 1 7 1\nst.shared.u32 [%r1], %r2;"));
  EXPECT_FALSE(first_store_is_repeated(
      ".loc 1 7 1\nst.shared.u32 [%r1], %r2;\n.loc 1 8 1\nst.shared.u32 [%r1], %r3;"));
}

TEST(RepeatedLines, ALoopRepeatsItsLinesAndNoOthers) {
  EXPECT_TRUE(
      first_store_is_repeated("again:\n.loc 1 7 1\nst.shared.u32 [%r1], %r2;\n@%p1 bra again;"));
  EXPECT_FALSE(first_store_is_repeated(
      ".loc 1 6 1\nst.shared.u32 [%r1], %r2;\nagain:\n.loc 1 7 1\nadd.u32 %r2, %r2, 1;\n"
      "@%p1 bra again;"));
}

TEST(RepeatedLines, SeveralStoresOfALineAreAnUnrolledLoop) {
  EXPECT_TRUE(first_store_is_repeated(
      ".loc 1 7 1\nst.shared.u32 [%r1], %r2;\n.loc 1 7 9\nst.shared.u32 [%r1+4], %r3;"));
}

}  // namespace warpgrade::check::repeated_lines_test

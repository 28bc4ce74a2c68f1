// SPDX-License-Identifier: Apache-2.0
// Places of matrix elements in fragments, from the figures of the PTX ISA (9.7.14.5).
#include "common/sim/exec/matrix_fragment.h"

#include <gtest/gtest.h>

namespace warpgrade::sim::matrix_fragment_test {

MatrixOp matrix(std::uint32_t m, std::uint32_t n, std::uint32_t k, Element source) {
  MatrixOp op;
  op.m = m;
  op.n = n;
  op.k = k;
  op.a = op.b = source;
  return op;
}

void expect_place(const Fragment& fragment, std::uint32_t unit, std::uint32_t lane,
                  std::uint32_t element, std::uint32_t outer, std::uint32_t inner) {
  const auto place = fragment.place(unit, lane, element);
  EXPECT_EQ(outer, place.outer);
  EXPECT_EQ(inner, place.inner);
}

TEST(Fragments, OfM16N8K16AreThoseOfTheManual) {
  const auto op = matrix(16, 8, 16, Element::kF16);
  const auto a = source_fragment(op, MatrixOp::Operand::kA);
  EXPECT_EQ(4U, a.units);
  expect_place(a, 1, 5, 1, 9, 3);   // a3: row groupID + 8, column 2 * threadID + 1
  expect_place(a, 2, 5, 0, 1, 10);  // a4: column + 8
  const auto b = source_fragment(op, MatrixOp::Operand::kB);
  EXPECT_EQ(2U, b.units);
  expect_place(b, 1, 5, 0, 1, 10);
  expect_place(result_fragment(op), 1, 5, 1, 9, 3);
}

TEST(Fragments, OfDoublesGoOnInK) {
  const auto op = matrix(16, 8, 8, Element::kF64);
  const auto a = source_fragment(op, MatrixOp::Operand::kA);
  expect_place(a, 1, 5, 0, 9, 1);
  expect_place(a, 2, 5, 0, 1, 5);
}

TEST(Fragments, WithThirtyTwoColumnsTheRolesAreExchanged) {
  const auto op = matrix(8, 32, 16, Element::kF16);
  expect_place(source_fragment(op, MatrixOp::Operand::kB), 4, 5, 0, 17, 2);
  expect_place(result_fragment(op), 2, 5, 1, 17, 3);
}

}  // namespace warpgrade::sim::matrix_fragment_test

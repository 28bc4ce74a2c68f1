// SPDX-License-Identifier: Apache-2.0
// Which sums take their product along: PTX lets the assembler make one fma of a mul and an add
// without rounding modifiers, and ptxas does.
//
// The rules were seen in the machine code of ptxas 13.0 and on an H200: a mul.f32, .f64 or of a
// 16-bit format and an add or sub of the same type, none with a rounding modifier, become an fma
// where nothing but such sums reads the product.
// - First each sum, in order, takes a product that nothing else reads, of two the first.
// - Then f32 sums that are left, without .ftz, and that setp or set compares with zero by lt, gt,
//   ne, leu, geu or equ in the same block, become comparisons of a and -b, which take no product.
// - Then each sum that is left takes a product that only sums read, of two the first, as long as no
//   sum that reads it has taken another or is a comparison.
// - Copies of the product are looked through: mov, apart and together again in halves, neg (not of
//   bf16).
// - Product and sums must be in one basic block, unless a factor is a constant. A block ends at
//   what ptxas makes branches or calls of: divisions, reciprocals and roots that round, 64-bit
//   bfind, fences, and loads, stores and their like under a guard.
//
// Left out: a product whose factor is written anew before the sum stays apart here.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::sim {

/// A product that a sum takes along.
struct Taken {
  static constexpr std::uint32_t kApart = ~0U;

  std::uint32_t mul = kApart;  ///< Its instruction.
  std::uint8_t operand = 0;    ///< Which of the sum's operands it is: 1 or 2.
  bool negated = false;        ///< The sum reads the product with its sign changed.
};

class FmaContraction {
 public:
  explicit FmaContraction(const ptx::Function& function);

  const Taken& taken_by(std::uint32_t instruction) const { return taken_[instruction]; }

 private:
  std::vector<Taken> taken_;
};

}  // namespace warpgrade::sim

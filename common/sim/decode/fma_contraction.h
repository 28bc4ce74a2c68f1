// SPDX-License-Identifier: Apache-2.0
// Finds sums that absorb their product: PTX permits the assembler to contract a mul and an add
// without rounding modifiers into one fma, and ptxas does so.
//
// The rules were observed in the machine code of ptxas 13.0 and on an H200. A mul.f32, .f64 or of a
// 16-bit format and an add or sub of the same type, all without rounding modifiers, become an fma
// if only such sums read the product.
// - First each sum, in order, absorbs a product without other readers; of two, the first.
// - Then remaining f32 sums without .ftz that setp or set compares with zero by lt, gt, ne, leu,
//   geu or equ in the same block become comparisons of a and -b, which absorb no product.
// - Then each remaining sum absorbs a product that only sums read; of two, the first. No sum that
//   reads the product may have absorbed another one or be a comparison.
// - Copies of the product are followed: mov, splitting into halves and joining them, neg (except
//   bf16).
// - Product and sums must be in one basic block, unless a factor is a constant. A block ends at
//   instructions that ptxas expands into branches or calls: divisions, reciprocals and roots with
//   rounding, 64-bit bfind, fences, and guarded loads, stores and similar accesses.
//
// Not modelled: ptxas also contracts a product if a factor is overwritten before the sum.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::sim {

/// A product that a sum absorbs.
struct Taken {
  static constexpr std::uint32_t kApart = ~0U;

  std::uint32_t mul = kApart;  ///< Index of the mul.
  std::uint8_t operand = 0;    ///< The operand of the sum that it replaces: 1 or 2.
  bool negated = false;        ///< The sum reads the negated product.
};

class FmaContraction {
 public:
  explicit FmaContraction(const ptx::Function& function);

  const Taken& taken_by(std::uint32_t instruction) const { return taken_[instruction]; }

 private:
  std::vector<Taken> taken_;
};

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Which sums take their product along: PTX lets the assembler make one fma of a mul and an add
// without rounding modifiers, and ptxas does.
//
// What was seen on an H200 with ptxas 13.0 and is done here: a mul.f32, .f64 or of a 16-bit format
// and an add or sub of the same type, none with a rounding modifier, become an fma where
// nothing but such sums of the same basic block reads the product; of two products the first. NVRTC
// has already contracted what it could and marks what must stay apart with .rn, so pairs are left
// mainly where code is inline assembly: __half and __nv_bfloat16.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::sim {

/// By instruction: the mul whose product it takes along, or kApart.
class Contraction {
 public:
  static constexpr std::uint32_t kApart = ~0U;

  explicit Contraction(const ptx::Function& function);

  std::uint32_t product_of(std::uint32_t instruction) const { return products_[instruction]; }

 private:
  std::vector<std::uint32_t> products_;
};

}  // namespace warpgrade::sim

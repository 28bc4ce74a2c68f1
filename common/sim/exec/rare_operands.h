// SPDX-License-Identifier: Apache-2.0
// Operands for which machine code computes a division or a root in a subroutine.
//
// Rounded divisions and roots begin with an approximate reciprocal and correct it. That is exact
// only in a range of exponents. Machine code tests the range, and calls a subroutine outside of it
// if one lane of the warp is there. Limits: the tests that ptxas (CUDA 13) makes for roots, for
// reciprocals and for doubles, and measurements on an H200 for divisions of floats
// (divisions.csv in tests/evidence/golden/h200_issue).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

using run::RareOperands;

/// What `value` itself makes of a division or root: kNone for a normal number.
template <typename T>
RareOperands rare_operand(T value) {
  if (value == 0 || !std::isfinite(value)) return RareOperands::kSpecial;
  return std::fabs(value) < std::numeric_limits<T>::min() ? RareOperands::kSubnormal
                                                          : RareOperands::kNone;
}

/// a / b
template <typename T>
RareOperands rare_operands_of_quotient(T a, T b) {
  constexpr T kLeastDividend = std::is_same_v<T, float> ? T(0x1p-103) : T(0x1p-969);
  const RareOperands rare = std::max(rare_operand(a), rare_operand(b));
  if (rare != RareOperands::kNone) return rare;
  const T quotient = std::fabs(a / b);
  const bool is_near = std::fabs(a) >= kLeastDividend &&
                       quotient >= std::numeric_limits<T>::min() && std::isfinite(quotient);
  return is_near ? RareOperands::kNone : RareOperands::kFar;
}

/// 1 / a
template <typename T>
RareOperands rare_operands_of_reciprocal(T a) {
  constexpr T kMost = 1 / std::numeric_limits<T>::min();
  const RareOperands rare = rare_operand(a);
  return rare == RareOperands::kNone && std::fabs(a) >= kMost ? RareOperands::kFar : rare;
}

/// The square root of a.
template <typename T>
RareOperands rare_operands_of_root(T a) {
  constexpr T kLeast = std::is_same_v<T, float> ? T(0x1p-101) : T(0x1p-970);
  if (a < 0) return RareOperands::kSpecial;
  const RareOperands rare = rare_operand(a);
  return rare == RareOperands::kNone && a < kLeast ? RareOperands::kFar : rare;
}

/// A handler that tells the block's watchers of the rarest operands of a rounded division or root
/// of floats; nullptr for other instructions.
Handler teller_of_rare_operands(const ptx::Instruction& in);

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// The comparison operators of setp and set (PTX ISA 9.0, table in 9.3.1), for one lane.
#pragma once

#include <cmath>

namespace warpgrade::sim {

// The comparison operators of setp and set (PTX ISA 9.0, table in 9.3.1) as functions of one lane.

// Ordered comparisons are false if an operand is NaN; unordered ones (equ, ltu ...) are true.
template <typename T>
constexpr bool eq(T a, T b) {
  return a == b;
}
template <typename T>
constexpr bool lt(T a, T b) {
  return a < b;
}
template <typename T>
constexpr bool le(T a, T b) {
  return a <= b;
}
template <typename T>
constexpr bool gt(T a, T b) {
  return a > b;
}
template <typename T>
constexpr bool ge(T a, T b) {
  return a >= b;
}
template <typename T>
constexpr bool unordered(T a, T b) {
  return a != a || b != b;
}
template <typename T>
constexpr bool ordered(T a, T b) {
  return !unordered(a, b);
}
template <typename T>
constexpr bool ne(T a, T b) {
  return a < b || a > b;
}
template <typename T>
constexpr bool equ(T a, T b) {
  return !ne(a, b);
}
template <typename T>
constexpr bool neu(T a, T b) {
  return !(a == b);
}
template <typename T>
constexpr bool ltu(T a, T b) {
  return !(a >= b);
}
template <typename T>
constexpr bool leu(T a, T b) {
  return !(a > b);
}
template <typename T>
constexpr bool gtu(T a, T b) {
  return !(a <= b);
}
template <typename T>
constexpr bool geu(T a, T b) {
  return !(a < b);
}

inline float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}
template <auto F>
bool with_ftz(float a, float b) {
  return F(flushed(a), flushed(b));
}

}  // namespace warpgrade::sim

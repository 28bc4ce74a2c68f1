// SPDX-License-Identifier: Apache-2.0
// The results of atomic operations from the old value and the operands: one function of plain
// values (old, b, c) per operation; c is the value that cas stores.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "common/sim/exec/half_format.h"

namespace warpgrade::sim::atomics {
template <typename T>
T add(T old, T b, T) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
  }
  const T sum = old + b;
  if (sum == sum) return sum;
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(0x7fffffffU);
  return sum;
}
// In global memory a f64 NaN keeps its payload.
inline double add_keeping(double old, double b, double) {
  if (b != b) return b;
  return old != old ? old : old + b;
}
// In global memory f32 sums use .ftz.
inline float flushed(float a) {
  return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0F, a) : a;
}
inline float add_flushed(float old, float b, float) {
  return flushed(add(flushed(old), flushed(b), 0.0F));
}
template <typename Format>
std::uint16_t add_half(std::uint16_t old, std::uint16_t b, std::uint16_t) {
  return narrow<Format, Rounding::kNearest>(sum_to_odd(widen<Format>(old), widen<Format>(b)));
}
// Returns the other operand if one is NaN; -0 is less than +0.
template <typename Format, bool kGreatest>
std::uint16_t extreme_half(std::uint16_t old, std::uint16_t b, std::uint16_t) {
  if (is_nan<Format>(old)) return is_nan<Format>(b) ? kHalfNan : b;
  if (is_nan<Format>(b)) return old;
  const auto ordered = [](std::uint16_t x) {
    return (x & kHalfSign) != 0 ? -(x & 0x7fff) - 1 : int{x};
  };
  return (ordered(b) < ordered(old)) != kGreatest ? b : old;
}
// Both halves of a pair at once; PTX permits separate updates.
template <auto F>
std::uint32_t of_pair(std::uint32_t old, std::uint32_t b, std::uint32_t) {
  const auto half = [&](int shift) -> std::uint32_t {
    return F(static_cast<std::uint16_t>(old >> shift), static_cast<std::uint16_t>(b >> shift), 0);
  };
  return half(16) << 16 | half(0);
}
template <typename T>
T min(T old, T b, T) {
  return b < old ? b : old;
}
template <typename T>
T max(T old, T b, T) {
  return old < b ? b : old;
}
template <typename T>
T bit_and(T old, T b, T) {
  return old & b;
}
template <typename T>
T bit_or(T old, T b, T) {
  return old | b;
}
template <typename T>
T bit_xor(T old, T b, T) {
  return old ^ b;
}
template <typename T>
T exch(T, T b, T) {
  return b;
}
template <typename T>
T cas(T old, T b, T c) {
  return old == b ? c : old;
}
inline std::uint32_t inc(std::uint32_t old, std::uint32_t b, std::uint32_t) {
  return old >= b ? 0 : old + 1;
}
inline std::uint32_t dec(std::uint32_t old, std::uint32_t b, std::uint32_t) {
  return old == 0 || old > b ? b : old - 1;
}
}  // namespace warpgrade::sim::atomics

namespace warpgrade::sim {}  // namespace warpgrade::sim

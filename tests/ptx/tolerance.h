// SPDX-License-Identifier: Apache-2.0
// How far from the card's result an approximate instruction's may be: the error that the PTX manual
// (9.0, 9.7.3 and 9.7.4) states for it, once for the card and once for us.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/sim/half_format.h"

namespace warpgrade::ptx_test {

struct Tolerance {
  enum class Format { kExact, kF16, kF16x2, kBf16, kBf16x2, kF32, kF64 };
  Format format = Format::kExact;
  double relative = 0;
  double absolute = 0;
  double range = INFINITY;  ///< Sources of a larger magnitude have no stated error.
  bool reorders = false;    ///< ptxas may exchange the sources of a sum.
};

inline Tolerance tolerance_of(const std::string& text) {
  using Format = Tolerance::Format;
  struct Bound {
    std::string_view prefix;
    double relative;
    double absolute;
    double range;
  };
  // sin and cos: 2^-20.5 within [-2pi, 2pi], 2^-14.7 within [-100pi, 100pi], nothing beyond.
  static const Bound kBounds[] = {
      {"rcp.approx.ftz.f64", 0x1p-20, 0, INFINITY}, {"rsqrt.approx.ftz.f64", 0x1p-20, 0, INFINITY},
      {"rsqrt.approx.f64", 0x1p-51, 0, INFINITY},   {"rcp.approx", 0x1p-23, 0, INFINITY},
      {"sqrt.approx", 0x1p-23, 0, INFINITY},        {"rsqrt.approx", 0x1.2p-23, 0, INFINITY},
      {"sin.approx", 0, 0x1.3p-15, 314.15},         {"cos.approx", 0, 0x1.3p-15, 314.15},
      {"lg2.approx", 0x1p-22, 0x1p-22, INFINITY},   {"ex2.approx.f16", 0x1.2p-10, 0, INFINITY},
      {"ex2.approx.ftz.bf16", 0x1p-7, 0, INFINITY}, {"ex2.approx", 0x1p-22, 0, INFINITY},
      {"tanh.approx.f16", 0, 0x1.03p-11, INFINITY}, {"tanh.approx.bf16", 0, 0x1p-8, INFINITY},
      {"tanh.approx", 0x1p-11, 0, INFINITY},        {"div.approx", 0x1p-22, 0, INFINITY},
      {"div.full", 0x1p-22, 0, INFINITY},
  };
  for (const auto& row : kBounds) {
    if (!text.starts_with(row.prefix)) continue;
    const auto has = [&](std::string_view type) { return text.find(type) != std::string::npos; };
    const auto format = has(".bf16x2")  ? Format::kBf16x2
                        : has(".f16x2") ? Format::kF16x2
                        : has(".bf16")  ? Format::kBf16
                        : has(".f16")   ? Format::kF16
                        : has(".f64")   ? Format::kF64
                                        : Format::kF32;
    return {format, 2 * row.relative, 2 * row.absolute, row.range};
  }
  Tolerance exact;
  exact.reorders = text.find(';') != text.rfind(';');
  return exact;
}

inline double value_of(Tolerance::Format format, std::uint64_t bits) {
  using Format = Tolerance::Format;
  if (format == Format::kF64) return std::bit_cast<double>(bits);
  if (format == Format::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const auto half = static_cast<std::uint16_t>(bits);
  return format == Format::kF16 ? sim::widen<sim::F16>(half) : sim::widen<sim::Bf16>(half);
}

/// Whether a f64 result is a NaN of several: with more than one NaN among the sources, whose
/// payload is passed on depends on the order in which ptxas puts the operands. It leaves those of a
/// single instruction in their order.
inline bool is_one_of_many_nans(std::uint64_t expected, std::uint64_t actual,
                                const std::vector<std::uint64_t>& sources) {
  constexpr std::uint64_t kMagnitude = 0x7fffffffffffffff;
  constexpr std::uint64_t kInfinity = 0x7ff0000000000000;
  constexpr std::uint64_t kQuiet = 0x0008000000000000;
  const auto is_nan = [](std::uint64_t bits) { return (bits & kMagnitude) > kInfinity; };
  int nans = 0;
  bool passed_on = false;
  for (const auto source : sources) {
    if (!is_nan(source)) continue;
    ++nans;
    passed_on = passed_on || (source | kQuiet) == actual;
  }
  return nans > 1 && passed_on && is_nan(expected);
}

/// Whether `actual` is `expected`, or near enough where the instruction is approximate.
inline bool agrees(const Tolerance& t, std::uint64_t expected, std::uint64_t actual,
                   const std::vector<std::uint64_t>& sources) {
  using Format = Tolerance::Format;
  if (expected == actual) return true;
  if (t.reorders && is_one_of_many_nans(expected, actual, sources)) return true;
  if (t.format == Format::kExact) return false;
  if (t.format == Format::kF16x2 || t.format == Format::kBf16x2) {
    auto part = t;
    part.format = t.format == Format::kF16x2 ? Format::kF16 : Format::kBf16;
    return agrees(part, expected & 0xffff, actual & 0xffff, sources) &&
           agrees(part, expected >> 16, actual >> 16, sources);
  }
  if (std::fabs(value_of(t.format, sources[0])) > t.range) return true;
  const double want = value_of(t.format, expected);
  const double got = value_of(t.format, actual);
  if (!std::isfinite(want) || !std::isfinite(got) || want == 0) {
    return std::isfinite(got) && std::fabs(want - got) <= t.absolute;
  }
  return std::fabs(want - got) <= t.relative * std::fabs(want) + t.absolute;
}

}  // namespace warpgrade::ptx_test

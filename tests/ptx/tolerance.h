// SPDX-License-Identifier: Apache-2.0
// How far the result of an approximate instruction may be from the card's: the H200's largest
// measured error over all sources (tests/evidence/golden/h200_ptx/errors.txt), plus half a unit in
// the last place for our own error.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/sim/exec/half_format.h"

namespace warpgrade::ptx_test {

struct Tolerance {
  enum class Format { kExact, kF16, kF16x2, kBf16, kBf16x2, kF32, kF64 };
  Format format = Format::kExact;
  double relative = 0;  ///< The larger of the two limits applies.
  double absolute = 0;
  bool reorders = false;  ///< ptxas may exchange the sources of a sum.
};

// Half a unit in the last place of a result: the largest distance of our result from the true
// value.
inline double rounding_error(Tolerance::Format format) {
  using Format = Tolerance::Format;
  if (format == Format::kF64) return 0x1p-53;
  if (format == Format::kF32) return 0x1p-24;
  return format == Format::kF16 || format == Format::kF16x2 ? 0x1p-11 : 0x1p-8;
}

inline Tolerance tolerance_of(const std::string& text) {
  using Format = Tolerance::Format;
  // Binary logarithms of the card's largest errors, rounded up; 0: no error of this kind. The first
  // two instructions read only the upper word, and our errors are twice the card's. The errors of
  // sin and cos are those for the angle that the instruction sees.
  struct Bound {
    std::string_view prefix;
    double relative;
    double absolute;
  };
  constexpr double kLeast = -149;  // a unit of the least f32, if the result is subnormal
  static const Bound kBounds[] = {
      {"rcp.approx.ftz.f64", -18.9, 0}, {"rsqrt.approx.ftz.f64", -19, 0},
      {"rsqrt.approx.f64", -52, 0},     {"rcp.approx", -23.27, kLeast},
      {"sqrt.approx", -23.25, kLeast},  {"rsqrt.approx", -22.93, kLeast},
      {"sin.approx", 0, -21.48},        {"cos.approx", 0, -21.48},
      {"lg2.approx", -22.05, -22.14},   {"ex2.approx.f16", -10, -24},
      {"ex2.approx.ftz.bf16", -7, 0},   {"ex2.approx", -22.7, kLeast},
      {"tanh.approx.f16", 0, -10.98},   {"tanh.approx.bf16", 0, -8},
      {"tanh.approx", -16.45, kLeast},  {"div.approx", -22.6, kLeast},
      {"div.full", -22.6, kLeast},
  };
  for (const auto& bound : kBounds) {
    if (!text.starts_with(bound.prefix)) continue;
    const auto has = [&](std::string_view type) { return text.find(type) != std::string::npos; };
    const auto format = has(".bf16x2")  ? Format::kBf16x2
                        : has(".f16x2") ? Format::kF16x2
                        : has(".bf16")  ? Format::kBf16
                        : has(".f16")   ? Format::kF16
                        : has(".f64")   ? Format::kF64
                                        : Format::kF32;
    const auto power = [](double logarithm) { return logarithm == 0 ? 0 : std::exp2(logarithm); };
    const auto ours = rounding_error(format);
    // An absolute error applies to results up to 1. There, half a unit is at most that error.
    return {format, bound.relative == 0 ? 0 : power(bound.relative) + ours,
            bound.absolute == 0 ? 0 : power(bound.absolute) + (bound.relative == 0 ? ours : 0)};
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

/// Whether an f64 result is one of several NaNs. If several sources are NaN, the payload that is
/// passed on depends on the order in which ptxas puts the operands. ptxas keeps that order in a
/// single instruction.
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

/// Whether `actual` equals `expected`, or is near enough if the instruction is approximate.
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
  const double want = value_of(t.format, expected);
  const double got = value_of(t.format, actual);
  if (!std::isfinite(want) || !std::isfinite(got) || want == 0) {
    return std::isfinite(got) && std::fabs(want - got) <= t.absolute;
  }
  return std::fabs(want - got) <= std::max(t.relative * std::fabs(want), t.absolute);
}

}  // namespace warpgrade::ptx_test

// SPDX-License-Identifier: Apache-2.0
// Compares single PTX instructions with an H200, on edge values.
//
// Every bit must agree (case.h names the source of the values), except for approximate
// instructions. Their results must agree in zeros, infinities and NaN, and be within the H200's
// largest measured error over all sources (tests/evidence/golden/h200_ptx/errors.txt), plus half a
// unit in the last place for our own error. No check may find anything.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "common/check/checks.h"
#include "common/sim/exec/half_format.h"
#include "common/sim/simulator.h"
#include "tests/ptx/case.h"

namespace warpgrade::ptx_test::conformance_test {

struct Tolerance {
  enum class Format { kExact, kF16, kF16x2, kBf16, kBf16x2, kF32, kF64 };
  Format format = Format::kExact;
  double relative = 0;  ///< The larger of the two limits applies.
  double absolute = 0;
  bool reorders = false;  ///< ptxas may exchange the sources of a sum.
};

// Half a unit in the last place of a result: the largest distance of our result from the true
// value.
double rounding_error(Tolerance::Format format) {
  using Format = Tolerance::Format;
  if (format == Format::kF64) return 0x1p-53;
  if (format == Format::kF32) return 0x1p-24;
  return format == Format::kF16 || format == Format::kF16x2 ? 0x1p-11 : 0x1p-8;
}

Tolerance tolerance_of(const std::string& text) {
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

double value_of(Tolerance::Format format, std::uint64_t bits) {
  using Format = Tolerance::Format;
  if (format == Format::kF64) return std::bit_cast<double>(bits);
  if (format == Format::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const auto half = static_cast<std::uint16_t>(bits);
  return format == Format::kF16 ? sim::widen<sim::F16>(half) : sim::widen<sim::Bf16>(half);
}

/// Whether an f64 result is one of several NaNs. If several sources are NaN, the payload that is
/// passed on depends on the order in which ptxas puts the operands. ptxas keeps that order in a
/// single instruction.
bool is_one_of_many_nans(std::uint64_t expected, std::uint64_t actual,
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
bool agrees(const Tolerance& t, std::uint64_t expected, std::uint64_t actual,
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

run::Buffer buffer(const std::string& name, std::size_t words) {
  run::Buffer result;
  result.name = name;
  result.bytes.resize(words * 8);
  result.element_bytes = 8;
  return result;
}

run::Result execute(const Case& c, const std::vector<Row>& rows, Row& out) {
  std::vector<run::Buffer> buffers = {buffer("out", rows.size()), buffer("in", 3 * rows.size()),
                                      buffer("scratch", 4096)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(buffers[1].bytes.data() + 24 * i, rows[i].data(), 8 * rows[i].size());
  }
  compile::Program program;
  program.ptx = {module_text(c), {}};
  sim::Simulator simulator;
  simulator.load(program);
  run::Launch launch;
  launch.kernel = "k";
  launch.grid.x = 1;
  launch.block.x = 256;
  run::ValueArgument count(4);
  const auto n = static_cast<std::uint32_t>(rows.size());
  std::memcpy(count.data(), &n, 4);
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, run::BufferArgument{2},
                      count};
  check::Checks checks;
  run::Options options;
  options.threads = 1;
  options.observers = {&checks};
  auto result = simulator.launch(launch, buffers, options);
  // Cases of ldu and ld.nc write the word that they load. The checker reports this, but the result
  // is right: the card returns the value that the same thread wrote.
  const bool is_read_only_load =
      c.text.find("ldu.") != std::string::npos || c.text.find(".nc.") != std::string::npos;
  for (const auto& found : checks.diagnostics()) {
    if (is_read_only_load && found.kind == base::DiagnosticKind::kRace) continue;
    result.diagnostics.push_back(found);
  }
  out.resize(rows.size());
  std::memcpy(out.data(), buffers[0].bytes.data(), 8 * rows.size());
  return result;
}

TEST(Conformance, InstructionsHaveTheBitsOfTheH200) {
  const auto inputs = read_inputs();
  std::size_t cases = 0;
  for (const auto& c : read_cases()) {
    const auto& rows = inputs.at(joined(c.kinds));
    ASSERT_EQ(rows.size(), c.expected.size()) << c.text;
    ++cases;
    Row out;
    const auto result = execute(c, rows, out);
    if (!result.diagnostics.empty()) {
      ADD_FAILURE() << c.text << ": " << result.diagnostics[0].message;
      continue;
    }
    const auto tolerance = tolerance_of(c.text);
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (agrees(tolerance, c.expected[i], out[i], rows[i])) continue;
      if (wrong++ < 4) {
        first += "\n   ";
        for (const auto value : rows[i]) first += fmt::format(" {:x}", value);
        first += fmt::format(" -> {:x}, here {:x}", c.expected[i], out[i]);
      }
    }
    EXPECT_EQ(0U, wrong) << c.text << " of " << rows.size() << first;
  }
  EXPECT_LT(2600U, cases);
}

}  // namespace warpgrade::ptx_test::conformance_test

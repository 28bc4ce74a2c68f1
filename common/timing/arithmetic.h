// SPDX-License-Identifier: Apache-2.0
// Counts the arithmetic of a launch: operations on floats, doubles, half floats and integers, and
// products on tensor cores. A fused multiply-add is two operations.
//
// In: a kernel, how often each of its instructions was executed, and its machine code. Out: sums by
// kind, and metrics; those of floats and doubles have Nsight Compute's names. An addition or a
// multiplication of PTX counts as itself, or as a part of the fma that the assembler makes of it.
// Divisions, roots and functions count as the additions and multiplications that machine code has
// for them; without machine code they do not count. Not counted: comparisons, minima and maxima,
// conversions, table functions, and the sums of atomics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"
#include "common/timing/cubin.h"

namespace warpgrade::timing {

/// Kinds of operations, each with a rate of its own. kTensorF16 includes bf16.
enum class ArithmeticKind : std::uint8_t {
  kF32,
  kF64,
  kF16,
  kTensorF16,
  kTensorTf32,
  kTensorF64,
  kTensorInt8,
  kInteger,  ///< PTX counts: machine code computes addresses otherwise.
  kCount,
};
constexpr auto kArithmeticKinds = static_cast<std::size_t>(ArithmeticKind::kCount);

/// "f32", "tensor tf32", "integer", ...
std::string_view name(ArithmeticKind kind);

/// Operations per second that the whole chip can do; nullopt if the profile does not have the rate.
std::optional<double> peak_rate(const device::Profile& profile, ArithmeticKind kind);

class Arithmetic {
 public:
  Arithmetic() = default;
  /// A launch of `function` with `result`. `machine_code` is a cubin, or empty.
  Arithmetic(const device::Profile& profile, const ptx::Function& function,
             const run::Result& result, std::span<const char> machine_code);

  Arithmetic& operator+=(const Arithmetic& other);
  double operations(ArithmeticKind kind) const;
  /// Divisions, roots or functions were executed that do not count without machine code.
  bool lacks_functions() const { return lacks_functions_; }
  /// A metric for each of arithmetic_names(), even if it is 0.
  memory::Metrics metrics() const;

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;

 private:
  double& of(ArithmeticKind kind) { return others_[static_cast<std::size_t>(kind)]; }
  void add(const ptx::Instruction& in, bool is_contracted, double threads);

  /// Instructions of threads, by FloatOperation.
  std::array<double, kFloatOperations> floats_{};
  /// By kind; not for kF32 and kF64.
  std::array<double, kArithmeticKinds> others_{};
  bool lacks_functions_ = false;
};

/// Every name in Arithmetic::metrics(), sorted.
const std::vector<std::string>& arithmetic_names();

}  // namespace warpgrade::timing

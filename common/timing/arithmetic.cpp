// SPDX-License-Identifier: Apache-2.0
#include "common/timing/arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/decode/fma_contraction.h"
#include "common/timing/machine_costs.h"

namespace warpgrade::timing {
namespace {

using ptx::Algebra;
using ptx::Type;

constexpr std::array<std::string_view, kArithmeticKinds> kKindNames = {
    "f32", "f64", "f16", "tensor f16", "tensor tf32", "tensor f64", "tensor int8", "integer"};

// By FloatOperation.
constexpr std::array<std::string_view, kFloatOperations> kFloatNames = {
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
};
// Nsight Compute counts instructions of half floats, which are one or two operations each.
constexpr std::string_view kHalf = "warpgrade__f16_operations.sum";
constexpr std::string_view kTensor = "warpgrade__tensor_operations.sum";
constexpr std::string_view kInteger = "warpgrade__ptx_integer_operations.sum";

constexpr double kFma = 2;  // Operations.

bool is_half(Type type) {
  return type == Type::kF16 || type == Type::kF16x2 || type == Type::kBf16 || type == Type::kBf16x2;
}

bool is_integer(Type type) {
  return (type >= Type::kB16 && type <= Type::kB64) || (type >= Type::kU16 && type <= Type::kU64) ||
         (type >= Type::kS16 && type <= Type::kS64) || type == Type::kU16x2 || type == Type::kS16x2;
}

// A product and a sum, or for integers another operation on three values.
bool is_fma(const ptx::Instruction& in) {
  constexpr std::size_t kOperands = 4;
  return ptx::facts(in).family == ptx::Family::kArithmetic && in.operands.size() == kOperands;
}

bool is_sum(const ptx::Instruction& in) {
  const auto algebra = ptx::facts(in).algebra;
  return algebra == Algebra::kSum || algebra == Algebra::kDifference;
}

bool is_product(const ptx::Instruction& in) { return ptx::facts(in).algebra == Algebra::kProduct; }

// Operations of a thread on integers; comparisons and moves have none.
double integer_operations(const ptx::Instruction& in) {
  if (!is_integer(in.types[0])) return 0;
  if (is_fma(in)) return kFma;
  switch (ptx::facts(in).family) {
    case ptx::Family::kArithmetic:
    case ptx::Family::kBits:
    case ptx::Family::kBitFields:
    case ptx::Family::kLogic:
      return 1;
    default:
      return 0;
  }
}

// Whether machine code has several instructions for it, some of which may be additions and
// multiplications.
bool is_function(const ptx::Instruction& in) {
  if (in.types[0] != Type::kF32 && in.types[0] != Type::kF64) return false;
  const auto& facts = ptx::facts(in);
  return facts.family == ptx::Family::kArithmetic &&
         (facts.timing == ptx::Timing::kDivision || ptx::is_root_or_reciprocal(facts.timing) ||
          facts.pipe == ptx::Pipe::kXu);
}

ArithmeticKind kind_of(const ptx::MatrixProduct& product) {
  switch (product.pipe) {
    case ptx::MatrixProduct::Pipe::kDmma:
      return ArithmeticKind::kTensorF64;
    case ptx::MatrixProduct::Pipe::kImma:
      return ArithmeticKind::kTensorInt8;
    case ptx::MatrixProduct::Pipe::kHmma:
      break;
  }
  return product.source_bits == 32 ? ArithmeticKind::kTensorTf32 : ArithmeticKind::kTensorF16;
}

}  // namespace

std::string_view name(ArithmeticKind kind) { return kKindNames.at(static_cast<std::size_t>(kind)); }

std::optional<double> peak_rate(const device::Profile& profile, ArithmeticKind kind) {
  const auto of_chip = [&](double per_clock) {
    return kFma * per_clock * profile.sm.clock_hz * profile.sm.count;
  };
  const auto of_tensor = [&](const std::optional<double>& products, double times) {
    return products ? std::optional(of_chip(*products * times)) : std::nullopt;
  };
  const auto& tensor = profile.tensor;
  switch (kind) {
    case ArithmeticKind::kF32:
      return of_chip(run::kWarpSize * profile.sm.float_instructions_per_clock());
    case ArithmeticKind::kF64:
      return of_tensor(profile.sm.pipes.fp64_lanes, 1);
    case ArithmeticKind::kTensorF16:
      return of_tensor(tensor.products_per_clock, 1);
    case ArithmeticKind::kTensorTf32:
      return of_tensor(tensor.products_per_clock, 0.5);
    case ArithmeticKind::kTensorInt8:
      return of_tensor(tensor.products_per_clock, 2);
    case ArithmeticKind::kTensorF64:
      return of_tensor(tensor.double_products_per_clock, 1);
    case ArithmeticKind::kF16:
    case ArithmeticKind::kInteger:
    case ArithmeticKind::kCount:
      break;
  }
  return std::nullopt;
}

// One instruction that is neither a function nor a product of matrices.
void Arithmetic::add(const ptx::Instruction& in, bool is_contracted, double threads) {
  const auto type = in.types[0];
  if (is_integer(type)) {
    of(ArithmeticKind::kInteger) += integer_operations(in) * threads;
    return;
  }
  if (!is_fma(in) && !is_sum(in) && !is_product(in)) return;
  if (is_half(type)) {
    const double halves = ptx::size_of(type) / 2.0;
    of(ArithmeticKind::kF16) += halves * (is_fma(in) || is_contracted ? kFma : 1) * threads;
    return;
  }
  if (type != Type::kF32 && type != Type::kF64) return;
  const auto operation = is_fma(in) || is_contracted ? FloatOperation::kFfma
                         : is_product(in)            ? FloatOperation::kFmul
                                                     : FloatOperation::kFadd;
  constexpr auto kDoubles = static_cast<std::size_t>(FloatOperation::kDadd);
  floats_.at(static_cast<std::size_t>(operation) + (type == Type::kF64 ? kDoubles : 0)) += threads;
}

Arithmetic::Arithmetic(const device::Profile& profile, const ptx::Function& function,
                       const run::Result& result, std::span<const char> cubin) {
  const auto& all = function.instructions;
  const auto count = std::min(result.instructions.size(), all.size());
  const std::uint32_t capability = 10 * profile.compute.major + profile.compute.minor;
  const auto contraction =
      function.analyses.get<sim::FmaContraction>([&] { return sim::FmaContraction(function); });
  std::set<std::uint32_t> absorbed;
  for (std::uint32_t i = 0; i < all.size(); ++i) absorbed.insert(contraction->taken_by(i).mul);
  std::vector<MachineCost> costs;
  bool has_costs = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [warps, threads] = result.instructions[i];
    if (warps == 0 || absorbed.contains(i)) continue;
    const auto& in = all[i];
    if (const auto product = ptx::matrix_product(in, capability)) {
      of(kind_of(*product)) +=
          kFma * static_cast<double>(warps * product->instructions * product->multiplications);
    } else if (is_function(in)) {
      if (!has_costs) costs = machine_facts(function, profile, cubin).costs;
      has_costs = true;
      if (costs.empty()) {
        lacks_functions_ = true;
        continue;
      }
      for (std::size_t k = 0; k < kFloatOperations; ++k) {
        floats_[k] += std::round(costs[i].floats[k] * static_cast<double>(threads));
      }
    } else {
      add(in, contraction->taken_by(i).mul != sim::Taken::kApart, static_cast<double>(threads));
    }
  }
}

Arithmetic& Arithmetic::operator+=(const Arithmetic& other) {
  for (std::size_t i = 0; i < kFloatOperations; ++i) floats_[i] += other.floats_[i];
  for (std::size_t i = 0; i < kArithmeticKinds; ++i) others_[i] += other.others_[i];
  lacks_functions_ |= other.lacks_functions_;
  return *this;
}

double Arithmetic::operations(ArithmeticKind kind) const {
  const auto sum = [&](FloatOperation first) {
    const auto i = static_cast<std::size_t>(first);
    return floats_.at(i) + floats_.at(i + 1) + kFma * floats_.at(i + 2);
  };
  if (kind == ArithmeticKind::kF32) return sum(FloatOperation::kFadd);
  if (kind == ArithmeticKind::kF64) return sum(FloatOperation::kDadd);
  return others_.at(static_cast<std::size_t>(kind));
}

memory::Metrics Arithmetic::metrics() const {
  memory::Metrics out;
  for (std::size_t i = 0; i < kFloatOperations; ++i) out[std::string(kFloatNames[i])] = floats_[i];
  out[std::string(kHalf)] = operations(ArithmeticKind::kF16);
  out[std::string(kTensor)] =
      operations(ArithmeticKind::kTensorF16) + operations(ArithmeticKind::kTensorTf32) +
      operations(ArithmeticKind::kTensorF64) + operations(ArithmeticKind::kTensorInt8);
  out[std::string(kInteger)] = operations(ArithmeticKind::kInteger);
  return out;
}

const std::vector<std::string>& arithmetic_names() {
  static const auto kNames = [] {
    std::vector<std::string> names(kFloatNames.begin(), kFloatNames.end());
    for (const auto name : {kHalf, kTensor, kInteger}) names.emplace_back(name);
    std::sort(names.begin(), names.end());
    return names;
  }();
  return kNames;
}

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/matrix_product.h"

#include <algorithm>
#include <array>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::ptx {
namespace {

struct NamedShape {
  Modifier modifier;
  MatrixShape shape;
};

constexpr std::array kShapes = {
    NamedShape{Modifier::m8n8k4, {8, 8, 4}},     NamedShape{Modifier::m8n8k16, {8, 8, 16}},
    NamedShape{Modifier::m16n8k4, {16, 8, 4}},   NamedShape{Modifier::m16n8k8, {16, 8, 8}},
    NamedShape{Modifier::m16n8k16, {16, 8, 16}}, NamedShape{Modifier::m16n8k32, {16, 8, 32}},
    NamedShape{Modifier::m16n16k8, {16, 16, 8}}, NamedShape{Modifier::m16n16k16, {16, 16, 16}},
    NamedShape{Modifier::m32n8k16, {32, 8, 16}}, NamedShape{Modifier::m8n32k16, {8, 32, 16}},
};

}  // namespace

std::optional<MatrixShape> matrix_shape(const Instruction& in) {
  const auto* found = std::find_if(kShapes.begin(), kShapes.end(), [&](const NamedShape& named) {
    return in.modifiers.has(named.modifier);
  });
  if (found == kShapes.end()) return std::nullopt;
  return found->shape;
}

std::optional<MatrixProduct> matrix_product(const Instruction& in,
                                            std::uint32_t compute_capability) {
  const bool is_wmma = in.modifiers.has(Modifier::mma_);
  const auto shape = matrix_shape(in);
  if (facts(in).timing != Timing::kMatrix || !shape) return std::nullopt;
  const auto [m, n, k] = *shape;
  // wmma.mma of f16 names only the types of d and c.
  const auto source = in.type_count == 4 ? in.types[1] : Type::kF16;
  const auto bytes = size_of(source);
  MatrixProduct product;
  product.source_bits = source == Type::kTf32 ? 32 : 8 * bytes;
  std::uint32_t steps = 1;
  std::uint32_t tiles = 1;
  if (source == Type::kF64) {
    product.pipe = MatrixProduct::Pipe::kDmma;
  } else {
    const bool is_integer = in.types[0] == Type::kS32;
    const bool is_turing = compute_capability < 80;
    product.pipe = is_integer ? MatrixProduct::Pipe::kImma : MatrixProduct::Pipe::kHmma;
    const std::uint32_t results = is_turing && is_integer ? 64 : 128;
    const bool is_narrow = is_turing || (is_wmma && source == Type::kTf32);
    tiles = std::max(1U, m * n / results);
    steps = std::max(1U, k * bytes / (is_narrow ? 16 : 32));
  }
  product.instructions = tiles * steps;
  product.multiplications = m * n * k / product.instructions;
  return product;
}

}  // namespace warpgrade::ptx

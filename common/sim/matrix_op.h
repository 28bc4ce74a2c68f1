// SPDX-License-Identifier: Apache-2.0
// A decoded matrix instruction: shape, formats, rule of the sum, and the register slots of its
// fragments.
//
// MicroOp::target of such an instruction is an index into Code::matrices. A slot of a fragment has
// 32 lanes of 4 bytes, or of 8 bytes for f64.
#pragma once

#include <cstdint>
#include <vector>

namespace warpgrade::sim {

/// Format of an element in memory and in a fragment.
enum class Element : std::uint8_t { kF16, kBf16, kTf32, kF32, kF64, kS8, kU8, kS32 };

constexpr std::uint32_t bytes_of(Element element) {
  switch (element) {
    case Element::kS8:
    case Element::kU8:
      return 1;
    case Element::kF16:
    case Element::kBf16:
      return 2;
    case Element::kF64:
      return 8;
    default:
      return 4;
  }
}

/// How the tensor cores of a generation add up products (exec/tensor_sum.h).
struct TensorRule {
  std::uint8_t fraction_bits = 0;  ///< Bits kept below the largest summand's leading place.
  std::uint8_t half_step = 0;      ///< Products of f16 and bf16 per step.
  std::uint8_t tf32_step = 0;      ///< Products of tf32 per step.
};

struct MatrixOp {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  Element a{};
  Element b{};
  Element c{};
  Element d{};
  bool saturates = false;
  TensorRule rule;
  std::uint32_t step = 0;  ///< Products per step.

  /// wmma.load and wmma.store: the moved operand and its memory layout.
  enum class Operand : std::uint8_t { kA, kB, kC, kD };
  Operand operand{};
  bool column_major = false;

  /// ldmatrix, stmatrix: 8 x 8 tiles of two-byte elements, optionally transposed.
  bool transposes = false;

  std::vector<std::uint32_t> d_slots;  ///< Also the registers of a load or a store.
  std::vector<std::uint32_t> a_slots;
  std::vector<std::uint32_t> b_slots;
  std::vector<std::uint32_t> c_slots;
  std::uint32_t addresses = 0;  ///< 64-bit lanes for the addresses of one access.
};

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// The shape of a matrix instruction, and the machine instructions of a product.
#pragma once

#include <cstdint>
#include <optional>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// m x n x k as in .m16n8k16: a is m x k, b is k x n, c is m x n.
struct MatrixShape {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};

/// The shape that an instruction names, if any.
std::optional<MatrixShape> matrix_shape(const Instruction& in);

/// One product on the tensor core of an SM sub-partition.
struct MatrixProduct {
  enum class Pipe : std::uint8_t { kHmma, kImma, kDmma };  ///< Floats, integers, doubles.
  Pipe pipe{};
  std::uint32_t instructions = 0;     ///< Machine instructions.
  std::uint32_t multiplications = 0;  ///< In each of them.
  std::uint32_t source_bits = 0;
};

/// The machine instructions of an mma or a wmma.mma on a device of this compute capability (75,
/// 90); nullopt for other instructions.
///
/// Matches ptxas 13.0: HMMA and IMMA have 16 x 8 results and 32 bytes of k; the HMMA of cc 7.5 and
/// tf32 wmma have 16 bytes of k, and the IMMA of cc 7.5 has 8 x 8 results.
std::optional<MatrixProduct> matrix_product(const Instruction& in,
                                            std::uint32_t compute_capability);

}  // namespace warpgrade::ptx

// SPDX-License-Identifier: Apache-2.0
// The shape of a matrix instruction, and the machine instructions that a product becomes.
#pragma once

#include <cstdint>
#include <optional>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// m x n x k of .m16n8k16: a is m x k, b is k x n, c is m x n.
struct MatrixShape {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};

/// The shape that an instruction names; none where it names none.
std::optional<MatrixShape> matrix_shape(const Instruction& in);

/// One product on the tensor cores of a multiprocessor's quarter.
struct MatrixProduct {
  enum class Pipe : std::uint8_t { kHmma, kImma, kDmma };  ///< Floats, integers, doubles.
  Pipe pipe{};
  std::uint32_t instructions = 0;     ///< Machine instructions.
  std::uint32_t multiplications = 0;  ///< In each of them.
  std::uint32_t source_bits = 0;
};

/// The machine instructions of an mma or a wmma.mma on a device of this compute capability (75,
/// 90); none for other instructions.
///
/// As ptxas 13.0 writes them: HMMA and IMMA are 16 x 8 results of 32 bytes of k; the HMMA of cc 7.5
/// takes 16 bytes, as do wmma's of tf32, and its IMMA has 8 x 8 results.
std::optional<MatrixProduct> matrix_product(const Instruction& in,
                                            std::uint32_t compute_capability);

}  // namespace warpgrade::ptx

// SPDX-License-Identifier: Apache-2.0
// Contents of integer buffers that depend on a number: random indices into other buffers, the first
// elements of the rows of a sparse matrix in CSR form, and elements that are mostly equal.
//
// Every element is a function of only (contents, seed, index), so any part of a buffer can be made
// alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/verify/element.h"

namespace warpgrade::verify {

enum class IndexKind {
  kBelow,         ///< Uniform from 0 to bound - 1.
  kStarts,        ///< Ascends from 0 to bound: row lengths are random, from 0 to twice their mean.
  kSkewedStarts,  ///< The same, but one row in every kSkewedRows has half of their elements.
  kMostlyEqual,   ///< `bound` percent have one random value, which depends on the seed; the others
                  ///< have random bits.
  /// Row lengths run through kEdgeLengths, from a seeded one on, until `bound` elements are used
  /// up; the last row has the rest.
  kEdgeStarts
};

/// Number of neighbouring rows of kSkewedStarts per long row. A smaller number of rows also has
/// one.
inline constexpr std::uint64_t kSkewedRows = 256;

/// Lengths at which a kernel may change its way: nothing, and powers of two and their neighbours.
inline constexpr std::array<std::uint32_t, 20> kEdgeLengths = {
    33, 512, 0, 1023, 64, 1, 257, 32, 1025, 127, 31, 511, 65, 256, 1024, 63, 128, 513, 255, 129};

/// The largest bound of kMostlyEqual.
inline constexpr std::uint64_t kAllEqual = 100;

struct IndexFill {
  IndexKind kind{};
  std::uint64_t bound = 0;  ///< At most 2^32; of kMostlyEqual a percentage.
  std::uint64_t count = 0;  ///< Elements of the whole buffer: for starts one more than rows.
};

/// Fills `to` with the elements from `first` on. `type` is an integer of 4 or 8 bytes, for
/// kMostlyEqual of any size.
void fill_indices(ElementType type, std::uint64_t first, std::span<std::byte> to,
                  const IndexFill& how, std::uint64_t seed);

}  // namespace warpgrade::verify

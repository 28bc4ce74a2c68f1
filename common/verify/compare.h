// SPDX-License-Identifier: Apache-2.0
// Compares an output with the expected one bit by bit and explains the first difference.
//
// Comparing equal outputs takes about as long as reading them. A NaN differs from everything,
// even itself, so a kernel cannot pass with one, even if the reference has the same bits, unless
// the kernel moves bits. If a manifest permits it, floats may differ a little (Tolerance).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/verify/cause.h"
#include "common/verify/matrix.h"
#include "common/verify/output_difference.h"
#include "common/verify/ulps.h"

namespace warpgrade::verify {

struct Difference {
  std::uint64_t count = 0;  ///< Number of different elements.
  std::uint64_t row = 0;    ///< First one, in row-major order.
  std::uint64_t column = 0;
  std::string expected;
  std::string got;
  /// The likely cause, or empty; see cause.h.
  Cause cause;
  double relative = 0;          ///< As in Deviation.
  std::int64_t difference = 0;  ///< As in Deviation.
};

/// Returns nullopt if `got` equals `expected` bit for bit, or, for float types, if each element is
/// within `tolerance`. `poison` is the content of
/// `got` before the launch (may be empty); misplaced elements may come from `input` (may be empty).
/// Throws std::invalid_argument if types, shapes or sizes do not match.
std::optional<Difference> compare(const Matrix& expected, const Matrix& got,
                                  std::span<const std::byte> poison, const Matrix& input,
                                  const Tolerance& tolerance = {});

/// The difference as fields, with the text "out[3][5]: expected 17, got 12 (this is in[3][5], ...);
/// 31 of 1024 elements differ"; one index if `got` is a single row.
OutputDifference describe(const Difference& difference, const Matrix& got, const std::string& name);

}  // namespace warpgrade::verify

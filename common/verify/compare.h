// SPDX-License-Identifier: Apache-2.0
// Compares an output with the expected one by bits and explains the first difference.
//
// Equal outputs cost about as much as reading them. A NaN equals nothing, not even itself: a kernel
// cannot pass with one, even where the reference result holds the same bits. Where a manifest
// allows it, floats may be some units in the last place apart (ulps.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/verify/matrix.h"
#include "common/verify/output_difference.h"

namespace warpgrade::verify {

struct Difference {
  std::uint64_t count = 0;  ///< Elements that differ.
  std::uint64_t row = 0;    ///< First one, in row-major order.
  std::uint64_t column = 0;
  std::string expected;
  std::string got;
  /// A guess at the cause where it is plain, else empty; see cause.h.
  std::string cause;
};

/// Nothing where `got` equals `expected` bit for bit, or where each element, of a float type, is at
/// most `max_ulps` units in the last place from it, if that is not 0. `poison` is what `got` held
/// before the launch (may be empty); `input` is where a misplaced element may have come from (may
/// be empty). Throws std::invalid_argument where the types, shapes or sizes do not fit one another.
std::optional<Difference> compare(const Matrix& expected, const Matrix& got,
                                  std::span<const std::byte> poison, const Matrix& input,
                                  std::uint64_t max_ulps = 0);

/// The difference in fields, with the text "out[3][5]: expected 17, got 12 (this is in[3][5], ...);
/// 31 of 1024 elements differ"; one index where `got` is a single row.
OutputDifference describe(const Difference& difference, const Matrix& got, const std::string& name);

}  // namespace warpgrade::verify

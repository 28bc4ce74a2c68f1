// SPDX-License-Identifier: Apache-2.0
// Compares an output with the expected one by bits and explains the first difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/verify/values.h"

namespace warpgrade::verify {

/// A row-major matrix; a vector is one row.
struct Matrix {
  ElementType type{};
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  std::span<const std::byte> bytes;
};

struct Difference {
  std::uint64_t count = 0;  ///< Elements that differ.
  std::uint64_t row = 0;    ///< First one, in row-major order.
  std::uint64_t column = 0;
  std::string expected;
  std::string got;
  /// A guess at the cause where it is plain, else empty: "never written", "this is in[3][5], the
  /// untransposed element", "this is in[4][3], the right-hand neighbour's", ...
  std::string cause;
};

/// Nothing where `got` equals `expected` bit for bit. `poison` is what `got` held before the
/// launch; `input` is where a misplaced element may have come from (may be empty).
std::optional<Difference> compare(const Matrix& expected, const Matrix& got,
                                  std::span<const std::byte> poison, const Matrix& input);

/// "out[3][5]: expected 17, got 12 (this is ...); 31 of 1024 elements differ".
std::string describe(const Difference& difference, const Matrix& got, const std::string& name);

}  // namespace warpgrade::verify

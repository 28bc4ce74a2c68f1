// SPDX-License-Identifier: Apache-2.0
// Small matrices of floats whose values show their place, and the comparison's message about them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/verify/compare.h"

namespace warpgrade::verify {

using Floats = std::vector<float>;

inline Matrix matrix(std::uint64_t rows, std::uint64_t columns, const Floats& values) {
  return {ElementType::kF32, rows, columns, std::as_bytes(std::span(values))};
}

// rows x columns; element [r][c] is 100 r + c + 1, so the value shows its place.
inline Floats numbered(std::uint64_t rows, std::uint64_t columns) {
  Floats values;
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t c = 0; c < columns; ++c)
      values.push_back(static_cast<float>(100 * r + c + 1));
  }
  return values;
}

inline Floats transposed(std::uint64_t rows, std::uint64_t columns, const Floats& values) {
  Floats out;
  for (std::uint64_t c = 0; c < columns; ++c) {
    for (std::uint64_t r = 0; r < rows; ++r) out.push_back(values[r * columns + c]);
  }
  return out;
}

// Text of describe() for an output of `rows` x `columns`; "equal" if nothing differs.
inline std::string explain(std::uint64_t rows, std::uint64_t columns, const Floats& expected,
                           const Floats& got, const Matrix& input, const Floats& poison = {}) {
  const auto out = matrix(rows, columns, got);
  const auto difference =
      compare(matrix(rows, columns, expected), out, std::as_bytes(std::span(poison)), input);
  return difference ? describe(*difference, out, "out").text : "equal";
}

}  // namespace warpgrade::verify

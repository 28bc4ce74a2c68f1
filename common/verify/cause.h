// SPDX-License-Identifier: Apache-2.0
// Guesses why one element of an output is wrong from the likely origin of its value.
//
// Names a place in the input only if it is unambiguous: the value occurs there and nowhere else,
// which is true for inputs filled with distinct values. Reports the first match of:
// - never written: the element still contains its poison;
// - every wrong element equals the expected one without its fraction, as after conversion to int;
// - a NaN that the kernel computed;
// - every element is a whole number instead of a fraction, or has at most the precision of a half;
// - the untransposed element: in[r][c] instead of in[c][r], or vice versa;
// - the left, right, upper or lower neighbour, also across the end of a row;
// - a wrong row length, if the matrix is not square: in was read, or out written, as if rows had as
//   many elements as columns have;
// - another element of the input;
// - a zero that the input does not contain;
// - the expected value of another element of the output;
// - integers whose low 8 or 16 bits are right, or counts that are too small or too large;
// - twice the expected value;
// - rounding: floats as close as another order of additions or an fma would make them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/verify/matrix.h"
#include "common/verify/output_difference.h"
#include "common/verify/ulps.h"

namespace warpgrade::verify {

/// Whether element `index` of `got` still holds its poison, which may be empty.
bool is_unwritten(const Matrix& got, std::span<const std::byte> poison, std::uint64_t index);

struct Cause {
  CauseKind kind{};
  std::string text;  ///< Empty if there is nothing to say.
};

/// Element `index` of integers, modulo 2^64; 0 of floats.
std::int64_t integer_at(const Matrix& matrix, std::uint64_t index);

/// got - expected relative to the expected float in element `index`; 0 if that is not finite.
double relative_error(const Matrix& expected, const Matrix& got, std::uint64_t index);

/// The cause of the error in element `index` (row-major) of `got`. `tolerance` is how
/// it may differ from the expected value.
Cause guess_cause(const Matrix& expected, const Matrix& got, std::span<const std::byte> poison,
                  const Matrix& input, std::uint64_t index, const Tolerance& tolerance = {});

/// "in[3][5]", or "in[5]" if `matrix` is a single row; `name` if the matrix is empty.
std::string element_name(const Matrix& matrix, std::string_view name, std::uint64_t index);

}  // namespace warpgrade::verify

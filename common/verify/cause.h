// SPDX-License-Identifier: Apache-2.0
// Guesses why one element of an output is wrong, from where its value may have come.
//
// A place in the input is named only where it is plain: the value occurs there and nowhere else, as
// it does in inputs filled with distinct values. What is said, the first that applies:
// - never written: the element still holds its poison;
// - every wrong element is the expected one without its fraction, as an int on the way makes it;
// - a NaN of the kernel's own;
// - every element is a whole number where fractions are expected, or close and no more than a half;
// - the untransposed element: in[r][c] where in[c][r] was expected, or the other way round;
// - the left-hand, right-hand, upper or lower neighbour, also across the end of a row;
// - a wrong row length, where the matrix is not square: in was read, or out written, as if its rows
//   had as many elements as its columns have;
// - another element of the input;
// - a zero that the input does not hold;
// - what another element of the output should hold;
// - rounding: floats so close as another order of additions, or an fma, leaves them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/verify/matrix.h"

namespace warpgrade::verify {

/// The cause of element `index` (row-major) of `got` being wrong, empty where none is plain. Its
/// distance from the expected one might have been `max_ulps`.
std::string guess_cause(const Matrix& expected, const Matrix& got,
                        std::span<const std::byte> poison, const Matrix& input, std::uint64_t index,
                        std::uint64_t max_ulps = 0);

/// "in[3][5]", or "in[5]" where `matrix` is a single row; `name` where the matrix has none.
std::string element_name(const Matrix& matrix, std::string_view name, std::uint64_t index);

}  // namespace warpgrade::verify

// SPDX-License-Identifier: Apache-2.0
// Compares an output that consists of pieces in any order, such as the pieces that blocks append to
// a list by one atomic addition each.
//
// In: the reference's output, in which piece p begins at element p * length and ends at the first
// element that the reference did not write; and a submission's output, which must hold the pieces
// that are not empty one behind the other. Order counts within a piece, not between pieces.
// Elements behind the last piece are not compared. Out: the first difference.
//
// The first element of a piece identifies it, so no two pieces may begin with equal elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/verify/compare.h"

namespace warpgrade::verify {

/// The first difference of `got` from the pieces of `expected`, `length` elements apart; nullopt if
/// they agree. `before` is the content of both from before the launch. Without it the ends of
/// pieces are unknown, and the result is a difference without details: call again with `before`.
/// Throws base::ToolError if two pieces begin with equal elements, and std::invalid_argument if
/// types, shapes or sizes do not match.
std::optional<OutputDifference> compare_pieces(const Matrix& expected, const Matrix& got,
                                               std::span<const std::byte> before,
                                               std::uint64_t length);

}  // namespace warpgrade::verify

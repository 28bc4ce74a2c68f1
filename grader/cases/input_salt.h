// SPDX-License-Identifier: Apache-2.0
// Keeps a submission from knowing the contents of its measured cases.
//
// The seed of the inputs is printed and the rule by which they are filled is in the open, so a
// kernel could make its input anew instead of reading it. The contents of a measured case follow
// from the compiled submission, too: a kernel that holds them would have to hold what follows from
// a text that holds them. The same file still gets the same contents, and the same grade.
#pragma once

#include <cstdint>
#include <vector>

#include "common/compile/program.h"

namespace warpgrade::grader {

/// A number that follows from the PTX of `programs`, in their order, and cannot be aimed at.
std::uint64_t input_salt(const std::vector<const compile::Program*>& programs);

}  // namespace warpgrade::grader

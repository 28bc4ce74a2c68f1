// SPDX-License-Identifier: Apache-2.0
// Keeps a submission from knowing the contents of its measured cases.
//
// The seed of the inputs is printed and the rule that fills them is public, so a kernel could
// recompute its input instead of reading it. The contents of a measured case therefore also depend
// on the compiled submission: a kernel with built-in contents would change them. The same file
// still gets the same contents, and the same grade.
#pragma once

#include <cstdint>
#include <vector>

#include "common/compile/program.h"

namespace warpgrade::grader {

/// A number that follows from the PTX of `programs`, in their order, and cannot be aimed at.
std::uint64_t input_salt(const std::vector<const compile::Program*>& programs);

}  // namespace warpgrade::grader

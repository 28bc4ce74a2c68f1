// SPDX-License-Identifier: Apache-2.0
// Uses of the host's constants that nvcc certainly accepts, decided from tokens alone.
//
// nvcc lets device code use the value of a number. The value is used if the constant is an operand
// of built-in arithmetic, the size of an array or a subscript. For every other use the compiler
// must be asked (host_constants.h), which costs another compilation. Most files have no other use.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/compile/host_constants.h"

namespace warpgrade::compile {

/// Whether device code in `sources` uses only the values of `constants`. False if that is unclear:
/// a macro, an operator function or a header may give an expression another meaning.
bool uses_only_values(const std::vector<std::string>& constants,
                      std::span<const SourceText> sources);

}  // namespace warpgrade::compile

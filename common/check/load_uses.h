// SPDX-License-Identifier: Apache-2.0
// Finds the loads of a kernel whose value reaches memory, directly or through arithmetic.
//
// A value that only decides a branch, or is an operand of an atomic minimum or maximum, may be
// stale, because the atomic reads the word again. A value that is stored or added becomes a result.
// The analysis is per register for the whole function, so a value counts as stored if it may be.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::check {

/// By instruction: whether it is a load whose value reaches a store or a call. Minima and maxima
/// repair old values only if `repeats`: the word that may be old changes by minima and maxima, too.
std::vector<bool> stored_loads(const ptx::Function& function, bool repeats = true);

}  // namespace warpgrade::check

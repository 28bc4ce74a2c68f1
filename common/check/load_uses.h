// SPDX-License-Identifier: Apache-2.0
// Which loads of a kernel have a value that goes into memory, directly or by arithmetic.
//
// A value that only decides a branch, or goes into an atomic minimum or maximum, may be stale: the
// atomic looks at the word again. A value that is stored or added becomes a result, whatever it
// was. Register by register, for the whole function, so a value counts as stored if it may be.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::check {

/// By instruction: whether it is a load of which the value reaches a store or a call.
std::vector<bool> stored_loads(const ptx::Function& function);

}  // namespace warpgrade::check

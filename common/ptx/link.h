// SPDX-License-Identifier: Apache-2.0
// Joins a kernel and every function that it may call into one function.
//
// Counters, checks and source lines work on a single list of instructions. Therefore the bodies of
// all reachable device functions are appended to the kernel's: registers, variables, jump tables
// and locations are renumbered, and Function::parts records their owners. Calls stay calls, and a
// function called from many places appears once.
#pragma once

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// `kernel` of `module` with the functions that it calls, directly or not, or whose address it can
/// get from an instruction or a variable. The unsupported list includes theirs. Functions without a
/// body (vprintf, malloc, ...) have no part.
Function link(const Module& module, const Function& kernel);

/// The part of linked `function` for function `index` of the module; nullptr if it has none.
const Part* find_part(const Function& function, std::uint32_t index);

}  // namespace warpgrade::ptx

// SPDX-License-Identifier: Apache-2.0
// A kernel and every function that it may call, as one function.
//
// Counters, checks and source lines work on one list of instructions. So the bodies of the device
// functions that a kernel can reach are put behind its own: registers, variables, jump tables and
// locations are renumbered, and Function::parts says what belongs to which. Calls stay calls,
// and a function that is called from many places is there once.
#pragma once

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// `kernel` of `module` with the functions that it reaches by calls, or whose address it can get
/// from an instruction or a variable. Its unsupported list holds theirs too. Functions without a
/// body (vprintf, malloc ...) have no part.
Function link(const Module& module, const Function& kernel);

/// The part of linked `function` that function `index` of the module has become; nullptr: none.
const Part* find_part(const Function& function, std::uint32_t index);

}  // namespace warpgrade::ptx

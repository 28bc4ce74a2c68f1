// SPDX-License-Identifier: Apache-2.0
// The local memory that the calls of a kernel can need.
#pragma once

#include "common/ptx/module.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

/// Local memory per thread for recursion, and its maximum depth. The stack of a GPU has about this
/// size; the depth limits recursion without variables in memory.
constexpr std::uint32_t kStackBytes = 64 * 1024;
constexpr std::uint32_t kMaxDepth = 4096;

/// Bytes of local memory per thread for the deepest chain of calls in `function`, a linked function
/// with the parts `callees`; for recursive calls, the kernel's own memory plus kStackBytes.
std::uint32_t stack_bytes(const ptx::Function& function, const std::vector<Callee>& callees);

}  // namespace warpgrade::sim

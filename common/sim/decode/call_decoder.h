// SPDX-License-Identifier: Apache-2.0
// How much local memory the calls of a kernel can need.
#pragma once

#include "common/ptx/module.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

/// The local memory of a thread that recursion may use, and how deep it may go. A GPU's stack is of
/// about this size; the depth bounds recursion that has no variables in memory.
constexpr std::uint32_t kStackBytes = 64 * 1024;
constexpr std::uint32_t kMaxDepth = 4096;

/// Bytes of local memory a thread for the deepest chain of calls in `function`, a linked one whose
/// parts are `callees`; where calls go in a circle, the kernel's own and kStackBytes.
std::uint32_t stack_bytes(const ptx::Function& function, const std::vector<Callee>& callees);

}  // namespace warpgrade::sim

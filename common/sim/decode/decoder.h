// SPDX-License-Identifier: Apache-2.0
// ptx::Function -> Code: operands become slots, and blocks are put in weak topological order.
//
// Calls copy arguments and results between .param variables, and each function that is called has
// a frame of local memory. The local memory that the calls of a kernel can need is computed as
// well.
#pragma once

#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

// The local memory that the calls of a kernel can need.
constexpr std::uint32_t kMaxDepth = 4096;

/// Bytes of local memory per thread for the deepest chain of calls in `function`, a linked function
/// with the parts `callees`; for recursive calls, the kernel's own memory plus kStackBytes.
std::uint32_t stack_bytes(const ptx::Function& function, const std::vector<Callee>& callees);

/// The code of `function`, a linked function (ptx::link), for one launch, because addresses and
/// parameters are constants: decoding again takes 0.3 % of the time of a grade. An unsupported
/// instruction is in Code::refused and faults when executed. If the whole function or module cannot
/// run: diagnostics of kind kUnsupported.
std::variant<Code, std::vector<base::Diagnostic>> decode(const ptx::Module& module,
                                                         const ptx::Function& function,
                                                         const AddressSpace& memory);

}  // namespace warpgrade::sim

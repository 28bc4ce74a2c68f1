// SPDX-License-Identifier: Apache-2.0
// ptx::Function -> Code: operands become slots, and blocks are put in weak topological order.
#pragma once

#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

/// The code of `function`, a linked function (ptx/link.h), for one launch, because addresses and
/// parameters are constants. An unsupported instruction is in Code::refused and faults when
/// executed. If the whole function or module cannot run: diagnostics of kind kUnsupported.
std::variant<Code, std::vector<base::Diagnostic>> decode(const ptx::Module& module,
                                                         const ptx::Function& function,
                                                         const AddressSpace& memory);

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// The accesses of a kernel in which its machine code differs from PTX.
#pragma once

#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/machine_access.h"
#include "common/ptx/module.h"
#include "common/timing/machine_costs.h"
#include "common/timing/unrolled_loops.h"

namespace warpgrade::timing {

/// Both are empty without machine code that has lines of PTX.
struct MachineFacts {
  std::vector<UnrolledLoop> loops;
  std::vector<MachineCost> costs;  ///< By PTX instruction.
};

/// Reads the loops and costs of `function` from `cubin`.
MachineFacts machine_facts(const ptx::Function& function, const device::Profile& profile,
                           std::span<const char> cubin);

/// By PTX instruction. A loop that is unrolled keeps the accesses of PTX unless each of its passes
/// does a wide one. Arrays are in registers only if all of the kernel's are.
memory::MachineAccesses machine_accesses(const ptx::Function& function,
                                         const std::vector<MachineCost>& costs);

memory::MachineAccesses machine_accesses(const ptx::Function& function,
                                         const device::Profile& profile,
                                         std::span<const char> cubin);

}  // namespace warpgrade::timing

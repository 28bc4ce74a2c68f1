// SPDX-License-Identifier: Apache-2.0
// Counts of spilled registers. On an H100 and an H200 a spill of 4 bytes is one request, and its 32
// lanes have adjacent words: 4 sectors (tests/evidence/launches, registers_200 and
// registers_spilled).
#pragma once

#include <vector>

#include "common/memory/instruction_counters.h"
#include "common/memory/machine_access.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

/// Adds the spills of the instructions that a launch executed, according to `executed`. The active
/// lanes are unknown and count as neighbours.
void add_spills(const MachineAccesses& machine, const std::vector<run::InstructionCount>& executed,
                std::vector<InstructionCounters>& rows);

}  // namespace warpgrade::memory

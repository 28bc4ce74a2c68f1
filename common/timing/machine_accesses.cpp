// SPDX-License-Identifier: Apache-2.0
#include "common/timing/machine_accesses.h"

#include <algorithm>
#include <utility>

#include "common/ptx/instruction_facts.h"
#include "common/timing/lockstep.h"

namespace warpgrade::timing {
namespace {

bool is_shared_access(const ptx::Instruction& instruction) {
  const auto role = ptx::facts(instruction).memory;
  return instruction.space == ptx::StateSpace::kShared &&
         (role == ptx::MemoryRole::kLoad || role == ptx::MemoryRole::kStore) &&
         !instruction.modifiers.has(ptx::Modifier::volatile_);
}

/// Whether each execution of the instruction issues a machine access that moves words of others,
/// too.
bool is_widened(const MachineCost& cost, const ptx::Instruction& instruction) {
  constexpr double kOne = 0.75;  // A form of a loop with single passes at its end counts less.
  const auto bytes = ptx::size_of(instruction.types[0]) * instruction.vector;
  return is_shared_access(instruction) && cost.shared_bytes > bytes && cost.shared_accesses >= kOne;
}

}  // namespace

MachineFacts machine_facts(const ptx::Function& function, const device::Profile& profile,
                           std::span<const char> cubin) {
  const auto code = machine_instructions(cubin, function.name, profile.compute.major);
  auto loops = unrolled_loops(function, code);
  auto costs =
      machine_costs(function, code, loops, unit_clocks(profile), profile.sm.pipes.exchange_clocks);
  return {std::move(loops), std::move(costs)};
}

memory::MachineAccesses machine_accesses(const ptx::Function& function,
                                         const std::vector<MachineCost>& costs) {
  memory::MachineAccesses out(costs.size());
  // Without a wide access, an instruction that has none of its own is not merged but removed.
  bool merges = false;
  bool has_arrays = false;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    has_arrays |= costs[i].is_local;
    out[i].spills = costs[i].spills;
    if (!is_widened(costs[i], function.instructions[i])) continue;
    out[i].shared_bytes = costs[i].shared_bytes;
    merges = true;
  }
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    const bool is_merged = merges && costs[i].shared_bytes == 0 && is_shared_access(instruction);
    if (is_merged) out[i].shared_bytes = memory::MachineAccess::kMerged;
    out[i].is_register = !has_arrays && instruction.space == ptx::StateSpace::kLocal;
  }
  if (std::all_of(out.begin(), out.end(),
                  [](const auto& one) { return one == memory::MachineAccess(); })) {
    return {};
  }
  return out;
}

memory::MachineAccesses machine_accesses(const ptx::Function& function,
                                         const device::Profile& profile,
                                         std::span<const char> cubin) {
  return machine_accesses(function, machine_facts(function, profile, cubin).costs);
}

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
// Counts what machine code makes of each PTX instruction: its cost, and its memory accesses.
//
// In: the machine instructions of a kernel with their PTX lines (cubin.h), and its PTX. Out:
// issue slots and clocks per PTX instruction, and the accesses in which machine code differs from
// PTX.
//
// The file machine_code.h predicts the same for kernels without machine code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/machine_access.h"
#include "common/ptx/module.h"
#include "common/timing/cubin.h"
#include "common/timing/loops.h"

namespace warpgrade::timing {

using memory::SpillAccess;

/// Barriers of a warp since Maxwell (Jia et al. 2018, "Dissecting the NVIDIA Volta GPU Architecture
/// via Microbenchmarking", on control codes). A load sets one when it issues; an instruction waits
/// until all loads that have set a barrier are answered.
constexpr std::size_t kMachineBarriers = 6;

/// Where machine code has an instruction.
struct MachinePlace {
  std::uint32_t at = 0;   ///< Position of the access, or of the last of several instructions.
  std::uint8_t sets = 0;  ///< The barriers that wait for the answer, one bit each.
  /// By barrier: position of the last of its instructions that waits for it; 0: none.
  std::array<std::uint32_t, kMachineBarriers> waits{};

  friend bool operator==(const MachinePlace&, const MachinePlace&) = default;
};

/// Per execution of the PTX instruction; a mean if a loop is unrolled.
struct MachineCost {
  double instructions = 0;
  double clocks = 0;  ///< From its first instruction to the warp's next issue.
  double alu = 0;     ///< Instructions per unit.
  double xu = 0;
  double fp64 = 0;
  double fma_heavy = 0;
  double fp32 = 0;                                ///< Sums and products of f32.
  double held = 0;                                ///< Clocks that they hold the scheduler longer.
  std::array<double, kFloatOperations> floats{};  ///< Without a predicate, by FloatOperation.
  double in_step = 0;     ///< In an innermost loop of arithmetic: clocks of a scheduler (loops.h).
  bool branches = false;  ///< A PTX branch that is also a branch in machine code.
  bool splits = false;    ///< Arithmetic with a branch, such as a division, behind which all later
                          ///< loads stay.
  /// By copy in an unrolled loop. Empty if unknown.
  std::vector<MachinePlace> places = {};
  /// For a load or store of shared memory: its machine accesses, and the bytes per lane of the
  /// widest one. They are more than PTX's if it moves words of other instructions, too, and 0 if
  /// another instruction moves its word.
  double shared_accesses = 0;
  std::uint8_t shared_bytes = 0;
  bool is_local = false;  ///< A local access of PTX that is also one in machine code.
  /// Local accesses of an instruction that has none in PTX, in machine order.
  std::vector<SpillAccess> spills = {};

  friend bool operator==(const MachineCost&, const MachineCost&) = default;
};

/// One element per instruction of `function`; empty if `code` has no line numbers. `exchange`:
/// clocks until the result of an exchange between lanes is ready.
std::vector<MachineCost> machine_costs(const ptx::Function& function,
                                       std::span<const MachineInstruction> code,
                                       std::span<const UnrolledLoop> loops, const UnitClocks& units,
                                       double exchange);

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

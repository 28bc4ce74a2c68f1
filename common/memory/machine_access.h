// SPDX-License-Identifier: Apache-2.0
// The memory accesses that the assembler generates for a PTX instruction. It joins accesses to
// neighbouring words of shared memory, keeps arrays of a thread in registers, and spills registers
// to local memory. Counters count these accesses instead of those in PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::memory {

/// A register that the assembler spills to local memory, or loads from there.
struct SpillAccess {
  bool is_store = false;
  std::uint8_t bytes = 0;   ///< Per lane.
  std::int32_t offset = 0;  ///< From the start of the thread's stack.

  friend bool operator==(const SpillAccess&, const SpillAccess&) = default;
};

struct MachineAccess {
  static constexpr std::uint8_t kMerged = 0xff;
  /// For a load or store of shared memory whose machine access differs: its bytes per lane, or
  /// kMerged if another instruction's access includes it. 0: as in PTX.
  std::uint8_t shared_bytes = 0;
  bool is_register = false;  ///< An access to local memory that machine code does not make.
  std::vector<SpillAccess> spills = {};  ///< With each execution of the instruction.

  friend bool operator==(const MachineAccess&, const MachineAccess&) = default;
};

/// Whether the assembler dropped the access, or joined it to another one.
inline bool is_left_out(const MachineAccess& access, run::Space space) {
  return space == run::Space::kLocal
             ? access.is_register
             : space == run::Space::kShared && access.shared_bytes == MachineAccess::kMerged;
}

/// By instruction of a function; empty if all accesses are as in PTX.
using MachineAccesses = std::vector<MachineAccess>;

inline const MachineAccess kAsInPtx;

/// The access of an instruction.
inline const MachineAccess& access_of(const MachineAccesses& all, std::uint32_t instruction) {
  return instruction < all.size() ? all[instruction] : kAsInPtx;
}

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
#include "common/memory/spill_counters.h"

#include <algorithm>

namespace warpgrade::memory {

void add_spills(const MachineAccesses& machine, const std::vector<run::InstructionCount>& executed,
                std::vector<InstructionCounters>& rows) {
  constexpr std::uint64_t kWord = 4;
  constexpr std::uint64_t kWordsOfSector = 8;
  for (std::size_t i = 0; i < std::min(executed.size(), machine.size()); ++i) {
    const auto [warps, threads] = executed[i];
    if (warps == 0) continue;
    for (const SpillAccess& spill : machine[i].spills) {
      InstructionCounters& row = spill.is_store
                                     ? row_of(rows, i, kLocalRow, run::Operation::kStore)
                                     : row_of(rows, i, kSpillLoadRow, run::Operation::kLoad);
      const std::uint64_t words = spill.bytes / kWord;
      row.requests += words * warps;
      row.lines += words * warps;
      row.sectors += words * ((threads + kWordsOfSector - 1) / kWordsOfSector);
      row.bytes += spill.bytes * threads;
      row.used_bytes += spill.bytes * threads;
    }
  }
}

}  // namespace warpgrade::memory

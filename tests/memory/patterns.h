// SPDX-License-Identifier: Apache-2.0
// Accesses of warps, written down by hand and sent to Counters without a simulator.
#pragma once

#include <array>
#include <cstdint>

#include "common/memory/counters.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

using Addresses = std::array<std::uint64_t, kLanes>;

/// The addresses of all lanes: address(lane).
template <typename Function>
Addresses lanes(Function address) {
  Addresses all{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) all[lane] = address(std::uint64_t{lane});
  return all;
}

/// An access as the simulator reports it, with the stride if there is one.
inline void access(Counters& counters, std::uint32_t instruction, run::Space space,
                   run::Operation operation, const Addresses& address, std::uint32_t bytes,
                   std::uint32_t mask = run::kFullMask) {
  run::MemoryEvent event;
  event.instruction = instruction;
  event.mask = mask;
  event.space = space;
  event.operation = operation;
  event.bytes = static_cast<std::uint8_t>(bytes);
  event.address = address.data();
  if (mask == run::kFullMask) {
    const auto stride = static_cast<std::int64_t>(address[1] - address[0]);
    bool regular = true;
    for (std::uint32_t lane = 1; lane < kLanes; ++lane) {
      regular &= static_cast<std::int64_t>(address[lane] - address[lane - 1]) == stride;
    }
    if (regular) event.stride = stride;
  }
  counters.on_memory(event);
}

inline void load(Counters& counters, const Addresses& address, std::uint32_t bytes = 4) {
  access(counters, 0, run::Space::kGlobal, run::Operation::kLoad, address, bytes);
}
inline void store(Counters& counters, const Addresses& address, std::uint32_t bytes = 4) {
  access(counters, 1, run::Space::kGlobal, run::Operation::kStore, address, bytes);
}
inline void load_shared(Counters& counters, const Addresses& address, std::uint32_t bytes = 4) {
  access(counters, 2, run::Space::kShared, run::Operation::kLoad, address, bytes);
}
inline void store_shared(Counters& counters, const Addresses& address, std::uint32_t bytes = 4) {
  access(counters, 3, run::Space::kShared, run::Operation::kStore, address, bytes);
}

}  // namespace warpgrade::memory

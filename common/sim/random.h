// SPDX-License-Identifier: Apache-2.0
// The random turns of warps in seeded orders: which warp is next, and for how long.
//
// Turns depend on the seed and the number of the block alone. They are the same on every machine
// and for every number of host threads.
#pragma once

#include <cstdint>
#include <vector>

#include "common/sim/warp.h"

namespace warpgrade::sim {

/// SplitMix64: small, and the same everywhere.
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  auto z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// The first state of block `linear` under `seed`.
constexpr std::uint64_t random_state(std::uint64_t seed, std::uint64_t linear) {
  return seed ^ (linear * 0xd1342543de82ef95U);
}

struct RandomTurn {
  Warp* warp = nullptr;
  std::uint32_t instructions = 0;  ///< See Warp::run_some.
  std::uint32_t choice = 0;
};

/// A turn of 1 to 512 instructions for one of the warps in `ready`.
inline RandomTurn random_turn(const std::vector<Warp*>& ready, std::uint64_t& state) {
  constexpr std::uint32_t kLongestTurn = 9;  // a power of two
  const auto random = next_random(state);
  return {ready[(random >> 32) % ready.size()], 1U << (random & 0xff) % (kLongestTurn + 1),
          static_cast<std::uint32_t>(random >> 8 & 0xffffff)};
}

}  // namespace warpgrade::sim

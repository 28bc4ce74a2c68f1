// SPDX-License-Identifier: Apache-2.0
// Seeded orders: the warps of a block take turns at random, some for one instruction, some for
// hundreds, and a warp's splits run in any order.
//
// CUDA guarantees no order except by barriers and fences, so a right kernel has the same result
// under every seed. A wrong kernel fails only if one warp gets ahead of another between two
// instructions, which turns of many lengths cause. The turns depend only on the seed and the
// block's number, so a seed is reproducible for any number of host threads.
#include <bit>
#include <cstdint>
#include <vector>

#include "common/sim/block.h"
#include "common/sim/random.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

constexpr std::uint32_t kTurnsALook = 256;  // between two looks at the budget

}  // namespace

void Block::run_interleaved(std::uint64_t linear) {
  auto state = random_state(seed, linear);
  std::vector<Warp*> ready;
  for (std::uint32_t turn = 1;; ++turn) {
    ready.clear();
    for (auto& warp : warps_) {
      if (warp.status == WarpStatus::kReady) ready.push_back(&warp);
    }
    if (ready.empty()) {
      if (!release_barriers()) return;
      continue;
    }
    const auto turn_taken = random_turn(ready, state);
    auto& warp = *turn_taken.warp;
    warp.run_some(turn_taken.instructions, turn_taken.choice);
    if (diagnostic) return;
    // The barrier may be complete, so its threads continue while other warps are elsewhere.
    if (warp.status != WarpStatus::kReady || awaits_cluster_) release_barriers();
    if (turn % kTurnsALook == 0 && !within_budget()) return;
  }
}

void Warp::run_some(std::uint32_t instructions, std::uint32_t choice) {
  if (mask == 0) reschedule();
  const MicroOp* ops = block->code->ops.data();
  auto* counts = block->counts;
  fuel = instructions + 1;  // more than the turn can use
  std::uint64_t steps = 0;
  while (status == WarpStatus::kReady && instructions != 0) {
    if (pc >= stop_pc) reschedule();
    ++steps;
    const MicroOp& op = ops[pc++];
    auto lanes_mask = mask;
    if (op.guard != kNoSlot) {
      const auto guard = predicate(op.guard);
      lanes_mask &= op.guard_negated ? ~guard : guard;
      if (lanes_mask == 0) continue;
    }
    if (op.instruction != kNoInstruction) {
      counts[op.instruction].warps += 1;
      counts[op.instruction].threads += static_cast<std::uint32_t>(std::popcount(lanes_mask));
      --instructions;
    }
    op.handler(*this, op, lanes_mask);
    if (fuel != 0) continue;
    block->add_steps(steps);
    steps = 0;
    if (out_of_fuel()) return;
  }
  block->add_steps(steps);
  // Switches half of the time if there is a choice.
  if (status == WarpStatus::kReady && !ready.empty() && choice % 2 == 0) {
    if (mask != 0) ready.push_back({pc, mask, frame, turns});
    mask = 0;
    take(choice / 2 % ready.size());
  }
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// The accesses to the barrier of the grid in a cooperative launch.
//
// grid.sync() of cooperative groups is a barrier of the block, after which the first thread of each
// block adds to a word of the grid's workspace (atom.add), and loads the word again and again until
// its highest bit has changed (cooperative_groups/details/sync.h). The additions of all blocks
// together change that bit. These handlers execute the instructions unchanged. They also record the
// arrival of the block, and let it wait for the other blocks.
#include <bit>
#include <cstring>

#include "common/ptx/instruction_facts.h"
#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using ptx::Modifier;

constexpr std::uint32_t kPhaseBit = 0x8000'0000U;

bool is_at_barrier(const Warp& warp, std::uint32_t mask) {
  return warp.status != WarpStatus::kFaulted &&
         warp.address[std::countr_zero(mask)] == run::kGridBarrier;
}

void add_at_grid(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto& block = *warp.block;
  const auto slot = op.d;
  atomic_handler(block.code->function->instructions[op.instruction])(warp, op, mask);
  if (slot == kNoSlot || !is_at_barrier(warp, mask)) return;
  const auto* region = block.memory->find(run::kGridBarrier, sizeof(std::uint32_t));
  std::uint32_t now = 0;
  std::memcpy(&now, region->host + (run::kGridBarrier - region->base), sizeof now);
  const auto before = warp.lanes<std::uint32_t>(slot)[std::countr_zero(mask)];
  block.arrive_at_grid(op, ((before ^ now) & kPhaseBit) != 0);
}

// A warp that has to wait meets this instruction again, so each wait is one load. A card counts as
// many or some more: it depends on when the blocks arrive.
void load_at_grid(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  Access access;
  if (!translate(warp, op, mask, sizeof(std::uint32_t), access)) return;
  if (is_at_barrier(warp, mask) && warp.block->waits_at_grid(warp, op)) {
    auto& count = warp.block->counts[op.instruction];
    count.warps -= 1;
    count.threads -= static_cast<std::uint32_t>(std::popcount(mask));
    --warp.pc;
    return;
  }
  memory_handler(warp.block->code->function->instructions[op.instruction])(warp, op, mask);
  if (is_at_barrier(warp, mask)) warp.block->look_at_grid(op);
}

bool is_word(const ptx::Instruction& in) {
  const auto type = in.types[0];
  return in.vector == 1 &&
         (type == ptx::Type::kU32 || type == ptx::Type::kS32 || type == ptx::Type::kB32);
}

}  // namespace

Handler grid_access_handler(const ptx::Instruction& in, Handler plain) {
  const auto& m = in.modifiers;
  if (!is_word(in)) return nullptr;
  const auto role = ptx::facts(in).memory;
  if (role == ptx::MemoryRole::kAtomic && m.has(Modifier::add) && plain == atomic_handler(in)) {
    return add_at_grid;
  }
  const bool is_strong = m.has(Modifier::volatile_) || m.has(Modifier::acquire);
  const bool is_load = ptx::facts(in).family == ptx::Family::kMemory &&
                       role == ptx::MemoryRole::kLoad && is_strong && plain == memory_handler(in);
  return is_load ? load_at_grid : nullptr;
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Instructions by which blocks work together: those for clusters, and the barrier of the grid.
//
// mapa, getctarank and the cluster's barrier are in PTX ISA 9.0, 9.7.9.23, 9.7.9.24 and 9.7.13.4.
// In a launch without clusters each block is its own cluster. grid.sync() consists of ordinary
// accesses; their handlers also record the arrival of the block, and let it wait for the other
// blocks.

#include <bit>
#include <cstdint>
#include <cstring>

#include "common/ptx/instruction_facts.h"
#include "common/sim/block.h"
#include "common/sim/cluster.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

// Instructions for clusters: mapa, getctarank and the cluster's barrier (PTX ISA 9.0, 9.7.9.23,
// 9.7.9.24, 9.7.13.4). In a launch without clusters each block is its own cluster.

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;

// Whether a generic address, `offset` from the start of the window of shared memory, is outside it.
// Addresses of .shared::cluster forms are not checked here; an access reports a bad address.
template <std::uint64_t kBase>
bool outside_cluster(std::uint64_t offset) {
  return kBase != 0 && offset >= kWindowBytes;
}

void fault_outside(Warp& warp, const MicroOp& op, std::uint32_t lane) {
  warp.fault(base::DiagnosticKind::kOutOfBounds, op, lane,
             "the address is not one of the cluster's shared memory: map_shared_rank() and "
             "query_shared_rank() are for pointers to __shared__ variables");
}

// mapa: the same place in the shared memory of the block of rank b.
template <typename T, std::uint64_t kBase>
void map_to_rank(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& block = *warp.block;
  const T* a = warp.lanes<T>(op.a);
  const auto* rank = warp.lanes<std::uint32_t>(op.b);
  T* d = warp.lanes<T>(op.d);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const auto offset = static_cast<std::uint64_t>(a[lane]) - kBase;
    if (outside_cluster<kBase>(offset)) return fault_outside(warp, op, lane);
    d[lane] = static_cast<T>(kBase + mapped(offset, rank[lane], block.beside.rank));
  }
}

template <typename T, std::uint64_t kBase>
void rank_of_address(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto& block = *warp.block;
  const T* a = warp.lanes<T>(op.a);
  auto* d = warp.lanes<std::uint32_t>(op.d);
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const auto offset = static_cast<std::uint64_t>(a[lane]) - kBase;
    if (outside_cluster<kBase>(offset)) return fault_outside(warp, op, lane);
    d[lane] = rank_at(offset, block.beside.rank);
  }
}

template <bool kReleases>
void arrive_at_cluster(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.block->cluster_arrive(warp, op, mask, kReleases);
}

void wait_for_cluster(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  warp.block->cluster_wait(warp, op, mask);
}

Handler cluster_barrier_handler(const ptx::ModifierSet& m) {
  const bool arrives = m.has(Modifier::arrive);
  if (m.has(Modifier::sync) || m.has(Modifier::red) || m.has(Modifier::cta)) return nullptr;
  if (arrives == m.has(Modifier::wait)) return nullptr;
  if (!arrives)
    return m.has(Modifier::release) || m.has(Modifier::relaxed) ? nullptr : wait_for_cluster;
  if (m.has(Modifier::acquire)) return nullptr;
  return m.has(Modifier::relaxed) ? arrive_at_cluster<false> : arrive_at_cluster<true>;
}

}  // namespace

Handler cluster_handler(const Instruction& in) {
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  const auto& m = in.modifiers;
  if (m.has(Modifier::cluster)) return cluster_barrier_handler(m);
  const bool maps = in.opcode == Opcode::mapa;
  const bool is_wide = ptx::size_of(in.types[0]) == sizeof(u64);
  if (m.has(Modifier::shared_cluster)) {
    if (maps) return is_wide ? map_to_rank<u64, 0> : map_to_rank<u32, 0>;
    return is_wide ? rank_of_address<u64, 0> : rank_of_address<u32, 0>;
  }
  // Without .shared::cluster the address is generic and does not fit in 32 bits.
  if (in.space != ptx::StateSpace::kGeneric || !is_wide) return nullptr;
  return maps ? map_to_rank<u64, kSharedWindow> : rank_of_address<u64, kSharedWindow>;
}

namespace {

// The accesses to the barrier of the grid in a cooperative launch.
//
// grid.sync() of cooperative groups is a barrier of the block, after which the first thread of each
// block adds to a word of the grid's workspace (atom.add), and loads the word again and again until
// its highest bit has changed (cooperative_groups/details/sync.h). The additions of all blocks
// together change that bit. These handlers execute the instructions unchanged. They also record the
// arrival of the block, and let it wait for the other blocks.

constexpr std::uint32_t kPhaseBit = 0x8000'0000U;

bool is_at_barrier(const Warp& warp, std::uint32_t mask) {
  return warp.status != WarpStatus::kFaulted &&
         warp.address[std::countr_zero(mask)] == run::kGridBarrier;
}

void add_at_grid(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto& block = *warp.block;
  const auto slot = op.d;
  atomic_handler(block.parts.code.function->instructions[op.instruction])(warp, op, mask);
  if (slot == kNoSlot || !is_at_barrier(warp, mask)) return;
  const auto* region = block.parts.memory.find(run::kGridBarrier, sizeof(std::uint32_t));
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
    auto& count = warp.block->out.counts[op.instruction];
    count.warps -= 1;
    count.threads -= static_cast<std::uint32_t>(std::popcount(mask));
    --warp.pc;
    return;
  }
  memory_handler(warp.block->parts.code.function->instructions[op.instruction])(warp, op, mask);
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

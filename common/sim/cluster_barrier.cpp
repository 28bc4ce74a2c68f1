// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster: barrier.cluster.arrive and barrier.cluster.wait (PTX
// ISA 9.0, 9.7.13.4).
//
// A thread arrives, continues, and waits later. A phase ends when all threads of the cluster that
// have not exited have arrived. Waiting threads then continue, and others do not block at their
// wait. The observers see a release at each arrival. At the end of a phase they see a barrier of
// the cluster if all its threads wait, and otherwise an acquire at the end of each wait.
//
// A phase that is complete ends when a thread waits for it and its block has its turn. The last
// threads to arrive usually wait by then, too, so all threads have met.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "common/sim/block.h"
#include "common/sim/cluster.h"

namespace warpgrade::sim {
namespace {

bool waits_for_cluster(const Waiting& entry) {
  return entry.for_block && entry.barrier == kClusterBarrier;
}

void tell_cluster_order(Block& block, const MicroOp& op, const Warp& warp, std::uint32_t mask,
                        run::OrderEvent::Kind kind) {
  std::uint64_t objects[run::kWarpSize];
  std::fill_n(objects, run::kWarpSize, run::kNamedBarriers + kClusterBarrier);
  block.tell(run::OrderEvent{kind, false, op.instruction, warp.index, mask, objects});
}

}  // namespace

void Block::cluster_arrive(Warp& warp, const MicroOp& op, std::uint32_t mask, bool releases) {
  if (const auto twice = mask & (warp.cluster_arrived | warp.cluster_passed); twice != 0) {
    warp.fault(base::DiagnosticKind::kDivergentBarrier, op,
               static_cast<std::uint32_t>(std::countr_zero(twice)),
               "arrives at the barrier of the cluster a second time, without having waited for the "
               "first: each barrier_arrive() needs its barrier_wait()");
    return;
  }
  warp.cluster_arrived |= mask;
  if (releases) {
    tell_cluster_order(*this, op, warp, mask, run::OrderEvent::Kind::kRelease);
  } else {
    relaxed_arrivals_ = true;
  }
}

void Block::cluster_wait(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto missing = mask & ~(warp.cluster_arrived | warp.cluster_passed);
  if (missing != 0) {
    warp.fault(base::DiagnosticKind::kDivergentBarrier, op,
               static_cast<std::uint32_t>(std::countr_zero(missing)),
               "waits at the barrier of the cluster without having arrived there: call "
               "barrier_arrive() before barrier_wait(), or sync() for both");
    return;
  }
  if ((mask & ~warp.cluster_passed) == 0) {
    warp.cluster_passed &= ~mask;
    tell_cluster_order(*this, op, warp, mask, run::OrderEvent::Kind::kAcquire);
    return;
  }
  if (mask != warp.mask) warp.split_off(warp.mask & ~mask, warp.pc);
  Waiting entry;
  entry.split = {warp.pc, mask, warp.frame};
  entry.op = &op;
  entry.for_block = true;
  entry.barrier = kClusterBarrier;
  awaits_cluster_ = true;
  warp.wait(entry);
}

// Ends the phase if every thread of the cluster has arrived or exited.
bool Block::release_cluster() {
  const auto each = [&](const auto& visit) {
    if (cluster == nullptr) return visit(*this);
    for (auto* block : cluster->blocks) visit(*block);
  };
  bool all = true;
  bool any = false;
  each([&](const Block& block) {
    for (const auto& warp : block.warps_) {
      all &= (warp.live & ~warp.cluster_arrived) == 0;
      any |= (warp.live & warp.cluster_arrived) != 0;
    }
  });
  if (!all || !any) return false;
  bool all_wait = true;
  each([&](const Block& block) { all_wait &= block.all_wait_for_cluster(); });
  const auto phase = cluster == nullptr ? 0 : ++cluster->phases;
  each([&](Block& block) { block.pass_cluster_barrier(all_wait, phase); });
  return true;
}

bool Block::all_wait_for_cluster() const {
  return !relaxed_arrivals_ && std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
    std::uint32_t waiting = 0;
    for (const auto& entry : warp.waiting) {
      if (waits_for_cluster(entry)) waiting |= entry.split.mask;
    }
    return waiting == warp.live;
  });
}

void Block::pass_cluster_barrier(bool all_wait, std::uint64_t phase) {
  const MicroOp* op = nullptr;
  for (auto& warp : warps_) {
    warp.cluster_passed = warp.cluster_arrived & warp.live;
    warp.cluster_arrived = 0;
    for (const auto& entry : warp.waiting) {
      if (waits_for_cluster(entry)) op = entry.op;
    }
  }
  relaxed_arrivals_ = false;
  awaits_cluster_ = false;
  if (op == nullptr) return;
  if (all_wait) {
    run::BarrierEvent event;
    event.scope =
        cluster == nullptr ? run::BarrierEvent::Scope::kBlock : run::BarrierEvent::Scope::kCluster;
    event.instruction = op->instruction;
    event.phase = phase;
    tell(event);
  }
  for (auto& warp : warps_) {
    warp.release([&](const Waiting& entry) {
      if (!waits_for_cluster(entry)) return false;
      if (!all_wait) {
        tell_cluster_order(*this, *entry.op, warp, entry.split.mask,
                           run::OrderEvent::Kind::kAcquire);
      }
      warp.cluster_passed &= ~entry.split.mask;
      return true;
    });
  }
}

std::string Block::cluster_barrier_text() const {
  std::uint64_t arrived = 0;
  std::uint64_t threads = 0;
  const auto count = [&](const Block& block) {
    for (const auto& warp : block.warps_) {
      arrived += static_cast<std::uint64_t>(std::popcount(warp.cluster_arrived & warp.live));
      threads += static_cast<std::uint64_t>(std::popcount(warp.live));
    }
  };
  if (cluster == nullptr) {
    count(*this);
  } else {
    for (const auto* block : cluster->blocks) count(*block);
  }
  return fmt::format(
      "{} of the cluster's {} threads have arrived at its barrier, and the others never come: "
      "every thread of every block of the cluster that has not returned must arrive",
      arrived, threads);
}

}  // namespace warpgrade::sim

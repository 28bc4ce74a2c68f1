// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster: barrier.cluster.arrive and barrier.cluster.wait (PTX
// ISA 9.0, 9.7.13.4).
//
// A thread arrives, continues, and waits later. A phase ends when all threads of the cluster that
// have not exited have arrived. Waiting threads then continue, and others do not block at their
// wait. The observers see a barrier of the block if all its threads wait at the end of the phase;
// otherwise they see a release at each arrival and an acquire at the end of each wait.
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
  release_cluster();
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
  each([](Block& block) { block.pass_cluster_barrier(); });
  return true;
}

void Block::pass_cluster_barrier() {
  bool all_wait = !relaxed_arrivals_;
  const MicroOp* op = nullptr;
  for (auto& warp : warps_) {
    warp.cluster_passed = warp.cluster_arrived & warp.live;
    warp.cluster_arrived = 0;
    std::uint32_t waiting = 0;
    for (const auto& entry : warp.waiting) {
      if (!waits_for_cluster(entry)) continue;
      waiting |= entry.split.mask;
      op = entry.op;
    }
    all_wait &= waiting == warp.live;
  }
  relaxed_arrivals_ = false;
  awaits_cluster_ = false;
  if (op == nullptr) return;
  if (all_wait) tell({run::BarrierEvent::Scope::kBlock, op->instruction});
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
      "every "
      "thread of every block of the cluster that has not returned must arrive",
      arrived, threads);
}

}  // namespace warpgrade::sim

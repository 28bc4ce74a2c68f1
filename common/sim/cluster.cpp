// SPDX-License-Identifier: Apache-2.0
#include "common/sim/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/observer.h"
#include "common/sim/block.h"

namespace warpgrade::sim {
namespace {

/// Limit on the blocks of a cluster on any device, and on every device with clusters.
constexpr std::uint32_t kMostClusterBlocks = 16;
constexpr std::uint32_t kPortableClusterBlocks = 8;

constexpr const char* kCardSays = " (a card returns cudaErrorInvalidClusterSize)";

void check_cluster(const base::Dim3& extent, const base::Dim3& grid) {
  if (extent.x == 0 || extent.y == 0 || extent.z == 0) {
    throw base::UsageError(
        fmt::format("cluster {}: a cluster has at least one block in each "
                    "dimension",
                    base::extent_text(extent)));
  }
  // Extents first, because the product of three 32-bit numbers may not fit in 64 bits.
  const bool is_small = extent.x <= kMostClusterBlocks && extent.y <= kMostClusterBlocks &&
                        extent.z <= kMostClusterBlocks;
  if (!is_small || base::volume(extent) > kPortableClusterBlocks) {
    throw base::UsageError(fmt::format(
        "cluster {}: a cluster has at most {} blocks; an H100 makes clusters of up to {} for a "
        "kernel with the attribute cudaFuncAttributeNonPortableClusterSizeAllowed, which is not "
        "set here{}",
        base::extent_text(extent), kPortableClusterBlocks, kMostClusterBlocks, kCardSays));
  }
  if (grid.x % extent.x != 0 || grid.y % extent.y != 0 || grid.z % extent.z != 0) {
    throw base::UsageError(
        fmt::format("a grid of {} blocks is not a whole number of clusters of {} blocks{}",
                    base::extent_text(grid), base::extent_text(extent), kCardSays));
  }
}

}  // namespace

std::optional<base::Dim3> cluster_of(const ptx::Function& kernel, const run::Launch& launch) {
  if (launch.cluster && kernel.cluster && *launch.cluster != *kernel.cluster) {
    throw base::UsageError(fmt::format(
        "the launch has clusters of {} blocks, and the kernel's __cluster_dims__ of {}{}",
        base::extent_text(*launch.cluster), base::extent_text(*kernel.cluster), kCardSays));
  }
  const auto extent = launch.cluster ? launch.cluster : kernel.cluster;
  if (!extent) {
    if (!kernel.needs_clusters) return std::nullopt;
    throw base::UsageError(
        "the kernel's __cluster_dims__ have no size, so the launch must have one: " +
        base::for_caller("add --cluster", "pass cluster="));
  }
  check_cluster(*extent, launch.grid);
  if (launch.cooperative) {
    throw base::ToolError("a cooperative launch with thread block clusters is not simulated");
  }
  return extent;
}

namespace {

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
    arrivals_.relaxed = true;
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
  arrivals_.awaits_cluster = true;
  warp.wait(entry);
}

// Ends the phase if every thread of the cluster has arrived or exited.
bool Block::release_cluster() {
  const auto each = [&](const auto& visit) {
    if (beside.cluster == nullptr) return visit(*this);
    for (auto* block : beside.cluster->blocks) visit(*block);
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
  const auto phase = beside.cluster == nullptr ? 0 : ++beside.cluster->phases;
  each([&](Block& block) { block.pass_cluster_barrier(all_wait, phase); });
  return true;
}

bool Block::all_wait_for_cluster() const {
  return !arrivals_.relaxed && std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
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
  arrivals_.relaxed = false;
  arrivals_.awaits_cluster = false;
  if (op == nullptr) return;
  if (all_wait) {
    run::BarrierEvent event;
    event.scope = beside.cluster == nullptr ? run::BarrierEvent::Scope::kBlock
                                            : run::BarrierEvent::Scope::kCluster;
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
  if (beside.cluster == nullptr) {
    count(*this);
  } else {
    for (const auto* block : beside.cluster->blocks) count(*block);
  }
  return fmt::format(
      "{} of the cluster's {} threads have arrived at its barrier, and the others never come: "
      "every thread of every block of the cluster that has not returned must arrive",
      arrived, threads);
}

}  // namespace warpgrade::sim

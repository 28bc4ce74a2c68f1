// SPDX-License-Identifier: Apache-2.0
#include "common/check/cluster_events.h"

#include <algorithm>

#include "common/base/dim3.h"
#include "common/run/lanes.h"

namespace warpgrade::check {
namespace {

constexpr std::uint32_t kAligned = 16;  // bytes: no access of a lane is wider
// Numbers of objects that are not addresses: sixteen named barriers, then the cluster's.
constexpr std::uint64_t kBarriersOfABlock = 16;
constexpr std::uint64_t kNumbersOfABlock = 32;

constexpr std::uint64_t kMostShared = std::uint64_t{1} << 32;  // above all ranks' addresses

// The rank in an address of run::Space::kCluster; nullopt: an offset in the block's own memory.
std::optional<std::uint32_t> rank_in(std::uint64_t address) {
  if (address < run::kClusterStride) return std::nullopt;
  return static_cast<std::uint32_t>(address / run::kClusterStride - 1);
}

}  // namespace

ClusterEvents::ClusterEvents(const run::LaunchContext& context)
    : context_(context), warps_(context.warps_per_block) {
  const auto blocks = static_cast<std::uint32_t>(base::volume(context.cluster));
  stride_ = (context.shared_bytes + kAligned - 1) / kAligned * kAligned;
  context_.shared_bytes = stride_ * blocks;
  context_.warps_per_block = warps_ * blocks;
}

std::uint64_t ClusterEvents::place(std::uint64_t offset, std::uint32_t rank) const {
  return std::uint64_t{rank_in(offset).value_or(rank)} * stride_ + offset % run::kClusterStride;
}

const run::MemoryEvent& ClusterEvents::memory(const run::MemoryEvent& event, std::uint32_t rank) {
  event_ = event;
  event_.warp += rank * warps_;
  const bool is_remote = event.space == run::Space::kCluster;
  if (!is_remote && event.space != run::Space::kShared) return event_;
  event_.space = run::Space::kShared;
  event_.address = addresses_;
  for (auto rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    addresses_[lane] = place(event.address[lane], rank);
  }
  const auto distance = static_cast<std::int64_t>(addresses_[run::kWarpSize - 1] - addresses_[0]);
  if (event.stride != run::kIrregular && distance != event.stride * (run::kWarpSize - 1)) {
    event_.stride = run::kIrregular;
  }
  return event_;
}

std::optional<run::BarrierEvent> ClusterEvents::barrier(const run::BarrierEvent& event,
                                                        std::uint32_t rank) {
  using Scope = run::BarrierEvent::Scope;
  auto out = event;
  out.warp += rank * warps_;
  switch (event.scope) {
    case Scope::kCluster:
      if (event.phase == phases_) return std::nullopt;
      phases_ = event.phase;
      out.scope = Scope::kBlock;
      break;
    case Scope::kBlock:
    case Scope::kPart:
      members_.assign(context_.warps_per_block, 0);
      for (std::uint32_t w = 0; w < warps_; ++w) {
        members_[rank * warps_ + w] =
            event.scope == Scope::kBlock ? run::kFullMask : event.members[w];
      }
      out.scope = Scope::kPart;
      out.members = members_.data();
      break;
    case Scope::kWarp:
      break;
  }
  return out;
}

std::uint64_t ClusterEvents::object(std::uint64_t number, std::uint32_t rank) const {
  if (number >= run::kNamedBarriers) {
    const bool is_of_block = number < run::kNamedBarriers + kBarriersOfABlock;
    return is_of_block ? number + kNumbersOfABlock * (rank + std::uint64_t{1}) : number;
  }
  // Addresses of global memory are far above those of shared memory.
  return number < kMostShared ? place(number, rank) : number;
}

const std::uint64_t* ClusterEvents::objects(const std::uint64_t* numbers, std::uint32_t mask,
                                            std::uint32_t rank) {
  if (numbers == nullptr) return nullptr;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    addresses_[lane] = object(numbers[lane], rank);
  }
  return addresses_;
}

run::OrderEvent ClusterEvents::order(const run::OrderEvent& event, std::uint32_t rank) {
  auto out = event;
  out.warp += rank * warps_;
  out.object = objects(event.object, event.mask, rank);
  return out;
}

run::CopyEvent ClusterEvents::copy(const run::CopyEvent& event, std::uint32_t rank) {
  auto out = event;
  out.warp += rank * warps_;
  out.object = objects(event.object, event.mask, rank);
  return out;
}

run::BulkEvent ClusterEvents::bulk(const run::BulkEvent& event, std::uint32_t rank) const {
  auto out = event;
  out.warp += rank * warps_;
  out.shared = place(event.shared, rank);
  out.object = object(event.object, rank);
  return out;
}

}  // namespace warpgrade::check

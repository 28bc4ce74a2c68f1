// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/outside.h"

#include <fmt/format.h>

#include "common/base/counted.h"
#include "common/base/text.h"
#include "common/sim/cluster.h"

namespace warpgrade::sim {
namespace {

// "at bytes 32 to 35 of", or "beginning 4 bytes before".
std::string local_place_text(std::int64_t begin, std::uint32_t bytes) {
  if (begin < 0) {
    return fmt::format("beginning {} before",
                       base::counted(static_cast<std::uint64_t>(-begin), "byte"));
  }
  return fmt::format("at {} of", base::bytes_text(static_cast<std::uint64_t>(begin), bytes));
}

// Relative to the nearest array in the block's shared memory.
Outside describe_shared(const Block& block, std::int64_t offset, std::uint32_t bytes) {
  const run::SharedVariable* nearest = nullptr;
  std::int64_t least = 0;
  const auto size_of = [&](const run::SharedVariable& variable) -> std::int64_t {
    return variable.bytes == 0 ? block.launch->dynamic_shared_bytes : variable.bytes;
  };
  for (const auto& variable : block.code->shared_variables) {
    const std::int64_t begin = variable.offset;
    const auto distance = offset < begin ? begin - offset : offset - (begin + size_of(variable));
    if (nearest != nullptr && distance >= least) continue;
    nearest = &variable;
    least = distance;
  }
  if (nearest == nullptr) {
    return OutsideWords{"in shared memory, but the block does not use any", "check the pointer"};
  }
  base::OutsideAccess out;
  out.place.memory = base::Place::Memory::kShared;
  out.place.array = base::source_name(nearest->name);
  out.place.offset = offset - std::int64_t{nearest->offset};
  out.place.bytes = bytes;
  out.place.array_bytes = static_cast<std::uint64_t>(size_of(*nearest));
  out.is_extern = nearest->bytes == 0;
  return out;
}

// Bytes before the start of a block's shared memory that belong to its address range, and not to
// the block of the rank before.
constexpr std::uint64_t kBefore = std::uint64_t{1} << 20;

// An address from mapa, which contains the rank of a block.
Outside describe_cluster(const Block& block, std::uint64_t address, std::uint32_t bytes) {
  const auto number = (address + kBefore) / kClusterStride;
  const auto rank = static_cast<std::uint32_t>(number - 1);
  const auto blocks = block.cluster == nullptr ? 1 : block.cluster->blocks.size();
  if (rank < blocks) {
    const auto offset = static_cast<std::int64_t>(address - number * kClusterStride);
    auto outside = describe_shared(block, offset, bytes);
    if (auto* access = std::get_if<base::OutsideAccess>(&outside)) access->place.rank = rank;
    return outside;
  }
  return OutsideWords{
      fmt::format("in the shared memory of the block of rank {}{}, but the cluster has {}, whose "
                  "ranks begin at 0",
                  rank, rank == kMostRank ? " or more" : "", base::counted(blocks, "block")),
      block.has_clusters ? "check the rank against num_blocks() of the cluster"
                         : "a launch without clusters has clusters of one block: give the "
                           "kernel __cluster_dims__, or the launch --cluster"};
}

}  // namespace

Outside describe_outside(const Block& block, std::uint64_t address, std::uint32_t bytes,
                         run::Space space) {
  auto offset = static_cast<std::int64_t>(address);
  if (space == run::Space::kCluster) return describe_cluster(block, address, bytes);
  // Generic addresses just before a window come from a negative index.
  constexpr std::uint64_t kNear = std::uint64_t{1} << 30;
  if (space != run::Space::kShared && space != run::Space::kLocal) {
    if (kSharedWindow - address < kNear) {
      offset = static_cast<std::int64_t>(address - kSharedWindow);
      space = run::Space::kShared;
    } else if (kLocalWindow - address < kNear) {
      offset = static_cast<std::int64_t>(address - kLocalWindow);
      space = run::Space::kLocal;
    }
  }
  if (space == run::Space::kShared) {
    // 32-bit addresses that have wrapped.
    if (offset > 0xffff'0000) offset -= std::int64_t{1} << 32;
    if (offset + static_cast<std::int64_t>(kBefore) >= static_cast<std::int64_t>(kClusterStride)) {
      return describe_cluster(block, static_cast<std::uint64_t>(offset), bytes);
    }
    return describe_shared(block, offset, bytes);
  }
  if (space == run::Space::kLocal) {
    const auto size = static_cast<std::int64_t>(block.code->local_bytes);
    return OutsideWords{fmt::format("{} the thread's local arrays, which have {} bytes together",
                                    local_place_text(offset, bytes),
                                    base::grouped(static_cast<std::uint64_t>(size))),
                        "check the index against the size before the access"};
  }
  return block.memory->describe(address, bytes);
}

base::Place place_at(const Block& block, std::uint64_t address, std::uint32_t bytes,
                     run::Space space) {
  using Memory = base::Place::Memory;
  if (space == run::Space::kCluster) {
    auto remote = place_at(block, address % kClusterStride, bytes, run::Space::kShared);
    remote.rank = rank_at(address, block.cluster_rank);
    return remote;
  }
  base::Place place;
  place.offset = static_cast<std::int64_t>(address);
  place.bytes = bytes;
  if (space == run::Space::kShared) {
    place.memory = Memory::kShared;
    const auto& variables = block.code->shared_variables;
    for (auto at = variables.rbegin(); at != variables.rend(); ++at) {
      if (address < at->offset) continue;
      place.array = base::source_name(at->name);
      place.offset -= static_cast<std::int64_t>(at->offset);
      place.array_bytes = at->bytes;
      break;
    }
    return place;
  }
  place.memory = space == run::Space::kLocal ? Memory::kLocal : Memory::kAddress;
  if (space == run::Space::kLocal) return place;
  const auto* region = block.memory->find(address, 1);
  return region == nullptr || region->name.empty() ? place : place_in(*region, address, bytes);
}

}  // namespace warpgrade::sim

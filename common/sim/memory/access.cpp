// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/counted.h"
#include "common/run/lanes.h"
#include "common/sim/cluster.h"
#include "common/sim/memory/outside.h"
#include "common/sim/memory/shared_extent.h"
#include "common/sim/memory/sparse_lanes.h"

namespace warpgrade::sim {
namespace {

using ptx::StateSpace;

constexpr std::uint64_t kHostLine = 64;    // bytes that the host's caches move at once
constexpr std::uint64_t kMostAhead = 512;  // bytes of an access that are prefetched

bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < kWindowBytes;
}

// The stride of 32 addresses in arithmetic progression; kIrregular for others. Checks by halves:
// the upper addresses are the lower ones plus a number of strides, and so on recursively.
// (Comparing neighbours would read just written data across vector boundaries, which stalls the
// host.)
std::int64_t stride_of(const std::uint64_t* address) {
  const auto stride = address[1] - address[0];
  std::uint64_t off = 0;
  const auto compare = [&]<std::uint32_t kHalf>() {
    for (std::uint32_t i = 0; i < kHalf; ++i) {
      off |= (address[i + kHalf] - address[i]) ^ (kHalf * stride);
    }
  };
  compare.template operator()<16>();
  compare.template operator()<8>();
  compare.template operator()<4>();
  compare.template operator()<2>();
  return off == 0 ? static_cast<std::int64_t>(stride) : run::kIrregular;
}

base::Does does(const MicroOp& op) {
  switch (op.operation) {
    case run::Operation::kLoad:
      return base::Does::kRead;
    case run::Operation::kStore:
      return base::Does::kWrite;
    default:
      return base::Does::kUpdate;
  }
}

// Reports an access to a bad address: a fault of the warp, or a warning if the launch continues
// after such accesses. Returns false after a fault.
bool report_bad(Warp& warp, base::DiagnosticKind kind, const MicroOp& op, std::uint32_t lane,
                std::string message, base::Facts facts = {}) {
  auto& block = *warp.block;
  if (!block.ignores_bad_addresses) {
    warp.fault(kind, op, lane, std::move(message), std::move(facts));
    return false;
  }
  block.warning(kind, op, warp.index * run::kWarpSize + lane, message, std::move(facts));
  return true;
}

// Whether the launch continues and the line already has a warning.
bool is_known(const Warp& warp, base::DiagnosticKind kind, const MicroOp& op) {
  return warp.block->ignores_bad_addresses && warp.block->has_warning(kind, op);
}

bool report_misaligned(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint32_t bytes,
                       run::Space space) {
  constexpr auto kKind = base::DiagnosticKind::kMisaligned;
  if (is_known(warp, kKind, op)) return true;
  base::Misaligned facts;
  facts.place = place_at(*warp.block, warp.address[lane], bytes, space);
  facts.does = does(op);
  return report_bad(warp, kKind, op, lane, "", std::move(facts));
}

// If the launch continues, the lane's access has no effect.
bool report_outside(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint32_t bytes,
                    Access& access) {
  auto& block = *warp.block;
  block.nowhere = {};
  access.by_lane[lane] = block.nowhere.data();
  constexpr auto kKind = base::DiagnosticKind::kOutOfBounds;
  if (is_known(warp, kKind, op)) return true;
  auto outside = describe_outside(block, warp.address[lane], bytes, access.space);
  if (auto* facts = std::get_if<base::OutsideAccess>(&outside)) {
    facts->does = does(op);
    return report_bad(warp, kKind, op, lane, "", std::move(*facts));
  }
  const auto& words = std::get<OutsideWords>(outside);
  return report_bad(warp, kKind, op, lane,
                    fmt::format("{} {}, {}; {}", base::verb(does(op)), base::counted(bytes, "byte"),
                                words.where, words.advice));
}

// Splits lanes with generic addresses by space, and converts window addresses to offsets.
run::Space classify(Warp& warp, std::uint32_t& mask) {
  const auto first = warp.address[run::lowest_lane(mask)];
  const auto window = in_window(first, kSharedWindow)  ? kSharedWindow
                      : in_window(first, kLocalWindow) ? kLocalWindow
                                                       : 0;
  std::uint32_t chosen = 0;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto address = warp.address[lane];
    const bool same = window != 0
                          ? in_window(address, window)
                          : !in_window(address, kSharedWindow) && !in_window(address, kLocalWindow);
    if (same) chosen |= 1U << lane;
  }
  mask = chosen;
  for (auto rest = mask; rest != 0; rest &= rest - 1)
    warp.address[run::lowest_lane(rest)] -= window;
  return window == kSharedWindow  ? run::Space::kShared
         : window == kLocalWindow ? run::Space::kLocal
                                  : run::Space::kGlobal;
}

bool aligned(Warp& warp, const MicroOp& op, const Access& access, std::uint32_t bytes) {
  std::uint64_t low_bits = 0;
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    low_bits |= (access.mask >> lane & 1U) != 0 ? warp.address[lane] : 0;
  }
  if ((low_bits & (bytes - 1)) == 0) return true;
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    if ((warp.address[lane] & (bytes - 1)) == 0) continue;
    if (!report_misaligned(warp, op, lane, bytes, access.space)) return false;
  }
  return true;
}

// Keeps the lanes that access the block's own shared memory; if no lane does, all lanes access
// other blocks of the cluster. A card splits such accesses in the same way.
[[gnu::noinline]] void keep_one_side(const Warp& warp, Access& access) {
  std::uint32_t own = 0;
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    if (warp.address[lane] < kClusterStride) own |= 1U << lane;
  }
  if (own == 0) {
    access.space = run::Space::kCluster;
  } else if (own != access.mask) {
    access.mask = own;
    access.stride = run::kIrregular;
  }
}

// Local memory that the thread has not written contains garbage, which is filled in now.
[[gnu::noinline]] void read_unwritten(Warp& warp, const MicroOp& op, std::uint32_t lane,
                                      std::uint32_t bytes, std::byte* host) {
  constexpr auto kKind = base::DiagnosticKind::kUninitializedRead;
  auto& block = *warp.block;
  const auto thread = warp.index * run::kWarpSize + lane;
  block.local_written.fill_missing(thread, warp.address[lane], bytes, host, block.garbage);
  if (block.has_warning(kKind, op)) return;
  block.warning(kKind, op, thread, "", base::UnwrittenLocal{bytes});
}

bool in_shared(Warp& warp, const MicroOp& op, std::uint32_t bytes, Access& access) {
  const auto& block = *warp.block;
  Extent array;  // of the last lane, which others mostly share
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto offset = warp.address[lane];
    if (!array.has(offset, bytes)) array = array_at(block, offset, bytes);
    if (!array.has(offset, bytes)) {
      if (!report_outside(warp, op, lane, bytes, access)) return false;
      continue;
    }
    access.by_lane[lane] = block.shared + offset;
  }
  return true;
}

// A card fails with "cluster target block not present" if the block has ended.
bool report_ended(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint32_t bytes,
                  Access& access) {
  auto& block = *warp.block;
  block.nowhere = {};
  access.by_lane[lane] = block.nowhere.data();
  base::EndedBlock facts{place_at(block, warp.address[lane], bytes, access.space), does(op), true};
  return report_bad(warp, base::DiagnosticKind::kOutOfBounds, op, lane, "", std::move(facts));
}

// Shared memory of other blocks of the cluster.
[[gnu::noinline]] bool in_cluster(Warp& warp, const MicroOp& op, std::uint32_t bytes,
                                  Access& access) {
  const auto& block = *warp.block;
  const auto& blocks = block.cluster->blocks;
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto rank = rank_at(warp.address[lane], block.cluster_rank);
    const auto offset = warp.address[lane] % kClusterStride;
    if (rank >= blocks.size() || !in_one_array(block, offset, bytes)) {
      if (!report_outside(warp, op, lane, bytes, access)) return false;
    } else if (blocks[rank]->has_ended) {
      if (!report_ended(warp, op, lane, bytes, access)) return false;
    } else {
      access.by_lane[lane] = blocks[rank]->shared + offset;
    }
  }
  return true;
}

// Kept out of translate(), because most accesses do not need it.
[[gnu::noinline]] bool in_local(Warp& warp, const MicroOp& op, std::uint32_t bytes,
                                Access& access) {
  auto& block = *warp.block;
  auto& written = block.local_written;
  const bool reads = op.operation != run::Operation::kStore;
  const bool writes = op.operation != run::Operation::kLoad;
  const std::uint64_t size = block.code->local_bytes;
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto offset = warp.address[lane];
    if (offset > size || bytes > size - offset) {
      if (!report_outside(warp, op, lane, bytes, access)) return false;
      continue;
    }
    const auto thread = std::uint64_t{warp.index} * run::kWarpSize + lane;
    access.by_lane[lane] = block.local + thread * size + offset;
    if (reads && !written.holds(thread, offset, bytes)) {
      read_unwritten(warp, op, lane, bytes, access.by_lane[lane]);
    }
    if (writes) written.add(thread, offset, bytes);
  }
  return true;
}

// Records writes to a piece of the heap, and warns about reads of unwritten bytes.
void note_heap_access(Warp& warp, const MicroOp& op, const Region& piece, std::uint32_t lane,
                      std::uint32_t bytes) {
  const auto first =
      piece.written->begin() + static_cast<std::ptrdiff_t>(warp.address[lane] - piece.base);
  if (op.operation != run::Operation::kStore &&
      std::find(first, first + bytes, false) != first + bytes) {
    warp.block->warning(base::DiagnosticKind::kUninitializedRead, op,
                        warp.index * run::kWarpSize + lane,
                        fmt::format("reads {} of {}, which nothing has written yet; memory "
                                    "from malloc() is not zero-initialized: store to it first",
                                    base::counted(bytes, "byte"),
                                    warp.block->memory->heap().piece_text(piece.base)));
  }
  if (op.operation != run::Operation::kLoad) std::fill_n(first, bytes, true);
}

bool off_chip(Warp& warp, const MicroOp& op, std::uint32_t bytes, Access& access) {
  auto& block = *warp.block;
  const Region* region = block.last_region;
  SparseLanes sparse(op.operation != run::Operation::kLoad);
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto address = warp.address[lane];
    if (region == nullptr || address - region->base >= region->bytes ||
        bytes > region->bytes - (address - region->base)) {
      region = block.memory->find(address, bytes);
      if (region == nullptr) {
        if (!report_outside(warp, op, lane, bytes, access)) return false;
        continue;
      }
    }
    const auto offset = address - region->base;
    access.by_lane[lane] =
        region->sparse != nullptr ? sparse.at(*region->sparse, offset) : region->host + offset;
    if (region->written != nullptr) note_heap_access(warp, op, *region, lane, bytes);
  }
  block.last_region = region != nullptr && region->written != nullptr ? nullptr : region;
  return true;
}

// Prefetches host memory for the likely next access of `op` by this warp: control reached it as it
// reached this access of `bytes` bytes at `host`, or blocks follow each other with the same
// distance. The host's prefetcher cannot follow so many streams.
void fetch_ahead(Warp& warp, const MicroOp& op, const std::byte* host, std::uint64_t bytes) {
  auto& block = *warp.block;
  const auto instructions = block.code->function->instructions.size();
  auto& last = block.last_access[warp.index * instructions + op.instruction];
  const auto at = reinterpret_cast<std::uintptr_t>(host);
  const auto next = at + (at - last);
  last = at;
  for (std::uint64_t offset = 0; offset < bytes; offset += kHostLine) {
    __builtin_prefetch(reinterpret_cast<const void*>(next + offset));
  }
  __builtin_prefetch(reinterpret_cast<const void*>(next + bytes - 1));
}

// Lanes with addresses in a sparse buffer: lane 0's at `first`, the others in progression.
void find_row_in_sparse(SparseBuffer& buffer, const MicroOp& op, std::uint64_t first,
                        Access& access) {
  const auto last = first + (run::kWarpSize - 1) * static_cast<std::uint64_t>(access.stride);
  SparseLanes lanes(op.operation != run::Operation::kLoad);
  if (first / SparseBuffer::kPiece == last / SparseBuffer::kPiece) {
    access.first = lanes.at(buffer, first);
    return;
  }
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    const auto offset = first + lane * static_cast<std::uint64_t>(access.stride);
    access.by_lane[lane] = lanes.at(buffer, offset);
  }
}

// All lanes are active with addresses in progression, so the ends decide for all.
bool translate_progression(Warp& warp, const MicroOp& op, std::uint32_t bytes, Access& access) {
  auto& block = *warp.block;
  const auto low = std::min(warp.address[0], warp.address[run::kWarpSize - 1]);
  const auto high = std::max(warp.address[0], warp.address[run::kWarpSize - 1]);
  const auto span = high - low + bytes;
  if (((warp.address[0] | static_cast<std::uint64_t>(access.stride)) & (bytes - 1)) != 0)
    return false;
  std::byte* host = nullptr;
  if (access.space == run::Space::kShared) {
    if (!in_one_array(block, low, span)) return false;
    host = block.shared + low;
  } else {
    const auto* region = block.last_region;
    if (region == nullptr || low - region->base >= region->bytes ||
        span > region->bytes - (low - region->base)) {
      region = block.memory->find(low, span);
      if (region == nullptr || region->written != nullptr) return false;
      block.last_region = region;
    }
    if (region->sparse != nullptr) {
      find_row_in_sparse(*region->sparse, op, warp.address[0] - region->base, access);
      return true;
    }
    host = region->host + (low - region->base);
    if (span >= 64 && span <= kMostAhead && op.instruction != kNoInstruction) {
      fetch_ahead(warp, op, host, span);
    }
  }
  access.first = host + (warp.address[0] - low);
  return true;
}

}  // namespace

bool translate(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
               Access& access) {
  const auto* base = warp.lanes<std::uint64_t>(op.a);
  const auto offset = static_cast<std::uint64_t>(op.offset);
  access.mask = mask;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) warp.address[i] = base[i] + offset;
  switch (op.space) {
    case StateSpace::kShared:
      access.space = run::Space::kShared;
      break;
    case StateSpace::kLocal:
      access.space = run::Space::kLocal;
      break;
    case StateSpace::kConstant:
      access.space = run::Space::kConstant;
      break;
    case StateSpace::kParam:
      access.space = run::Space::kParam;
      break;
    case StateSpace::kGlobal:
      access.space = run::Space::kGlobal;
      break;
    default:
      access.space = classify(warp, access.mask);
  }
  // Every space preserves the distances of the generic addresses in it.
  access.stride = access.mask == run::kFullMask ? stride_of(base) : run::kIrregular;
  access.first = nullptr;
  if (access.stride != run::kIrregular && access.space != run::Space::kLocal &&
      translate_progression(warp, op, bytes, access)) {
    return true;
  }
  // Some lane is at fault, or the lanes use several buffers: check each lane.
  if (warp.block->cluster != nullptr && access.space == run::Space::kShared) {
    keep_one_side(warp, access);
  }
  if (!aligned(warp, op, access, bytes)) return false;
  if (access.space == run::Space::kShared) return in_shared(warp, op, bytes, access);
  if (access.space == run::Space::kLocal) return in_local(warp, op, bytes, access);
  if (access.space == run::Space::kCluster) return in_cluster(warp, op, bytes, access);
  return off_chip(warp, op, bytes, access);
}

}  // namespace warpgrade::sim

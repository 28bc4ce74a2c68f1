// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/base/text.h"
#include "common/run/observer.h"
#include "common/sim/block.h"
#include "common/sim/cluster.h"
#include "common/sim/memory/heap.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

// The variables of a block's shared memory, for the check of each access.
//
// An access must be inside one variable. Lanes of a warp mostly use the same one, so a caller keeps
// the extent that it found for the last lane.

/// Offsets in shared memory that an access may use, without the padding between shared variables,
/// which does not exist on a GPU.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool has(std::uint64_t offset, std::uint64_t bytes) const {
    return offset >= begin && offset <= end && bytes <= end - offset;
  }
};

/// The variable that contains the bytes; empty if none does.
Extent array_at(const Block& block, std::uint64_t offset, std::uint64_t bytes) {
  const Extent all{0, block.parts.shared_bytes};
  if (!all.has(offset, bytes)) return {};
  const auto& code = block.parts.code;
  if (code.shared_padding == 0) return all;
  for (const auto& v : code.shared_variables) {
    const std::uint64_t size = v.bytes == 0 ? block.parts.launch.dynamic_shared_bytes : v.bytes;
    const Extent one{v.offset, std::min(v.offset + size, all.end)};
    if (one.has(offset, bytes)) return one;
  }
  return {};
}

/// Whether the access is inside one variable.
bool in_one_array(const Block& block, std::uint64_t offset, std::uint64_t bytes) {
  return array_at(block, offset, bytes).has(offset, bytes);
}

// Facts on accesses: the array that contains them, or the nearest one.

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
    return variable.bytes == 0 ? block.parts.launch.dynamic_shared_bytes : variable.bytes;
  };
  for (const auto& variable : block.parts.code.shared_variables) {
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
  const auto blocks = block.beside.cluster == nullptr ? 1 : block.beside.cluster->blocks.size();
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
      block.parts.cluster ? "check the rank against num_blocks() of the cluster"
                          : "a launch without clusters has clusters of one block: give the "
                            "kernel __cluster_dims__, or the launch " +
                                base::for_caller("--cluster", "cluster=")};
}

}  // namespace

/// Describes `bytes` bytes at `address` that are not all inside one buffer, variable, or the
/// block's own shared memory or the thread's local memory, where `address` is an offset.
static Outside describe_outside(const Block& block, std::uint64_t address, std::uint32_t bytes,
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
    const auto size = static_cast<std::int64_t>(block.parts.code.local_bytes);
    return OutsideWords{fmt::format("{} the thread's local arrays, which have {} bytes together",
                                    local_place_text(offset, bytes),
                                    base::grouped(static_cast<std::uint64_t>(size))),
                        "check the index against the size before the access"};
  }
  return block.parts.memory.describe(address, bytes);
}

/// The place of an access inside an array; otherwise its address.
static base::Place place_at(const Block& block, std::uint64_t address, std::uint32_t bytes,
                            run::Space space) {
  using Memory = base::Place::Memory;
  if (space == run::Space::kCluster) {
    auto remote = place_at(block, address % kClusterStride, bytes, run::Space::kShared);
    remote.rank = rank_at(address, block.beside.rank);
    return remote;
  }
  base::Place place;
  place.offset = static_cast<std::int64_t>(address);
  place.bytes = bytes;
  if (space == run::Space::kShared) {
    place.memory = Memory::kShared;
    const auto& variables = block.parts.code.shared_variables;
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
  const auto* region = block.parts.memory.find(address, 1);
  return region == nullptr || region->name.empty() ? place : place_in(*region, address, bytes);
}

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
  if (!block.parts.options.ignores_bad_addresses) {
    warp.fault(kind, op, lane, std::move(message), std::move(facts));
    return false;
  }
  block.warning(kind, op, warp.index * run::kWarpSize + lane, message, std::move(facts));
  return true;
}

// Whether the launch continues and the line already has a warning.
bool is_known(const Warp& warp, base::DiagnosticKind kind, const MicroOp& op) {
  return warp.block->parts.options.ignores_bad_addresses && warp.block->has_warning(kind, op);
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

// The window that contains a generic address; 0 if it is global.
std::uint64_t window_of(std::uint64_t address) {
  if (in_window(address, kSharedWindow)) return kSharedWindow;
  return in_window(address, kLocalWindow) ? kLocalWindow : 0;
}

run::Space space_of(std::uint64_t window) {
  if (window == kSharedWindow) return run::Space::kShared;
  return window == kLocalWindow ? run::Space::kLocal : run::Space::kGlobal;
}

// Whether the generic addresses of all lanes are in one space. Windows are aligned, so the
// addresses are inside of one, or outside of all, if their upper bits agree.
bool are_in_one_space(const std::uint64_t* address) {
  static_assert(kSharedWindow % kWindowBytes == 0 && kLocalWindow % kWindowBytes == 0);
  std::uint64_t differences = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) differences |= address[i] ^ address[0];
  return differences < kWindowBytes;
}

// Splits lanes with generic addresses by space, and converts window addresses to offsets.
run::Space classify(Warp& warp, std::uint32_t& mask) {
  const auto window = window_of(warp.address[run::lowest_lane(mask)]);
  std::uint32_t chosen = 0;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    if (window_of(warp.address[lane]) == window) chosen |= 1U << lane;
  }
  mask = chosen;
  for (auto rest = mask; rest != 0; rest &= rest - 1)
    warp.address[run::lowest_lane(rest)] -= window;
  return space_of(window);
}

// The same if all lanes are in one space.
run::Space classify_row(std::uint64_t* address) {
  const auto window = window_of(address[0]);
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) address[i] -= window;
  return space_of(window);
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
  block.local.written.fill_missing(thread, warp.address[lane], bytes, host,
                                   block.parts.options.garbage);
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
    access.by_lane[lane] = block.shared() + offset;
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
  const auto& blocks = block.beside.cluster->blocks;
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto rank = rank_at(warp.address[lane], block.beside.rank);
    const auto offset = warp.address[lane] % kClusterStride;
    if (rank >= blocks.size() || !in_one_array(block, offset, bytes)) {
      if (!report_outside(warp, op, lane, bytes, access)) return false;
    } else if (blocks[rank]->has_ended()) {
      if (!report_ended(warp, op, lane, bytes, access)) return false;
    } else {
      access.by_lane[lane] = blocks[rank]->shared() + offset;
    }
  }
  return true;
}

// All lanes access the same offset, which is inside their memory. Returns false if a lane reads
// unwritten bytes.
bool translate_local_row(Warp& warp, const MicroOp& op, std::uint32_t bytes, Access& access) {
  auto& local = warp.block->local;
  const auto offset = warp.address[0];
  const auto thread = std::uint64_t{warp.index} * run::kWarpSize;
  if (op.operation != run::Operation::kStore) {
    bool are_written = true;
    for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
      are_written &= local.written.holds(thread + i, offset, bytes);
    }
    if (!are_written) return false;
  }
  if (op.operation != run::Operation::kLoad) {
    for (std::uint32_t i = 0; i < run::kWarpSize; ++i) local.written.add(thread + i, offset, bytes);
  }
  auto* host = local.at(thread, offset);
  for (auto& one : access.by_lane) {
    one = host;
    host += local.bytes_per_thread;
  }
  return true;
}

// Kept out of translate(), because most accesses do not need it.
[[gnu::noinline]] bool in_local(Warp& warp, const MicroOp& op, std::uint32_t bytes,
                                Access& access) {
  auto& block = *warp.block;
  auto& written = block.local.written;
  const bool reads = op.operation != run::Operation::kStore;
  const bool writes = op.operation != run::Operation::kLoad;
  const auto size = block.local.bytes_per_thread;
  const bool is_row =
      access.stride == 0 && warp.address[0] <= size && bytes <= size - warp.address[0];
  if (is_row && translate_local_row(warp, op, bytes, access)) return true;
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto offset = warp.address[lane];
    if (offset > size || bytes > size - offset) {
      if (!report_outside(warp, op, lane, bytes, access)) return false;
      continue;
    }
    const auto thread = std::uint64_t{warp.index} * run::kWarpSize + lane;
    access.by_lane[lane] = block.local.at(thread, offset);
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
                                    warp.block->parts.memory.heap().piece_text(piece.base)));
  }
  if (op.operation != run::Operation::kLoad) std::fill_n(first, bytes, true);
}

bool off_chip(Warp& warp, const MicroOp& op, std::uint32_t bytes, Access& access) {
  auto& block = *warp.block;
  const Region* region = block.recent.region;
  SparseLanes sparse(op.operation != run::Operation::kLoad);
  for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto address = warp.address[lane];
    if (region == nullptr || address - region->base >= region->bytes ||
        bytes > region->bytes - (address - region->base)) {
      region = block.parts.memory.find(address, bytes);
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
  block.recent.region = region != nullptr && region->written != nullptr ? nullptr : region;
  return true;
}

// Prefetches host memory for the likely next access of `op` by this warp: control reached it as it
// reached this access of `bytes` bytes at `host`, or blocks follow each other with the same
// distance. The host's prefetcher cannot follow so many streams.
void fetch_ahead(Warp& warp, const MicroOp& op, const std::byte* host, std::uint64_t bytes) {
  auto& block = *warp.block;
  const auto instructions = block.parts.code.function->instructions.size();
  auto& last = block.recent.host[warp.index * instructions + op.instruction];
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
    host = block.shared() + low;
  } else {
    const auto* region = block.recent.region;
    if (region == nullptr || low - region->base >= region->bytes ||
        span > region->bytes - (low - region->base)) {
      region = block.parts.memory.find(low, span);
      if (region == nullptr || region->written != nullptr) return false;
      block.recent.region = region;
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
      access.space = mask == run::kFullMask && are_in_one_space(warp.address)
                         ? classify_row(warp.address)
                         : classify(warp, access.mask);
  }
  // Every space preserves the distances of the generic addresses in it.
  access.stride = access.mask == run::kFullMask ? stride_of(base) : run::kIrregular;
  access.first = nullptr;
  if (access.stride != run::kIrregular && access.space != run::Space::kLocal &&
      translate_progression(warp, op, bytes, access)) {
    return true;
  }
  // Some lane is at fault, or the lanes use several buffers: check each lane.
  if (warp.block->beside.cluster != nullptr && access.space == run::Space::kShared) {
    keep_one_side(warp, access);
  }
  if (!aligned(warp, op, access, bytes)) return false;
  if (access.space == run::Space::kShared) return in_shared(warp, op, bytes, access);
  if (access.space == run::Space::kLocal) return in_local(warp, op, bytes, access);
  if (access.space == run::Space::kCluster) return in_cluster(warp, op, bytes, access);
  return off_chip(warp, op, bytes, access);
}

}  // namespace warpgrade::sim

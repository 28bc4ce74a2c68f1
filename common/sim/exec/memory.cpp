// SPDX-License-Identifier: Apache-2.0
// Loads, stores and address conversions (PTX ISA 9.0, 9.7.9). Cache hints and memory-order
// modifiers do not change results here, because a warp's accesses take effect one after another.
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/ptx/instruction_facts.h"
#include "common/sim/cluster.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/lanes.h"
#include "common/sim/memory/access.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::StateSpace;

// An 8-bit value is held in 16 bits.
template <typename T>
using Held = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;

// Calls `body(access)` for each part of the access with lanes in the same space.
template <typename Body>
void for_each_access(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
                     const Body& body) {
  Access access;
  while (mask != 0) {
    if (!translate(warp, op, mask, bytes, access)) return;
    body(access);
    mask &= ~access.mask;
  }
}

template <typename T>
void load(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  for_each_access(warp, op, mask, sizeof(T), [&](const Access& access) {
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T), access.stride, nullptr);
    auto* d = warp.lanes<Held<T>>(op.d);
    if (sizeof(T) == sizeof(Held<T>) && access.is_row(sizeof(T))) {
      std::memcpy(d, access.first, sizeof(T) * run::kWarpSize);
      return;
    }
    for_each_lane(access.mask, [&, d](std::uint32_t i) {
      T value;
      std::memcpy(&value, access.host(i), sizeof value);
      d[i] = value;
    });
  });
}

// volatile, relaxed, acquire: this thread may be waiting for a store by another one.
template <typename T>
void load_strong(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  load<T>(warp, op, mask);
  if (warp.status == WarpStatus::kFaulted) return;
  std::uint64_t values = 0;
  for_each_lane(mask, [&](std::uint32_t i) {
    values =
        values * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(warp.lanes<Held<T>>(op.d)[i]);
  });
  warp.poll(op, mask, values);
}

template <typename T, int kCount>
void load_vector(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* slots = warp.block->code->vectors.data() + op.target;
  for_each_access(warp, op, mask, sizeof(T) * kCount, [&](const Access& access) {
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T) * kCount, access.stride,
                     nullptr);
    for_each_lane(access.mask, [&](std::uint32_t i) {
      T values[kCount];
      std::memcpy(values, access.host(i), sizeof values);
      for (int k = 0; k < kCount; ++k) warp.lanes<Held<T>>(slots[k])[i] = values[k];
    });
  });
}

template <typename T>
void store(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* b = warp.lanes<Held<T>>(op.b);
  for_each_access(warp, op, mask, sizeof(T), [&](const Access& access) {
    const auto* data = reinterpret_cast<const std::byte*>(b);
    T narrow[run::kWarpSize];
    if constexpr (sizeof(T) != sizeof(Held<T>)) {
      for (std::uint32_t i = 0; i < run::kWarpSize; ++i) narrow[i] = static_cast<T>(b[i]);
      data = reinterpret_cast<const std::byte*>(narrow);
    }
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T), access.stride, data);
    if (access.is_row(sizeof(T))) {
      std::memcpy(access.first, data, sizeof(T) * run::kWarpSize);
      return;
    }
    // In lane order: if several lanes write one place, the last one wins.
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      std::memcpy(access.host(i), data + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    }
  });
}

template <typename T, int kCount>
void store_vector(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* slots = warp.block->code->vectors.data() + op.target;
  for_each_access(warp, op, mask, sizeof(T) * kCount, [&](const Access& access) {
    T values[run::kWarpSize][kCount] = {};
    for_each_lane(access.mask, [&](std::uint32_t i) {
      for (int k = 0; k < kCount; ++k) {
        values[i][k] = static_cast<T>(warp.lanes<Held<T>>(slots[k])[i]);
      }
    });
    warp.block->tell(warp, op, access.space, access.mask, sizeof(T) * kCount, access.stride,
                     reinterpret_cast<const std::byte*>(values));
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto i = std::countr_zero(rest);
      std::memcpy(access.host(i), values[i], sizeof values[i]);
    }
  });
}

// prefetch, applypriority, and discard, after which the old bytes are undefined: addresses are not
// checked.
void hint(Warp&, const MicroOp&, std::uint32_t) {}

// Shared and local memory are windows of the generic address space.
template <std::uint64_t kWindow, bool kTo>
std::uint64_t shift_window(std::uint64_t a) {
  return kTo ? a - kWindow : a + kWindow;
}
std::uint64_t same(std::uint64_t a) { return a; }

Handler cvta_handler(const Instruction& in) {
  using U = std::uint64_t;
  if (ptx::size_of(in.types[0]) != 8) return nullptr;
  const bool to = in.modifiers.has(Modifier::to);
  switch (in.space) {
    case StateSpace::kShared:
      return to ? unary<U, U, shift_window<kSharedWindow, true>>
                : unary<U, U, shift_window<kSharedWindow, false>>;
    case StateSpace::kLocal:
      return to ? unary<U, U, shift_window<kLocalWindow, true>>
                : unary<U, U, shift_window<kLocalWindow, false>>;
    case StateSpace::kGlobal:
    case StateSpace::kConstant:
    case StateSpace::kParam:
      return unary<U, U, same>;
    default:
      return nullptr;
  }
}

// .shared::cluster covers the shared memory of all blocks of the cluster, .shared only the block's
// own.
template <bool kOfCluster>
void isspacep(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto* a = warp.lanes<std::uint64_t>(op.a);
  const auto own = warp.block->cluster_rank;
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
    const bool shared = a[i] - kSharedWindow < kWindowBytes;
    const bool local = a[i] - kLocalWindow < kWindowBytes;
    const bool param = kParameterWindow.has(a[i]);
    const bool constant = kConstantWindow.has(a[i]);
    const bool in_block = shared && rank_at(a[i] - kSharedWindow, own) == own;
    const bool is = op.space == StateSpace::kShared     ? (kOfCluster ? shared : in_block)
                    : op.space == StateSpace::kLocal    ? local
                    : op.space == StateSpace::kParam    ? param
                    : op.space == StateSpace::kConstant ? constant
                                                        : !shared && !local && !param && !constant;
    bits |= static_cast<std::uint32_t>(is) << i;
  }
  write_predicate(warp, op.d, mask, bits);
}

template <typename T>
Handler sized(const Instruction& in) {
  const bool is_store = ptx::facts(in).memory == ptx::MemoryRole::kStore;
  switch (in.vector) {
    case 1:
      if (is_store) return store<T>;
      return ptx::is_strong(in) ? load_strong<T> : load<T>;
    case 2:
      return is_store ? store_vector<T, 2> : load_vector<T, 2>;
    case 4:
      if constexpr (sizeof(T) <= 4) return is_store ? store_vector<T, 4> : load_vector<T, 4>;
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Handler address_handler(const Instruction& in) {
  if (in.opcode == Opcode::cvta) return cvta_handler(in);
  return in.modifiers.has(Modifier::shared_cluster) ? isspacep<true> : isspacep<false>;
}

Handler memory_handler(const Instruction& in) {
  if (ptx::facts(in).memory == ptx::MemoryRole::kHint) return hint;
  switch (ptx::size_of(in.types[0])) {
    case 1:
      return sized<std::uint8_t>(in);
    case 2:
      return sized<std::uint16_t>(in);
    case 4:
      return sized<std::uint32_t>(in);
    case 8:
      return sized<std::uint64_t>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

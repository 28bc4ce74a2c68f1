// SPDX-License-Identifier: Apache-2.0
// Comparison and selection (PTX ISA 9.0, 9.7.6): setp, selp and slct.
//
// The operators (table in 9.3.1) are functions of one lane, which set shares.
#include "common/sim/exec/compare.h"

#include <cstdint>
#include <type_traits>

#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

enum class Combine { kNone, kAnd, kOr, kXor };

// p = (a cmp b) boolop c, and q = !(a cmp b) boolop c.
template <typename T, auto F, Combine kCombine>
void setp(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto bits = compare_lanes<T, F>(warp.lanes<T>(op.a), warp.lanes<T>(op.b));
  const auto combine = [&](std::uint32_t value) {
    if constexpr (kCombine == Combine::kAnd) return value & warp.predicate(op.c);
    if constexpr (kCombine == Combine::kOr) return value | warp.predicate(op.c);
    if constexpr (kCombine == Combine::kXor) return value ^ warp.predicate(op.c);
    return value;
  };
  const auto p = combine(bits);
  const auto q = combine(~bits);
  write_predicate(warp, op.d, mask, p);
  write_predicate(warp, op.p, mask, q);
}

template <typename T, auto F>
Handler combined(const ptx::ModifierSet& m) {
  if (m.has(Modifier::and_)) return setp<T, F, Combine::kAnd>;
  if (m.has(Modifier::or_)) return setp<T, F, Combine::kOr>;
  if (m.has(Modifier::xor_)) return setp<T, F, Combine::kXor>;
  return setp<T, F, Combine::kNone>;
}

template <typename T>
Handler integer_setp(const ptx::ModifierSet& m) {
  if (m.has(Modifier::eq)) return combined<T, eq<T>>(m);
  if (m.has(Modifier::ne)) return combined<T, neu<T>>(m);
  if (m.has(Modifier::lt) || m.has(Modifier::lo)) return combined<T, lt<T>>(m);
  if (m.has(Modifier::le) || m.has(Modifier::ls)) return combined<T, le<T>>(m);
  if (m.has(Modifier::gt) || m.has(Modifier::hi)) return combined<T, gt<T>>(m);
  if (m.has(Modifier::ge) || m.has(Modifier::hs)) return combined<T, ge<T>>(m);
  return nullptr;
}

template <typename T, auto F>
Handler flushing(const ptx::ModifierSet& m) {
  if constexpr (std::is_same_v<T, float>) {
    if (m.has(Modifier::ftz)) return combined<T, with_ftz<F>>(m);
  }
  return combined<T, F>(m);
}

template <typename T>
Handler float_setp(const ptx::ModifierSet& m) {
  if (m.has(Modifier::eq)) return flushing<T, eq<T>>(m);
  if (m.has(Modifier::ne)) return flushing<T, ne<T>>(m);
  if (m.has(Modifier::lt)) return flushing<T, lt<T>>(m);
  if (m.has(Modifier::le)) return flushing<T, le<T>>(m);
  if (m.has(Modifier::gt)) return flushing<T, gt<T>>(m);
  if (m.has(Modifier::ge)) return flushing<T, ge<T>>(m);
  if (m.has(Modifier::equ)) return flushing<T, equ<T>>(m);
  if (m.has(Modifier::neu)) return flushing<T, neu<T>>(m);
  if (m.has(Modifier::ltu)) return flushing<T, ltu<T>>(m);
  if (m.has(Modifier::leu)) return flushing<T, leu<T>>(m);
  if (m.has(Modifier::gtu)) return flushing<T, gtu<T>>(m);
  if (m.has(Modifier::geu)) return flushing<T, geu<T>>(m);
  if (m.has(Modifier::num)) return flushing<T, ordered<T>>(m);
  if (m.has(Modifier::is_nan)) return flushing<T, unordered<T>>(m);
  return nullptr;
}

template <typename T>
void selp(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  T* d = warp.lanes<T>(op.d);
  const T* a = warp.lanes<T>(op.a);
  const T* b = warp.lanes<T>(op.b);
  const auto chosen = warp.predicate(op.c);
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = (chosen >> i & 1) != 0 ? a[i] : b[i]; });
}

// d = c >= 0 ? a : b
template <typename T, typename C>
T slct(T a, T b, C c) {
  return c >= 0 ? a : b;
}
template <typename T>
T slct_ftz(T a, T b, float c) {
  return flushed(c) >= 0 ? a : b;
}

template <typename T>
Handler sized(const Instruction& in) {
  if (in.opcode == Opcode::selp) return selp<T>;
  if (in.types[1] == Type::kS32) return ternary<T, T, T, std::int32_t, slct<T, std::int32_t>>;
  if (in.types[1] != Type::kF32) return nullptr;
  return in.modifiers.has(Modifier::ftz) ? ternary<T, T, T, float, slct_ftz<T>>
                                         : ternary<T, T, T, float, slct<T, float>>;
}

}  // namespace

Handler setp_handler(const Instruction& in) {
  switch (in.types[0]) {
    case Type::kB16:
    case Type::kU16:
      return integer_setp<std::uint16_t>(in.modifiers);
    case Type::kB32:
    case Type::kU32:
      return integer_setp<std::uint32_t>(in.modifiers);
    case Type::kB64:
    case Type::kU64:
      return integer_setp<std::uint64_t>(in.modifiers);
    case Type::kS16:
      return integer_setp<std::int16_t>(in.modifiers);
    case Type::kS32:
      return integer_setp<std::int32_t>(in.modifiers);
    case Type::kS64:
      return integer_setp<std::int64_t>(in.modifiers);
    case Type::kF32:
      return float_setp<float>(in.modifiers);
    case Type::kF64:
      return float_setp<double>(in.modifiers);
    default:
      return nullptr;
  }
}

Handler selection_handler(const Instruction& in) {
  switch (ptx::size_of(in.types[0])) {
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

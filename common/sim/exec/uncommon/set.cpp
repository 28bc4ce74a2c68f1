// SPDX-License-Identifier: Apache-2.0
// set, and setp of 16-bit floats (PTX ISA 9.0, 9.7.6 and 9.7.7).
//
// MicroOp::offset is the bit pattern of true (all ones, 1.0 as float or as a 16-bit float), and
// MicroOp::target is the operator that joins the result with predicate c: see Join. A pair of
// 16-bit floats is compared half by half; setp returns the lower half's result as p and the upper
// half's as q.

#include <cstdint>

#include "common/ptx/instruction_facts.h"
#include "common/sim/exec/compare.h"
#include "common/sim/exec/half_format.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Type;

std::uint32_t join(Warp& warp, const MicroOp& op, std::uint32_t value) {
  switch (static_cast<Join>(op.target)) {
    case Join::kAnd:
      return value & warp.predicate(op.c);
    case Join::kOr:
      return value | warp.predicate(op.c);
    case Join::kXor:
      return value ^ warp.predicate(op.c);
    default:
      return value;
  }
}

template <typename D, typename A, auto F>
void set(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto chosen = join(warp, op, compare_lanes<A, F>(warp.lanes<A>(op.a), warp.lanes<A>(op.b)));
  const auto yes = static_cast<D>(op.offset);
  D* d = warp.lanes<D>(op.d);
  for_each_lane(mask, [=](std::uint32_t i) { d[i] = (chosen >> i & 1) != 0 ? yes : D{0}; });
}

template <auto F, int kShift>
bool half_of(std::uint32_t a, std::uint32_t b) {
  return F(static_cast<std::uint16_t>(a >> kShift), static_cast<std::uint16_t>(b >> kShift));
}

// True has the bit pattern of one half.
template <auto F>
void set_pair(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  using P = std::uint32_t;
  const P* a = warp.lanes<P>(op.a);
  const P* b = warp.lanes<P>(op.b);
  const auto low = join(warp, op, compare_lanes<P, half_of<F, 0>>(a, b));
  const auto high = join(warp, op, compare_lanes<P, half_of<F, 16>>(a, b));
  const auto yes = static_cast<P>(op.offset) & 0xffff;
  P* d = warp.lanes<P>(op.d);
  for_each_lane(mask, [=](std::uint32_t i) {
    d[i] = (yes & (0 - (low >> i & 1))) | (yes << 16 & (0 - (high >> i & 1)));
  });
}

template <auto F>
void setp_half(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  using H = std::uint16_t;
  const auto bits = compare_lanes<H, F>(warp.lanes<H>(op.a), warp.lanes<H>(op.b));
  const auto p = join(warp, op, bits);
  const auto q = join(warp, op, ~bits);
  write_predicate(warp, op.d, mask, p);
  write_predicate(warp, op.p, mask, q);
}

template <auto F>
void setp_pair(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  using P = std::uint32_t;
  const P* a = warp.lanes<P>(op.a);
  const P* b = warp.lanes<P>(op.b);
  const auto low = join(warp, op, compare_lanes<P, half_of<F, 0>>(a, b));
  const auto high = join(warp, op, compare_lanes<P, half_of<F, 16>>(a, b));
  write_predicate(warp, op.d, mask, low);
  write_predicate(warp, op.p, mask, high);
}

template <typename Format, auto F, bool kFtz>
bool with_half(std::uint16_t a, std::uint16_t b) {
  const auto value = [](std::uint16_t bits) {
    if (kFtz && (bits & 0x7fff) < Format::kLeastNormal) bits &= kHalfSign;
    return widen<Format>(bits);
  };
  return F(value(a), value(b));
}

bool gives_predicate(const Instruction& in) {
  return ptx::facts(in).family == ptx::Family::kPredicate;
}

// The handler that writes the comparison F, by source type and kind of result.
template <typename T, auto F>
Handler plain(const Instruction& in) {
  return ptx::size_of(in.types[0]) == 2 ? set<std::uint16_t, T, F> : set<std::uint32_t, T, F>;
}

template <auto F>
Handler half_result(const Instruction& in, bool pair) {
  if (gives_predicate(in)) return pair ? setp_pair<F> : setp_half<F>;
  if (!pair) return plain<std::uint16_t, F>(in);
  return ptx::size_of(in.types[0]) == 4 ? set_pair<F> : nullptr;
}

template <typename Format, auto F>
Handler half(const Instruction& in, bool pair) {
  return in.modifiers.has(Modifier::ftz) ? half_result<with_half<Format, F, true>>(in, pair)
                                         : half_result<with_half<Format, F, false>>(in, pair);
}

template <auto F>
Handler float_source(const Instruction& in, Type source) {
  const bool pair = source == Type::kF16x2 || source == Type::kBf16x2;
  if (source == Type::kF16 || source == Type::kF16x2) return half<F16, F>(in, pair);
  if (source == Type::kBf16 || source == Type::kBf16x2) return half<Bf16, F>(in, pair);
  return in.modifiers.has(Modifier::ftz) ? plain<float, with_ftz<F>>(in) : plain<float, F>(in);
}

Handler float_set(const Instruction& in, Type source) {
  const auto& m = in.modifiers;
  if (m.has(Modifier::eq)) return float_source<eq<float>>(in, source);
  if (m.has(Modifier::ne)) return float_source<ne<float>>(in, source);
  if (m.has(Modifier::lt)) return float_source<lt<float>>(in, source);
  if (m.has(Modifier::le)) return float_source<le<float>>(in, source);
  if (m.has(Modifier::gt)) return float_source<gt<float>>(in, source);
  if (m.has(Modifier::ge)) return float_source<ge<float>>(in, source);
  if (m.has(Modifier::equ)) return float_source<equ<float>>(in, source);
  if (m.has(Modifier::neu)) return float_source<neu<float>>(in, source);
  if (m.has(Modifier::ltu)) return float_source<ltu<float>>(in, source);
  if (m.has(Modifier::leu)) return float_source<leu<float>>(in, source);
  if (m.has(Modifier::gtu)) return float_source<gtu<float>>(in, source);
  if (m.has(Modifier::geu)) return float_source<geu<float>>(in, source);
  if (m.has(Modifier::num)) return float_source<ordered<float>>(in, source);
  if (m.has(Modifier::is_nan)) return float_source<unordered<float>>(in, source);
  return nullptr;
}

Handler double_set(const Instruction& in) {
  const auto& m = in.modifiers;
  using D = double;
  if (m.has(Modifier::eq)) return plain<D, eq<D>>(in);
  if (m.has(Modifier::ne)) return plain<D, ne<D>>(in);
  if (m.has(Modifier::lt)) return plain<D, lt<D>>(in);
  if (m.has(Modifier::le)) return plain<D, le<D>>(in);
  if (m.has(Modifier::gt)) return plain<D, gt<D>>(in);
  if (m.has(Modifier::ge)) return plain<D, ge<D>>(in);
  if (m.has(Modifier::equ)) return plain<D, equ<D>>(in);
  if (m.has(Modifier::neu)) return plain<D, neu<D>>(in);
  if (m.has(Modifier::ltu)) return plain<D, ltu<D>>(in);
  if (m.has(Modifier::leu)) return plain<D, leu<D>>(in);
  if (m.has(Modifier::gtu)) return plain<D, gtu<D>>(in);
  if (m.has(Modifier::geu)) return plain<D, geu<D>>(in);
  if (m.has(Modifier::num)) return plain<D, ordered<D>>(in);
  return m.has(Modifier::is_nan) ? plain<D, unordered<D>>(in) : nullptr;
}

template <typename T>
Handler integer_set(const Instruction& in) {
  const auto& m = in.modifiers;
  if (m.has(Modifier::eq)) return plain<T, eq<T>>(in);
  if (m.has(Modifier::ne)) return plain<T, neu<T>>(in);
  if (m.has(Modifier::lt) || m.has(Modifier::lo)) return plain<T, lt<T>>(in);
  if (m.has(Modifier::le) || m.has(Modifier::ls)) return plain<T, le<T>>(in);
  if (m.has(Modifier::gt) || m.has(Modifier::hi)) return plain<T, gt<T>>(in);
  if (m.has(Modifier::ge) || m.has(Modifier::hs)) return plain<T, ge<T>>(in);
  return nullptr;
}

}  // namespace

Handler set_handler(const Instruction& in) {
  const bool is_setp = gives_predicate(in);
  const auto source = in.types[ptx::facts(in).compared_type.value()];
  switch (source) {
    case Type::kF16:
    case Type::kF16x2:
    case Type::kBf16:
    case Type::kBf16x2:
      return float_set(in, source);
    case Type::kF32:
      return is_setp ? nullptr : float_set(in, source);
    case Type::kF64:
      return is_setp ? nullptr : double_set(in);
    case Type::kB16:
    case Type::kU16:
      return integer_set<std::uint16_t>(in);
    case Type::kB32:
    case Type::kU32:
      return integer_set<std::uint32_t>(in);
    case Type::kB64:
    case Type::kU64:
      return integer_set<std::uint64_t>(in);
    case Type::kS16:
      return integer_set<std::int16_t>(in);
    case Type::kS32:
      return integer_set<std::int32_t>(in);
    case Type::kS64:
      return integer_set<std::int64_t>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

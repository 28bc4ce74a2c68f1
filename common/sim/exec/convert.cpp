// SPDX-License-Identifier: Apache-2.0
// cvt between integers of 8 to 64 bits, f32 and f64 (PTX ISA 9.0, 9.7.9.21).
//
// 8-bit values are held in 16 bits; the decoder extends results into wider registers. Conversion of
// a float to an integer clamps to the type's range; NaN becomes 0. cvt.f32.f16 is
// here as well, because kernels of the labs execute it often.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "common/sim/exec/half_format.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Type;

template <typename T>
using Held = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;

template <typename D, typename S, auto F>
void convert(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto* d = warp.lanes<Held<D>>(op.d);
  const auto* a = warp.lanes<Held<S>>(op.a);
  for_each_lane(mask,
                [=](std::uint32_t i) { d[i] = static_cast<Held<D>>(F(static_cast<S>(a[i]))); });
}

template <typename D, typename S>
D cast(S a) {
  return static_cast<D>(a);
}

template <typename D, typename S>
D clamp(S a) {
  // Compares with 64 bits and explicit signs, so no promotion can change a value.
  if (std::cmp_less(a, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (std::cmp_greater(a, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(a);
}

template <typename S>
S nearest(S a) {
  return std::nearbyint(a);
}
template <typename S>
S truncated(S a) {
  return std::trunc(a);
}
template <typename S>
S floored(S a) {
  return std::floor(a);
}
template <typename S>
S raised(S a) {
  return std::ceil(a);
}

template <typename S>
S flush(S a) {
  return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(S{0}, a) : a;
}

template <typename D, typename S, auto Round, bool kFtz>
D to_integer(S a) {
  if (a != a) {  // 0, or only the sign bit if either side has 64 bits
    if (sizeof(S) != 8 && sizeof(D) != 8) return 0;
    return static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1));
  }
  const S whole = Round(kFtz ? flush(a) : a);
  // 2^63 and 2^64 are exact in S, but the largest integers are not: compare with the power.
  const S limit = std::ldexp(S{1}, std::numeric_limits<D>::digits);
  if (whole >= limit) return std::numeric_limits<D>::max();
  if (whole < static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  return static_cast<D>(whole);
}

template <typename S, auto Round, bool kFtz, bool kSat>
S to_whole(S a) {
  S value = Round(kFtz ? flush(a) : a);
  if (kSat) value = value > 0 ? std::min(value, S{1}) : S{0};
  if constexpr (std::is_same_v<S, float>) {
    if (value != value) return std::bit_cast<float>(0x7fffffffU);
  }
  return value;
}

template <typename D, typename S, bool kFtz, bool kSat>
D between_floats(S a) {
  if constexpr (std::is_same_v<S, float>) {
    // Arithmetic on f32 has a single NaN; an unmodified f32 to f64 conversion keeps the payload.
    if ((kFtz || std::is_same_v<D, float>)&&!kSat && a != a) {
      return static_cast<D>(std::bit_cast<float>(0x7fffffffU));
    }
  }
  D value = static_cast<D>(kFtz ? flush(a) : a);
  if (kFtz) value = flush(value);
  if (kSat) value = value > 0 ? std::min(value, D{1}) : D{0};
  return value;
}

template <typename D, typename S>
Handler integers(const Instruction& in) {
  return in.modifiers.has(Modifier::sat) ? convert<D, S, clamp<D, S>> : convert<D, S, cast<D, S>>;
}

template <typename D, typename S, bool kFtz>
Handler rounding_to_integer(const ptx::ModifierSet& m) {
  if (m.has(Modifier::rni)) return convert<D, S, to_integer<D, S, nearest<S>, kFtz>>;
  if (m.has(Modifier::rzi)) return convert<D, S, to_integer<D, S, truncated<S>, kFtz>>;
  if (m.has(Modifier::rmi)) return convert<D, S, to_integer<D, S, floored<S>, kFtz>>;
  if (m.has(Modifier::rpi)) return convert<D, S, to_integer<D, S, raised<S>, kFtz>>;
  return nullptr;
}

template <typename D>
Handler to_integer_type(const Instruction& in) {
  const bool ftz = in.modifiers.has(Modifier::ftz);
  switch (in.types[1]) {
    case Type::kU8:
      return integers<D, std::uint8_t>(in);
    case Type::kS8:
      return integers<D, std::int8_t>(in);
    case Type::kU16:
      return integers<D, std::uint16_t>(in);
    case Type::kS16:
      return integers<D, std::int16_t>(in);
    case Type::kU32:
      return integers<D, std::uint32_t>(in);
    case Type::kS32:
      return integers<D, std::int32_t>(in);
    case Type::kU64:
      return integers<D, std::uint64_t>(in);
    case Type::kS64:
      return integers<D, std::int64_t>(in);
    case Type::kF32:
      return ftz ? rounding_to_integer<D, float, true>(in.modifiers)
                 : rounding_to_integer<D, float, false>(in.modifiers);
    case Type::kF64:
      return ftz ? nullptr : rounding_to_integer<D, double, false>(in.modifiers);
    default:
      return nullptr;
  }
}

template <typename S, bool kFtz, bool kSat>
Handler whole_float(const ptx::ModifierSet& m) {
  if (m.has(Modifier::rni)) return convert<S, S, to_whole<S, nearest<S>, kFtz, kSat>>;
  if (m.has(Modifier::rzi)) return convert<S, S, to_whole<S, truncated<S>, kFtz, kSat>>;
  if (m.has(Modifier::rmi)) return convert<S, S, to_whole<S, floored<S>, kFtz, kSat>>;
  if (m.has(Modifier::rpi)) return convert<S, S, to_whole<S, raised<S>, kFtz, kSat>>;
  return convert<S, S, between_floats<S, S, kFtz, kSat>>;
}

template <typename D, typename S>
Handler float_from_float(const ptx::ModifierSet& m) {
  const bool ftz = m.has(Modifier::ftz);
  const bool sat = m.has(Modifier::sat);
  if constexpr (std::is_same_v<D, S>) {
    if (ftz) return sat ? whole_float<S, true, true>(m) : whole_float<S, true, false>(m);
    return sat ? whole_float<S, false, true>(m) : whole_float<S, false, false>(m);
  } else {
    if (ftz && sat) return rounded<convert<D, S, between_floats<D, S, true, true>>>(m);
    if (ftz) return rounded<convert<D, S, between_floats<D, S, true, false>>>(m);
    if (sat) return rounded<convert<D, S, between_floats<D, S, false, true>>>(m);
    return rounded<convert<D, S, between_floats<D, S, false, false>>>(m);
  }
}

template <typename D, typename S>
D saturated_cast(S a) {
  const D value = static_cast<D>(a);
  return value > 0 ? std::min(value, D{1}) : D{0};
}

template <typename D, typename S>
Handler float_from_integer(const ptx::ModifierSet& m) {
  if (m.has(Modifier::sat)) return rounded<convert<D, S, saturated_cast<D, S>>>(m);
  return rounded<convert<D, S, cast<D, S>>>(m);
}

template <typename D>
Handler to_float_type(const Instruction& in) {
  switch (in.types[1]) {
    case Type::kU8:
      return float_from_integer<D, std::uint8_t>(in.modifiers);
    case Type::kS8:
      return float_from_integer<D, std::int8_t>(in.modifiers);
    case Type::kU16:
      return float_from_integer<D, std::uint16_t>(in.modifiers);
    case Type::kS16:
      return float_from_integer<D, std::int16_t>(in.modifiers);
    case Type::kU32:
      return float_from_integer<D, std::uint32_t>(in.modifiers);
    case Type::kS32:
      return float_from_integer<D, std::int32_t>(in.modifiers);
    case Type::kU64:
      return float_from_integer<D, std::uint64_t>(in.modifiers);
    case Type::kS64:
      return float_from_integer<D, std::int64_t>(in.modifiers);
    case Type::kF32:
      return float_from_float<D, float>(in.modifiers);
    case Type::kF64:
      return float_from_float<D, double>(in.modifiers);
    default:
      return nullptr;
  }
}

}  // namespace

Handler convert_handler(const Instruction& in) {
  if (in.modifiers.has(Modifier::satfinite) || in.modifiers.has(Modifier::rna)) return nullptr;
  switch (in.types[0]) {
    case Type::kU8:
      return to_integer_type<std::uint8_t>(in);
    case Type::kS8:
      return to_integer_type<std::int8_t>(in);
    case Type::kU16:
      return to_integer_type<std::uint16_t>(in);
    case Type::kS16:
      return to_integer_type<std::int16_t>(in);
    case Type::kU32:
      return to_integer_type<std::uint32_t>(in);
    case Type::kS32:
      return to_integer_type<std::int32_t>(in);
    case Type::kU64:
      return to_integer_type<std::uint64_t>(in);
    case Type::kS64:
      return to_integer_type<std::int64_t>(in);
    case Type::kF32:
      if (in.types[1] == Type::kF16 && !in.modifiers.has(Modifier::sat) &&
          !in.modifiers.has(Modifier::ftz)) {
        return unary<float, std::uint16_t, float_of_half>;
      }
      return to_float_type<float>(in);
    case Type::kF64:
      return to_float_type<double>(in);
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim

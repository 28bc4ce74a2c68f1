// SPDX-License-Identifier: Apache-2.0
// mma and wmma.mma: d = a * b + c of one warp (PTX ISA 9.0, 9.7.14).
//
// Fragments are gathered into matrices, with sources sorted by their outer direction so that dot
// products read adjacent elements. Floats are added as tensor cores do. f64 uses fma in the order
// of k, like an H200. Integers are exact, and at the end truncated to 32 bits or, with
// .satfinite, clamped.
#include "common/sim/exec/uncommon/mma.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "common/sim/exec/handlers.h"
#include "common/sim/exec/uncommon/matrix_fragment.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

constexpr int kSourceFraction = 10;
constexpr int kSumFraction = 23;
constexpr std::int16_t kNoExponent = -4096;
constexpr int kLeastExponent = -133;

using Kind = TensorNumber::Kind;

/// A binary format of IEEE 754.
struct Layout {
  int exponent_bits;
  int mantissa_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t infinity() const { return ((1U << exponent_bits) - 1) << mantissa_bits; }
  constexpr std::uint32_t nan() const { return infinity() | ((1U << mantissa_bits) - 1); }
};

constexpr Layout kHalf{5, 10};
constexpr Layout kBrain{8, 7};
constexpr Layout kTensor{8, 10};
constexpr Layout kSingle{8, 23};

// The number with these `bits`; its significand has `fraction` fraction bits.
TensorNumber number(const Layout& layout, std::uint32_t bits, int fraction) {
  const int m = layout.mantissa_bits;
  const auto mantissa = static_cast<std::int32_t>(bits & ((1U << m) - 1));
  const auto exponent = static_cast<int>(bits >> m & ((1U << layout.exponent_bits) - 1));
  const bool negative = (bits >> (m + layout.exponent_bits) & 1) != 0;
  TensorNumber out;
  if (exponent == (1 << layout.exponent_bits) - 1) {
    out.kind = mantissa != 0 ? Kind::kNan : Kind::kInfinite;
    out.significand = negative ? -1 : 1;
    return out;
  }
  const auto magnitude = (exponent == 0 ? mantissa : mantissa | 1 << m) << (fraction - m);
  out.significand = negative ? -magnitude : magnitude;
  out.exponent = magnitude == 0 ? kNoExponent
                                : static_cast<std::int16_t>(std::max(exponent, 1) - layout.bias());
  return out;
}

// magnitude * 2^place in a format; bits below its last place are truncated or rounded to nearest
// even.
std::uint32_t assembled(const Layout& layout, bool negative, std::uint64_t magnitude, int place,
                        bool rounds) {
  const int m = layout.mantissa_bits;
  const int least = 1 - layout.bias();
  const int leading = place + static_cast<int>(std::bit_width(magnitude)) - 1;
  const int drop = std::max(leading, least) - m - place;
  std::uint64_t kept = drop <= 0 ? magnitude << -drop : drop > 63 ? 0 : magnitude >> drop;
  if (rounds && drop > 0 && drop < 64) {
    const auto rest = magnitude - (kept << drop);
    const auto half = std::uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  if (kept == 0) return 0;
  // A carry out of the mantissa raises the exponent.
  const auto bits = (static_cast<std::uint64_t>(std::max(leading, least) - least) << m) + kept;
  const auto sign = static_cast<std::uint32_t>(negative) << (m + layout.exponent_bits);
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, layout.infinity()));
}

// The result if some summand is not finite.
std::uint32_t special_sum(const TensorNumber* a, const TensorNumber* b, std::uint32_t count,
                          const TensorNumber& addend, const Layout& layout) {
  bool nan = addend.kind == Kind::kNan;
  bool positive = addend.kind == Kind::kInfinite && addend.significand > 0;
  bool negative = addend.kind == Kind::kInfinite && addend.significand < 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    nan |= a[i].kind == Kind::kNan || b[i].kind == Kind::kNan;
    if (a[i].kind != Kind::kInfinite && b[i].kind != Kind::kInfinite) continue;
    const bool is_zero = a[i].significand == 0 || b[i].significand == 0;
    nan |= is_zero;
    const bool is_negative = (a[i].significand < 0) != (b[i].significand < 0);
    (is_negative ? negative : positive) = true;
  }
  if (nan || (positive && negative)) return layout.nan();
  return layout.infinity() | static_cast<std::uint32_t>(negative)
                                 << (layout.mantissa_bits + layout.exponent_bits);
}

}  // namespace

TensorRule tensor_rule(std::string_view target) {
  const auto number =
      std::atoi(std::string(target.substr(std::min<std::size_t>(3, target.size()))).c_str());
  if (number >= 90) return {25, 16, 8};
  return {24, 8, 4};
}

namespace {

// tensor_source() and tensor_addend(), in a form that the compiler may inline.
TensorNumber source_number(Element element, std::uint32_t bits) {
  switch (element) {
    case Element::kBf16:
      return number(kBrain, bits, kSourceFraction);
    case Element::kTf32:  // the lowest 13 bits do not count
      return number(kTensor, bits >> (kSingle.mantissa_bits - kTensor.mantissa_bits),
                    kSourceFraction);
    default:
      return number(kHalf, bits, kSourceFraction);
  }
}

TensorNumber addend_number(Element element, std::uint32_t bits) {
  return number(element == Element::kF16 ? kHalf : kSingle, bits, kSumFraction);
}

}  // namespace

TensorNumber tensor_source(Element element, std::uint32_t bits) {
  return source_number(element, bits);
}

TensorNumber tensor_addend(Element element, std::uint32_t bits) {
  return addend_number(element, bits);
}

std::uint32_t tensor_step(const TensorNumber* a, const TensorNumber* b, std::uint32_t count,
                          const TensorNumber& addend, const TensorRule& rule, Element result) {
  const auto& layout = result == Element::kF16 ? kHalf : kSingle;
  bool finite = addend.kind == Kind::kFinite;
  int largest = std::max<int>(addend.exponent, kLeastExponent);
  for (std::uint32_t i = 0; i < count; ++i) {
    finite &= a[i].kind == Kind::kFinite && b[i].kind == Kind::kFinite;
    largest = std::max(largest, a[i].exponent + b[i].exponent);
  }
  if (!finite) return special_sum(a, b, count, addend, layout);
  // Magnitudes without signs, because truncation is towards zero.
  std::int64_t sum = 0;
  const auto add = [&](std::int64_t significand, int exponent, int fraction) {
    const auto magnitude = static_cast<std::uint64_t>(std::abs(significand))
                           << (rule.fraction_bits - fraction);
    const auto aligned = static_cast<std::int64_t>(magnitude >> std::min(largest - exponent, 63));
    sum += significand < 0 ? -aligned : aligned;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    add(std::int64_t{a[i].significand} * b[i].significand, a[i].exponent + b[i].exponent,
        2 * kSourceFraction);
  }
  add(addend.significand, addend.exponent, kSumFraction);
  if (sum == 0) return 0;
  return assembled(layout, sum < 0, static_cast<std::uint64_t>(std::abs(sum)),
                   largest - rule.fraction_bits, result == Element::kF16);
}

std::uint32_t round_to_f16(std::uint32_t f32_bits) {
  const auto value = number(kSingle, f32_bits, kSumFraction);
  const auto sign = f32_bits >> 31 << 15;
  if (value.kind == Kind::kNan) return kHalf.nan();
  if (value.kind == Kind::kInfinite) return sign | kHalf.infinity();
  if (value.significand == 0) return sign;
  return sign | assembled(kHalf, false, static_cast<std::uint64_t>(std::abs(value.significand)),
                          value.exponent - kSumFraction, true);
}

std::uint32_t widen_f16(std::uint32_t f16_bits) {
  const auto value = number(kHalf, f16_bits, kSumFraction);
  const auto sign = f16_bits >> 15 << 31;
  if (value.kind == Kind::kNan) return kSingle.nan();
  if (value.kind == Kind::kInfinite) return sign | kSingle.infinity();
  if (value.significand == 0) return sign;
  return sign | assembled(kSingle, false, static_cast<std::uint64_t>(std::abs(value.significand)),
                          value.exponent - kSumFraction, false);
}

namespace {

// Fragments are gathered into matrices, with sources sorted by their outer direction so that dot
// products read adjacent elements. tensor_sum() adds floats; f64 uses fma in the order of k, like
// an H200; integers are exact, and at the end truncated to 32 bits or, with .satfinite, clamped.

using ptx::Instruction;

constexpr std::uint32_t kMostOuter = 32;  // rows of a, or columns of b, for any shape
constexpr std::uint32_t kMostInner = 32;  // k for any shape
constexpr std::uint32_t kMostResults = 256;

template <typename T>
using Source = T[kMostOuter][kMostInner];

// Calls body(row, k, bits) for each element of a, or body(column, k, bits) for b.
template <typename Body>
void for_each_source(Warp& warp, const MatrixOp& op, MatrixOp::Operand operand, const Body& body) {
  const bool is_a = operand == MatrixOp::Operand::kA;
  const auto& slots = is_a ? op.a_slots : op.b_slots;
  const auto fragment = source_fragment(op, operand);
  const auto bits = 32 / fragment.elements;
  const auto mask = bits == 32 ? ~0U : (1U << bits) - 1;
  for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
    const auto* words = warp.lanes<std::uint32_t>(slots[unit]);
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      for (std::uint32_t e = 0; e < fragment.elements; ++e) {
        const auto place = fragment.place(unit, lane, e);
        body(place.outer, place.inner, words[lane] >> (bits * e) & mask);
      }
    }
  }
}

// Calls body(row, column, unit, lane, element) for each element of c or d.
template <typename Body>
void for_each_result(const MatrixOp& op, const Body& body) {
  const auto fragment = result_fragment(op);
  const bool exchanged = is_exchanged(op);
  for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
    const auto first = fragment.origin(unit);
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      for (std::uint32_t e = 0; e < fragment.elements; ++e) {
        const auto place = fragment.place(first, lane, e);
        if (exchanged) {
          body(place.inner, place.outer, unit, lane, e);
        } else {
          body(place.outer, place.inner, unit, lane, e);
        }
      }
    }
  }
}

// Rows of c, and then of d.
using Results = std::uint32_t[kMostOuter][kMostOuter];

// d = what `compute` makes of the elements of c, for results of 32 bits and pairs of 16. Reads all
// of c before it writes, because d may share its registers.
template <typename Compute>
void write_results(Warp& warp, const MatrixOp& op, const Compute& compute) {
  Results results;
  for_each_result(op, [&](auto row, auto column, auto unit, auto lane, auto e) {
    results[row][column] =
        op.c == Element::kF16
            ? warp.lanes<std::uint32_t>(op.c_slots[unit])[lane] >> (16 * e) & 0xffff
            : warp.lanes<std::uint32_t>(op.c_slots[2 * unit + e])[lane];
  });
  compute(results);
  for_each_result(op, [&](auto row, auto column, auto unit, auto lane, auto e) {
    const auto value = results[row][column];
    if (op.d != Element::kF16) {
      warp.lanes<std::uint32_t>(op.d_slots[2 * unit + e])[lane] = value;
      return;
    }
    auto& word = warp.lanes<std::uint32_t>(op.d_slots[unit])[lane];
    word = e == 0 ? value : word | value << 16;
  });
}

// Neighbouring columns are computed side by side, in vectors of the compiler: left to itself, GCC
// 12 makes vectors of k, whose sums need shuffles. Every shape has a multiple of these columns.
constexpr std::uint32_t kColumns = 8;

using Words [[gnu::vector_size(4 * kColumns)]] = std::uint32_t;
using Ints [[gnu::vector_size(4 * kColumns)]] = std::int32_t;
using Floats [[gnu::vector_size(4 * kColumns)]] = float;
using Longs [[gnu::vector_size(8 * kColumns)]] = std::int64_t;
using Doubles [[gnu::vector_size(8 * kColumns)]] = double;

template <typename Vector, typename T>
Vector vector_at(const T* from) {
  Vector out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

bool is_any(const Ints& mask) {
  std::int32_t any = 0;
  for (std::uint32_t i = 0; i < kColumns; ++i) any |= mask[i];
  return any != 0;
}

Doubles power_of_two(const Ints& exponents) {
  return std::bit_cast<Doubles>(__builtin_convertvector(exponents + 1023, Longs) << 52);
}

// Finite numbers: their values, and their exponents as number() has them.
struct Numbers {
  Doubles values;
  Ints exponents;
  Ints are_special;  ///< Masks: infinities and NaNs, whose value does not count.
};

template <Layout kLayout>
Numbers numbers(const Words& words) {
  constexpr int m = kLayout.mantissa_bits;
  constexpr std::int32_t special = (1 << kLayout.exponent_bits) - 1;
  const auto bits = std::bit_cast<Ints>(words);
  const Ints field = bits >> m & special;
  const Ints magnitude = (bits & ((1 << m) - 1)) | ((field != 0) & (1 << m));
  const Ints exponents = field - (field == 0) - kLayout.bias();
  const Ints sign = bits << (31 - m - kLayout.exponent_bits) >> 31;
  Numbers out;
  out.values =
      __builtin_convertvector((magnitude ^ sign) - sign, Doubles) * power_of_two(exponents - m);
  const Ints is_zero = magnitude == 0;
  out.exponents = (exponents & ~is_zero) | (is_zero & kNoExponent);
  out.are_special = field == special;
  return out;
}

// The numbers of both sources if all are finite; those of b by rows, so that columns are adjacent.
struct FiniteSources {
  Source<double> a;
  Source<std::int32_t> a_exponents;
  double b[kMostInner][kMostOuter];
  std::int32_t b_exponents[kMostInner][kMostOuter];
  bool is_finite = true;

  FiniteSources(Warp& warp, const MatrixOp& op) {
    read(warp, op, MatrixOp::Operand::kA, op.a, [&](auto row, auto k, auto value, auto exponent) {
      a[row][k] = value;
      a_exponents[row][k] = exponent;
    });
    read(warp, op, MatrixOp::Operand::kB, op.b,
         [&](auto column, auto k, auto value, auto exponent) {
           b[k][column] = value;
           b_exponents[k][column] = exponent;
         });
  }

 private:
  template <typename Body>
  void read(Warp& warp, const MatrixOp& op, MatrixOp::Operand operand, Element element,
            const Body& body) {
    const auto& slots = operand == MatrixOp::Operand::kA ? op.a_slots : op.b_slots;
    const auto fragment = source_fragment(op, operand);
    Ints are_special = {};
    for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
      const auto* words = warp.lanes<std::uint32_t>(slots[unit]);
      const auto first = fragment.origin(unit);
      for (std::uint32_t lane = 0; lane < run::kWarpSize; lane += kColumns) {
        for (std::uint32_t e = 0; e < fragment.elements; ++e) {
          const auto bits = vector_at<Words>(words + lane) >> (16 * e);
          // The lowest 13 bits of a tf32 do not count.
          constexpr auto kUnused = kSingle.mantissa_bits - kTensor.mantissa_bits;
          const auto some = element == Element::kBf16   ? numbers<kBrain>(bits)
                            : element == Element::kTf32 ? numbers<kTensor>(bits >> kUnused)
                                                        : numbers<kHalf>(bits);
          are_special |= some.are_special;
          for (std::uint32_t i = 0; i < kColumns; ++i) {
            const auto place = fragment.place(first, lane + i, e);
            body(place.outer, place.inner, some.values[i], some.exponents[i]);
          }
        }
      }
    }
    is_finite &= !is_any(are_special);
  }
};

// tensor_step() for kColumns columns of a row, with finite products and sums. Returns false, and
// changes nothing, if a sum is not finite.
//
// Scaled by a power of two, a number is its aligned significand before bits are cut off, and a
// conversion to an integer cuts off towards zero, too. A double holds each product and each scaled
// product exactly. A scaled product has 27 bits, so 16 of them fit in 32 bits.
bool finite_step(const FiniteSources& sources, std::uint32_t row, std::uint32_t column,
                 std::uint32_t first, const MatrixOp& op, Element format,
                 std::uint32_t (&sums)[kColumns]) {
  const auto bits = vector_at<Words>(sums);
  const auto addends = format == Element::kF16 ? numbers<kHalf>(bits) : numbers<kSingle>(bits);
  if (is_any(addends.are_special)) return false;
  Ints largest = addends.exponents;
  largest = largest < kLeastExponent ? Ints{} + kLeastExponent : largest;
  for (auto k = first; k < first + op.step; ++k) {
    const Ints exponents =
        vector_at<Ints>(sources.b_exponents[k] + column) + sources.a_exponents[row][k];
    largest = largest < exponents ? exponents : largest;
  }
  const auto scales = power_of_two(op.rule.fraction_bits - largest);
  Ints products = {};
  for (auto k = first; k < first + op.step; ++k) {
    products += __builtin_convertvector(
        vector_at<Doubles>(sources.b[k] + column) * sources.a[row][k] * scales, Ints);
  }
  const Ints addend = __builtin_convertvector(addends.values * scales, Ints);
  const Ints places = largest - op.rule.fraction_bits;
  // A double without its last 29 bits is a float, unless it is too large or too small for one.
  const auto total =
      __builtin_convertvector(products, Doubles) + __builtin_convertvector(addend, Doubles);
  const auto exact = std::bit_cast<Longs>(total * power_of_two(places));
  constexpr auto kMoreBits = 52 - kSingle.mantissa_bits;
  const Longs magnitude = exact & std::numeric_limits<std::int64_t>::max();
  const Longs is_float = (magnitude == 0) | ((magnitude >= std::bit_cast<std::int64_t>(0x1p-126)) &
                                             (magnitude < std::bit_cast<std::int64_t>(0x1p128)));
  if (format != Element::kF16 && !is_any(__builtin_convertvector(~is_float, Ints))) {
    const auto cut = std::bit_cast<Doubles>(exact >> kMoreBits << kMoreBits);
    const Floats floats = __builtin_convertvector(cut, Floats);
    std::memcpy(sums, &floats, sizeof sums);
    return true;
  }
  const auto& layout = format == Element::kF16 ? kHalf : kSingle;
  for (std::uint32_t i = 0; i < kColumns; ++i) {
    const auto sum = std::int64_t{products[i]} + addend[i];
    sums[i] = assembled(layout, sum < 0, static_cast<std::uint64_t>(std::abs(sum)), places[i],
                        format == Element::kF16);
  }
  return true;
}

// The numbers of both sources, of any kind.
struct Sources {
  Source<TensorNumber> a;
  Source<TensorNumber> b;

  Sources(Warp& warp, const MatrixOp& op) {
    for_each_source(warp, op, MatrixOp::Operand::kA,
                    [&](auto row, auto k, auto bits) { a[row][k] = source_number(op.a, bits); });
    for_each_source(warp, op, MatrixOp::Operand::kB, [&](auto column, auto k, auto bits) {
      b[column][k] = source_number(op.b, bits);
    });
  }
};

void multiply_floats(Warp& warp, const MicroOp& micro_op, std::uint32_t mask) {
  if (!whole_warp(warp, micro_op, mask)) return;
  const auto& op = matrix_of(warp, micro_op);
  const FiniteSources finite(warp, op);
  std::optional<Sources> sources;  // read when needed first
  // If c and d differ, sums are f32 and one of the two is converted, as in ptxas code.
  const auto format =
      op.c == Element::kF16 && op.d == Element::kF16 ? Element::kF16 : Element::kF32;
  const auto step = [&](auto row, auto column, auto k, std::uint32_t(&sums)[kColumns]) {
    if (finite.is_finite && finite_step(finite, row, column, k, op, format, sums)) return;
    if (!sources) sources.emplace(warp, op);
    for (std::uint32_t i = 0; i < kColumns; ++i) {
      sums[i] = tensor_step(sources->a[row] + k, sources->b[column + i] + k, op.step,
                            addend_number(format, sums[i]), op.rule, format);
    }
  };
  write_results(warp, op, [&](Results& results) {
    for (std::uint32_t row = 0; row < op.m; ++row) {
      for (std::uint32_t column = 0; column < op.n; column += kColumns) {
        std::uint32_t sums[kColumns];
        std::copy_n(results[row] + column, kColumns, sums);
        if (op.c != format) std::transform(sums, sums + kColumns, sums, widen_f16);
        for (std::uint32_t k = 0; k < op.k; k += op.step) step(row, column, k, sums);
        if (op.d != format) std::transform(sums, sums + kColumns, sums, round_to_f16);
        std::copy_n(sums, kColumns, results[row] + column);
      }
    }
  });
}

std::int32_t integer(Element element, std::uint32_t bits) {
  return element == Element::kS8 ? static_cast<std::int8_t>(bits) : static_cast<std::int32_t>(bits);
}

void multiply_integers(Warp& warp, const MicroOp& micro_op, std::uint32_t mask) {
  if (!whole_warp(warp, micro_op, mask)) return;
  const auto& op = matrix_of(warp, micro_op);
  Source<std::int32_t> a;
  Source<std::int32_t> b;
  for_each_source(warp, op, MatrixOp::Operand::kA,
                  [&](auto row, auto k, auto bits) { a[row][k] = integer(op.a, bits); });
  for_each_source(warp, op, MatrixOp::Operand::kB,
                  [&](auto column, auto k, auto bits) { b[column][k] = integer(op.b, bits); });
  using Limits = std::numeric_limits<std::int32_t>;
  write_results(warp, op, [&](Results& results) {
    for (std::uint32_t row = 0; row < op.m; ++row) {
      for (std::uint32_t column = 0; column < op.n; ++column) {
        std::int64_t sum = static_cast<std::int32_t>(results[row][column]);
        for (std::uint32_t k = 0; k < op.k; ++k) sum += a[row][k] * b[column][k];
        if (op.saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
        results[row][column] = static_cast<std::uint32_t>(sum);
      }
    }
  });
}

// a * b + c rounded once; of several NaNs the first of b, c and a is returned, made quiet.
double fused(double a, double b, double c) {
  const auto sum = std::fma(a, b, c);
  if (!std::isnan(sum)) return sum;
  constexpr auto kQuiet = std::uint64_t{1} << 51;
  for (const auto source : {b, c, a}) {
    if (std::isnan(source)) {
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(source) | kQuiet);
    }
  }
  return sum;
}

void multiply_doubles(Warp& warp, const MicroOp& micro_op, std::uint32_t mask) {
  if (!whole_warp(warp, micro_op, mask)) return;
  const auto& op = matrix_of(warp, micro_op);
  Source<double> a;
  Source<double> b;
  const auto gather = [&](MatrixOp::Operand operand, const auto& slots, auto& to) {
    const auto fragment = source_fragment(op, operand);
    for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
      for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
        const auto place = fragment.place(unit, lane, 0);
        to[place.outer][place.inner] = warp.lanes<double>(slots[unit])[lane];
      }
    }
  };
  gather(MatrixOp::Operand::kA, op.a_slots, a);
  gather(MatrixOp::Operand::kB, op.b_slots, b);
  double results[kMostResults];
  std::uint32_t count = 0;
  for_each_result(op, [&](auto row, auto column, auto unit, auto lane, auto e) {
    double sum = warp.lanes<double>(op.c_slots[2 * unit + e])[lane];
    for (std::uint32_t k = 0; k < op.k; ++k) sum = fused(a[row][k], b[column][k], sum);
    results[count++] = sum;
  });
  // First reads all of c, because d may share its registers.
  count = 0;
  for_each_result(op, [&](auto, auto, auto unit, auto lane, auto e) {
    warp.lanes<double>(op.d_slots[2 * unit + e])[lane] = results[count++];
  });
}

}  // namespace

Handler mma_handler(const Instruction& in) {
  switch (in.types[0]) {
    case ptx::Type::kS32:
      return multiply_integers;
    case ptx::Type::kF64:
      return multiply_doubles;
    default:
      return multiply_floats;
  }
}

}  // namespace warpgrade::sim

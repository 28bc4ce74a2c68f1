// SPDX-License-Identifier: Apache-2.0
// The operations of random programs in inline assembly.
//
// Excluded are operations that ptxas 13.0 compiles wrongly, as its machine code shows:
// - neg.s16 and abs.s16 of -32768 become 32768 if they are widened;
// - and, or, xor of a lop3 that has one source twice can get a wrong table;
// - setp.ftz loses its .ftz if it is combined with another predicate;
// - a product that only cvt.ftz.f64.f32 reads has its sources flushed;
// - cvt.sat of a 64-bit integer made from an f32 becomes one conversion, which differs for NaN.
#include <fmt/format.h>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {
namespace {

constexpr auto kSame = OperationList::kSame;
using Kinds = std::vector<Kind>;

const Kinds kWords = {Kind::kU32, Kind::kS32};
const Kinds kWide = {Kind::kU32, Kind::kS32, Kind::kU64, Kind::kS64};
const Kinds kIntegers = {Kind::kU16, Kind::kS16, Kind::kU32, Kind::kS32, Kind::kU64, Kind::kS64};
const Kinds kFloats = {Kind::kF32, Kind::kF64};
const Kinds kF16 = {Kind::kF16, Kind::kF16x2};
const Kinds kBf16 = {Kind::kBf16, Kind::kBf16x2};

void add_integers(OperationList& list) {
  for (const auto* op : {"mul.hi", "mul.lo", "div", "rem", "min", "max"}) {
    list.each(kIntegers, fmt::format("{}.$P %0, %1, %2;", op), {kSame, kSame});
  }
  list.each(kIntegers, "mad.lo.$P %0, %1, %2, %3;", {kSame, kSame, kSame});
  list.each(kIntegers, "mad.hi.$P %0, %1, %2, %3;", {kSame, kSame, kSame});
  list.each(kIntegers, "sad.$P %0, %1, %2, %3;", {kSame, kSame, kSame});
  list.each({Kind::kS32, Kind::kS64}, "abs.$P %0, %1;", {kSame});
  list.each({Kind::kS32, Kind::kS64}, "neg.$P %0, %1;", {kSame});
  list.each({Kind::kS32}, "add.sat.s32 %0, %1, %2;", {kSame, kSame});
  list.each({Kind::kS32}, "sub.sat.s32 %0, %1, %2;", {kSame, kSame});
  list.each({Kind::kS32}, "mad.hi.sat.s32 %0, %1, %2, %3;", {kSame, kSame, kSame});
  list.each({Kind::kU32}, "mul.wide.u16 %0, %1, %2;", {Kind::kU16, Kind::kU16});
  list.each({Kind::kS64}, "mad.wide.s32 %0, %1, %2, %3;", {Kind::kS32, Kind::kS32, kSame});
  for (const auto* half : {"lo", "hi"}) {
    list.each(kWords, fmt::format("mul24.{}.$P %0, %1, %2;", half), {kSame, kSame});
    list.each(kWords, fmt::format("mad24.{}.$P %0, %1, %2, %3;", half), {kSame, kSame, kSame});
    list.each(kWords, fmt::format("dp2a.{}.u32.$P %0, %1, %2, %3;", half),
              {Kind::kU32, kSame, kSame});
  }
  list.each(kWords, "dp4a.$P.u32 %0, %1, %2, %3;", {kSame, Kind::kU32, kSame});
  list.each_to(Kind::kU32, kWide, "bfind.$P %0, %1;", {kSame});
  list.each_to(Kind::kU32, kWide, "bfind.shiftamt.$P %0, %1;", {kSame});
  list.each(kWide, "bfe.$P %0, %1, %2, %3;", {kSame, Kind::kU32, Kind::kU32});
  // If position or length is an immediate beyond the word size, ptxas folds bfi differently than
  // the hardware computes it.
  list.each({Kind::kU32, Kind::kU64},
            "{ .reg .b32 p, l; and.b32 p, %3, 31; and.b32 l, %4, 31; bfi.b$W %0, %1, %2, p, l; }",
            {kSame, kSame, Kind::kU32, Kind::kU32});
  for (const auto* mode : {"clamp", "wrap"}) {
    list.each({Kind::kU32}, fmt::format("bmsk.{}.b32 %0, %1, %2;", mode), {kSame, kSame});
    list.each(kWords, fmt::format("szext.{}.$P %0, %1, %2;", mode), {kSame, Kind::kU32});
    list.each({Kind::kU32}, fmt::format("shf.l.{}.b32 %0, %1, %2, %3;", mode),
              {kSame, kSame, kSame});
    list.each({Kind::kU32}, fmt::format("shf.r.{}.b32 %0, %1, %2, %3;", mode),
              {kSame, kSame, kSame});
  }
  for (const auto* mode : {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}) {
    list.each({Kind::kU32}, fmt::format("prmt.b32{} %0, %1, %2, %3;", mode), {kSame, kSame, kSame});
  }
  for (const auto kind : {Kind::kU16, Kind::kU32, Kind::kU64}) {
    list.each({kind}, "cnot.b$W %0, %1;", {kSame});
    list.each({kind}, "shl.b$W %0, %1, %2;", {kSame, Kind::kU32});
  }
  list.each(kIntegers, "shr.$P %0, %1, %2;", {kSame, Kind::kU32});
  const auto carried = [&](const char* low, const char* high) {
    list.each({Kind::kU64},
              fmt::format("{{ .reg .u32 a, b, c, d, r, s; mov.b64 {{a, b}}, %1; "
                          "mov.b64 {{c, d}}, %2; {}; {}; mov.b64 %0, {{r, s}}; }}",
                          low, high),
              {kSame, kSame});
  };
  carried("add.cc.u32 r, a, c", "addc.u32 s, b, d");
  carried("sub.cc.u32 r, a, c", "subc.u32 s, b, d");
  carried("mad.lo.cc.u32 r, a, c, b", "madc.hi.u32 s, a, c, d");
}

void add_comparisons(OperationList& list) {
  for (const auto* compare : {"lt", "ge", "ne"}) {
    list.each_to(Kind::kU32, kWide, fmt::format("set.{}.u32.$P %0, %1, %2;", compare),
                 {kSame, kSame});
    list.each_to(Kind::kU32, kIntegers,
                 fmt::format("{{ .reg .pred p, q; setp.ne.u32 q, %3, 0; setp.{}.xor.$P p, %1, %2, "
                             "q; selp.u32 %0, %3, 7, p; }}",
                             compare),
                 {kSame, kSame, Kind::kU32});
  }
  for (const auto* compare : {"eq", "le", "ltu", "gtu", "neu", "num", "nan"}) {
    list.each_to(Kind::kU32, kFloats, fmt::format("set.{}.u32.$P %0, %1, %2;", compare),
                 {kSame, kSame});
    list.each_to(Kind::kU32, kFloats,
                 fmt::format("{{ .reg .pred p, q, r; setp.gt.s32 q, %3, 3; setp.{}.and.$P p|r, %1, "
                             "%2, q; selp.u32 %0, %3, 5, p; @r add.u32 %0, %0, 1; }}",
                             compare),
                 {kSame, kSame, Kind::kU32});
    list.each({Kind::kF32}, fmt::format("set.{}.f32.f32 %0, %1, %2;", compare), {kSame, kSame});
  }
  for (const auto* kind : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
    list.each_to(Kind::kU32, kFloats,
                 fmt::format("{{ .reg .pred p; testp.{}.$P p, %1; selp.u32 %0, 1, 0, p; }}", kind),
                 {kSame});
  }
  list.each(kWide, "slct.$P.s32 %0, %1, %2, %3;", {kSame, kSame, Kind::kS32});
  list.each(kWide, "slct.$P.f32 %0, %1, %2, %3;", {kSame, kSame, Kind::kF32});
  list.each(kFloats, "slct.$P.s32 %0, %1, %2, %3;", {kSame, kSame, Kind::kS32});
  list.each({Kind::kF32}, "slct.ftz.f32.f32 %0, %1, %2, %3;", {kSame, kSame, kSame});
}

void add_floats(OperationList& list) {
  // The assembler may contract these.
  list.set_weight(12);
  for (const auto* op : {"add", "sub", "mul"}) {
    list.each(kFloats, fmt::format("{}.$P %0, %1, %2;", op), {kSame, kSame});
  }
  list.set_weight(3);
  for (const auto* op : {"add", "sub", "mul"}) {
    list.each({Kind::kF32}, fmt::format("{}.ftz.f32 %0, %1, %2;", op), {kSame, kSame});
    list.each({Kind::kF32}, fmt::format("{}.sat.f32 %0, %1, %2;", op), {kSame, kSame});
  }
  list.set_weight(1);
  for (const auto* mode : {"rn", "rz", "rm", "rp"}) {
    for (const auto* more : {"", ".ftz", ".sat", ".ftz.sat"}) {
      const Kinds kinds = *more == '\0' ? kFloats : Kinds{Kind::kF32};
      for (const auto* op : {"add", "sub", "mul"}) {
        list.each(kinds, fmt::format("{}.{}{}.$P %0, %1, %2;", op, mode, more), {kSame, kSame});
      }
      list.each(kinds, fmt::format("fma.{}{}.$P %0, %1, %2, %3;", mode, more),
                {kSame, kSame, kSame});
    }
    for (const auto* more : {"", ".ftz"}) {
      const Kinds kinds = *more == '\0' ? kFloats : Kinds{Kind::kF32};
      list.each(kinds, fmt::format("div.{}{}.$P %0, %1, %2;", mode, more), {kSame, kSame});
      list.each(kinds, fmt::format("rcp.{}{}.$P %0, %1;", mode, more), {kSame});
      list.each(kinds, fmt::format("sqrt.{}{}.$P %0, %1;", mode, more), {kSame});
    }
    for (const auto* more : {"", ".ftz", ".sat"}) {
      const Kinds kinds = *more == '\0' ? kFloats : Kinds{Kind::kF32};
      list.each(kinds, fmt::format("cvt.{}i{}.$P.$P %0, %1;", mode, more), {kSame});
    }
  }
  for (const auto* op : {"abs", "neg"}) {
    list.each(kFloats, fmt::format("{}.$P %0, %1;", op), {kSame});
    list.each({Kind::kF32}, fmt::format("{}.ftz.f32 %0, %1;", op), {kSame});
  }
  for (const auto* op : {"min", "max"}) {
    list.each(kFloats, fmt::format("{}.$P %0, %1, %2;", op), {kSame, kSame});
    list.each({Kind::kF32}, fmt::format("{}.ftz.f32 %0, %1, %2;", op), {kSame, kSame});
    list.each({Kind::kF32}, fmt::format("{}.NaN.f32 %0, %1, %2;", op), {kSame, kSame}, 80);
    list.each({Kind::kF32}, fmt::format("{}.xorsign.abs.f32 %0, %1, %2;", op), {kSame, kSame}, 90);
  }
  list.each(kFloats, "copysign.$P %0, %1, %2;", {kSame, kSame});
}

void add_halves(OperationList& list) {
  list.set_weight(6);
  for (const auto* op : {"add", "sub", "mul"}) {
    list.each(kF16, fmt::format("{}.$P %0, %1, %2;", op), {kSame, kSame});
    list.each(kBf16, fmt::format("{}.$P %0, %1, %2;", op), {kSame, kSame}, 90);
  }
  list.set_weight(1);
  for (const auto* op : {"add", "sub", "mul"}) {
    for (const auto* more : {".ftz", ".sat", ".rn", ".rn.ftz.sat"}) {
      list.each(kF16, fmt::format("{}{}.$P %0, %1, %2;", op, more), {kSame, kSame});
    }
  }
  for (const auto* more : {"", ".ftz", ".sat"}) {
    list.each(kF16, fmt::format("fma.rn{}.$P %0, %1, %2, %3;", more), {kSame, kSame, kSame});
  }
  list.each(kF16, "fma.rn.relu.$P %0, %1, %2, %3;", {kSame, kSame, kSame}, 80);
  list.each(kBf16, "fma.rn.$P %0, %1, %2, %3;", {kSame, kSame, kSame}, 80);
  list.each(kBf16, "fma.rn.relu.$P %0, %1, %2, %3;", {kSame, kSame, kSame}, 80);
  for (const auto* op : {"min", "max"}) {
    for (const auto* more : {"", ".NaN"}) {
      list.each(kF16, fmt::format("{}{}.$P %0, %1, %2;", op, more), {kSame, kSame}, 80);
      list.each(kBf16, fmt::format("{}{}.$P %0, %1, %2;", op, more), {kSame, kSame}, 80);
    }
    list.each(kF16, fmt::format("{}.ftz.$P %0, %1, %2;", op), {kSame, kSame}, 80);
  }
  for (const auto* op : {"abs", "neg"}) {
    list.each(kF16, fmt::format("{}.$P %0, %1;", op), {kSame});
    list.each(kBf16, fmt::format("{}.$P %0, %1;", op), {kSame}, 80);
  }
  for (const auto* compare : {"lt", "geu", "num"}) {
    list.each_to(
        Kind::kU32, {Kind::kF16},
        fmt::format("{{ .reg .pred p; setp.{}.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }}", compare),
        {kSame, kSame});
    list.each({Kind::kF16x2}, fmt::format("set.{}.f16x2.f16x2 %0, %1, %2;", compare),
              {kSame, kSame});
  }
}

void add_conversions(OperationList& list) {
  for (const auto* mode : {"rn", "rz", "rm", "rp"}) {
    for (const auto from : kIntegers) {
      list.each({Kind::kF32, Kind::kF64, Kind::kF16},
                fmt::format("cvt.{}.$P.{} %0, %1;", mode, name(from)), {from});
      for (const auto* more : {"i", "i.ftz", "i.sat"}) {
        list.each({from}, fmt::format("cvt.{}{}.$P.f32 %0, %1;", mode, more), {Kind::kF32});
      }
      list.each({from}, fmt::format("cvt.{}i.$P.f64 %0, %1;", mode), {Kind::kF64});
      list.each({from}, fmt::format("cvt.{}i.$P.f16 %0, %1;", mode), {Kind::kF16});
    }
    for (const auto* more : {"", ".ftz", ".sat"}) {
      list.each({Kind::kF32}, fmt::format("cvt.{}{}.f32.f64 %0, %1;", mode, more), {Kind::kF64});
    }
    list.each({Kind::kF16}, fmt::format("cvt.{}.f16.f64 %0, %1;", mode), {Kind::kF64});
    list.each({Kind::kF16}, fmt::format("cvt.{}.f16.f32 %0, %1;", mode), {Kind::kF32});
  }
  for (const auto to : kIntegers) {
    for (const auto from : kIntegers) {
      // ptxas rejects .sat if every value fits.
      const bool fits = bits(to) > bits(from) && (is_signed(to) || !is_signed(from));
      const bool folded = bits(from) == 64 && bits(to) < 64;
      if (to != from && !fits && !folded) {
        list.each({to}, fmt::format("cvt.sat.$P.{} %0, %1;", name(from)), {from});
      }
    }
  }
  for (const auto from : {Kind::kS16, Kind::kU32, Kind::kS32}) {
    list.each({Kind::kU32}, fmt::format("cvt.sat.u8.{} %0, %1;", name(from)), {from});
    list.each({Kind::kS32}, fmt::format("cvt.sat.s8.{} %0, %1;", name(from)), {from});
  }
  list.each({Kind::kF64}, "cvt.f64.f16 %0, %1;", {Kind::kF16});
  list.each({Kind::kF32}, "cvt.ftz.f32.f16 %0, %1;", {Kind::kF16});
  list.each({Kind::kF16x2}, "cvt.rn.f16x2.f32 %0, %1, %2;", {Kind::kF32, Kind::kF32}, 80);
  list.each({Kind::kF16x2}, "cvt.rz.relu.f16x2.f32 %0, %1, %2;", {Kind::kF32, Kind::kF32}, 80);
  list.each({Kind::kBf16x2}, "cvt.rn.relu.bf16x2.f32 %0, %1, %2;", {Kind::kF32, Kind::kF32}, 80);
  list.each({Kind::kBf16}, "cvt.rz.bf16.f32 %0, %1;", {Kind::kF32}, 80);
}

}  // namespace

void add_ptx_operations(OperationList& list) {
  list.set_weight(1);
  add_integers(list);
  add_comparisons(list);
  add_floats(list);
  add_halves(list);
  add_conversions(list);
}

}  // namespace warpgrade::programs

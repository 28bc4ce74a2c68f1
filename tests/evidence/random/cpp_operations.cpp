// SPDX-License-Identifier: Apache-2.0
// The operations of random programs in C++: operators, casts and intrinsics.
#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {
namespace {

constexpr auto kSame = OperationList::kSame;
using Kinds = std::vector<Kind>;

const Kinds kIntegers = {Kind::kU8,  Kind::kS8,  Kind::kU16, Kind::kS16,
                         Kind::kU32, Kind::kS32, Kind::kU64, Kind::kS64};
const Kinds kFloats = {Kind::kF32, Kind::kF64};
const Kinds kHalves = {Kind::kF16, Kind::kBf16};
const Kinds kPairs = {Kind::kF16x2, Kind::kBf16x2};

void add_integers(OperationList& list) {
  list.set_weight(6);
  for (const auto* op : {"+", "-", "*", "&", "|", "^"}) {
    list.each(kIntegers, std::string("(($U)$0 ") + op + " ($U)$1)", {kSame, kSame});
  }
  list.set_weight(4);
  list.each(kIntegers, "(($U)$0 << ($1 & ($W - 1)))", {kSame, Kind::kU32});
  list.each(kIntegers, "($T)($0 >> ($1 & ($W - 1)))", {kSame, Kind::kU32});
  list.each(kIntegers, "($T)~$0", {kSame});
  list.each(kIntegers, "($0 < $1 ? $0 : $1)", {kSame, kSame});
  list.each(kIntegers, "($0 > $1 ? $0 : $1)", {kSame, kSame});
  list.each(kIntegers, "(($U)$0 * ($U)$1 + ($U)$2)", {kSame, kSame, kSame});
  list.each(kIntegers, "($T)((($U)$0 << ($1 & ($W - 1))) | (($U)$0 >> (($W - $1) & ($W - 1))))",
            {kSame, Kind::kU32});
  list.set_weight(2);
  list.each(kIntegers, "quotient<$T>($0, $1)", {kSame, kSame});
  list.each(kIntegers, "remainder_of<$T>($0, $1)", {kSame, kSame});
  list.each(kIntegers, "($T)($0 / ($T)13)", {kSame});
  list.each(kIntegers, "($T)($0 % ($T)10)", {kSame});
  list.each({Kind::kS32, Kind::kS64}, "($0 < 0 ? ($T)(0 - ($U)$0) : $0)", {kSame});
  list.each_to(Kind::kU32, {Kind::kU32}, "__popc($0)", {kSame});
  list.each_to(Kind::kU32, {Kind::kU64}, "__popcll($0)", {kSame});
  list.each_to(Kind::kU32, {Kind::kU32, Kind::kS32}, "__clz((s32)$0)", {kSame});
  list.each_to(Kind::kU32, {Kind::kU64}, "__clzll((s64)$0)", {kSame});
  list.each_to(Kind::kU32, {Kind::kU32, Kind::kS32}, "__ffs((s32)$0)", {kSame});
  list.each_to(Kind::kU32, {Kind::kU64}, "__ffsll((s64)$0)", {kSame});
  list.each({Kind::kU32}, "__brev($0)", {kSame});
  list.each({Kind::kU64}, "__brevll($0)", {kSame});
  list.each({Kind::kU32}, "__byte_perm($0, $1, $2)", {kSame, kSame, kSame});
  for (const auto* way : {"l", "lc", "r", "rc"}) {
    list.each({Kind::kU32}, std::string("__funnelshift_") + way + "($0, $1, $2)",
              {kSame, kSame, kSame});
  }
  list.each({Kind::kU32}, "__umulhi($0, $1)", {kSame, kSame});
  list.each({Kind::kS32}, "__mulhi($0, $1)", {kSame, kSame});
  list.each({Kind::kU64}, "__umul64hi($0, $1)", {kSame, kSame});
  list.each({Kind::kS64}, "__mul64hi($0, $1)", {kSame, kSame});
  list.each({Kind::kU64}, "((u64)$0 * $1)", {Kind::kU32, Kind::kU32});
  list.each({Kind::kS64}, "((s64)$0 * $1)", {Kind::kS32, Kind::kS32});
  list.each({Kind::kU64}, "((u64)$0 << 32 | $1)", {Kind::kU32, Kind::kU32});
  list.each({Kind::kU32}, "(u32)($0 >> 32)", {Kind::kU64});
  list.each({Kind::kU32}, "__umul24($0, $1)", {kSame, kSame});
  list.each({Kind::kS32}, "__mul24($0, $1)", {kSame, kSame});
  list.each({Kind::kU32}, "__uhadd($0, $1)", {kSame, kSame});
  list.each({Kind::kS32}, "__rhadd($0, $1)", {kSame, kSame});
  list.each({Kind::kU32}, "__usad($0, $1, $2)", {kSame, kSame, kSame});
  list.each({Kind::kU32}, "__sad($0, $1, $2)", {Kind::kS32, Kind::kS32, kSame});
  list.each({Kind::kS32}, "__dp4a($0, $1, $2)", {kSame, kSame, kSame});
  list.each({Kind::kU32}, "__dp4a($0, $1, $2)", {kSame, kSame, kSame});
  list.each({Kind::kS32}, "__dp2a_lo($0, $1, $2)", {kSame, kSame, kSame});
  list.each({Kind::kU32}, "__dp2a_hi($0, $1, $2)", {kSame, kSame, kSame});
  list.set_weight(1);
  for (const auto* f :
       {"vadd2", "vadd4", "vsub4", "vabsdiffu4", "vabsdiffs2", "vmaxu2", "vmins4", "vavgu4",
        "vcmpgtu4", "vcmpeq2", "vaddss4", "vsubus2", "vsadu4", "vseteq4"}) {
    list.each({Kind::kU32}, std::string("__") + f + "($0, $1)", {kSame, kSame});
  }
}

// Conversion functions; their names end with the rounding mode.
struct Conversion {
  Kind to;
  const char* function;
  Kind from;
};

constexpr Conversion kConversions[] = {
    {Kind::kF32, "__int2float_", Kind::kS32},      {Kind::kF32, "__uint2float_", Kind::kU32},
    {Kind::kF32, "__ll2float_", Kind::kS64},       {Kind::kF32, "__ull2float_", Kind::kU64},
    {Kind::kF32, "__double2float_", Kind::kF64},   {Kind::kF64, "__ll2double_", Kind::kS64},
    {Kind::kF64, "__ull2double_", Kind::kU64},     {Kind::kS32, "__float2int_", Kind::kF32},
    {Kind::kU32, "__float2uint_", Kind::kF32},     {Kind::kS64, "__float2ll_", Kind::kF32},
    {Kind::kU64, "__float2ull_", Kind::kF32},      {Kind::kS32, "__double2int_", Kind::kF64},
    {Kind::kU32, "__double2uint_", Kind::kF64},    {Kind::kS64, "__double2ll_", Kind::kF64},
    {Kind::kU64, "__double2ull_", Kind::kF64},     {Kind::kS32, "__half2int_", Kind::kF16},
    {Kind::kU64, "__half2ull_", Kind::kF16},       {Kind::kS16, "__half2short_", Kind::kF16},
    {Kind::kF16, "__int2half_", Kind::kS32},       {Kind::kF16, "__ull2half_", Kind::kU64},
    {Kind::kF16, "__float2half_", Kind::kF32},     {Kind::kBf16, "__float2bfloat16_", Kind::kF32},
    {Kind::kS32, "__bfloat162int_", Kind::kBf16},  {Kind::kU16, "__bfloat162ushort_", Kind::kBf16},
    {Kind::kBf16, "__uint2bfloat16_", Kind::kU32}, {Kind::kBf16, "__ll2bfloat16_", Kind::kS64},
};

void add_floats(OperationList& list) {
  list.set_weight(8);
  for (const auto* op : {"+", "-", "*"}) {
    list.each(kFloats, std::string("($0 ") + op + " $1)", {kSame, kSame});
  }
  list.each(kFloats, "($0 * $1 + $2)", {kSame, kSame, kSame});
  list.each(kFloats, "($0 * $1 - $2 * $3)", {kSame, kSame, kSame, kSame});
  list.each(kFloats, "($2 - $0 * $1)", {kSame, kSame, kSame});
  list.set_weight(2);
  list.each(kFloats, "($0 / $1)", {kSame, kSame});
  list.each(kFloats, "(-$0)", {kSame});
  for (const auto* f : {"fabs", "sqrt", "floor", "ceil", "trunc", "rint", "round"}) {
    list.each({Kind::kF32}, std::string(f) + "f($0)", {kSame});
    list.each({Kind::kF64}, std::string(f) + "($0)", {kSame});
  }
  for (const auto* f : {"fmin", "fmax", "copysign", "fdim"}) {
    list.each({Kind::kF32}, std::string(f) + "f($0, $1)", {kSame, kSame});
    list.each({Kind::kF64}, std::string(f) + "($0, $1)", {kSame, kSame});
  }
  list.each({Kind::kF32}, "fmaf($0, $1, $2)", {kSame, kSame, kSame});
  list.each({Kind::kF64}, "fma($0, $1, $2)", {kSame, kSame, kSame});
  list.each({Kind::kF32}, "__saturatef($0)", {kSame});
}

// Arithmetic and conversions with the four rounding modes.
void add_rounded_floats(OperationList& list) {
  list.set_weight(1);
  for (const auto* mode : {"rn", "rz", "ru", "rd"}) {
    const auto with = [&](const char* f, const char* arguments) {
      return std::string(f) + mode + arguments;
    };
    for (const auto* f : {"add_", "sub_", "mul_", "div_"}) {
      list.each({Kind::kF32}, with((std::string("__f") + f).c_str(), "($0, $1)"), {kSame, kSame});
      list.each({Kind::kF64}, with((std::string("__d") + f).c_str(), "($0, $1)"), {kSame, kSame});
    }
    list.each({Kind::kF32}, with("__fmaf_", "($0, $1, $2)"), {kSame, kSame, kSame});
    list.each({Kind::kF64}, with("__fma_", "($0, $1, $2)"), {kSame, kSame, kSame});
    list.each({Kind::kF32}, with("__frcp_", "($0)"), {kSame});
    list.each({Kind::kF64}, with("__drcp_", "($0)"), {kSame});
    list.each({Kind::kF32}, with("__fsqrt_", "($0)"), {kSame});
    list.each({Kind::kF64}, with("__dsqrt_", "($0)"), {kSame});
    for (const auto& [to, f, from] : kConversions) {
      const char* argument = from == Kind::kF64 && to == Kind::kF32 ? "(canonical($0))" : "($0)";
      list.each({to}, with(f, argument), {from});
    }
  }
}

void add_casts_of_floats(OperationList& list) {
  list.set_weight(3);
  list.each({Kind::kF64}, "(f64)$0", {Kind::kF32});
  list.each({Kind::kF64}, "(f64)$0", {Kind::kS32});
  list.each({Kind::kF64}, "(f64)$0", {Kind::kU32});
  list.each({Kind::kF32}, "(f32)$0", {Kind::kS32});
  list.each({Kind::kF32}, "(f32)$0", {Kind::kU8});
  list.each({Kind::kF32}, "(f32)$0", {Kind::kS16});
  list.each({Kind::kF32}, "make_f32($0)", {Kind::kU32});
  list.each({Kind::kF64}, "make_f64($0)", {Kind::kU64});
  list.each({Kind::kU32}, "word($0)", {Kind::kF32});
  list.each({Kind::kU64}, "wide($0)", {Kind::kF64});
  list.each({Kind::kU32}, "(u32)__double2hiint(canonical($0))", {Kind::kF64});
}

void add_halves(OperationList& list) {
  list.set_weight(8);
  for (const auto* op : {"+", "-", "*"}) {
    list.each(kHalves, std::string("($0 ") + op + " $1)", {kSame, kSame});
    list.each(kPairs, std::string("($0 ") + op + " $1)", {kSame, kSame});
  }
  list.each(kHalves, "($0 * $1 + $2)", {kSame, kSame, kSame});
  list.each(kPairs, "($0 * $1 - $2)", {kSame, kSame, kSame});
  list.each(kPairs, "($2 - $0 * $1)", {kSame, kSame, kSame});
  list.set_weight(2);
  for (const auto* f : {"__hadd", "__hsub", "__hmul"}) {
    for (const auto* suffix : {"", "_rn", "_sat"}) {
      list.each(kHalves, std::string(f) + suffix + "($0, $1)", {kSame, kSame});
      list.each(kPairs, std::string(f) + "2" + suffix + "($0, $1)", {kSame, kSame});
    }
  }
  for (const auto* suffix : {"", "_sat", "_relu"}) {
    const auto first = std::string(suffix) == "_relu" ? 80U : 75U;
    const Kinds three = {kSame, kSame, kSame};
    list.each({Kind::kF16}, std::string("__hfma") + suffix + "($0, $1, $2)", three, first);
    list.each({Kind::kBf16}, std::string("__hfma") + suffix + "($0, $1, $2)", three, 80);
    list.each({Kind::kF16x2}, std::string("__hfma2") + suffix + "($0, $1, $2)", three, first);
    list.each({Kind::kBf16x2}, std::string("__hfma2") + suffix + "($0, $1, $2)", three, 80);
  }
  for (const auto* f : {"__hmin", "__hmax"}) {
    for (const auto* suffix : {"", "_nan"}) {
      list.each(kHalves, std::string(f) + suffix + "($0, $1)", {kSame, kSame});
      list.each(kPairs, std::string(f) + "2" + suffix + "($0, $1)", {kSame, kSame});
    }
  }
  list.each(kHalves, "__hneg($0)", {kSame});
  list.each(kHalves, "__habs($0)", {kSame});
  list.each(kPairs, "__hneg2($0)", {kSame});
  list.each(kPairs, "__habs2($0)", {kSame});
  for (const auto* f : {"hfloor", "hceil", "htrunc", "hrint"}) {
    list.each(kHalves, std::string(f) + "($0)", {kSame});
  }
  for (const auto* compare : {"__heq2", "__hne2", "__hltu2", "__hge2"}) {
    list.each(kPairs, std::string(compare) + "($0, $1)", {kSame, kSame});
  }
  list.each_to(Kind::kU32, kPairs, "__hgt2_mask($0, $1)", {kSame, kSame});
  list.each_to(Kind::kPred, kPairs, "__hblt2($0, $1)", {kSame, kSame});
  list.each({Kind::kF16}, "__float2half($0)", {Kind::kF32});
  list.each({Kind::kF16}, "__double2half(canonical($0))", {Kind::kF64});
  list.each({Kind::kBf16}, "__float2bfloat16($0)", {Kind::kF32});
  list.each({Kind::kBf16}, "__double2bfloat16(canonical($0))", {Kind::kF64});
  list.each({Kind::kF32}, "__half2float($0)", {Kind::kF16});
  list.each({Kind::kF32}, "__bfloat162float($0)", {Kind::kBf16});
  list.each({Kind::kF16x2}, "__halves2half2($0, $1)", {Kind::kF16, Kind::kF16});
  list.each({Kind::kBf16x2}, "__halves2bfloat162($0, $1)", {Kind::kBf16, Kind::kBf16});
  list.each({Kind::kF16x2}, "__floats2half2_rn($0, $1)", {Kind::kF32, Kind::kF32});
  list.each({Kind::kBf16x2}, "__floats2bfloat162_rn($0, $1)", {Kind::kF32, Kind::kF32});
  list.each({Kind::kF16}, "__low2half($0)", {Kind::kF16x2});
  list.each({Kind::kF16}, "__high2half($0)", {Kind::kF16x2});
  list.each({Kind::kBf16}, "__high2bfloat16($0)", {Kind::kBf16x2});
  list.each({Kind::kF32}, "__low2float($0)", {Kind::kF16x2});
  list.each({Kind::kF16x2}, "__lowhigh2highlow($0)", {kSame});
  list.each({Kind::kU32}, "word($0)", {Kind::kF16x2});
  list.each({Kind::kU16}, "(u16)word($0)", {Kind::kBf16});
  list.each({Kind::kF16}, "make_f16($0)", {Kind::kU16});
}

void add_conditions(OperationList& list) {
  list.set_weight(3);
  for (const auto* op : {"<", "<=", ">", ">=", "==", "!="}) {
    const auto text = std::string("($0 ") + op + " $1)";
    list.each_to(Kind::kPred, kIntegers, text, {kSame, kSame});
    list.each_to(Kind::kPred, kFloats, text, {kSame, kSame});
    list.each_to(Kind::kPred, kFloats, "!" + text, {kSame, kSame});
    list.each_to(Kind::kPred, kHalves, text, {kSame, kSame});
  }
  list.set_weight(8);
  list.each_to(Kind::kPred, {Kind::kU32}, "(($0 >> ($1 & 31)) & 1) != 0", {kSame, kSame});
  list.each_to(Kind::kPred, {Kind::kU32}, "(($0 & 3) != 0)", {kSame});
  list.each_to(Kind::kPred, {Kind::kPred}, "($0 && $1)", {kSame, kSame});
  list.each_to(Kind::kPred, {Kind::kPred}, "($0 || $1)", {kSame, kSame});
  list.each_to(Kind::kPred, {Kind::kPred}, "($0 != $1)", {kSame, kSame});
  list.each_to(Kind::kPred, {Kind::kPred}, "!$0", {kSame});
  list.set_weight(2);
  list.each_to(Kind::kPred, kFloats, "isnan($0)", {kSame});
  list.each_to(Kind::kPred, kFloats, "isinf($0)", {kSame});
  list.each_to(Kind::kPred, {Kind::kF32}, "signbit($0)", {kSame});
  list.each_to(Kind::kPred, kHalves, "__hisnan($0)", {kSame});
  list.set_weight(5);
  for (const auto& kinds : {kIntegers, kFloats, kHalves, kPairs}) {
    list.each(kinds, "($2 ? $0 : $1)", {kSame, kSame, Kind::kPred});
  }
}

void add_casts(OperationList& list) {
  list.set_weight(1);
  for (const auto to : kIntegers) {
    for (const auto from : kIntegers) {
      if (to != from) list.each({to}, "($T)$0", {from});
    }
    list.each({to}, "($T)$0", {Kind::kPred});
  }
  list.set_weight(2);
  list.each({Kind::kU32}, "table[$0 & 15]", {kSame});
  list.each({Kind::kS16}, "short_table[$0 & 7]", {Kind::kU32});
}

}  // namespace

void add_cpp_operations(OperationList& list) {
  add_integers(list);
  add_floats(list);
  add_rounded_floats(list);
  add_casts_of_floats(list);
  add_halves(list);
  add_conditions(list);
  add_casts(list);
}

}  // namespace warpgrade::programs

// SPDX-License-Identifier: Apache-2.0
// PTX and inputs of the matrix instructions that were measured on a GPU.
//
// A case is one instruction in a kernel with one warp per tile. The measuring program (mma.cu) and
// the comparing test (tests/evidence/golden/mma_test.cpp) build the same kernels and inputs from
// this file. So only outputs are stored, as digests.
//
// Inputs are hashes of the case, the tile, the operand and the element. The tile number modulo
// kKinds selects the kind of values; see kRanges and value().
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mma_cases {

enum class Format { kF16, kBf16, kTf32, kF32, kF64, kBits, kS32 };

inline int bits_of(Format f) {
  return f == Format::kF16 || f == Format::kBf16 ? 16 : f == Format::kF64 ? 64 : 32;
}

/// An mma: its text after "mma.sync.aligned.", and the 32-bit words per lane of each operand.
struct Case {
  std::string name;
  std::string text;
  int a = 0;
  int b = 0;
  int c = 0;
  int d = 0;
  Format source{};
  Format addend{};
};

/// A wmma.mma with its loads and its store.
struct WmmaCase {
  std::string name;
  int m, n, k;
  std::string a_layout, b_layout;
  std::string source_type, addend_type, result_type;  ///< As in PTX.
  std::string text;                                   ///< After "wmma.mma".
  int a, b, c, d;                                     ///< Registers per lane.
  int source_bits, addend_bits, result_bits;
  Format source, addend;
};

inline std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

constexpr int kKinds = 20;

/// Exponents of sources and of addends.
struct Range {
  int low, high, addend_low, addend_high;
};

/// By kind: for f16 sources, and for sources with 8 exponent bits (and f64).
inline constexpr Range kRanges[kKinds][2] = {
    {{-1, 1, -1, 2}, {-1, 1, -1, 2}},
    {{-7, 7, -14, 14}, {-7, 7, -14, 14}},
    {{-14, 15, -28, 30}, {-40, 40, -80, 80}},
    {{-2, 2, 8, 16}, {-2, 2, 8, 16}},          // a large addend
    {{-2, 2, -30, -20}, {-2, 2, -30, -20}},    // a small addend
    {{0, 1, 0, 3}, {0, 1, 0, 3}},              // few mantissas: sums cancel
    {{-12, 12, -24, 24}, {-12, 12, -24, 24}},  // mostly zeros
    {{-13, 13, -26, 26}, {-13, 13, -26, 26}},  // powers of two
    {{-26, 4, -32, -2}, {-140, 20, -149, -100}},
    {{-1, 1, -1, 2}, {-1, 1, -1, 2}},  // some infinities and NaNs
    {{12, 15, 14, 127}, {58, 65, 120, 127}},
    {{-24, -8, -149, -18}, {-76, -58, -149, -118}},
    {{0, 3, 2, 5}, {0, 3, 2, 5}},                     // small integers
    {{-1, 1, -1, 2}, {-1, 1, -1, 2}},                 // all positive, mantissas nearly full
    {{-6, -2, -6, 10}, {-6, -2, -6, 10}},             // one source in eight is large
    {{0, 0, 0, 0}, {0, 0, 0, 0}},                     // any bits
    {{-24, -11, -24, -20}, {-90, -72, -160, -145}},   // results too small for the format
    {{-24, -11, -24, -20}, {-140, -72, -160, -147}},  // the same, but mostly zeros
    {{0, 0, 0, 0}, {0, 0, 0, 0}},                     // almost only zeros, of both signs
    {{6, 8, 13, 15}, {60, 64, 124, 127}},             // overflow by a carry
};

struct Layout {
  int exponent_bits, mantissa_bits;
};

inline Layout layout_of(Format f) {
  switch (f) {
    case Format::kF16:
      return {5, 10};
    case Format::kBf16:
      return {8, 7};
    case Format::kF64:
      return {11, 52};
    default:
      return {8, 23};
  }
}

/// A float with the upper bits of `mantissa`. An exponent that is too large is clamped to the
/// largest finite one; one that is too small gives a subnormal or zero.
inline std::uint64_t assemble(Format f, std::uint64_t sign, int exponent, std::uint64_t mantissa) {
  const auto [e, m] = layout_of(f);
  const int bias = (1 << (e - 1)) - 1;
  const auto kept = mantissa >> (64 - m);
  exponent = std::min(exponent, bias);
  if (exponent < 1 - bias) {
    const int shift = 1 - bias - exponent;
    return sign << (e + m) | (shift > m ? 0 : (std::uint64_t{1} << m | kept) >> shift);
  }
  return sign << (e + m) | static_cast<std::uint64_t>(exponent + bias) << m | kept;
}

/// An infinity or a NaN.
inline std::uint64_t special(Format f, std::uint64_t random) {
  const auto [e, m] = layout_of(f);
  const auto exponent = ((std::uint64_t{1} << e) - 1) << m;
  const auto payload = (random & 2) != 0 ? mix(random) >> (64 - m) : 0;
  return (random & 1) << (e + m) | exponent | payload;
}

inline std::uint64_t integer_word(int kind, bool addend, std::uint64_t random) {
  if (addend && kind % 4 == 3) {  // near the largest and the smallest integer
    return ((random >> 40 & 1) != 0 ? 0x80000000U : 0x7fffffffU) ^ (random & 0xffff);
  }
  if (addend || kind % 4 != 2) return random & 0xffffffffU;
  static constexpr std::uint64_t kEnds[] = {0x7f, 0x80, 0xff, 0x01};
  std::uint64_t word = 0;
  for (int i = 0; i < 4; ++i) word |= kEnds[random >> (8 * i) & 3] << (8 * i);
  return word;
}

/// A value for a tile of kind `kind`. `narrow`: the sources are f16.
inline std::uint64_t value(Format f, int kind, bool addend, bool narrow, std::uint64_t random) {
  const auto r = mix(random);
  const auto where = mix(r);
  auto mantissa = mix(where);
  if (f == Format::kBits || f == Format::kS32) return integer_word(kind, addend, mantissa);
  if (kind == 9 && (mix(r ^ 77) & 0x3f) == 0) return special(f, mix(r ^ 99));
  const auto dice = r >> 1 & 0xff;
  auto sign = r & 1;
  const auto zero = sign << (layout_of(f).exponent_bits + layout_of(f).mantissa_bits);
  const auto& range = kRanges[kind][narrow ? 0 : 1];
  const int low = addend ? range.addend_low : range.low;
  const int high = addend ? range.addend_high : range.high;
  int exponent =
      low + static_cast<int>((where & 0xffff) * static_cast<std::uint64_t>(high - low + 1) >> 16);
  switch (kind) {
    case 5: {
      static constexpr std::uint64_t kFew[] = {0, ~std::uint64_t{0}, std::uint64_t{1} << 63,
                                               std::uint64_t{1} << 54};
      mantissa = kFew[mantissa & 3];
      break;
    }
    case 6:
      if (dice < 208) return zero;
      mantissa &= mantissa << 5 & mantissa << 11;
      break;
    case 7:
      mantissa = 0;
      break;
    case 12:
      mantissa &= std::uint64_t{7} << 61;
      break;
    case 13:
    case 19:
      mantissa |= ~std::uint64_t{0} << 56;
      if (kind == 13) sign = 0;
      break;
    case 14:
      if (dice < 32) exponent += 12;
      break;
    case 15:
      return bits_of(f) == 64 ? mantissa : mantissa & ((std::uint64_t{1} << bits_of(f)) - 1);
    case 17:
      if (dice < 192 || (addend && dice < 240)) return zero;
      break;
    case 18:
      if (dice < 250) return zero;
      break;
    default:
      break;
  }
  return assemble(f, sign, exponent, mantissa);
}

/// Word `index` of the sources or addends of `tile`. `id` is the number of the case.
inline std::uint32_t input_word(Format source, Format addend_format, std::uint32_t id,
                                std::uint32_t tile, bool addend, std::uint32_t index) {
  const auto f = addend ? addend_format : source;
  const int bits = bits_of(f);
  const auto key = mix(std::uint64_t{id} << 40 | std::uint64_t{tile} << 16 |
                       static_cast<std::uint64_t>(addend) << 15);
  const auto one = [&](std::uint64_t random) {
    return value(f, static_cast<int>(tile % kKinds), addend, source == Format::kF16, mix(random));
  };
  if (bits == 16)
    return static_cast<std::uint32_t>(one(key + 2 * index) | one(key + 2 * index + 1) << 16);
  if (bits == 64) return static_cast<std::uint32_t>(one(key + index / 2) >> (index % 2 * 32));
  return static_cast<std::uint32_t>(one(key + index));
}

inline std::uint32_t input_word(const Case& c, std::uint32_t id, std::uint32_t tile, bool addend,
                                std::uint32_t index) {
  return input_word(c.source, c.addend, id, tile, addend, index);
}

inline std::vector<Case> cases() {
  using enum Format;
  std::vector<Case> all = {
      {"f16_m16n8k8_f32", "m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, 4, kF16, kF32},
      {"f16_m16n8k16_f32", "m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 4, kF16, kF32},
      {"f16_m16n8k8_f16", "m16n8k8.row.col.f16.f16.f16.f16", 2, 1, 2, 2, kF16, kF16},
      {"f16_m16n8k16_f16", "m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, 2, kF16, kF16},
      {"bf16_m16n8k8", "m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1, 4, 4, kBf16, kF32},
      {"bf16_m16n8k16", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, 4, kBf16, kF32},
      {"tf32_m16n8k4", "m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, 4, kTf32, kF32},
      {"tf32_m16n8k8", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, 4, kTf32, kF32},
      {"f64_m8n8k4", "m8n8k4.row.col.f64.f64.f64.f64", 2, 2, 4, 4, kF64, kF64},
      {"f64_m16n8k4", "m16n8k4.row.col.f64.f64.f64.f64", 4, 2, 8, 8, kF64, kF64},
      {"f64_m16n8k8", "m16n8k8.row.col.f64.f64.f64.f64", 8, 4, 8, 8, kF64, kF64},
      {"f64_m16n8k16", "m16n8k16.row.col.f64.f64.f64.f64", 16, 8, 8, 8, kF64, kF64},
  };
  for (const std::string types : {"s8.s8", "s8.u8", "u8.s8", "u8.u8"}) {
    for (const std::string saturation : {"", ".satfinite"}) {
      const auto name = types.substr(0, 2) + types.substr(3) + (saturation.empty() ? "" : "_sat");
      const auto tail = ".row.col" + saturation + ".s32." + types + ".s32";
      all.push_back({name + "_m8n8k16", "m8n8k16" + tail, 1, 1, 2, 2, kBits, kS32});
      all.push_back({name + "_m16n8k16", "m16n8k16" + tail, 2, 1, 4, 4, kBits, kS32});
      all.push_back({name + "_m16n8k32", "m16n8k32" + tail, 4, 2, 4, 4, kBits, kS32});
    }
  }
  return all;
}

inline int words(int elements, int bits) { return elements * bits / 32; }

inline std::vector<WmmaCase> wmma_cases() {
  using enum Format;
  std::vector<WmmaCase> all;
  const auto registers = [](int elements, int bits) { return words(elements, bits) / 32; };
  struct Shape {
    int m, n, k;
  };
  for (const auto& s : {Shape{16, 16, 16}, Shape{32, 8, 16}, Shape{8, 32, 16}}) {
    const auto shape =
        "m" + std::to_string(s.m) + "n" + std::to_string(s.n) + "k" + std::to_string(s.k);
    const auto a_of = [&](int bits) { return registers(s.m * s.k, bits); };
    const auto b_of = [&](int bits) { return registers(s.n * s.k, bits); };
    for (const std::string la : {"row", "col"}) {
      for (const std::string lb : {"row", "col"}) {
        const auto tail = ".sync.aligned." + la + "." + lb + ".";
        const auto tag = "_" + la + "_" + lb;
        for (const std::string dc : {"f32.f32", "f16.f16", "f32.f16", "f16.f32"}) {
          const bool mixed = dc == "f32.f16" || dc == "f16.f32";
          if (mixed && (s.m != 16 || la != "row" || lb != "col")) continue;
          const auto d = dc.substr(0, 3);
          const auto c = dc.substr(4);
          const auto bits = [](const std::string& type) { return type == "f32" ? 32 : 16; };
          all.push_back({"w_f16_" + shape + tag + "_" + d + "_" + c, s.m, s.n, s.k, la, lb, "f16",
                         c, d, tail + shape + "." + dc, 8, 8, bits(c) / 4, bits(d) / 4, 16, bits(c),
                         bits(d), kF16, c == "f32" ? kF32 : kF16});
        }
        all.push_back({"w_bf16_" + shape + tag, s.m, s.n, s.k, la, lb, "bf16", "f32", "f32",
                       tail + shape + ".f32.bf16.bf16.f32", a_of(16), b_of(16), 8, 8, 16, 32, 32,
                       kBf16, kF32});
        for (const std::string t : {"s8", "u8"}) {
          const auto saturation = t == "u8" ? ".satfinite" : "";
          all.push_back({"w_" + t + "_" + shape + tag, s.m, s.n, s.k, la, lb, t, "s32", "s32",
                         tail + shape + ".s32." + t + "." + t + ".s32" + saturation, a_of(8),
                         b_of(8), 8, 8, 8, 32, 32, kBits, kS32});
        }
        if (s.m != 16) continue;
        all.push_back({"w_tf32_m16n16k8" + tag, 16, 16, 8, la, lb, "tf32", "f32", "f32",
                       tail + "m16n16k8.f32.tf32.tf32.f32", 4, 4, 8, 8, 32, 32, 32, kTf32, kF32});
        all.push_back({"w_f64_m8n8k4" + tag, 8, 8, 4, la, lb, "f64", "f64", "f64",
                       tail + "m8n8k4.f64.f64.f64.f64", 1, 1, 2, 2, 64, 64, 64, kF64, kF64});
      }
    }
  }
  return all;
}

inline int unit_words(const WmmaCase& w) { return w.source == Format::kF64 ? 2 : 1; }
inline int input_words(const Case& c) { return 32 * (c.a + c.b + c.c); }
inline int input_words(const WmmaCase& w) {
  return words(w.m * w.k, w.source_bits) + words(w.k * w.n, w.source_bits) +
         words(w.m * w.n, w.addend_bits);
}
inline int output_words(const Case& c) { return 32 * c.d; }
/// d, then all registers of a, b and c, lane by lane.
inline int output_words(const WmmaCase& w) {
  return words(w.m * w.n, w.result_bits) + 32 * unit_words(w) * (w.a + w.b + w.c);
}

/// Word `index` of a tile's inputs: the words of a, b and c, lane by lane.
inline std::uint32_t input_word(const Case& c, std::uint32_t id, std::uint32_t tile,
                                std::uint32_t index) {
  const auto lane = index / static_cast<std::uint32_t>(c.a + c.b + c.c);
  const auto at = index % static_cast<std::uint32_t>(c.a + c.b + c.c);
  const auto sources = static_cast<std::uint32_t>(c.a + c.b);
  const bool addend = at >= sources;
  return input_word(
      c, id, tile, addend,
      addend ? lane * static_cast<std::uint32_t>(c.c) + at - sources : lane * sources + at);
}
/// A word of the matrices a, b and c in memory. In tile 0 each element is its own index, in tile 1
/// its index divided by 256. Together they show where an element goes.
inline std::uint32_t input_word(const WmmaCase& w, std::uint32_t id, std::uint32_t tile,
                                std::uint32_t index) {
  const auto a = static_cast<std::uint32_t>(words(w.m * w.k, w.source_bits));
  const auto sources = a + static_cast<std::uint32_t>(words(w.k * w.n, w.source_bits));
  const bool addend = index >= sources;
  const auto at = addend ? index - sources : index >= a ? index - a : index;
  const auto bits = static_cast<std::uint32_t>(addend ? w.addend_bits : w.source_bits);
  if (tile >= 2) {
    return input_word(w.source, w.addend, id + 1000, tile, addend, addend ? at : index);
  }
  if (bits == 64) return at % 2 == 0 ? at / 2 >> (8 * tile) : 0;
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < 32 / bits; ++i) {
    const auto element = (at * (32 / bits) + i) >> (8 * tile);
    word |= (bits == 32 ? element : element & ((1U << bits) - 1)) << (i * bits);
  }
  return word;
}

/// FNV-1a over words.
inline std::uint64_t digest(const std::uint32_t* first, std::size_t count) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ first[i]) * 0x100000001b3U;
  return hash;
}

}  // namespace mma_cases

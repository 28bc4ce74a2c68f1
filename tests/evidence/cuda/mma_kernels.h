// SPDX-License-Identifier: Apache-2.0
// PTX of the cases in mma_cases.h: kernels NAME(in, out), one block of one warp per tile.
#pragma once

#include <string>

#include "tests/evidence/cuda/mma_cases.h"

namespace mma_cases {

inline const std::string kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// For example {%w4, %w5}.
inline std::string list(const std::string& prefix, int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) {
    text += (i != 0 ? ", " : "") + prefix + std::to_string(first + i);
  }
  return text + "}";
}

/// Declares registers, loads parameters, sets %r0 to the lane's number and %r1 to the tile's.
inline std::string opening(const std::string& name, bool wide, int registers) {
  return ".visible .entry " + name + "(.param .u64 in, .param .u64 out)\n{\n  .reg " +
         (wide ? ".b64 %v<" : ".b32 %w<") + std::to_string(registers) +
         ">;\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<8>;\n"
         "  ld.param.u64 %rd0, [in];\n  ld.param.u64 %rd1, [out];\n"
         "  cvta.to.global.u64 %rd0, %rd0;\n  cvta.to.global.u64 %rd1, %rd1;\n"
         "  mov.u32 %r0, %tid.x;\n  mov.u32 %r1, %ctaid.x;\n";
}

inline std::string kernel_text(const Case& c) {
  const bool wide = c.source == Format::kF64;
  const int unit = wide ? 2 : 1;
  const std::string p = wide ? "%v" : "%w";
  const std::string type = wide ? ".b64 " : ".b32 ";
  const int in = c.a + c.b + c.c;
  auto text = opening(c.name, wide, (in + c.d) / unit);
  text += "  mad.lo.u32 %r2, %r1, 32, %r0;\n  mul.wide.u32 %rd2, %r2, " + std::to_string(4 * in) +
          ";\n  add.u64 %rd2, %rd0, %rd2;\n  mul.wide.u32 %rd3, %r2, " + std::to_string(4 * c.d) +
          ";\n  add.u64 %rd3, %rd1, %rd3;\n";
  for (int i = 0; i < in / unit; ++i) {
    text += "  ld.global" + type + p + std::to_string(i) + ", [%rd2+" +
            std::to_string(4 * unit * i) + "];\n";
  }
  text += "  mma.sync.aligned." + c.text + " " + list(p, in / unit, c.d / unit) + ", " +
          list(p, 0, c.a / unit) + ", " + list(p, c.a / unit, c.b / unit) + ", " +
          list(p, (c.a + c.b) / unit, c.c / unit) + ";\n";
  for (int i = 0; i < c.d / unit; ++i) {
    text += "  st.global" + type + "[%rd3+" + std::to_string(4 * unit * i) + "], " + p +
            std::to_string(in / unit + i) + ";\n";
  }
  return text + "  ret;\n}\n";
}

inline std::string kernel_text(const WmmaCase& w) {
  const bool wide = w.source == Format::kF64;
  const std::string p = wide ? "%v" : "%w";
  const int unit = 4 * unit_words(w);
  const auto number = [](int value) { return std::to_string(value); };
  const auto shape = "m" + number(w.m) + "n" + number(w.n) + "k" + number(w.k);
  const auto a = list(p, 0, w.a);
  const auto b = list(p, w.a, w.b);
  const auto c = list(p, w.a + w.b, w.c);
  const auto d = list(p, w.a + w.b + w.c, w.d);
  const auto load = [&](const std::string& operand, const std::string& layout,
                        const std::string& type, const std::string& registers,
                        const std::string& address, int stride) {
    return "  wmma.load." + operand + ".sync.aligned." + layout + "." + shape + ".global." + type +
           " " + registers + ", [" + address + "], " + number(stride) + ";\n";
  };
  auto text = opening(w.name, wide, w.a + w.b + w.c + w.d);
  text += "  mul.wide.u32 %rd2, %r1, " + number(4 * input_words(w)) +
          ";\n  add.u64 %rd2, %rd0, %rd2;\n  mul.wide.u32 %rd3, %r1, " +
          number(4 * output_words(w)) + ";\n  add.u64 %rd3, %rd1, %rd3;\n  add.u64 %rd4, %rd2, " +
          number(4 * words(w.m * w.k, w.source_bits)) + ";\n  add.u64 %rd5, %rd4, " +
          number(4 * words(w.k * w.n, w.source_bits)) + ";\n";
  text += load("a", w.a_layout, w.source_type, a, "%rd2", w.a_layout == "row" ? w.k : w.m);
  text += load("b", w.b_layout, w.source_type, b, "%rd4", w.b_layout == "row" ? w.n : w.k);
  text += load("c", "row", w.addend_type, c, "%rd5", w.n);
  text += "  wmma.mma" + w.text + " " + d + ", " + a + ", " + b + ", " + c + ";\n";
  text += "  wmma.store.d.sync.aligned.row." + shape + ".global." + w.result_type + " [%rd3], " +
          d + ", " + number(w.n) + ";\n";
  text += "  mul.wide.u32 %rd6, %r0, " + number(unit * (w.a + w.b + w.c)) +
          ";\n  add.u64 %rd6, %rd3, %rd6;\n";
  for (int i = 0; i < w.a + w.b + w.c; ++i) {
    text += std::string("  st.global") + (wide ? ".b64" : ".b32") + " [%rd6+" +
            number(4 * words(w.m * w.n, w.result_bits) + unit * i) + "], " + p + number(i) + ";\n";
  }
  return text + "  ret;\n}\n";
}

}  // namespace mma_cases

// SPDX-License-Identifier: Apache-2.0
// Kernels of one warp that move one matrix, to measure the counters of wmma.load, wmma.store,
// ldmatrix and stmatrix with several leading dimensions.
//
// Names are descriptive: l_a_row_m16n16k16_f16_shared_40 loads a with rows 40 elements apart.
#pragma once

#include <string>
#include <vector>

#include "tests/evidence/cuda/mma_kernels.h"

namespace mma_cases {

struct Probe {
  std::string name;
  std::string text;
};

inline const std::string kTile =
    "  .reg .b32 %s<3>;\n  .shared .align 128 .b8 tile[32768];\n"
    "  mov.u32 %s0, tile;\n  mad.lo.u32 %s1, %r0, 4, %s0;\n";

/// Uses every register, so that no load is dropped: w[count] = ((w0 * 3 + w1) * 3 + w2) ...
inline std::string use_all(const std::string& p, bool wide, int count) {
  const std::string to = p + std::to_string(count);
  const std::string type = wide ? ".u64 " : ".u32 ";
  auto text = "  mov" + type + to + ", " + p + "0;\n";
  for (int i = 1; i < count; ++i) {
    text += "  mad.lo" + type + to + ", " + to + ", 3, " + p + std::to_string(i) + ";\n";
  }
  return text + "  mul.wide.u32 %rd2, %r0, 8;\n  add.u64 %rd2, %rd1, %rd2;\n  st.global" + type +
         "[%rd2], " + to + ";\n  ret;\n}\n";
}

inline Probe load_probe(const std::string& operand, const std::string& layout,
                        const std::string& shape, const std::string& type, int registers,
                        bool shared, int stride) {
  const bool wide = type == "f64";
  const std::string p = wide ? "%v" : "%w";
  const std::string space = shared ? "shared" : "global";
  Probe probe;
  probe.name = "l_" + operand + "_" + layout + "_" + shape + "_" + type + "_" + space + "_" +
               std::to_string(stride);
  probe.text = opening(probe.name, wide, registers + 1);
  if (shared) probe.text += kTile + "  st.shared.u32 [%s1], %r0;\n  bar.sync 0;\n";
  probe.text += "  wmma.load." + operand + ".sync.aligned." + layout + "." + shape + "." + space +
                "." + type + " " + list(p, 0, registers) + (shared ? ", [%s0], " : ", [%rd0], ") +
                std::to_string(stride) + ";\n" + use_all(p, wide, registers);
  return probe;
}

/// Reads the shared tile back, 4 bytes per lane.
inline const std::string kReadAgain =
    "  bar.sync 0;\n  ld.shared.u32 %r2, [%s1];\n  mul.wide.u32 %rd2, %r0, 4;\n"
    "  add.u64 %rd2, %rd1, %rd2;\n  st.global.u32 [%rd2], %r2;\n";

inline Probe store_probe(const std::string& layout, const std::string& shape,
                         const std::string& type, int registers, bool shared, int stride) {
  const bool wide = type == "f64";
  const std::string p = wide ? "%v" : "%w";
  const std::string space = shared ? "shared" : "global";
  Probe probe;
  probe.name =
      "s_d_" + layout + "_" + shape + "_" + type + "_" + space + "_" + std::to_string(stride);
  probe.text = opening(probe.name, wide, registers + 1);
  if (shared) probe.text += kTile;
  for (int i = 0; i < registers; ++i) {
    probe.text += (wide ? "  cvt.u64.u32 " : "  mov.u32 ") + p + std::to_string(i) + ", %r0;\n";
  }
  probe.text += "  wmma.store.d.sync.aligned." + layout + "." + shape + "." + space + "." + type +
                (shared ? " [%s0], " : " [%rd1], ") + list(p, 0, registers) + ", " +
                std::to_string(stride) + ";\n" + (shared ? kReadAgain : "") + "  ret;\n}\n";
  return probe;
}

/// Rows of the 8 x 8 tiles are `pitch` bytes apart.
inline Probe tiles_probe(int tiles, bool transposes, int pitch, bool stores) {
  Probe probe;
  probe.name = std::string(stores ? "stm_x" : "ldm_x") + std::to_string(tiles) +
               (transposes ? "_t_" : "_") + std::to_string(pitch);
  const auto suffix = std::string(".sync.aligned.m8n8.x") + std::to_string(tiles) +
                      (transposes ? ".trans" : "") + ".shared.b16 ";
  probe.text = opening(probe.name, false, tiles + 1) + kTile + "  mad.lo.u32 %s2, %r0, " +
               std::to_string(pitch) + ", %s0;\n";
  if (!stores) {
    probe.text += "  st.shared.u32 [%s1], %r0;\n  bar.sync 0;\n  ldmatrix" + suffix +
                  list("%w", 0, tiles) + ", [%s2];\n" + use_all("%w", false, tiles);
    return probe;
  }
  for (int i = 0; i < tiles; ++i) {
    probe.text += "  add.u32 %w" + std::to_string(i) + ", %r0, " + std::to_string(i) + ";\n";
  }
  probe.text +=
      "  stmatrix" + suffix + "[%s2], " + list("%w", 0, tiles) + ";\n" + kReadAgain + "  ret;\n}\n";
  return probe;
}

inline void add_wmma_probes(std::vector<Probe>& all, const std::string& layout, bool shared) {
  struct Shape {
    const char* name;
    int bf16_a, bf16_b, s8_a, s8_b;
  };
  for (const auto& s : {Shape{"m16n16k16", 4, 4, 2, 2}, Shape{"m32n8k16", 8, 2, 4, 1},
                        Shape{"m8n32k16", 2, 8, 1, 4}}) {
    const bool square = std::string(s.name) == "m16n16k16";
    for (const int stride : {32, 40, 64, 72, 136}) {
      if (!square && (stride == 32 || stride == 136)) continue;
      const auto load = [&](const std::string& operand, const std::string& type, int registers) {
        all.push_back(load_probe(operand, layout, s.name, type, registers, shared, stride));
      };
      load("a", "f16", 8);
      load("b", "f16", 8);
      load("c", "f32", 8);
      all.push_back(store_probe(layout, s.name, "f32", 8, shared, stride));
      if (stride != 40 && stride != 64) continue;
      load("c", "f16", 4);
      all.push_back(store_probe(layout, s.name, "f16", 4, shared, stride));
      load("c", "s32", 8);
      load("a", "bf16", s.bf16_a);
      load("b", "bf16", s.bf16_b);
      const int bytes = stride == 40 ? 48 : 64;
      all.push_back(load_probe("a", layout, s.name, "s8", s.s8_a, shared, bytes));
      all.push_back(load_probe("b", layout, s.name, "s8", s.s8_b, shared, bytes));
    }
  }
  for (const int stride : {40, 64}) {
    for (const std::string operand : {"a", "b", "c"}) {
      all.push_back(load_probe(operand, layout, "m16n16k8", operand == "c" ? "f32" : "tf32",
                               operand == "c" ? 8 : 4, shared, stride));
      all.push_back(
          load_probe(operand, layout, "m8n8k4", "f64", operand == "c" ? 2 : 1, shared, stride));
    }
    all.push_back(store_probe(layout, "m16n16k8", "f32", 8, shared, stride));
    all.push_back(store_probe(layout, "m8n8k4", "f64", 2, shared, stride));
  }
}

inline std::vector<Probe> probes() {
  std::vector<Probe> all;
  for (const std::string layout : {"row", "col"}) {
    for (const bool shared : {false, true}) add_wmma_probes(all, layout, shared);
  }
  for (const int tiles : {1, 2, 4}) {
    for (const int pitch : {16, 32, 48, 64, 80, 128, 144, 256}) {
      all.push_back(tiles_probe(tiles, false, pitch, false));
      if (pitch == 16 || pitch == 80 || pitch == 128) {
        all.push_back(tiles_probe(tiles, true, pitch, false));
        all.push_back(tiles_probe(tiles, false, pitch, true));
        all.push_back(tiles_probe(tiles, true, pitch, true));
      }
    }
  }
  return all;
}

}  // namespace mma_cases

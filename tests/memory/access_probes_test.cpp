// SPDX-License-Identifier: Apache-2.0
// Replays single warps that Nsight Compute counted on an H200. In every row of
// tests/evidence/golden/h200_outputs/access_probes.csv, every counter that we publish must agree
// exactly.
//
// Each row becomes the accesses that its kernel in tests/evidence/cuda/probes.cu makes. Atomics
// also need their PTX, because the assembler chooses by type and by whether the result is used.
//
// For the kind `generic`, bytes per sector include the bytes of its shared accesses, which are as
// many as those of its global accesses. smsp__inst_executed_op_shared_ld and _st of this kind are
// left out: the card counts instructions there, and generic ones under another name, while we count
// accesses in the space that they hit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/ptx/module.h"
#include "tests/evidence/golden/csv.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::access_probes_test {

using run::Operation;
using run::Space;

constexpr std::uint64_t kGlobal = 0x700000000000;

// The table's column for one of our metrics. The shared requests of a lone warp are its
// instructions.
std::string column_of(const std::string& metric) {
  const std::string ours = "warpgrade__shared_requests_op_";
  if (!metric.starts_with(ours)) return metric;
  return "smsp__inst_executed_op_shared_" + metric.substr(ours.size());
}

struct Probe {
  std::string kind;
  std::uint32_t bytes = 0;
  std::string pattern;
  std::uint32_t mask = 0;
  Addresses offset{};
  golden::Row counters;
};

std::vector<Probe> probes() {
  std::vector<Probe> all;
  for (const golden::Row& row : golden::read_csv(WARPGRADE_GOLDEN_OUTPUTS "/access_probes.csv")) {
    Probe probe;
    probe.kind = row.at("kind");
    probe.bytes = static_cast<std::uint32_t>(std::stoul(row.at("bytes")));
    probe.pattern = row.at("pattern");
    probe.mask = static_cast<std::uint32_t>(std::stoul(row.at("mask"), nullptr, 16));
    const std::vector<std::string> offsets = golden::cut(row.at("offsets"), ' ');
    probe.offset = lanes([&](auto lane) { return std::stoull(offsets.at(lane)); });
    probe.counters = row;
    all.push_back(probe);
  }
  return all;
}

/// The atomic of each kind as NVRTC writes it. SPACE is a placeholder for shared or global.
const std::map<std::string, std::string> kAtomics = {
    {"atom_u32", "atom.SPACE.add.u32 %r1, [%rd1], %r0;"},
    {"red_u32", "red.SPACE.add.u32 [%rd1], %r0;"},
    {"cas_b32", "atom.SPACE.cas.b32 %r1, [%rd1], 0, %r0;"},
    {"exch_b32", "atom.SPACE.exch.b32 %r1, [%rd1], %r0;"},
    {"red_f32", "red.SPACE.add.f32 [%rd1], 0f3F800000;"},
    {"atom_u64", "atom.SPACE.add.u64 %rd2, [%rd1], %rd0;"},
    {"cxx_add_used", "atom.SPACE.add.u32 %r1, [%rd1], 1;"},
    {"cxx_add_dropped", "atom.SPACE.add.u32 %unused_SPACE, [%rd1], 1;"},
};

/// Instruction 0 is `code` on shared memory, and 1 is `code` on global memory. The next
/// instructions use %r1 and %rd2.
ptx::Module module_of(const std::string& code) {
  std::string both;
  for (const std::string space : {"shared", "global"}) {
    std::string one = code;
    for (std::size_t at; (at = one.find("SPACE")) != std::string::npos;) one.replace(at, 5, space);
    both += one + "\n";
  }
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .b32 %r<4>, %unused_shared, %unused_global;\n.reg .b64 %rd<4>;\n" +
          both + "add.u32 %r3, %r1, %r0;\nadd.u64 %rd3, %rd2, %rd0;\nret;\n}\n",
      "probes.cu");
}

/// The accesses of one probe, as the simulator would report them.
void replay(Counters& counters, const Probe& probe) {
  const Addresses global = lanes([&](auto lane) { return kGlobal + probe.offset[lane]; });
  const auto at = [&](std::uint32_t instruction, Space space, Operation operation,
                      const Addresses& address) {
    access(counters, instruction, space, operation, address, probe.bytes, probe.mask);
  };
  if (probe.kind == "access" || probe.kind == "generic") {
    at(0, Space::kShared, Operation::kStore, probe.offset);
    at(1, Space::kShared, Operation::kLoad, probe.offset);
    at(2, Space::kGlobal, Operation::kLoad, global);
    at(3, Space::kGlobal, Operation::kStore, global);
  } else if (probe.kind == "readonly") {
    at(0, Space::kGlobal, Operation::kLoad, global);
  } else if (probe.kind == "local") {
    at(0, Space::kLocal, Operation::kStore, probe.offset);
    at(1, Space::kLocal, Operation::kLoad, probe.offset);
  } else {
    const Operation operation =
        probe.kind.starts_with("red") ? Operation::kReduction : Operation::kAtomic;
    if (probe.kind.starts_with("cxx")) {  // shared[0] = 0
      at(2, Space::kShared, Operation::kStore, lanes([](auto) { return 0; }));
    }
    if (probe.kind != "red_f32") at(0, Space::kShared, operation, probe.offset);
    at(1, Space::kGlobal, operation, global);
  }
}

TEST(AccessProbesH200, EveryCounterOfEveryRowIsWhatTheCardCounted) {
  std::map<std::string, int> rows;
  int compared = 0;
  for (const Probe& probe : probes()) {
    SCOPED_TRACE(probe.kind + " " + std::to_string(probe.bytes) + " " + probe.pattern);
    ptx::Module module;
    run::LaunchContext context;
    context.warps_per_block = 1;
    if (const auto code = kAtomics.find(probe.kind); code != kAtomics.end()) {
      module = module_of(code->second);
      context.function = &module.functions.at(0);
      ASSERT_TRUE(context.function->unsupported.empty());
    }
    Counters counters(device::find("h200"));
    counters.on_launch(context);
    counters.on_block_begin(0);
    replay(counters, probe);
    counters.on_block_end();
    for (const auto& [name, ours] : metrics(counters, {}, {})) {
      if (name.starts_with("sm__")) continue;  // of the tensor cores, which no probe uses
      if (name == "smsp__inst_executed_op_ldgsts.sum") continue;  // of copies, likewise
      const bool is_launch_wide = name.starts_with("lts__") || name.starts_with("dram__") ||
                                  name.starts_with("warpgrade__");
      const auto column = column_of(name);
      if (is_launch_wide && column == name) continue;
      if (probe.kind == "generic" && column != name) continue;
      const auto theirs = probe.counters.find(column);
      ASSERT_NE(probe.counters.end(), theirs) << name;
      const bool is_ratio = name.ends_with(".ratio");  // two decimals in the table
      const double factor = is_ratio && probe.kind == "generic" ? 2 : 1;
      EXPECT_NEAR(std::stod(theirs->second), factor * ours, is_ratio ? 0.00501 : 0) << name;
      ++compared;
    }
    ++rows[probe.kind];
  }
  const std::map<std::string, int> expected = {
      {"access", 295},  {"generic", 10},  {"readonly", 10},     {"local", 20},
      {"atom_u32", 10}, {"red_u32", 10},  {"cas_b32", 10},      {"exch_b32", 10},
      {"red_f32", 10},  {"atom_u64", 10}, {"cxx_add_used", 10}, {"cxx_add_dropped", 10}};
  EXPECT_EQ(expected, rows);
  EXPECT_LT(415 * 20, compared);
}

}  // namespace warpgrade::memory::access_probes_test

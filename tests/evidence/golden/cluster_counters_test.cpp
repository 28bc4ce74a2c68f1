// SPDX-License-Identifier: Apache-2.0
// Compares the simulator's counters of accesses to distributed shared memory with those of an H100
// (README.md).
#include <gtest/gtest.h>

#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/sim/simulator.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::golden::cluster_counters_test {

const std::string kFolder = std::string(WARPGRADE_GOLDEN) + "/h100_cluster/";

const compile::Program& program() {
  static const auto compiled = [] {
    auto read = compile::read_source(kFolder + "accesses.cu");
    auto& request = std::get<compile::CompileRequest>(read);
    request.architecture = "sm_90";
    return std::get<compile::Program>(compile::compile(request));
  }();
  return compiled;
}

memory::Metrics simulate(const std::string& kernel) {
  run::Launch launch;
  launch.kernel = kernel;
  launch.grid.x = 2;
  launch.block.x = 32;
  launch.dynamic_shared_bytes = 8192;
  launch.arguments = {run::BufferArgument{0}};
  std::vector<run::Buffer> buffers(1);
  buffers[0].bytes.resize(4096);
  memory::Counters counters(device::find("h100"));
  run::Options options;
  options.observers = {&counters};
  sim::Simulator simulator(program());
  const auto result = simulator.launch(launch, buffers, options);
  EXPECT_TRUE(result.diagnostics.empty()) << kernel;
  return memory::metrics(counters, simulator.function(kernel), result);
}

TEST(ClusterCounters, AreThoseOfAnH100) {
  const auto rows = read_csv(kFolder + "counters.csv");
  EXPECT_LE(25U, rows.size());
  for (const auto& row : rows) {
    const auto metrics = simulate(row.at("kernel"));
    for (const auto& [name, value] : row) {
      if (name == "kernel") continue;
      const auto here = metrics.find(name);
      EXPECT_EQ(std::stod(value), here == metrics.end() ? 0 : here->second)
          << row.at("kernel") << " " << name;
    }
  }
}

}  // namespace warpgrade::golden::cluster_counters_test

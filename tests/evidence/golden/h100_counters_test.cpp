// SPDX-License-Identifier: Apache-2.0
// Compares the simulator's counters with those of an H100: for programs with bulk copies, for one
// with a cluster of one block, and for accesses to distributed shared memory (README.md).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/sim/simulator.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::golden::h100_counters_test {

using memory::InstructionCounters;
using run::Operation;
using run::Space;

const std::string kLaunch = "// launch: grid 1 block ";

memory::Counters simulate(const std::string& program_name) {
  std::ifstream file(std::string(WARPGRADE_BEHAVIOURS) + "/" + program_name + ".ptx");
  std::stringstream stream;
  stream << file.rdbuf();
  const auto text = stream.str();
  compile::Program program;
  program.ptx = {text, {}};
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = 1;
  launch.block.x =
      static_cast<std::uint32_t>(std::stoul(text.substr(text.find(kLaunch) + kLaunch.size(), 8)));
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers(2);
  buffers[0].bytes.resize(4096);
  buffers[1].bytes.resize(16384);
  memory::Counters counters(device::find("h100"));
  run::Options options;
  options.observers = {&counters};
  sim::Simulator simulator(program);
  EXPECT_TRUE(simulator.launch(launch, buffers, options).diagnostics.empty());
  return counters;
}

std::map<std::string, std::uint64_t> measured(const std::string& program) {
  std::map<std::string, std::uint64_t> values;
  for (const auto& row : read_csv(std::string(WARPGRADE_GOLDEN) + "/h100_bulk/counters.csv")) {
    if (row.at("program") == program) values[row.at("metric")] = std::stoull(row.at("value"));
  }
  return values;
}

class BulkCounters : public testing::TestWithParam<const char*> {};

TEST_P(BulkCounters, AreThoseOfAnH100) {
  const auto counters = simulate(GetParam());
  const auto values = measured(GetParam());
  const auto l1 = [&](const std::string& name) { return values.at("l1tex__" + name + ".sum"); };
  const auto loads = counters.total(Space::kGlobal, Operation::kLoad);
  const auto stores = counters.total(Space::kGlobal, Operation::kStore);
  EXPECT_EQ(l1("t_requests_pipe_lsu_mem_global_op_ld"), loads.requests);
  EXPECT_EQ(l1("t_sectors_pipe_lsu_mem_global_op_ld"), loads.sectors);
  EXPECT_EQ(l1("t_requests_pipe_lsu_mem_global_op_st"), stores.requests);
  EXPECT_EQ(l1("t_sectors_pipe_lsu_mem_global_op_st"), stores.sectors);
  EXPECT_EQ(l1("data_pipe_lsu_wavefronts_mem_shared_op_ld"),
            counters.total(Space::kShared, Operation::kLoad).wavefronts);
  // Sectors read from L2: up to three more for each of three unaligned copies.
  const auto read = values.at("lts__t_sectors_srcunit_tex_op_read.sum");
  EXPECT_LE(counters.missed_load_sectors(), read);
  EXPECT_GE(counters.missed_load_sectors() + 9, read);
  if (std::string(GetParam()) == "bulk_ring") {
    EXPECT_EQ(read, counters.missed_load_sectors());
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, BulkCounters,
                         testing::Values("bulk_ring", "bulk_memcpy_async", "bulk_reductions",
                                         "cluster_of_one"),
                         [](const auto& program) { return std::string(program.param); });

const std::string kClusters = std::string(WARPGRADE_GOLDEN) + "/h100_cluster/";

const compile::Program& program() {
  static const auto compiled = [] {
    auto read = compile::read_source(kClusters + "accesses.cu");
    auto& request = std::get<compile::CompileRequest>(read);
    request.architecture = "sm_90";
    return std::get<compile::Program>(compile::compile(request));
  }();
  return compiled;
}

memory::Metrics simulate_cluster(const std::string& kernel) {
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
  sim::Simulator simulator;
  simulator.load(program());
  const auto result = simulator.launch(launch, buffers, options);
  EXPECT_TRUE(result.diagnostics.empty()) << kernel;
  return memory::metrics(counters, simulator.function(kernel), result);
}

TEST(ClusterCounters, AreThoseOfAnH100) {
  const auto rows = read_csv(kClusters + "counters.csv");
  EXPECT_LE(25U, rows.size());
  for (const auto& row : rows) {
    const auto metrics = simulate_cluster(row.at("kernel"));
    for (const auto& [name, value] : row) {
      if (name == "kernel") continue;
      const auto here = metrics.find(name);
      EXPECT_EQ(std::stod(value), here == metrics.end() ? 0 : here->second)
          << row.at("kernel") << " " << name;
    }
  }
}

}  // namespace warpgrade::golden::h100_counters_test

// SPDX-License-Identifier: Apache-2.0
// Compiles and runs a kernel `kernel(int* x, int* out)` in a launch with thread block clusters.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/compile/compiler.h"
#include "common/sim/simulator.h"

namespace warpgrade::sim {

struct ClusterRun {
  run::Result result;
  std::vector<int> x, out;
};

struct ClusterLaunch {
  base::Dim3 grid{2, 1, 1};
  base::Dim3 block{32, 1, 1};
  std::optional<base::Dim3> cluster = base::Dim3{2, 1, 1};
  std::string dims;  ///< Attribute of the kernel, such as "__cluster_dims__(2)".
  run::Options options;
};

/// x and out hold 1024 zeros before the launch. The body begins in line 4, after the definitions of
/// `cluster` (cooperative_groups::this_cluster()), `rank` (the block's rank), `t` (threadIdx.x) and
/// `b` (blockIdx.x).
inline ClusterRun run_clusters(const std::string& body, const ClusterLaunch& asked = {}) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.architecture = "sm_90";
  request.source = "#include <cooperative_groups.h>\nextern \"C\" __global__ void " + asked.dims +
                   " kernel(int* x, int* out) {\n auto cluster = "
                   "cooperative_groups::this_cluster(); const int rank = cluster.block_rank(), t = "
                   "threadIdx.x, b = blockIdx.x;\n" +
                   body + "\n}\n";
  static std::map<std::string, compile::Program> programs;
  if (!programs.contains(request.source)) {
    programs[request.source] = std::get<compile::Program>(compile::compile(request));
  }
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid = asked.grid;
  launch.block = asked.block;
  launch.cluster = asked.cluster;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers = {{"x", std::vector<std::byte>(4096), 4, false, true},
                                      {"out", std::vector<std::byte>(4096), 4, false, true}};
  Simulator simulator(programs[request.source]);
  ClusterRun run;
  run.result = simulator.launch(launch, buffers, asked.options);
  for (auto* into : {&run.x, &run.out}) {
    into->resize(1024);
    std::memcpy(into->data(), buffers[into == &run.x ? 0 : 1].bytes.data(), 4096);
  }
  return run;
}

}  // namespace warpgrade::sim

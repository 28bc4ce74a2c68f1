// SPDX-License-Identifier: Apache-2.0
// Compiles and runs a kernel `kernel(int* x, int* out)` as a cooperative launch.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "common/compile/compiler.h"
#include "common/sim/simulator.h"

namespace warpgrade::sim {

struct CooperativeRun {
  run::Result result;
  std::vector<int> x, out;
};

/// x and out hold 1024 zeros before the launch. The body begins in line 4, after the definitions of
/// `grid` (cooperative_groups::this_grid()), `t` (threadIdx.x), `b` (blockIdx.x) and `i` (the
/// thread's number in the grid).
inline CooperativeRun run_cooperative(const std::string& body, std::uint32_t blocks,
                                      std::uint32_t threads, run::Options options = {},
                                      bool cooperative = true) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "#include <cooperative_groups.h>\n"
      "extern \"C\" __global__ void kernel(int* x, int* out) {\n"
      "  auto grid = cooperative_groups::this_grid(); const int t = threadIdx.x, b = blockIdx.x, i "
      "= "
      "grid.thread_rank();\n" +
      body + "\n}\n";
  static std::map<std::string, compile::Program> programs;
  if (!programs.contains(body)) {
    programs[body] = std::get<compile::Program>(compile::compile(request));
  }
  const auto& program = programs[body];
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  launch.cooperative = cooperative;
  std::vector<run::Buffer> buffers = {{"x", std::vector<std::byte>(4096), 4, false, true},
                                      {"out", std::vector<std::byte>(4096), 4, false, true}};
  Simulator simulator(program);
  CooperativeRun run;
  run.result = simulator.launch(launch, buffers, options);
  for (auto* into : {&run.x, &run.out}) {
    into->resize(1024);
    std::memcpy(into->data(), buffers[into == &run.x ? 0 : 1].bytes.data(), 4096);
  }
  return run;
}

}  // namespace warpgrade::sim

// SPDX-License-Identifier: Apache-2.0
// Compiles the body of a kernel, runs it with all checks, and returns their findings.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/check/checks.h"
#include "common/compile/compiler.h"
#include "common/sim/simulator.h"

namespace warpgrade::check {

/// The findings in a kernel `kernel(int* x, int* out)` with this body. Two blocks of 64 threads run
/// in the order of their numbers. x holds 1 in all 256 elements, out holds zeros. The body begins
/// in line 3; `t` is the thread's index in its block, `i` its index in the grid.
inline std::vector<base::Diagnostic> found_in(const std::string& body) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "extern \"C\" __global__ void kernel(int* x, int* out) {\n"
      "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n" +
      body + "\n}\n";
  const auto compiled = compile::compile(request);
  const auto& program = std::get<compile::Program>(compiled);
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = 2;
  launch.block.x = 64;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers = {{"x", std::vector<std::byte>(1024), 4, false, true},
                                      {"out", std::vector<std::byte>(1024), 4, false, true}};
  for (std::size_t i = 0; i < 1024; i += 4) buffers[0].bytes[i] = std::byte{1};
  Checks checks(/*global_races=*/true);
  run::Options options;
  options.threads = 1;
  options.observers = {&checks};
  sim::Simulator simulator(program);
  EXPECT_TRUE(simulator.launch(launch, buffers, options).diagnostics.empty());
  return checks.diagnostics();
}

}  // namespace warpgrade::check

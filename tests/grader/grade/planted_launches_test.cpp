// SPDX-License-Identifier: Apache-2.0
// Kernels with one fault each. tests/gpu/sanitize.py uses them to prove that the sanitizer works: a
// tool that finds nothing in them has not looked. They are not tests of this program, hence
// DISABLED_; the rest of the name is the tool that must find the fault.
#include <gtest/gtest.h>

#include "tests/grader/grade/launches.h"

namespace warpgrade::grader::grade::planted_launches_test {

constexpr std::uint32_t kThreads = 64;

// Launches one block of a kernel with this body, an output, and uninitialized memory.
void launch(const std::string& body) {
  compile::CompileRequest request;
  request.file = "planted.cu";
  request.source =
      "extern \"C\" __global__ void planted(float* out, const float* unwritten) {" + body + "}\n";
  const auto& driver = session().driver();
  const gpu::Allocation unwritten(driver, kThreads * sizeof(float));
  const gpu::Allocation out(driver, kThreads * sizeof(float));
  run::Launch launch;
  launch.kernel = "planted";
  launch.block.x = kThreads;
  launch.arguments = {run::value_argument(out.address()), run::value_argument(unwritten.address())};
  const auto code = loadable(compiled(request)).machine_code;
  const gpu::Module module(driver, code);
  static_cast<void>(session().launch(module, launch, {}));
}

TEST(PlantedFaults, DISABLED_memcheck) { launch("out[threadIdx.x + 1] = 1;"); }

TEST(PlantedFaults, DISABLED_racecheck) {
  launch(
      "__shared__ float tile[64]; tile[threadIdx.x] = threadIdx.x;"
      "out[threadIdx.x] = tile[(threadIdx.x + 32) % 64];");
}

TEST(PlantedFaults, DISABLED_initcheck) { launch("out[threadIdx.x] = unwritten[threadIdx.x];"); }

// Half of a warp calls __syncwarp() with a mask that excludes it.
TEST(PlantedFaults, DISABLED_synccheck) {
  launch(
      "const unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x % 32 < 16); __syncwarp(mask);"
      "out[threadIdx.x] = 1;");
}

}  // namespace warpgrade::grader::grade::planted_launches_test

// SPDX-License-Identifier: Apache-2.0
// Feeds arbitrary bytes as PTX, and runs the kernels on the simulator with all checks and counters.
//
// A program must end within its budget, and access only its own buffers, shared memory and local
// memory. The address sanitizer detects other accesses.
#include <cstdint>

#include "common/base/error.h"
#include "common/check/checks.h"
#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/memory/metrics.h"
#include "common/sim/simulator.h"
#include "tests/evidence/fuzz/fitting_launch.h"

namespace warpgrade::fuzz {
namespace {

void run(sim::Simulator& simulator, const std::string& name) {
  const auto& kernel = simulator.function(name);
  std::vector<run::Buffer> buffers;
  const auto launch = fitting_launch(kernel, buffers);
  memory::Counters counters(device::find("h200"));
  check::Checks checks;
  run::Options options;
  options.threads = 1;
  options.block_budget = 2000;
  options.observers = {&counters, &checks};
  const auto result = simulator.launch(launch, buffers, options);
  memory::metrics(counters, kernel, result);
  memory::by_line(counters, kernel);
}

}  // namespace
}  // namespace warpgrade::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpgrade;
  sim::Simulator simulator;
  compile::Program program;
  program.ptx = {std::string(reinterpret_cast<const char*>(data), size), "k.cu"};
  try {
    simulator.load(program);
  } catch (const base::ToolError&) {
    return 0;
  }
  for (const auto& function : simulator.module().functions) {
    if (!function.is_entry || function.is_declaration) continue;
    try {
      fuzz::run(simulator, function.name);
    } catch (const base::ToolError&) {
    } catch (const base::UsageError&) {
    }
  }
  return 0;
}

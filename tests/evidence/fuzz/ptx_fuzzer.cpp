// SPDX-License-Identifier: Apache-2.0
// Feeds arbitrary bytes as PTX: parses them, links the kernels, orders their basic blocks.
//
// Text that is not PTX must throw base::ToolError; any other exception is a finding.
// simulator_fuzzer.cpp also runs the kernels.
#include <cstddef>
#include <cstdint>

#include "common/base/error.h"
#include "common/ptx/control_flow.h"
#include "common/ptx/module.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpgrade;
  try {
    const auto module = ptx::parse({reinterpret_cast<const char*>(data), size}, "k.cu");
    for (const auto& function : module.functions) {
      if (!function.is_entry || function.is_declaration) continue;
      ptx::weak_topological_order(ptx::basic_blocks(ptx::link(module, function)));
    }
  } catch (const base::ToolError&) {
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Any bytes as PTX text: parsed, its kernels linked, their blocks put in order.
//
// Text that is not PTX must end as base::ToolError; any other exception is a finding.
// simulator_fuzzer.cpp goes on from here.
#include <cstddef>
#include <cstdint>

#include "common/base/error.h"
#include "common/ptx/control_flow.h"
#include "common/ptx/link.h"
#include "common/ptx/parser.h"

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

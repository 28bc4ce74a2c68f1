// SPDX-License-Identifier: Apache-2.0
// The PTX instructions that warps executed, by source line: for a gate that counts instructions, as
// metrics.h has the accesses to memory for one that counts those.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

struct LineInstructions {
  std::string file;         ///< Empty, as `line` is 0, for code without a place.
  std::uint32_t line = 0;   ///< 1-based.
  std::uint64_t warps = 0;  ///< Sum over the line's instructions of the warps that executed them.

  friend bool operator==(const LineInstructions&, const LineInstructions&) = default;
};

/// In the order of the source; only what was executed. `result` is that of a launch of `function`.
std::vector<LineInstructions> instructions_by_line(const ptx::Function& function,
                                                   const run::Result& result);

/// Adds `more` to `all`, line by line; both in the order of the source.
void add_instructions(const std::vector<LineInstructions>& more,
                      std::vector<LineInstructions>& all);

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
// The executed PTX instructions of warps by source line, for gates that count instructions.
// metrics.h has the memory accesses for gates that count those.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

struct LineInstructions {
  std::string file;         ///< Empty, with `line` 0, for code without a place.
  std::uint32_t line = 0;   ///< 1-based.
  std::uint64_t warps = 0;  ///< Warps that executed an instruction, summed over the line.

  friend bool operator==(const LineInstructions&, const LineInstructions&) = default;
};

/// Executed lines in source order. `result` is the result of a launch of `function`.
std::vector<LineInstructions> instructions_by_line(const ptx::Function& function,
                                                   const run::Result& result);

/// Adds `more` to `all`, line by line; both are in source order.
void add_instructions(const std::vector<LineInstructions>& more,
                      std::vector<LineInstructions>& all);

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
// Basic blocks of a function and the order in which a warp should meet them.
//
// A diverged warp always runs its part with the least position, and parts that meet at one position
// become one again. For that to reconverge as early as the hardware does, positions must follow a
// weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings",
// 1993): a block comes after those that lead to it except along back edges, and every loop is
// contiguous, with its exits behind it. The order of the PTX text mostly is one; cold blocks that
// the compiler moved to the end of the function are not where they belong.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// Instructions [begin, end) that are entered at the first only and left at the last only. A call
/// is an instruction like any other: it comes back.
struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> successors;  ///< Block indices; the one that follows comes last.
  bool falls_through = false;             ///< May go on to the block behind it in the text.
  bool is_entry = false;                  ///< The first of a function that may be called.
};

/// Blocks in the order of the text; block 0 is the entry.
std::vector<BasicBlock> basic_blocks(const Function& function);

/// Indices of the blocks that can be reached from block 0 in weak topological order, then, the
/// same way, those of each entry.
std::vector<std::uint32_t> weak_topological_order(const std::vector<BasicBlock>& blocks);

}  // namespace warpgrade::ptx

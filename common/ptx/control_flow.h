// SPDX-License-Identifier: Apache-2.0
// Basic blocks of a function and the order in which a warp should meet them.
//
// A diverged warp always runs the part with the lowest position, and parts that reach the same
// position merge. To reconverge as early as the hardware, positions must follow a weak topological
// order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993): a block
// follows its predecessors except along back edges, and every loop is contiguous, with its exits
// after it. The order of the PTX text is usually such an order, except that the compiler moves cold
// blocks to the end of the function.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// Instructions [begin, end): control enters at the first and leaves at the last. A call does not
/// end a block, because it returns.
struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> successors;  ///< Block indices; the fall-through successor comes last.
  bool falls_through = false;             ///< Control may continue with the next block in the text.
  bool is_entry = false;                  ///< The first block of a function that may be called.
};

/// Blocks in the order of the text; block 0 is the entry.
std::vector<BasicBlock> basic_blocks(const Function& function);

/// Indices of the blocks reachable from block 0 in weak topological order, followed by the blocks
/// of each further entry in the same order.
std::vector<std::uint32_t> weak_topological_order(const std::vector<BasicBlock>& blocks);

}  // namespace warpgrade::ptx

// SPDX-License-Identifier: Apache-2.0
#include "common/check/repeated_lines.h"

#include <algorithm>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"

namespace warpgrade::check {
namespace {

// Whether control can return to the block at `start`.
bool reaches_itself(const std::vector<ptx::BasicBlock>& blocks, std::uint32_t start) {
  std::vector<bool> is_seen(blocks.size());
  std::vector<std::uint32_t> open = blocks[start].successors;
  while (!open.empty()) {
    const auto block = open.back();
    open.pop_back();
    if (block == start) return true;
    if (is_seen[block]) continue;
    is_seen[block] = true;
    open.insert(open.end(), blocks[block].successors.begin(), blocks[block].successors.end());
  }
  return false;
}

}  // namespace

bool is_repeated(const ptx::Function& function, std::uint32_t instruction) {
  const auto blocks = ptx::basic_blocks(function);
  const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const ptx::BasicBlock& one) {
    return instruction >= one.begin && instruction < one.end;
  });
  if (block != blocks.end() &&
      reaches_itself(blocks, static_cast<std::uint32_t>(block - blocks.begin()))) {
    return true;
  }
  const auto& where = ptx::location(function, instruction);
  std::uint32_t stores = 0;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& other = ptx::location(function, i);
    const bool is_there = other.line == where.line && other.file == where.file;
    const auto memory = ptx::facts(function.instructions[i]).memory;
    if (is_there && memory == ptx::MemoryRole::kStore) ++stores;
  }
  return stores > 1;
}

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
#include "common/check/repeated_lines.h"

#include <algorithm>
#include <vector>

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

RepeatedLines::RepeatedLines(const ptx::Function& function)
    : function_(function), blocks_(ptx::basic_blocks(function)) {}

bool RepeatedLines::is_repeated(std::uint32_t instruction) const {
  const auto block = std::find_if(blocks_.begin(), blocks_.end(), [&](const ptx::BasicBlock& one) {
    return instruction >= one.begin && instruction < one.end;
  });
  if (block != blocks_.end() &&
      reaches_itself(blocks_, static_cast<std::uint32_t>(block - blocks_.begin()))) {
    return true;
  }
  const auto& where = ptx::location(function_, instruction);
  std::uint32_t stores = 0;
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    const auto& other = ptx::location(function_, i);
    const bool is_there = other.line == where.line && other.file == where.file;
    const auto memory = ptx::facts(function_.instructions[i]).memory;
    if (is_there && memory == ptx::MemoryRole::kStore) ++stores;
  }
  return stores > 1;
}

}  // namespace warpgrade::check

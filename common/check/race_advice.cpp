// SPDX-License-Identifier: Apache-2.0
#include "common/check/race_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check {
namespace {

// Whether control can come back from the block at `start` to itself.
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

std::string race_advice(const LaunchView& view, const BlockRace& race) {
  // In a block of one warp every race is within the warp, which says nothing about the kernel.
  const bool for_warp = race.same_warp && view.warps_per_block() > 1;
  const std::string barrier = for_warp ? "__syncwarp()" : "__syncthreads()";
  const bool one_line = view.line_number(race.before) == view.line_number(race.now);
  const bool repeated = view.is_repeated(race.now);
  std::string out;
  if (for_warp) out = "Both threads are in one warp, whose lanes need not run in step. ";
  if (race.both_write && one_line && !repeated) {
    return out + "Let only one thread write there, or give each thread an element of its own.";
  }
  const auto place = fmt::format(" a {} {}.", barrier, view.between_text(race.before, race.now));
  if (race.both_write) {
    out +=
        "Let only one thread write there, give each thread an element of its own, or put" + place;
  } else if (!one_line) {
    out += "Put" + place;
  } else if (repeated) {
    out += fmt::format("Put{} If one pass does both: read into a variable, call {}, then store.",
                       place, barrier);
  } else {
    out += fmt::format("Read into a variable, call {}, then store.", barrier);
  }
  if (race.same_warp && !for_warp) out += " Inside a branch use __syncwarp() instead.";
  return out;
}

}  // namespace warpgrade::check

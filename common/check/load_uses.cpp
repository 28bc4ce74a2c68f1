// SPDX-License-Identifier: Apache-2.0
// Searches backwards, from the operands of stores to the loads that supply them.
#include "common/check/load_uses.h"

#include "common/ptx/instruction_facts.h"
#include "common/ptx/instruction_registers.h"

namespace warpgrade::check {
namespace {

// An atomic that tolerates an old value, because a later one of its kind repairs it.
bool may_repeat(const ptx::Instruction& in) {
  return in.modifiers.has(ptx::Modifier::min) || in.modifiers.has(ptx::Modifier::max);
}

// Whether the operands of `in` may become results: in stores and in instructions with side effects.
bool keeps_its_operands(const ptx::Instruction& in, bool repeats) {
  const auto memory = ptx::facts(in).memory;
  return (ptx::is_update(in) && !(repeats && may_repeat(in))) ||
         memory == ptx::MemoryRole::kStore || memory == ptx::MemoryRole::kCopy ||
         memory == ptx::MemoryRole::kBulkCopy || ptx::facts(in).flow == ptx::Flow::kCall;
}

}  // namespace

std::vector<bool> stored_loads(const ptx::Function& function, bool repeats) {
  const auto& all = function.instructions;
  std::vector<bool> is_kept(function.registers.size());
  const auto keep_reads = [&](const ptx::Instruction& in) {
    bool more = false;
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      ptx::for_each_register(in.operands[k], [&](std::uint32_t r) {
        more |= !is_kept[r];
        is_kept[r] = true;
      });
    }
    return more;
  };
  const auto is_result_kept = [&](const ptx::Instruction& in) {
    bool any = false;
    ptx::for_each_written(in, [&](std::uint32_t r) { any |= is_kept[r]; });
    return any;
  };
  for (bool more = true; more;) {
    more = false;
    for (auto in = all.rbegin(); in != all.rend(); ++in) {
      const bool passes_on = !ptx::is_update(*in) && is_result_kept(*in);
      if (keeps_its_operands(*in, repeats) || passes_on) more |= keep_reads(*in);
    }
  }
  std::vector<bool> found;
  for (const auto& in : all) {
    found.push_back(ptx::facts(in).memory == ptx::MemoryRole::kLoad && is_result_kept(in));
  }
  return found;
}

}  // namespace warpgrade::check

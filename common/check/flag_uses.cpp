// SPDX-License-Identifier: Apache-2.0
// Searches backwards, from branches and from memory to the accesses that supply the values.
#include "common/check/flag_uses.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/instruction_registers.h"

namespace warpgrade::check {
namespace {

using ptx::MemoryRole;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

constexpr std::uint8_t kCounts = 1;

std::uint8_t update_of(const ptx::ModifierSet& m) {
  if (m.has(Modifier::inc) || m.has(Modifier::dec)) return kCounts;  // as an addition does
  constexpr Modifier kUpdates[] = {Modifier::add, Modifier::min,  Modifier::max,  Modifier::and_,
                                   Modifier::or_, Modifier::xor_, Modifier::exch, Modifier::cas};
  const auto* found =
      std::ranges::find_if(kUpdates, [&](Modifier update) { return m.has(update); });
  return found == std::end(kUpdates) ? std::uint8_t{0}
                                     : static_cast<std::uint8_t>(found - std::begin(kUpdates) + 1);
}

// Whether it stores the same constant in all threads, and uses no old value.
bool stores_constant(const ptx::Function& function, const ptx::Instruction& in) {
  const auto memory = ptx::facts(in).memory;
  const bool stores = memory == MemoryRole::kStore ||
                      (memory == MemoryRole::kAtomic && in.modifiers.has(Modifier::exch));
  return stores && !in.operands.empty() && ptx::constant(function, in.operands.back());
}

bool makes_predicate(const ptx::Function& function, const ptx::Instruction& in) {
  bool any = false;
  ptx::for_each_written(
      in, [&](std::uint32_t r) { any |= function.registers[r].type == ptx::Type::kPred; });
  return any && ptx::facts(in).memory == MemoryRole::kNoMemory;
}

// Values by register, and by variable in shared memory that is only used under its name.
class Flow {
 public:
  explicit Flow(const ptx::Function& function) : function_(function) {
    for (const auto& in : function.instructions) {
      for (const auto& operand : in.operands) {
        if (operand.kind == Kind::kVariable || operand.kind == Kind::kLocal) {
          has_address_taken_[{operand.kind, operand.index}] = true;
        }
      }
    }
  }
  // By register: whether its value reaches memory, a call, a function's result or also an address.
  std::vector<bool> to_memory(bool or_addresses) {
    const auto is_root = [&](const ptx::Instruction& in) {
      const auto memory = ptx::facts(in).memory;
      return (memory != MemoryRole::kNoMemory && memory != MemoryRole::kHint) ||
             ptx::facts(in).flow == ptx::Flow::kCall;
    };
    return search(is_root, or_addresses);
  }
  std::vector<bool> to_branches() {
    return search([&](const ptx::Instruction& in) { return makes_predicate(function_, in); },
                  /*or_addresses=*/true);
  }

 private:
  // The number of a plain access to a whole named variable in shared memory, else -1.
  int named(const ptx::Instruction& in) {
    const auto memory = ptx::facts(in).memory;
    const bool is_load = memory == MemoryRole::kLoad;
    if ((!is_load && memory != MemoryRole::kStore) || in.space != ptx::StateSpace::kShared) {
      return -1;
    }
    if (in.operands.empty()) return -1;
    const auto& address = in.operands[is_load ? in.operands.size() - 1 : 0];
    if (address.kind != Kind::kAddress || address.elements.empty()) return -1;
    const auto& base = address.elements[0];
    if (base.kind != Kind::kVariable && base.kind != Kind::kLocal) return -1;
    if (has_address_taken_.count({base.kind, base.index}) != 0) return -1;
    const auto next = static_cast<int>(names_.size());
    return names_.try_emplace({base.kind, base.index, address.offset}, next).first->second;
  }

  template <typename IsRoot>
  std::vector<bool> search(const IsRoot& is_root, bool or_addresses) {
    std::vector<bool> reaches(function_.registers.size());
    std::map<int, bool> named_reaches;
    const auto& all = function_.instructions;
    for (bool more = true; more;) {
      more = false;
      const auto mark = [&](const ptx::Instruction& in) {
        for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
          if (!or_addresses && in.operands[k].kind == Kind::kAddress) continue;
          ptx::for_each_register(in.operands[k], [&](std::uint32_t r) {
            more |= !reaches[r];
            reaches[r] = true;
          });
        }
      };
      for (auto in = all.rbegin(); in != all.rend(); ++in) {
        const auto memory = ptx::facts(*in).memory;
        bool is_result_needed = false;
        ptx::for_each_written(*in, [&](std::uint32_t r) { is_result_needed |= reaches[r]; });
        if (const int name = named(*in); name >= 0) {
          auto& needed = named_reaches[name];
          if (memory == MemoryRole::kLoad) {
            more |= is_result_needed && !needed;
            needed |= is_result_needed;
          } else if (needed) {
            mark(*in);
          }
          continue;
        }
        const bool passes_on =
            is_result_needed && memory == MemoryRole::kNoMemory && !makes_predicate(function_, *in);
        if (is_root(*in) || passes_on) mark(*in);
      }
    }
    return reaches;
  }

  const ptx::Function& function_;
  std::map<std::pair<Kind, std::uint32_t>, bool> has_address_taken_;
  std::map<std::tuple<Kind, std::uint32_t, std::int64_t>, int> names_;
};

}  // namespace

std::vector<FlagUse> flag_uses(const ptx::Function& function) {
  const auto& all = function.instructions;
  const auto reads = [](const ptx::Instruction& in) {
    const auto memory = ptx::facts(in).memory;
    return ptx::is_strong(in) && (memory == MemoryRole::kLoad || memory == MemoryRole::kAtomic);
  };
  bool any = false;
  for (const auto& in : all) any |= reads(in);
  if (!any) return {};
  Flow flow(function);
  const auto data = flow.to_memory(/*or_addresses=*/true);
  const auto stored = flow.to_memory(/*or_addresses=*/false);
  const auto control = flow.to_branches();
  std::vector<FlagUse> out(all.size());
  any = false;
  bool counts = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& in = all[i];
    auto& use = out[i];
    use.resets = stores_constant(function, in);
    if (!ptx::is_strong(in)) continue;
    const auto memory = ptx::facts(in).memory;
    const bool is_update = ptx::is_update(in);
    const bool only_loads = memory == MemoryRole::kLoad || ptx::changes_nothing(function, in);
    use.update = is_update ? update_of(in.modifiers) : 0;
    use.sets_bits =
        is_update && (in.modifiers.has(Modifier::and_) || in.modifiers.has(Modifier::or_) ||
                      in.modifiers.has(Modifier::xor_));
    use.swaps = in.modifiers.has(Modifier::cas);
    use.writes = !only_loads;
    if (!reads(in)) continue;
    bool is_control = false;
    bool is_stored = false;
    ptx::for_each_written(in, [&](std::uint32_t r) {
      use.reads_data |= data[r];
      is_stored |= stored[r];
      is_control |= control[r];
    });
    if (only_loads && is_control && !is_stored) use.reads_data = false;  // a pointer that is tested
    const auto& m = in.modifiers;
    // Claims by minimum and maximum set no flag, nor does a compare-and-swap of a value read.
    const bool may_be_flag = only_loads || m.has(Modifier::add) || m.has(Modifier::inc) ||
                             m.has(Modifier::dec) || m.has(Modifier::exch) ||
                             (use.swaps && in.operands.size() > 2 &&
                              ptx::constant(function, in.operands[in.operands.size() - 2]));
    use.reads_flag = may_be_flag && is_control && !use.reads_data;
    use.tries = use.reads_flag && m.has(Modifier::exch);
    use.resets = use.resets && !is_control && !use.reads_data;
    any |= use.reads_flag;
    counts |= use.reads_flag && use.writes && use.update == kCounts;
  }
  for (auto& use : out) use.resets = use.resets && counts;
  if (!any) out.clear();
  return out;
}

}  // namespace warpgrade::check

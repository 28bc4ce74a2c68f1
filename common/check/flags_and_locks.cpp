// SPDX-License-Identifier: Apache-2.0
// How a kernel uses flags and locks, as far as its text shows: parts that strong accesses play.
//
// In: a function of PTX. Out: reads of flags, accesses whose data they guard, resets of counters
// that need no fence, and open attempts to take a lock.
//
// The first search goes backwards, from branches and from memory to the accesses that supply the
// values. The second follows the ways from an attempt, and ends each at a test of the result that
// one way must pass.
#include "common/check/flags_and_locks.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "common/check/dependence.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

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

namespace {

using ptx::Instruction;
using ptx::is_update;
using ptx::Operand;

bool is_of_block(const Instruction& in) {
  return in.space == ptx::StateSpace::kShared || in.space == ptx::StateSpace::kLocal;
}

// The ways from one attempt.
class Ways {
 public:
  Ways(const ptx::Function& function, const Control& control,
       const std::vector<std::optional<WordAddress>>& addresses, std::uint32_t attempt)
      : function_(function), control_(control), addresses_(addresses), attempt_(attempt) {
    result_ = flow_of(function, attempt);
    for (bool more = true; more;) {
      more = add_chosen_constants();
      more |= add_values_in_memory();
      spread(function, result_);
    }
  }

  bool lead_to(const std::vector<bool>& targets, const std::vector<bool>& ends) const {
    const auto count = control_.blocks().size();
    const auto begins_at = [&](std::uint32_t b) { return control_.blocks()[b].begin; };
    std::vector<bool> leads(count);  // by block: some way from its begin reaches a target
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t b = 0; b < count; ++b) {
        const auto& next = control_.blocks()[b].successors;
        const auto met = first_met(begins_at(b), targets, ends);
        const bool now = met.value_or(
            std::any_of(next.begin(), next.end(), [&](std::uint32_t to) { return leads[to]; }));
        more |= now != leads[b];
        leads[b] = now;
      }
    }
    std::vector<bool> seen(count);
    std::vector<std::uint32_t> todo;
    const auto leave = [&](std::uint32_t b) {
      for (const auto to : control_.blocks()[b].successors) {
        if (seen[to] || !leads[to] || is_informed(b, to, leads)) continue;
        seen[to] = true;
        todo.push_back(to);
      }
    };
    const auto after = first_met(attempt_ + 1, targets, ends);
    if (after) return *after;
    leave(control_.block_of(attempt_));
    while (!todo.empty()) {
      const auto b = todo.back();
      todo.pop_back();
      const auto met = first_met(begins_at(b), targets, ends);
      if (met.value_or(false)) return true;
      if (!met) leave(b);
    }
    return false;
  }

 private:
  // Registers that contain one of several constants, if the result decides which.
  bool add_chosen_constants() {
    const auto decided = control_.decided_by(result_);
    std::vector<std::uint32_t> constants(result_.size());
    std::vector<bool> is_chosen(result_.size()), is_computed(result_.size());
    const auto& all = function_.instructions;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const bool is_constant = is_copy(all[i]) && all[i].operands.size() == 2 &&
                               ptx::constant(function_, all[i].operands[1]);
      ptx::for_each_written(all[i], [&](std::uint32_t r) {
        if (!is_constant) is_computed[r] = true;
        ++constants[r];
        if (decided[control_.block_of(i)]) is_chosen[r] = true;
      });
    }
    bool more = false;
    for (std::size_t r = 0; r < result_.size(); ++r) {
      if (result_[r] || constants[r] < 2 || is_computed[r] || !is_chosen[r]) continue;
      result_[r] = more = true;
    }
    return more;
  }
  // Loads from memory of the block, or from where the thread has stored the result, may return it.
  bool add_values_in_memory() {
    bool more = false;
    const auto& all = function_.instructions;
    for (std::size_t s = 0; s < all.size(); ++s) {
      const auto& store = all[s];
      const auto* const stored = value(store);
      if (ptx::facts(store).memory != MemoryRole::kStore || stored == nullptr ||
          !has_any(*stored, result_)) {
        continue;
      }
      for (std::size_t l = 0; l < all.size(); ++l) {
        const auto& load = all[l];
        if (ptx::facts(load).memory != MemoryRole::kLoad) continue;
        if (!(is_of_block(store) && is_of_block(load)) &&
            !(addresses_[s] && addresses_[s] == addresses_[l])) {
          continue;
        }
        ptx::for_each_written(load, [&](std::uint32_t r) {
          more |= !result_[r];
          result_[r] = true;
        });
      }
    }
    return more;
  }
  // From an instruction to the end of its block: whether a target or an end comes first.
  std::optional<bool> first_met(std::uint32_t from, const std::vector<bool>& targets,
                                const std::vector<bool>& ends) const {
    if (from == function_.instructions.size()) return std::nullopt;
    for (auto i = from; i < control_.blocks()[control_.block_of(from)].end; ++i) {
      const auto& guard = function_.instructions[i].guard;
      if (ends[i]) return false;
      if (targets[i] && !(guard && result_[*guard])) return true;
    }
    return std::nullopt;
  }
  // Whether block `b` ends with a test that leads to `to` only for some results, and elsewhere to
  // no target.
  bool is_informed(std::uint32_t b, std::uint32_t to, const std::vector<bool>& leads) const {
    const auto by = control_.decides(b);
    if (!by || !result_[*by]) return false;
    const auto& block = control_.blocks()[b];
    const auto& last = function_.instructions[block.end - 1];
    if (!last.guard) return true;  // a jump table
    const auto& next = block.successors;
    const bool leaves = next.size() == 1;  // the other way is the end of the thread
    if (!leaves && std::all_of(next.begin(), next.end(), [&](auto s) { return leads[s]; })) {
      return false;
    }
    const bool jumps = !leaves && to == next.front();
    return is_implied(*by, jumps != last.guard_negated, 0);
  }
  // Whether the predicate has this value only for some results.
  bool is_implied(std::uint32_t predicate, bool truth, int depth) const {
    constexpr int kMostSteps = 6;
    if (!result_[predicate]) return false;
    if (depth == kMostSteps) return true;
    const auto& all = function_.instructions;
    return std::all_of(all.begin(), all.end(), [&](const Instruction& in) {
      return !writes_to(in, predicate) || is_implied_by(in, truth, depth);
    });
  }
  bool is_implied_by(const Instruction& in, bool truth, int depth) const {
    const auto first = ptx::results(in);
    const auto algebra = ptx::facts(in).algebra;
    const auto of = [&](const Operand& operand, bool is) {
      const bool is_predicate = operand.kind == Operand::Kind::kRegister &&
                                function_.registers[operand.index].type == ptx::Type::kPred;
      if (operand.kind != Operand::Kind::kRegister) return true;
      if (!is_predicate) return result_[operand.index] && !counts(operand.index);
      return is_implied(operand.index, is != operand.negated, depth + 1);
    };
    if (ptx::facts(in).memory != MemoryRole::kNoMemory || in.operands.size() <= first) return true;
    if (ptx::facts(in).compared_type) {
      return of(in.operands[first], truth) && of(in.operands[first + 1], truth);
    }
    const bool is_copied = is_copy(in);
    if (in.operands.size() == first + 1) return of(in.operands[first], truth == is_copied);
    const bool is_and = algebra == ptx::Algebra::kAnd;
    if (!is_and && algebra != ptx::Algebra::kOr) return true;
    const bool left = of(in.operands[first], truth), right = of(in.operands[first + 1], truth);
    return is_and == truth ? left || right : left && right;
  }

  // Whether a register is a sum over the rounds of a loop, such as the number of failures.
  bool counts(std::uint32_t counter) const {
    const auto& all = function_.instructions;
    const auto from = [&](const auto& add) {
      Registers flow(result_.size());
      add([&](std::uint32_t r) { flow[r] = true; });
      spread(function_, flow);
      return flow;
    };
    Registers read(result_.size());
    read[counter] = true;
    const auto flow = from([&](const auto& add) {
      for (const auto& in : all) {
        if (!is_update(in) && reads_any(in, read)) ptx::for_each_written(in, add);
      }
    });
    if (!flow[counter]) return false;
    return std::any_of(all.begin(), all.end(), [&](const Instruction& in) {
      const auto algebra = ptx::facts(in).algebra;
      const bool is_sum = algebra == ptx::Algebra::kSum || algebra == ptx::Algebra::kDifference;
      if (!is_sum || !reads_any(in, flow)) return false;
      const auto sum = from([&](const auto& add) { ptx::for_each_written(in, add); });
      return static_cast<bool>(sum[counter]);
    });
  }

  const ptx::Function& function_;
  const Control& control_;
  const std::vector<std::optional<WordAddress>>& addresses_;
  std::uint32_t attempt_;
  Registers result_;  // what may depend on the attempt's result
};

}  // namespace

bool goes_on(const ptx::Function& function, const Control& control, std::uint32_t attempt,
             const std::vector<bool>& targets, const std::vector<bool>& ends) {
  return Ways(function, control, addresses(function), attempt).lead_to(targets, ends);
}

std::optional<std::uint32_t> open_attempt_before(const ptx::Function& function, std::uint32_t a,
                                                 std::uint32_t b) {
  const auto& all = function.instructions;
  const auto is_open = open_attempts(function);
  const auto first = std::find(is_open.begin(), is_open.end(), true);
  if (first == is_open.end()) return std::nullopt;
  const Control control(function);
  for (auto i = static_cast<std::uint32_t>(first - is_open.begin()); i < all.size(); ++i) {
    const auto follows = [&](std::uint32_t k) {
      const auto from = control.block_of(i), to = control.block_of(k);
      return ((from == to && i < k) || control.reachable(from)[to]) &&
             !same_address(function, all[i], all[k]);
    };
    if (is_open[i] && follows(a) && follows(b)) return i;
  }
  return std::nullopt;
}

std::vector<bool> open_attempts(const ptx::Function& function) {
  const auto& all = function.instructions;
  const auto is_attempt = [&](const Instruction& in) {
    const bool takes = in.modifiers.has(Modifier::cas) || in.modifiers.has(Modifier::exch);
    const auto* const first = value(in);
    return ptx::facts(in).memory == MemoryRole::kAtomic && takes && first != nullptr &&
           ptx::constant(function, *first) && !ptx::changes_nothing(function, in) &&
           ptx::is_result_used(function, in);
  };
  std::vector<bool> out(all.size());
  std::optional<Control> control;
  std::vector<std::optional<WordAddress>> at;
  // Backwards, because the last attempt of a lock is the first to be open.
  for (auto i = static_cast<std::uint32_t>(all.size()); i-- > 0;) {
    if (out[i] || !is_attempt(all[i])) continue;
    if (at.empty()) at = addresses(function);
    std::vector<bool> releases(all.size()), attempts(all.size());
    bool any = false;
    for (std::uint32_t k = 0; k < all.size(); ++k) {
      const bool is_write =
          ptx::is_update(all[k]) || ptx::facts(all[k]).memory == MemoryRole::kStore;
      if (!is_write || !at[i] || at[i] != at[k]) continue;
      (is_attempt(all[k]) ? attempts : releases)[k] = true;
      any |= releases[k];
    }
    if (!any) continue;
    if (!control) control.emplace(function);
    if (!Ways(function, *control, at, i).lead_to(releases, attempts)) continue;
    for (std::uint32_t k = 0; k < all.size(); ++k) out[k] = out[k] || attempts[k];
  }
  return out;
}

}  // namespace warpgrade::check

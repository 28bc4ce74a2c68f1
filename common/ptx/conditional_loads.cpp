// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/conditional_loads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx {
namespace {

using Condition = ConditionalLoad::Condition;

// Limits that keep the analysis linear in the length of a function. Speculated loads are close to
// their selections.
constexpr std::size_t kMostFollowed = 64;
constexpr std::size_t kMostUses = 4;
constexpr std::size_t kMostComputed = 12;
constexpr int kMostSteps = 4;

// Whether the result depends only on the values of the operands, lane by lane.
bool is_pure(const Instruction& in) {
  const auto& facts = ptx::facts(in);
  return facts.memory == MemoryRole::kNoMemory && facts.flow == Flow::kNext &&
         facts.family != Family::kLanes && facts.family != Family::kControl &&
         facts.timing != Timing::kMatrix && facts.timing != Timing::kWithCarry &&
         !is_exchange(facts.timing) && results(in) != 0;
}

// Whether it is d = p ? a : b.
bool is_selection(const Instruction& in) {
  return facts(in).family == Family::kSelection && facts(in).widths.c == Width::kFlag;
}

// Whether machine code may join it to another instruction with one rounding.
bool may_be_contracted(const Instruction& in) {
  const auto algebra = facts(in).algebra;
  const bool is_float = in.types[0] == Type::kF32 || in.types[0] == Type::kF64;
  return is_float && algebra != Algebra::kApart && algebra != Algebra::kExtreme;
}

// Whether the special register has one value during the life of a thread.
bool is_index(SpecialRegister which) {
  switch (which) {
    case SpecialRegister::tid_x:
    case SpecialRegister::tid_y:
    case SpecialRegister::tid_z:
    case SpecialRegister::ntid_x:
    case SpecialRegister::ntid_y:
    case SpecialRegister::ntid_z:
    case SpecialRegister::ctaid_x:
    case SpecialRegister::ctaid_y:
    case SpecialRegister::ctaid_z:
    case SpecialRegister::nctaid_x:
    case SpecialRegister::nctaid_y:
    case SpecialRegister::nctaid_z:
    case SpecialRegister::laneid:
      return true;
    default:
      return false;
  }
}

bool names(const Operand& operand, std::uint32_t wanted) {
  bool any = false;
  for_each_register(operand, [&](std::uint32_t r) { any |= r == wanted; });
  return any;
}

class Values {
 public:
  explicit Values(const Function& function)
      : function_(function),
        blocks_(basic_blocks(function)),
        block_of_(function.instructions.size()),
        before_(blocks_.size()),
        writes_(function.registers.size()),
        readers_(function.registers.size()) {
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      for (auto i = blocks_[b].begin; i < blocks_[b].end; ++i) block_of_[i] = b;
      for (const auto next : blocks_[b].successors) before_[next].push_back(b);
    }
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      for_each_written(in, [&](std::uint32_t r) { writes_[r].push_back(i); });
      for_each_read(in, [&](std::uint32_t r) {
        if (readers_[r].empty() || readers_[r].back() != i) readers_[r].push_back(i);
      });
    }
  }

  std::optional<ConditionalLoad> of(std::uint32_t load) {
    load_ = load;
    found_ = {};
    seen_.clear();
    todo_.clear();
    for_each_written(function_.instructions[load], [&](std::uint32_t r) { follow(r, false); });
    while (!todo_.empty()) {
      const auto value = todo_.back();
      todo_.pop_back();
      for (const auto reader : readers_[value.in]) {
        if (!is_conditional(value, reader)) return std::nullopt;
      }
      if (seen_.size() > kMostFollowed) return std::nullopt;
    }
    if (found_.conditions.empty()) return std::nullopt;
    return std::move(found_);
  }

 private:
  /// A register that may contain the value. If it is `merged`, other instructions write it, too, so
  /// a later iteration may use the value, in which registers have changed.
  struct Value {
    std::uint32_t in = 0;
    bool is_merged = false;

    friend auto operator<=>(const Value&, const Value&) = default;
  };

  const Instruction& at(std::uint32_t i) const { return function_.instructions[i]; }

  void follow(std::uint32_t r, bool is_merged) {
    const Value value{r, is_merged || writes_[r].size() > 1};
    if (seen_.insert(value).second) todo_.push_back(value);
  }

  // Whether this reader needs the value only under conditions; adds these, or follows the result.
  bool is_conditional(const Value& value, std::uint32_t reader) {
    const auto& in = at(reader);
    if (reader == load_) return false;
    if (is_behind_branch(value, reader)) return true;
    if (in.guard && *in.guard != value.in && add({*in.guard, in.guard_negated}, value, reader)) {
      return true;
    }
    if ((in.guard && *in.guard == value.in) || !is_pure(in)) return false;
    if (is_selected(in, value, reader)) return true;
    for_each_written(in, [&](std::uint32_t r) { follow(r, value.is_merged); });
    return true;
  }

  // Whether a branch with a known condition leads to the reader.
  bool is_behind_branch(const Value& value, std::uint32_t reader) {
    auto b = block_of_[reader];
    for (int steps = 0; steps < kMostSteps && b != block_of_[load_]; ++steps) {
      if (before_[b].size() != 1) return false;
      const auto from = before_[b][0];
      const auto last = blocks_[from].end - 1;
      const auto& branch = at(last);
      if (facts(branch).flow == Flow::kBranch && branch.guard &&
          blocks_[from].successors.size() == 2) {
        const bool is_taken = block_of_[branch.operands[0].index] == b;
        const bool negated = branch.guard_negated == is_taken;
        if (*branch.guard != value.in && add({*branch.guard, negated}, value, last)) return true;
      }
      b = from;
    }
    return false;
  }

  // Whether `in` drops the value unless a known predicate holds: a selection, or logic.
  bool is_selected(const Instruction& in, const Value& value, std::uint32_t reader) {
    const auto is_value = [&](std::size_t k) { return names(in.operands[k], value.in); };
    if (is_selection(in)) {
      const auto& by = in.operands[3];
      if (by.kind != Operand::Kind::kRegister || is_value(3) || is_value(1) == is_value(2)) {
        return false;
      }
      return add({by.index, by.negated == is_value(1)}, value, reader);
    }
    const bool is_and = facts(in).algebra == Algebra::kAnd;
    if ((!is_and && facts(in).algebra != Algebra::kOr) || in.types[0] != Type::kPred) return false;
    if (is_value(1) == is_value(2)) return false;
    const auto& other = in.operands[is_value(1) ? 2 : 1];
    if (other.kind != Operand::Kind::kRegister) return false;
    return add({other.index, other.negated == is_and}, value, reader);
  }

  // Adds a condition that `user` evaluates, if its value is known at the load, or one that it
  // implies.
  bool add(const Condition& condition, const Value& value, std::uint32_t user, int depth = 0) {
    auto computed_by = found_.computed_by;
    if (is_known(condition.predicate, value, user, computed_by)) {
      auto& all = found_.conditions;
      if (std::find(all.begin(), all.end(), condition) == all.end()) all.push_back(condition);
      found_.computed_by = std::move(computed_by);
      return all.size() <= kMostUses;
    }
    if (writes_[condition.predicate].size() != 1 || depth == kMostSteps) return false;
    const auto& made = at(writes_[condition.predicate][0]);
    if (made.guard || made.types[0] != Type::kPred) return false;
    const auto implied = [&](std::size_t k) {
      const auto& part = made.operands[k];
      return part.kind == Operand::Kind::kRegister &&
             add({part.index, condition.negated != part.negated}, value, user, depth + 1);
    };
    const auto algebra = facts(made).algebra;
    const bool splits = algebra == (condition.negated ? Algebra::kOr : Algebra::kAnd);
    return splits && (implied(1) || implied(2));
  }

  // Whether register `r` has at the load the value that `user` reads, or can be computed there. A
  // register that depends on itself, such as a variable of a loop without an initial value, cannot.
  bool is_known(std::uint32_t r, const Value& value, std::uint32_t user,
                std::vector<std::uint32_t>& computed_by) {
    if (std::find(asked_.begin(), asked_.end(), r) != asked_.end()) return false;
    asked_.push_back(r);
    const bool known = is_there_or_computed(r, value, user, computed_by);
    asked_.pop_back();
    return known;
  }

  bool is_there_or_computed(std::uint32_t r, const Value& value, std::uint32_t user,
                            std::vector<std::uint32_t>& computed_by) {
    const auto& writes = writes_[r];
    if (writes.empty()) return false;
    if (writes.size() > 1) return !value.is_merged && keeps_until(writes, user);
    const auto made = writes[0];
    if (made == load_) return false;
    const bool is_there = dominates_load(made);
    if (is_there && !(value.is_merged && is_after_load(made))) return true;
    const auto& in = at(made);
    if (in.guard || !is_pure(in) || may_be_contracted(in)) return false;
    std::uint32_t written = 0;
    for_each_written(in, [&](std::uint32_t) { ++written; });
    if (written != 1 || computed_by.size() >= kMostComputed) return false;
    for (auto k = results(in); k < in.operands.size(); ++k) {
      const auto& operand = in.operands[k];
      if (operand.kind == Operand::Kind::kSpecial &&
          !is_index(static_cast<SpecialRegister>(operand.index))) {
        return false;
      }
      bool all = true;
      for_each_register(operand, [&](std::uint32_t from) {
        all = all && is_known(from, value, user, computed_by);
      });
      if (!all) return false;
    }
    const bool is_listed =
        std::find(computed_by.begin(), computed_by.end(), made) != computed_by.end();
    if (!is_there && !is_listed) computed_by.push_back(made);
    return true;
  }

  // Whether no such write happens from the load to `user`, in one block.
  bool keeps_until(const std::vector<std::uint32_t>& writes, std::uint32_t user) const {
    return block_of_[user] == block_of_[load_] && user > load_ &&
           std::none_of(writes.begin(), writes.end(),
                        [&](std::uint32_t write) { return load_ <= write && write < user; });
  }

  // Whether every path to the load passes that instruction.
  bool dominates_load(std::uint32_t instruction) {
    const auto b = block_of_[instruction];
    const auto own = block_of_[load_];
    if (b == own) return instruction < load_;
    const auto [without, is_new] = without_.try_emplace(b);
    if (is_new) {
      std::vector<std::uint32_t> from;
      for (std::uint32_t entry = 0; entry < blocks_.size(); ++entry) {
        if (entry == 0 || blocks_[entry].is_entry) from.push_back(entry);
      }
      without->second = reach(std::move(from), b);
    }
    return !without->second[own];
  }

  // Whether control may reach the instruction from the load.
  bool is_after_load(std::uint32_t instruction) {
    const auto own = block_of_[load_];
    if (block_of_[instruction] == own && instruction > load_) return true;
    const auto [after, is_new] = after_.try_emplace(own);
    if (is_new) after->second = reach(blocks_[own].successors, kNone);
    return after->second[block_of_[instruction]];
  }

  static constexpr std::uint32_t kNone = 0xffffffffU;

  // By block: whether control reaches it from these, but not through block `closed`.
  std::vector<bool> reach(std::vector<std::uint32_t> todo, std::uint32_t closed) const {
    std::vector<bool> out(blocks_.size());
    while (!todo.empty()) {
      const auto b = todo.back();
      todo.pop_back();
      if (b == closed || out[b]) continue;
      out[b] = true;
      todo.insert(todo.end(), blocks_[b].successors.begin(), blocks_[b].successors.end());
    }
    return out;
  }

  const Function& function_;
  std::vector<BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;                 // by instruction
  std::vector<std::vector<std::uint32_t>> before_;      // by block: its predecessors
  std::vector<std::vector<std::uint32_t>> writes_;      // by register: instructions
  std::vector<std::vector<std::uint32_t>> readers_;     // the same
  std::map<std::uint32_t, std::vector<bool>> without_;  // by block: reachable without it
  std::map<std::uint32_t, std::vector<bool>> after_;    // by block: reachable from its end
  std::uint32_t load_ = 0;
  ConditionalLoad found_;
  std::set<Value> seen_;
  std::vector<Value> todo_;
  std::vector<std::uint32_t> asked_;  // registers for which is_known() is being answered
};

// Whether threads may share its memory, and its order does not matter to others.
bool may_be_speculated(const Instruction& in) {
  const bool is_shared = in.space == StateSpace::kGlobal || in.space == StateSpace::kShared ||
                         in.space == StateSpace::kGeneric;
  return facts(in).memory == MemoryRole::kLoad && is_shared && !is_strong(in);
}

ConditionalLoads find_conditional_loads(const Function& function) {
  ConditionalLoads out;
  const auto& all = function.instructions;
  const bool has_loads = std::any_of(all.begin(), all.end(), may_be_speculated);
  if (!has_loads) return out;
  Values values(function);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!may_be_speculated(all[i])) continue;
    if (auto found = values.of(i)) out.emplace(i, std::move(*found));
  }
  return out;
}

}  // namespace

std::shared_ptr<const ConditionalLoads> conditional_loads(const Function& function) {
  return function.analyses.get<ConditionalLoads>([&] { return find_conditional_loads(function); });
}

}  // namespace warpgrade::ptx

// SPDX-License-Identifier: Apache-2.0
// Follows the value of each read forwards through registers, and from there to the blocks whose
// execution depends on it.
//
// Longer than 400 lines, because the rules need each other.
#include "common/check/update_pairs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/dependence.h"
#include "common/check/flags_and_locks.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check {
namespace {

using ptx::Instruction;
using ptx::is_update;
using ptx::MemoryRole;
using ptx::Modifier;
using ptx::Operand;

bool is_swap(const Instruction& in) { return is_update(in) && in.modifiers.has(Modifier::cas); }

// Whether it writes a value of its own, whatever the word contains.
bool is_exchange(const Instruction& in) {
  return !is_update(in) || in.modifiers.has(Modifier::exch);
}

// The parts of the instructions in updates.
struct Steps {
  explicit Steps(const ptx::Function& of) : function(of), flows(of.instructions.size()) {
    for (const auto& in : function.instructions) {
      const bool is_idle = ptx::changes_nothing(function, in);
      const auto memory = ptx::facts(in).memory;
      const auto& m = in.modifiers;
      const bool is_shared = is_shared_memory(in);
      const bool is_load =
          memory == MemoryRole::kLoad && !ptx::facts(in).read_only && !m.has(Modifier::nc);
      const bool is_atomic = memory == MemoryRole::kAtomic;
      const bool takes_value = is_atomic && !is_idle && (is_swap(in) || m.has(Modifier::exch));
      changes_nothing.push_back(is_idle);
      takes.push_back(is_shared && takes_value);
      reads.push_back(is_shared && (is_load || is_atomic));
      writes.push_back(is_shared && !is_idle && (is_update(in) || memory == MemoryRole::kStore));
    }
  }
  // As flow_of() the instruction; kept, because several rules need it.
  const Registers& flow(std::uint32_t instruction) const {
    auto& out = flows[instruction];
    if (out.empty()) out = flow_of(function, instruction);
    return out;
  }

  const ptx::Function& function;
  mutable std::vector<Registers> flows;
  std::vector<bool> changes_nothing;
  std::vector<bool> reads;
  std::vector<bool> writes;
  // Exchanges and swaps. As locks and claims they exclude other threads by themselves.
  std::vector<bool> takes;
};

bool may_be_same_space(const Instruction& a, const Instruction& b) {
  return a.space == b.space || a.space == ptx::StateSpace::kGeneric ||
         b.space == ptx::StateSpace::kGeneric;
}

// Whether a comparison tests for one value.
bool tests_equality(const Instruction& in) {
  const auto& m = in.modifiers;
  return m.has(Modifier::eq) || m.has(Modifier::ne) || m.has(Modifier::equ) || m.has(Modifier::neu);
}

// Whether the thread compares the result of `in`; a swap's only with the value that was read.
bool is_result_compared(const Steps& steps, std::uint32_t in, const Registers* read) {
  const auto& function = steps.function;
  const auto& op = function.instructions[in];
  if (ptx::facts(op).memory != MemoryRole::kAtomic) return false;
  const auto& result = steps.flow(in);
  const auto* const compared = value(op);
  return std::any_of(
      function.instructions.begin(), function.instructions.end(), [&](const Instruction& other) {
        if (!ptx::facts(other).compared_type || !reads_any(other, result)) return false;
        if (read == nullptr || reads_any(other, *read)) return true;
        return std::any_of(other.operands.begin(), other.operands.end(), [&](const Operand& x) {
          if (compared == nullptr || x.kind != compared->kind) return false;
          return x.kind == Operand::Kind::kRegister ? x.index == compared->index
                                                    : x.bits == compared->bits;
        });
      });
}

bool is_extreme(const Instruction& in) {
  const auto& m = in.modifiers;
  return is_update(in) && (m.has(Modifier::min) || m.has(Modifier::max));
}

bool is_guard_of(const Instruction& in) {
  const auto& m = in.modifiers;
  return is_update(in) && (m.has(Modifier::and_) || m.has(Modifier::or_));
}

// Finds the pairs of one read.
class PairFinder {
 public:
  PairFinder(const ptx::Function& function, const Steps& steps, const Control& control,
             std::uint32_t read)
      : function_(function),
        steps_(steps),
        control_(control),
        read_(read),
        flow_(steps.flow(read)),
        decided_(control.decided_by(flow_)) {
    compare();
    find_waits();
  }

  bool is_compared(std::uint32_t write) const { return is_result_compared(steps_, write, &flow_); }
  std::optional<UpdatePair> pair_with(std::uint32_t write) const {
    using Rule = UpdatePair::Rule;
    const auto& read = function_.instructions[read_];
    const auto& in = function_.instructions[write];
    const bool is_of_update = is_update(read) && !steps_.changes_nothing[read_];
    // An atomic after another one loses no update, such as the reset by the last thread to arrive.
    if (is_of_update && is_update(in) && !is_exchange(in) && !is_swap(in)) return std::nullopt;
    const auto* const first = value(in);
    const auto* const second = value(in, 1);
    const bool has_data = depends(first, write) || depends(second, write);
    const auto block = control_.block_of(write);
    const bool is_decided = decided_[block] || (in.guard && flow_[*in.guard]);
    const bool waits = !is_decided && waits_[block];
    const bool is_dependent = has_data || is_decided || waits;
    if (is_dependent ? is_right(write, has_data) : !overwrites_kept(write)) return std::nullopt;
    UpdatePair out{read_, write, Rule::kAny, false, false};
    if (steps_.takes[read_] || !is_dependent) return out;
    if (is_decided || waits) {
      if (has_turn_ || (!has_data && (waits || is_repeated_) && has_inequality_)) {
        out.rule = Rule::kTurn;
      } else if (!has_data && !has_inequality_) {
        out.rule = Rule::kSameRead;
      }
      if (is_of_update && !has_data) out.rule = Rule::kTurn;
    }
    if (!has_data) {
      if (!is_exchange(in)) {
        if (waits || out.rule == Rule::kTurn || is_guard_of(in) || guards_extreme(in)) {
          return std::nullopt;
        }
        if (is_result_compared(steps_, write, nullptr)) return std::nullopt;
        out.rule = Rule::kAny;
      }
      out.all_write = out.rule == Rule::kSameRead && is_decided_by_it_alone(write);
      const bool same_value = first != nullptr && !has_any(*first, varies());
      out.is_equal = is_exchange(in) && same_value && !waits && !has_effects(write);
    }
    return out;
  }

 private:
  // Whether an operand of `write` depends on the value. The register of the value may contain
  // another one by then.
  bool depends(const Operand* operand, std::uint32_t write) const {
    if (operand == nullptr || !has_any(*operand, flow_)) return false;
    const bool is_reused = operand->kind == Operand::Kind::kRegister &&
                           writes_to(function_.instructions[read_], operand->index);
    return !is_reused ||
           part_of(operand, values_at(function_, control_, read_, write)) != Part::kNone;
  }
  // Most reads are part of no update and do not need it.
  const Registers& varies() const {
    if (!varies_) varies_ = varying(function_, read_);
    return *varies_;
  }
  // Whether a write that depends on the value is right at any time.
  bool is_right(std::uint32_t write, bool has_data) const {
    const auto& in = function_.instructions[write];
    if (is_swap(in)) {
      if (!has_data) return true;
      return is_compared(write) ? !is_stale(in, write) : is_hint(in, write);
    }
    if (!steps_.takes[read_]) {
      if (!has_data) return is_exchange(in) && is_result_compared(steps_, write, nullptr);
      return is_extreme(in) ? !counts_up(in, write) : is_compared(write);
    }
    if (!has_data || !is_exchange(in) || ptx::is_result_used(function_, in)) return true;
    // If all threads leave the same value, a thread that finds it knows that another thread has
    // taken the word's value.
    const auto* const left = value(function_.instructions[read_]);
    const bool is_marked =
        !is_swap(function_.instructions[read_]) && left != nullptr && !has_any(*left, varies());
    if (!is_marked || puts_back_always()) return false;
    const auto tests = mark_tests();
    const auto block = control_.block_of(write);
    return waits_[block] || (in.guard && tests[*in.guard]) || control_.decided_by(tests)[block];
  }
  // Whether the thread writes the word again whatever it has found.
  bool puts_back_always() const {
    const auto& all = function_.instructions;
    std::vector<bool> writes(all.size()), takes(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (!steps_.writes[i] || !same_address(function_, all[read_], all[i])) continue;
      (ptx::is_result_used(function_, all[i]) ? takes : writes)[i] = true;
    }
    return goes_on(function_, control_, read_, writes, takes);
  }
  // Whether the thread keeps the value elsewhere and then writes the word whatever it contains.
  bool overwrites_kept(std::uint32_t write) const {
    const auto& in = function_.instructions[write];
    const auto* const stored = value(in);
    return is_exchange(in) && stored != nullptr && has_any(*stored, varies()) &&
           !ptx::is_result_used(function_, in) && is_kept() && !is_chosen(write);
  }
  // Whether the result of an atomic chooses the thread that writes, such as the last to arrive.
  bool is_chosen(std::uint32_t write) const {
    const auto& all = function_.instructions;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (i == write || !is_update(all[i]) || !ptx::is_result_used(function_, all[i])) continue;
      const auto& result = steps_.flow(i);
      const auto& guard = all[write].guard;
      if ((guard && result[*guard]) || control_.decided_by(result)[control_.block_of(write)]) {
        return true;
      }
    }
    return false;
  }
  // Registers that depend on comparing the unchanged value with one that all threads share.
  Registers mark_tests() const {
    const auto& all = function_.instructions;
    Registers copies(function_.registers.size());
    ptx::for_each_written(all[read_], [&](std::uint32_t r) { copies[r] = true; });
    Registers tests(function_.registers.size());
    for (std::size_t round = 0; round < 3; ++round) {  // through a chain of copies
      for (const auto& in : all) {
        const auto is_other = [&](const Operand& x) {
          return !has_any(x, copies) && has_any(x, varies());
        };
        const auto first = in.operands.begin() + static_cast<std::ptrdiff_t>(ptx::results(in));
        const bool is_test =
            ptx::facts(in).compared_type && std::none_of(first, in.operands.end(), is_other);
        if (!reads_any(in, copies) || !(is_test || is_copy(in))) continue;
        ptx::for_each_written(in, [&](std::uint32_t r) { (is_test ? tests : copies)[r] = true; });
      }
    }
    spread(function_, tests);
    return tests;
  }
  // Whether the thread stores the value that it has read in another word.
  bool is_kept() const {
    const auto& all = function_.instructions;
    if (!ptx::is_strong(all[read_]) || steps_.writes[read_]) return false;
    const auto direct = flow_of(function_, read_, /*through_addresses=*/false);
    return std::any_of(all.begin(), all.end(), [&](const Instruction& in) {
      const auto* const stored = value(in);
      return ptx::facts(in).memory == MemoryRole::kStore && is_shared_memory(in) &&
             stored != nullptr && has_any(*stored, direct);
    });
  }
  // Whether a swap in a loop compares with the word that it returned, but stores a value computed
  // from an older one.
  bool is_stale(const Instruction& in, std::uint32_t write) const {
    const auto result = values_at(function_, control_, write, write);
    return part_of(value(in), result) != Part::kNone &&
           part_of(value(in, 1), result) == Part::kNone &&
           part_of(value(in, 1), values_at(function_, control_, read_, write)) == Part::kComputed;
  }
  // Whether a swap may fail because another thread has done the same: it stores what the word
  // points to, or the thread has tested the result of another atomic before.
  bool is_hint(const Instruction& in, std::uint32_t write) const {
    const auto* const stored = value(in, 1);
    if (part_of(stored, values_at(function_, control_, read_, write)) != Part::kNone) return false;
    if (is_taken(in)) return false;
    if (stored != nullptr && has_any(*stored, flow_)) return true;
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      if (i == write || i == read_ || !is_result_compared(steps_, i, nullptr)) continue;
      const auto from = control_.block_of(i);
      const auto to = control_.block_of(write);
      if ((from == to && i < write) || control_.reachable(from)[to]) return true;
    }
    return false;
  }
  // Whether the thread keeps the value, such as the first element of a list, although the swap that
  // takes it may have failed. A root that is found while paths are shortened is not taken: what the
  // swap stores is from the array of the word itself.
  bool is_taken(const Instruction& in) const {
    const auto& all = function_.instructions;
    const auto base = pointers(function_, in);
    return !base.empty() && std::any_of(all.begin(), all.end(), [&](const Instruction& other) {
      const auto* const stored = value(other, is_swap(other) ? 1 : 0);
      const bool is_write = is_update(other) || ptx::facts(other).memory == MemoryRole::kStore;
      return is_write && is_shared_memory(other) && stored != nullptr && has_any(*stored, flow_) &&
             !same_address(function_, in, other);
    }) && std::none_of(all.begin(), all.end(), [&](const Instruction& load) {
      if (ptx::facts(load).memory != MemoryRole::kLoad || !reads_any(load, flow_)) return false;
      const auto from = pointers(function_, load);
      return std::find_first_of(from.begin(), from.end(), base.begin(), base.end()) != from.end();
    });
  }
  // Blocks after loops that run until the read returns some value.
  void find_waits() {
    waits_.assign(control_.blocks().size(), false);
    if (!ptx::is_strong(function_.instructions[read_])) return;
    const auto home = control_.block_of(read_);
    const auto from_read = control_.reachable(home);
    for (std::uint32_t b = 0; b < waits_.size(); ++b) {
      const auto by = control_.decides(b);
      if (!by || !flow_[*by] || !(b == home || from_read[b])) continue;
      if (!control_.reachable(b)[home]) continue;
      // A thread that waits for its turn in each round of a loop also comes back.
      const auto& next = control_.blocks()[b].successors;
      const bool waits_each_round =
          has_turn_ && b == home && std::find(next.begin(), next.end(), home) != next.end();
      for (const auto exit : next) {
        const auto from = control_.reachable(exit);
        if (exit == home || (from[home] && !waits_each_round)) continue;
        is_repeated_ = true;
        waits_[exit] = true;
        for (std::uint32_t at = 0; at < waits_.size(); ++at) waits_[at] = waits_[at] || from[at];
      }
    }
  }
  void compare() {
    for (const auto& in : function_.instructions) {
      if (!ptx::facts(in).compared_type || !reads_any(in, flow_)) continue;
      if (!tests_equality(in)) has_inequality_ = true;
      for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
        const auto& x = in.operands[k];
        if (!has_any(x, flow_) && has_any(x, varies())) {
          has_turn_ |= tests_equality(in);
          compared_.push_back(x.index);
        }
      }
    }
    has_turn_ = has_turn_ && !has_inequality_;
  }
  // Whether `in` is the minimum or maximum of a value that the test compares with the word.
  bool guards_extreme(const Instruction& in) const {
    if (!is_extreme(in)) return false;
    const auto* const x = value(in);
    if (x == nullptr || x->kind == Operand::Kind::kImmediate) return true;
    Registers related(function_.registers.size());
    for (const auto r : compared_) related[r] = true;
    spread(function_, related);
    if (has_any(*x, related)) return true;
    Registers back(function_.registers.size());
    ptx::for_each_register(*x, [&](std::uint32_t r) { back[r] = true; });
    spread(function_, back);
    return std::any_of(compared_.begin(), compared_.end(),
                       [&](std::uint32_t r) { return back[r]; }) ||
           !has_any(*x, varies());
  }
  // Whether `in`, a minimum or maximum, moves the word by a distance from its value. A minimum of
  // the value and others gives the same in one step, and so does a value from another element of
  // the array: the graph's edges are relaxed until nothing changes.
  bool counts_up(const Instruction& in, std::uint32_t write) const {
    const auto& read = function_.instructions[read_];
    const auto& at = in.operands[ptx::facts(in).address.value_or(0)];
    const auto& from = read.operands[ptx::facts(read).address.value_or(0)];
    const bool is_same_base = !at.elements.empty() && !from.elements.empty() &&
                              at.elements[0].kind == from.elements[0].kind &&
                              at.elements[0].index == from.elements[0].index;
    if (!is_same_base || at.offset != from.offset) return false;
    return part_of(value(in), values_at(function_, control_, read_, write)) == Part::kComputed;
  }
  // Whether a predicate compares the value with constants in the block that reads it. Elsewhere the
  // value's register may contain another one, which varies.
  bool tests_at_once(std::uint32_t predicate) const {
    const auto& all = function_.instructions;
    bool any = false;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (!writes_to(all[i], predicate)) continue;
      any = i > read_ && control_.block_of(i) == control_.block_of(read_) &&
            ptx::facts(all[i]).compared_type;
      ptx::for_each_read(all[i], [&](std::uint32_t r) { any &= writes_to(all[read_], r); });
      if (!any) return false;
    }
    return any;
  }
  bool is_decided_by_it_alone(std::uint32_t write) const {
    const auto is_own = [&](std::uint32_t r) {
      return flow_[r] && (!varies()[r] || tests_at_once(r));
    };
    const auto& in = function_.instructions[write];
    if (in.guard && !is_own(*in.guard)) return false;
    const auto block = control_.block_of(write);
    bool out = true;
    for (std::uint32_t b = 0; b < control_.blocks().size(); ++b) {
      const auto by = control_.decides(b);
      if (!by || !(decided_[b] || waits_[b] || flow_[*by])) continue;
      bool decides = false;
      control_.for_each_decided(b, [&](std::uint32_t at) { decides |= at == block; });
      if (decides) out = out && is_own(*by);
    }
    return out;
  }
  // Whether something else than equal writes depends on the value.
  bool has_effects(std::uint32_t write) const {
    const auto& all = function_.instructions;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const bool is_dependent =
          decided_[control_.block_of(i)] || (all[i].guard && flow_[*all[i].guard]);
      if (i == write || !is_dependent || !steps_.writes[i]) continue;
      const auto& m = all[i].modifiers;
      if (is_update(all[i])) {
        if (!m.has(Modifier::min) && !m.has(Modifier::max) && !m.has(Modifier::or_) &&
            !m.has(Modifier::and_)) {
          return true;
        }
        continue;
      }
      const auto* const stored = value(all[i]);
      if (stored == nullptr) continue;
      const auto& address = all[i].operands[ptx::facts(all[i]).address.value_or(0)];
      if (!has_any(address, varies()) && has_any(*stored, varies())) return true;
    }
    return false;
  }

  const ptx::Function& function_;
  const Steps& steps_;
  const Control& control_;
  std::uint32_t read_;
  const Registers& flow_;
  mutable std::optional<Registers> varies_;
  std::vector<bool> decided_;  // by block
  std::vector<bool> waits_;    // by block
  std::vector<std::uint32_t> compared_;
  bool is_repeated_ = false;
  bool has_turn_ = false;
  bool has_inequality_ = false;
};

// Marks what the result of an atomic decides. It is the current value, so it repairs an older one.
void mark_repaired(const ptx::Function& function, const Control& control, std::uint32_t atomic,
                   std::vector<bool>& repaired) {
  const auto& all = function.instructions;
  if (!is_update(all[atomic]) || all[atomic].modifiers.has(Modifier::exch)) return;
  const auto flow = flow_of(function, atomic);
  const auto decided = control.decided_by(flow);
  for (auto i = atomic + 1; i < all.size(); ++i) {
    if (decided[control.block_of(i)] || (all[i].guard && flow[*all[i].guard])) repaired[i] = true;
  }
}

using Step = base::UpdateAdvice::Step;

// Whether a jump skips what follows if the predicate of `comparison` holds.
bool decides_jump(const ptx::Function& function, const Instruction& comparison) {
  bool jumps = false;
  ptx::for_each_written(comparison, [&](std::uint32_t p) {
    for (const auto& branch : function.instructions) {
      jumps |=
          ptx::facts(branch).flow != ptx::Flow::kNext && branch.guard == p && !branch.guard_negated;
    }
  });
  return jumps;
}

// The operation that does `write` in one step with its test of the value in `flow`.
Step step_of_test(const ptx::Function& function, const Registers& flow, const Instruction& write) {
  for (const auto& in : function.instructions) {
    if (!ptx::facts(in).compared_type || !reads_any(in, flow) || tests_equality(in)) continue;
    if (is_update(write) && !write.modifiers.has(Modifier::exch)) return Step::kAny;
    const auto& m = in.modifiers;
    const bool is_first = has_any(in.operands[ptx::results(in)], flow);
    const bool is_less =
        m.has(Modifier::lt) || m.has(Modifier::le) || m.has(Modifier::lo) || m.has(Modifier::ls);
    // A write behind a jump happens if the comparison fails, so the type of jump decides.
    return (is_first == is_less) != decides_jump(function, in) ? Step::kMax : Step::kMin;
  }
  return Step::kTestAndSet;
}

Step step_of(ptx::Algebra algebra) {
  using ptx::Algebra;
  if (algebra == Algebra::kSum || algebra == Algebra::kDifference) return Step::kAdd;
  if (algebra == Algebra::kAnd) return Step::kAnd;
  if (algebra == Algebra::kOr) return Step::kOr;
  return algebra == Algebra::kXor ? Step::kXor : Step::kAny;
}

// Searches backwards for the operation that combines the old value, in `flow`, with another one.
Step step_of_value(const ptx::Function& function, const Registers& flow, const Operand& from) {
  std::vector<std::uint32_t> todo;
  Registers seen(function.registers.size());
  const auto add = [&](std::uint32_t r) {
    if (!seen[r] && flow[r]) todo.push_back(r);
    seen[r] = true;
  };
  ptx::for_each_register(from, add);
  while (!todo.empty()) {
    const auto r = todo.back();
    todo.pop_back();
    for (const auto& made : function.instructions) {
      if (!writes_to(made, r) || ptx::facts(made).memory != MemoryRole::kNoMemory) continue;
      if (!is_copy(made)) return step_of(ptx::facts(made).algebra);
      ptx::for_each_read(made, add);
    }
  }
  return Step::kAny;
}

}  // namespace

UpdatePairs update_pairs(const ptx::Function& function) {
  const auto& all = function.instructions;
  const auto count = static_cast<std::uint32_t>(all.size());
  const Steps steps(function);
  UpdatePairs out;
  out.is_lost_swap.assign(count, false);
  out.only_reads = steps.changes_nothing;
  std::vector<std::uint32_t> writes;
  bool has_strong_write = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!steps.writes[i]) continue;
    writes.push_back(i);
    has_strong_write |= ptx::is_strong(all[i]);
  }
  std::optional<Control> control;
  for (std::uint32_t read = 0; read < count; ++read) {
    if (!steps.reads[read] || !(has_strong_write || ptx::is_strong(all[read]))) continue;
    const auto fits = [&](std::uint32_t write) {
      return write != read && may_be_same_space(all[read], all[write]) &&
             (ptx::is_strong(all[read]) || ptx::is_strong(all[write]));
    };
    if (std::none_of(writes.begin(), writes.end(), fits)) continue;
    if (!control) control.emplace(function);
    const PairFinder finder(function, steps, *control, read);
    for (const auto write : writes) {
      if (!fits(write)) continue;
      const auto found = finder.pair_with(write);
      if (!found) continue;
      out.all.push_back(*found);
      const bool is_lost = is_swap(all[write]) && !finder.is_compared(write);
      if (is_lost) out.is_lost_swap[write] = true;
    }
  }
  return out;
}

bool updates_in_place(const ptx::Function& function, std::uint32_t read, std::uint32_t write) {
  const auto& load = function.instructions[read];
  const auto& in = function.instructions[write];
  if (read == write || !same_address(function, load, in)) return false;
  const Steps steps(function);
  if (!steps.reads[read] || steps.takes[read] || !steps.writes[write]) return false;
  const auto& flow = steps.flow(read);
  const auto* const stored = value(in);
  const auto* const swapped = value(in, 1);
  if ((stored != nullptr && has_any(*stored, flow)) ||
      (swapped != nullptr && has_any(*swapped, flow))) {
    return true;
  }
  const Control control(function);
  return PairFinder(function, steps, control, read).pair_with(write).has_value();
}

base::UpdateAdvice::Step one_step(const ptx::Function& function, std::uint32_t read,
                                  std::uint32_t write) {
  const auto& in = function.instructions[write];
  const auto flow = flow_of(function, read);
  const auto* from = value(in, is_swap(in) ? 1 : 0);
  if (from == nullptr) return Step::kAny;
  return has_any(*from, flow) ? step_of_value(function, flow, *from)
                              : step_of_test(function, flow, in);
}

DecidingLoads deciding_loads(const ptx::Function& function) {
  const auto& all = function.instructions;
  const Control control(function);
  const Steps steps(function);
  DecidingLoads out{std::vector<bool>(all.size()), std::vector<bool>(all.size())};
  for (std::uint32_t read = 0; read < all.size(); ++read) {
    if (ptx::facts(all[read]).memory != MemoryRole::kLoad || !steps.reads[read]) continue;
    const auto flow = flow_of(function, read);
    const auto decided = control.decided_by(flow);
    std::vector<bool> repaired(all.size());
    for (std::uint32_t i = 0; i < all.size() && !out.decides[read]; ++i) {
      const bool depends = decided[control.block_of(i)] || (all[i].guard && flow[*all[i].guard]);
      if (!depends) continue;
      if (same_address(function, all[read], all[i])) {
        if (i > read && is_update(all[i])) out.is_test[read] = true;
        mark_repaired(function, control, i, repaired);
      } else if (!repaired[i]) {
        out.decides[read] = steps.writes[i] || ptx::facts(all[i]).flow == ptx::Flow::kCall;
      }
    }
  }
  return out;
}

}  // namespace warpgrade::check

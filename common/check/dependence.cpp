// SPDX-License-Identifier: Apache-2.0
#include "common/check/dependence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check {
namespace {

// Searches backwards, from the operands of stores to the loads that supply them.

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

namespace {

using ptx::Instruction;
using ptx::is_update;
using ptx::MemoryRole;
using ptx::Operand;

// Whether it passes on one of its operands: a copy, perhaps in another type or state space, a
// minimum, a maximum, a selection, or the value of another lane.
bool passes_on(const Instruction& in) {
  const auto& facts = ptx::facts(in);
  return is_copy(in) || facts.algebra == ptx::Algebra::kExtreme ||
         facts.family == ptx::Family::kSelection || ptx::is_exchange(facts.timing);
}

// Whether all threads of a launch read the same value from the special register.
bool is_extent(ptx::SpecialRegister which) {
  using ptx::SpecialRegister;
  switch (which) {
    case SpecialRegister::ntid_x:
    case SpecialRegister::ntid_y:
    case SpecialRegister::ntid_z:
    case SpecialRegister::nctaid_x:
    case SpecialRegister::nctaid_y:
    case SpecialRegister::nctaid_z:
      return true;
    default:
      return false;
  }
}

// Whether it loads what a called function returned.
bool is_returned(const Instruction& in) {
  const auto& address = in.operands.back();
  return in.space == ptx::StateSpace::kParam && address.kind == Operand::Kind::kAddress &&
         !address.elements.empty() && address.elements[0].kind != Operand::Kind::kParameter;
}

// The address of `in`; the_maker(register) returns the only instruction that writes a register, or
// nullptr.
template <class Maker>
std::optional<WordAddress> address_of(const Instruction& in, const Maker& the_maker) {
  const auto at = ptx::facts(in).address;
  if (!at || *at >= in.operands.size()) return std::nullopt;
  const auto& address = in.operands[*at];
  if (address.kind != Operand::Kind::kAddress || address.elements.empty()) return std::nullopt;
  const auto* base = &address.elements[0];
  for (int steps = 0; base->kind == Operand::Kind::kRegister && steps < 4; ++steps) {
    const Instruction* const made = the_maker(base->index);
    if (made == nullptr || !is_copy(*made) || made->operands.size() < 2) break;
    base = &made->operands[1];
  }
  return WordAddress{base->kind, base->index, base->offset, address.offset};
}

// By register: the instructions other than atomics with it as an operand.
struct Readers {
  std::vector<std::vector<std::uint32_t>> of;
};

Readers readers(const ptx::Function& function) {
  Readers out{std::vector<std::vector<std::uint32_t>>(function.registers.size())};
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    if (is_update(in)) continue;
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      ptx::for_each_register(in.operands[k], [&](std::uint32_t r) { out.of[r].push_back(i); });
    }
  }
  return out;
}

}  // namespace

bool is_shared_memory(const Instruction& in) {
  return in.space == ptx::StateSpace::kGlobal || in.space == ptx::StateSpace::kShared ||
         in.space == ptx::StateSpace::kGeneric;
}

const Operand* value(const Instruction& in, std::size_t number) {
  const auto at = std::size_t{ptx::facts(in).address.value_or(0)} + 1 + number;
  return at < in.operands.size() ? &in.operands[at] : nullptr;
}

std::vector<std::uint32_t> pointers(const ptx::Function& function, const Instruction& in) {
  std::vector<std::uint32_t> out, todo;
  Registers seen(function.registers.size());
  const auto visit = [&](const Operand& operand, const auto& self) -> void {
    const bool is_register = operand.kind == Operand::Kind::kRegister;
    if (is_register && !seen[operand.index]) todo.push_back(operand.index);
    if (is_register) seen[operand.index] = true;
    if (operand.kind == Operand::Kind::kParameter || operand.kind == Operand::Kind::kVariable ||
        operand.kind == Operand::Kind::kLocal) {
      out.push_back(operand.index);
    }
    for (const auto& element : operand.elements) self(element, self);
  };
  if (const auto at = ptx::facts(in).address) visit(in.operands[*at], visit);
  while (!todo.empty()) {
    const auto r = todo.back();
    todo.pop_back();
    for (const auto& made : function.instructions) {
      const bool is_load = ptx::facts(made).memory == MemoryRole::kLoad && is_shared_memory(made);
      if (!writes_to(made, r) || is_update(made) || is_load) continue;
      for (auto k = ptx::results(made); k < made.operands.size(); ++k) {
        visit(made.operands[k], visit);
      }
    }
  }
  return out;
}

bool is_copy(const Instruction& in) {
  const auto& facts = ptx::facts(in);
  return facts.timing == ptx::Timing::kMove || facts.timing == ptx::Timing::kConversion ||
         facts.family == ptx::Family::kAddress;
}

bool has_any(const Operand& operand, const Registers& registers) {
  bool any = false;
  ptx::for_each_register(operand, [&](std::uint32_t r) { any |= registers[r]; });
  return any;
}

bool writes_to(const Instruction& in, std::uint32_t written) {
  bool any = false;
  ptx::for_each_written(in, [&](std::uint32_t r) { any |= r == written; });
  return any;
}

bool reads_any(const Instruction& in, const Registers& registers) {
  for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
    if (has_any(in.operands[k], registers)) return true;
  }
  return false;
}

void spread(const ptx::Function& function, Registers& from, bool through_addresses) {
  const auto known = function.analyses.get<Readers>([&] { return readers(function); });
  std::vector<std::uint32_t> todo;
  for (std::uint32_t r = 0; r < from.size(); ++r) {
    if (from[r]) todo.push_back(r);
  }
  while (!todo.empty()) {
    const auto at = todo.back();
    todo.pop_back();
    for (const auto i : known->of[at]) {
      const auto& in = function.instructions[i];
      if (!through_addresses && ptx::facts(in).memory == MemoryRole::kLoad) continue;
      ptx::for_each_written(in, [&](std::uint32_t r) {
        if (!from[r]) todo.push_back(r);
        from[r] = true;
      });
    }
  }
}

Registers flow_of(const ptx::Function& function, std::uint32_t read, bool through_addresses) {
  Registers flow(function.registers.size());
  ptx::for_each_written(function.instructions[read], [&](std::uint32_t r) { flow[r] = true; });
  spread(function, flow, through_addresses);
  return flow;
}

Registers varying(const ptx::Function& function, std::uint32_t read) {
  Registers out(function.registers.size());
  const auto& all = function.instructions;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto memory = ptx::facts(all[i]).memory;
    const bool is_load =
        memory == MemoryRole::kLoad && (is_shared_memory(all[i]) || is_returned(all[i]));
    const bool has_index =
        std::any_of(all[i].operands.begin(), all[i].operands.end(), [](const Operand& operand) {
          return operand.kind == Operand::Kind::kSpecial &&
                 !is_extent(static_cast<ptx::SpecialRegister>(operand.index));
        });
    if (i == read || !(is_load || has_index || memory == MemoryRole::kAtomic)) continue;
    ptx::for_each_written(all[i], [&](std::uint32_t r) { out[r] = true; });
  }
  spread(function, out);
  return out;
}

Part part_of(const Operand* operand, const std::vector<Part>& values) {
  auto most = Part::kNone;
  if (operand == nullptr) return most;
  ptx::for_each_register(*operand, [&](std::uint32_t r) { most = std::max(most, values[r]); });
  return most;
}

std::vector<Part> values_at(const ptx::Function& function, const Control& control,
                            std::uint32_t from, std::uint32_t at) {
  const std::vector<Part> none(function.registers.size());
  std::vector<std::vector<Part>> before(control.blocks().size(), none);
  auto out = none;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t b = 0; b < before.size(); ++b) {
      auto now = before[b];
      for (auto i = control.blocks()[b].begin; i < control.blocks()[b].end; ++i) {
        if (i == at) out = now;
        const auto& in = function.instructions[i];
        auto part = i == from ? Part::kPassedOn : Part::kNone;
        if (ptx::facts(in).memory == MemoryRole::kNoMemory && !ptx::facts(in).compared_type) {
          for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
            part = std::max(part, part_of(&in.operands[k], now));
          }
          if (part != Part::kNone && !passes_on(in)) part = Part::kComputed;
        }
        ptx::for_each_written(
            in, [&](std::uint32_t r) { now[r] = in.guard ? std::max(now[r], part) : part; });
      }
      for (const auto next : control.blocks()[b].successors) {
        for (std::size_t r = 0; r < now.size(); ++r) {
          more |= now[r] > before[next][r];
          before[next][r] = std::max(before[next][r], now[r]);
        }
      }
    }
  }
  return out;
}

bool same_address(const ptx::Function& function, const Instruction& a, const Instruction& b) {
  const auto the_maker = [&](std::uint32_t written) {
    const Instruction* made = nullptr;
    for (const auto& in : function.instructions) {
      if (!writes_to(in, written)) continue;
      if (made != nullptr) return static_cast<const Instruction*>(nullptr);
      made = &in;
    }
    return made;
  };
  const auto x = address_of(a, the_maker);
  return x && x == address_of(b, the_maker);
}

std::vector<std::optional<WordAddress>> addresses(const ptx::Function& function) {
  std::vector<const Instruction*> makers(function.registers.size());
  std::vector<std::uint32_t> counts(function.registers.size());
  for (const auto& in : function.instructions) {
    ptx::for_each_written(in,
                          [&](std::uint32_t r) { makers[r] = ++counts[r] == 1 ? &in : nullptr; });
  }
  std::vector<std::optional<WordAddress>> out;
  for (const auto& in : function.instructions) {
    out.push_back(address_of(in, [&](std::uint32_t r) { return makers[r]; }));
  }
  return out;
}

// The algorithm of Cooper, Harvey and Kennedy on the reversed graph; number blocks_.size() is the
// end of the thread.
void Control::find_post_dominators() {
  const auto end = static_cast<std::uint32_t>(blocks_.size());
  after_.assign(end + 1, kNone);
  after_[end] = end;
  std::vector<std::uint32_t> order;  // successors first
  std::vector<std::uint32_t> number(end + 1, 0);
  std::vector<bool> seen(end);
  for (std::uint32_t root = 0; root < end; ++root) {
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    if (!seen[root]) stack.emplace_back(root, 0);
    seen[root] = true;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next < blocks_[at].successors.size()) {
        const auto to = blocks_[at].successors[next++];
        if (!seen[to]) stack.emplace_back(to, 0);
        seen[to] = true;
      } else {
        order.push_back(at);
        stack.pop_back();
      }
    }
  }
  number[end] = 0;
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k + 1;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] > number[b]) a = after_[a];
      while (number[b] > number[a]) b = after_[b];
    }
    return a;
  };
  for (bool more = true; more;) {
    more = false;
    for (const auto b : order) {
      auto found = ends(b) ? end : kNone;
      for (const auto next : blocks_[b].successors) {
        if (after_[next] == kNone) continue;
        found = found == kNone ? next : meet(found, next);
      }
      more |= found != after_[b];
      after_[b] = found;
    }
  }
}

// Whether a thread may end in block `b`.
bool Control::ends(std::uint32_t b) const {
  const auto& block = blocks_[b];
  if (block.successors.empty()) return true;
  const auto flow = ptx::facts(function_.instructions[block.end - 1]).flow;
  return flow == ptx::Flow::kReturn || flow == ptx::Flow::kExit;
}

}  // namespace warpgrade::check

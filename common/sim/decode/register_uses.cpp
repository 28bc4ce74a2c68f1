// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/register_uses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

// Limit on copies of copies; no compiler makes longer chains, and circular mov chains have no end.
constexpr int kLongestCopyChain = 32;

bool is_plain_register(const Operand& operand) {
  return operand.kind == Operand::Kind::kRegister && operand.component == 0 && !operand.negated;
}

// Also for the parts of a vector.
bool moves(const Instruction& in) { return ptx::facts(in).layout == ptx::Layout::kMove; }

}  // namespace

bool is_register(const Operand& operand, std::uint32_t r) {
  return is_plain_register(operand) && operand.index == r;
}

std::uint32_t reads_of(const Instruction& in, std::uint32_t r) {
  std::uint32_t count = 0;
  for_each_read(in, [&](std::uint32_t read) { count += read == r ? 1 : 0; });
  return count;
}

bool writes(const Instruction& in, std::uint32_t r) {
  bool found = false;
  for_each_written(in, [&](std::uint32_t written) { found = found || written == r; });
  return found;
}

bool is_copy(const Instruction& in) {
  return moves(in) && is_plain_register(in.operands[0]) && is_plain_register(in.operands[1]);
}

bool is_parting(const Instruction& in) {
  return moves(in) && !in.guard && in.operands[0].kind == Operand::Kind::kVector &&
         in.operands[0].elements.size() == 2 && is_plain_register(in.operands[1]);
}

RegisterUses::RegisterUses(const ptx::Function& function)
    : function_(function),
      writers_(function.registers.size()),
      readers_(function.registers.size()) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    for_each_written(in, [&](std::uint32_t r) { writers_[r].push_back(i); });
    for_each_read(in, [&](std::uint32_t r) { readers_[r].push_back(i); });
  }
}

bool RegisterUses::is_written_between(std::uint32_t r, std::uint32_t after,
                                      std::uint32_t before) const {
  return std::any_of(writers_[r].begin(), writers_[r].end(),
                     [&](std::uint32_t i) { return i > after && i < before; });
}

std::optional<std::uint32_t> RegisterUses::result_written_once(const Instruction& in) const {
  if (in.guard || results(in) != 1 || !is_plain_register(in.operands[0])) return std::nullopt;
  const auto r = in.operands[0].index;
  return is_written_once(r) ? std::optional(r) : std::nullopt;
}

const Instruction* RegisterUses::only_mov(std::uint32_t r) const {
  if (!is_written_once(r)) return nullptr;
  const auto& in = function_.instructions[writers_[r][0]];
  return moves(in) && !in.guard ? &in : nullptr;
}

const Operand* RegisterUses::constant(const Operand& operand) const {
  const auto* source = &operand;
  for (int steps = 0; steps < kLongestCopyChain; ++steps) {
    if (source->kind == Operand::Kind::kImmediate) return source;
    const auto* mov = is_plain_register(*source) ? only_mov(source->index) : nullptr;
    if (mov == nullptr || !is_plain_register(mov->operands[0])) return nullptr;
    source = &mov->operands[1];
  }
  return nullptr;
}

bool RegisterUses::is_half(const Operand& operand, std::uint32_t whole, std::size_t which) const {
  const auto* half = &operand;
  for (int steps = 0; steps < kLongestCopyChain; ++steps) {
    const auto* mov = is_plain_register(*half) ? only_mov(half->index) : nullptr;
    if (mov == nullptr) return false;
    if (!is_copy(*mov)) {
      return is_parting(*mov) && is_register(mov->operands[1], whole) &&
             is_register(mov->operands[0].elements[which], half->index);
    }
    half = &mov->operands[1];
  }
  return false;
}

bool RegisterUses::joins_halves_of(const Instruction& in, std::uint32_t whole) const {
  return moves(in) && in.operands[1].kind == Operand::Kind::kVector &&
         in.operands[1].elements.size() == 2 && is_half(in.operands[1].elements[0], whole, 0) &&
         is_half(in.operands[1].elements[1], whole, 1);
}

namespace {

// Searches per register, from its readers back to its writers.

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

class Liveness {
 public:
  Liveness(const ptx::Function& function, const std::vector<ptx::BasicBlock>& blocks)
      : function_(function),
        blocks_(blocks),
        predecessors_(blocks.size()),
        exposed_(function.registers.size()),
        writers_(function.registers.size()),
        written_in_(function.registers.size(), kNever),
        writes_(blocks.size(), kNever),
        seen_(blocks.size(), kNever) {
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      for (const auto successor : blocks[b].successors) predecessors_[successor].push_back(b);
      scan(b);
    }
  }

  std::vector<UndefinedRegister> run() {
    std::vector<UndefinedRegister> found;
    for (const auto& part : function_.parts) {
      for (auto r = part.registers.begin; r < part.registers.end; ++r) {
        if (exposed_[r].empty()) continue;
        for (const auto b : writers_[r]) writes_[b] = r;
        const auto entry = entry_of(r);
        if (entry == kNever || is_under_one_condition(entry, r)) continue;
        found.push_back({r, readers_from(entry, r)});
      }
    }
    return found;
  }

 private:
  // A read without an earlier write in its block.
  struct Read {
    std::uint32_t block = 0;
    std::uint32_t instruction = 0;
  };

  void scan(std::uint32_t b) {
    for (auto i = blocks_[b].begin; i < blocks_[b].end; ++i) {
      const auto& in = function_.instructions[i];
      for_each_read(in, [&](std::uint32_t r) {
        if (written_in_[r] != b) exposed_[r].push_back({b, i});
      });
      if (in.guard) continue;
      for_each_written(in, [&](std::uint32_t r) {
        if (function_.registers[r].vector != 1 || written_in_[r] == b) return;  // or one component
        written_in_[r] = b;
        writers_[r].push_back(b);
      });
    }
  }

  // An entry from which a read of r is reachable without a write of it; kNever without such an
  // entry.
  std::uint32_t entry_of(std::uint32_t r) {
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t b) {
      if (seen_[b] == r) return;
      seen_[b] = r;
      open.push_back(b);
    };
    for (const auto& read : exposed_[r]) reach(read.block);
    while (!open.empty()) {
      const auto b = open.back();
      open.pop_back();
      if (b == 0 || blocks_[b].is_entry) return b;
      for (const auto predecessor : predecessors_[b]) {
        if (writes_[predecessor] != r) reach(predecessor);
      }
    }
    return kNever;
  }

  // Whether one predicate rules out every path from `entry` to a read of r without a write, because
  // it controls the branches to both the write and the read, as in code that loads and uses a value
  // under one condition.
  bool is_under_one_condition(std::uint32_t entry, std::uint32_t r) {
    for (const auto writer : writers_[r]) {
      for (const auto b : predecessors_[writer]) {
        const auto* branch = branch_of(b);
        if (branch != nullptr && !reaches_read(entry, r, *branch->guard)) return true;
      }
    }
    return false;
  }

  // The guarded bra at the end of block b; nullptr if it has no such branch.
  const ptx::Instruction* branch_of(std::uint32_t b) const {
    if (blocks_[b].begin == blocks_[b].end) return nullptr;
    const auto& last = function_.instructions[blocks_[b].end - 1];
    return ptx::facts(last).flow == ptx::Flow::kBranch && last.guard ? &last : nullptr;
  }

  // Whether a path leads from `entry` to a read of r without a write, and no two of its branches
  // require predicate p to be true and false without a write of p between them.
  bool reaches_read(std::uint32_t entry, std::uint32_t r, std::uint32_t p) {
    constexpr std::uint8_t kUnknown = 3;                // a bit for false, a bit for true
    std::vector<std::uint8_t> visited(blocks_.size());  // a bit for each state
    std::vector<std::pair<std::uint32_t, std::uint8_t>> open;
    const auto reach = [&](std::uint32_t b, std::uint8_t state) {
      if ((visited[b] >> state & 1) != 0) return;
      visited[b] |= static_cast<std::uint8_t>(1U << state);
      open.emplace_back(b, state);
    };
    std::vector<bool> reads(blocks_.size());
    for (const auto& read : exposed_[r]) reads[read.block] = true;
    reach(entry, kUnknown);
    while (!open.empty()) {
      auto [b, state] = open.back();
      open.pop_back();
      if (reads[b]) return true;
      if (writes_[b] == r) continue;
      for (auto i = blocks_[b].begin; i < blocks_[b].end; ++i) {
        if (writes(function_.instructions[i], p)) state = kUnknown;
      }
      const auto* branch = branch_of(b);
      const auto& successors = blocks_[b].successors;
      if (branch == nullptr || *branch->guard != p || successors.size() != 2) {
        for (const auto successor : successors) reach(successor, state);
        continue;
      }
      const std::uint8_t taken = branch->guard_negated ? 1 : 2;
      if ((state & taken) != 0) reach(successors[0], taken);
      if ((state & ~taken) != 0) reach(successors[1], kUnknown & ~taken);
    }
    return false;
  }

  std::vector<std::uint32_t> readers_from(std::uint32_t entry, std::uint32_t r) {
    std::vector<bool> reached(blocks_.size());
    std::vector<std::uint32_t> open = {entry};
    reached[entry] = true;
    while (!open.empty()) {
      const auto b = open.back();
      open.pop_back();
      if (writes_[b] == r) continue;
      for (const auto successor : blocks_[b].successors) {
        if (reached[successor]) continue;
        reached[successor] = true;
        open.push_back(successor);
      }
    }
    std::vector<std::uint32_t> readers;
    for (const auto& read : exposed_[r]) {
      if (reached[read.block]) readers.push_back(read.instruction);
    }
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    return readers;
  }

  const ptx::Function& function_;
  const std::vector<ptx::BasicBlock>& blocks_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::vector<Read>> exposed_;           // by register, ascending
  std::vector<std::vector<std::uint32_t>> writers_;  // blocks by register
  std::vector<std::uint32_t> written_in_;            // by register: the last block that writes it
  std::vector<std::uint32_t> writes_;  // by block: the current register, if the block writes it
  std::vector<std::uint32_t> seen_;    // by block: the current register, if visited
};

}  // namespace

std::vector<UndefinedRegister> undefined_registers(const ptx::Function& function,
                                                   const std::vector<ptx::BasicBlock>& blocks) {
  return Liveness(function, blocks).run();
}

}  // namespace warpgrade::sim

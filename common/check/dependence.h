// SPDX-License-Identifier: Apache-2.0
// What depends on a value of a function: registers by data, and blocks by branches.
//
// In: a function of PTX. Out: dependent registers and blocks, accesses with the same address
// operand, and the loads whose value reaches memory. Values are followed through registers until
// nothing changes: forwards, or backwards from the operands of stores.
//
// All of it is per function, not per thread, so a dependence means that there may be one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check {

// Finds the loads of a kernel whose value reaches memory, directly or through arithmetic.
//
// A value that only decides a branch, or is an operand of an atomic minimum or maximum, may be
// stale, because the atomic reads the word again. A value that is stored or added becomes a result.
// The analysis is per register for the whole function, so a value counts as stored if it may be.

/// By instruction: whether it is a load whose value reaches a store or a call. Minima and maxima
/// repair old values only if `repeats`: the word that may be old changes by minima and maxima, too.
std::vector<bool> stored_loads(const ptx::Function& function, bool repeats = true);

/// By register of a function.
using Registers = std::vector<bool>;

class Control {
 public:
  explicit Control(const ptx::Function& function)
      : function_(function), blocks_(ptx::basic_blocks(function)) {
    const auto count = static_cast<std::uint32_t>(blocks_.size());
    block_of_.resize(function.instructions.size());
    for (std::uint32_t b = 0; b < count; ++b) {
      for (auto i = blocks_[b].begin; i < blocks_[b].end; ++i) block_of_[i] = b;
    }
    find_post_dominators();
  }

  std::uint32_t block_of(std::uint32_t instruction) const { return block_of_[instruction]; }
  const std::vector<ptx::BasicBlock>& blocks() const { return blocks_; }

  /// The register that decides how block `b` ends.
  std::optional<std::uint32_t> decides(std::uint32_t b) const {
    const auto& block = blocks_[b];
    if (block.begin == block.end) return std::nullopt;
    const auto& last = function_.instructions[block.end - 1];
    if (!ptx::ends_basic_block(ptx::facts(last).flow)) return std::nullopt;
    if (last.guard) return *last.guard;
    if (ptx::facts(last).flow == ptx::Flow::kJumpTable) return last.operands[0].index;
    return std::nullopt;
  }
  /// Calls visit(block) for each block that the end of block `b` decides about.
  template <class Visit>
  void for_each_decided(std::uint32_t b, const Visit& visit) const {
    const auto visit_from = [&](std::uint32_t at) {
      for (std::size_t steps = 0; at != after_[b] && at < blocks_.size(); at = after_[at]) {
        visit(at);
        if (++steps > blocks_.size()) return;
      }
    };
    for (const auto next : blocks_[b].successors) visit_from(next);
  }
  /// By block: whether `registers` decide about it, directly or through another branch.
  std::vector<bool> decided_by(const Registers& registers) const {
    std::vector<bool> out(blocks_.size());
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        const auto by = decides(b);
        if (!by || !(registers[*by] || out[b])) continue;
        for_each_decided(b, [&](std::uint32_t at) {
          more |= !out[at];
          out[at] = true;
        });
      }
    }
    return out;
  }
  /// By block: whether control may reach it from the end of block `b`.
  std::vector<bool> reachable(std::uint32_t b) const {
    std::vector<bool> out(blocks_.size());
    std::vector<std::uint32_t> todo = {b};
    while (!todo.empty()) {
      const auto at = todo.back();
      todo.pop_back();
      for (const auto next : blocks_[at].successors) {
        if (out[next]) continue;
        out[next] = true;
        todo.push_back(next);
      }
    }
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void find_post_dominators();
  bool ends(std::uint32_t b) const;

  const ptx::Function& function_;
  std::vector<ptx::BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> after_;  // by block: its immediate post-dominator
};

/// Whether it accesses memory that threads may share.
bool is_shared_memory(const ptx::Instruction& in);
/// The operand after the address: the stored value, or what a compare-and-swap compares. The swap
/// stores the next one, `number` 1.
const ptx::Operand* value(const ptx::Instruction& in, std::size_t number = 0);
/// The operand that an address begins with (the variable, if a register contains its address), and
/// the offset.
struct WordAddress {
  ptx::Operand::Kind kind{};
  std::uint32_t index = 0;
  std::int64_t base_offset = 0;
  std::int64_t offset = 0;

  friend bool operator==(const WordAddress&, const WordAddress&) = default;
};
/// By instruction: the address that it accesses, if it has one.
std::vector<std::optional<WordAddress>> addresses(const ptx::Function& function);
/// Whether both access the same address operand.
bool same_address(const ptx::Function& function, const ptx::Instruction& a,
                  const ptx::Instruction& b);
/// The parameters and variables from which the address of an access is computed, by index.
std::vector<std::uint32_t> pointers(const ptx::Function& function, const ptx::Instruction& in);
/// Whether the result is the operand, perhaps in another type or state space.
bool is_copy(const ptx::Instruction& in);
bool has_any(const ptx::Operand& operand, const Registers& registers);
/// Whether `in` writes that register.
bool writes_to(const ptx::Instruction& in, std::uint32_t written);
bool reads_any(const ptx::Instruction& in, const Registers& registers);

/// Adds the registers whose value depends on one of `from`; atomics return a value of their own,
/// and so do loads unless values flow `through_addresses`.
void spread(const ptx::Function& function, Registers& from, bool through_addresses = true);
/// The registers whose value depends on what instruction `read` returns.
Registers flow_of(const ptx::Function& function, std::uint32_t read, bool through_addresses = true);
/// Registers that may differ between threads, apart from the value of `read`.
Registers varying(const ptx::Function& function, std::uint32_t read);

/// Whether a register contains the value that an instruction returned, or one computed from it.
enum class Part : std::uint8_t { kNone, kPassedOn, kComputed };
Part part_of(const ptx::Operand* operand, const std::vector<Part>& values);
/// By register: what it contains of the result of `from` before instruction `at`, on some path.
/// Atomics, loads and comparisons return values of their own.
std::vector<Part> values_at(const ptx::Function& function, const Control& control,
                            std::uint32_t from, std::uint32_t at);

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
// The blocks of a function, and which of them a branch decides about: those on the way from the
// branch to its immediate post-dominator, where all its ways meet again.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check {

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

  // The algorithm of Cooper, Harvey and Kennedy on the reversed graph; number blocks_.size() is the
  // end of the thread.
  void find_post_dominators() {
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
  bool ends(std::uint32_t b) const {
    const auto& block = blocks_[b];
    if (block.successors.empty()) return true;
    const auto flow = ptx::facts(function_.instructions[block.end - 1]).flow;
    return flow == ptx::Flow::kReturn || flow == ptx::Flow::kExit;
  }

  const ptx::Function& function_;
  std::vector<ptx::BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> after_;  // by block: its immediate post-dominator
};

}  // namespace warpgrade::check

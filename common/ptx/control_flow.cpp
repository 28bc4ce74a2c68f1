// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/control_flow.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx {
namespace {

bool ends_block(const Instruction& instruction) {
  return ends_basic_block(facts(instruction).flow);
}

// The possible targets of a branch.
std::vector<std::uint32_t> targets(const Function& function, const Instruction& instruction) {
  const auto flow = facts(instruction).flow;
  if (flow == Flow::kBranch) return {instruction.operands[0].index};
  if (flow == Flow::kJumpTable) {
    return function.branch_targets[instruction.operands[1].index].labels;
  }
  return {};
}

// Bourdoncle's algorithm with an explicit stack instead of recursion, because functions can have
// very many blocks. It builds the order from the end.
class Ordering {
 public:
  explicit Ordering(const std::vector<BasicBlock>& blocks)
      : blocks_(blocks), number_(blocks.size(), 0) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t root = 0; root < blocks_.size(); ++root) {
      if (root != 0 && !blocks_[root].is_entry) continue;
      if (number_[root] != 0) continue;  // a function never jumps into another one
      visit(root);
      order.insert(order.end(), reversed_.rbegin(), reversed_.rend());
      reversed_.clear();
    }
    return order;
  }

 private:
  static constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();

  struct Frame {
    std::uint32_t block = 0;
    std::uint32_t head = 0;
    std::size_t next = 0;  // next successor to visit
    bool is_loop = false;
    bool in_component = false;  // second pass over a loop's successors
  };

  void enter(std::uint32_t block) {
    stack_.push_back(block);
    number_[block] = ++count_;
    frames_.push_back({block, count_, 0, false, false});
  }

  void visit(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const auto& successors = blocks_[frame.block].successors;
      if (frame.next < successors.size()) {
        const auto successor = successors[frame.next++];
        if (number_[successor] == 0) {
          enter(successor);
        } else if (!frame.in_component) {
          note(frame, number_[successor]);
        }
      } else {
        leave();
      }
    }
  }

  static void note(Frame& frame, std::uint32_t head) {
    if (head <= frame.head) {
      frame.head = head;
      frame.is_loop = true;
    }
  }

  void leave() {
    Frame& frame = frames_.back();
    if (!frame.in_component && frame.head == number_[frame.block]) {
      number_[frame.block] = kDone;
      auto element = stack_.back();
      stack_.pop_back();
      if (frame.is_loop) {
        for (; element != frame.block; stack_.pop_back()) {
          number_[element] = 0;
          element = stack_.back();
        }
        frame.in_component = true;
        frame.next = 0;
        return;
      }
    }
    const bool ordered = frame.in_component || number_[frame.block] == kDone;
    if (ordered) reversed_.push_back(frame.block);
    const auto head = frame.in_component ? kDone : frame.head;
    frames_.pop_back();
    if (!frames_.empty() && !frames_.back().in_component) note(frames_.back(), head);
  }

  const std::vector<BasicBlock>& blocks_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> reversed_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<BasicBlock> basic_blocks(const Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> starts(count + 1, false);
  starts[0] = true;
  for (const auto& part : function.parts) starts[part.instructions.begin] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!ends_block(function.instructions[i])) continue;
    starts[i + 1] = true;
    for (const auto target : targets(function, function.instructions[i])) starts[target] = true;
  }
  // A label at the end of a body, or an empty body, forms an empty block that returns.
  std::vector<BasicBlock> blocks;
  std::vector<std::uint32_t> block_at(count + 1, 0);
  for (std::uint32_t i = 0; i <= count; ++i) {
    if (starts[i]) {
      if (!blocks.empty()) blocks.back().end = i;
      block_at[i] = static_cast<std::uint32_t>(blocks.size());
      blocks.push_back({i, count, {}, false, false});
    }
  }
  for (const auto& part : function.parts) blocks[block_at[part.instructions.begin]].is_entry = true;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    auto& block = blocks[b];
    const auto* last = block.end > block.begin ? &function.instructions[block.end - 1] : nullptr;
    if (last != nullptr) {
      for (const auto target : targets(function, *last)) {
        block.successors.push_back(block_at[target]);
      }
    }
    const bool jumps = last != nullptr && never_falls_through(*last);
    block.falls_through = !jumps && b + 1 < blocks.size();
    if (block.falls_through) block.successors.push_back(static_cast<std::uint32_t>(b + 1));
  }
  return blocks;
}

std::vector<std::uint32_t> weak_topological_order(const std::vector<BasicBlock>& blocks) {
  return Ordering(blocks).run();
}

}  // namespace warpgrade::ptx

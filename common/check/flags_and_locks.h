// SPDX-License-Identifier: Apache-2.0
// Flags and locks of a kernel: the parts that atomic and volatile accesses play between threads.
//
// A flag is read before data that another thread accessed before setting it. An open attempt to
// take a lock lets the thread go on whether or not it has the lock. Both are facts of the text,
// so one run without contention does not hide them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/dependence.h"
#include "common/ptx/module.h"

namespace warpgrade::check {

// The parts that atomic and volatile accesses play between threads: flags and data.
//
// PTX gives two strong accesses to different words no order unless a fence, a release and an
// acquire, or a barrier does (PTX ISA, "Memory Consistency Model"). A thread relies on such an
// order if it reads a flag and then accesses data that the other thread accessed before setting the
// flag. A read is one of a flag if its value decides branches and reaches neither memory nor an
// address: a spin, the count of finished blocks, a lock. The value of a load may be an address: a
// pointer or an index that is tested before its use is a flag, too, because an address orders
// nothing. A stored value is data, so a word that packs a flag with its data is not a flag. A
// counter, or a search in any order, has no flag, or its flag guards no data.
//
// A reset of a counter needs no fence:
//
//   if (atomicAdd(&finished, 1) == gridDim.x - 1) finished = 0;
//
// The old value shows that all other additions came before, and by coherence the store follows
// them. Course kernels and samples of NVIDIA reset other counters there, too, for the next launch.
// This is accepted if only atomics have changed the word before, the thread stores a constant, and
// a counter shows that they came before.

/// The part of one strong access. For other instructions all is false, apart from `resets`.
struct FlagUse {
  bool reads_flag = false;
  bool reads_data = false;  ///< Its value becomes a result or an address.
  bool writes = false;      ///< An atomic that adds 0 writes nothing.
  bool swaps = false;
  bool tries = false;       ///< Exchanges a flag, such as a lock that may be taken.
  bool resets = false;      ///< Stores a constant, in a kernel that reads a counter as a flag.
  bool sets_bits = false;   ///< An `and`, `or` or `xor`.
  std::uint8_t update = 0;  ///< Atomics with the same number commute; 0: loads and stores.
};

/// By instruction; empty if the kernel reads no flag.
std::vector<FlagUse> flag_uses(const ptx::Function& function);

/// Whether the results of two strong accesses to one word depend on their order.
inline bool needs_order(const FlagUse& before, const FlagUse& now) {
  if (now.reads_flag || now.swaps) return false;  // It waits for the value, or tries again.
  // The store that frees a lock follows the holder's own exchange, which by coherence follows all
  // tries before it.
  if (before.tries && now.update == 0) return false;
  // Updates of single bits keep what other atomics did, in the order of the word.
  if (before.writes && now.writes) {
    const bool keeps_others = before.sets_bits && now.sets_bits;
    return before.update == 0 || (before.update != now.update && !keeps_others);
  }
  return before.writes ? now.reads_data : before.reads_data && now.writes;
}

/// The threads that have used the value of a word since its last strong write. By coherence their
/// later accesses of that word come after the write, without a fence.
class SeenWords {
 public:
  void note(std::uint64_t place, std::uint64_t block, std::uint32_t thread, const FlagUse& use) {
    auto& all = seen_[place];
    if (use.writes) all.clear();
    if (!use.reads_flag && !use.reads_data) return;
    if (!has(place, block, thread, /*any_thread=*/false)) all.emplace_back(block, thread);
  }
  /// Whether the thread, or any thread of its block, is among them.
  bool has(std::uint64_t place, std::uint64_t block, std::uint32_t thread, bool any_thread) const {
    const auto found = seen_.find(place);
    if (found == seen_.end()) return false;
    for (const auto& [b, t] : found->second) {
      if (b == block && (any_thread || t == thread)) return true;
    }
    return false;
  }
  void clear() { seen_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::uint32_t>>> seen_;
};

// Finds attempts to take a lock after which the thread goes on whether or not it has the lock.
//
// An attempt is an exchange or a compare-and-swap with constants whose result is used:
//
//   for (int k = 0; k < 1000; ++k)
//     if (atomicCAS(lock, 0, 1) == 0) break;  // After 1,000 attempts, it enters all the same.
//   ...
//   atomicExch(lock, 0);
//
// The result decides whether the thread has the lock. An attempt is open if some way leads from it
// to the write that releases the lock, past every test of the result whose other way does not lead
// there. What one run shows does not count: without contention the first attempt succeeds. A test
// may look at a copy of the result, at a constant that a test has chosen, or at a value in the
// block's memory that may be one of these.

/// By instruction: an attempt that is open, or another attempt to take the same lock.
std::vector<bool> open_attempts(const ptx::Function& function);
/// The first of them after which the thread may execute both instructions, neither of which
/// accesses the lock.
std::optional<std::uint32_t> open_attempt_before(const ptx::Function& function, std::uint32_t a,
                                                 std::uint32_t b);
/// Whether the thread may go on from `attempt` to one of `targets`, by instruction, whatever the
/// result is. A way ends at each of `ends`, by instruction.
bool goes_on(const ptx::Function& function, const Control& control, std::uint32_t attempt,
             const std::vector<bool>& targets, const std::vector<bool>& ends);

}  // namespace warpgrade::check

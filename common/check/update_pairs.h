// SPDX-License-Identifier: Apache-2.0
// Finds updates of a word in separate steps: pairs of a read and a write of a kernel in which the
// written value, or whether the thread writes at all, depends on the value that was read.
//
// Dependence is by registers (data) and by branches up to their post-dominators (control). A loop
// that waits for a value controls what follows it, too. A write that looks at nothing is also a
// step of an update if the thread keeps the value elsewhere, such as the head of a list as a link.
// A swap in a loop is one if it stores a value computed from an older word. Whether both steps
// access the same word is known only when they run (lost_updates.h).
//
// These pairs are right and left out: an atomic whose result is compared with the value; a minimum,
// maximum, bitwise and or bitwise or that a test of the word only guards, and an addition behind
// such a test if its result is compared; a compare-and-swap that may fail because another thread
// does the same (of a word whose target it stores, or after the success of another atomic). An
// exchange that takes a value is a read only if a store or an exchange without result puts another
// one back. It is left out if it leaves a mark, the same in all threads, for which the thread
// tests. Pairs of a plain load and a plain store are left out as well, because they race.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"

namespace warpgrade::check {

struct UpdatePair {
  /// The writes of other threads that may come between.
  enum class Rule : std::uint8_t {
    kAny,       ///< All that are unordered with the read or the write.
    kSameRead,  ///< The thread waits for a constant: those of threads with the same read.
    kTurn,      ///< The thread waits for a value of its own: writes that did come between.
  };
  std::uint32_t read = 0;
  std::uint32_t write = 0;
  Rule rule{};
  bool all_write = false;  ///< Each thread that reads the same value also writes.
  bool is_equal = false;   ///< All threads write the same value, and nothing else depends on it.
};

struct UpdatePairs {
  std::vector<UpdatePair> all;
  /// By instruction: a compare-and-swap that repairs no stale read, because it swaps a value that
  /// depends on a read and nothing compares its result.
  std::vector<bool> is_lost_swap;
  /// By instruction: an atomic that changes nothing, such as an addition of 0.
  std::vector<bool> only_reads;
};

UpdatePairs update_pairs(const ptx::Function& function);
/// Loads of one word, by instruction.
struct DecidingLoads {
  /// Its value decides whether something other than a write of its own word happens, or how the
  /// thread goes on to write another word. What the result of an atomic of the word decides after
  /// it does not count.
  std::vector<bool> decides;
  /// It decides whether a later atomic of the word happens.
  std::vector<bool> is_test;
};
DecidingLoads deciding_loads(const ptx::Function& function);
/// Whether both access the same address operand, and `write` depends on what `read` reads.
bool updates_in_place(const ptx::Function& function, std::uint32_t read, std::uint32_t write);
/// The operation that does both steps of an update in one.
base::UpdateAdvice::Step one_step(const ptx::Function& function, std::uint32_t read,
                                  std::uint32_t write);

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
// The order between blocks of a launch: knowledge that they release at places in global memory and
// acquire there.
//
// A release stores the clock of its block at the place (happens_before.h). A later acquire of the
// same place learns all clocks stored there, and everything that their blocks had learnt before.
// Other threads of the block know what a thread has acquired if they are ordered after it, in the
// end by a barrier of the block. What a thread releases includes what any thread of its block has
// acquired, which is sometimes too much.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/happens_before.h"

namespace warpgrade::check {

class BlockOrder {
 public:
  /// A thread of the running block, its stamp (happens_before.h), and the instruction that read.
  struct Reader {
    std::uint32_t thread = 0;
    std::uint32_t stamp = 0;
    std::uint32_t instruction = 0;
  };

  /// Starts a launch, or joins the blocks of the launch that `first` observes.
  void begin_launch() { shared_ = std::make_shared<Shared>(); }
  void begin_launch_beside(const BlockOrder& first) { shared_ = first.shared_; }
  void begin_block(std::uint32_t block);

  /// The running block releases `clock`, which may be empty: nothing.
  void release(std::uint64_t place, Clock clock);
  /// The number of releases at that place so far, for acquire().
  std::size_t releases(std::uint64_t place) const;
  /// `reader` acquires the first `count` releases at the place.
  void acquire(const Reader& reader, std::uint64_t place, std::size_t count);
  /// The same, for all threads of the running block.
  void acquire_for_all(std::uint64_t place, std::size_t count);
  /// `reader` has read them, and acquires them at its next fence or barrier.
  void wait_to_acquire(const Reader& reader, std::uint64_t place, std::size_t count);
  /// Such a fence or barrier of lanes `mask` of `warp`, at this stamp.
  void settle(std::uint32_t warp, std::uint32_t mask, std::uint32_t stamp);
  /// A barrier of the running block: all its threads know what each of them has acquired.
  void settle_all();
  /// Whether a thread of the running block knows that access of another block. is_ordered(reader)
  /// returns whether it is ordered after what the reader acquired.
  template <class IsOrdered>
  bool knows(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp,
             const IsOrdered& is_ordered) const {
    return find(block, thread, stamp, is_ordered) != nullptr;
  }
  /// A thread of the running block that knows it.
  std::optional<Reader> who_knows(std::uint32_t block, std::uint32_t thread,
                                  std::uint32_t stamp) const {
    const auto* const found = find(block, thread, stamp, [](const Reader&) { return true; });
    return found == nullptr ? std::nullopt : std::optional(found->reader);
  }

 private:
  using Counts = std::map<std::uint64_t, std::size_t>;  // by place
  /// The knowledge that one block released at one place, and what it had learnt by then.
  struct Record {
    std::uint32_t block = 0;
    std::shared_ptr<Clock> clock;
    std::shared_ptr<const Counts> learnt;
    bool is_learnt = false;  // Another block has it, and it must not change.
  };
  struct Shared {
    std::map<std::uint64_t, std::vector<Record>> records;  // by place
    std::size_t clocks = 0;                                // stamps in all records
    std::size_t acquired = 0;  // stamps of clocks that single threads have acquired
  };
  /// All that a thread has acquired about one block up to its stamp.
  struct Acquired {
    Reader reader;
    std::shared_ptr<Clock> clock;
  };
  using Readers = std::map<std::uint32_t, std::vector<Acquired>>;  // by thread, oldest first

  /// Calls learn(record) for each record that `learnt` lacks, and adds it.
  template <class Learn>
  void walk(Counts& learnt, std::uint64_t place, std::size_t count, const Learn& learn);
  template <class IsOrdered>
  const Acquired* find(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp,
                       const IsOrdered& is_ordered) const {
    static const Acquired kAll{};
    if (knows_all(block, thread, stamp)) return &kAll;
    const auto readers = acquired_.find(block);
    if (readers == acquired_.end()) return nullptr;
    for (const auto& [reader, all] : readers->second) {
      for (auto last = all.rbegin(); last != all.rend(); ++last) {
        if (stamp >= (*last->clock)[thread]) break;  // Earlier ones contain less.
        if (is_ordered(last->reader)) return &*last;
      }
    }
    return nullptr;
  }
  bool knows_all(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp) const;

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  // The running block's acquired knowledge: the number of records learnt per place, by all threads
  // and by some thread, and the clocks of all threads by block. Records share the second one until
  // it grows, since most atomics teach nothing new.
  std::uint32_t block_ = 0;
  Counts known_counts_;
  std::shared_ptr<Counts> learnt_ = std::make_shared<Counts>();
  std::unordered_map<std::uint32_t, std::shared_ptr<Clock>> known_;
  // Since the last barrier of the block: the counts by thread, and clocks by block.
  std::map<std::uint32_t, Counts> own_;
  std::map<std::uint32_t, Readers> acquired_;
  struct Pending {
    Reader reader;
    Counts counts;
  };
  std::map<std::uint32_t, Pending> pending_;  // by thread
};

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
// The order between blocks of a launch: knowledge that they release at places in global memory and
// acquire there.
//
// A release stores the clock of its block at the place (happens_before.h). A later acquire of the
// same place learns all clocks stored there, and everything that their blocks had learnt before.
// Knowledge that one thread acquires counts as known to all threads of its block.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/happens_before.h"

namespace warpgrade::check {

class BlockOrder {
 public:
  /// Starts a launch, or joins the blocks of the launch that `first` observes.
  void begin_launch() { shared_ = std::make_shared<Shared>(); }
  void begin_launch_beside(const BlockOrder& first) { shared_ = first.shared_; }
  void begin_block(std::uint32_t block);

  /// The running block releases `clock`, which may be empty: nothing.
  void release(std::uint64_t place, Clock clock);
  /// The number of releases at that place so far, for acquire().
  std::size_t releases(std::uint64_t place) const;
  /// The running block acquires the first `count` releases at the place.
  void acquire(std::uint64_t place, std::size_t count);
  /// Thread `thread` has read them, and acquires them at its next fence or barrier.
  void wait_to_acquire(std::uint32_t thread, std::uint64_t place, std::size_t count);
  /// Such a fence or barrier of lanes `mask` of `warp`.
  void settle(std::uint32_t warp, std::uint32_t mask);
  void settle_all();
  /// Whether the running block knows that access of another block.
  bool knows(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp) const;

 private:
  /// The knowledge that one block released at one place, and what it had learnt by then.
  struct Record {
    std::uint32_t block = 0;
    std::shared_ptr<Clock> clock;
    std::map<std::uint64_t, std::size_t> learnt;
    bool is_learnt = false;  // Another block has it, and it must not change.
  };
  struct Shared {
    std::map<std::uint64_t, std::vector<Record>> records;  // by place
    std::size_t clocks = 0;                                // stamps in all records
  };

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  // The running block's acquired knowledge: the number of records learnt per place, and their
  // clocks by block.
  std::uint32_t block_ = 0;
  std::map<std::uint64_t, std::size_t> learnt_;
  std::unordered_map<std::uint32_t, std::shared_ptr<Clock>> known_;
  std::map<std::uint32_t, std::map<std::uint64_t, std::size_t>> pending_;  // by thread
};

}  // namespace warpgrade::check

// SPDX-License-Identifier: Apache-2.0
// Finds reads of shared memory, and of elements of an output buffer, before any thread has written
// them.
//
// Writers are marked while blocks run, and early reads are stored. They are evaluated when
// findings are requested, because writes of other blocks, on any observer, are known only then.
//
// Ranges of written cells are split at groups. In a group without separate cells, a range needs a
// mask and one or two comparisons.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/check/finding.h"
#include "common/check/launch_view.h"

namespace warpgrade::check {

// Finds reads of shared memory that no thread of the block has written since the block began.
//
// Shadow: one word per 4 bytes of shared memory, with the number of the last block that wrote there
// and a bit for each of its bytes, so a new block needs no clearing. An access of a whole warp to
// consecutive words is one vectorised comparison loop. Other accesses are checked lane by lane,
// exactly for every byte.
//
// A load of a whole word with one or three written bytes is not a finding, because it is probably a
// struct with a char, copied with its padding. A word with one written half is a finding, because
// pairs of halves look the same.
//
// A read counts even if its value is not used. Only a repeated launch with other garbage shows
// whether it changes a result (see measure/undefined_values.h).

class SharedUninitialized final : public Checker<SharedUninitialized> {
 public:
  static constexpr Needs kNeeds = Needs::kSharedMemory;

  /// One per source line with a finding.
  std::vector<UndefinedRead> undefined_reads() const;

 private:
  friend Checker<SharedUninitialized>;
  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);

  void access_run(const run::MemoryEvent& event, std::uint64_t first_word, std::uint32_t words);
  bool all_written(const run::MemoryEvent& event) const;
  void access_lanes(const run::MemoryEvent& event);
  void report(const run::MemoryEvent& event, std::uint32_t lane, std::uint64_t offset);
  void merge(const SharedUninitialized& other);

  struct BytesRead {
    std::uint32_t instruction = 0;
    std::vector<bool> bytes;
  };

  std::map<std::uint32_t, BytesRead> undefined_;  // by line_number() of the reported instruction
  std::vector<std::uint32_t> shadow_;             // epoch_ | written bytes, by word
  std::uint32_t epoch_ = 0;  // number of the block within this observer, times 16
};

// The block that wrote each cell of a buffer.
//
// Most kernels never read their own output. Therefore writes first go to a list, until the writer
// of a cell is requested or the list becomes as long as the map would be; then the list is
// converted to a map. Kernels usually write rows, so 32 consecutive cells share one number, or two
// if one row ends in them and the next begins; other groups store each cell separately. A buffer
// written in rows costs 12 bytes per 32 cells.

/// The writer of a cell: kNobody, kSeveral, or the number given by the caller.
using Writer = std::uint32_t;
constexpr Writer kNobody = 0;
constexpr Writer kSeveral = 0xffffffffU;
constexpr Writer kMostWriters = 0xfffffffdU;  ///< Writers are numbers from 1 to this one.

class WriterMap {
 public:
  explicit WriterMap(std::uint64_t cells = 0);

  std::uint64_t cells() const { return cells_; }
  Writer writer(std::uint64_t cell) const {
    look_up_list();
    const Group& group = groups_[cell / kGroup];
    if (group.most == kSplit) return pages_[cell / kPage][cell % kPage];
    return (group.of_rest >> cell % kGroup & 1U) != 0 ? group.rest : group.most;
  }
  /// Whether some of the `count` cells from `first` on are unwritten.
  bool any_unwritten(std::uint64_t first, std::uint64_t count) const;
  /// Whether one of them is written.
  bool any_written(std::uint64_t first, std::uint64_t count) const;
  /// `writer` writes the `count` cells from `first` on.
  void write(std::uint64_t first, std::uint32_t count, Writer writer) {
    if (is_list_) {
      if (list_.size() < groups_of(cells_)) {
        list_.push_back({first, count, writer});
        return;
      }
      look_up_list();
    }
    write_in_map({first, count, writer});
  }
  /// Adds the writes of `other`, which has as many cells.
  void merge(const WriterMap& other);

 private:
  static constexpr std::uint64_t kGroup = 32;
  static constexpr std::uint64_t kPage = 8 * kGroup;
  static constexpr Writer kSplit = 0xfffffffeU;
  struct Group {
    Writer most = kNobody;  ///< kSplit: the group stores each cell separately.
    Writer rest = kNobody;
    std::uint32_t of_rest = 0;  ///< One bit per cell: it has `rest` and not `most`.
  };

  /// `writer` wrote `count` cells from `first` on.
  struct Write {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    Writer writer = kNobody;
  };

  static std::uint64_t groups_of(std::uint64_t cells) { return (cells + kGroup - 1) / kGroup; }
  /// Converts the list to an equivalent map, unless there is a map.
  void look_up_list() const {
    if (is_list_) make_map();
  }
  void make_map() const;
  void write_in_map(const Write& write) const;
  void write_in(std::uint64_t group, std::uint32_t cells, Writer writer) const;
  Writer* split(std::uint64_t group) const;

  std::uint64_t cells_ = 0;
  mutable bool is_list_ = true;
  mutable std::vector<Write> list_;  ///< Empty if there is a map.
  mutable std::vector<Group> groups_;
  mutable std::vector<std::unique_ptr<Writer[]>> pages_;  ///< Split groups' cells; made on demand.
};

// Finds reads of elements of an output buffer that the kernel has not written yet, and
// records which elements were written.
//
// Shadow: for each cell (an element, or 4 bytes of a longer one) of initially undefined
// buffers, the block that wrote it, or "several". If the kernel has loads through the
// read-only data cache, all writable buffers have a shadow, because ReadOnlyLoads needs
// the writers. Within a block the order of events decides: a read before the block's own
// first write is early. Between blocks it does not, because they run in any order and on
// several observers: an early read is valid if another block writes the cell at any time.
// Therefore early reads are stored and evaluated at the end, after all observers have been
// joined.
//
// Not modelled: a store to part of a cell counts as a store to all of it; whether another
// block's write really precedes the read; early reads beyond the first million.

class GlobalInit final : public Checker<GlobalInit> {
 public:
  static constexpr Needs kNeeds = Needs::kGlobalMemory;

  /// The early reads that no other block's write can justify.
  Findings findings() const;
  /// Reads of uninitialised global memory, one per source line.
  std::vector<UndefinedRead> undefined_reads() const;
  /// Whether any of `bytes` bytes at `offset` in that buffer was written; false for buffers without
  /// a shadow.
  bool is_written(std::uint32_t buffer, std::uint64_t offset, std::uint32_t bytes) const;
  /// One bit per byte of that undefined buffer, set if this launch or an earlier one of its
  /// sequence has written it.
  std::vector<bool> written(std::uint32_t buffer) const;

 private:
  friend Checker<GlobalInit>;
  /// The writers of one buffer's cells, if it has a shadow.
  struct Shadow {
    std::uint32_t cell_bytes = 4;
    WriterMap writers;
    bool is_touched = false;
  };
  /// `lanes` consecutive lanes of `warp`, from `lane` on, each read the next `cells` cells.
  struct EarlyRead {
    Moment moment;
    std::uint64_t first_cell = 0;
    std::uint64_t repeats = 1;
    std::uint32_t instruction = 0;
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t lanes = 1;
    std::uint32_t cells = 1;
    std::uint32_t buffer = 0;
  };

  void begin_launch(const run::LaunchContext& context);
  void memory(const run::MemoryEvent& event);
  void begin_launch_beside(const run::LaunchContext& context, GlobalInit& first);
  void merge(GlobalInit& other);
  void access(const run::MemoryEvent& event, std::uint32_t buffer, std::uint32_t lane,
              std::uint32_t lanes);
  void keep(const EarlyRead& read);
  template <typename Function>
  void for_each_undefined(const Function& function) const;

  bool any_shadow_ = false;
  // By buffer; one for all blocks of a cooperative launch.
  std::shared_ptr<std::vector<Shadow>> shadows_ = std::make_shared<std::vector<Shadow>>();
  std::vector<EarlyRead> early_reads_;
};

}  // namespace warpgrade::check

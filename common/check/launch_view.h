// SPDX-License-Identifier: Apache-2.0
// The place of a checker in its launch, and the base class of all checkers.
//
// A view names source lines, thread indices and arrays in memory. It also knows the lines that a
// thread may execute several times. Each checker keeps a view and its findings, is forked for a
// host thread, and is joined again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/finding.h"
#include "common/ptx/control_flow.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/observer.h"

namespace warpgrade::check {

/// Knows the loops and the barriers of one function, which must outlive it.
class RepeatedLines {
 public:
  explicit RepeatedLines(const ptx::Function& function);

  /// Whether the line of `instruction` is in a loop, or the compiler unrolled one: the line then
  /// has several stores.
  bool is_repeated(std::uint32_t instruction) const;

  /// The barriers of the whole block on the ways from one instruction to another.
  enum class Way : std::uint8_t {
    kNone,    ///< No way leads there.
    kBarred,  ///< Each way has a barrier.
    kFree,    ///< A way has none.
  };
  Way way(std::uint32_t from, std::uint32_t to) const;

 private:
  bool reaches(std::uint32_t from, std::uint32_t to, bool past_barriers) const;

  const ptx::Function& function_;
  std::vector<ptx::BasicBlock> blocks_;
};

/// A buffer of the launch, for checkers.
struct BufferView {
  std::string name;
  std::uint64_t address = 0;  ///< Device address of its first byte.
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 4;
  bool read_only = false;
  bool defined = true;
  std::shared_ptr<const std::vector<bool>> written = nullptr;  ///< See run::Buffer.

  /// Whether earlier launches have written all of `count` bytes from `first` on.
  bool is_written(std::uint64_t first, std::uint64_t count) const {
    if (written == nullptr) return false;
    const auto begin = written->begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(count, bytes - first));
    return std::find(begin, end, false) == end;
  }
};

/// A launch and the place in it: the current block and the number of the current event. Every
/// checker has one and passes each launch, block and event to it. It copies what it needs, so it
/// remains valid after the launch; its copies share the data.
class LaunchView {
 public:
  static constexpr std::uint32_t kNoBuffer = 0xffffffffU;

  void begin_launch(const run::LaunchContext& context);
  void begin_block(std::uint64_t linear_block) { moment_ = {linear_block, 0, 0}; }
  void count_event() { ++moment_.event; }
  /// `events` events of the block have occurred, including unreported ones.
  void skip_to(std::uint64_t events) { moment_.event = events; }

  bool has_launch() const { return facts_ != nullptr; }
  std::uint64_t block() const { return moment_.block; }
  /// The current event, or one lane's part of it.
  Moment moment(std::uint32_t lane = 0) const { return {moment_.block, moment_.event, lane}; }

  /// Whether the value of that load may become a result, because it reaches a store or decides
  /// about one, if `other` changes the word at the same time. Only during the launch.
  bool is_stored(std::uint32_t load, std::uint32_t other) const;
  /// Whether that load is a test before an atomic of its word. Only during the launch.
  bool is_test(std::uint32_t load) const;
  /// The advice for a race between two instructions that are the steps of an update of a word, or
  /// both its second step. Only during the launch.
  std::optional<base::RaceAdvice> update_advice(std::uint32_t before, std::uint32_t now) const;
  /// The advice for the update by instructions `read` and `write`.
  base::RaceAdvice advice_for(std::uint32_t read, std::uint32_t write) const;
  /// Whether a thread may execute that source line several times. Only during the
  /// launch.
  bool is_repeated(std::uint32_t instruction) const;
  /// The C++ type of the data that the instruction accesses: "unsigned".
  std::string_view type_text(std::uint32_t instruction) const {
    return facts_->places[instruction].type;
  }

  /// Blocks of a cluster, which count as one block (checks.h); 1 without clusters.
  std::uint32_t cluster_blocks() const { return facts_->cluster_blocks; }
  /// The rank in its cluster of the block that has this warp, or this byte of shared memory.
  std::uint32_t rank_of_warp(std::uint32_t warp) const {
    if (facts_->cluster_blocks == 1) return 0;
    return warp / (facts_->warps_per_block / facts_->cluster_blocks);
  }
  std::uint32_t rank_of_offset(std::uint64_t offset) const {
    if (facts_->cluster_blocks == 1) return 0;
    return static_cast<std::uint32_t>(offset / (facts_->shared_bytes / facts_->cluster_blocks));
  }

  std::uint32_t shared_bytes() const { return facts_->shared_bytes; }
  std::uint32_t warps_per_block() const { return facts_->warps_per_block; }
  std::uint32_t instructions() const { return static_cast<std::uint32_t>(facts_->places.size()); }
  const std::vector<BufferView>& buffers() const { return facts_->buffers; }
  /// Index of the buffer that contains `bytes` bytes at `address`; kNoBuffer if none does.
  std::uint32_t buffer_at(std::uint64_t address, std::uint64_t bytes) const {
    const auto& buffers = facts_->buffers;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
      const std::uint64_t offset = address - buffers[i].address;  // wraps if below the buffer
      if (offset < buffers[i].bytes && bytes <= buffers[i].bytes - offset) return i;
    }
    return kNoBuffer;
  }

  /// Index of the buffer that contains an entire access by all lanes; kNoBuffer without a stride or
  /// with several buffers.
  std::uint32_t buffer_of(const run::MemoryEvent& event) const {
    if (event.stride == run::kIrregular) return kNoBuffer;
    const auto first = event.address[0], last = event.address[run::kWarpSize - 1];
    const auto low = std::min(first, last);
    return buffer_at(low, std::max(first, last) - low + event.bytes);
  }

  /// Whether the kernel has loads through the read-only data cache, and whether this is one.
  bool has_read_only_loads() const { return facts_->has_read_only_loads; }
  bool is_read_only_load(std::uint32_t instruction) const {
    return facts_->places[instruction].is_read_only_load;
  }
  /// A number shared by instructions of the same file and line.
  std::uint32_t line_number(std::uint32_t instruction) const {
    return facts_->places[instruction].line_number;
  }
  const base::SourceLocation& location(std::uint32_t instruction) const {
    return facts_->locations[facts_->places[instruction].location];
  }
  /// The line of `instruction`, seen from the line of another one.
  base::LineRef line(std::uint32_t instruction, std::uint32_t seen_from) const;
  base::Dim3 thread(std::uint32_t warp, std::uint32_t lane) const;
  /// The block of warp `warp`, in block (or cluster) `linear`.
  base::Dim3 block_index(std::uint64_t linear, std::uint32_t warp) const;
  /// The place of a missing barrier between two instructions, the second of which was executed
  /// later. Only during the launch.
  base::Between between(std::uint32_t first, std::uint32_t second) const;
  /// Bytes of shared memory, seen from a thread of warp `warp`.
  base::Place shared_place(std::uint64_t offset, std::uint32_t bytes, std::uint32_t warp) const;

  /// Whether malloc() or new returns such an address.
  static bool is_in_heap(std::uint64_t address) {
    return address - run::kHeapBase < run::kHeapWindow;
  }
  /// Whether these bytes belong to a writable buffer, to a variable or to the heap.
  bool is_shared_by_threads(std::uint64_t address, std::uint32_t bytes) const;
  /// Bytes of a buffer or of a variable of the module.
  base::Place global_place(std::uint64_t address, std::uint32_t bytes) const;

  /// A diagnostic at `instruction` by that thread of block `block`.
  base::Diagnostic diagnostic(base::DiagnosticKind kind, std::uint32_t instruction,
                              std::uint64_t block, std::uint32_t warp, std::uint32_t lane,
                              base::Facts facts) const;
  /// The place of another access in a diagnostic.
  base::RelatedPlace related(std::uint32_t instruction, std::uint64_t block, std::uint32_t warp,
                             std::uint32_t lane, base::Does does) const;

 private:
  struct Place {
    std::uint32_t location = 0;  // index into locations
    std::uint32_t ptx_line = 0;
    std::uint32_t line_number = 0;
    bool is_read_only_load = false;
    std::string_view type;
  };
  struct Facts {
    base::Dim3 grid, block, cluster;
    std::uint32_t cluster_blocks = 1;
    std::uint32_t shared_bytes = 0;
    std::uint32_t warps_per_block = 0;
    bool has_read_only_loads = false;
    std::vector<Place> places;  // by instruction
    std::vector<base::SourceLocation> locations;
    std::vector<run::SharedVariable> shared_variables;
    std::vector<run::GlobalVariable> global_variables;  // by address
    std::vector<BufferView> buffers;
    const ptx::Function* function = nullptr;  // during the launch
  };

  const run::GlobalVariable* variable_at(std::uint64_t address) const;
  void find_load_uses() const;
  const RepeatedLines& repeated_lines() const;

  std::shared_ptr<const Facts> facts_;
  // All are made on demand, and only for the launch.
  mutable std::vector<bool> stored_loads_;    // by instruction
  mutable std::vector<bool> repeated_loads_;  // the same, if minima or maxima repair old values
  mutable std::vector<bool> tests_;           // before an atomic of their word
  mutable std::shared_ptr<const RepeatedLines> repeated_lines_;
  Moment moment_;
};

/// `bytes` bytes of `buffer`, starting at byte `offset`.
base::Place buffer_place(const BufferView& buffer, std::uint64_t offset, std::uint32_t bytes);

/// "reads", "writes" or "atomically updates".
base::Does does(run::Operation operation);

// Base class of the checkers of a launch. Each one keeps its place in the launch (launch_view.h)
// and its findings, is forked for a host thread, and is joined again.
//
// A checker derives from Checker<itself> and defines functions for the events that concern it:
// begin_launch(context), begin_block(), memory(event), barrier(event), order(event), copy(event),
// bulk(event), grid(event), end_block(), and merge(other), which adds what a fork has seen. When
// they are called, the place in the launch is up to date and findings_ belong to this launch.
// `kNeeds` selects its events. The functions are resolved at compile time, so an event needs no
// virtual call if the caller knows the checker's type.

/// The events that a checker needs if the kernel orders its threads only by barriers of the whole
/// block or a warp. For other kernels every checker receives all events.
enum class Needs : std::uint8_t {
  kNothing,
  kSharedMemory,  ///< Shared memory and barriers, unless a block repeats one without findings.
  kGlobalMemory,
  kGlobalWrites,
  kEverything,
};

template <class Derived>
class Checker : public run::Observer {
 public:
  static constexpr Needs kNeeds = Needs::kEverything;
  /// Whether it runs only on request, because it is expensive.
  static constexpr bool kIsOnDemand = false;

  std::unique_ptr<run::Observer> fork() const final { return std::make_unique<Derived>(); }
  void join(run::Observer& other) final { derived().merge(static_cast<Derived&>(other)); }
  void on_launch(const run::LaunchContext& context) final {
    view_.begin_launch(context);
    findings_.clear();
    derived().begin_launch(context);
  }
  void on_launch_beside(const run::LaunchContext& context, run::Observer& first) final {
    auto& same = static_cast<Derived&>(first);
    view_ = same.view_;
    findings_.clear();
    derived().begin_launch_beside(context, same);
  }
  void on_block_begin(std::uint64_t linear_block) final {
    view_.begin_block(linear_block);
    derived().begin_block();
  }
  void on_memory(const run::MemoryEvent& event) final {
    view_.count_event();
    derived().memory(event);
  }
  void on_barrier(const run::BarrierEvent& event) final {
    view_.count_event();
    derived().barrier(event);
  }
  void on_order(const run::OrderEvent& event) final {
    view_.count_event();
    derived().order(event);
  }
  void on_copy(const run::CopyEvent& event) final {
    view_.count_event();
    derived().copy(event);
  }
  void on_bulk(const run::BulkEvent& event) final {
    view_.count_event();
    derived().bulk(event);
  }
  void on_grid(const run::GridEvent& event) final {
    view_.count_event();
    derived().grid(event);
  }
  void on_block_end() final { derived().end_block(); }

  /// `events` events of the block have occurred; this checker need not know all of them.
  void skip_to(std::uint64_t events) { view_.skip_to(events); }
  /// The findings of the last launch.
  const Findings& findings() const { return findings_; }
  /// Whether no finding exists, and accesses of other blocks cannot cause one.
  bool is_clean() const { return findings_.all().empty(); }

 protected:
  void begin_launch(const run::LaunchContext& /*context*/) {}
  /// A launch begins for a fork that observes one block of a cooperative launch, as `first` does.
  void begin_launch_beside(const run::LaunchContext& context, Derived& /*first*/) {
    derived().begin_launch(context);
  }
  void begin_block() {}
  void memory(const run::MemoryEvent& /*event*/) {}
  void barrier(const run::BarrierEvent& /*event*/) {}
  void order(const run::OrderEvent& /*event*/) {}
  void copy(const run::CopyEvent& /*event*/) {}
  void bulk(const run::BulkEvent& /*event*/) {}
  void grid(const run::GridEvent& /*event*/) {}
  void end_block() {}
  void merge(const Derived& other) { findings_.merge(other.findings_); }

  LaunchView view_;
  Findings findings_;

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
};

}  // namespace warpgrade::check

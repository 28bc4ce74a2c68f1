// SPDX-License-Identifier: Apache-2.0
// All checks of a launch as one observer, which passes each event to the checkers that need it.
//
// Events are counted, and the number is passed to every checker, so that their moments are
// comparable. In a launch with clusters the blocks of one cluster run in turns, each with an
// observer of its own. All pass on their events to the one of rank 0, as those of one large
// block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/global_race.h"
#include "common/check/read_only_data.h"
#include "common/check/running_copies.h"
#include "common/check/shared_race.h"
#include "common/check/shared_trace.h"
#include "common/check/uninitialized_reads.h"
#include "common/run/observer.h"

namespace warpgrade::check {

// The events of a thread block cluster as those of one large block, for checkers.
//
// The checkers know the threads and the shared memory of one block. The blocks of a cluster share
// their memory and can order each other, so the checkers see the cluster as a block with the warps
// of all its blocks: warp w of rank r is warp r * W + w, and byte b of its shared memory is byte r
// * S + b. A barrier of one block is a barrier of a part of that block, and a barrier of the
// cluster is a barrier of all of it.
//
// Not modelled: scopes narrower than the cluster between its blocks.

class ClusterEvents {
 public:
  explicit ClusterEvents(const run::LaunchContext& context);

  /// The launch with the cluster as a block.
  const run::LaunchContext& context() const { return context_; }
  /// Bytes of shared memory of one block.
  std::uint32_t stride() const { return stride_; }

  /// A block of the cluster begins. Returns true for the first one.
  bool begin() { return running_++ == 0; }
  /// A block has ended. Returns true for the last one.
  bool end() { return --running_ == 0; }

  /// The results are valid until the next event.
  const run::MemoryEvent& memory(const run::MemoryEvent& event, std::uint32_t rank);
  /// nullopt for the repetition of a barrier of the cluster, which each of its blocks reports.
  std::optional<run::BarrierEvent> barrier(const run::BarrierEvent& event, std::uint32_t rank);
  run::OrderEvent order(const run::OrderEvent& event, std::uint32_t rank);
  run::CopyEvent copy(const run::CopyEvent& event, std::uint32_t rank);
  run::BulkEvent bulk(const run::BulkEvent& event, std::uint32_t rank) const;

 private:
  std::uint64_t place(std::uint64_t offset, std::uint32_t rank) const;
  std::uint64_t object(std::uint64_t number, std::uint32_t rank) const;
  const std::uint64_t* objects(const std::uint64_t* numbers, std::uint32_t mask,
                               std::uint32_t rank);

  run::LaunchContext context_;
  std::uint32_t warps_ = 0;   // of one block
  std::uint32_t stride_ = 0;  // from one block's shared memory to the next one's
  std::uint32_t running_ = 0;
  std::uint64_t phases_ = 0;  // barriers of the cluster
  run::MemoryEvent event_;
  std::uint64_t addresses_[run::kWarpSize] = {};
  std::vector<std::uint32_t> members_;
};

class Checks final : public run::Observer {
 public:
  /// The only list of checkers. A new checker needs no other line here.
  using Checkers = std::tuple<SharedUninitialized, SharedRace, GlobalInit, InputModified,
                              RunningCopies, BulkCopies, GlobalRace, ReadOnlyLoads>;

  /// Limit on undefined reads per launch, and on other findings; the last one of either kind
  /// reports the number of omitted ones.
  static constexpr std::size_t kMostDiagnostics = 16;

  /// `global_races` also finds races in global memory, which is expensive and requires one host
  /// thread (global_race.h).
  explicit Checks(bool global_races = false);

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_launch_beside(const run::LaunchContext& context, run::Observer& first) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_barrier(const run::BarrierEvent& event) override;
  void on_order(const run::OrderEvent& event) override;
  void on_copy(const run::CopyEvent& event) override;
  void on_bulk(const run::BulkEvent& event) override;
  void on_grid(const run::GridEvent& event) override;
  void on_block_end() override;

  /// The findings of the last launch, one per kind and pair of source lines: lowest linear block
  /// first, then in the order of that block's events, for any number of threads.
  std::vector<base::Diagnostic> diagnostics() const;
  /// Reads of uninitialised memory, one per source line and kind of memory.
  std::vector<UndefinedRead> undefined_reads() const;
  /// The defined bytes of a buffer, as run::Buffer::written for the next launch of the sequence.
  /// Only for a buffer that was undefined at the last launch.
  std::vector<bool> written(std::uint32_t buffer) const {
    return std::get<GlobalInit>(checkers_).written(buffer);
  }

 private:
  /// An observer of the blocks of one rank in their clusters passes on their events to the observer
  /// of rank 0, which has the checkers.
  struct Rank {
    std::shared_ptr<ClusterEvents> cluster;
    Checks* first = nullptr;
    std::uint32_t number = 0;
  };

  template <typename Self, typename Function>
  static void for_each(Self& self, const Function& function);
  void begin_launch(const run::LaunchContext& context);
  void receive(const run::OrderEvent& event);
  void receive(const run::CopyEvent& event);
  void receive(const run::BulkEvent& event);
  void receive_begin(std::uint64_t linear_block);
  void receive_end();
  template <typename Function>
  void tell_all(const Function& function);
  template <typename Event>
  void pass_on(const Event& event);
  template <typename Event>
  void on_shared(const Event& event);
  template <typename Event>
  void check_shared(const Event& event, std::uint64_t moment);

  Checkers checkers_;
  SharedTrace trace_;
  std::unique_ptr<Rank> rank_;     ///< In a launch with clusters; else nullptr.
  std::uint64_t events_ = 0;       ///< Events of the block so far.
  bool has_order_of_own_ = false;  ///< Something besides whole-block barriers orders threads.
  bool with_on_demand_ = false;    ///< Expensive checkers run, too.
};

}  // namespace warpgrade::check

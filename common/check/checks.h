// SPDX-License-Identifier: Apache-2.0
// All checks of a launch as one observer: pass it to the simulator, then call diagnostics().
//
// Each checker (checker.h) is an observer that also works alone. This one has them in one list,
// passes each event to the checkers that need it, and sorts their findings. A block that repeats
// the shared memory accesses of an earlier block without findings is not checked again
// (shared_trace.h), unless the kernel orders threads by fences, flags or partial barriers; then the
// checkers receive every event. The simulator itself finds out-of-bounds and misaligned accesses,
// divergent barriers, deadlocks, runaways and traps.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/bulk_copies.h"
#include "common/check/cluster_events.h"
#include "common/check/global_init.h"
#include "common/check/global_race.h"
#include "common/check/input_modified.h"
#include "common/check/read_only_loads.h"
#include "common/check/running_copies.h"
#include "common/check/shared_race.h"
#include "common/check/shared_trace.h"
#include "common/check/shared_uninitialized.h"
#include "common/run/observer.h"

namespace warpgrade::check {

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

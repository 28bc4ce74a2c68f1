// SPDX-License-Identifier: Apache-2.0
// All checks of a launch as one observer: give it to the simulator, then ask for diagnostics().
//
// Each checker (checker.h) is an observer of its own and can be used alone; this one passes every
// event on to those that it concerns and puts what they found in order. Blocks that use shared
// memory as one before them did, in which nothing was wrong, are not checked again
// (shared_trace.h), unless the kernel makes an order of its own, by fences, flags or barriers of
// some threads: then every checker is told of everything. Out of bounds, misaligned, divergent
// barriers, deadlocks, runaways and traps are found by the simulator itself.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/bulk_copies.h"
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
  /// Most reads of nothing that one launch is told of, and most other findings; the last one of
  /// either tells how many more there are.
  static constexpr std::size_t kMostDiagnostics = 16;

  /// `global_races`: those too, which costs much and asks for one host thread (global_race.h).
  explicit Checks(bool global_races = false);

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_barrier(const run::BarrierEvent& event) override;
  void on_order(const run::OrderEvent& event) override;
  void on_copy(const run::CopyEvent& event) override;
  void on_bulk(const run::BulkEvent& event) override;
  void on_block_end() override;

  /// The findings of the last launch, one for each kind and pair of source lines: lowest linear
  /// block first, then in the order of that block's events, whatever the number of threads.
  std::vector<base::Diagnostic> diagnostics() const;
  /// Reads of memory that nobody has written, one a source line and kind of memory.
  std::vector<UndefinedRead> undefined_reads() const;
  /// The bytes of a buffer that are defined now. The next launch of the sequence takes them as its
  /// run::Buffer::written. Only for a buffer that the last launch found undefined.
  std::vector<bool> written(std::uint32_t buffer) const { return global_init_.written(buffer); }

 private:
  /// The one list of the checkers that are always there.
  template <typename Self>
  static auto checkers(Self& self) {
    return std::tie(self.shared_uninitialized_, self.shared_race_, self.global_init_,
                    self.input_modified_, self.running_copies_, self.bulk_copies_);
  }
  template <typename Self, typename Function>
  static void for_each(Self& self, const Function& function);
  template <typename Function>
  void tell_all(const Function& function);
  template <typename Event>
  void on_shared(const Event& event);
  template <typename Event>
  void check_shared(const Event& event, std::uint64_t moment);

  SharedUninitialized shared_uninitialized_;
  SharedRace shared_race_;
  GlobalInit global_init_;
  InputModified input_modified_;
  RunningCopies running_copies_;
  BulkCopies bulk_copies_;
  ReadOnlyLoads read_only_loads_;  ///< Judged by what global_init_ knows in the end.
  SharedTrace trace_;
  std::uint64_t events_ = 0;       ///< Events of the block so far.
  bool has_order_of_own_ = false;  ///< Threads hand things on otherwise than by whole barriers.
  std::unique_ptr<GlobalRace> global_race_;  // Only if it was asked for; it is told of every event.
};

}  // namespace warpgrade::check

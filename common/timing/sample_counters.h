// SPDX-License-Identifier: Apache-2.0
// Counters of some blocks of a launch, whether or not others are executed.
//
// The time model estimates the traffic of a launch from these blocks. A launch that is executed
// whole gets the same estimate as a sample of it: counters of all its blocks would show how often
// its bytes are used, but not how soon they are reused.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::timing {

class SampleCounters final : public run::Observer {
 public:
  /// Counts the blocks in `ranges` (ascending and disjoint).
  SampleCounters(const device::Profile& profile, std::vector<run::BlockRange> ranges,
                 memory::MachineAccesses machine = {});

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_launch_beside(const run::LaunchContext& context, run::Observer& first) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_bulk(const run::BulkEvent& event) override;

  const memory::Counters& counters() const { return counters_; }
  /// Number of blocks in the ranges.
  std::uint64_t blocks() const;

 private:
  std::vector<run::BlockRange> ranges_;
  memory::Counters counters_;
  bool is_counted_ = false;  ///< The current block is.
};

}  // namespace warpgrade::timing

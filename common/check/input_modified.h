// SPDX-License-Identifier: Apache-2.0
// Finds stores and atomics to buffers that are inputs: a kernel must leave those as they are.
#pragma once

#include <cstdint>
#include <memory>

#include "common/check/finding.h"
#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {

class InputModified final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_barrier(const run::BarrierEvent& event) override;
  /// `events` events of the block have been, of which this checker need not know all.
  void skip_to(std::uint64_t events) { view_.skip_to(events); }
  void on_order(const run::OrderEvent& event) override;

  const Findings& findings() const { return findings_; }

 private:
  void report(const run::MemoryEvent& event, std::uint32_t lane, const BufferView& buffer);

  LaunchView view_;
  Findings findings_;
};

}  // namespace warpgrade::check

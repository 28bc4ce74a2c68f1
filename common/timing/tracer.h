// SPDX-License-Identifier: Apache-2.0
// Records the blocks of a sample for the simulation of time.
//
// The passes of a loop that machine code has unrolled form one stretch: all their loads are in
// flight together.
//
// Input: the instructions of each warp and their memory accesses, in PTX order. Output: a Trace.
// The traffic of a request follows the profile's memory rules, like Counters. Loads of sectors that
// the block loaded before hit its L1, if the profile has one for global loads. Local memory of PTX
// always hits L1; spills.h handles spilled registers.
#pragma once

#include <memory>
#include <span>

#include "common/device/profile.h"
#include "common/memory/bulk_requests.h"
#include "common/run/observer.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

class Tracer final : public run::Observer {
 public:
  /// All must outlive the tracer and its forks. `machine_code` is a cubin, or empty.
  Tracer(const device::Profile& profile, const Sample& sample,
         std::span<const char> machine_code = {});
  ~Tracer() override;

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  /// Prepares for the launch only if the block is one of the sample.
  void on_launch_beside(const run::LaunchContext& context, run::Observer& /*first*/) override {
    deferred_ = &context;
  }
  void on_block_begin(std::uint64_t linear_block) override;
  bool wants_instructions() const override;
  std::uint64_t on_instruction(std::uint32_t warp, std::uint32_t instruction) override;
  void on_match(std::uint32_t warp, std::uint32_t instruction, std::uint32_t values) override;
  void on_sleep(std::uint32_t warp, std::uint32_t instruction, std::uint32_t nanoseconds) override;
  void on_memory(const run::MemoryEvent& event) override {
    if (!event.is_bulk) add(event);
  }
  void on_barrier(const run::BarrierEvent& event) override;
  void on_order(const run::OrderEvent& event) override;
  void on_copy(const run::CopyEvent& event) override;
  /// Adds a bulk copy as requests of its warp. The copy engine works beside the load and store
  /// units and keeps no warp busy. If those units are the bottleneck, the modelled time is too
  /// long.
  void on_bulk(const run::BulkEvent& event) override;
  void on_block_end() override;

  const Trace& trace() const;

 private:
  void add(const run::MemoryEvent& event, TracedAccess::Copy copy = TracedAccess::Copy::kNone);

  struct State;
  std::unique_ptr<State> state_;
  const run::LaunchContext* deferred_ = nullptr;
};

}  // namespace warpgrade::timing

// SPDX-License-Identifier: Apache-2.0
// Base class of the checkers of a launch. Each one keeps its place in the launch (launch_view.h)
// and its findings, is forked for a host thread, and is joined again.
//
// A checker derives from Checker<itself> and defines functions for the events that concern it:
// begin_launch(context), begin_block(), memory(event), barrier(event), order(event), copy(event),
// bulk(event), grid(event), end_block(), and merge(other), which adds what a fork has seen. When
// they are called, the place in the launch is up to date and findings_ belong to this launch.
// `kNeeds` selects its events. The functions are resolved at compile time, so an event needs no
// virtual call if the caller knows the checker's type.
#pragma once

#include <cstdint>
#include <memory>

#include "common/check/finding.h"
#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {

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

// SPDX-License-Identifier: Apache-2.0
#include "common/check/checks.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/check/shared_trace.h"
#include "common/check/uninitialized_reads.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::check {
namespace {

constexpr std::uint32_t kAligned = 16;  // bytes: no access of a lane is wider
// Numbers of objects that are not addresses: sixteen named barriers, then the cluster's.
constexpr std::uint64_t kBarriersOfABlock = 16;
constexpr std::uint64_t kNumbersOfABlock = 32;

constexpr std::uint64_t kMostShared = std::uint64_t{1} << 32;  // above all ranks' addresses

// The rank in an address of run::Space::kCluster; nullopt: an offset in the block's own memory.
std::optional<std::uint32_t> rank_in(std::uint64_t address) {
  if (address < run::kClusterStride) return std::nullopt;
  return static_cast<std::uint32_t>(address / run::kClusterStride - 1);
}

}  // namespace

ClusterEvents::ClusterEvents(const run::LaunchContext& context)
    : context_(context), warps_(context.warps_per_block) {
  const auto blocks = static_cast<std::uint32_t>(base::volume(context.cluster));
  stride_ = (context.shared_bytes + kAligned - 1) / kAligned * kAligned;
  context_.shared_bytes = stride_ * blocks;
  context_.warps_per_block = warps_ * blocks;
}

std::uint64_t ClusterEvents::place(std::uint64_t offset, std::uint32_t rank) const {
  return std::uint64_t{rank_in(offset).value_or(rank)} * stride_ + offset % run::kClusterStride;
}

const run::MemoryEvent& ClusterEvents::memory(const run::MemoryEvent& event, std::uint32_t rank) {
  event_ = event;
  event_.warp += rank * warps_;
  const bool is_remote = event.space == run::Space::kCluster;
  if (!is_remote && event.space != run::Space::kShared) return event_;
  event_.space = run::Space::kShared;
  event_.address = addresses_;
  for (auto rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    addresses_[lane] = place(event.address[lane], rank);
  }
  const auto distance = static_cast<std::int64_t>(addresses_[run::kWarpSize - 1] - addresses_[0]);
  if (event.stride != run::kIrregular && distance != event.stride * (run::kWarpSize - 1)) {
    event_.stride = run::kIrregular;
  }
  return event_;
}

std::optional<run::BarrierEvent> ClusterEvents::barrier(const run::BarrierEvent& event,
                                                        std::uint32_t rank) {
  using Scope = run::BarrierEvent::Scope;
  auto out = event;
  out.warp += rank * warps_;
  switch (event.scope) {
    case Scope::kCluster:
      if (event.phase == phases_) return std::nullopt;
      phases_ = event.phase;
      out.scope = Scope::kBlock;
      break;
    case Scope::kBlock:
    case Scope::kPart:
      members_.assign(context_.warps_per_block, 0);
      for (std::uint32_t w = 0; w < warps_; ++w) {
        members_[rank * warps_ + w] =
            event.scope == Scope::kBlock ? run::kFullMask : event.members[w];
      }
      out.scope = Scope::kPart;
      out.members = members_.data();
      break;
    case Scope::kWarp:
      break;
  }
  return out;
}

std::uint64_t ClusterEvents::object(std::uint64_t number, std::uint32_t rank) const {
  if (number >= run::kNamedBarriers) {
    const bool is_of_block = number < run::kNamedBarriers + kBarriersOfABlock;
    return is_of_block ? number + kNumbersOfABlock * (rank + std::uint64_t{1}) : number;
  }
  // Addresses of global memory are far above those of shared memory.
  return number < kMostShared ? place(number, rank) : number;
}

const std::uint64_t* ClusterEvents::objects(const std::uint64_t* numbers, std::uint32_t mask,
                                            std::uint32_t rank) {
  if (numbers == nullptr) return nullptr;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    addresses_[lane] = object(numbers[lane], rank);
  }
  return addresses_;
}

run::OrderEvent ClusterEvents::order(const run::OrderEvent& event, std::uint32_t rank) {
  auto out = event;
  out.warp += rank * warps_;
  out.object = objects(event.object, event.mask, rank);
  return out;
}

run::CopyEvent ClusterEvents::copy(const run::CopyEvent& event, std::uint32_t rank) {
  auto out = event;
  out.warp += rank * warps_;
  out.object = objects(event.object, event.mask, rank);
  return out;
}

run::BulkEvent ClusterEvents::bulk(const run::BulkEvent& event, std::uint32_t rank) const {
  auto out = event;
  out.warp += rank * warps_;
  out.shared = place(event.shared, rank);
  out.object = object(event.object, rank);
  return out;
}

namespace {

// Whether anything except barriers of the whole block or a warp can order threads of the kernel. If
// so, a correct block does not imply that another one with the same accesses is correct.
bool makes_order(const ptx::Function* function) {
  using ptx::MemoryRole;
  using ptx::Modifier;
  if (function == nullptr) return false;
  const auto makes = [](const ptx::Instruction& in) {
    const auto has = [&](Modifier modifier) { return in.modifiers.has(modifier); };
    switch (ptx::facts(in).memory) {
      case MemoryRole::kFence:
      case MemoryRole::kArrival:
      case MemoryRole::kClusterBarrier:
      case MemoryRole::kCopy:
      case MemoryRole::kBulkCopy:
      case MemoryRole::kCopyGroup:
      case MemoryRole::kBarrierObject:
        return true;
      case MemoryRole::kBarrier:
        return in.operands.size() > 1;
      case MemoryRole::kLoad:
      case MemoryRole::kStore:
      case MemoryRole::kAtomic:
      case MemoryRole::kReduction:
        return has(Modifier::relaxed) || has(Modifier::acquire) || has(Modifier::release) ||
               has(Modifier::acq_rel);
      case MemoryRole::kNoMemory:
      case MemoryRole::kHint:
      case MemoryRole::kWarpBarrier:
        return false;
    }
    return false;
  };
  return std::any_of(function->instructions.begin(), function->instructions.end(), makes);
}

bool is_needed(Needs needs, const run::MemoryEvent& event) {
  switch (needs) {
    case Needs::kNothing:
    case Needs::kSharedMemory:  // See on_shared().
      return false;
    case Needs::kGlobalMemory:
      return event.space == run::Space::kGlobal;
    case Needs::kGlobalWrites:
      return event.space == run::Space::kGlobal && event.operation != run::Operation::kLoad;
    case Needs::kEverything:
      break;
  }
  return true;
}

bool is_needed(Needs needs, const run::BarrierEvent& /*event*/) {
  return needs == Needs::kEverything;
}

bool is_on_chip(const run::MemoryEvent& event) { return event.space == run::Space::kShared; }
bool is_on_chip(const run::BarrierEvent& /*event*/) { return true; }

template <typename Checker>
void tell_checker(Checker& checker, const run::MemoryEvent& event) {
  checker.on_memory(event);
}
template <typename Checker>
void tell_checker(Checker& checker, const run::BarrierEvent& event) {
  checker.on_barrier(event);
}

}  // namespace

Checks::Checks(bool global_races) : with_on_demand_(global_races) {}

template <typename Self, typename Function>
void Checks::for_each(Self& self, const Function& function) {
  const auto visit = [&](auto& checker) {
    using Checker = std::remove_cvref_t<decltype(checker)>;
    if (self.with_on_demand_ || !Checker::kIsOnDemand) function(checker);
  };
  std::apply([&](auto&... checker) { (visit(checker), ...); }, self.checkers_);
}

// Passes on an event that every checker counts.
template <typename Function>
void Checks::tell_all(const Function& function) {
  for_each(*this, [&](auto& checker) {
    checker.skip_to(events_ - 1);
    function(checker);
  });
}

std::unique_ptr<run::Observer> Checks::fork() const {
  return std::make_unique<Checks>(with_on_demand_);
}

void Checks::join(run::Observer& observer) {
  auto& other = static_cast<Checks&>(observer);
  if (other.rank_ != nullptr && other.rank_->number != 0) return;
  for_each(*this, [&](auto& mine) {
    mine.join(std::get<std::remove_cvref_t<decltype(mine)>>(other.checkers_));
  });
}

void Checks::on_launch(const run::LaunchContext& launch) {
  rank_ = nullptr;
  if (launch.has_clusters) {
    rank_ = std::make_unique<Rank>(Rank{std::make_shared<ClusterEvents>(launch), this, 0});
  }
  const auto& context = rank_ == nullptr ? launch : rank_->cluster->context();
  for_each(*this, [&](auto& checker) { checker.on_launch(context); });
  begin_launch(context);
}

void Checks::on_launch_beside(const run::LaunchContext& context, run::Observer& first) {
  auto& other = static_cast<Checks&>(first);
  if (context.has_clusters) {
    rank_ = std::make_unique<Rank>(Rank{other.rank_->cluster, &other, context.rank});
    return;
  }
  for_each(*this, [&](auto& mine) {
    mine.on_launch_beside(context, std::get<std::remove_cvref_t<decltype(mine)>>(other.checkers_));
  });
  begin_launch(context);
}

void Checks::begin_launch(const run::LaunchContext& context) {
  has_order_of_own_ = context.has_clusters || makes_order(context.function);
  const bool has_trace = context.shared_bytes != 0 && !has_order_of_own_;
  trace_ = SharedTrace(has_trace ? context.warps_per_block : 0);
}

void Checks::on_block_begin(std::uint64_t linear_block) {
  if (rank_ == nullptr) return receive_begin(linear_block);
  if (rank_->cluster->begin()) rank_->first->receive_begin(linear_block);
}

void Checks::receive_begin(std::uint64_t linear_block) {
  for_each(*this, [&](auto& checker) { checker.on_block_begin(linear_block); });
  trace_.begin_block();
  events_ = 0;
}

void Checks::on_memory(const run::MemoryEvent& event) {
  // In the source, the other lanes do not load.
  if (event.operation == run::Operation::kLoad && (event.mask & ~event.used) != 0) {
    if ((event.mask & event.used) == 0) return;
    auto used = event;
    used.mask &= event.used;
    used.used = run::kFullMask;
    used.stride = run::kIrregular;
    return on_memory(used);
  }
  if (rank_ == nullptr) return pass_on(event);
  rank_->first->pass_on(rank_->cluster->memory(event, rank_->number));
}

void Checks::on_barrier(const run::BarrierEvent& event) {
  if (rank_ == nullptr) return pass_on(event);
  const auto of_cluster = rank_->cluster->barrier(event, rank_->number);
  if (of_cluster) rank_->first->pass_on(*of_cluster);
}

// Passes an event to each checker that needs it.
template <typename Event>
void Checks::pass_on(const Event& event) {
  ++events_;
  if (has_order_of_own_) {
    tell_all([&](auto& checker) { tell_checker(checker, event); });
    return;
  }
  for_each(*this, [&](auto& checker) {
    if (!is_needed(std::remove_cvref_t<decltype(checker)>::kNeeds, event)) return;
    checker.skip_to(events_ - 1);
    tell_checker(checker, event);
  });
  if (is_on_chip(event)) on_shared(event);
}

void Checks::on_order(const run::OrderEvent& event) {
  if (rank_ == nullptr) return receive(event);
  rank_->first->receive(rank_->cluster->order(event, rank_->number));
}

void Checks::receive(const run::OrderEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_order(event); });
}

void Checks::on_copy(const run::CopyEvent& event) {
  if (rank_ == nullptr) return receive(event);
  rank_->first->receive(rank_->cluster->copy(event, rank_->number));
}

// Checkers of shared memory get the bytes that a wait completes as a store: accesses of other
// threads must be ordered after the wait.
void Checks::receive(const run::CopyEvent& event) {
  ++events_;
  const auto on_store = [&](const run::MemoryEvent& store) { check_shared(store, events_); };
  tell_all([&](auto& checker) {
    if constexpr (requires { checker.complete(event, on_store); }) {
      checker.complete(event, on_store);
    } else {
      checker.on_copy(event);
    }
  });
}

void Checks::on_bulk(const run::BulkEvent& event) {
  if (rank_ == nullptr) return receive(event);
  rank_->first->receive(rank_->cluster->bulk(event, rank_->number));
}

void Checks::receive(const run::BulkEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_bulk(event); });
}

void Checks::on_grid(const run::GridEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_grid(event); });
}

void Checks::on_block_end() {
  if (rank_ == nullptr) return receive_end();
  auto& first = *rank_->first;
  for_each(first, [&](auto& checker) {
    if constexpr (requires { checker.end_rank(0U); }) {
      checker.skip_to(first.events_);
      checker.end_rank(rank_->number);
    }
  });
  if (rank_->cluster->end()) first.receive_end();
}

void Checks::receive_end() {
  bool is_clean = true;
  for_each(*this, [&](auto& checker) {
    checker.on_block_end();
    if constexpr (std::remove_cvref_t<decltype(checker)>::kNeeds == Needs::kSharedMemory) {
      is_clean = is_clean && checker.is_clean();
    }
  });
  trace_.end_block(is_clean);
}

// Receives an access to shared memory or a barrier.
template <typename Event>
void Checks::on_shared(const Event& event) {
  if (trace_.repeats(event, events_)) return;
  if (trace_.must_play_back()) {
    trace_.play_back(
        [&](const auto& earlier, std::uint64_t moment) { check_shared(earlier, moment); });
  }
  check_shared(event, events_);
}

template <typename Event>
void Checks::check_shared(const Event& event, std::uint64_t moment) {
  for_each(*this, [&](auto& checker) {
    if constexpr (std::remove_cvref_t<decltype(checker)>::kNeeds == Needs::kSharedMemory) {
      checker.skip_to(moment - 1);
      tell_checker(checker, event);
    }
  });
}

std::vector<base::Diagnostic> Checks::diagnostics() const {
  const auto& written = std::get<GlobalInit>(checkers_);
  const auto is_written = [&](auto buffer, auto offset, auto bytes) {
    return written.is_written(buffer, offset, bytes);
  };
  Findings all;
  for_each(*this, [&](const auto& checker) {
    if constexpr (requires { checker.findings(is_written); }) {
      all.merge(checker.findings(is_written));
    } else {
      all.merge(checker.findings());
    }
  });
  all.fold_races_within_warps();
  return to_diagnostics(all.all(), kMostDiagnostics);
}

std::vector<UndefinedRead> Checks::undefined_reads() const {
  std::vector<UndefinedRead> out;
  for_each(*this, [&](const auto& checker) {
    if constexpr (requires { checker.undefined_reads(); }) {
      for (auto& read : checker.undefined_reads()) out.push_back(std::move(read));
    }
  });
  return out;
}

}  // namespace warpgrade::check

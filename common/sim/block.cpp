// SPDX-License-Identifier: Apache-2.0
#include "common/sim/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/base/text.h"
#include "common/run/launch.h"
#include "common/run/observer.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

constexpr std::size_t kAlignment = 64;  // of slots: a cache line, which also suits wide loads

std::size_t round_up_to_line(std::size_t bytes) {
  return (bytes + kAlignment - 1) & ~(kAlignment - 1);
}

template <typename T>
void fill_lanes(Warp& warp, Slot slot, T value) {
  std::fill_n(warp.lanes<T>(slot), run::kWarpSize, value);
}

// The value of a 32-bit special register that is constant for a block, but not for a launch.
std::optional<std::uint32_t> block_special(ptx::SpecialRegister special, const Block& block,
                                           std::uint64_t linear) {
  using enum ptx::SpecialRegister;
  const auto& at = block.index();
  const auto extent = block.parts.cluster.value_or(base::Dim3{});
  const auto cluster = base::divided(at, extent);
  // clang-format off
  switch (special) {
    case ctaid_x: return at.x;
    case ctaid_y: return at.y;
    case ctaid_z: return at.z;
    case smid: return static_cast<std::uint32_t>(linear % block.parts.options.multiprocessors);
    case clusterid_x: return cluster.x;
    case clusterid_y: return cluster.y;
    case clusterid_z: return cluster.z;
    case cluster_ctaid_x: return at.x % extent.x;
    case cluster_ctaid_y: return at.y % extent.y;
    case cluster_ctaid_z: return at.z % extent.z;
    case cluster_ctarank: return block.beside.rank;
    default: return std::nullopt;
  }
  // clang-format on
}

// The value of a 32-bit special register that is constant for all blocks of a launch; nullopt for
// registers that begin() or the instruction itself fills.
std::optional<std::uint32_t> fixed_special(ptx::SpecialRegister special, const Block& block,
                                           const Warp& warp, std::uint32_t lane) {
  using enum ptx::SpecialRegister;
  const auto& launch = block.parts.launch;
  const auto tid = base::index_at(warp.index * run::kWarpSize + lane, launch.block);
  const auto bit = 1U << lane;
  const auto extent = block.parts.cluster.value_or(base::Dim3{});
  const auto clusters = base::divided(launch.grid, extent);
  // clang-format off
  switch (special) {
    case tid_x: return tid.x;
    case tid_y: return tid.y;
    case tid_z: return tid.z;
    case ntid_x: return launch.block.x;
    case ntid_y: return launch.block.y;
    case ntid_z: return launch.block.z;
    case nctaid_x: return launch.grid.x;
    case nctaid_y: return launch.grid.y;
    case nctaid_z: return launch.grid.z;
    case laneid: return lane;
    case warpid: return warp.index;
    case nwarpid: return block.parts.warps();
    case lanemask_eq: return bit;
    case lanemask_lt: return bit - 1;
    case lanemask_le: return bit | (bit - 1);
    case lanemask_gt: return ~(bit | (bit - 1));
    case lanemask_ge: return ~(bit - 1);
    case nsmid: return block.parts.options.multiprocessors;
    case envreg1: return launch.cooperative ? static_cast<std::uint32_t>(kGridWorkspace >> 32) : 0;
    case envreg2: return launch.cooperative ? static_cast<std::uint32_t>(kGridWorkspace) : 0;
    case nclusterid_x: return clusters.x;
    case nclusterid_y: return clusters.y;
    case nclusterid_z: return clusters.z;
    case cluster_nctaid_x: return extent.x;
    case cluster_nctaid_y: return extent.y;
    case cluster_nctaid_z: return extent.z;
    case cluster_nctarank: return static_cast<std::uint32_t>(base::volume(extent));
    case is_explicit_cluster:  // a predicate
    case dynamic_smem_size: return launch.dynamic_shared_bytes;
    case total_smem_size: return block.parts.shared_bytes - block.parts.code.shared_padding;
    case gridid:  // 64 bits
    case ctaid_x: case ctaid_y: case ctaid_z: case smid:  // begin() fills these
    case clusterid_x: case clusterid_y: case clusterid_z:
    case cluster_ctaid_x: case cluster_ctaid_y: case cluster_ctaid_z: case cluster_ctarank:
    case clock: case clock_hi: case clock64:  // read when executed: see exec/control.cpp
    case globaltimer_lo: case globaltimer_hi: case globaltimer: return std::nullopt;
  }
  // clang-format on
  return std::nullopt;
}

// Fills the slot of an immediate or an address in all lanes.
void fill_immediate(Warp& warp, const Code::Constant& constant) {
  switch (constant.bytes) {
    case 2:
      fill_lanes(warp, constant.slot, static_cast<std::uint16_t>(constant.value));
      break;
    case 4:
      fill_lanes(warp, constant.slot, static_cast<std::uint32_t>(constant.value));
      break;
    case 8:
      fill_lanes(warp, constant.slot, constant.value);
      break;
    default:
      warp.predicate(constant.slot) = constant.value != 0 ? run::kFullMask : 0;
  }
}

}  // namespace

BlockStorage::BlockStorage(const LaunchParts& parts)
    : register_bytes_(round_up_to_line(parts.code.register_bytes)),
      bytes_(register_bytes_ * parts.warps() + round_up_to_line(parts.shared_bytes) + kAlignment) {
  void* start = bytes_.data();
  auto space = bytes_.size();
  begin_ = static_cast<std::byte*>(std::align(kAlignment, 1, start, space));
  shared_ = registers(parts.warps());
}

// The bytes are not filled: recursion needs a stack that few threads use much of.
LocalMemory::LocalMemory(const LaunchParts& parts)
    : bytes_per_thread(parts.code.local_bytes),
      bytes(std::make_unique_for_overwrite<std::byte[]>(parts.threads() * bytes_per_thread)) {
  written.prepare(parts.threads(), bytes_per_thread);
}

Block::Block(const LaunchParts& launch_parts, const Neighbours& neighbours,
             std::vector<run::Observer*> all_observers, ShareResult& result)
    : parts(launch_parts),
      beside(neighbours),
      out(result),
      work(parts.options.block_budget),
      local(parts),
      observers_(std::move(all_observers)),
      storage_(parts),
      warps_(parts.warps()) {
  const auto instructions = parts.code.function->instructions.size();
  recent.host.resize(instructions * warps_.size());
  out.counts.resize(instructions);
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    auto& warp = warps_[w];
    warp.registers = storage_.registers(w);
    warp.index = w;
    warp.block = this;
    fill_constants(warp);
  }
}

void Block::fill_constants(Warp& warp) const {
  for (const auto& constant : parts.code.constants) {
    if (!constant.is_special) {
      fill_immediate(warp, constant);
    } else if (constant.special == ptx::SpecialRegister::gridid) {
      fill_lanes(warp, constant.slot, std::uint64_t{1});
    } else if (constant.special == ptx::SpecialRegister::is_explicit_cluster) {
      warp.predicate(constant.slot) = parts.cluster ? run::kFullMask : 0;
    } else {
      auto* lanes = warp.lanes<std::uint32_t>(constant.slot);
      for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
        if (const auto value = fixed_special(constant.special, *this, warp, lane)) {
          lanes[lane] = *value;
        }
      }
    }
  }
}

void Block::begin(std::uint64_t linear) {
  const auto& code = parts.code;
  const auto& options = parts.options;
  index_ = base::index_at(linear, parts.launch.grid);
  for (const auto& constant : code.constants) {
    if (!constant.is_special) continue;
    const auto value = block_special(constant.special, *this, linear);
    if (!value) continue;
    for (auto& warp : warps_) fill_lanes(warp, constant.slot, *value);
  }
  const auto own = std::min<std::size_t>(options.shared_garbage.size(), parts.shared_bytes);
  std::copy_n(options.shared_garbage.data(), own, shared());
  std::fill_n(shared() + own, parts.shared_bytes - own, options.garbage);
  local.written.clear();
  const auto frame_bytes = code.callees.front().local_bytes;  // one bit per byte is cleared
  work.restart((parts.shared_bytes + parts.threads() * frame_bytes / 8) / kFilledPerUnit);
  frames.clear();
  arrivals_ = {};
  has_ended_ = false;
  random_ = 0;
  executed_before_ = 0;
  executed_before_ = executed();
  for (auto& warp : warps_) {
    warp.cluster_arrived = 0;
    warp.cluster_passed = 0;
    const auto left = parts.threads() - std::uint64_t{warp.index} * run::kWarpSize;
    warp.start(left >= run::kWarpSize ? run::kFullMask : (1U << left) - 1);
    fill_undefined(warp, code.callees.front(), run::kFullMask);
  }
}

void Block::fill_undefined(Warp& warp, const Callee& callee, std::uint32_t mask) const {
  for (auto i = callee.undefined.begin; i < callee.undefined.end; ++i) {
    const auto& undefined = parts.code.undefined[i];
    const auto& own = parts.options.register_garbage;
    const auto value = i < own.size() ? own[i] : parts.options.garbage;
    if (undefined.bytes == 0) {
      const bool holds = (value & std::byte{0x80}) != std::byte{0};
      write_predicate(warp, undefined.slot, mask, holds ? run::kFullMask : 0);
      continue;
    }
    auto* lanes = warp.lanes<std::byte>(undefined.slot);
    for (auto rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      std::fill_n(lanes + lane * undefined.bytes, undefined.bytes, value);
    }
  }
}

void Block::start(std::uint64_t linear) {
  begin(linear);
  for (auto* observer : observers_) observer->on_block_begin(linear);
  watchers_ = observers_;
  std::erase_if(watchers_, [](const auto* each) { return !each->wants_instructions(); });
}

void Block::finish() {
  has_ended_ = true;
  for (auto* observer : observers_) observer->on_block_end();
}

void Block::run(std::uint64_t linear) {
  start(linear);
  if (parts.options.seed == 0) {
    run_in_turns();
  } else {
    run_interleaved(linear);
  }
  if (out.diagnostic) return;
  if (live_threads() != 0) {
    report_deadlock();
    return;
  }
  finish();
}

// Runs warps in the order of their numbers, each as far as possible.
void Block::run_in_turns() {
  for (;;) {
    bool ran = false;
    for (auto& warp : warps_) {
      if (warp.status != WarpStatus::kReady) continue;
      warp.run();
      ran = true;
      if (out.diagnostic) return;
    }
    if (!within_budget()) return;
    const bool released = release_barriers();
    if (!ran && !released) break;
  }
}

std::uint64_t Block::live_threads() const {
  std::uint64_t live = 0;
  for (const auto& warp : warps_) live += static_cast<std::uint64_t>(std::popcount(warp.live));
  return live;
}

std::uint64_t Block::executed() const {
  std::uint64_t sum = 0;
  for (const auto& count : out.counts) sum += count.warps;
  return sum - executed_before_;
}

void Block::print(const run::PrintEvent& event) {
  if (out.printed.size() <= kPrintedLimit) out.printed += event.text.substr(0, kPrintedLimit + 1);
  for (auto* observer : observers_) observer->on_print(event);
}

bool Block::within_budget() {
  if (work.is_within_budget()) return true;
  for (auto& warp : warps_) {
    if (warp.status == WarpStatus::kDone) continue;
    const auto pc = warp.mask != 0 ? warp.pc : 0;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.live));
    const bool holds_up = !parts.options.independent_lanes && !warp.ready.empty();
    const auto* before_volta =
        holds_up ? ". Before Volta, a lane that waits for another lane of its warp waits forever"
                 : "";
    warp.fault(base::DiagnosticKind::kRunaway, parts.code.ops[pc], lane,
               fmt::format("the block did not finish within {} units of work ({}); look for a loop "
                           "that never ends, runs far too often, or waits for another block{}",
                           base::grouped(work.budget()), kUnitsText, before_volta));
    return false;
  }
  return true;
}

const base::SourceLocation& Block::location(const MicroOp& op) const {
  static const base::SourceLocation kUnknown;
  return op.instruction == kNoInstruction ? kUnknown
                                          : ptx::location(*parts.code.function, op.instruction);
}

void Block::warning(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t thread,
                    const std::string& message, base::Facts facts) {
  if (has_warning(kind, op)) return;
  out.warnings.push_back(
      {kind, location(op), message, index_, base::index_at(thread, parts.launch.block)});
  out.warnings.back().facts = std::move(facts);
}

bool is_told(const std::vector<base::Diagnostic>& warnings, base::DiagnosticKind kind,
             const base::SourceLocation& where) {
  return warnings.size() >= kMostWarnings ||
         std::any_of(warnings.begin(), warnings.end(),
                     [&](const auto& other) { return other.kind == kind && other.where == where; });
}

bool Block::has_warning(base::DiagnosticKind kind, const MicroOp& op) const {
  return is_told(out.warnings, kind, location(op));
}

void Block::fault(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t thread,
                  std::string message, base::Facts facts) {
  if (out.diagnostic) return;
  auto& found = out.diagnostic.emplace();
  found.kind = kind;
  found.where = location(op);
  found.message = std::move(message);
  found.facts = std::move(facts);
  found.block = index_;
  found.thread = base::index_at(thread, parts.launch.block);
}

std::uint32_t Block::lanes_that_use(Warp& warp, const MicroOp& op) const {
  std::uint32_t used = 0;
  for (const auto& use : parts.code.uses[op.uses]) {
    const auto lanes = warp.predicate(use.predicate);
    used |= use.negated ? ~lanes : lanes;
  }
  return used;
}

void Block::tell(Warp& warp, const MicroOp& op, run::Space space, std::uint32_t mask,
                 std::uint32_t bytes, std::int64_t stride, const std::byte* data,
                 const std::uint64_t* other_side) {
  if (is_timed()) pass_time(warp, op, space, mask);
  if (observers_.empty()) return;
  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  const auto scattered = bytes < 4 ? kScatteredByteWork : kScatteredLaneWork;
  work.charge(kRequestWork + (stride == run::kIrregular ? scattered * lanes : 0) +
              (run::is_atomic(op.operation) ? kAtomicLaneWork * lanes : 0) +
              (watchers_.empty() ? 0 : kTracedRequestWork));
  if (work.is_overcharged()) warp.fuel = 0;  // makes run() check the budget
  run::MemoryEvent event;
  event.instruction = op.instruction;
  event.warp = warp.index;
  event.mask = mask;
  if (op.uses != kAllLanes) event.used = lanes_that_use(warp, op);
  event.space = space;
  event.operation = op.operation;
  event.bytes = static_cast<std::uint8_t>(bytes);
  event.is_volatile = op.is_volatile;
  event.is_bulk = op.is_bulk;
  event.stride = stride;
  event.address = warp.address;
  event.data = data;
  event.other_side = other_side;
  for (auto* observer : observers_) observer->on_memory(event);
}

void Block::tell(const run::BarrierEvent& event) {
  work.charge(kOrderWork * observers_.size());
  for (auto* observer : observers_) observer->on_barrier(event);
}

void Block::tell(const run::OrderEvent& event) {
  const bool is_fence = event.kind == run::OrderEvent::Kind::kFence;
  if (is_timed() && is_fence) {
    auto& warp = warps_[event.warp];
    warp.settle_loads();
    if (!event.device_wide) {
      warp.clock += parts.turns->block_fence;
    } else {
      const bool is_behind = std::exchange(warp.is_behind_access, false);
      warp.clock +=
          beside.grid->queue + (is_behind ? parts.turns->fence_after : parts.turns->fence);
    }
  }
  work.charge((is_fence ? kFenceWork : kOrderWork) * observers_.size());
  for (auto* observer : observers_) observer->on_order(event);
}

void Block::tell(const run::CopyEvent& event) {
  work.charge(kOrderWork * observers_.size());
  for (auto* observer : observers_) observer->on_copy(event);
}

void Block::tell(const run::GridEvent& event) {
  work.charge(kOrderWork * observers_.size());
  for (auto* observer : observers_) observer->on_grid(event);
}

void Block::tell(const run::BulkEvent& event) {
  work.charge(kOrderWork * observers_.size());
  for (auto* observer : observers_) observer->on_bulk(event);
}

}  // namespace warpgrade::sim

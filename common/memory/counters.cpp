// SPDX-License-Identifier: Apache-2.0
// Each event updates one row of sums: it is split into lines (or transactions, or wavefronts),
// counted by the profile's rule, then passed to L1 and to the footprint. This allocates no memory.
#include "common/memory/counters.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/memory/atomics.h"
#include "common/memory/bank_memo.h"
#include "common/memory/block_l1.h"
#include "common/memory/bulk_requests.h"
#include "common/memory/divisor.h"
#include "common/memory/footprint.h"
#include "common/memory/global_access.h"
#include "common/memory/places.h"
#include "common/memory/shared_banks.h"
#include "common/memory/shared_loop.h"
#include "common/memory/spill_counters.h"
#include "common/memory/transaction_memo.h"
#include "common/memory/wide_access.h"
#include "common/ptx/module.h"
#include "common/run/lanes.h"

namespace warpgrade::memory {
namespace {

using run::MemoryEvent;
using run::Operation;
using run::Space;

const MachineAccess kAsInPtx;

}  // namespace

struct Counters::State {
  State(const device::Profile& p, MachineAccesses accesses)
      : profile(&p),
        machine(std::move(accesses)),
        partition_width(std::max<std::uint64_t>(p.dram.partition_width, 1)),
        partitions(p.dram.partitions.value_or(1)),
        bank_memo(p.rules.shared_banks),
        partition_bytes(p.dram.partitions.value_or(0)) {}

  /// The form that the assembler gives to an atomic; without PTX, the operation of the event.
  AtomicForm form(const MemoryEvent& event) const {
    if (event.instruction < forms.size()) return forms[event.instruction];
    return {.is_reduction = event.operation == Operation::kReduction};
  }

  /// The operation that hardware counts: an atom with an unused result is a reduction.
  Operation counted(const MemoryEvent& event) const {
    if (!is_atomic(event.operation)) return event.operation;
    return form(event).is_reduction ? Operation::kReduction : Operation::kAtomic;
  }

  void on_global(const MemoryEvent& event);
  void on_shared(const MemoryEvent& event);
  void on_shared_loop(const MemoryEvent& event);
  void on_local(const MemoryEvent& event);
  void on_cluster(const MemoryEvent& event);
  void add(InstructionCounters& row, const GlobalAccess& access);
  template <typename AnyLines>
  void count(const MemoryEvent& event, const GlobalAccess& access, const AnyLines& touched);
  template <typename AnyLines>
  void on_sectors(const MemoryEvent& event, const GlobalAccess& access, const AnyLines& touched);
  void on_half_warps(const MemoryEvent& event);
  template <typename AnyLines>
  void below_l1(const MemoryEvent& event, const GlobalAccess& access, const AnyLines& touched);
  void transact(const MemoryEvent& event);

  const device::Profile* profile;
  MachineAccesses machine;
  Divisor partition_width;
  Divisor partitions;
  std::vector<InstructionCounters> rows;
  BlockL1 l1{0};
  std::uint64_t l1_bytes = 0;
  Footprint footprint;
  BankMemo bank_memo;
  WordMarks marks;
  std::vector<AtomicForm> forms;  ///< By instruction of the launch's function.
  Lines lines;
  Places places;
  Transactions transactions;
  TransactionMemo transaction_memo;
  std::uint64_t load_sectors = 0;  ///< Requested from L2 by L1, or moved by transactions.
  std::uint64_t store_sectors = 0;
  std::uint64_t atomic_sectors = 0;
  std::vector<std::uint64_t> partition_bytes;
  BufferTable buffers;
};

inline void Counters::State::add(InstructionCounters& row, const GlobalAccess& access) {
  row.requests += access.requests;
  row.sectors += access.sectors;
  row.lines += access.lines;
  row.partial_sectors += access.partial_sectors;
  row.used_bytes += access.used_bytes;
}

void Counters::State::transact(const MemoryEvent& event) {
  for (std::uint32_t i = 0; i < transactions.count; ++i) {
    const Transaction& transaction = transactions.list[i];
    const std::uint64_t bytes = transaction.bytes * (is_atomic(event.operation) ? 2ULL : 1ULL);
    partition_bytes[partitions.remainder(partition_width.quotient(transaction.address))] += bytes;
  }
}

template <typename AnyLines>
void Counters::State::below_l1(const MemoryEvent& event, const GlobalAccess& access,
                               const AnyLines& touched) {
  auto* buffer = buffers.find(event.address[run::lowest_lane(event.mask)]);
  switch (event.operation) {
    case Operation::kLoad: {
      const std::uint64_t missed =
          profile->l1.caches_global_loads && !event.is_volatile ? l1.load(touched) : access.sectors;
      load_sectors += missed;
      if (buffer != nullptr) buffer->load_sectors += missed;
      footprint.read.add(touched);
      break;
    }
    case Operation::kStore:
      store_sectors += access.sectors;
      if (buffer != nullptr) buffer->store_sectors += access.sectors;
      footprint.written.add(touched);
      break;
    case Operation::kAtomic:
    case Operation::kReduction:
      atomic_sectors += access.sectors;
      if (buffer != nullptr) {
        buffer->load_sectors += access.sectors;
        buffer->store_sectors += access.sectors;
      }
      footprint.read.add(touched);
      footprint.written.add(touched);
      break;
  }
}

/// `touched` (Lines, Apart or a Range) describes the bytes that the access touches.
template <typename AnyLines>
void Counters::State::count(const MemoryEvent& event, const GlobalAccess& access,
                            const AnyLines& touched) {
  InstructionCounters& counters = row_of(rows, event.instruction, kGlobalRow, counted(event));
  add(counters, access);
  counters.bytes += static_cast<std::uint64_t>(std::popcount(event.mask)) * event.bytes;
  below_l1(event, access, touched);
}

/// `access` is count_sectors(touched).
template <typename AnyLines>
void Counters::State::on_sectors(const MemoryEvent& event, const GlobalAccess& access,
                                 const AnyLines& touched) {
  if (!is_atomic(event.operation)) return count(event, access, touched);
  GlobalAccess atomic = access;
  atomic.sectors = count_atomic_sectors({event.address, event.mask, event.bytes});
  count(event, atomic, touched);
}

void Counters::State::on_half_warps(const MemoryEvent& event) {
  const GlobalAccess access =
      transaction_memo.count(profile->rules.coalescing, event, transactions);
  if (!partition_bytes.empty()) transact(event);
  places.visit(event, [&](const auto& touched) { count(event, access, touched); });
}

void Counters::State::on_global(const MemoryEvent& event) {
  if (profile->rules.coalescing != device::Coalescing::kSectors) return on_half_warps(event);
  places.visit(event,
               [&](const auto& touched) { on_sectors(event, count_sectors(touched), touched); });
}

void Counters::State::on_shared(const MemoryEvent& event) {
  const auto how = memory::on_shared(forms, event, profile->rules.shared_banks);
  if (how == AtomicForm::OnShared::kLoop) return on_shared_loop(event);
  const SharedUse use = shared_use(event.operation, how);
  const SharedAccess access = bank_memo.count(event, use, marks);
  InstructionCounters& counters = row_of(rows, event.instruction, kSharedRow, counted(event));
  ++counters.requests;
  counters.bytes += static_cast<std::uint64_t>(std::popcount(event.mask)) * event.bytes;
  counters.wavefronts += access.wavefronts;
  counters.conflicts += access.conflicts;
}

void Counters::State::on_shared_loop(const MemoryEvent& event) {
  const SharedLoop loop = shared_loop({event.address, event.mask, event.bytes}, marks);
  InstructionCounters& loads = row_of(rows, event.instruction, kLoopLoadRow, Operation::kLoad);
  loads.requests += loop.rounds;
  loads.wavefronts += loop.loads.wavefronts;
  loads.conflicts += loop.loads.conflicts;
  InstructionCounters& swaps = row_of(rows, event.instruction, kSharedRow, counted(event));
  swaps.requests += loop.rounds;
  swaps.bytes += static_cast<std::uint64_t>(std::popcount(event.mask)) * event.bytes;
  swaps.wavefronts += loop.swaps.wavefronts;
  swaps.conflicts += loop.swaps.conflicts;
}

void Counters::State::on_local(const MemoryEvent& event) {
  gather_local({event.address, event.mask, event.bytes}, lines);
  GlobalAccess access = count_sectors(lines);
  access.requests = (event.bytes + 3U) / 4;  // one per word of a lane
  InstructionCounters& counters = row_of(rows, event.instruction, kLocalRow, event.operation);
  add(counters, access);
  counters.bytes += static_cast<std::uint64_t>(std::popcount(event.mask)) * event.bytes;
}

// Distributed shared memory: sectors like global memory, and for an atomic one wavefront at the
// block that has the word.
void Counters::State::on_cluster(const MemoryEvent& event) {
  gather({event.address, event.mask, event.bytes}, lines);
  InstructionCounters& counters = row_of(rows, event.instruction, kClusterRow, counted(event));
  add(counters, count_sectors(lines));
  counters.bytes += static_cast<std::uint64_t>(std::popcount(event.mask)) * event.bytes;
  if (is_atomic(event.operation)) ++counters.wavefronts;
}

struct Counters::Own {
  BlockL1 l1{0};
};

Counters::Counters(const device::Profile& profile, MachineAccesses machine)
    : state_(std::make_shared<State>(profile, std::move(machine))) {}
Counters::Counters(Counters&&) noexcept = default;
Counters::~Counters() = default;

std::unique_ptr<run::Observer> Counters::fork() const {
  auto fork = std::make_unique<Counters>(*state_->profile, state_->machine);
  fork->state_->rows.resize(state_->rows.size());
  fork->state_->forms = state_->forms;
  fork->state_->buffers = state_->buffers;
  fork->state_->l1_bytes = state_->l1_bytes;
  fork->state_->l1 = BlockL1(state_->l1_bytes);
  return fork;
}

void Counters::join(run::Observer& other) {
  if (dynamic_cast<Counters&>(other).own_ != nullptr) return;  // The first has all.
  State& theirs = *dynamic_cast<Counters&>(other).state_;
  State& ours = *state_;
  if (ours.rows.size() < theirs.rows.size()) ours.rows.resize(theirs.rows.size());
  for (std::size_t i = 0; i < theirs.rows.size(); ++i) ours.rows[i] += theirs.rows[i];
  ours.footprint.take(theirs.footprint);
  ours.buffers.add(theirs.buffers);
  ours.load_sectors += theirs.load_sectors;
  ours.store_sectors += theirs.store_sectors;
  ours.atomic_sectors += theirs.atomic_sectors;
  for (std::size_t i = 0; i < ours.partition_bytes.size(); ++i) {
    ours.partition_bytes[i] += theirs.partition_bytes[i];
  }
}

void Counters::on_launch(const run::LaunchContext& context) {
  state_ = std::make_shared<State>(*state_->profile, std::move(state_->machine));
  own_ = nullptr;
  if (context.function != nullptr) {
    state_->rows.resize(context.function->instructions.size() * kCountedSpaces.size());
    state_->forms = atomic_forms(*context.function, *state_->profile);
  }
  if (context.buffer_addresses != nullptr) {
    state_->buffers = BufferTable(*context.buffer_addresses);
  }
  state_->l1_bytes = l1_share(*state_->profile, context);
  state_->l1 = BlockL1(state_->l1_bytes);
}

// Blocks that run in turns share all sums. Each has the L1 of its own.
void Counters::on_launch_beside(const run::LaunchContext& /*context*/, run::Observer& first) {
  state_ = dynamic_cast<Counters&>(first).state_;
  own_ = std::make_unique<Own>();
  own_->l1 = BlockL1(state_->l1_bytes);
}

template <typename Function>
void Counters::with_own_l1(const Function& function) {
  if (own_ == nullptr) return function();
  std::swap(state_->l1, own_->l1);
  function();
  std::swap(state_->l1, own_->l1);
}

void Counters::on_block_begin(std::uint64_t /*linear_block*/) {
  with_own_l1([&] { state_->l1.begin_block(); });
}

void Counters::on_bulk(const run::BulkEvent& event) {
  for_each_bulk_request(event, [&](MemoryEvent part) {
    if (part.space != Space::kGlobal) return;
    part.is_volatile = true;
    const Range range{part.address[0], static_cast<std::uint32_t>(std::popcount(part.mask)) * 16};
    with_own_l1([&] { state_->below_l1(part, count_sectors(range), range); });
  });
}

void Counters::on_memory(const run::MemoryEvent& event) {
  if (event.is_bulk) return;  // on_bulk() counts the whole copy
  const MachineAccesses& machine = state_->machine;
  const auto& access = event.instruction < machine.size() ? machine[event.instruction] : kAsInPtx;
  with_machine_access(access, state_->forms, event, [&](const MemoryEvent& each) {
    switch (each.space) {
      case Space::kGlobal:
        return with_own_l1([&] { state_->on_global(each); });
      case Space::kShared:
        return state_->on_shared(each);
      case Space::kLocal:
        return with_own_l1([&] { state_->on_local(each); });
      case Space::kCluster:
        return state_->on_cluster(each);
      case Space::kConstant:
      case Space::kParam:
        return;
    }
  });
}

void Counters::add_spills(const std::vector<run::InstructionCount>& executed) {
  memory::add_spills(state_->machine, executed, state_->rows);
}

const std::vector<InstructionCounters>& Counters::instructions() const { return state_->rows; }
const std::vector<std::uint64_t>& Counters::partition_bytes() const {
  return state_->partition_bytes;
}
std::uint64_t Counters::missed_load_sectors() const { return state_->load_sectors; }
const device::Profile& Counters::profile() const { return *state_->profile; }
const MachineAccesses& Counters::machine() const { return state_->machine; }

InstructionCounters Counters::total(Space space, Operation operation) const {
  InstructionCounters sum;
  sum.operation = operation;
  for (std::size_t i = 0; i < state_->rows.size(); ++i) {
    if (kCountedSpaces[i % kCountedSpaces.size()] == space &&
        state_->rows[i].operation == operation) {
      sum += state_->rows[i];
    }
  }
  sum.operation = operation;
  return sum;
}

std::vector<BufferCounters> Counters::buffers() const {
  return state_->buffers.with(state_->footprint);
}

Traffic Counters::traffic() const {
  State& state = *state_;
  const device::Profile& profile = *state.profile;
  const Extent read = state.footprint.read.extent();
  const Extent written = state.footprint.written.extent();
  Traffic traffic;
  traffic.bytes_read = read.bytes;
  traffic.bytes_written = written.bytes;
  if (!profile.l2.bytes) {
    traffic.dram_read_bytes = 32 * (state.load_sectors + state.atomic_sectors);
    traffic.dirty_bytes = 32 * (state.store_sectors + state.atomic_sectors);
    traffic.dram_write_bytes = traffic.dirty_bytes;
    return traffic;
  }
  const std::uint64_t fetched =
      profile.l2.fetch_bytes == 64 ? 2 * read.granules : read.sectors;  // sectors
  const auto far = [&](std::uint64_t sectors) {  // the part whose home is the other half
    return sectors * (profile.l2.halves - 1) / profile.l2.halves;
  };
  traffic.l2_read_sectors = state.load_sectors + far(fetched);
  traffic.l2_write_sectors = state.store_sectors + far(state.store_sectors);
  traffic.dram_read_bytes = 32 * fetched;
  traffic.dirty_bytes = 32 * written.sectors;
  traffic.dram_write_bytes =
      traffic.dirty_bytes > *profile.l2.bytes ? traffic.dirty_bytes - *profile.l2.bytes : 0;
  return traffic;
}

}  // namespace warpgrade::memory

// SPDX-License-Identifier: Apache-2.0
#include "common/memory/counters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/classifier.h"
#include "common/memory/footprint.h"
#include "common/memory/global_access.h"
#include "common/memory/lines.h"
#include "common/memory/machine_access.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::memory {
namespace {

std::string_view space_name(run::Space space) {
  switch (space) {
    case run::Space::kGlobal:
      return "global";
    case run::Space::kShared:
      return "shared";
    case run::Space::kLocal:
      return "local";
    case run::Space::kConstant:
      return "constant";
    case run::Space::kParam:
      return "param";
    case run::Space::kCluster:
      return "cluster";
  }
  return "";
}

std::string_view operation_name(run::Operation operation) {
  switch (operation) {
    case run::Operation::kLoad:
      return "load";
    case run::Operation::kStore:
      return "store";
    case run::Operation::kAtomic:
      return "atomic";
    case run::Operation::kReduction:
      return "reduction";
  }
  return "";
}

}  // namespace

std::string name(const MemoryOperation& operation) {
  std::string out(space_name(operation.space));
  out += ' ';
  return out += operation_name(operation.operation);
}

namespace {

/// The row of an instruction for `operation`.
InstructionCounters& row_of(std::vector<InstructionCounters>& rows, std::size_t instruction,
                            Row row, run::Operation operation) {
  const std::size_t at = instruction * kCountedSpaces.size() + row;
  if (at >= rows.size()) rows.resize((instruction + 1) * kCountedSpaces.size());
  rows[at].operation = operation;
  return rows[at];
}

}  // namespace

void add_spills(const MachineAccesses& machine, const std::vector<run::InstructionCount>& executed,
                std::vector<InstructionCounters>& rows) {
  constexpr std::uint64_t kWord = 4;
  constexpr std::uint64_t kWordsOfSector = 8;
  for (std::size_t i = 0; i < std::min(executed.size(), machine.size()); ++i) {
    const auto [warps, threads] = executed[i];
    if (warps == 0) continue;
    for (const SpillAccess& spill : machine[i].spills) {
      InstructionCounters& row = spill.is_store
                                     ? row_of(rows, i, kLocalRow, run::Operation::kStore)
                                     : row_of(rows, i, kSpillLoadRow, run::Operation::kLoad);
      const std::uint64_t words = spill.bytes / kWord;
      row.requests += words * warps;
      row.lines += words * warps;
      row.sectors += words * ((threads + kWordsOfSector - 1) / kWordsOfSector);
      row.bytes += spill.bytes * threads;
      row.used_bytes += spill.bytes * threads;
    }
  }
}

namespace {

using run::MemoryEvent;
using run::Operation;
using run::Space;

std::uint64_t requested_bytes(const MemoryEvent& event) {
  return static_cast<std::uint64_t>(std::popcount(event.mask)) * event.bytes;
}

// The same, but a word that several lanes change counts once.
std::uint64_t changed_bytes(const MemoryEvent& event, KeyTable& table) {
  std::array<std::uint64_t, kLanes> words;
  std::uint32_t count = 0;
  table.clear();
  for_each_address({event.address, event.mask, event.bytes}, event.mask,
                   [&](std::uint64_t address) {
                     const auto at = table.position(address, words.data(), count);
                     if (at == count) words.at(count++) = address;
                   });
  return std::uint64_t{count} * event.bytes;
}

}  // namespace

struct Counters::State {
  State(const device::Profile& p, MachineAccesses accesses)
      : profile(&p),
        machine(std::move(accesses)),
        partition_width(std::max<std::uint64_t>(p.dram.partition_width, 1)),
        partitions(p.dram.partitions.value_or(1)),
        classifier(p),
        partition_bytes(p.dram.partitions.value_or(0)) {}

  /// The operation that hardware counts: an atom with an unused result is a reduction.
  Operation counted(const MemoryEvent& event) const {
    if (!is_atomic(event.operation)) return event.operation;
    return classifier.form(event).is_reduction ? Operation::kReduction : Operation::kAtomic;
  }

  void count(const MemoryEvent& event) {
    classifier.classify(access_of(machine, event.instruction), event, *this);
  }

  // Called by the classifier.
  template <typename AnyLines>
  void on_global(const MemoryEvent& event, const GlobalUse& use, const AnyLines& touched);
  void on_shared(const MemoryEvent& event, const SharedAccess& access);
  void on_shared_loop(const MemoryEvent& event, const SharedLoop& loop);
  void on_local(const MemoryEvent& event, GlobalAccess access, const Lines& touched);
  void on_cluster(const MemoryEvent& event, const GlobalAccess& access);

  InstructionCounters& add(const MemoryEvent& event, Row space, Operation operation,
                           const GlobalAccess& access);
  template <typename AnyLines>
  void below_l1(const MemoryEvent& event, const GlobalUse& use, const AnyLines& touched);
  void transact(const MemoryEvent& event);

  const device::Profile* profile;
  MachineAccesses machine;
  Divisor partition_width;
  Divisor partitions;
  std::vector<InstructionCounters> rows;
  Classifier classifier;
  KeyTable words;  ///< Scratch.
  Footprint footprint;
  std::uint64_t load_sectors = 0;  ///< Requested from L2 by L1, or moved by transactions.
  std::uint64_t store_sectors = 0;
  std::uint64_t atomic_sectors = 0;
  std::vector<bool> is_copy;  ///< By instruction; empty if a function has no cp.async.
  std::uint64_t copied_words = 0;
  std::uint64_t loads_with_copies =
      0;  ///< From shared memory, if a function has cp.async; like the next.
  std::uint64_t loads_beside_copies = 0;  ///< While copies of the block are under way.
  std::vector<std::uint64_t> partition_bytes;
  BufferTable buffers;
};

inline InstructionCounters& Counters::State::add(const MemoryEvent& event, Row space,
                                                 Operation operation, const GlobalAccess& access) {
  InstructionCounters& row = row_of(rows, event.instruction, space, operation);
  row.requests += access.requests;
  row.sectors += access.sectors;
  row.lines += access.lines;
  row.partial_sectors += access.partial_sectors;
  row.used_bytes += access.used_bytes;
  row.bytes += requested_bytes(event);
  return row;
}

void Counters::State::transact(const MemoryEvent& event) {
  const auto& transactions = classifier.transactions();
  for (std::uint32_t i = 0; i < transactions.count; ++i) {
    const Transaction& transaction = transactions.list[i];
    const std::uint64_t bytes = transaction.bytes * (is_atomic(event.operation) ? 2ULL : 1ULL);
    partition_bytes[partitions.remainder(partition_width.quotient(transaction.address))] += bytes;
  }
}

template <typename AnyLines>
void Counters::State::below_l1(const MemoryEvent& event, const GlobalUse& use,
                               const AnyLines& touched) {
  auto* buffer = buffers.find(event.address[run::lowest_lane(event.mask)]);
  switch (event.operation) {
    case Operation::kLoad:
      load_sectors += use.l2_sectors;
      if (buffer != nullptr) buffer->load_sectors += use.l2_sectors;
      footprint.read.add(touched);
      break;
    case Operation::kStore:
      store_sectors += use.l2_sectors;
      if (buffer != nullptr) buffer->store_sectors += use.l2_sectors;
      footprint.written.add(touched);
      break;
    case Operation::kAtomic:
    case Operation::kReduction:
      atomic_sectors += use.l2_sectors;
      if (buffer != nullptr) {
        buffer->load_sectors += use.l2_sectors;
        buffer->store_sectors += use.l2_sectors;
      }
      footprint.read.add(touched);
      footprint.written.add(touched);
      break;
  }
}

template <typename AnyLines>
void Counters::State::on_global(const MemoryEvent& event, const GlobalUse& use,
                                const AnyLines& touched) {
  add(event, kGlobalRow, counted(event), use.access);
  if (!partition_bytes.empty()) transact(event);
  below_l1(event, use, touched);
}

inline void Counters::State::on_shared(const MemoryEvent& event, const SharedAccess& access) {
  InstructionCounters& counters = row_of(rows, event.instruction, kSharedRow, counted(event));
  ++counters.requests;
  counters.bytes += requested_bytes(event);
  counters.wavefronts += access.wavefronts;
  counters.conflicts += access.conflicts;
  if (is_atomic(event.operation)) counters.used_bytes += changed_bytes(event, words);
}

void Counters::State::on_shared_loop(const MemoryEvent& event, const SharedLoop& loop) {
  InstructionCounters& loads = row_of(rows, event.instruction, kLoopLoadRow, Operation::kLoad);
  loads.requests += loop.rounds;
  loads.wavefronts += loop.loads.wavefronts;
  loads.conflicts += loop.loads.conflicts;
  InstructionCounters& swaps = row_of(rows, event.instruction, kSharedRow, counted(event));
  swaps.requests += loop.rounds;
  swaps.bytes += requested_bytes(event);
  swaps.used_bytes += changed_bytes(event, words);
  swaps.wavefronts += loop.swaps.wavefronts;
  swaps.conflicts += loop.swaps.conflicts;
}

void Counters::State::on_local(const MemoryEvent& event, GlobalAccess access,
                               const Lines& /*touched*/) {
  access.requests = (event.bytes + 3U) / 4;  // one per word of a lane
  add(event, kLocalRow, event.operation, access);
}

// Distributed shared memory: sectors like global memory, and for an atomic one wavefront at the
// block that has the word.
void Counters::State::on_cluster(const MemoryEvent& event, const GlobalAccess& access) {
  auto& counters = add(event, kClusterRow, counted(event), access);
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
  fork->state_->buffers = state_->buffers;
  fork->state_->is_copy = state_->is_copy;
  fork->state_->classifier = state_->classifier;
  return fork;
}

void Counters::join(run::Observer& other) {
  if (dynamic_cast<Counters&>(other).own_ != nullptr) return;  // The first fork has all sums.
  State& theirs = *dynamic_cast<Counters&>(other).state_;
  State& ours = *state_;
  if (ours.rows.size() < theirs.rows.size()) ours.rows.resize(theirs.rows.size());
  for (std::size_t i = 0; i < theirs.rows.size(); ++i) ours.rows[i] += theirs.rows[i];
  ours.footprint.take(theirs.footprint);
  ours.buffers.add(theirs.buffers);
  ours.load_sectors += theirs.load_sectors;
  ours.store_sectors += theirs.store_sectors;
  ours.atomic_sectors += theirs.atomic_sectors;
  ours.copied_words += theirs.copied_words;
  ours.loads_with_copies += theirs.loads_with_copies;
  ours.loads_beside_copies += theirs.loads_beside_copies;
  for (std::size_t i = 0; i < ours.partition_bytes.size(); ++i) {
    ours.partition_bytes[i] += theirs.partition_bytes[i];
  }
}

void Counters::on_launch(const run::LaunchContext& context) {
  state_ = std::make_shared<State>(*state_->profile, std::move(state_->machine));
  own_ = nullptr;
  if (context.function != nullptr) {
    const auto& all = context.function->instructions;
    state_->rows.resize(all.size() * kCountedSpaces.size());
    const auto is_copy = [](const ptx::Instruction& in) {
      return ptx::facts(in).memory == ptx::MemoryRole::kCopy;
    };
    if (std::ranges::any_of(all, is_copy)) {
      std::ranges::transform(all, std::back_inserter(state_->is_copy), is_copy);
    }
  }
  if (context.buffer_addresses != nullptr) {
    state_->buffers = BufferTable(*context.buffer_addresses);
  }
  state_->classifier.on_launch(context);
}

// Blocks that run in turns share all sums, but each has its own L1.
void Counters::on_launch_beside(const run::LaunchContext& /*context*/, run::Observer& first) {
  state_ = dynamic_cast<Counters&>(first).state_;
  own_ = std::make_unique<Own>();
  own_->l1 = state_->classifier.empty_l1();
}

template <typename Function>
void Counters::with_own_l1(const Function& function) {
  if (own_ == nullptr) return function();
  std::swap(state_->classifier.l1(), own_->l1);
  function();
  std::swap(state_->classifier.l1(), own_->l1);
}

void Counters::note_shared(const run::MemoryEvent& event) {
  if (event.instruction < state_->is_copy.size() && state_->is_copy[event.instruction]) {
    state_->copied_words += copies_.start(event);
  } else if (event.operation == Operation::kLoad) {
    ++state_->loads_with_copies;
    if (copies_.are_under_way()) ++state_->loads_beside_copies;
  }
}

void Counters::on_copy(const run::CopyEvent& event) { copies_.note(event); }
void Counters::on_order(const run::OrderEvent& event) { copies_.note(event); }

void Counters::on_block_begin(std::uint64_t /*linear_block*/) {
  copies_.begin_block();
  with_own_l1([&] { state_->classifier.begin_block(); });
}

void Counters::on_bulk(const run::BulkEvent& event) {
  for_each_bulk_request(event, [&](const MemoryEvent& part) {
    if (part.space != Space::kGlobal) return;
    const Range range{part.address[0], static_cast<std::uint32_t>(std::popcount(part.mask)) * 16};
    const auto use = state_->classifier.global_use(part, count_sectors(range), range);
    state_->below_l1(part, use, range);
  });
}

void Counters::on_memory(const run::MemoryEvent& event) {
  if (event.is_bulk) return;  // on_bulk() counts the whole copy
  if (!state_->is_copy.empty() && event.space == Space::kShared) note_shared(event);
  with_own_l1([&] { state_->count(event); });
}

void Counters::add_spills(const std::vector<run::InstructionCount>& executed) {
  memory::add_spills(state_->machine, executed, state_->rows);
}

const std::vector<InstructionCounters>& Counters::instructions() const { return state_->rows; }
const std::vector<std::uint64_t>& Counters::partition_bytes() const {
  return state_->partition_bytes;
}
std::uint64_t Counters::copied_shared_bytes() const { return 4 * state_->copied_words; }
std::uint64_t Counters::shared_loads_with_copies() const { return state_->loads_with_copies; }
std::uint64_t Counters::shared_loads_beside_copies() const { return state_->loads_beside_copies; }
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

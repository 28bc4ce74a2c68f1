// SPDX-License-Identifier: Apache-2.0
// Records the blocks of a sample for the simulation of time.
//
// In: the instructions of each warp and their memory accesses, in PTX order. Out: a Trace in
// machine order. Each warp collects its current stretch. At its end, its steps go to the warp's
// program, and its requests to the warp's. One state accompanies every event of a block.
#include "common/timing/tracer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/classifier.h"
#include "common/memory/l1_cache.h"
#include "common/memory/machine_access.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/timing/block_replay.h"
#include "common/timing/block_waits.h"
#include "common/timing/bound.h"
#include "common/timing/l1_loads.h"
#include "common/timing/l1_sharing.h"
#include "common/timing/machine_code.h"
#include "common/timing/model.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"
#include "common/timing/waits.h"

namespace warpgrade::timing {
namespace {

using run::MemoryEvent;
using run::Operation;
using run::Space;

// Longer stretches are split: scheduling needs quadratic time, and ptxas has limits, too.
constexpr std::size_t kLongestStretch = 512;

// Work of scheduling a stretch and of storing it: per stretch, and per pair of its instructions.
constexpr std::uint64_t kStretchWork = 256;
constexpr std::uint64_t kPairWork = 2;

std::uint16_t narrow(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min(value, 0xffffU));
}

}  // namespace

struct Tracer::State {
  State(const device::Profile& p, const Sample& s, std::span<const char> c, bool lines,
        std::uint32_t blocks)
      : profile(&p),
        sample(&s),
        machine_code(c),
        follows_lines(lines),
        resident(blocks),
        classifier(p),
        contention(p) {}

  void issue(WarpRecord& record, std::uint32_t warp, std::uint32_t instruction);
  void add_spills(WarpRecord& record, std::uint32_t warp, std::uint32_t instruction);
  std::uint64_t end_stretch(WarpRecord& warp);
  RecordedAccess& record(const MemoryEvent& event);
  void transact(const memory::GlobalAccess& access, TracedAccess& out);
  void atomic(const MemoryEvent& event, TracedAccess& out);
  TracedAccess& record_shared(const MemoryEvent& event);

  // Called by the classifier.
  template <typename AnyLines>
  void on_global(const MemoryEvent& event, const memory::GlobalUse& use, const AnyLines& touched);
  void on_shared(const MemoryEvent& event, const memory::SharedAccess& access);
  void on_shared_loop(const MemoryEvent& event, const memory::SharedLoop& loop);
  void on_local(const MemoryEvent& event, const memory::GlobalAccess& access,
                const memory::Lines& touched_here);
  void on_cluster(const MemoryEvent& event, const memory::GlobalAccess& /*access*/) {
    classifier.classify_shared(event, *this);
    recorded->access.is_remote = true;
  }

  std::uint32_t l1_wavefronts(const MemoryEvent& event);
  std::uint32_t returned_wavefronts(const MemoryEvent& event) const;

  const device::Profile* profile;
  const Sample* sample;
  std::span<const char> machine_code;
  bool follows_lines;
  std::uint32_t resident;      ///< Blocks per SM; 0: unknown.
  std::uint64_t l1_bytes = 0;  ///< That they share; 0: none, or their loads are shared already.
  Programs programs;
  memory::Classifier classifier;
  BlockReplay caches{0, 0};
  std::vector<TouchedLine> touched;    ///< By the block.
  std::vector<std::uint64_t> buffers;  ///< Addresses, ascending.
  memory::Lines l1_lines;
  SwapContention contention;
  std::optional<RecordedAccess> recorded;  ///< The access that is being classified.
  bool is_traced = false;                  ///< The current block is traced.
  BlockTrace block;                        ///< Reused, so that it rarely has to grow.
  std::vector<WarpRecord> warps;
  BlockWaits waits;
  std::vector<std::uint64_t> block_of_part;  ///< Number of the block that used the part last.
  std::uint64_t blocks_begun = 0;
  std::shared_ptr<Trace> own_trace = std::make_shared<Trace>();
  Trace& trace = *own_trace;
};

void Tracer::State::issue(WarpRecord& record, std::uint32_t warp, std::uint32_t instruction) {
  record.append(instruction);
  add_spills(record, warp, instruction);
}

void Tracer::State::add_spills(WarpRecord& record, std::uint32_t warp, std::uint32_t instruction) {
  for (const SpillAccess& spill : programs.ops()[instruction].access.spills) {
    record.add(spill_request(spill, warp, touched));
  }
}

// Returns the stretch's work if the block has not met it yet, so the work of a block does not
// depend on previous blocks.
std::uint64_t Tracer::State::end_stretch(WarpRecord& warp) {
  if (warp.stretch.empty()) return 0;
  const auto length = warp.stretch.size();
  for (const std::uint32_t r : programs.extend(warp.path, warp.stretch)) {
    warp.requests.push_back(warp.stretch_requests[r]);
  }
  warp.clear_stretch();
  const auto part = warp.path.back();
  if (part >= block_of_part.size()) block_of_part.resize(part + 1);
  const bool is_new = std::exchange(block_of_part[part], blocks_begun) != blocks_begun;
  return is_new ? kStretchWork + kPairWork * length * length : 0;
}

constexpr std::uint64_t kPageBytes = 1024;
constexpr std::uint64_t kGranuleBytes = 64;

std::uint32_t hash(std::uint64_t number) {
  return static_cast<std::uint32_t>(number * 0x9e3779b97f4a7c15U >> 32);
}

void keep_lanes(const memory::Request& request, TracedAccess& out) {
  out.lanes = static_cast<std::uint8_t>(std::popcount(request.mask));
  out.on_one_word = static_cast<std::uint8_t>(memory::most_on_one_word(request));
}

RecordedAccess& Tracer::State::record(const MemoryEvent& event) {
  auto& out = recorded.emplace().access;
  out.kind = event.operation == Operation::kLoad    ? TracedAccess::Kind::kLoad
             : event.operation == Operation::kStore ? TracedAccess::Kind::kStore
                                                    : TracedAccess::Kind::kAtomic;
  return *recorded;
}

void Tracer::State::transact(const memory::GlobalAccess& access, TracedAccess& out) {
  const auto& transactions = classifier.transactions();
  out.lines = narrow(access.lines);
  out.sectors = narrow(access.sectors);
  out.partial = narrow(access.partial_sectors);
  out.first_transaction = static_cast<std::uint32_t>(block.transactions.size());
  out.transactions = transactions.count;
  block.transactions.insert(block.transactions.end(), transactions.list.begin(),
                            transactions.list.begin() + transactions.count);
}

template <typename AnyLines>
void Tracer::State::on_global(const MemoryEvent& event, const memory::GlobalUse& use,
                              const AnyLines& touched_here) {
  auto& here = record(event);
  TracedAccess& out = here.access;
  if (profile->rules.coalescing != device::Coalescing::kSectors) return transact(use.access, out);
  const memory::Request request{event.address, event.mask, event.bytes};
  const auto address = event.address[std::countr_zero(event.mask)];
  out.place = hash(address / kPageBytes);
  out.granule = hash(address / kGranuleBytes);
  const auto behind = std::upper_bound(buffers.begin(), buffers.end(), address);
  out.buffer = static_cast<std::uint8_t>(
      std::min<std::ptrdiff_t>(behind - buffers.begin(), TracedAccess::kNoBuffer + 1) - 1);
  out.lines = narrow(use.access.lines);
  // With a unified L1 and shared memory, the data of a request passes the banks of both.
  if (profile->rules.shared_banks == device::SharedBanks::kThirtyTwo) {
    out.wavefronts = narrow(std::max(l1_wavefronts(event), returned_wavefronts(event)));
    if (profile->l1.tag_lookups_per_clock == memory::kTagBankCount) {
      out.tag_clocks = narrow(memory::tag_clocks(request, profile->rules.tag_banks));
    }
  }
  out.sectors = narrow(use.l2_sectors);
  out.partial = narrow(use.access.partial_sectors);
  if (out.kind == TracedAccess::Kind::kAtomic) {
    if (profile->l2.atomic_units) atomic(event, out);
    return;
  }
  here.first_line = static_cast<std::uint32_t>(touched.size());
  keep(touched_here, touched);
  here.lines = static_cast<std::uint32_t>(touched.size()) - here.first_line;
  out.is_in_l1 = use.may_hit_l1;
  const auto pages = pages_of(std::span(touched).subspan(here.first_line), kPageBytes);
  out.pages = static_cast<std::uint8_t>(pages);
}

void Tracer::State::atomic(const MemoryEvent& event, TracedAccess& out) {
  const memory::Request request{event.address, event.mask, event.bytes};
  keep_lanes(request, out);
  const auto form = classifier.form(event);
  out.returns = !form.is_reduction;
  const auto works = memory::atomic_works(request, form.is_float);
  out.first_transaction = static_cast<std::uint32_t>(block.atomic_works.size());
  out.atomic_works = works.count;
  block.atomic_works.insert(block.atomic_works.end(), works.list.begin(),
                            works.list.begin() + works.count);
}

TracedAccess& Tracer::State::record_shared(const MemoryEvent& event) {
  auto& out = record(event).access;
  out.kind = TracedAccess::Kind::kShared;
  return out;
}

void Tracer::State::on_shared(const MemoryEvent& event, const memory::SharedAccess& access) {
  auto& out = record_shared(event);
  if (run::is_atomic(event.operation) &&
      classifier.form_on_shared(event) != memory::AtomicForm::OnShared::kCount) {
    keep_lanes({event.address, event.mask, event.bytes}, out);
  }
  // Wavefronts deliver the words of a conflict one after the other, so only bytes can take longer.
  out.wavefronts = narrow(std::max(access.wavefronts, returned_wavefronts(event)));
}

// All rounds of a loop of loads and swaps together.
void Tracer::State::on_shared_loop(const MemoryEvent& event, const memory::SharedLoop& loop) {
  auto& out = record_shared(event);
  keep_lanes({event.address, event.mask, event.bytes}, out);
  out.wavefronts = narrow(loop.loads.wavefronts + loop.swaps.wavefronts);
  out.rounds = loop.rounds;
  out.first_transaction = contention.add(event);
}

void Tracer::State::on_local(const MemoryEvent& event, const memory::GlobalAccess& access,
                             const memory::Lines& touched_here) {
  record(event) = array_request(event, access, touched_here, touched);
}

std::uint32_t Tracer::State::l1_wavefronts(const MemoryEvent& event) {
  if (event.stride == event.bytes) return std::max<std::uint32_t>(event.bytes / 4, 1);
  if (event.bytes <= 4 && event.stride != run::kIrregular && event.stride % 4 == 0) {
    return memory::words_apart(event.stride).wavefronts;
  }
  return memory::l1_wavefronts({event.address, event.mask, event.bytes}, l1_lines);
}

// Clocks to fill the registers of a load from L1 or shared memory; 0 if only the banks limit it.
std::uint32_t Tracer::State::returned_wavefronts(const MemoryEvent& event) const {
  if (event.operation != Operation::kLoad) return 0;
  const double lanes = std::popcount(event.mask);
  const auto clocks = [](double amount, std::optional<double> per_clock) {
    return per_clock ? static_cast<std::uint32_t>(std::ceil(amount / *per_clock)) : 0;
  };
  const auto by_lanes = clocks(lanes, profile->l1.loaded_lanes_per_clock);
  const auto bytes = profile->l1.loaded_bytes_per_clock;
  if (!bytes || event.stride != event.bytes || event.space != Space::kGlobal)
    return std::max(by_lanes, clocks(lanes * event.bytes, bytes));
  // Each clock fills registers from one line of L1: a load of 32 words across two lines needs
  // three.
  const std::uint64_t first = event.address[std::countr_zero(event.mask)] % kL1LineBytes;
  const auto all = static_cast<std::uint64_t>(lanes) * event.bytes;
  const auto in_first = std::min(all, kL1LineBytes - first);
  const auto behind = (all - in_first) % kL1LineBytes;
  return std::max(by_lanes, clocks(static_cast<double>(in_first), bytes) +
                                clocks(static_cast<double>(all - in_first - behind), bytes) +
                                clocks(static_cast<double>(behind), bytes));
}

Tracer::Tracer(const device::Profile& profile, const Sample& sample,
               std::span<const char> machine_code, bool follows_lines, std::uint32_t resident)
    : state_(std::make_unique<State>(profile, sample, machine_code, follows_lines, resident)) {}
Tracer::~Tracer() = default;

std::unique_ptr<run::Observer> Tracer::fork() const {
  return std::make_unique<Tracer>(*state_->profile, *state_->sample, state_->machine_code,
                                  state_->follows_lines, state_->resident);
}

void Tracer::join(run::Observer& other) {
  State& theirs = *dynamic_cast<Tracer&>(other).state_;
  std::vector<std::uint32_t> ours;
  auto& lines = state_->trace.lines;
  const auto& their_lines = theirs.trace.lines;
  if (lines == nullptr && their_lines != nullptr) {
    lines = std::make_shared<StepLines>(their_lines->without_lists());
  }
  for (WarpProgram& program : theirs.trace.programs) {
    for (Step& step : program) {
      if (lines != nullptr) step.parts = lines->number_of(their_lines->parts(step.parts));
    }
    ours.push_back(state_->programs.number_of(std::move(program), state_->trace.programs));
  }
  state_->trace.unmodelled.add(theirs.trace.unmodelled);
  state_->l1_bytes = std::max(state_->l1_bytes, theirs.l1_bytes);
  auto& blocks = state_->trace.blocks;
  for (BlockTrace& block : theirs.trace.blocks) {
    for (WarpTrace& warp : block.warps) warp.program = ours[warp.program];
    blocks.push_back(std::move(block));
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const BlockTrace& a, const BlockTrace& b) { return a.linear < b.linear; });
}

void Tracer::on_launch(const run::LaunchContext& context) {
  State& state = *state_;
  auto ops = machine_code(*context.function, *state.profile, state.machine_code);
  state.classifier.on_launch(context);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    ops[i].is_loop = state.profile->shared.swap_round_clocks &&
                     ops[i].kind == MachineOp::Kind::kFence &&
                     ops[i].space == ptx::StateSpace::kShared &&
                     state.classifier.forms()[i].on_shared == memory::AtomicForm::OnShared::kLoop;
  }
  for (const auto& loop : clock_loops(*context.function)) {
    // The simulator's clocks count instructions, so each of them is a clock or a nanosecond.
    const double clocks = loop.is_timer ? state.profile->sm.clock_hz * 1e-9 : 1;
    for (auto i = loop.begin; i < loop.end; ++i) {
      ops[i].slots = 0;
      ops[i].clocks = clocks;
      ops[i].pipes = {};
      ops[i].latency = 0;
    }
  }
  if (state.follows_lines) state.trace.lines = std::make_shared<StepLines>(*context.function);
  state.programs.start(std::move(ops), state.trace.lines);
  if (state.profile->compute.major >= 7 && sleeps_until_others(*context.function)) {
    state.trace.unmodelled.add(Unmodelled::kSleepsOfWaits);
  }
  state.caches =
      BlockReplay(state.classifier.l1_bytes(), memory::l2_share(*state.profile, context));
  if (state.resident != 0) state.l1_bytes = memory::l1_beside(*state.profile, context);
  if (context.buffer_addresses != nullptr) state.buffers = *context.buffer_addresses;
  state.warps.resize(context.warps_per_block);
}

void Tracer::on_block_begin(std::uint64_t linear_block) {
  State& state = *state_;
  state.is_traced = state.sample->contains(linear_block);
  if (!state.is_traced) return;
  if (deferred_ != nullptr) on_launch(*std::exchange(deferred_, nullptr));
  ++state.blocks_begun;
  state.block.linear = linear_block;
  state.block.instructions = 0;
  state.block.warps.clear();
  state.block.requests.clear();
  state.block.transactions.clear();
  state.block.atomic_works.clear();
  state.waits = {};
  state.touched.clear();
  state.classifier.begin_block();
  state.contention.begin_block();
  for (WarpRecord& warp : state.warps) warp.clear();
}

bool Tracer::wants_instructions() const { return state_->is_traced; }

std::uint64_t Tracer::on_instruction(std::uint32_t warp, std::uint32_t instruction) {
  State& state = *state_;
  std::uint64_t work = 0;
  ++state.block.instructions;
  WarpRecord& record = state.warps[warp];
  const MachineOp& op = state.programs.ops()[instruction];
  const bool has_gone_back = std::exchange(record.goes_back, false);
  if (has_gone_back && record.loop_head == instruction) {
    state.issue(record, warp, instruction);
    return work;
  }
  if (has_gone_back || op.begins_stretch) record.passes = 0;
  if (has_gone_back) work += state.end_stretch(record);
  if (!op.begins_stretch && record.resume(instruction)) {
    state.add_spills(record, warp, instruction);
    return work + (op.ends_stretch ? state.end_stretch(record) : 0);
  }
  if (!record.stretch.empty()) {
    const std::uint32_t last = record.stretch.back().instruction;
    const bool is_near =
        last < instruction && record.stretch.size() + (instruction - last) <= kLongestStretch;
    if (!is_near || op.begins_stretch) {
      work += state.end_stretch(record);
    } else {  // predicated-off instructions in between
      for (std::uint32_t i = last + 1; i < instruction; ++i) record.stretch.push_back({i, 0, true});
    }
  }
  state.issue(record, warp, instruction);
  if (op.joined_passes != 0 && ++record.passes < op.joined_passes &&
      record.stretch.size() < kLongestStretch) {
    record.stretch.pop_back();  // machine code has no branch here
    record.goes_back = true;
    record.loop_head = op.joins;
    return work;
  }
  if (op.joined_passes != 0) record.passes = 0;
  if (op.ends_stretch) work += state.end_stretch(record);
  return work;
}

void Tracer::add(const run::MemoryEvent& event, TracedAccess::Copy copy) {
  State& state = *state_;
  if (!state.is_traced) return;
  WarpRecord& record = state.warps[event.warp];
  const MachineOp& op = state.programs.ops()[event.instruction];
  if (event.space == Space::kConstant || event.space == Space::kParam) {
    if (op.space == ptx::StateSpace::kConstant || op.space == ptx::StateSpace::kParam)
      state.waits.read_constants(record, event);
    return;
  }
  state.recorded.reset();
  state.classifier.classify(op.access, event, state);
  auto& request = state.recorded;
  if (!request || record.stretch.empty()) return;
  if (op.fence != FenceScope::kNone) {
    record.add({.kind = TracedAccess::Kind::kFence, .fence = op.fence, .is_release = true});
  }
  const bool is_async = op.is_copy && event.space == Space::kGlobal;
  request->access.is_object = op.is_object;
  request->access.copy = is_async ? TracedAccess::Copy::kAsync : copy;
  if (state.profile->rules.shared_banks == device::SharedBanks::kThirtyTwo) {
    record.stored.add(*request, state.touched);
  }
  record.add(*request);
}

void Tracer::on_match(std::uint32_t warp, std::uint32_t /*instruction*/, std::uint32_t values) {
  State& state = *state_;
  WarpRecord& record = state.warps[warp];
  if (!state.profile->sm.pipes.match_clocks || record.stretch.empty()) return;
  RecordedAccess recorded;
  recorded.access.kind = TracedAccess::Kind::kShared;
  recorded.access.values = static_cast<std::uint8_t>(values);
  record.add(recorded);
}

void Tracer::on_sleep(std::uint32_t warp, std::uint32_t /*instruction*/,
                      std::uint32_t nanoseconds) {
  // PTX has no sleep before sm_70; code that waits at barrier objects polls there.
  if (state_->profile->compute.major < 7) return;
  if (state_->is_traced) BlockWaits::sleep(state_->warps[warp], nanoseconds);
}

void Tracer::on_rare_operands(std::uint32_t warp, std::uint32_t instruction,
                              run::RareOperands rare) {
  State& state = *state_;
  if (!state.is_traced) return;
  const auto& clocks = state.programs.ops()[instruction].subroutine_clocks;
  state.warps[warp].add({.kind = TracedAccess::Kind::kSubroutine,
                         .place = clocks.at(static_cast<std::size_t>(rare))});
}

// At a barrier of the whole block its warps have a step of their own.
void Tracer::on_barrier(const run::BarrierEvent& event) {
  State& state = *state_;
  if (!state.is_traced) return;
  if (state.programs.ops()[event.instruction].kind == MachineOp::Kind::kBarrier) return;
  state.waits.meet(state.warps, event);
}

void Tracer::on_order(const run::OrderEvent& event) {
  State& state = *state_;
  if (!state.is_traced) return;
  WarpRecord& warp = state.warps[event.warp];
  if (event.kind != run::OrderEvent::Kind::kFence) return state.waits.order(warp, event);
  const FenceScope fence = state.programs.ops()[event.instruction].fence;
  if (fence != FenceScope::kNone) warp.add({.kind = TracedAccess::Kind::kFence, .fence = fence});
}

void Tracer::on_copy(const run::CopyEvent& event) {
  if (state_->is_traced) BlockWaits::copy(state_->warps[event.warp], event);
}

void Tracer::on_bulk(const run::BulkEvent& event) {
  using Copy = TracedAccess::Copy;
  if (!state_->is_traced) return;
  const bool is_out = event.kind == run::BulkEvent::Kind::kToGlobal;
  memory::for_each_bulk_request(event, [&](const run::MemoryEvent& part) {
    const bool is_global = part.space == Space::kGlobal;
    add(part, is_global ? (is_out ? Copy::kBulkOut : Copy::kBulkIn)
                        : (is_out ? Copy::kBulkRead : Copy::kNone));
  });
  state_->waits.bulk(state_->warps[event.warp], event);
}

void Tracer::on_block_end() {
  State& state = *state_;
  if (!state.is_traced) return;
  for (WarpRecord& record : state.warps) state.end_stretch(record);
  std::vector<std::vector<RecordedAccess>*> requests;
  for (WarpRecord& record : state.warps) requests.push_back(&record.requests);
  state.caches.run(requests, state.touched);
  state.block.l1_sectors = state.caches.looked_up();
  state.block.l1_hits = state.caches.hits();
  state.block.l1_loads = state.caches.l1_loads();
  for (WarpRecord& record : state.warps) {
    state.block.warps.push_back({state.programs.number_of(record.path, state.trace.programs),
                                 static_cast<std::uint32_t>(state.block.requests.size())});
    for (const RecordedAccess& request : record.requests) {
      state.block.requests.push_back(request.access);
    }
  }
  // Accesses of the block's other warps to the same words are known only now.
  state.contention.lengthen(state.block.requests);
  state.block.arrivals = state.waits.arrivals();
  state.block.constant_lines = state.waits.constant_lines();
  state.block.constant_misses = 0;
  for (const WarpRecord& record : state.warps) {
    state.block.constant_misses = std::max(state.block.constant_misses, record.constant_misses);
  }
  state.trace.blocks.push_back(state.block);  // a copy allocates no more than needed
  state.is_traced = false;
}

std::shared_ptr<const Trace> Tracer::shared_trace() const {
  if (const auto bytes = std::exchange(state_->l1_bytes, 0); bytes != 0) {
    const Sample& sample = *state_->sample;
    const double sms = sample.sms / sample.chip_share;
    const double blocks = sample.blocks / std::max(sample.sms, 1U);
    share_l1({.bytes = static_cast<double>(bytes),
              .resident = std::min(1.0 * state_->resident, std::ceil(blocks)),
              .blocks = blocks,
              .row = static_cast<std::uint64_t>(std::lround(std::max(sms, 1.0))),
              .sms = std::max<std::uint64_t>(sample.sms, 1)},
             state_->trace);
  }
  return state_->own_trace;
}

}  // namespace warpgrade::timing

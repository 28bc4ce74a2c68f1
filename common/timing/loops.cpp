// SPDX-License-Identifier: Apache-2.0
// The loops of machine code: how often they are unrolled, and how fast they run in lockstep.
//
// In: the machine instructions of a kernel (cubin.h), and its PTX. Out: for each innermost loop
// of PTX the unroll factor and the loads in flight; for a loop of arithmetic its clocks per warp.
#include "common/timing/loops.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/timing/cubin.h"

namespace warpgrade::timing {
namespace {

using InstructionKind = MachineInstruction::Kind;

// A larger factor counts as a mistake.
constexpr std::uint32_t kMostTimes = 64;

/// The work of one pass of a loop.
struct LoopWork {
  std::array<std::uint32_t, 4> bytes{};  ///< Global loads, global stores, shared loads and stores.
  std::uint32_t step = 0;                ///< The largest step of a counter.

  bool moves() const {
    return std::any_of(bytes.begin(), bytes.end(), [](std::uint32_t b) { return b != 0; });
  }
};

struct Loop {
  std::uint32_t head = 0;
  std::uint32_t branch = 0;
  LoopWork work;
  std::uint32_t loads_ahead = 0;  ///< As in UnrolledLoop.
};

/// Keeps the innermost loops, in the order of their branches.
void keep_innermost(std::vector<Loop>& loops) {
  std::sort(loops.begin(), loops.end(),
            [](const Loop& a, const Loop& b) { return a.branch < b.branch; });
  const std::vector<Loop> all = loops;
  std::erase_if(loops, [&](const Loop& loop) {
    return std::any_of(all.begin(), all.end(), [&](const Loop& other) {
      return other.head >= loop.head && other.branch < loop.branch;
    });
  });
}

std::uint32_t magnitude(std::int32_t step) {
  return step < 0 ? 0U - static_cast<std::uint32_t>(step) : static_cast<std::uint32_t>(step);
}

/// Bytes of a load or store, per lane.
std::uint32_t bytes_of(const ptx::Instruction& in) {
  const std::uint32_t element = ptx::size_of(in.types[0]);
  const auto shape = ptx::matrix_shape(in);
  if (ptx::facts(in).family != ptx::Family::kFragment || !shape) return element * in.vector;
  const auto [m, n, k] = *shape;
  const bool is_a = in.modifiers.has(ptx::Modifier::matrix_a);
  const bool is_b = in.modifiers.has(ptx::Modifier::matrix_b);
  return element * (is_a ? m * k : is_b ? n * k : m * n) / run::kWarpSize;
}

LoopWork work_of(const ptx::Instruction& in) {
  LoopWork work;
  const auto& facts = ptx::facts(in);
  const auto bytes = bytes_of(in);
  const bool is_shared = in.space == ptx::StateSpace::kShared;
  if (is_shared || in.space == ptx::StateSpace::kGlobal) {
    const std::size_t first = is_shared ? 2 : 0;
    if (facts.memory == ptx::MemoryRole::kLoad) work.bytes[first] = bytes;
    if (facts.memory == ptx::MemoryRole::kStore) work.bytes[first + 1] = bytes;
  }
  const bool is_counter = facts.algebra == ptx::Algebra::kSum && ptx::size_of(in.types[0]) == 4 &&
                          in.operands.at(2).kind == ptx::Operand::Kind::kImmediate &&
                          in.operands.at(2).number == ptx::Operand::Number::kInteger &&
                          in.operands.at(1).kind == ptx::Operand::Kind::kRegister &&
                          in.operands.at(0).index == in.operands.at(1).index;
  if (is_counter) work.step = magnitude(static_cast<std::int32_t>(in.operands.at(2).bits));
  return work;
}

LoopWork work_of(const MachineInstruction& in) {
  LoopWork work;
  if (in.kind >= InstructionKind::kGlobalLoad && in.kind <= InstructionKind::kSharedStore) {
    const auto which =
        static_cast<std::size_t>(in.kind) - static_cast<std::size_t>(InstructionKind::kGlobalLoad);
    work.bytes.at(which) = in.bytes;
  }
  work.step = magnitude(in.step);
  return work;
}

std::uint32_t loads_ahead(std::span<const MachineInstruction> code, const Loop& loop) {
  std::uint32_t loads = 0;
  std::uint32_t pending = 0;  // their barriers
  for (const MachineInstruction& one : code.subspan(loop.head, loop.branch + 1 - loop.head)) {
    const bool is_load = one.kind == InstructionKind::kGlobalLoad;
    if ((one.waits & pending) != 0 && !is_load) return loads;
    if (!is_load || one.sets == MachineInstruction::kNoBarrier) continue;
    ++loads;
    pending |= 1U << one.sets;
  }
  return 0;
}

template <typename Code>
void sum_work(const Code& code, std::vector<Loop>& loops) {
  for (Loop& loop : loops) {
    for (std::uint32_t i = loop.head; i <= loop.branch; ++i) {
      const LoopWork work = work_of(code[i]);
      for (std::size_t b = 0; b < work.bytes.size(); ++b) loop.work.bytes[b] += work.bytes[b];
      loop.work.step = std::max(loop.work.step, work.step);
    }
  }
}

std::vector<Loop> loops_of(const ptx::Function& function) {
  std::vector<Loop> loops;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& in = function.instructions[i];
    if (ptx::facts(in).flow != ptx::Flow::kBranch) continue;
    const std::uint32_t target = in.operands.at(0).index;
    if (target <= i) loops.push_back({target, i, {}});
  }
  keep_innermost(loops);
  sum_work(function.instructions, loops);
  return loops;
}

std::vector<Loop> loops_of(std::span<const MachineInstruction> code) {
  std::vector<Loop> loops;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].kind != InstructionKind::kBranch || code[i].target < 0 || code[i].target >= i)
      continue;
    loops.push_back({static_cast<std::uint32_t>(code[i].target), i, {}});
  }
  keep_innermost(loops);
  sum_work(code, loops);
  for (Loop& loop : loops) loop.loads_ahead = loads_ahead(code, loop);
  return loops;
}

/// The factor from `one` to `many`; 0 if it is not a whole number.
std::uint32_t times(const LoopWork& one, const LoopWork& many) {
  if (one.moves() != many.moves()) return 0;
  if (!one.moves()) {
    return one.step == 0 || many.step % one.step != 0 ? 0 : many.step / one.step;
  }
  std::uint32_t found = 0;
  for (std::size_t b = 0; b < one.bytes.size(); ++b) {
    if (one.bytes[b] == 0 && many.bytes[b] == 0) continue;
    if (one.bytes[b] == 0 || many.bytes[b] % one.bytes[b] != 0) return 0;
    const std::uint32_t ratio = many.bytes[b] / one.bytes[b];
    if (found != 0 && found != ratio) return 0;
    found = ratio;
  }
  return found;
}

/// Whether a machine-code loop may belong to a PTX loop: they share lines, or lines are unknown.
bool may_be(const ptx::Function& function, const Loop& loop,
            std::span<const MachineInstruction> code, const Loop& machine) {
  const auto first = function.instructions[loop.head].ptx_line;
  const auto last = function.instructions[loop.branch].ptx_line;
  for (std::uint32_t i = machine.head; i <= machine.branch; ++i) {
    if (code[i].line == 0 || (code[i].line >= first && code[i].line <= last)) return true;
  }
  return false;
}

}  // namespace

std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function,
                                         std::span<const MachineInstruction> code) {
  std::vector<UnrolledLoop> out;
  const std::vector<Loop> machine = loops_of(code);
  std::size_t next = 0;
  for (const Loop& loop : loops_of(function)) {
    const auto times_of = [&](const Loop& other) {
      return may_be(function, loop, code, other) ? times(loop.work, other.work) : 0;
    };
    std::size_t at = next;
    while (at < machine.size() && times_of(machine[at]) == 0) ++at;
    if (at == machine.size()) continue;  // unrolled completely
    UnrolledLoop found{loop.head, loop.branch, 0};
    for (std::uint32_t here = 0; at < machine.size() && here != 1; ++at) {
      here = times_of(machine[at]);
      if (here == 0) break;
      if (here <= found.times) continue;
      found.times = here;
      found.loads_ahead = machine[at].loads_ahead;
    }
    next = at;
    if (found.times > 1 && found.times <= kMostTimes) out.push_back(found);
  }
  return out;
}

namespace {

using Unit = MachineInstruction::Unit;

// Throughput hardly depends on the number of warps from eight on.
constexpr std::size_t kWarps = 8;
constexpr std::size_t kBarriers = 6;
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Occupied {
  std::size_t pipe = 0;  ///< 0: none.
  double clocks = 0;
};

Occupied occupied(const MachineInstruction& one, const UnitClocks& units) {
  switch (one.unit) {
    case Unit::kAlu:
      return {1, units.alu};
    case Unit::kXu:
      return {2, units.xu};
    case Unit::kXuOfDoubles:
      if (units.fp64 > units.xu) return {3, units.fp64};
      return {2, units.xu};
    case Unit::kFp64:
      return {3, units.fp64};
    case Unit::kFloat:
      if (units.fp32 > 0) return {4, units.fp32};
      break;
    case Unit::kFmaHeavy:
      return {4, units.fma_heavy};
    case Unit::kFmaHeavyTwice:
    case Unit::kWideProduct:
      return {4, 2 * units.fma_heavy};
    case Unit::kNone:
      break;
  }
  return {};
}

class Scheduler {
 public:
  Scheduler(std::span<const MachineInstruction> loop, const UnitClocks& units)
      : loop_(loop), units_(units) {}

  void run(std::size_t passes) {
    last_issues_.assign(passes * loop_.size(), 0);
    double now = 0;
    while (true) {
      Warp* next = nullptr;
      double soonest = kNever;
      for (Warp& warp : warps_) {
        if (warp.issued == last_issues_.size()) continue;
        const double ready = ready_at(warp);
        if (ready > now) {
          soonest = std::min(soonest, ready);
        } else if (next == nullptr || is_before(warp, *next)) {
          next = &warp;
        }
      }
      if (next != nullptr) {
        const double held = units_.held_by(loop_[next->issued % loop_.size()]);
        issue(*next, now);
        now += 1 + held;
      } else if (soonest == kNever) {
        return;
      } else {
        now = soonest;
      }
    }
  }

  /// When the last warp has issued each instruction of each pass.
  const std::vector<double>& last_issues() const { return last_issues_; }

 private:
  struct Warp {
    std::size_t issued = 0;  ///< Instructions.
    double last = -1;        ///< When it issued.
    double next = 0;         ///< When it may issue again.
    std::array<double, kBarriers> results{};
  };

  static bool is_before(const Warp& a, const Warp& b) {
    return a.issued != b.issued ? a.issued < b.issued : a.last < b.last;
  }

  const MachineInstruction& instruction(const Warp& warp) const {
    return loop_[warp.issued % loop_.size()];
  }

  double ready_at(const Warp& warp) const {
    const MachineInstruction& one = instruction(warp);
    const double queued = one.is_looked_up() ? units_.xu : 0;  // one instruction may wait there
    double ready = std::max(warp.next, free_[occupied(one, units_).pipe] - queued);
    for (std::size_t b = 0; b < kBarriers; ++b) {
      if ((one.waits >> b & 1U) != 0) ready = std::max(ready, warp.results[b]);
    }
    return ready;
  }

  void issue(Warp& warp, double now) {
    const MachineInstruction& one = instruction(warp);
    const auto [pipe, clocks] = occupied(one, units_);
    const double begin = std::max(now, free_[pipe]);
    if (pipe != 0) free_[pipe] = begin + clocks;
    if (one.sets < kBarriers && one.is_looked_up()) warp.results[one.sets] = begin + units_.look_up;
    warp.last = now;
    last_issues_[warp.issued] = now;  // the last warp to issue it writes last
    warp.next = now + std::max<double>(one.stall, 1);
    if (++warp.issued % loop_.size() == 0) warp.next += units_.branch;
  }

  std::span<const MachineInstruction> loop_;
  const UnitClocks& units_;
  std::array<Warp, kWarps> warps_{};
  std::array<double, 5> free_{};  ///< When each pipe is free again.
  std::vector<double> last_issues_;
};

}  // namespace

UnitClocks unit_clocks(const device::Profile& profile) {
  const auto clocks = [&](std::optional<double> lanes) {
    return lanes ? 32 * profile.sm.schedulers / *lanes : 0;
  };
  return {.alu = clocks(profile.sm.pipes.alu_lanes),
          .xu = clocks(profile.sm.pipes.xu_lanes),
          .fp64 = clocks(profile.sm.pipes.fp64_lanes),
          .fma_heavy = clocks(profile.sm.pipes.fma_heavy_lanes),
          .fp32 = clocks(profile.sm.pipes.fp32_lanes),
          .look_up = static_cast<double>(profile.sm.pipes.xu_latency_clocks),
          .branch = static_cast<double>(profile.sm.pipes.branch_clocks),
          .wide_product = profile.sm.pipes.wide_product_held_clocks,
          .global_load = profile.sm.pipes.global_load_held_clocks};
}

std::vector<double> lockstep_clocks(std::span<const MachineInstruction> loop,
                                    const UnitClocks& units) {
  constexpr std::size_t kFirst = 2;  // until the warps are spread
  constexpr std::size_t kPasses = 8;
  std::vector<double> clocks(loop.size());
  if (loop.empty()) return clocks;
  Scheduler scheduler(loop, units);
  scheduler.run(kFirst + kPasses);
  const std::vector<double>& at = scheduler.last_issues();
  for (std::size_t i = kFirst * loop.size(); i < at.size(); ++i) {
    clocks[i % loop.size()] += (at[i] - at[i - 1]) / kPasses / kWarps;
  }
  return clocks;
}

}  // namespace warpgrade::timing

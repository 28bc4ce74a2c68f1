// SPDX-License-Identifier: Apache-2.0
#include "common/timing/machine_costs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/machine_access.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/timing/cubin.h"
#include "common/timing/loops.h"

namespace warpgrade::timing {
namespace {

using InstructionKind = MachineInstruction::Kind;
using Unit = MachineInstruction::Unit;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A cycle of instructions: from the target of a backward branch to that branch.
struct Circle {
  std::uint32_t head = 0;
  std::uint32_t branch = 0;

  bool holds(std::uint32_t i) const { return head <= i && i <= branch; }
};

/// For each of `count` instructions the smallest circle that contains it, or kNone.
std::vector<std::uint32_t> innermost(const std::vector<Circle>& circles, std::size_t count) {
  std::vector<std::uint32_t> order(circles.size());
  for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
  const auto size = [&](std::uint32_t c) { return circles[c].branch - circles[c].head; };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return size(a) > size(b); });
  std::vector<std::uint32_t> out(count, kNone);
  for (const std::uint32_t c : order) {
    for (std::uint32_t i = circles[c].head; i <= circles[c].branch && i < count; ++i) out[i] = c;
  }
  return out;
}

class Counting {
 public:
  Counting(const ptx::Function& function, std::span<const MachineInstruction> code,
           std::span<const UnrolledLoop> unrolled, const UnitClocks& units, double exchange)
      : function_(function), code_(code), units_(units), exchange_(exchange) {
    find_origins();
    find_circles();
    find_forms(unrolled);
    find_clocks();
  }

  std::vector<MachineCost> run() {
    std::vector<MachineCost> costs(function_.instructions.size());
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (origins_[i] == kNone || is_around_[i]) continue;
      const auto [to, weight] = place_of(i);
      if (code_[i].kind == InstructionKind::kSharedLoad ||
          code_[i].kind == InstructionKind::kSharedStore) {
        MachineCost& cost = costs[origins_[i]];
        cost.shared_bytes = std::max(cost.shared_bytes, code_[i].bytes);
        cost.shared_accesses += weight;
      }
      add_local(costs, i);
      if (weight == 0) continue;
      add(costs[to], i, weight);
      const InstructionKind kind = code_[i].kind;
      if (kind == InstructionKind::kCall && is_plain(origins_[i])) add_subroutine(costs[to], i);
      const bool leads_away = kind == InstructionKind::kBranch || kind == InstructionKind::kExit;
      if ((leads_away || kind == InstructionKind::kCall) && computes(origins_[i]))
        costs[origins_[i]].splits |= precedes_later_loads(i);
      if (leads_away && !is_plain(origins_[i])) costs[origins_[i]].branches = true;
    }
    for (std::uint32_t l = 0; l < loops_.size(); ++l) {
      if (is_arithmetic(l)) add_lockstep(l, costs);
    }
    find_places(costs);
    return costs;
  }

 private:
  bool is_plain(std::uint32_t ptx) const {
    return ptx::facts(function_.instructions[ptx]).flow == ptx::Flow::kNext;
  }

  bool computes(std::uint32_t ptx) const {
    return is_plain(ptx) &&
           ptx::facts(function_.instructions[ptx]).memory == ptx::MemoryRole::kNoMemory;
  }

  /// Whether PTX has loads between the instruction of the branch or call `i` and its next branch,
  /// and all of them are behind `i` in machine code, too.
  bool precedes_later_loads(std::uint32_t i) const {
    const auto& all = function_.instructions;
    std::uint32_t end = origins_[i] + 1;
    while (end < all.size() && is_plain(end)) ++end;
    bool any = false;
    for (std::uint32_t k = 0; k < end_; ++k) {
      const bool is_load = code_[k].kind == InstructionKind::kGlobalLoad ||
                           code_[k].kind == InstructionKind::kSharedLoad ||
                           code_[k].kind == InstructionKind::kLocalLoad;
      if (!is_load || circle_of_[k] != circle_of_[i] || origins_[k] == kNone ||
          origins_[k] <= origins_[i] || origins_[k] >= end)
        continue;
      if (k < i) return false;
      any = true;
    }
    return any;
  }

  /// Finds the PTX instruction of each machine instruction, and the start of subroutines.
  void find_origins() {
    std::map<std::uint32_t, std::uint32_t> by_line;
    for (std::uint32_t p = 0; p < function_.instructions.size(); ++p) {
      by_line.try_emplace(function_.instructions[p].ptx_line, p);
    }
    end_ = static_cast<std::uint32_t>(code_.size());
    for (const MachineInstruction& one : code_) {
      if (one.kind == InstructionKind::kCall && one.target > 0 && one.target < end_)
        end_ = static_cast<std::uint32_t>(one.target);
    }
    origins_.assign(code_.size(), kNone);
    is_around_.assign(code_.size(), false);
    for (std::uint32_t i = 0; i < end_; ++i) {
      const auto found = by_line.find(code_[i].line);
      const bool is_filler = code_[i].kind == InstructionKind::kNothing ||
                             (code_[i].kind == InstructionKind::kBranch && code_[i].target == i);
      if (found != by_line.end() && !is_filler) origins_[i] = found->second;
      // Code on the line of the kernel's start serves the whole kernel.
      if (found == by_line.end() && code_[i].line != 0 && code_[i].line < by_line.begin()->first)
        origins_[i] = 0;
    }
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (code_[i].kind != InstructionKind::kBranch || origins_[i] == kNone || is_around_[i] ||
          !is_plain(origins_[i]) || code_[i].target <= i)
        continue;
      const auto behind = std::min<std::int64_t>(code_[i].target, end_);
      for (std::uint32_t k = i + 1; k < behind; ++k) {
        if (origins_[k] == origins_[i]) is_around_[k] = true;
      }
    }
  }

  void find_circles() {
    for (std::uint32_t p = 0; p < function_.instructions.size(); ++p) {
      const ptx::Instruction& in = function_.instructions[p];
      if (ptx::facts(in).flow != ptx::Flow::kBranch) continue;
      if (const auto target = in.operands.at(0).index; target <= p) loops_.push_back({target, p});
    }
    loop_of_ = innermost(loops_, function_.instructions.size());
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (code_[i].kind != InstructionKind::kBranch || code_[i].target < 0 ||
          code_[i].target >= i || origins_[i] == kNone || is_plain(origins_[i]))
        continue;
      circles_.push_back({static_cast<std::uint32_t>(code_[i].target), i});
    }
    circle_of_ = innermost(circles_, code_.size());
  }

  /// Finds the PTX loop of each machine-code circle, and the largest circle of each loop.
  void find_forms(std::span<const UnrolledLoop> unrolled) {
    std::vector<std::map<std::uint32_t, std::uint32_t>> votes(circles_.size());
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (circle_of_[i] != kNone && origins_[i] != kNone)
        ++votes[circle_of_[i]][loop_of_[origins_[i]]];
    }
    forms_.assign(loops_.size(), kNone);
    form_of_.assign(circles_.size(), kNone);
    std::vector<std::uint32_t> sizes(loops_.size());
    for (std::uint32_t c = 0; c < circles_.size(); ++c) {
      std::uint32_t most = 0;
      for (const auto& [loop, count] : votes[c]) {
        if (count <= most) continue;
        most = count;
        form_of_[c] = loop;
      }
      const std::uint32_t loop = form_of_[c];
      if (loop == kNone || most <= sizes[loop]) continue;
      sizes[loop] = most;
      forms_[loop] = c;
    }
    times_.assign(loops_.size(), 1);
    for (std::uint32_t l = 0; l < loops_.size(); ++l) {
      times_[l] = copies(l);
      for (const UnrolledLoop& one : unrolled) {
        if (one.head == loops_[l].head && one.branch == loops_[l].branch) times_[l] = one.times;
      }
    }
  }

  /// Machine instructions by PTX instruction of the loop, in its form; without a form, in all code.
  std::map<std::uint32_t, std::uint32_t> by_origin(std::uint32_t loop, bool accesses_only) const {
    std::map<std::uint32_t, std::uint32_t> out;
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (origins_[i] == kNone || is_around_[i] || loop_of_[origins_[i]] != loop) continue;
      if (forms_[loop] != kNone && circle_of_[i] != forms_[loop]) continue;
      if (!accesses_only || code_[i].moves()) ++out[origins_[i]];
    }
    return out;
  }

  /// The usual number of copies of the loop's instructions. A loop without a form is unrolled
  /// completely, and its passes may share arithmetic, so its memory accesses count if it has any.
  std::uint32_t copies(std::uint32_t loop) const {
    auto counts = by_origin(loop, forms_[loop] == kNone);
    if (counts.empty()) counts = by_origin(loop, false);
    std::map<std::uint32_t, std::uint32_t> by_count;
    for (const auto& [origin, count] : counts) ++by_count[count];
    std::uint32_t best = 1;
    std::uint32_t most = 0;
    for (const auto& [count, origins] : by_count) {
      if (origins <= most) continue;
      most = origins;
      best = count;
    }
    return best;
  }

  /// Clocks of each machine instruction: until the next issue, plus waits for look-ups.
  void find_clocks() {
    clocks_.assign(code_.size(), 0);
    std::array<double, 8> ready{};
    double now = 0;
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      if (is_around_[i]) continue;
      const MachineInstruction& one = code_[i];
      double start = now;
      for (std::uint32_t b = 0; b < 6; ++b) {
        if ((one.waits >> b & 1U) != 0) start = std::max(start, ready.at(b));
      }
      clocks_[i] = start - now + one.stall;
      if (one.sets != MachineInstruction::kNoBarrier) {
        ready.at(one.sets) = start + latency_of(one);
      }
      now = start + one.stall;
    }
  }

  /// Waits for memory are modelled elsewhere.
  double latency_of(const MachineInstruction& one) const {
    if (one.is_looked_up()) return units_.look_up;
    return one.kind == InstructionKind::kExchange ? exchange_ : 0;
  }

  /// Finds the places of each PTX instruction in its loop, a copy for each pass of an unrolled one.
  void find_places(std::vector<MachineCost>& costs) const {
    std::vector<std::vector<std::uint32_t>> moved(costs.size());  // positions of memory accesses
    std::vector<std::vector<std::uint32_t>> all(costs.size());
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (origins_[i] == kNone || is_around_[i]) continue;
      const std::uint32_t loop = loop_of_[origins_[i]];
      const std::uint32_t form = loop == kNone ? kNone : forms_[loop];
      if (circle_of_[i] != form) continue;
      if (code_[i].moves()) moved[origins_[i]].push_back(i);
      all[origins_[i]].push_back(i);
    }
    for (std::uint32_t p = 0; p < costs.size(); ++p) {
      const bool is_access =
          ptx::facts(function_.instructions[p]).memory != ptx::MemoryRole::kNoMemory;
      const auto& found = is_access ? moved[p] : all[p];
      const std::size_t times = loop_of_[p] == kNone ? 1 : times_[loop_of_[p]];
      if (found.empty() || found.size() % times != 0) continue;
      const std::size_t each = found.size() / times;
      for (std::size_t k = 0; k < times; ++k) {
        MachinePlace place;
        for (std::size_t j = k * each; j < (k + 1) * each; ++j) {
          const MachineInstruction& one = code_[found[j]];
          if (!is_access || j == k * each) place.at = found[j];
          if (one.sets < kMachineBarriers && one.moves())
            place.sets |= static_cast<std::uint8_t>(1U << one.sets);
          for (std::size_t b = 0; b < place.waits.size(); ++b) {
            if ((one.waits >> b & 1U) != 0) place.waits[b] = found[j];
          }
        }
        costs[p].places.push_back(place);
      }
    }
  }

  struct Place {
    std::uint32_t ptx = 0;
    double weight = 0;
  };

  /// The PTX instruction that issues it, and how often per execution.
  Place place_of(std::uint32_t i) const {
    const std::uint32_t origin = origins_[i];
    const std::uint32_t loop = loop_of_[origin];
    const std::uint32_t circle = circle_of_[i];
    const std::uint32_t done_in = circle == kNone ? kNone : form_of_[circle];
    if (done_in == loop) {
      if (loop == kNone) return {origin, 1};
      return {origin, circle == forms_[loop] ? 1.0 / times_[loop] : 0};
    }
    const bool is_inside =
        done_in != kNone && (loop == kNone || loops_[loop].holds(loops_[done_in].head));
    if (is_inside) {  // repeated in each pass of a loop
      if (circle != forms_[done_in]) return {};
      return {loops_[done_in].branch, 1.0 / times_[done_in]};
    }
    if (forms_[loop] == kNone) return {origin, 1.0 / times_[loop]};  // unrolled completely
    if (i > circles_[forms_[loop]].head) return {};  // another form, for the remaining passes
    const std::uint32_t head = loops_[loop].head;
    return {head == 0 ? origin : head - 1, 1};  // executed once, before the loop
  }

  void add(MachineCost& cost, std::uint32_t i, double weight) const {
    cost.instructions += weight;
    cost.clocks += weight * clocks_[i];
    cost.held += weight * units_.held_by(code_[i]);
    if (const auto one = code_[i].float_operation) {
      cost.floats.at(static_cast<std::size_t>(*one)) += weight;
    }
    switch (code_[i].unit) {
      case Unit::kAlu:
        cost.alu += weight;
        break;
      case Unit::kFloat:
        cost.fp32 += weight;
        break;
      case Unit::kFmaHeavy:
        cost.fma_heavy += weight;
        break;
      case Unit::kFmaHeavyTwice:
      case Unit::kWideProduct:
        cost.fma_heavy += 2 * weight;
        break;
      case Unit::kFp64:
        cost.fp64 += weight;
        break;
      case Unit::kXuOfDoubles:
        (units_.fp64 > units_.xu ? cost.fp64 : cost.xu) += weight;
        break;
      case Unit::kXu:
        cost.xu += weight;
        break;
      case Unit::kNone:
        break;
    }
  }

  /// The PTX instruction that a local access belongs to. An access on the line of a branch, call or
  /// exit belongs to the instruction before it. An access after a loop that is not unrolled belongs
  /// to the instruction after the loop's branch.
  Place place_of_spill(std::uint32_t i) const {
    const std::uint32_t loop = loop_of_[origins_[i]];
    const bool is_behind = loop != kNone && circle_of_[i] == kNone && forms_[loop] != kNone &&
                           i > circles_[forms_[loop]].branch && times_[loop] == 1;
    if (is_behind) return {loops_[loop].branch + 1, 1};
    Place place = place_of(i);
    if (place.ptx > 0 && !is_plain(place.ptx)) --place.ptx;
    return place;
  }

  /// A spill in the code for a loop's remaining passes does not count; one in its unrolled form
  /// counts once.
  void add_local(std::vector<MachineCost>& costs, std::uint32_t i) const {
    constexpr double kOne = 0.75;
    const MachineInstruction& one = code_[i];
    const bool is_store = one.kind == InstructionKind::kLocalStore;
    if (!is_store && one.kind != InstructionKind::kLocalLoad) return;
    if (function_.instructions[origins_[i]].space == ptx::StateSpace::kLocal) {
      costs[origins_[i]].is_local = true;
      return;
    }
    const Place place = place_of_spill(i);
    if (place.weight < kOne || place.ptx >= costs.size()) return;
    costs[place.ptx].spills.push_back({is_store, one.bytes, one.offset});
  }

  /// Whether the loop is innermost, accesses no memory and meets no other warp.
  bool is_arithmetic(std::uint32_t loop) const {
    if (forms_[loop] == kNone) return false;
    const Circle& circle = circles_[forms_[loop]];
    for (std::uint32_t i = circle.head; i <= circle.branch; ++i) {
      if (circle_of_[i] != forms_[loop]) return false;
    }
    for (std::uint32_t p = loops_[loop].head; p <= loops_[loop].branch; ++p) {
      const auto& facts = ptx::facts(function_.instructions[p]);
      if (loop_of_[p] != loop || facts.memory != ptx::MemoryRole::kNoMemory ||
          ptx::is_exchange(facts.timing) || facts.flow == ptx::Flow::kCall)
        return false;
    }
    return true;
  }

  void add_lockstep(std::uint32_t loop, std::vector<MachineCost>& costs) const {
    const Circle& circle = circles_[forms_[loop]];
    std::vector<MachineInstruction> pass;
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = circle.head; i <= circle.branch; ++i) {
      if (is_around_[i] || origins_[i] == kNone) continue;
      const std::uint32_t place = place_of(i).ptx;
      pass.push_back(code_[i]);
      if (code_[i].kind == InstructionKind::kCall) {
        for_subroutine(i, [&](std::uint32_t k) { pass.push_back(code_[k]); });
      }
      places.resize(pass.size(), place);
    }
    const std::vector<double> clocks = lockstep_clocks(pass, units_);
    for (std::size_t k = 0; k < pass.size(); ++k)
      costs[places[k]].in_step += clocks[k] / times_[loop];
  }

  void add_subroutine(MachineCost& cost, std::uint32_t call) const {
    const double weight = place_of(call).weight;
    for_subroutine(call, [&](std::uint32_t i) { add(cost, i, weight); });
  }

  /// Calls `use` for each instruction of the called subroutine, its return included.
  template <typename Use>
  void for_subroutine(std::uint32_t call, Use use) const {
    for (auto i = static_cast<std::uint32_t>(code_[call].target); i < code_.size(); ++i) {
      use(i);
      if (code_[i].kind == InstructionKind::kReturn) return;
    }
  }

  const ptx::Function& function_;
  std::span<const MachineInstruction> code_;
  UnitClocks units_;
  double exchange_;
  std::uint32_t end_ = 0;               ///< Subroutines follow.
  std::vector<std::uint32_t> origins_;  ///< By machine instruction.
  std::vector<char> is_around_;         ///< By machine instruction: only rare values reach it.
  std::vector<double> clocks_;          ///< By machine instruction.
  std::vector<Circle> loops_;           ///< Loops of PTX.
  std::vector<std::uint32_t> loop_of_;  ///< By PTX instruction.
  std::vector<Circle> circles_;         ///< Cycles of the machine code.
  std::vector<std::uint32_t> circle_of_;
  std::vector<std::uint32_t> form_of_;  ///< By circle: its loop.
  std::vector<std::uint32_t> forms_;    ///< By loop: its largest circle.
  std::vector<std::uint32_t> times_;    ///< By loop: PTX passes per pass of that circle.
};

}  // namespace

std::vector<MachineCost> machine_costs(const ptx::Function& function,
                                       std::span<const MachineInstruction> code,
                                       std::span<const UnrolledLoop> loops, const UnitClocks& units,
                                       double exchange) {
  const bool has_lines =
      std::any_of(code.begin(), code.end(), [](const auto& one) { return one.line != 0; });
  if (!has_lines || function.instructions.empty()) return {};
  return Counting(function, code, loops, units, exchange).run();
}

namespace {

bool is_shared_access(const ptx::Instruction& instruction) {
  const auto role = ptx::facts(instruction).memory;
  return instruction.space == ptx::StateSpace::kShared &&
         (role == ptx::MemoryRole::kLoad || role == ptx::MemoryRole::kStore) &&
         !instruction.modifiers.has(ptx::Modifier::volatile_);
}

/// Whether each execution of the instruction issues a machine access that moves words of others,
/// too.
bool is_widened(const MachineCost& cost, const ptx::Instruction& instruction) {
  constexpr double kOne = 0.75;  // A form of a loop with single passes at its end counts less.
  const auto bytes = ptx::size_of(instruction.types[0]) * instruction.vector;
  return is_shared_access(instruction) && cost.shared_bytes > bytes && cost.shared_accesses >= kOne;
}

}  // namespace

MachineFacts machine_facts(const ptx::Function& function, const device::Profile& profile,
                           std::span<const char> cubin) {
  const auto code = machine_instructions(cubin, function.name, profile.compute.major);
  auto loops = unrolled_loops(function, code);
  auto costs =
      machine_costs(function, code, loops, unit_clocks(profile), profile.sm.pipes.exchange_clocks);
  return {std::move(loops), std::move(costs)};
}

memory::MachineAccesses machine_accesses(const ptx::Function& function,
                                         const std::vector<MachineCost>& costs) {
  memory::MachineAccesses out(costs.size());
  // Without a wide access, an instruction that has none of its own is not merged but removed.
  bool merges = false;
  bool has_arrays = false;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    has_arrays |= costs[i].is_local;
    out[i].spills = costs[i].spills;
    if (!is_widened(costs[i], function.instructions[i])) continue;
    out[i].shared_bytes = costs[i].shared_bytes;
    merges = true;
  }
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    const bool is_merged = merges && costs[i].shared_bytes == 0 && is_shared_access(instruction);
    if (is_merged) out[i].shared_bytes = memory::MachineAccess::kMerged;
    out[i].is_register = !has_arrays && instruction.space == ptx::StateSpace::kLocal;
  }
  if (std::all_of(out.begin(), out.end(),
                  [](const auto& one) { return one == memory::MachineAccess(); })) {
    return {};
  }
  return out;
}

memory::MachineAccesses machine_accesses(const ptx::Function& function,
                                         const device::Profile& profile,
                                         std::span<const char> cubin) {
  return machine_accesses(function, machine_facts(function, profile, cubin).costs);
}

}  // namespace warpgrade::timing

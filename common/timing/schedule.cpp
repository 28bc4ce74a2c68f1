// SPDX-License-Identifier: Apache-2.0
#include "common/timing/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "common/timing/machine_code.h"

namespace warpgrade::timing {

StepLines::StepLines(const ptx::Function& function) {
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& where = ptx::location(function, i);
    const auto [line, is_new] =
        known.try_emplace({where.file, where.line}, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back({where.file, where.line, 0});
    line_of_.push_back(line->second);
  }
}

std::uint32_t StepLines::number_of(const StepParts& parts) {
  const auto [known, is_new] =
      numbers_.try_emplace(parts, static_cast<std::uint32_t>(lists_.size()));
  if (is_new) lists_.push_back(parts);
  return known->second;
}

std::uint32_t StepLines::merged(std::uint32_t a, std::uint32_t b) {
  const auto [known, is_new] = merged_.try_emplace({a, b}, 0);
  if (!is_new) return known->second;
  auto sum = parts(a);
  for (const StepPart& part : parts(b)) {
    const auto same = std::ranges::find(sum, part.line, &StepPart::line);
    if (same == sum.end()) {
      sum.push_back(part);
      continue;
    }
    same->slots += part.slots;
    same->clocks += part.clocks;
    same->pipes += part.pipes;
  }
  return known->second = number_of(sum);
}

namespace {

using Kind = MachineOp::Kind;

bool touches_memory(const MachineOp& op) {
  return op.kind == Kind::kLoad || op.kind == Kind::kStore || op.kind == Kind::kFence;
}

bool may_alias(const MachineOp& a, const MachineOp& b) {
  return a.space == b.space || a.space == ptx::StateSpace::kGeneric ||
         b.space == ptx::StateSpace::kGeneric;
}

/// Atomics on shared memory are fences for accesses to the same memory only.
bool orders_all(const MachineOp& op) { return op.kind == Kind::kFence && !op.is_shared_atomic; }

/// Whether `later` must stay after `earlier` because of their memory accesses.
bool ordered(const MachineOp& earlier, const MachineOp& later) {
  if (!touches_memory(earlier) || !touches_memory(later)) return false;
  if (orders_all(earlier) || orders_all(later)) return true;
  if (earlier.is_shared_atomic || later.is_shared_atomic) return may_alias(earlier, later);
  if (earlier.kind == Kind::kLoad && later.kind == Kind::kLoad) return false;
  if (earlier.read_only || later.read_only) return false;
  return may_alias(earlier, later);
}

/// Whether lanes read different words of constant memory. A read of one word is not recorded.
bool loads_constants(const MachineOp& op, const Executed& executed) {
  const bool is_there =
      op.space == ptx::StateSpace::kConstant || op.space == ptx::StateSpace::kParam;
  return is_there && executed.requests > op.access.spills.size();
}

constexpr std::uint32_t kBefore = ~std::uint32_t{0};

/// By position in the stretch: for each register that is read, the position that wrote it, or
/// kBefore.
std::vector<std::vector<std::uint32_t>> sources_of(const std::vector<MachineOp>& ops,
                                                   std::span<const Executed> stretch) {
  std::vector<std::vector<std::uint32_t>> out(stretch.size());
  std::map<std::uint32_t, std::uint32_t> writer;
  for (std::uint32_t i = 0; i < stretch.size(); ++i) {
    if (stretch[i].is_off) continue;
    const MachineOp& op = ops[stretch[i].instruction];
    for (const std::uint32_t r : op.reads) {
      const auto found = writer.find(r);
      out[i].push_back(found == writer.end() ? kBefore : found->second);
    }
    for (const std::uint32_t r : op.writes) writer[r] = i;
  }
  return out;
}

/// By position in the stretch: where machine code has the instruction; nullptr if unknown. Passes
/// of an unrolled loop are its copies in turn.
using Places = std::vector<const MachinePlace*>;
Places places_of(const std::vector<MachineOp>& ops, std::span<const Executed> stretch) {
  Places out;
  std::map<std::uint32_t, std::size_t> copies;
  for (const Executed& executed : stretch) {
    const auto& places = ops[executed.instruction].places;
    const std::size_t copy = copies[executed.instruction]++;
    out.push_back(copy < places.size() ? &places[copy] : nullptr);
  }
  return out;
}

bool is_unrolled(std::span<const Executed> stretch) {
  return std::adjacent_find(stretch.begin(), stretch.end(), [](const auto& a, const auto& b) {
           return b.instruction <= a.instruction;
         }) != stretch.end();
}

/// The instructions of a stretch with the edges between them.
class Graph {
 public:
  /// `loads_ahead`: as in UnrolledLoop.
  Graph(const std::vector<MachineOp>& ops, std::span<const Executed> stretch, const Places& places,
        std::uint32_t loads_ahead)
      : ops_(ops),
        places_(places),
        before_(stretch.size()),
        after_(stretch.size()),
        answers_(stretch.size()),
        ranks_(stretch.size(), kNoLoad) {
    std::map<std::uint32_t, std::uint32_t> writer;
    std::map<std::uint32_t, std::vector<std::uint32_t>> readers;
    std::vector<std::uint32_t> accesses;
    const bool has_passes = is_unrolled(stretch);
    for (std::uint32_t i = 0; i < stretch.size(); ++i) {
      if (stretch[i].is_off) continue;
      const MachineOp& op = ops[stretch[i].instruction];
      for (const std::uint32_t r : op.reads) {
        const auto w = writer.find(r);
        if (w == writer.end()) continue;
        edge(w->second, i);
        const std::uint32_t more = is_load(stretch[w->second]) ? 1 : 0;
        answers_[i] = std::max(answers_[i], answers_[w->second] + more);
      }
      for (const std::uint32_t r : op.writes) {
        if (const auto w = writer.find(r); w != writer.end()) edge(w->second, i);
        if (has_passes) continue;
        for (const std::uint32_t reader : readers[r]) edge(reader, i);
      }
      for (const std::uint32_t r : op.reads) readers[r].push_back(i);
      for (const std::uint32_t r : op.writes) {
        writer[r] = i;
        readers[r].clear();
      }
      if (touches_memory(op)) {
        for (const std::uint32_t a : accesses) {
          if (!ordered(ops[stretch[a].instruction], op)) continue;
          edge(a, i);
          // A load after a fence is no more urgent than the stores before the fence.
          if (op.kind == Kind::kFence || ops[stretch[a].instruction].kind == Kind::kFence)
            answers_[i] = std::max(answers_[i], answers_[a]);
        }
        accesses.push_back(i);
      }
      if (op.kind == Kind::kBarrier || op.ends_stretch) {  // the last one
        for (std::uint32_t a = 0; a < i; ++a) edge(a, i);
      }
      if (is_load(stretch[i])) ranks_[i] = answers_[i];
    }
    if (knows_places(stretch)) {
      take_places();
    } else if (loads_ahead != 0) {
      limit_loads(stretch, loads_ahead);
    }
    // An operation that a load needs is as urgent as the load.
    for (std::size_t i = stretch.size(); i-- > 0;) {
      for (const std::uint32_t b : before_[i]) ranks_[b] = std::min(ranks_[b], ranks_[i]);
    }
  }

  /// Positions in machine order.
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> missing(before_.size());
    std::vector<std::uint32_t> ready;  // the next one last
    const auto is_later = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(ranks_[a], a) > std::pair(ranks_[b], b);
    };
    const auto make_ready = [&](std::uint32_t i) {
      ready.insert(std::upper_bound(ready.begin(), ready.end(), i, is_later), i);
    };
    for (std::uint32_t i = 0; i < missing.size(); ++i) {
      missing[i] = static_cast<std::uint32_t>(before_[i].size());
      if (missing[i] == 0) make_ready(i);
    }
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
      const std::uint32_t next = ready.back();
      ready.pop_back();
      order.push_back(next);
      for (const std::uint32_t a : after_[next]) {
        if (--missing[a] == 0) make_ready(a);
      }
    }
    return order;
  }

 private:
  static constexpr std::uint32_t kNoLoad = ~std::uint32_t{0};

  bool is_load(const Executed& executed) const {
    const MachineOp& op = ops_[executed.instruction];
    return executed.requests != 0 && (op.kind == Kind::kLoad || loads_constants(op, executed));
  }

  /// Whether machine code has a place for each load.
  bool knows_places(std::span<const Executed> stretch) const {
    for (std::size_t i = 0; i < stretch.size(); ++i) {
      const bool loads =
          stretch[i].requests != 0 && ops_[stretch[i].instruction].kind == Kind::kLoad;
      if (loads && !stretch[i].is_off && places_[i] == nullptr) return false;
    }
    return true;
  }

  /// An operation comes at its place, or earlier if one needs it there; without a place as late as
  /// possible.
  void take_places() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      ranks_[i] = places_[i] == nullptr ? kNoLoad : places_[i]->at;
    }
  }

  /// Limits the global loads in flight to `most`: a load follows the first use of the load `most`
  /// before it, and that use follows the loads in between. No limit if a load needs another load,
  /// because machine code waits for that one first.
  void limit_loads(std::span<const Executed> stretch, std::uint32_t most) {
    std::vector<std::uint32_t> loads;
    for (std::uint32_t i = 0; i < stretch.size(); ++i) {
      if (!is_load(stretch[i]) || ops_[stretch[i].instruction].space != ptx::StateSpace::kGlobal)
        continue;
      if (answers_[i] != 0) return;
      loads.push_back(i);
    }
    std::vector<std::uint32_t> uses;
    for (const std::uint32_t load : loads) {
      const auto use = std::ranges::min_element(after_[load]);
      uses.push_back(use == after_[load].end() ? load : *use);
    }
    for (std::size_t k = most; k < loads.size(); ++k) {
      const std::uint32_t use = uses[k - most];
      if (use == loads[k - most]) continue;
      edge(loads[k - 1], use);
      edge(use, loads[k]);
    }
  }

  void edge(std::uint32_t from, std::uint32_t to) {
    if (from == to) return;
    before_[to].push_back(from);
    after_[from].push_back(to);
  }

  const std::vector<MachineOp>& ops_;
  const Places& places_;
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::vector<std::uint32_t>> after_;
  std::vector<std::uint32_t> answers_;  ///< Loads in the longest chain that it follows.
  std::vector<std::uint32_t> ranks_;    ///< Least `answers_` of the loads that need it, or its own.
};

/// Converts ordered instructions to steps: instructions that issue without waiting for memory are
/// one.
class Steps {
 public:
  Steps(const std::vector<MachineOp>& ops, std::span<const Executed> stretch, const Places& places,
        StepLines* lines)
      : ops_(ops),
        stretch_(stretch),
        lines_(lines),
        places_(places),
        sources_(sources_of(ops, stretch)),
        results_(stretch.size()) {
    for (std::size_t i = 1; i < stretch.size(); ++i) {
      results_[i].request = results_[i - 1].request + stretch[i - 1].requests;
    }
  }

  /// Adds the instruction at position `at` of the stretch.
  void add(std::uint32_t at) {
    const Executed& executed = stretch_[at];
    const MachineOp& op = ops_[executed.instruction];
    if (lines_ != nullptr) line_ = lines_->line_of(executed.instruction);
    const double before = now_;
    if (executed.is_off) {
      now_ += std::max(op.slots, op.clocks);
      slots_ += op.slots;
      add_part(op, before);
      pass(op);
      return;
    }
    await_barriers(at);
    for (std::size_t k = 0; k < op.reads.size(); ++k) await(sources_[at][k], op.reads[k]);
    double start = now_;
    for (const std::uint32_t source : sources_[at]) {
      if (source != kBefore) start = std::max(start, results_[source].ready);
    }
    now_ = start + std::max(op.slots, op.clocks);
    slots_ += op.slots;
    for (std::size_t p = 0; p < kPipes; ++p) pipes_[p] += op.pipes[p];
    add_part(op, before);
    if (op.kind == Kind::kBarrier) {
      flush();
      push({Step::Kind::kBarrier});
      return;
    }
    if (executed.requests != 0) {
      flush();
      for (std::uint32_t k = 0; k < executed.requests; ++k) {
        push({Step::Kind::kRequest, 0, results_[at].request + k, {}});
      }
      // Spilled registers are loaded long before their use.
      const bool is_answered = op.kind != Kind::kPlain || loads_constants(op, executed);
      const bool holds_warp = op.is_loop || op.acquires;
      results_[at].is_awaited = is_answered && (!op.writes.empty() || holds_warp);
      results_[at].ready = now_;
      if (places_[at] != nullptr) {
        for (std::size_t b = 0; b < pending_.size(); ++b) {
          if ((places_[at]->sets >> b & 1U) != 0) pending_[b].push_back(at);
        }
      }
      if (holds_warp) await(at, 0);
      return;
    }
    pass(op);
    const bool is_known = op.clocks >= 0;
    results_[at].ready = is_known ? now_ : start + (op.slots == 0 ? 0 : op.latency);
    if (op.ends_stretch) now_ += op.latency;
  }

  /// The fractions of slots and clocks carry over to the next step.
  void flush() {
    Step step{Step::Kind::kCompute, static_cast<std::uint16_t>(whole(slots_)), 0, {}};
    step.value = std::max<std::uint32_t>(whole(now_) - begin_, step.slots);
    for (std::size_t p = 0; p < kPipes; ++p) {
      step.pipes[p] = static_cast<std::uint16_t>(whole(pipes_[p]));
      pipes_[p] -= step.pipes[p];
    }
    slots_ -= step.slots;
    begin_ = whole(now_);
    if (step.slots == 0 && step.value == 0) return;
    if (lines_ != nullptr) {
      // What is left of the last instruction may come alone.
      if (!parts_.empty()) last_parts_ = lines_->number_of(parts_);
      step.parts = last_parts_;
      parts_.clear();
    }
    steps.push_back(step);
  }

  /// Ends the last step, with no fractions left to carry over.
  void finish() {
    slots_ = std::round(slots_);
    now_ = std::max(std::round(now_), begin_ + slots_);
    for (double& clocks : pipes_) clocks = std::round(clocks);
    flush();
  }

  std::vector<Step> steps;

 private:
  /// The result of a position of the stretch.
  struct Result {
    std::uint32_t request = 0;  ///< Its first request.
    double ready = 0;           ///< Clock within the stretch.
    bool is_awaited = false;    ///< Memory has not yet answered.
  };

  /// Adds a step of the current instruction alone.
  void push(Step step) {
    if (lines_ != nullptr) step.parts = lines_->number_of({{line_, 1, 1, 1}});
    steps.push_back(step);
  }

  void add_part(const MachineOp& op, double before) {
    if (lines_ == nullptr) return;
    auto part = std::ranges::find(parts_, line_, &StepPart::line);
    if (part == parts_.end()) part = parts_.insert(parts_.end(), {line_});
    part->slots += op.slots;
    part->clocks += now_ - before;
    for (const double clocks : op.pipes) part->pipes += clocks;
  }

  static std::uint32_t whole(double value) { return static_cast<std::uint32_t>(value + 1e-6); }

  void pass(const MachineOp& op) {
    if (op.passes == 0) return;
    flush();
    push({Step::Kind::kPass, 0, op.passes, {}});
  }

  /// Waits for all loads that have set a barrier for which the instruction waits.
  void await_barriers(std::uint32_t at) {
    if (places_[at] == nullptr) return;
    for (std::size_t b = 0; b < pending_.size(); ++b) {
      std::erase_if(pending_[b], [&](std::uint32_t load) {
        if (places_[load]->at >= places_[at]->waits[b]) return false;
        await(load, 0);
        return true;
      });
    }
  }

  /// Waits once for a value that memory may not have delivered yet.
  void await(std::uint32_t source, std::uint32_t r) {
    if (source == kBefore) {
      if (!waited_.insert(r).second) return;
      flush();
      push({Step::Kind::kWait, 0, r, {}});
    } else if (std::exchange(results_[source].is_awaited, false)) {
      flush();
      const std::uint32_t last = results_[source].request + stretch_[source].requests - 1;
      push({Step::Kind::kWaitHere, 0, last, {}});
    }
  }

  const std::vector<MachineOp>& ops_;
  std::span<const Executed> stretch_;
  StepLines* lines_;
  std::uint32_t line_ = 0;        ///< The current instruction's.
  StepParts parts_;               ///< Since the last compute step.
  std::uint32_t last_parts_ = 0;  ///< The last compute step's.
  const Places& places_;
  /// By barrier: the loads that have set it.
  std::array<std::vector<std::uint32_t>, kMachineBarriers> pending_;
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<Result> results_;
  std::set<std::uint32_t> waited_;  ///< Registers from before the stretch.
  double now_ = 0;
  std::uint32_t begin_ = 0;
  double slots_ = 0;
  PipeClocks pipes_{};
};

}  // namespace

std::vector<Step> schedule(const std::vector<MachineOp>& ops, std::span<const Executed> stretch,
                           StepLines* lines) {
  const auto loads_ahead = stretch.empty() ? 0 : ops[stretch.back().instruction].loads_ahead;
  const auto places = places_of(ops, stretch);
  auto order = Graph(ops, stretch, places, loads_ahead).order();
  // If PTX does not allow machine code's order, as many loads as possible come first.
  if (order.size() != stretch.size()) order = Graph(ops, stretch, places, 0).order();
  Steps steps(ops, stretch, places, lines);
  for (const std::uint32_t i : order) steps.add(i);
  steps.finish();
  return std::move(steps.steps);
}

}  // namespace warpgrade::timing

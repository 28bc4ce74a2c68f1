// SPDX-License-Identifier: Apache-2.0
#include "common/timing/schedule.h"

#include <algorithm>
#include <map>

namespace warpgrade::timing {
namespace {

using Kind = MachineOp::Kind;

bool touches_memory(const MachineOp& op) {
  return op.kind == Kind::kLoad || op.kind == Kind::kStore || op.kind == Kind::kFence;
}

bool may_alias(const MachineOp& a, const MachineOp& b) {
  return a.space == b.space || a.space == ptx::StateSpace::kGeneric ||
         b.space == ptx::StateSpace::kGeneric;
}

/// Whether `later` must stay behind `earlier` for what they do to memory.
bool ordered(const MachineOp& earlier, const MachineOp& later) {
  if (!touches_memory(earlier) || !touches_memory(later)) return false;
  if (earlier.kind == Kind::kFence || later.kind == Kind::kFence) return true;
  if (earlier.kind == Kind::kLoad && later.kind == Kind::kLoad) return false;
  if (earlier.read_only || later.read_only) return false;
  return may_alias(earlier, later);
}

/// The instructions of a stretch with the edges between them.
class Graph {
 public:
  Graph(const std::vector<MachineOp>& ops, std::span<const Executed> stretch)
      : before_(stretch.size()), after_(stretch.size()), loads_(stretch.size()) {
    std::map<std::uint32_t, std::uint32_t> writer;
    std::map<std::uint32_t, std::vector<std::uint32_t>> readers;
    std::vector<std::uint32_t> accesses;
    for (std::uint32_t i = 0; i < stretch.size(); ++i) {
      if (stretch[i].is_off) continue;
      const MachineOp& op = ops[stretch[i].instruction];
      for (const std::uint32_t r : op.reads) {
        if (const auto w = writer.find(r); w != writer.end()) edge(w->second, i);
      }
      for (const std::uint32_t r : op.writes) {
        if (const auto w = writer.find(r); w != writer.end()) edge(w->second, i);
        for (const std::uint32_t reader : readers[r]) edge(reader, i);
      }
      for (const std::uint32_t r : op.reads) readers[r].push_back(i);
      for (const std::uint32_t r : op.writes) {
        writer[r] = i;
        readers[r].clear();
      }
      if (touches_memory(op)) {
        for (const std::uint32_t a : accesses) {
          if (ordered(ops[stretch[a].instruction], op)) edge(a, i);
        }
        accesses.push_back(i);
      }
      if (op.kind == Kind::kBarrier || op.ends_stretch) {  // the last one
        for (std::uint32_t a = 0; a < i; ++a) edge(a, i);
      }
      loads_[i] = op.kind == Kind::kLoad && stretch[i].requests != 0;
    }
    // An operation that a load needs is as urgent as the load.
    for (std::size_t i = stretch.size(); i-- > 0;) {
      for (const std::uint32_t b : before_[i]) loads_[b] = loads_[b] || loads_[i];
    }
  }

  /// Places in machine order.
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> missing(before_.size());
    std::vector<std::uint32_t> urgent;  // ready ones, least last
    std::vector<std::uint32_t> others;
    const auto make_ready = [&](std::uint32_t i) {
      auto& ready = loads_[i] ? urgent : others;
      ready.insert(std::upper_bound(ready.begin(), ready.end(), i, std::greater<>()), i);
    };
    for (std::uint32_t i = 0; i < missing.size(); ++i) {
      missing[i] = static_cast<std::uint32_t>(before_[i].size());
      if (missing[i] == 0) make_ready(i);
    }
    std::vector<std::uint32_t> order;
    while (!urgent.empty() || !others.empty()) {
      auto& ready = urgent.empty() ? others : urgent;
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
  void edge(std::uint32_t from, std::uint32_t to) {
    if (from == to) return;
    before_[to].push_back(from);
    after_[from].push_back(to);
  }

  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::vector<std::uint32_t>> after_;
  std::vector<char> loads_;  ///< It is a load, or a load needs it.
};

/// Instructions in order become steps: what can issue without waiting for memory is one.
class Steps {
 public:
  explicit Steps(const std::vector<MachineOp>& ops) : ops_(ops) {}

  void add(const Executed& executed, std::uint32_t first_request) {
    const MachineOp& op = ops_[executed.instruction];
    if (executed.is_off) {
      now_ += op.slots;
      slots_ += op.slots;
      pass(op);
      return;
    }
    for (const std::uint32_t r : op.reads) await(r);
    std::uint32_t start = now_;
    for (const std::uint32_t r : op.reads) {
      if (const auto ready = ready_.find(r); ready != ready_.end()) {
        start = std::max(start, ready->second);
      }
    }
    now_ = start + op.slots;
    slots_ += op.slots;
    for (std::size_t p = 0; p < kPipes; ++p) {
      pipes_[p] = static_cast<std::uint16_t>(pipes_[p] + op.pipes[p]);
    }
    if (op.kind == Kind::kBarrier) {
      flush();
      steps.push_back({Step::Kind::kBarrier});
      return;
    }
    if (executed.requests != 0) {
      flush();
      for (std::uint32_t k = 0; k < executed.requests; ++k) {
        steps.push_back({Step::Kind::kRequest, 0, first_request + k, {}});
      }
      for (const std::uint32_t r : op.writes) awaited_[r] = true;
      return;
    }
    pass(op);
    for (const std::uint32_t r : op.writes) {
      ready_[r] = start + (op.slots == 0 ? 0 : op.latency);
      awaited_[r] = false;
    }
    if (op.ends_stretch) now_ += op.latency;
  }

  void pass(const MachineOp& op) {
    if (op.passes == 0) return;
    flush();
    steps.push_back({Step::Kind::kPass, 0, op.passes, {}});
  }

  void flush() {
    if (slots_ != 0 || now_ != begin_) {
      steps.push_back(
          {Step::Kind::kCompute, static_cast<std::uint16_t>(slots_), now_ - begin_, pipes_});
    }
    slots_ = 0;
    pipes_ = {};
    begin_ = now_;
  }

  std::vector<Step> steps;

 private:
  /// Waits for `r` once where it may be the answer to a request of this or an earlier stretch.
  void await(std::uint32_t r) {
    const auto known = awaited_.find(r);
    if (known != awaited_.end() && !known->second) return;
    if (known == awaited_.end() && ready_.contains(r)) return;
    flush();
    steps.push_back({Step::Kind::kWait, 0, r, {}});
    awaited_[r] = false;
  }

  const std::vector<MachineOp>& ops_;
  std::map<std::uint32_t, std::uint32_t> ready_;  ///< Register -> clock of the stretch.
  std::map<std::uint32_t, bool> awaited_;         ///< Register -> memory has still to answer.
  std::uint32_t now_ = 0;
  std::uint32_t begin_ = 0;
  std::uint32_t slots_ = 0;
  PipeClocks pipes_{};
};

}  // namespace

std::vector<Step> schedule(const std::vector<MachineOp>& ops, std::span<const Executed> stretch) {
  std::vector<std::uint32_t> first_request(stretch.size());
  for (std::size_t i = 1; i < stretch.size(); ++i) {
    first_request[i] = first_request[i - 1] + stretch[i - 1].requests;
  }
  Steps steps(ops);
  for (const std::uint32_t i : Graph(ops, stretch).order()) steps.add(stretch[i], first_request[i]);
  steps.flush();
  return std::move(steps.steps);
}

}  // namespace warpgrade::timing

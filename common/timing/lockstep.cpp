// SPDX-License-Identifier: Apache-2.0
#include "common/timing/lockstep.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace warpgrade::timing {
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
    case Unit::kFp64:
      return {3, units.fp64};
    case Unit::kFmaHeavy:
      return {4, units.fma_heavy};
    case Unit::kFmaHeavyTwice:
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
        issue(*next, now++);
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
    const double queued = one.unit == Unit::kXu ? units_.xu : 0;  // one instruction may wait there
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
    if (one.sets < kBarriers && one.unit == Unit::kXu)
      warp.results[one.sets] = begin + units_.look_up;
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
          .look_up = static_cast<double>(profile.sm.pipes.xu_latency_clocks),
          .branch = static_cast<double>(profile.sm.pipes.branch_clocks)};
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

// SPDX-License-Identifier: Apache-2.0
#include "common/timing/speed_of_light.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/memory/metrics.h"
#include "common/timing/bound.h"
#include "common/timing/dram_demand.h"
#include "common/timing/machine_code.h"
#include "common/timing/sample.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

constexpr std::string_view kWarpsActive = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view kSm = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kMemory =
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kDram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kL1 = "l1tex__throughput.avg.pct_of_peak_sustained_active";
constexpr std::string_view kL2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kL1Hits = "l1tex__t_sector_hit_rate.pct";
constexpr std::string_view kL2Hits = "lts__t_sector_hit_rate.pct";
constexpr std::string_view kIssueActive = "smsp__issue_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view kEligible = "smsp__warps_eligible.avg.per_cycle_active";
constexpr std::string_view kLocalSectors = "warpgrade__local_lts_sectors.sum";
constexpr std::string_view kLocalBytes = "warpgrade__local_dram_bytes.sum";
constexpr std::string_view kExecuted = "sm__inst_executed.avg.per_cycle_active";

std::string stall_name(std::size_t state) {
  return "smsp__average_warps_issue_stalled_" + std::string(name(static_cast<WarpState>(state))) +
         "_per_issue_active.ratio";
}

// Nsight Compute has these names from Volta on.
constexpr std::uint32_t kFirstWithNames = 7;
// The constants of throughputs were measured on Hopper.
constexpr std::uint32_t kFirstWithThroughputs = 9;

bool has_throughputs(const device::Profile& profile) {
  return profile.compute.major >= kFirstWithThroughputs && profile.l2.atomic_units;
}

// Constants of an H200, fitted to the launches of the half `fit`.

// Clocks that Nsight Compute counts before the first block and after the last one.
constexpr double kAroundBlocks = 2450;
// Clocks that a warp is resident before it may issue.
constexpr double kWarpStart = 120;
// The model counts 1.18 issue slots per instruction that a scheduler issues.
constexpr double kIssuedPerSlot = 0.85;
// A scheduler prefers the oldest of the warps that compete for a pipe or a queue. In the last wave
// of blocks the others are alone in the end: this part of the time that warps compete is without
// them.
constexpr double kOldestFirst = 0.4;
// L2 answers this share of the sectors that a launch itself reads and writes.
constexpr double kHitsOfLaunch = 0.55;

// Counts of a launch, on the whole chip.
struct ChipWork {
  double requests = 0;
  double passes = 0;  // of the shared memory stage, for shuffles
  double shared_wavefronts = 0;
  double load_wavefronts = 0;
  double store_wavefronts = 0;
  double store_lines = 0;
  double atomic_lines = 0;
  double load_lines_below = 0;  // below L1
  double load_sectors = 0;
  double store_lines_below = 0;
  double store_sectors = 0;
  double atomic_sectors = 0;
  double local_sectors = 0;
  double barriers = 0;
  double warps = 0;
};

void add_request(const TracedAccess& request, double times, ChipWork& work) {
  const double sectors = times * request.sectors;
  const double below = times * std::min(request.lines, request.sectors);
  switch (request.kind) {
    case TracedAccess::Kind::kShared:
      work.shared_wavefronts += times * request.wavefronts;
      break;
    case TracedAccess::Kind::kLoad:
      work.load_wavefronts += times * request.wavefronts;
      work.load_lines_below += below;
      work.load_sectors += sectors;
      break;
    case TracedAccess::Kind::kStore:
      work.store_wavefronts += times * request.wavefronts;
      work.store_lines += times * request.lines;
      work.store_lines_below += below;
      work.store_sectors += sectors;
      break;
    case TracedAccess::Kind::kAtomic:
      work.atomic_lines += times * request.lines;
      work.atomic_sectors += sectors;
      break;
    default:
      return;
  }
  work.requests += times;
  if (request.buffer == TracedAccess::kLocal) work.local_sectors += sectors;
}

// The sum over the traced blocks, each counted `times`.
ChipWork work_of(const Trace& trace, double times) {
  ChipWork out;
  std::vector<double> passes(trace.programs.size());
  std::vector<double> barriers(trace.programs.size());
  for (std::size_t p = 0; p < trace.programs.size(); ++p) {
    for (const Step& step : trace.programs[p]) {
      if (step.kind == Step::Kind::kPass) passes[p] += step.value;
      if (step.kind == Step::Kind::kBarrier) ++barriers[p];
    }
  }
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) add_request(request, times, out);
    for (const WarpTrace& warp : block.warps) {
      out.passes += times * passes[warp.program];
      out.barriers += times * barriers[warp.program];
      out.warps += times;
    }
  }
  return out;
}

}  // namespace

SpeedOfLight::SpeedOfLight(const device::Profile& profile, const Sample& sample, const Trace& trace,
                           const SimulatedTime& simulated, const DramTraffic& dram,
                           const Occupancy& occupancy)
    : elapsed_(simulated.seconds * profile.sm.clock_hz + kAroundBlocks),
      activity_(simulated.activity),
      dram_bytes_(dram.read + dram.filled + std::max(0.0, dram.written - l2_dirty(profile))) {
  const double blocks = sample.blocks / sample.chip_share;
  const double times = blocks / std::max(1.0, static_cast<double>(trace.blocks.size()));
  const ChipWork work = work_of(trace, times);
  const double sms = profile.sm.count;

  const double waiting =
      activity_.in(WarpState::kNotSelected) + activity_.in(WarpState::kMathPipeThrottle) +
      activity_.in(WarpState::kMioThrottle) + activity_.in(WarpState::kLgThrottle);
  const double competing = waiting - activity_.held;
  const double last_wave = std::min(1.0, occupancy.blocks_per_sm * sms / std::max(1.0, blocks));
  activity_.resident += kWarpStart * work.warps / sms - kOldestFirst * last_wave * competing;
  activity_.resident = std::min(activity_.resident, occupancy.warps_per_sm * activity_.active);

  for (const BlockTrace& block : trace.blocks) {
    l1_sectors_ += times * block.l1_sectors;
    l1_hits_ += times * block.l1_hits;
  }
  l1_sectors_ += work.atomic_sectors;
  local_sectors_ = work.local_sectors;
  local_bytes_ = dram.local_read + dram.local_written;
  const double of_launch = profile.launch.l2_read_sectors + profile.launch.l2_write_sectors;
  const double below = work.load_sectors + work.store_sectors + work.atomic_sectors;
  l2_sectors_ = below + of_launch + dram.filled / memory::kSectorBytes;
  l2_hits_ = std::max(0.0, below - dram.read / memory::kSectorBytes) + kHitsOfLaunch * of_launch;

  const auto busy = [&](Pipe pipe) { return simulated.busy.pipes[pipe] * profile.sm.clock_hz; };
  busy_[kIssue] = kIssuedPerSlot * activity_.issued / profile.sm.warp_instructions_per_clock;
  busy_[kAlu] = 0.95 * busy(kAluPipe);
  busy_[kFmaHeavy] = 1.11 * busy(kFmaHeavyPipe);
  busy_[kXu] = 0.93 * busy(kXuPipe);
  busy_[kFp64] = 0.82 * busy(kFp64Pipe);
  busy_[kLoadStore] = (1.01 * work.requests + 1.04 * work.passes) / sms;
  busy_[kAddressDivergence] =
      (1.94 * work.barriers + 7.0 * work.warps) / sms + 0.028 * activity_.issued;
  busy_[kL1Data] =
      (0.99 * work.shared_wavefronts + 0.98 * work.load_wavefronts + 1.34 * work.store_wavefronts +
       0.28 * work.store_lines + 0.5 * work.atomic_lines + 1.09 * work.passes) /
      sms;
  busy_[kL1ToL2] =
      (0.84 * work.load_lines_below + 0.63 * work.store_sectors + 1.15 * work.store_lines_below +
       0.53 * work.atomic_sectors + 0.55 * work.atomic_lines) /
      sms;
  busy_[kL2ToL1] = 0.25 * work.load_sectors / sms;
  if (!has_throughputs(profile)) return;
  const double slices = *profile.l2.atomic_units;
  const double from_dram = dram_bytes_ / memory::kSectorBytes;
  busy_[kL2Tags] = (1.16 * work.load_lines_below + 1.55 * work.store_lines_below +
                    1.84 * work.atomic_lines + 0.31 * from_dram) /
                   slices;
  busy_[kL2Input] =
      (0.66 * work.load_lines_below + 0.87 * work.store_sectors + 1.47 * work.store_lines_below +
       0.93 * work.atomic_sectors + 0.35 * work.atomic_lines) /
      slices;
  busy_[kL2Output] = 0.57 * work.load_sectors / slices;
  busy_[kL2Fabric] = (0.42 * work.load_sectors + 0.67 * work.store_sectors +
                      0.88 * work.atomic_sectors + from_dram) /
                     slices;
  busy_[kL2Internal] = (1.15 * work.load_lines_below + 0.5 * work.store_sectors +
                        0.91 * work.atomic_sectors + 0.32 * from_dram) /
                       slices;
}

SpeedOfLight& SpeedOfLight::operator+=(const SpeedOfLight& other) {
  elapsed_ += other.elapsed_;
  activity_.add(other.activity_, 1);
  dram_bytes_ += other.dram_bytes_;
  l1_sectors_ += other.l1_sectors_;
  l1_hits_ += other.l1_hits_;
  l2_sectors_ += other.l2_sectors_;
  l2_hits_ += other.l2_hits_;
  local_sectors_ += other.local_sectors_;
  local_bytes_ += other.local_bytes_;
  for (std::size_t i = 0; i < kUnits; ++i) busy_[i] += other.busy_[i];
  return *this;
}

double SpeedOfLight::busiest(std::initializer_list<Unit> units) const {
  double out = 0;
  for (const Unit unit : units) out = std::max(out, busy_[unit]);
  return out;
}

memory::Metrics SpeedOfLight::metrics(const device::Profile& profile) const {
  memory::Metrics out;
  if (elapsed_ <= 0 || activity_.active <= 0) return out;
  const auto set = [&](std::string_view name, double value) {
    if (is_modelled(profile, name)) out.insert_or_assign(std::string(name), value);
  };
  const auto set_percent = [&](std::string_view name, double part, double whole) {
    set(name, std::clamp(100 * part / whole, 0.0, 100.0));
  };
  set(kLocalSectors, local_sectors_);
  set(kLocalBytes, local_bytes_);
  const double active = activity_.active;
  const double issued = kIssuedPerSlot * activity_.issued;
  set_percent(kWarpsActive, activity_.resident, profile.sm.limits.warps * active);
  set_percent(kIssueActive, busy_[kIssue], active);
  set(kExecuted, issued / active);
  set(kEligible, kIssuedPerSlot *
                     (activity_.in(WarpState::kSelected) + activity_.in(WarpState::kNotSelected)) /
                     (active * profile.sm.schedulers));
  for (std::size_t i = 0; i < kWarpStates && issued > 0; ++i) {
    const bool is_selected = i == static_cast<std::size_t>(WarpState::kSelected);
    set(stall_name(i), is_selected ? 1 : activity_.clocks[i] / issued);
  }
  const double seconds = elapsed_ / profile.sm.clock_hz;
  set_percent(kDram, dram_bytes_, seconds * profile.dram.bytes_per_second);
  set_percent(kL1Hits, l1_hits_, std::max(1.0, l1_sectors_));
  if (l2_sectors_ > 0) set_percent(kL2Hits, l2_hits_, l2_sectors_);
  set_percent(kSm, busiest({kIssue, kLoadStore, kAlu, kFmaHeavy, kXu, kFp64, kAddressDivergence}),
              elapsed_);
  set_percent(kL1, busiest({kL1ToL2, kL1Data, kLoadStore, kL2ToL1}), active);
  set_percent(kL2, busiest({kL2Fabric, kL2Tags, kL2Input, kL2Output}), elapsed_);
  const double dram = dram_bytes_ * profile.sm.clock_hz / profile.dram.bytes_per_second;
  set_percent(kMemory, std::max(dram, busiest({kL1Data, kL2Input, kL2Tags, kL2Internal})),
              elapsed_);
  return out;
}

bool is_modelled(const device::Profile& profile, std::string_view name) {
  if (name == kLocalSectors || name == kLocalBytes) return true;
  if (profile.compute.major < kFirstWithNames) return false;
  const bool is_of_units = name == kSm || name == kL1 || name == kL2 || name == kMemory;
  return !is_of_units || has_throughputs(profile);
}

const std::vector<std::string>& speed_of_light_names() {
  static const auto kNames = [] {
    std::vector<std::string> names;
    for (const auto name : {kWarpsActive, kSm, kMemory, kDram, kL1, kL2, kL1Hits, kL2Hits,
                            kIssueActive, kEligible, kExecuted, kLocalSectors, kLocalBytes}) {
      names.emplace_back(name);
    }
    for (std::size_t i = 0; i < kWarpStates; ++i) names.push_back(stall_name(i));
    std::sort(names.begin(), names.end());
    return names;
  }();
  return kNames;
}

}  // namespace warpgrade::timing

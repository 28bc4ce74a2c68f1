// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/time_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

#include "common/base/counted.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::profile {
namespace {

using timing::Bound;

constexpr double kSectorBytes = 32;
// The advice ignores a last wave of blocks with a smaller share of the time.
constexpr double kTail = 0.1;

double metric(const measure::Measurement& measured, std::string_view name) {
  const auto found = measured.metrics.find(name);
  return found == measured.metrics.end() ? 0 : found->second;
}

double share_of(const measure::Measurement& measured, Bound resource) {
  const auto found = std::ranges::find(measured.shares, resource, &timing::Share::resource);
  return found == measured.shares.end() ? 0 : found->seconds;
}

// The time without launch overhead.
double executing(const measure::Measurement& measured) {
  return measured.seconds - share_of(measured, Bound::kLaunchOverhead);
}

std::vector<std::string> latency_texts(const device::Profile& profile,
                                       const measure::Measurement& measured) {
  const auto loads = loads_in_flight(profile, measured);
  const auto& occupancy = measured.occupancy;
  if (loads.mean >= loads.needed) {
    return {
        "Enough loads are in flight to saturate DRAM. Warps wait at barriers for each other, or "
        "for results of their own instructions."};
  }
  auto few = fmt::format(
      "Each SM has {} bytes of loads in flight on average. It needs {} to saturate DRAM. ",
      text::number(std::round(loads.mean)), text::number(std::round(loads.needed)));
  if (occupancy.warps_per_sm >= profile.sm.limits.warps) {
    return {few +
            "Occupancy is already full, so each thread must issue more loads before using the "
            "first result."};
  }
  return {few + "Issue more loads per thread before using the first result, or run more warps.",
          fmt::format("An SM holds {} of {} at most, limited by {}.",
                      base::counted(occupancy.warps_per_sm, "warp"), profile.sm.limits.warps,
                      occupancy.limited_by == timing::Limit::kShared
                          ? "shared memory"
                          : timing::name(occupancy.limited_by))};
}

std::string conflicts_text(const measure::Measurement& measured) {
  double wavefronts = 0;
  double conflicts = 0;
  for (const auto* operation : {"ld", "st", "atom"}) {
    wavefronts += metric(
        measured, fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", operation));
    conflicts +=
        metric(measured,
               fmt::format("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum", operation));
  }
  if (conflicts == 0) {
    return "No shared access has bank conflicts. Make fewer or wider accesses.";
  }
  return fmt::format("{:.0f} % of the shared wavefronts are bank conflicts.",
                     100 * conflicts / wavefronts);
}

// The work of the limiting resource, and how to reduce it; empty if no advice applies.
std::string bound_text(const measure::Measurement& measured) {
  switch (measured.bound_by) {
    case Bound::kLaunchOverhead:
      return "The launch overhead exceeds the time of the blocks. Do more work in one launch.";
    case Bound::kDram:
      return "DRAM is saturated. Move fewer bytes.";
    case Bound::kBusiestPartition:
      return "One memory partition gets more requests than the others. Spread the accesses by "
             "another order of blocks, or another pitch.";
    case Bound::kConstantPasses:
      return "Lanes of a warp read different addresses of constant memory, which serves them one "
             "after the other. Use constant memory if all lanes read the same address, else shared "
             "or global memory.";
    case Bound::kSharedWavefronts:
      return conflicts_text(measured);
    case Bound::kTagLookups:
    case Bound::kL1Data:
      return "L1 is the bottleneck because single requests touch many lines. Let neighbouring "
             "lanes access neighbouring addresses.";
    case Bound::kSmPort:
      return "The path between L2 and the SMs is the bottleneck. Move fewer bytes: keep reused "
             "data in shared memory, and use whole sectors.";
    case Bound::kBusiestAtomicUnit:
      return "L2 executes atomics on one word, or on adjacent words, one after the other. Combine "
             "the values of a warp or a block first.";
    case Bound::kL2PartialWrites:
      return "L2 writes parts of sectors. Let each warp store whole sectors.";
    case Bound::kL2:
    case Bound::kL2Stores:
      return "L2 is the bottleneck. Use whole sectors, and keep reused data in registers or shared "
             "memory.";
    case Bound::kIssue:
      return "The schedulers issue an instruction nearly every clock. Execute fewer instructions "
             "per element.";
    case Bound::kXuPipe:
      return "The unit for special functions and conversions is the bottleneck. Execute fewer of "
             "them, or reuse each result.";
    case Bound::kFp64Pipe:
      return "The unit for doubles is the bottleneck. Use floats where their precision is enough.";
    case Bound::kFmaHeavyPipe:
      return "The unit for 32-bit integer products is the bottleneck. Use shifts, or move products "
             "out of the loop.";
    case Bound::kAluPipe:
      return "The unit for comparisons, logic and shifts is the bottleneck. Execute fewer of them, "
             "for example by unrolling a loop.";
    case Bound::kNone:
    case Bound::kBlocksNotFollowed:
    case Bound::kLatency:  // See latency_texts().
    case Bound::kMeasured:
    case Bound::kOccupancy:
      break;
  }
  return {};
}

// Blocks come in waves: as many as fit on the GPU run together.
std::string tail_text(const device::Profile& profile, const measure::Measurement& measured,
                      std::uint64_t blocks) {
  if (blocks < profile.sm.count) {
    return fmt::format("The grid has {} for {} SMs: the other SMs idle.",
                       base::counted(blocks, "block"), profile.sm.count);
  }
  const auto together = static_cast<double>(measured.occupancy.blocks_per_sm) * profile.sm.count;
  const double waves = static_cast<double>(blocks) / together;
  if (waves <= 1 || 1 - waves / std::ceil(waves) < kTail) return {};
  return fmt::format(
      "The grid is {:.2f} waves of {:.0f} blocks that run together: the last one "
      "fills {:.0f} % of the GPU.",
      waves, together, 100 * (waves - std::floor(waves)));
}

}  // namespace

LoadsInFlight loads_in_flight(const device::Profile& profile,
                              const measure::Measurement& measured) {
  LoadsInFlight out;
  const double time = executing(measured);
  if (time <= 0) return out;
  const double load = std::min(1.0, share_of(measured, Bound::kDram) / time);
  const double latency =
      profile.dram.latency_seconds +
      load * (profile.dram.loaded_latency_seconds - profile.dram.latency_seconds);
  const double sectors =
      metric(measured, "lts__t_sectors_op_read.sum") - profile.launch.l2_read_sectors;
  out.mean = std::max(0.0, sectors) * kSectorBytes * latency / time / profile.sm.count;
  const double read = metric(measured, "dram__bytes_read.sum");
  const double moved = read + metric(measured, "dram__bytes_write.sum");
  out.needed = (moved > 0 ? read / moved : 1) * profile.dram.bytes_per_second *
               profile.dram.efficiency * profile.dram.loaded_latency_seconds / profile.sm.count;
  return out;
}

std::vector<std::string> time_advice(const device::Profile& profile,
                                     const measure::Measurement& measured, std::uint64_t blocks) {
  if (measured.seconds <= 0 || measured.occupancy.blocks_per_sm == 0) return {};
  std::vector<std::string> out;
  const bool is_even = std::holds_alternative<std::monostate>(measured.skew);
  if (is_even && measured.bound_by == Bound::kLatency) out = latency_texts(profile, measured);
  if (is_even) out.push_back(bound_text(measured));
  if (measured.bound_by != Bound::kLaunchOverhead)
    out.push_back(tail_text(profile, measured, blocks));
  std::erase_if(out, [](const std::string& text) { return text.empty(); });
  return out;
}

}  // namespace warpgrade::grader::profile

// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's Speed of Light of a modelled launch: how busy the units of the chip are, how
// many warps an SM holds, what they wait for, and how often L1 and L2 hit.
//
// In: the trace, what the simulated warps did, and the bytes that DRAM moves. Out: metrics with
// Nsight Compute's names. A throughput is the largest share of a few units, as in Nsight Compute.
// How many clocks each request keeps a unit busy was fitted to counters of an H200, the half `fit`
// of tests/evidence/launches; docs/fidelity.md has the errors on the other half. Units that were
// measured on Hopper only, and their throughputs, are absent on other cards. Not modelled:
// instruction fetch, warps that drain their stores, and the passes of loops of compare-and-swap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

struct DramTraffic;
struct Occupancy;
struct Sample;

/// Sums of a launch, or of several; all are 0 if it was not timed.
class SpeedOfLight {
 public:
  SpeedOfLight() = default;
  /// The launch whose blocks in `trace` took `simulated`.
  SpeedOfLight(const device::Profile& profile, const Sample& sample, const Trace& trace,
               const SimulatedTime& simulated, const DramTraffic& dram, const Occupancy& occupancy);

  SpeedOfLight& operator+=(const SpeedOfLight& other);
  /// The names are Nsight Compute's. Metrics that are not known for the card are absent.
  memory::Metrics metrics(const device::Profile& profile) const;

 private:
  enum Unit : std::size_t {
    kIssue,
    kLoadStore,
    kAlu,
    kFmaHeavy,
    kXu,
    kFp64,
    kAddressDivergence,
    kL1Data,
    kL1ToL2,
    kL2ToL1,
    kL2Tags,
    kL2Input,
    kL2Output,
    kL2Fabric,
    kL2Internal,
    kUnits,
  };
  double busiest(std::initializer_list<Unit> units) const;

  double elapsed_ = 0;  ///< SM clocks, like all times here.
  WarpActivity activity_;
  double dram_bytes_ = 0;
  double l1_sectors_ = 0;
  double l1_hits_ = 0;
  double l2_sectors_ = 0;
  double l2_hits_ = 0;
  double local_sectors_ = 0;           ///< Between L1 and L2.
  double local_bytes_ = 0;             ///< That DRAM moves.
  std::array<double, kUnits> busy_{};  ///< Each is the mean over the units of a chip.
};

/// Every name that SpeedOfLight::metrics() can contain, sorted.
const std::vector<std::string>& speed_of_light_names();

/// Whether the time model has the metric `name` of these for the card.
bool is_modelled(const device::Profile& profile, std::string_view name);

}  // namespace warpgrade::timing

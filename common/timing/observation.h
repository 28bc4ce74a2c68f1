// SPDX-License-Identifier: Apache-2.0
// Everything that the time model observes during a launch: the selected blocks, the observers for
// them, and the estimate from their results.
#pragma once

#include <span>
#include <vector>

#include "common/base/dim3.h"
#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/runner.h"
#include "common/timing/dram_page_locality.h"
#include "common/timing/model.h"
#include "common/timing/occupancy.h"
#include "common/timing/sample.h"
#include "common/timing/sample_bias.h"
#include "common/timing/tracer.h"

namespace warpgrade::timing {

class Observation {
 public:
  /// For a launch of all blocks of `grid`. `profile` and `machine_code`, a cubin if available, must
  /// outlive this.
  Observation(const device::Profile& profile, const Occupancy& occupancy, const base::Dim3& grid,
              std::span<const char> machine_code = {})
      : Observation(profile, occupancy,
                    choose_sample(profile, occupancy.blocks_per_sm, base::volume(grid), grid.x),
                    machine_code) {}
  Observation(const device::Profile& profile, const Occupancy& occupancy, Sample sample,
              std::span<const char> machine_code = {})
      : profile_(profile),
        occupancy_(occupancy),
        sample_(std::move(sample)),
        tracer_(profile, sample_, machine_code),
        locality_(profile, sample_.neighbours, sample_.next_row) {}
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  /// Adds the observers of the launch, except Counters.
  void attach(run::Options& options) {
    options.multiprocessors = profile_.sm_count;
    options.observers.push_back(&tracer_);
    options.observers.push_back(&locality_);
  }
  /// The blocks that must be executed for the estimate; others are optional.
  std::vector<run::BlockRange> blocks() const { return sample_.executed(); }
  /// After the launch, which `counters` must have observed, too.
  TimeEstimate estimate(const memory::Counters& counters, const ExecutedPart& executed,
                        LaunchPlace place = LaunchPlace::kFirst) const {
    return timing::estimate(profile_, sample_, tracer_.trace(), locality_, counters, executed,
                            occupancy_, place);
  }
  /// The same for an untrusted kernel, whose blocks gave `result`: if the traced blocks do less
  /// than the mean, the time is scaled up.
  TimeEstimate estimate(const memory::Counters& counters, const ExecutedPart& executed,
                        const run::Result& result, LaunchPlace place = LaunchPlace::kFirst) const {
    auto found = estimate(counters, executed, place);
    const double times = sample_bias(tracer_.trace(), counters, result, executed.blocks);
    if (times > kMostUneven) lengthen(found, times);
    return found;
  }
  const Trace& trace() const { return tracer_.trace(); }

 private:
  /// Blocks at the edges of a matrix, or the last blocks of a sum, may differ from the mean.
  static constexpr double kMostUneven = 1.25;

  const device::Profile& profile_;
  Occupancy occupancy_;
  Sample sample_;
  Tracer tracer_;
  DramPageLocality locality_;
};

}  // namespace warpgrade::timing

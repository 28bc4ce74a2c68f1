// SPDX-License-Identifier: Apache-2.0
// Counts and, where that is asked for, times the launches of a sequence on a profile, one after the
// other, and adds them up.
#pragma once

#include <optional>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/memory/counters.h"
#include "common/run/runner.h"
#include "common/timing/observation.h"
#include "common/timing/sequence_time.h"

namespace warpgrade::measure {

class SequenceCounts {
 public:
  /// Counts launches of `program` on `buffers`. The program and `profile` outlive this.
  SequenceCounts(const device::Profile& profile, const compile::Program& program,
                 const std::vector<run::Buffer>& buffers, bool is_timed);

  /// Adds to `options` what must watch `launch`.
  void begin(const run::Launch& launch, run::Options& options);
  /// Adds the launch that was begun: of the kernel `function`, with `result`.
  void end(const ptx::Function& function, const run::Result& result);
  /// Enters the sums; occupancy is that of the first launch.
  void put_into(Measurement& measured) const;

 private:
  const device::Profile& profile_;
  const compile::Program& program_;
  bool is_timed_;
  bool has_begun_ = false;
  timing::ExecutedPart executed_;  // Of the launch that was begun, as the next two.
  std::optional<memory::Counters> counters_;
  std::optional<timing::Observation> observation_;  // Only where it is timed.
  memory::Totals totals_;
  timing::SequenceTime time_;
  Measurement sum_;  // Lines, their instructions, bytes, the launches' seconds, and occupancy.
};

}  // namespace warpgrade::measure

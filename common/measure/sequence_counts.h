// SPDX-License-Identifier: Apache-2.0
// Counts the launches of a sequence on a profile one after another, times them if requested, and
// adds them up.
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

/// How launches are timed.
enum class Timing : std::uint8_t {
  kNone,
  kBySample,       ///< A sample of the blocks is traced: see timing::choose_sample().
  kThird,          ///< All blocks of a third of the SMs: see timing::third_of_chip().
  kWhole,          ///< All blocks on all SMs.
  kTurns,          ///< As kWhole, with blocks in turns: see timing/waits.h.
  kTurnsBySample,  ///< As kBySample, in turns.
};

class SequenceCounts {
 public:
  /// Counts launches of `program` on `buffers`. The program and `profile` must outlive this.
  SequenceCounts(const device::Profile& profile, const compile::Program& program,
                 const std::vector<run::Buffer>& buffers, Timing timing);

  /// Adds the observers of `launch` of the kernel `function` to `options`.
  void begin(const ptx::Function& function, const run::Launch& launch, run::Options& options);
  /// Adds the current launch, a launch of the kernel `function` with `result`.
  void end(const ptx::Function& function, const run::Result& result);
  /// The timing to use if a sample does not represent the blocks of a launch: kWhole or, with more
  /// instructions, kThird. kNone if the sample is good, or if there are too many instructions.
  Timing better_timing() const;
  /// After a count in turns: whether it shows what the first one could not.
  bool has_shown_turns(const SequenceCounts& first) const;
  /// Blocks in turns access memory at the pace of `first`, which counted the same launches.
  void use_paces(const SequenceCounts& first) { paces_ = first.paces_; }
  /// Whether a launch in turns has failed, so that waits have no time.
  bool has_failed() const { return has_failed_; }
  /// Stores the sums; the first launch determines the occupancy.
  void put_into(Measurement& measured) const;

 private:
  const device::Profile& profile_;
  const compile::Program& program_;
  Timing timing_;
  bool has_begun_ = false;
  std::vector<std::uint64_t> buffer_bytes_;
  std::uint64_t blocks_ = 0;  // of the current launch, like the next two
  std::optional<memory::Counters> counters_;
  std::optional<timing::Observation> observation_;  // only if timed
  std::uint64_t instructions_ = 0;                  // of all warps
  timing::Occupancy occupancy_;                     // of the current launch, like the next
  run::Launch launch_;
  timing::TurnNeeds needs_;          // of all launches
  std::vector<timing::Pace> paces_;  // by launch
  std::uint64_t waits_ = 0;
  bool has_failed_ = false;
  bool is_even_ = true;  // all launches: see timing::is_even()
  memory::Totals totals_;
  timing::SequenceTime time_;
  Measurement sum_;  // lines, their instructions, bytes, the launches' seconds, and occupancy
};

}  // namespace warpgrade::measure

// SPDX-License-Identifier: Apache-2.0
// The time model: predicts the time of a launch, or of a sequence, and the resource that bounds
// it.
//
// In: a trace, counters and the profile. Out: seconds, the shares of the resources, and uneven
// work if it is the cause. The share of accesses below L1 that reach DRAM comes from the counters
// of all executed blocks, and from what earlier launches of a sequence left in L2. The launch
// overhead is added.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/observer.h"
#include "common/timing/bound.h"
#include "common/timing/dram_demand.h"
#include "common/timing/sample.h"
#include "common/timing/speed_of_light.h"
#include "common/timing/trace.h"
#include "common/timing/warp_recorder.h"
#include "common/timing/warp_timeline.h"

namespace warpgrade::timing {

// Uneven work as the cause that bounds a launch: contention of atomics, or imbalance among warps.
//
// Both depend on the data. A kernel whose time they bound is much faster with even data, so a
// reader needs other advice than for a full resource or for too few loads in flight.
//
// - Contention: atomics are the resource that bounds the launch, at least half of its work is due
//   to lanes of one request on the same word, and these are a quarter of a warp on average. With
//   values spread evenly over 256 words, 2 lanes of a warp share the most used word.
// - Imbalance: the launch waits (Bound::kLatency), the longest warp issues at least four times the
//   instructions of the mean warp, and it runs for at least half of the time, without its sleeps
//   and fences. Warps differ by less at the edges of a matrix.
//
// Numbers are those of the traced blocks. If the long warps are in other blocks, the bound is
// Bound::kBlocksNotFollowed instead.

/// Lanes that use the same word and are served one after another.
struct Contention {
  run::Space space{};      ///< kShared or kGlobal, the memory of the atomics.
  double lanes = 0;        ///< Active lanes of a request, on average.
  double on_one_word = 0;  ///< Those on the most used word of the request, on average.

  friend bool operator==(const Contention&, const Contention&) = default;
};

/// A few warps do much more work than the others.
struct Imbalance {
  double longest = 0;          ///< Machine instructions of the longest warp.
  double mean = 0;             ///< And of the mean warp.
  double longest_seconds = 0;  ///< That the longest warp runs, without its sleeps and fences.

  friend bool operator==(const Imbalance&, const Imbalance&) = default;
};

/// std::monostate: neither of them bounds the launch.
using Skew = std::variant<std::monostate, Contention, Imbalance>;

/// Machine instructions of a warp with this program, its requests included.
double instructions_of(const WarpProgram& program);

/// The share of loads from buffer number `buffer` that blocks make at the same time: near 1 for the
/// tiles of a product, 0 for random places of a table. It is estimated from the sectors that at
/// least two traced blocks load, and corrected for coincidences; 1 without such sectors.
double loads_together(const Trace& trace, std::size_t buffer);

/// The skew that bounds a launch with this trace, whose blocks run for `seconds`. `warp_seconds`
/// are those of SimulatedTime.
Skew skew_of(const Trace& trace, Bound bound_by, const std::vector<double>& warp_seconds,
             double seconds);

struct Share {
  Bound resource{};
  double seconds = 0;  ///< Time that it is busy; the longest need not be the bound.
};

/// What a time is made of: seconds that add up to it. While the busiest resource of a launch works,
/// warps may wait, too. In the rest of the time they only wait, and `waiting` divides it among the
/// reasons as they divide the clocks of all warps.
struct TimeParts {
  double launch = 0;             ///< Launch overhead, and waits for the host in a sequence.
  std::map<Bound, double> busy;  ///< By the busiest resource of each launch.
  double first_loads = 0;        ///< Until the first answer, as far as that resource is idle.
  double tail = 0;               ///< Lost at the end, when no block is left to begin.
  double other_blocks = 0;       ///< Blocks wait for words that other blocks write.
  StateClocks waiting{};         ///< Seconds.

  TimeParts& operator+=(const TimeParts& other);
  double total() const;
  /// The parts above 0, by names for reports: "dram", "first loads", "waiting at barriers".
  std::map<std::string, double> by_name() const;
};

struct ModelInputs;

struct TimeEstimate {
  double seconds = 0;
  Bound bound_by{};           ///< One of the resources; kOccupancy if no block fits.
  std::vector<Share> shares;  ///< Longest first, without idle resources.
  TimeParts parts = {};
  Skew skew = {};                 ///< Uneven work, if it is the cause of `bound_by`.
  DramTraffic dram = {};          ///< Zeros without an L2, or if the sizes of buffers are unknown.
  bool is_even = true;            ///< The traced blocks represent the others: see sample.h.
  UnmodelledSet unmodelled = {};  ///< Makes `seconds` inexact.
  std::optional<SpeedOfLight> speed_of_light = {};  ///< If the traced blocks show it.
  std::vector<LineActivity> lines =
      {};  ///< If they were followed, and the traced blocks show them.
  std::optional<WarpTimeline> timeline = {};  ///< Likewise; of a sequence, the first launch's.
  /// By launch, to ask the model again: see what_if.h. Empty if a trace is large.
  std::vector<std::shared_ptr<const ModelInputs>> inputs = {};
};

/// The executed blocks of a launch that the counters have observed.
struct ExecutedPart {
  std::uint64_t blocks = 0;
  std::vector<std::uint64_t> buffer_bytes;  ///< Sizes of the launch's buffers; empty: unknown.
  std::vector<double> held = {};            ///< As in dram_demand().
};

/// The position of a launch in a sequence, which determines its overhead.
enum class LaunchPlace : std::uint8_t { kFirst, kBehindAnother };

/// The time of a launch with the trace `trace` of `sample`, the neighbours observed by `locality`,
/// and the executed blocks observed by `counters`. If a block does not fit: 0 seconds, bound by
/// Bound::kOccupancy.
TimeEstimate estimate(const device::Profile& profile, const Sample& sample,
                      const std::shared_ptr<const Trace>& trace, const DramPageLocality& locality,
                      const memory::Counters& counters, const ExecutedPart& executed,
                      const Occupancy& occupancy, LaunchPlace place = LaunchPlace::kFirst);

/// Multiplies the time by `times`; the bound becomes Bound::kBlocksNotFollowed.
void lengthen(TimeEstimate& estimate, double times);

// The time of launches without pauses between them.
//
// A launch begins a gap after the end of the previous one, but not before the host has launched it:
// small launches wait for the host. On an H200 a sequence of 100 almost empty launches took 445 us,
// and one of 20 copies of 64 MB took 1,047 us.

class SequenceTime {
 public:
  explicit SequenceTime(const device::Profile& profile) : profile_(profile) {}

  /// The position of the next launch.
  LaunchPlace place() const {
    return launches_ == 0 ? LaunchPlace::kFirst : LaunchPlace::kBehindAnother;
  }
  /// Adds the next launch, estimated for its position; returns the additional time of the sequence.
  double add(TimeEstimate launch);
  /// The estimate of a single launch, or the sums of several, bound by the resource that bounds
  /// them longest.
  TimeEstimate total() const;

 private:
  const device::Profile& profile_;
  std::size_t launches_ = 0;
  TimeEstimate total_;
  struct Part {
    double seconds = 0;  // of all launches
    double most = 0;     // of the longest one, whose skew this is
    Skew skew;
  };
  std::map<Bound, Part> bound_;  // The launches that each bound limits.
};

}  // namespace warpgrade::timing

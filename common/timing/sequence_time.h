// SPDX-License-Identifier: Apache-2.0
// The time of launches without pauses between them.
//
// A launch begins a gap after the end of the previous one, but not before the host has launched it:
// small launches wait for the host. Each launch is estimated with an empty L2. Data that the
// previous launch left there is not modelled, so launches over little data are faster on a card. On
// an H200 a sequence of 100 almost empty launches took 445 us, and one of 20 copies of 64 MB took
// 1,047 us.
#pragma once

#include <cstddef>
#include <map>

#include "common/device/profile.h"
#include "common/timing/model.h"

namespace warpgrade::timing {

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
